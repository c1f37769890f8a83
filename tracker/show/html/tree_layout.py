"""Where words and arcs of a drawn dependency tree are: no label is touched, whatever crosses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..model import TreeWord
from .arcs import SMALL, VALUE, shortened, text_width

_PAD, _GAP = 12.0, 16.0
_SLOT = 9.0
"""Between the feet of two arcs on one word."""
CORNER, BESIDE_LABEL = 6.0, 4.0
_SEEN = 280.0
"""How far a label is from its dependent, at most: of a long arc only a part is on the screen."""


@dataclass(frozen=True)
class Arc:
    """An edge between two places in the sentence, counted from 0."""

    dependent: int
    head: int

    @property
    def left(self) -> int:
        """The place of its left end."""
        return min(self.dependent, self.head)

    @property
    def right(self) -> int:
        """The place of its right end."""
        return max(self.dependent, self.head)


@dataclass(frozen=True)
class Layout:
    """Where everything is, as if the script ran from left to right."""

    centres: Sequence[float]
    width: float
    feet: Sequence[tuple[float, float]]
    """Where each arc stands: left and right."""
    labels: Sequence[float]
    """The middle of each arc's label."""
    levels: Sequence[int]
    roots: dict[int, float]
    """Where the line stands that shows a word to be a root."""


def arcs_of(words: Sequence[TreeWord]) -> list[Arc]:
    """Return the edges between these words."""
    places = {word.token_no: place for place, word in enumerate(words)}
    return [
        Arc(place, places[word.head])
        for place, word in enumerate(words)
        if word.head in places and word.head != word.token_no
    ]


def placed(words: Sequence[TreeWord], arcs: Sequence[Arc]) -> Layout:
    """Return where words, arcs and labels are, apart enough that no label is touched."""
    widths = [_word_width(word) for word in words]
    offsets: list[dict[int | None, float]] = []
    for n, standing in enumerate(_feet(words, arcs)):
        widths[n] = max(widths[n], len(standing) * _SLOT)
        middle = (len(standing) - 1) / 2
        offsets.append({arc: (slot - middle) * _SLOT for slot, arc in enumerate(standing)})
    levels = _levels(arcs)
    labels = [label_width(words[arc.dependent].deprel) for arc in arcs]
    points = [_points(n, arcs, levels, offsets) for n in range(len(arcs))]
    room: list[list[tuple[int, float]]] = [[] for _ in words]
    for along, label in zip(points, labels, strict=True):
        (p, before), (q, after) = max(pairwise(along), key=lambda ends: ends[1][0] - ends[0][0])
        room[q].append((p, before + label + 2 * CORNER - after))
    centres: list[float] = []
    for n, width in enumerate(widths):
        x = centres[-1] + (widths[n - 1] + width) / 2 + _GAP if centres else _PAD + width / 2
        centres.append(max([x, *(centres[p] + apart for p, apart in room[n])]))
    stands = [[centres[n] + offset for n, offset in along] for along in points]
    return Layout(
        centres,
        centres[-1] + widths[-1] / 2 + _PAD if centres else 2 * _PAD,
        [(along[0], along[-1]) for along in stands],
        [_label_place(*each) for each in zip(arcs, stands, labels, strict=True)],
        levels,
        {n: centres[n] + feet[None] for n, feet in enumerate(offsets) if None in feet},
    )


def _points(
    place: int,
    arcs: Sequence[Arc],
    levels: Sequence[int],
    offsets: Sequence[Mapping[int | None, float]],
) -> list[tuple[int, float]]:
    """Return where an arc stands and, between, what crosses it: words, and how far from them."""
    own = arcs[place]
    crossing = [
        (n, offset)
        for n in range(own.left + 1, own.right)
        for arc, offset in offsets[n].items()
        if arc is None or levels[arc] > levels[place]
    ]
    ends = [(n, offsets[n][place]) for n in (own.left, own.right)]
    return sorted([*ends, *crossing])


def _feet(words: Sequence[TreeWord], arcs: Sequence[Arc]) -> list[list[int | None]]:
    """Return which arcs stand on each word, from left to right; None is the line of a root.

    Arcs that lead far stand within those that lead near, so that none crosses another.
    """
    standing: list[list[tuple[int, int, int | None]]] = [[] for _ in words]
    for place, arc in enumerate(arcs):
        length = arc.right - arc.left
        standing[arc.right].append((0, length, place))
        standing[arc.left].append((2, -length, place))
    for place, word in enumerate(words):
        if word.head is None:
            standing[place].append((1, 0, None))
    return [[arc for *_, arc in sorted(each, key=lambda foot: foot[:2])] for each in standing]


def _levels(arcs: Sequence[Arc]) -> list[int]:
    """Return each arc's level from 1: above all shorter ones whose span it shares."""
    levels = [0] * len(arcs)
    below: list[tuple[Arc, int]] = []
    for place in sorted(range(len(arcs)), key=lambda n: arcs[n].right - arcs[n].left):
        arc = arcs[place]
        levels[place] = 1 + max(
            (n for other, n in below if other.left < arc.right and arc.left < other.right),
            default=0,
        )
        below.append((arc, levels[place]))
    return levels


def _label_place(arc: Arc, stands: Sequence[float], width: float) -> float:
    """Return the middle of a label: amid its arc, or beside what crosses the arc there."""
    left, right = stands[0], stands[-1]
    apart = min((right - left) / 2, _SEEN)
    wanted = left + apart if arc.dependent < arc.head else right - apart
    ends = pairwise([left + CORNER, *stands[1:-1], right - CORNER])
    free = [(a + width / 2, b - width / 2) for a, b in ends if b - a > width - 0.1]
    places = [min(max(wanted, a), b) for a, b in free]
    return min(places, key=lambda x: abs(x - wanted))


def label_width(label: str) -> float:
    """Return what a relation takes of its arc, with what is free beside it."""
    return text_width(label, VALUE) + 4 * BESIDE_LABEL


def _word_width(word: TreeWord) -> float:
    below = [*word.labels, word.deprel]  # the relation stands above a root, or in a dense drawing
    return max(text_width(shown_form(word)), *(text_width(each, SMALL) for each in below))


def shown_form(word: TreeWord) -> str:
    """Return a word as it is shown, with how many are left out below it."""
    return shortened(word.form) + (f" +{word.hidden}" if word.hidden else "")
