"""Texts right beside some of the points of a line, where they cover as little as possible."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.tracker.show.charts.label_places import Box, Point
from sr_tracker.tracker.show.charts.style import text_width

DOTS = 16
"""Dots that stand for the line between two points."""


def beside_points(
    named: Sequence[Point],
    others: Sequence[Point],
    segments: Sequence[tuple[float, float, float, float]],
    size: tuple[float, float],
    font_size: float,
) -> list[Box | None]:
    """Return a box above, below, right or left of each named point; those that come first choose.

    Of places within the width and height that cover no other text and no point, that which covers
    least of the segments (x, y, x, y) of the line; None where there is no such place.
    """
    taken = [Box(p.x - p.radius, p.y - p.radius, p.x + p.radius, p.y + p.radius) for p in others]
    dots = [dot for segment in segments for dot in _dots(*segment)]
    found: list[Box | None] = []
    for point in named:
        free = [
            box
            for box in _around(point, font_size)
            if box.within(*size) and not any(box.shared(other) for other in taken)
        ]
        best = min(free, key=lambda box: _covered(box, dots), default=None)
        found.append(best)
        taken += [best] if best else []
    return found


def _around(point: Point, font_size: float) -> list[Box]:
    half_width, half_height = text_width(point.name, font_size) / 2, font_size * 0.6
    aside, away = point.radius + 2 + half_width, point.radius + 1 + half_height
    centres = [
        (point.x, point.y - away),
        (point.x, point.y + away),
        (point.x + aside, point.y),
        (point.x - aside, point.y),
    ]
    return [
        Box(x - half_width, y - half_height, x + half_width, y + half_height) for x, y in centres
    ]


def _dots(x: float, y: float, other_x: float, other_y: float) -> list[Box]:
    """Return dots on a line, without its ends."""
    dots = []
    for step in range(1, DOTS):
        across = x + (other_x - x) * step / DOTS
        down = y + (other_y - y) * step / DOTS
        dots.append(Box(across - 1, down - 1, across + 1, down + 1))
    return dots


def _covered(box: Box, obstacles: Sequence[Box]) -> float:
    return sum(box.shared(obstacle) for obstacle in obstacles)
