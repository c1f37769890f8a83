"""A reference's dependency tree, drawn: words in a row, and arcs above them in levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from ..excerpt import text_width
from ..languages import isolated
from ..trees import DependencyTree, Outcome, TreeWord
from .arcs import SMALL, VALUE, draw_text, runs_leftwards, shortened

_LEVEL, _LEAST_LEVEL = 26.0, 17.0
_HEIGHT = 340.0
"""Of all levels of arcs: more of them are lower, as far as labels allow …"""
_DENSE_LEVELS = int(_HEIGHT / _LEAST_LEVEL)
"""… and beyond so many, relations stand below their words instead."""
_LEAST_DENSE_LEVEL = 4.0
_FOOT = 12.0
"""Between the lowest arcs and their level's height: room for tips."""
_MOST_WORDS = 400
"""Words of a tree that is drawn: time and size of a drawing grow with their square."""
_NAMED = 12
"""Edges of one outcome that the description for readers who cannot see names one by one."""
_MEANING: dict[Outcome, str] = {
    "": "",
    "found": "found",
    "missed": "missed",
    "misplaced": "misplaced: the output has both words, elsewhere",
    "won": "won: the other output lacks it",
    "lost": "lost: the other output has it",
}
_DRAWN: dict[Outcome, str] = {
    "won": "bold",
    "lost": "bold, dashed",
    "missed": "dashed",
    "misplaced": "dotted",
}


def tree_figure(tree: DependencyTree) -> str:
    """Return a tree as an HTML figure: the drawing, which scrolls where it is wide, and a caption.

    Of a very long tree there is the caption alone.

    Arcs lead from heads to dependents; those that cross are the edges that cross in the tree. Words
    whose head is not among them have no arc. All text is escaped. Needs the style of the pages.
    """
    compared = any(word.outcome in ("won", "lost") for word in tree.words)
    figure = ElementTree.Element("figure", {"class": "arcs compared" if compared else "arcs"})
    leftwards = runs_leftwards([word.form for word in tree.words])
    direction = {"dir": "rtl"} if leftwards else {}
    counts = _counts(tree.words)
    if len(tree.words) > _MOST_WORDS:
        counts = f"{len(tree.words):,} words are too many for a drawing" + (
            counts and f" · {counts}"
        )
    else:
        attributes = {"class": "scroll", "tabindex": "0"} | direction
        scroll = ElementTree.SubElement(figure, "div", attributes)
        scroll.append(_drawing(tree.words, leftwards=leftwards))
    if counts:
        ElementTree.SubElement(figure, "figcaption").text = counts
    return ElementTree.tostring(figure, encoding="unicode")


def _drawing(words: Sequence[TreeWord], *, leftwards: bool) -> ElementTree.Element:
    arcs = arcs_of(words)
    layout = placed(words, arcs)
    deepest = max(layout.levels, default=0)
    dense = deepest > _DENSE_LEVELS
    least = _LEAST_DENSE_LEVEL if dense else _LEAST_LEVEL
    level = min(_LEVEL, max(least, _HEIGHT / max(deepest, 1)))
    base = (SMALL + 8 if layout.roots else 4) + deepest * level + _FOOT
    rows = max((len(word.labels) for word in words), default=0) + dense

    def place(x: float) -> float:
        return layout.width - x if leftwards else x

    width, height = f"{layout.width:.0f}", f"{base + 26 + 16 * rows:.0f}"
    svg = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {width} {height}",
            "width": width,
            "height": height,
            "role": "img",
            "aria-label": _in_words(words, arcs),
        },
    )
    for n, x in layout.roots.items():
        _draw_root(svg, words[n], place(x), base)
    for arc, feet, x, number in zip(arcs, layout.feet, layout.labels, layout.levels, strict=True):
        word = words[arc.dependent]
        names = ["edge", word.outcome, "marked" if word.marked else ""]
        group = ElementTree.SubElement(svg, "g", {"class": " ".join(filter(None, names))})
        ElementTree.SubElement(group, "title").text = _tooltip(word, words[arc.head])
        ends = sorted(map(place, feet))
        top = base - _FOOT - number * level + level / 2
        gap = 0.0 if dense else label_width(word.deprel) - 2 * BESIDE_LABEL
        to_left = (arc.dependent < arc.head) != leftwards
        _draw_arc(group, ends, (top, base), (place(x), gap), to_left=to_left)
        if not dense:
            draw_text(group, word.deprel, place(x), top + 0.35 * VALUE, "label")
    for word, x in zip(words, layout.centres, strict=True):
        _draw_word(svg, word, place(x), base + 20, dense=dense)
    return svg


def _draw_arc(
    group: ElementTree.Element,
    ends: Sequence[float],
    heights: tuple[float, float],
    label: tuple[float, float],
    *,
    to_left: bool,
) -> None:
    """Draw an arc with a gap for its label, given as its middle and width, and the tip."""
    (left, right), (top, base), (middle, gap) = ends, heights, label
    bottoms = (base - 6, base) if to_left else (base, base - 6)
    path = f"M{left:.1f},{bottoms[0]:.1f} V{top + CORNER:.1f} "
    path += f"q0,-{CORNER:g} {CORNER:g},-{CORNER:g} "
    if gap:
        path += f"H{middle - gap / 2:.1f} M{middle + gap / 2:.1f},{top:.1f} "
    path += f"H{right - CORNER:.1f} q{CORNER:g},0 {CORNER:g},{CORNER:g} V{bottoms[1]:.1f}"
    ElementTree.SubElement(group, "path", {"class": "line", "d": path})
    _draw_tip(group, left if to_left else right, base)


def _draw_root(svg: ElementTree.Element, word: TreeWord, x: float, base: float) -> None:
    group = ElementTree.SubElement(svg, "g", {"class": "edge root"})
    ElementTree.SubElement(group, "title").text = f"{isolated(word.form)}: root of the tree"
    path = f"M{x:.1f},{SMALL + 5:.1f} V{base - 6:.1f}"
    ElementTree.SubElement(group, "path", {"class": "line", "d": path})
    _draw_tip(group, x, base)
    draw_text(group, word.deprel or "root", x, SMALL, "label")


def _draw_tip(group: ElementTree.Element, x: float, base: float) -> None:
    tip = f"M{x:.1f},{base + 1:.1f} l-4,-8 h8 z"
    ElementTree.SubElement(group, "path", {"class": "tip", "d": tip})


def _draw_word(
    svg: ElementTree.Element, word: TreeWord, x: float, y: float, *, dense: bool
) -> None:
    if word.matched:
        width = text_width(shown_form(word)) + 8
        place = {"x": f"{x - width / 2:.1f}", "y": f"{y - 17:.1f}", "rx": "4"}
        size = {"width": f"{width:.1f}", "height": "23"}
        ElementTree.SubElement(svg, "rect", {"class": "matched", **place, **size})
    form, hidden = shortened(word.form), f"+{word.hidden}" if word.hidden else ""
    aside = text_width(f" {hidden}") / 2 if hidden else 0.0
    draw_text(svg, form, x - aside, y, "word")
    if hidden:
        draw_text(svg, hidden, x + (text_width(form) + 4) / 2, y, "left-out")
    for row, label in enumerate(word.labels, 1):
        draw_text(svg, label, x, y + 4 + 14 * row, "upos")
    if dense and word.head is not None:
        y += 4 + 14 * (len(word.labels) + 1)
        draw_text(svg, word.deprel, x, y, f"relation {word.outcome}".strip())


def _tooltip(word: TreeWord, head: TreeWord) -> str:
    outcome = _MEANING[word.outcome]
    return f"{word.deprel}: {isolated(head.form)} → {isolated(word.form)}" + (
        f", {outcome}" if outcome else ""
    )


def _counts(words: Sequence[TreeWord]) -> str:
    """Return how many edges became what; nothing where that is not known."""
    counts: Counter[Outcome] = Counter(word.outcome for word in words if word.outcome)
    if not counts:
        return ""
    texts = [f"{counts['found'] + counts['won']} of {counts.total()} edges found"]
    texts += [f"{counts[name]} {name} ({drawn})" for name, drawn in _DRAWN.items() if counts[name]]
    return " · ".join(texts)


def _in_words(words: Sequence[TreeWord], arcs: Sequence[Arc]) -> str:
    """Return what the drawing shows, for who cannot see it."""
    heads = {arc.dependent: arc.head for arc in arcs}
    texts = [_counts(words).partition(" · ")[0] or "Dependency tree"]
    for outcome in _DRAWN:
        edges = [
            f"{word.deprel}({words[heads[n]].form}, {word.form})"
            for n, word in enumerate(words)
            if word.outcome == outcome and n in heads
        ]
        if edges:
            more = [f"and {len(edges) - _NAMED} more"] if len(edges) > _NAMED else []
            texts.append(f"{outcome}: {', '.join([*edges[:_NAMED], *more])}")
    return f"{'; '.join(texts)}: {' '.join(word.form for word in words)}"


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
        [_label_place(*place) for place in zip(arcs, stands, labels, strict=True)],
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
    return [[arc for *_, arc in sorted(feet, key=lambda foot: foot[:2])] for feet in standing]


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
    return max(text_width(shown_form(word)), *(text_width(text, SMALL) for text in below))


def shown_form(word: TreeWord) -> str:
    """Return a word as it is shown, with how many are left out below it."""
    return shortened(word.form) + (f" +{word.hidden}" if word.hidden else "")
