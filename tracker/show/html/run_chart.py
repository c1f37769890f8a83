"""Values over model runs, drawn as an SVG whose points lead to the runs' pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.html.axes import Scale, text
from sr_tracker.tracker.show.numbers import number

WIDTH, HEIGHT = 880.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 16.0, 30.0, 34.0
_LABELS = 16
"""Runs that are named on the axis, at most."""
_REACH = 16.0
"""How far from a point one may press: a finger is wider than a point."""

Outcome = Literal["", "better", "worse", "chance"]
"""What a test says of a run's change: more than chance or not; nothing where there is none."""
_SAID = {
    "better": ", better than before by more than chance",
    "worse": ", worse than before by more than chance",
    "chance": ", no more than chance",
}


@dataclass(frozen=True)
class RunPoint:
    """A run and its value."""

    name: str
    value: float | None
    address: str
    outcome: Outcome = ""


def run_chart(measure: str, points: Sequence[RunPoint]) -> str:
    """Return a line of values with a point for each run; gaps where a value is undefined.

    All text is escaped. Needs the style of the pages.
    """
    known = [point.value for point in points if point.value is not None]
    scale = Scale(known, _TOP, HEIGHT - _BOTTOM)
    size = {"viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}", "role": "img"}
    said = f"{measure} of {plural(len(points), 'run')}, from {number(min(known, default=None))} "
    said += f"to {number(max(known, default=None))}"
    svg = ElementTree.Element("svg", {**size, "class": "runs", "aria-label": said})
    text(svg, measure, 6, 14, "start", "name")
    scale.draw(svg, _LEFT, WIDTH - _RIGHT)
    step = (WIDTH - _LEFT - _RIGHT) / max(len(points), 1)
    places = [_LEFT + step * (n + 0.5) for n in range(len(points))]
    for stretch in _stretches(points, places, scale):
        ElementTree.SubElement(svg, "polyline", {"points": stretch})
    every = -(-len(points) // _LABELS)
    for n, (point, x) in enumerate(zip(points, places, strict=True)):
        if n % every == 0:
            text(svg, point.name, x, HEIGHT - 12, "middle")
        if point.value is not None:
            _point(svg, point, x, scale.down(point.value), min(_REACH, step / 2))
    return ElementTree.tostring(svg, encoding="unicode")


def _stretches(points: Sequence[RunPoint], places: Sequence[float], scale: Scale) -> list[str]:
    """Return the lines between neighbours that both have a value."""
    found: list[list[str]] = [[]]
    for point, x in zip(points, places, strict=True):
        if point.value is None:
            found.append([])
        else:
            found[-1].append(f"{x:.1f},{scale.down(point.value):.1f}")
    return [" ".join(each) for each in found if len(each) > 1]


def _point(svg: ElementTree.Element, point: RunPoint, x: float, y: float, reach: float) -> None:
    told = f"{point.name}: {number(point.value, 4)}{_SAID.get(point.outcome, '')}"
    leads = ElementTree.SubElement(svg, "a", {"href": point.address, "aria-label": told})
    ElementTree.SubElement(leads, "title").text = told
    size = dict.fromkeys(("width", "height"), f"{2 * reach:.1f}")
    around = {"x": f"{x - reach:.1f}", "y": f"{y - reach:.1f}", **size, "class": "reach"}
    ElementTree.SubElement(leads, "rect", around)
    mark = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "5", "class": point.outcome or "plain"}
    ElementTree.SubElement(leads, "circle", mark)
