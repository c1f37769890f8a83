"""A dependency as lines of text: an arc over the sentence, and below it what clashes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ....schema.errors import visible
from ..excerpt import LEFT_OUT, excerpt
from ..languages import isolated
from ..trees import Dependency

_LONGEST_WORD = 30
_LINK, _CLASH = "bold yellow", "bold red"


def draw_dependency(dependency: Dependency, width: int, *, plain: bool) -> list[Text]:
    """Return the lines of a dependency: an arc from head to dependent, words, values that clash.

    Long sentences are cut around the two words so that no line is wider than ``width``, if both
    words and values fit at all. ``plain`` marks the words by brackets.
    """
    ends = dependency.ends
    words = [_shortened(visible(form)) for form in dependency.forms]
    if plain:
        words = [f"[{word}]" if n in ends else word for n, word in enumerate(words)]
    widths = [cell_len(word) for word in words]
    values = [visible(value) for value in dependency.values]
    room = width
    while True:
        pieces = excerpt(widths, ends, room, gap=1, ellipsis=1)
        lines = _lines(words, pieces, ends, values, visible(dependency.deprel))
        excess = max(line.cell_len for line in lines) - width
        if excess <= 0 or room <= 0:
            return lines
        room -= excess


def _lines(
    words: Sequence[str],
    pieces: Sequence[int | None],
    ends: tuple[int, int],
    values: Sequence[str],
    label: str,
) -> list[Text]:
    line = Text()
    starts: dict[int, int] = {}
    for piece in pieces:
        line.append(" " if line else "")
        if piece is None:
            line.append(LEFT_OUT, style="dim")
            continue
        starts[piece] = line.cell_len
        line.append(isolated(words[piece]), style=_LINK if piece in ends else "")
    dependent, head = ((starts[end], cell_len(words[end])) for end in ends)
    places = _places(dependent, head, [cell_len(value) for value in values])
    margin = max(0, -min(places))
    below = Text()
    for place, value in sorted(zip(places, values, strict=True)):
        if value:
            below.append(" " * (margin + place - below.cell_len))
            below.append(value, style=_CLASH)
    centres = [margin + start + length // 2 for start, length in (dependent, head)]
    lines = [*_arc(label, *centres), Text.assemble(" " * margin, line)]
    return [*lines, below] if below else lines


def _places(dependent: tuple[int, int], head: tuple[int, int], widths: Sequence[int]) -> list[int]:
    """Return where both values stand: in the middle below their words, or apart where too near.

    Words are a start and a width. A place left of the line is below 0.
    """
    places = [
        start + (length - width) // 2 if width else 0
        for (start, length), width in zip((dependent, head), widths, strict=True)
    ]
    if not all(widths):
        return places
    left, right = (0, 1) if dependent < head else (1, 0)
    if places[left] + widths[left] >= places[right]:
        start, length = min(dependent, head)
        places[left] = start + length - widths[left]
        places[right] = max(dependent, head)[0]
    return places


def _arc(label: str, dependent: int, head: int) -> tuple[Text, Text]:
    """Return an arc with its label, and what leads from it down to both words."""
    left, right = sorted((dependent, head))
    inner = right - left - 1
    blank = inner - cell_len(label) - 2
    arc = Text(" " * left)
    if blank >= 2:
        drawn = f"╭{'─' * (blank // 2)} {label} {'─' * (blank - blank // 2)}╮"
    else:
        drawn = f"╭{'─' * inner}╮ {label}"
    arc.append(drawn, style="yellow")
    legs = Text(" " * left)
    legs.append("▼" if dependent == left else "│", style="yellow")
    legs.append(" " * inner)
    legs.append("▼" if dependent == right else "│", style="yellow")
    return arc, legs


def _shortened(word: str) -> str:
    if cell_len(word) <= _LONGEST_WORD:
        return word
    return set_cell_size(word, _LONGEST_WORD - 1).rstrip() + LEFT_OUT
