"""Scores over model runs and over years, drawn as SVG whose points lead to the runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal
from xml.etree import ElementTree

from ....queries.numbers import number
from ....schema.brief import plural

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_FEWEST = 4
"""Steps that an axis has, about."""


def round_numbers(values: Iterable[float]) -> tuple[list[float], int]:
    """Return numbers at one distance that hold all values, and the digits that tell them apart."""
    known = [*values]
    low, high = min(known, default=0.0), max(known, default=1.0)
    rough = ((high - low) or abs(high) or 1.0) / _FEWEST
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * each for each in _STEPS if size * each >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    first -= first == last > 0  # room below one number: a share has none above 1
    last += first == last
    digits = max(0, -math.floor(math.log10(step)) + (step / size == _STEPS[2]))
    return [n * step for n in range(first, last + 1)], digits


class Scale:
    """A vertical axis in round numbers that holds some values, from the top of a plot downwards."""

    def __init__(self, values: Iterable[float], top: float, bottom: float) -> None:
        """Choose the numbers; ``top`` and ``bottom`` are pixels."""
        self.ticks, self._digits = round_numbers(values)
        self._top, self._bottom = top, bottom

    def down(self, value: float) -> float:
        """Return where a value is from the top."""
        low, high = self.ticks[0], self.ticks[-1]
        return self._top + (high - value) / (high - low) * (self._bottom - self._top)

    def draw(self, svg: ElementTree.Element, left: float, right: float) -> None:
        """Draw a line with its number for each tick."""
        for tick in self.ticks:
            y = self.down(tick)
            line(svg, "grid", (left, y), (right, y))
            text(svg, number(tick, self._digits), left - 6, y + 4, "end")


def line(
    parent: ElementTree.Element, name: str, start: tuple[float, float], end: tuple[float, float]
) -> ElementTree.Element:
    """Add a line of a class from one place to another."""
    ends = zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True)
    places = {key: f"{value:.1f}" for key, value in ends}
    return ElementTree.SubElement(parent, "line", {"class": name, **places})


def text(
    parent: ElementTree.Element, content: str, x: float, y: float, anchor: str, name: str = ""
) -> ElementTree.Element:
    """Add a text at a place, of a class where one is named."""
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
    element = ElementTree.SubElement(parent, "text", {**place, **({"class": name} if name else {})})
    element.text = content
    return element


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


YEARS_WIDTH, YEARS_HEIGHT = 440.0, 250.0
_YEARS_LEFT, _YEARS_RIGHT, _YEARS_TOP, _YEARS_BOTTOM = 52.0, 110.0, 30.0, 34.0
_APART = 14.0
"""Pixels between the names of two lines."""
FAMILY = "family "
"""What the names of lines of families begin with."""
_FAMILIES = 4
"""Colours for them."""


@dataclass(frozen=True)
class YearPoint:
    """A year's score of what a line follows."""

    year: int
    score: float
    told: str
    address: str = ""
    interval: tuple[float, float] | None = None
    comparable: bool = True
    """Whether it may be held against the year before."""


def year_chart(
    measure: str, title: str, lines: Mapping[str, Sequence[YearPoint]], systems: Sequence[YearPoint]
) -> str:
    """Return a line by name over the years, solid where years compare, and points of all systems.

    Lines are the best, the median, the human reference and those of families; the later covers the
    earlier, and each ends with its name. All text is escaped. Needs the style of the pages.
    """
    points = [*systems, *(point for some in lines.values() for point in some)]
    ends = [end for point in points for end in point.interval or ()]
    scale = Scale(
        [*(point.score for point in points), *ends], _YEARS_TOP, YEARS_HEIGHT - _YEARS_BOTTOM
    )
    years = sorted({point.year for point in points})
    step = (YEARS_WIDTH - _YEARS_LEFT - _YEARS_RIGHT) / max(len(years), 1)
    across = {year: _YEARS_LEFT + step * (n + 0.5) for n, year in enumerate(years)}
    said = f"{measure} of {title} over {len(years)} years: {', '.join(lines)}"
    svg = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {YEARS_WIDTH:.0f} {YEARS_HEIGHT:.0f}",
            "role": "img",
            "class": "runs years",
            "aria-label": said,
        },
    )
    text(svg, title, _YEARS_LEFT - 6, 14, "start", "name")
    scale.draw(svg, _YEARS_LEFT, YEARS_WIDTH - _YEARS_RIGHT)
    for year, x in across.items():
        text(svg, str(year), x, YEARS_HEIGHT - 12, "middle")
    for point in systems:
        _mark(svg, "system", point, across[point.year], scale.down(point.score), 3.5)
    classes = _classes([*lines])
    for name, some in lines.items():
        group = ElementTree.SubElement(svg, "g", {"class": f"line {classes[name]}"})
        places = [(across[point.year], scale.down(point.score)) for point in some]
        for (start, end), point in zip(pairwise(places), some[1:], strict=True):
            line(group, "solid" if point.comparable else "dashed", start, end)
        for point, (x, y) in zip(some, places, strict=True):
            if point.interval:
                low, high = (scale.down(end) for end in point.interval)
                line(group, "range", (x, low), (x, high))
            _mark(group, "point", point, x, y, 4.5)
    _name(svg, {name: scale.down(some[-1].score) for name, some in lines.items()}, classes)
    return ElementTree.tostring(svg, encoding="unicode")


def _mark(
    parent: ElementTree.Element, name: str, point: YearPoint, x: float, y: float, radius: float
) -> None:
    told = f"{point.told}, {point.year}: {number(point.score, 4)}"
    if point.interval:
        told += f", interval {' to '.join(number(end, 4) for end in point.interval)}"
    if point.address:
        parent = ElementTree.SubElement(parent, "a", {"href": point.address, "aria-label": told})
    place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{radius}", "class": name}
    circle = ElementTree.SubElement(parent, "circle", place)
    ElementTree.SubElement(circle, "title").text = told


def _classes(names: Sequence[str]) -> dict[str, str]:
    """Return the class of each line: its name, of families their colour."""
    families = [name for name in names if name.startswith(FAMILY)]
    of_families = {name: f"family family-{n % _FAMILIES}" for n, name in enumerate(families)}
    return {name: of_families.get(name, name) for name in names}


def _name(svg: ElementTree.Element, ends: Mapping[str, float], classes: Mapping[str, str]) -> None:
    """Write the names of lines beside their ends, each below the one above it."""
    lowest, places = _YEARS_TOP - _APART, {name: n for n, name in enumerate(ends)}
    for name in sorted(ends, key=lambda each: (ends[each], -places[each])):
        lowest = max(ends[name], lowest + _APART)
        told = name.removeprefix(FAMILY)
        text(
            svg, told, YEARS_WIDTH - _YEARS_RIGHT + 8, lowest + 4, "start", f"name {classes[name]}"
        )
