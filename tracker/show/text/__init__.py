"""Documents as text: on a terminal, in colour and to its width, or plain in a file or a pipe."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.table import Table as Grid
from rich.text import Text

from ....queries.numbers import UNDEFINED
from ....schema.errors import visible
from ...console import Console
from ..model import (
    WHOLE_OR_NOT,
    Block,
    Branch,
    Card,
    Cell,
    Chart,
    Column,
    Details,
    Document,
    Figure,
    Panes,
    Paragraph,
    Section,
    Table,
    Tabs,
    Tone,
    Tree,
    Words,
    plain_text,
)
from ..trees import Dependency, DependencyTree
from .arcs import draw_dependency
from .dependencies import tree_lines
from .words import MARKS, STYLES, coloured, rich_text

NARROWEST = 24
"""Columns of text are folded to no fewer letters."""
_BETWEEN = 2
PLAIN_WIDTH = 120
"""Columns of what is drawn in a file or a pipe; texts and tables may be wider …"""
WHOLE = 10_000
"""… up to these, so that no cell of a table is wrapped."""
_INDENT = 2
_GAP = 3
_NAMES = 24
"""Columns that the names of facts may take."""


def print_document(console: Console, document: Document) -> list[str]:
    """Print a document; return notes for beside it, such as columns left out.

    Lines that are drawn are cut at the width of a terminal, texts are wrapped; in a file neither.
    """
    return _Writer(console).document(document)


def document_text(document: Document, width: int) -> str:
    """Return a document with its legend as plain text, as a terminal of this width has it."""
    text = io.StringIO()
    console = Console(file=text, width=width, force_terminal=True, color_system=None)
    for notice in [*print_document(console, document), *legend(console, document)]:
        console.print(Text(visible(notice)))
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().split("\n"))


def print_table(console: Console, table: Table, *, hint: str = "") -> list[str]:
    """Print a table alone; return notes for beside it, ``hint`` with the columns left out."""
    writer = _Writer(console, hint)
    writer.table(table)
    return writer.notices


def legend(console: Console, document: Document) -> list[str]:
    """Return the lines about what colours, marks and units mean."""
    in_colour = coloured(console)
    tones = [f"{_named(tone, in_colour)} {meaning}" for tone, meaning in document.tones]
    return [f"({' · '.join(parts)})" for parts in (document.legend, tones) if parts]


def _named(tone: Tone, in_colour: bool) -> str:
    if in_colour:
        return STYLES[tone].split()[-1]
    before, after = MARKS.get(tone, ("", ""))
    return f"{before}word{after}"


class _Writer:
    def __init__(self, console: Console, hint: str = "") -> None:
        self.console = console
        self.hint = hint
        self.width = console.width if console.is_terminal else min(console.width, PLAIN_WIDTH)
        self.notices: list[str] = []

    def document(self, document: Document) -> list[str]:
        self.say(document.title, "bold")
        if document.lead:
            self.say(document.lead, "dim")
        for objection in document.objections:
            self.say(f"forced, though not comparable: {objection}", "bold red")
        for number, sentence in enumerate(document.verdict):
            self.say(sentence, "bold", above=not number)
        for section in document.sections:
            self.section(section)
        for note in document.notes:
            self.say(f"({note})", "dim", above=True)
        return self.notices

    def section(self, section: Section) -> None:
        if section.title:
            self.say(section.title, "bold", above=True)
        for text in filter(None, (section.reading, section.missing)):
            self.say(text, "dim")
        self.blocks(section.blocks)

    def blocks(self, blocks: Iterable[Block]) -> None:
        before: Block | None = None
        for block in blocks:
            titled = isinstance(block, Table) and block.titled
            if titled or (isinstance(before, Table) and not isinstance(block, Paragraph)):
                self.console.print()
            self.block(block)
            before = block

    def block(self, block: Block) -> None:
        match block:
            case Paragraph():
                self.line(self.text(block.text), STYLES[block.tone])
            case Table():
                self.table(block)
            case Card():
                self.card(block)
            case DependencyTree():
                self.lines(map(self.unmarked, tree_lines(block, self.width)))
            case Dependency():
                self.dependency(block)
            case Panes():
                self.panes(block)
            case Tree():
                self.tree(block)
            case Details():
                self.line(self.text(block.summary), "bold")
                self.blocks(block.blocks)
            case Tabs():
                for tab in block.tabs:
                    self.say(tab.name, "bold", above=True)
                    self.blocks(tab.blocks)
            case Figure() | Chart():
                self.say(block.alternative, "dim")

    def table(self, table: Table) -> None:
        if table.titled:
            self.say(table.caption, "bold")
        shown = table if table.shown is None else replace(table, lines=table.lines[: table.shown])
        width = self.width if self.console.is_terminal else None
        widths = [_width(shown, place) for place in range(len(shown.columns))]
        columns, left_out = _fitting(shown, widths, width)
        drawn = _drawn(self.console, shown, widths, columns, self.cell)
        self.console.print(Segments(drawn), crop=self.console.is_terminal)
        more = len(table.lines) - len(shown.lines)
        if more:
            self.say(f"({more:,} more {table.rest})", "dim")
        remarks = [shown.columns[place] for place in columns if shown.columns[place].remark]
        about = " · ".join(f"{visible(column.name)}: {column.remark}" for column in remarks)
        for note in filter(None, [table.note, *_reasons(shown)]):
            self.say(f"({note})", "dim")
        names = ", ".join(visible(column.name) for column in left_out)
        cut = f"not shown for want of width: {names}{self.hint}" if left_out else ""
        notices = [f"({notice})" for notice in (about, cut) if notice]
        self.notices += [notice for notice in notices if notice not in self.notices]

    def card(self, card: Card) -> None:
        if card.title:
            self.console.print()
            self.line(Text.assemble(("── ", "dim"), self.text(card.title)), "bold")
        if card.origin:
            self.line(Text.assemble(" " * _INDENT, self.text(card.origin)), "dim")
        self.facts(card.facts)
        self.blocks(card.blocks)

    def facts(self, facts: Sequence[tuple[str, Words]]) -> None:
        if not self.console.is_terminal:
            width = max((len(name) for name, _ in facts), default=0) + _INDENT
            for name, text in facts:
                self.line(Text.assemble(" " * _INDENT, f"{name:<{width}}", self.text(text)))
            return
        rows = Grid.grid(padding=(0, 2, 0, 0))
        rows.add_column(style="dim", overflow="fold", max_width=_NAMES)
        rows.add_column(overflow="fold", ratio=1)
        for name, text in facts:
            rows.add_row(visible(name), self.text(text))
        if facts:
            self.console.print(Padding(rows, (0, 0, 0, _INDENT)))

    def dependency(self, block: Dependency) -> None:
        gutter = len(block.place) + _INDENT
        in_colour = coloured(self.console)
        drawn = draw_dependency(block, self.width - _INDENT - gutter, plain=not in_colour)
        self.console.print()
        for number, line in enumerate(drawn):
            margin = visible(block.place) if number == 2 else ""
            self.cut(Text.assemble((f"{'':{_INDENT}}{margin:<{gutter}}", "dim"), line))

    def panes(self, block: Panes) -> None:
        """Print panes beside each other where they fit, else below each other."""
        drawn = [
            [Text(f"  {pane.title}", style="dim"), *map(self.unmarked, pane.lines)]
            for pane in block.panes
        ]
        widths = [max(line.cell_len for line in lines) + _GAP for lines in drawn]
        self.console.print()
        if sum(widths) - _GAP > self.width - _INDENT:
            rows = [line for lines in drawn for line in [*lines, Text()]]
        else:
            rows = [
                Text().join(
                    Text.assemble(line, " " * (width - line.cell_len))
                    for line, width in zip(row, widths, strict=True)
                )
                for row in zip_longest(*drawn, fillvalue=Text())
            ]
        self.lines([*rows, *map(self.unmarked, block.below)])

    def lines(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self.cut(Text.assemble(" " * _INDENT, line))

    def tree(self, tree: Tree) -> None:
        from rich.tree import Tree as Drawn

        if tree.title:
            self.line(self.text(tree.title), "")
        drawn = Drawn(self.text(tree.root.text), guide_style="dim")
        stack: list[tuple[Drawn, Branch]] = [
            (drawn, child) for child in reversed(tree.root.children)
        ]
        while stack:
            above, branch = stack.pop()
            node = above.add(self.text(branch.text))
            stack += [(node, below) for below in reversed(branch.children)]
        self.console.print(drawn)

    def text(self, words: Words) -> Text:
        return rich_text(words, marked=not coloured(self.console))

    def cell(self, cell: Cell) -> Text:
        text = self.text(_words(cell))
        text.style = STYLES[cell.tone]
        return text

    def unmarked(self, words: Words) -> Text:
        return rich_text(words, marked=False, apart=True)

    def say(self, text: str, style: str = "", *, above: bool = False) -> None:
        if above:
            self.console.print()
        self.line(Text(visible(text)), style)

    def line(self, text: Text, style: str = "") -> None:
        """Print a line, wrapped on a terminal alone."""
        text.rstrip()
        text.style = style
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def cut(self, text: Text) -> None:
        """Print a line that must not be wrapped: on a terminal it is cut, with an ellipsis."""
        text.rstrip()
        whole = not self.console.is_terminal
        self.console.print(
            text, soft_wrap=whole, no_wrap=True, overflow=None if whole else "ellipsis"
        )


def _fitting(
    table: Table, widths: Sequence[int], width: int | None
) -> tuple[list[int], list[Column]]:
    """Return the columns that fit, as places in the order to show, and those that do not.

    Where all fit they stand as they are; else those that may end a line come last and go first.
    None for ``width`` lets all fit.
    """
    places = [n for n, column in enumerate(table.columns) if column.kind != "links"]
    needed = {place: _needed(table, place, widths[place]) for place in places}
    if width is None or sum(needed.values()) - _BETWEEN <= width:
        return places, []
    places.sort(key=lambda place: table.columns[place].ends)
    used, shown = -_BETWEEN, list[int]()
    for place in places:
        if used + needed[place] <= width or not shown:
            shown.append(place)
            used += needed[place]
    return shown, [table.columns[place] for place in places if place not in shown]


class _Cells:
    """The cells of a column as one cell of a grid: told its width, it lays them out."""

    def __init__(self, cells: Sequence[Text], widest: int) -> None:
        self.cells = cells
        self.widest = widest
        self.width = 0
        self.laid_out: list[Any] = [()] * len(cells)

    def __rich_measure__(self, *_: object) -> Measurement:
        return Measurement(self.widest, self.widest)

    def __rich_console__(self, console: Any, options: Any) -> tuple[()]:
        how = {name: getattr(options, name) for name in ("justify", "overflow", "no_wrap")}
        self.width = options.max_width
        self.laid_out = [cell.wrap(console, self.width, **how) for cell in self.cells]
        return ()


def _drawn(
    console: Console,
    table: Table,
    widths: Sequence[int],
    places: Sequence[int],
    text: Callable[[Cell], Text],
) -> Iterator[Segment]:
    """Yield these columns of a table in pieces to print; ``text`` makes texts of cells ready.

    Rich draws the head and says how wide columns are; rows it would draw five times as slowly.
    """
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    columns = [
        _Cells([text(line.cells[place]) for line in table.lines], widths[place]) for place in places
    ]
    for place in places:
        column = table.columns[place]
        grid.add_column(
            visible(column.name),
            justify="right" if column.numeric or column.kind == "interval" else "left",
            no_wrap=widths[place] + _BETWEEN == _needed(table, place, widths[place]),
            overflow="fold",
            min_width=_longest_word(table, place) if column.kind == "pattern" else None,
        )
    grid.add_row(*columns)
    room = console.options.update(width=console.width if console.is_terminal else WHOLE)
    for pieces in console.render_lines(grid, room, pad=False)[: -1 if columns else 1]:
        yield from (*pieces, Segment.line())
    between, blank = Text(" " * _BETWEEN), [Text(" " * column.width) for column in columns]
    for number, line in enumerate(table.lines):
        rows = [*zip_longest(*(column.laid_out[number] for column in columns))]
        for row in [blank, *rows] if line.starts and number else rows:
            shown = between.join(part or none for part, none in zip(row, blank, strict=True))
            yield from shown.render(console, "\n")


def _reasons(table: Table) -> list[str]:
    """Return why cells are undefined, with the columns that are: a page shows that at the cell."""
    by_reason: dict[str, dict[str, None]] = {}
    for line in table.lines:
        for column, cell in zip(table.columns, line.cells, strict=True):
            if cell.text == UNDEFINED and cell.title:
                by_reason.setdefault(cell.title, {})[column.name] = None
    return [f"{UNDEFINED} of {', '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _words(cell: Cell) -> Words:
    if cell.card is None:
        return cell.text
    return "\n".join(f"{name}: {plain_text(text)}" for name, text in cell.card.facts)


def _width(table: Table, place: int) -> int:
    cells = (plain_text(_words(line.cells[place])) for line in table.lines)
    lines = (line for cell in cells for line in cell.splitlines())
    return max([cell_len(table.columns[place].name), *map(cell_len, lines)])


def _needed(table: Table, place: int, width: int) -> int:
    column = table.columns[place]
    if column.numeric or column.kind in ("interval", "whole") or column.ends == WHOLE_OR_NOT:
        return width + _BETWEEN
    least = max(NARROWEST, cell_len(column.name))
    if column.kind == "pattern":
        least = max(least, _longest_word(table, place))
    return min(width, least) + _BETWEEN


def _longest_word(table: Table, place: int) -> int:
    """Return the width of the longest label with its brackets: a pattern breaks between labels."""
    cells = (plain_text(_words(line.cells[place])) for line in table.lines)
    return max((cell_len(word) for text in cells for word in text.split()), default=0)
