"""Scores over the years of one test set's line, drawn as an SVG whose points lead to their runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from sr_tracker.tracker.show.html.axes import Scale, line, text
from sr_tracker.tracker.show.numbers import number

WIDTH, HEIGHT = 440.0, 250.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 110.0, 30.0, 34.0
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
    measure: str,
    title: str,
    lines: Mapping[str, Sequence[YearPoint]],
    systems: Sequence[YearPoint],
) -> str:
    """Return a line by name over the years, solid where years compare, and points of all systems.

    Lines are the best, the median, the human reference and those of families; the later covers the
    earlier, and each ends with its name. All text is escaped. Needs the style of the pages.
    """
    points = [*systems, *(point for some in lines.values() for point in some)]
    ends = [end for point in points for end in point.interval or ()]
    scale = Scale([*(point.score for point in points), *ends], _TOP, HEIGHT - _BOTTOM)
    years = sorted({point.year for point in points})
    step = (WIDTH - _LEFT - _RIGHT) / max(len(years), 1)
    across = {year: _LEFT + step * (n + 0.5) for n, year in enumerate(years)}
    said = f"{measure} of {title} over {len(years)} years: {', '.join(lines)}"
    svg = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
            "role": "img",
            "class": "runs years",
            "aria-label": said,
        },
    )
    text(svg, title, _LEFT - 6, 14, "start", "name")
    scale.draw(svg, _LEFT, WIDTH - _RIGHT)
    for year, x in across.items():
        text(svg, str(year), x, HEIGHT - 12, "middle")
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
    lowest, places = _TOP - _APART, {name: n for n, name in enumerate(ends)}
    for name in sorted(ends, key=lambda each: (ends[each], -places[each])):
        lowest = max(ends[name], lowest + _APART)
        told = name.removeprefix(FAMILY)
        text(svg, told, WIDTH - _RIGHT + 8, lowest + 4, "start", f"name {classes[name]}")
