"""Drawing a dependency tree with lines of text: a word per row, in the order of the sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rich.cells import cell_len

from ....schema.errors import visible
from ..model import Span, Tone, plain_text
from ..trees import DependencyTree, Outcome, TreeWord

STEP, NARROW_STEP = 3, 2
_MARKS: dict[Outcome, tuple[str, Tone]] = {
    "": ("", ""),
    "found": ("✓", "better"),
    "missed": ("✗", "worse"),
    "misplaced": ("✗", "worse"),
    "won": ("✗→✓", "better"),
    "lost": ("✓→✗", "worse"),
}
FOLDED_BEYOND = 20
"""Words of trees that are always drawn whole."""


def tree_lines(tree: DependencyTree, width: int = 100) -> list[list[Span]]:
    """Return the drawing of a tree with its words, a line per word, in narrower steps if need be.

    Words of a pattern have a ◆ before them; what stands beside the words is in columns.
    """
    beside = _columns(_beside(tree))
    room = width - max(map(_length, beside), default=0) - 4
    heads = {word.token_no: word.head for word in tree.words}
    marked = {word.token_no for word in tree.words if word.marked}
    signed = any(word.matched for word in tree.words)
    drawn: list[list[Span]] = []
    for step in (STEP, NARROW_STEP):
        rows = draw_tree(heads, marked=marked, step=step)
        drawn = [_word(*of, signed=signed) for of in zip(rows, tree.words, strict=True)]
        if max(map(_length, drawn), default=0) <= room:
            break
    column = min(max(map(_length, drawn), default=0), max(room, 0))
    return [
        [*line, Span(" " * (max(0, column - _length(line)) + 2)), *cells]
        for line, cells in zip(drawn, beside, strict=True)
    ]


def shown_words(words: Sequence[TreeWord], needed: Collection[int]) -> list[TreeWord]:
    """Return the words of a tree or, of a long one, those near ``needed`` with how many are hidden.

    Nothing is hidden where nothing is to be kept.
    """
    if len(words) <= FOLDED_BEYOND or not needed:
        return [*words]
    _, hidden = folded({word.token_no: word.head for word in words}, needed)
    return [
        replace(word, hidden=hidden[word.token_no]) for word in words if word.token_no in hidden
    ]


def _word(row: Row, word: TreeWord, *, signed: bool) -> list[Span]:
    """Return the drawing up to a word and the word, behind its sign where words have one."""
    sign = Span("◆ ", "matched") if word.matched else Span("  ")
    runs = groupby(zip(row.cells, row.marked, strict=True), key=lambda cell: cell[1])
    edges = [
        Span("".join(cell for cell, _ in run), "matched" if marked else "muted")
        for marked, run in runs
    ]
    return [
        *([sign] if signed else []),
        *edges,
        Span(" "),
        Span(visible(word.form), "matched" if word.matched else ""),
        *([Span(f" +{word.hidden}", "muted")] if word.hidden else []),
    ]


def _beside(tree: DependencyTree) -> list[list[Span]]:
    """Return what stands beside each word: what became of its edge, relation, part of speech.

    Changes stand out from other edges, and words of a pattern from other words.
    """
    compared = any(word.outcome in ("won", "lost") for word in tree.words)
    signed = any(word.matched for word in tree.words)
    rows = []
    for word in tree.words:
        mark, tone = _MARKS[word.outcome]
        plain = compared and word.outcome not in ("won", "lost")
        label: Tone = "muted" if signed and not word.matched else ""
        rows.append(
            [
                Span(mark, "" if plain else tone),
                *(Span(text, label) for text in (word.deprel, *word.labels)),
            ]
        )
    return rows


def _columns(rows: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """Return what stands beside each word, padded so that columns are below each other."""
    widths = [max(_length([cell]) for cell in column) for column in zip(*rows, strict=True)]
    return [
        [
            span
            for cell, width in zip(row, widths, strict=True)
            for span in (cell, Span(" " * (width - _length([cell]) + 2)))
        ]
        for row in rows
    ]


def _length(spans: Sequence[Span]) -> int:
    return cell_len(visible(plain_text(spans)))


@dataclass(frozen=True)
class Row:
    """The lines before a word."""

    token_no: int
    cells: str
    """Box-drawing characters up to the word."""
    marked: tuple[bool, ...]
    """For each of them, whether it belongs to an edge that is to be marked."""


def draw_tree(
    heads: Mapping[int, int | None], *, marked: Collection[int] = (), step: int = STEP
) -> list[Row]:
    """Return the drawing of a tree, a row per word, by token number.

    ``heads`` gives each word's head, None for a root. Every head has a vertical line from its
    first to its last dependent; where edges cross, lines cross as ``┼``, and a word stands right of
    every line that passes its row. ``marked`` are the
    dependents of the edges to mark; ``step`` is the width of a level, at least 2.
    """
    drawing = _Drawing(heads, marked, step)
    return [drawing.row(token_no) for token_no in sorted(heads)]


class _Drawing:
    def __init__(self, heads: Mapping[int, int | None], marked: Collection[int], step: int) -> None:
        self._heads = heads
        self._marked = marked
        self._step = step
        self._row_of = {token_no: row for row, token_no in enumerate(sorted(heads))}
        self._rows_below: dict[int, list[int]] = {}
        for token_no, head in heads.items():
            if head is not None:
                self._rows_below.setdefault(head, []).append(self._row_of[token_no])
        self._lanes = self._placed()

    def _span(self, token_no: int) -> range:
        """Return the rows that the vertical line of a head reaches."""
        rows = [self._row_of[token_no], *self._rows_below.get(token_no, [])]
        return range(min(rows), max(rows) + 1)

    def _placed(self) -> dict[int, int]:
        """Return the lane of every word: right of its head's, free over the rows it spans."""
        lanes: dict[int, int] = {}
        taken: dict[int, list[range]] = {}
        level = [token_no for token_no, head in sorted(self._heads.items()) if head is None]
        while level:
            for token_no in level:
                head = self._heads[token_no]
                lane = 1 if head is None else lanes[head] + 1
                if token_no in self._rows_below:
                    span = self._span(token_no)
                    while any(a[0] <= span[-1] and span[0] <= a[-1] for a in taken.get(lane, [])):
                        lane += 1
                    taken.setdefault(lane, []).append(span)
                lanes[token_no] = lane
            above = set(level)
            level = [t for t, head in sorted(self._heads.items()) if head in above]
        return lanes

    def row(self, token_no: int) -> Row:
        """Return the row of a word."""
        row = self._row_of[token_no]
        head = self._heads[token_no]
        lane = self._lanes[token_no]
        passing = [token for token in self._rows_below if row in self._span(token)]
        leaf = token_no not in self._rows_below
        start = 0 if head is None else self._lanes[head] * self._step
        end = lane * self._step - (1 if leaf else 0)
        width = max([end, *(self._lanes[token] * self._step for token in passing)]) + 1
        cells = [" "] * width
        marks = [False] * width
        for column in range(start, end + 1):
            cells[column] = "─"
            marks[column] = token_no in self._marked
        for token in passing:
            column = self._lanes[token] * self._step
            cells[column] = self._vertical(token, row, crossed=cells[column] == "─")
            marks[column] = self._is_marked(token, row)
        return Row(token_no, "".join(cells), tuple(marks))

    def _vertical(self, token_no: int, row: int, *, crossed: bool) -> str:
        """Return the character of a head's vertical line in a row."""
        span = self._span(token_no)
        first, last = span[0], span[-1]
        if row == self._row_of[token_no]:
            return {(True, False): "╮", (False, True): "╯"}.get((row == first, row == last), "┤")
        if row in self._rows_below[token_no]:
            return {(True, False): "╭", (False, True): "╰"}.get((row == first, row == last), "├")
        return "┼" if crossed else "│"

    def _is_marked(self, token_no: int, row: int) -> bool:
        """Return whether a marked edge of this head runs through the row."""
        own = self._row_of[token_no]
        return any(
            min(own, self._row_of[dependent]) <= row <= max(own, self._row_of[dependent])
            for dependent in self._marked
            if self._heads.get(dependent) == token_no
        )


def folded(
    heads: Mapping[int, int | None], needed: Collection[int]
) -> tuple[dict[int, int | None], dict[int, int]]:
    """Return the tree around some words, and how many words are left out below each that stays.

    What stays are ``needed``, all above them, and the dependents of either.
    """
    spine: set[int] = set()
    for token_no in needed:
        above: int | None = token_no
        while above is not None and above not in spine:
            spine.add(above)
            above = heads[above]
    shown = {t: head for t, head in heads.items() if head is None or head in spine}
    hidden = dict.fromkeys(shown, 0)
    for token_no in heads:
        above = token_no
        while above not in shown:
            above = heads[above]  # type: ignore[index]
        hidden[above] += above != token_no
    return shown, hidden
