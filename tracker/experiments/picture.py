"""The pictures of a run: drawn here, since a chart's libraries take longer than all else of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ...queries.numbers import number
from ...schema.errors import visible_lines
from ..show.excerpt import text_width

if TYPE_CHECKING:
    import pyarrow as pa

PICTURE = "charts/summary.svg"
"""The small picture in a run's description."""
_BLUE, _RED, _GREEN, _TEXT = "#4c78a8", "#c8393b", "#2e7d32", "#333"
_LINE, _BAR, _WIDTH = 18, 14, 480
"""Height of a line and of its bar, width of the bar of all edges, in pixels."""
_HEAD, _ROOM = 56, 110
"""Room above the bars, and for the figures beside them."""
_SPARK_WIDTH, _SPARK_HEIGHT, _SPARK_ROOM, _MARGIN = 360, 34, 150, 6
LEAST = 4
"""Relations of a small picture."""


def history_picture(measure: str, points: Sequence[tuple[int, float]]) -> str:
    """Return a measure over iterations as a small SVG: a line, the best and the latest value.

    ``points`` are iterations with their values, at least one, by iteration.
    """
    values = [value for _, value in points]
    low, high = min(values), max(values)
    width, height = _SPARK_WIDTH + _SPARK_ROOM, _SPARK_HEIGHT
    svg = _canvas(width, height)

    def place(index: int) -> tuple[float, float]:
        share = (values[index] - low) / (high - low) if high > low else 0.5
        step = (_SPARK_WIDTH - 2 * _MARGIN) / max(len(points) - 1, 1)
        return _MARGIN + step * index, height - _MARGIN - share * (height - 2 * _MARGIN)

    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, range(len(points))))
    drawn = {"points": line, "fill": "none", "stroke": _BLUE, "stroke-width": "2"}
    ElementTree.SubElement(svg, "polyline", drawn)
    best = values.index(high)
    for index, colour, name, y in ((best, _GREEN, "best", 14), (-1, _RED, "latest", 29)):
        x, at = place(index % len(points))
        mark = {"cx": f"{x:.1f}", "cy": f"{at:.1f}", "r": "4", "fill": colour}
        ElementTree.SubElement(svg, "circle", mark)
        told = f"{name} {measure} {number(values[index])} @{points[index][0]}"
        _text(svg, _SPARK_WIDTH + 4, y, told, {"fill": colour})
    return ElementTree.tostring(svg, encoding="unicode")


def _canvas(width: int, height: int) -> ElementTree.Element:
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "font-family": "sans-serif",
            "font-size": "11",
            "fill": _TEXT,
        },
    )
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    return svg


def relations_picture(relations: pa.Table, title: str, shown: int | None = None) -> str:
    """Return bars of dependency edge accuracy by relation as SVG, lowest first.

    ``relations`` holds a submission's rows of the view dea_by_relation, at least one. Beside each
    bar stand its accuracy and, in brackets, how many reference edges it rests on; the dashed line
    is the accuracy over all edges. ``shown`` is how many relations there are at most.
    """
    rows = sorted(
        zip(*(relations[name].to_pylist() for name in ("dea", "deprel", "edges")), strict=True)
    )
    overall = sum(dea * edges for dea, _, edges in rows) / sum(edges for *_, edges in rows)
    rows = rows[:shown]
    left = round(max(text_width(deprel, 11) for _, deprel, _ in rows)) + 12
    bottom = _HEAD + _LINE * len(rows)
    width = max(left + _WIDTH + _ROOM, round(text_width(title, 13)) + 20)
    svg = _canvas(width, bottom + 12)
    _text(svg, 10, 18, title, {"font-size": "13", "font-weight": "bold"})
    told = f"accuracy (reference edges) by relation; dashed: all edges, {overall:.2f}"
    _text(svg, 10, 36, told)
    for place, (dea, deprel, edges) in enumerate(rows):
        top = _HEAD + _LINE * place
        size = {"width": f"{_WIDTH * dea:.1f}", "height": str(_BAR), "fill": _BLUE}
        ElementTree.SubElement(svg, "rect", {"x": str(left), "y": str(top), **size})
        base = top + _BAR - 3
        _text(svg, left - 6, base, deprel, {"text-anchor": "end"})
        _text(svg, left + _WIDTH + 8, base, f"{dea:.2f} ({edges:,})")
    at = f"{left + _WIDTH * overall:.1f}"
    ends = {"x1": at, "x2": at, "y1": str(_HEAD - 4), "y2": str(bottom)}
    ElementTree.SubElement(svg, "line", {**ends, "stroke": _RED, "stroke-dasharray": "4 3"})
    return ElementTree.tostring(svg, encoding="unicode")


def _text(
    svg: ElementTree.Element, x: int, y: int, text: str, how: dict[str, str] | None = None
) -> None:
    place = {"x": str(x), "y": str(y)}
    ElementTree.SubElement(svg, "text", {**place, **(how or {})}).text = visible_lines(text)
