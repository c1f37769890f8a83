"""Documents and tables as Markdown, as GitHub shows it: in comments, summaries of builds, notes.

A text from outside mentions nobody there, refers to no issue, and is no markup: it is escaped, and
signs that would call people are parted from what follows by a blank without width.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, zip_longest

from ...schema.errors import visible
from .languages import isolated
from .model import (
    Block,
    Branch,
    Card,
    Cell,
    Chart,
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
from .papers import table_content
from .text.arcs import draw_dependency
from .text.dependencies import tree_lines
from .trees import Dependency, DependencyTree

_PARTED = "\u200b"
"""A blank without width."""
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "<span>$</span>"}
_SIGNS = re.compile(r"[\\`*_{}\[\]#|~&<>$]")
_CALLS = re.compile(
    r"(?<![A-Za-z0-9])@"  # @name
    r"|#(?=\d|$)|(?i:\bgh-(?=\d))"  # issues: #1, GH-1
    r"|:(?=//)|(?i:\bwww)(?=\.)"  # addresses
    r"|(?<!\d):(?=[a-z0-9_+-]+:)"  # :name: of a picture
)
_FIRST = re.compile(r"(\d*)([.)]|(?<!\d)[-+=])")
"""What makes a list or a heading of a line that begins with it."""
_ELEMENTS: dict[Tone, str] = {
    "strong": "b",
    "worse": "b",
    "code": "code",
    "matched": "b",
    "missing": "del",
    "extra": "ins",
    "stray": "b",
    "moved": "i",
    "changed": "b",
}
_LEVEL = 3
"""Of the heading of a document: it stands in a page that has its own."""
_DRAWN = 100
"""Columns of what is drawn."""


def escaped(text: str) -> str:
    """Return a text that is nothing but text in Markdown, wherever in a line it stands."""
    parted = _CALLS.sub(lambda match: match[0] + _PARTED, visible(text))
    return isolated(_SIGNS.sub(lambda match: _HTML.get(match[0], f"\\{match[0]}"), parted))


def markdown_table(table: Table) -> str:
    """Return a table as Markdown, its text escaped, numbers on the right.

    What stands out is bold; a caption that is seen stands above. Markdown draws no lines between
    groups of rows: a row without text parts them.
    """
    columns, rows = table_content(table, _cell)
    heads = [escaped(column.name) for column in columns]
    rules = ["---:" if column.numeric else ":---" for column in columns]
    body: list[list[str]] = []
    for starts, row in rows:
        body += [[""] * len(columns)] if starts and body else []
        body.append(row)
    shown = "".join(f"| {' | '.join(line)} |\n" for line in [heads, rules, *body])
    return f"{_line(table.caption)}\n\n{shown}" if table.titled else shown


def markdown_document(document: Document) -> str:
    """Return a document as Markdown: the verdict first, what is folded in elements that open."""
    return "\n\n".join(filter(None, _document(document))) + "\n"


def _document(document: Document) -> Iterator[str]:
    if document.title:
        yield f"{'#' * _LEVEL} {escaped(document.title)}"
    for sentence in document.verdict:
        yield _line(sentence, "strong")
    for objection in document.objections:
        yield _line(f"forced, though not comparable: {objection}", "strong")
    if document.lead:
        yield _line(document.lead)
    for section in document.sections:
        yield from _section(section)
    for note in document.notes:
        yield f"({escaped(note)})"
    facts = [f"{escaped(name)}: {escaped(text)}" for name, text in document.provenance]
    marks = [f"{_spans([(meaning, tone)])}" for tone, meaning in document.tones]
    small = [
        *map(escaped, document.legend),
        " · ".join(marks),
        *facts,
        escaped(document.comparable),
    ]
    if any(small):
        yield "\n".join(f"<sub>{line}</sub><br>" for line in small if line)


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"{'#' * (_LEVEL + 1)} {escaped(section.title)}"
    for text in (section.reading, section.missing):
        if text:
            yield _line(text)
    yield from _blocks(section.blocks)


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(tone="code"):
            yield _fenced(plain_text(block.text).split("\n"))
        case Paragraph():
            yield _line(block.text, block.tone)
        case Table():
            yield from _table(block)
        case Card():
            yield from _card(block)
        case DependencyTree() | Dependency() | Panes():
            yield _fenced(_drawn(block))
        case Tree():
            title = [_line(block.title), ""] if block.title else []
            yield "\n".join([*title, *_branch(block.root, 0)])
        case Details():
            yield f"<details><summary>{_spans(_pieces(block.summary))}</summary>"
            yield from _blocks(block.blocks)
            yield "</details>"
        case Tabs():
            for tab in block.tabs:
                yield _line(tab.name, "strong")
                yield from _blocks(tab.blocks)
        case Figure() | Chart():
            yield _line(block.alternative)


def _drawn(block: DependencyTree | Dependency | Panes) -> list[str]:
    """Return the lines of what is drawn with letters."""
    if isinstance(block, DependencyTree):
        return [plain_text(line) for line in tree_lines(block, _DRAWN)]
    if isinstance(block, Dependency):
        return [line.plain for line in draw_dependency(block, _DRAWN, plain=True)]
    columns = [[pane.title, *map(plain_text, pane.lines)] for pane in block.panes]
    even = [[line.ljust(max(map(len, lines))) for line in lines] for lines in columns]
    rows = ("   ".join(row) for row in zip_longest(*even, fillvalue=""))
    return [*rows, *map(plain_text, block.below)]


def _table(table: Table) -> Iterator[str]:
    shown = table if table.shown is None else replace(table, lines=table.lines[: table.shown])
    yield markdown_table(shown).rstrip("\n")
    more = len(table.lines) - len(shown.lines)
    remarks = [f"{more:,} more {table.rest}" if more else "", table.note]
    for remark in filter(None, remarks):
        yield f"({escaped(remark)})"


def _card(card: Card) -> Iterator[str]:
    if card.title or card.origin:
        yield " · ".join(_line(words) for words in (card.title, card.origin) if words)
    facts = [f"- {_line(name)}: {_spans(_pieces(text))}" for name, text in card.facts]
    if facts:
        yield "\n".join(facts)
    yield from _blocks(card.blocks)


def _branch(branch: Branch, depth: int) -> Iterator[str]:
    stack = [(branch, depth)]
    while stack:
        node, level = stack.pop()
        yield f"{'  ' * level}- {_line(node.text)}"
        stack += [(child, level + 1) for child in reversed(node.children)]


def _fenced(lines: Iterable[str]) -> str:
    """Return lines as they are, between fences that are longer than any within."""
    text = "\n".join(map(visible, lines))
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _line(words: Words, tone: Tone = "") -> str:
    """Return a text that may begin a line, or an item of a list, and is no list or rule itself."""
    text = _spans(_pieces(words)).strip()
    if begins := _FIRST.match(text):
        number, sign = begins.groups()
        text = f"{number}\\{sign}{text[begins.end() :]}"
    return f"**{text}**" if text and tone == "strong" else text


def _pieces(words: Words) -> list[tuple[str, Tone]]:
    if isinstance(words, str):
        return [(words, "")]
    return [(span.text, span.tone) for span in words]


def _spans(pieces: Iterable[tuple[str, Tone]]) -> str:
    """Return texts one after another, each in the element of its tone."""
    shown = []
    for element, alike in groupby(pieces, key=lambda piece: _ELEMENTS.get(piece[1], "")):
        words = escaped("".join(text for text, _ in alike))
        shown.append(f"<{element}>{words}</{element}>" if element and words.strip() else words)
    return "".join(shown)


def _cell(cell: Cell) -> str:
    if cell.card is not None:
        return escaped(" / ".join(plain_text(text) for _, text in cell.card.facts))
    if isinstance(cell.text, str):
        text = escaped(cell.text)
        return f"**{text}**" if text.strip() and _ELEMENTS.get(cell.tone) == "b" else text
    return _spans(_pieces(cell.text))
