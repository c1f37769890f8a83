"""The picture of a run: drawn here, since a chart's libraries take longer than all else of it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from sr_tracker.schema.errors import visible_lines

if TYPE_CHECKING:
    import pyarrow as pa

_BLUE, _RED, _TEXT = "#4c78a8", "#e45756", "#333"
_LINE, _BAR, _WIDTH = 18, 14, 480
"""Height of a line and of its bar, width of the bar of all edges, in pixels."""
_LETTER, _HEAD, _ROOM = 7, 56, 110
"""Room for a letter, above the bars, and for the figures beside them."""


def relations_picture(relations: pa.Table, title: str) -> str:
    """Return bars of dependency edge accuracy by relation as SVG, lowest first.

    ``relations`` holds a submission's rows of the view dea_by_relation, at least one. Beside each
    bar stand its accuracy and, in brackets, how many reference edges it rests on; the dashed line
    is the accuracy over all edges.
    """
    rows = sorted(
        zip(*(relations[name].to_pylist() for name in ("dea", "deprel", "edges")), strict=True)
    )
    overall = sum(dea * edges for dea, _, edges in rows) / sum(edges for *_, edges in rows)
    left = _LETTER * max(len(deprel) for _, deprel, _ in rows) + 12
    bottom = _HEAD + _LINE * len(rows)
    width = max(left + _WIDTH + _ROOM, _LETTER * len(title) + 20)
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {bottom + 12}",
            "width": str(width),
            "height": str(bottom + 12),
            "font-family": "sans-serif",
            "font-size": "11",
            "fill": _TEXT,
        },
    )
    ElementTree.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
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
