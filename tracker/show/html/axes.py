"""What drawings of scores share: round numbers along an axis, lines and texts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.etree import ElementTree

from sr_tracker.tracker.show.numbers import number

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
    first = math.floor(low / step + 1e-9)
    last = max(math.ceil(high / step - 1e-9), first + 1)
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
