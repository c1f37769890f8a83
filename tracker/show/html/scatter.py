"""Pairs of scores, drawn as an SVG of points beside a diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from ....queries.numbers import number
from ....schema.brief import plural
from .score_charts import line, round_numbers, text

SIZE = 460.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 14.0, 14.0, 46.0
_SIDES = ("same", "worse", "better")

Range = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """What a scatter shows: one score upwards, the other from left to right, on one scale."""

    measure: str
    name: str
    """Whose score is upwards."""
    other_name: str
    low: float
    high: float
    better: int = 1
    """1 where higher scores are better, else -1."""

    def across(self, value: float) -> float:
        """Return where a value is from the left."""
        return _LEFT + self._share(value) * (SIZE - _LEFT - _RIGHT)

    def down(self, value: float) -> float:
        """Return where a value is from the top."""
        return _TOP + (1 - self._share(value)) * (SIZE - _TOP - _BOTTOM)

    def _share(self, value: float) -> float:
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def axes_of(measure: str, names: tuple[str, str], values: Sequence[float], better: int) -> Axes:
    """Return axes in round numbers that hold all values: from 0 to 1 where all are."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    whole = low >= 0 and high <= 1
    ticks = round_numbers([0.0, 1.0] if whole else [low, high])[0]
    return Axes(measure, *names, ticks[0], ticks[-1], better)


def scatter(
    axes: Axes, points: Sequence[tuple[float, float]], brush: tuple[Range, Range] | None
) -> str:
    """Return points, each a score and the other's, coloured by which is better.

    ``brush`` is the range of either that is chosen. All text is escaped. Needs the style of the
    pages; with their script a brush is drawn by the pointer.
    """
    said = (
        f"{axes.measure} of {plural(len(points), 'sentence')}: {axes.name} upwards, "
        f"{axes.other_name} from left to right; above the line {axes.name} is higher"
    )
    svg = ElementTree.Element(
        "svg",
        {
            "viewBox": f"0 0 {SIZE:.0f} {SIZE:.0f}",
            "role": "img",
            "class": "scatter",
            "aria-label": said,
            "data-scale": f"{axes.low!r} {axes.high!r}",
            "data-frame": f"{_LEFT} {_TOP} {SIZE - _RIGHT} {SIZE - _BOTTOM}",
        },
    )
    ticks, digits = round_numbers([axes.low, axes.high])
    for value in ticks:
        _line(svg, "grid", (axes.low, axes.high), (value, value), axes)
        _line(svg, "grid", (value, value), (axes.low, axes.high), axes)
        text(svg, number(value, digits), axes.across(value), SIZE - _BOTTOM + 18, "middle")
        text(svg, number(value, digits), _LEFT - 7, axes.down(value) + 4, "end")
    _line(svg, "equal", (axes.low, axes.high), (axes.low, axes.high), axes)
    for side, places in _places(axes, points).items():
        path = "".join(f"M{x} {y}h0" for x, y in places)
        ElementTree.SubElement(svg, "path", {"class": side, "d": path})
    middle = (_LEFT + SIZE - _RIGHT) / 2
    text(svg, axes.other_name, middle, SIZE - 8, "middle")
    turned = text(svg, axes.name, 0, 0, "middle")
    turned.set("transform", f"translate(13 {(_TOP + SIZE - _BOTTOM) / 2:.0f}) rotate(-90)")
    ElementTree.SubElement(svg, "rect", {"class": "brush", **_box(axes, brush)})
    return ElementTree.tostring(svg, encoding="unicode")


def _places(
    axes: Axes, points: Sequence[tuple[float, float]]
) -> dict[str, dict[tuple[int, int], None]]:
    """Return the different places of points, in pixels, by the side of the line they are on."""
    found: dict[str, dict[tuple[int, int], None]] = {side: {} for side in _SIDES}
    for score, other in points:
        difference = axes.better * (score - other)
        side = "better" if difference > 0 else "worse" if difference < 0 else "same"
        found[side][round(axes.across(other)), round(axes.down(score))] = None
    return found


def _box(axes: Axes, brush: tuple[Range, Range] | None) -> dict[str, str]:
    if brush is None:
        return {"width": "0", "height": "0"}
    (low, high), (left, right) = brush
    x, y = axes.across(left), axes.down(high)
    return {
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "width": f"{axes.across(right) - x:.1f}",
        "height": f"{axes.down(low) - y:.1f}",
    }


def _line(svg: ElementTree.Element, name: str, across: Range, up: Range, axes: Axes) -> None:
    start, end = zip(map(axes.across, across), map(axes.down, up), strict=True)
    line(svg, name, start, end)
