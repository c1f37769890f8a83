"""Drawings in SVG: a dependency that breaks a rule, and tables with what refers to what."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from ..excerpt import LEFT_OUT, excerpt, has_no_width, text_width
from ..trees import Dependency

ROOM = 840.0
"""Width of a drawing, in pixels; longer sentences are cut."""
_GAP, _PAD = 10.0, 12.0
SMALL, VALUE = 11.5, 13.0
"""Sizes of letters: of parts of speech, relations and values."""
_BOLD = 1.08
"""How much wider bold letters are."""
_LONGEST_WORD = 40
_JOINER = "\u200d"


@dataclass(frozen=True)
class _Word:
    text: str
    upos: str
    clash: str
    width: float


def dependency_figure(dependency: Dependency) -> str:
    """Return a dependency as an HTML figure: the drawing, where it is from and the reference.

    All text is escaped. Needs the style of the pages.
    """
    figure = ElementTree.Element("figure", {"class": "arc"})
    figure.append(_drawing(dependency))
    caption = ElementTree.SubElement(figure, "figcaption")
    caption.text = f"sentence {dependency.place}"
    caption.text += f" · {dependency.origin}" if dependency.origin else ""
    if dependency.reference:
        caption.text += " · reference: "
        ElementTree.SubElement(caption, "bdi").text = dependency.reference
    return ElementTree.tostring(figure, encoding="unicode")


def _drawing(dependency: Dependency) -> ElementTree.Element:
    ends = dependency.ends
    marks = dict(zip(ends, zip(dependency.upos, dependency.values, strict=True), strict=True))
    words = [_word(form, *marks.get(n, ("", ""))) for n, form in enumerate(dependency.forms)]
    pieces = excerpt([w.width for w in words], ends, ROOM, gap=_GAP, ellipsis=text_width(LEFT_OUT))
    centres: list[float] = []
    right = _PAD
    for piece in pieces:
        width = text_width(LEFT_OUT) if piece is None else words[piece].width
        centres.append(right + width / 2)
        right += width + _GAP
    total = right - _GAP + _PAD
    if runs_leftwards(dependency.forms):
        centres = [total - centre for centre in centres]
    place = {piece: x for piece, x in zip(pieces, centres, strict=True) if piece is not None}
    height = min(max(0.32 * abs(place[ends[0]] - place[ends[1]]), 34.0), 84.0)
    base = height * 0.75 + 38
    text = " ".join(word.text for word in words)
    svg = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {total:.0f} {base + 54:.0f}",
            "style": f"--width: {total:.0f}px",
            "role": "img",
            "aria-label": f"{dependency.broken}. {words[ends[0]].text} {words[ends[0]].clash}, "
            f"{words[ends[1]].text} {words[ends[1]].clash}: {text}",
        },
    )
    _arc(svg, dependency.deprel, place[ends[0]], place[ends[1]], base - 20, height)
    for piece, x in zip(pieces, centres, strict=True):
        if piece is None:
            draw_text(svg, LEFT_OUT, x, base, "left-out")
        else:
            _draw_word(svg, words[piece], x, base, marked=piece in ends)
    return svg


def _word(form: str, upos: str, wrong: str) -> _Word:
    text = shortened(form)
    width = text_width(text) * (_BOLD if upos else 1)
    return _Word(text, upos, wrong, max(width, text_width(upos, SMALL), _badge(wrong)))


def shortened(form: str) -> str:
    """Return a word, without its end where it is very long."""
    if len(form) <= _LONGEST_WORD:
        return form
    end = _LONGEST_WORD - 1
    while end and (has_no_width(form[end]) or form[end - 1] == _JOINER):
        end -= 1  # Marks stay on their letter, and what is joined stays so.
    return form[:end] + LEFT_OUT


def _badge(text: str) -> float:
    return text_width(text, VALUE) * _BOLD + 14 if text else 0.0


def runs_leftwards(forms: Sequence[str]) -> bool:
    """Return whether most words are of a script that runs from right to left."""
    leftwards = [unicodedata.bidirectional(form[:1] or " ") in ("R", "AL") for form in forms]
    return 2 * sum(leftwards) > len(leftwards)


def _arc(
    svg: ElementTree.Element, label: str, dependent: float, head: float, base: float, height: float
) -> None:
    top = base - height
    path = f"M{head:.1f},{base:.1f} C{head:.1f},{top:.1f} {dependent:.1f},{top:.1f} "
    path += f"{dependent:.1f},{base - 6:.1f}"
    ElementTree.SubElement(svg, "path", {"class": "line", "d": path})
    tip = f"M{dependent:.1f},{base + 1:.1f} l-4.5,-9 h9 z"
    ElementTree.SubElement(svg, "path", {"class": "tip", "d": tip})
    draw_text(svg, label, (dependent + head) / 2, base - height * 0.75 - 5, "label")


def _draw_word(
    svg: ElementTree.Element, word: _Word, x: float, base: float, *, marked: bool
) -> None:
    draw_text(svg, word.text, x, base, "word end" if marked else "word")
    if word.upos:
        draw_text(svg, word.upos, x, base + 17, "upos")
    if word.clash:
        width = _badge(word.clash)
        place = {"x": f"{x - width / 2:.1f}", "y": f"{base + 25:.1f}", "rx": "5"}
        size = {"width": f"{width:.1f}", "height": "21"}
        ElementTree.SubElement(svg, "rect", {"class": "clash", **place, **size})
        draw_text(svg, word.clash, x, base + 40, "value")


def draw_text(svg: ElementTree.Element, text: str, x: float, y: float, kind: str) -> None:
    """Add a text whose middle is at ``x``."""
    place = {"class": kind, "x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": "middle"}
    ElementTree.SubElement(svg, "text", place).text = text


_INSIDE, _BETWEEN, _ACROSS, _LINE = 10.0, 14.0, 74.0, 16.0
_HEAD = 26.0


@dataclass(frozen=True)
class TableBox:
    """A table, the columns of its key, and the tables that its columns refer to."""

    name: str
    keys: Sequence[str]
    refers: Mapping[str, str]
    """The tables it refers to, by column."""
    address: str

    @property
    def width(self) -> float:
        """How wide the box is."""
        texts = [text_width(self.name, VALUE) * 1.2, *(text_width(k, SMALL) for k in self.keys)]
        return max(texts) + 2 * _INSIDE

    @property
    def height(self) -> float:
        """How high the box is."""
        return _HEAD + _LINE * len(self.keys) + 4


def table_diagram(boxes: Sequence[TableBox]) -> str:
    """Return the tables in columns, each right of those it refers to, and lines between them.

    Tables that are not among the boxes have no line. All text is escaped. Needs the style of the
    pages.
    """
    depths = _depths(boxes)
    places: dict[str, tuple[float, float]] = {}
    x = height = _BETWEEN
    for depth in sorted(set(depths.values())):
        stack = [box for box in boxes if depths[box.name] == depth]
        y = _BETWEEN
        for box in stack:
            places[box.name] = (x, y)
            y += box.height + _BETWEEN
        x += max(box.width for box in stack) + _ACROSS
        height = max(height, y)
    width = x - _ACROSS + _BETWEEN
    by_name = {box.name: box for box in boxes}
    edges = [
        (box, column, by_name[target])
        for box in boxes
        for column, target in box.refers.items()
        if target in by_name
    ]
    text = "; ".join(f"{box.name}.{column} refers to {to.name}" for box, column, to in edges)
    svg = ElementTree.Element(
        "svg",
        {
            "class": "tables",
            "viewBox": f"0 0 {width:.0f} {height:.0f}",
            "width": f"{width:.0f}",
            "height": f"{height:.0f}",
            "role": "group",
            "aria-label": text or ", ".join(by_name),
        },
    )
    for box, column, target in edges:
        _draw_line(svg, box, places[box.name], target, places[target.name], column)
    for box in boxes:
        _draw_box(svg, box, *places[box.name])
    return ElementTree.tostring(svg, encoding="unicode")


def _depths(boxes: Sequence[TableBox]) -> dict[str, int]:
    """Return how far each table is from those that refer to no other one."""
    depths = {box.name: 0 for box in boxes}
    for _ in boxes:  # a chain is at most as long
        for box in boxes:
            above = [depths[t] for t in box.refers.values() if t in depths and t != box.name]
            depths[box.name] = min(max((d + 1 for d in above), default=0), len(boxes))
    return depths


def _draw_line(
    svg: ElementTree.Element,
    box: TableBox,
    start: tuple[float, float],
    target: TableBox,
    end: tuple[float, float],
    column: str,
) -> None:
    left, middle = start[0], start[1] + _HEAD / 2
    right, goal = end[0] + target.width, end[1] + _HEAD / 2
    if box.name == target.name:
        path = f"M{right:.1f},{middle:.1f} q22,0 22,16 t-22,16"
    else:
        bend = (left - right) / 2
        path = f"M{right:.1f},{goal:.1f} C{right + bend:.1f},{goal:.1f} "
        path += f"{left - bend:.1f},{middle:.1f} {left:.1f},{middle:.1f}"
    line = ElementTree.SubElement(svg, "path", {"d": path})
    ElementTree.SubElement(line, "title").text = f"{box.name}.{column} refers to {target.name}"


def _draw_box(svg: ElementTree.Element, box: TableBox, x: float, y: float) -> None:
    leads = ElementTree.SubElement(svg, "a", {"href": box.address})
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "rx": "6"}
    size = {"width": f"{box.width:.1f}", "height": f"{box.height:.1f}"}
    ElementTree.SubElement(leads, "rect", {**place, **size})
    for n, (text, kind) in enumerate([(box.name, "name"), *((key, "key") for key in box.keys)]):
        where = {"x": f"{x + _INSIDE:.1f}", "y": f"{y + 18 + _LINE * n:.1f}", "class": kind}
        ElementTree.SubElement(leads, "text", where).text = text
