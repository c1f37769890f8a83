"""Tables and what refers to what, drawn as an SVG whose boxes lead to the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from ..excerpt import text_width
from .arcs import SMALL, VALUE

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
