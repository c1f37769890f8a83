"""Places for the names of points, so that names cover neither each other nor the points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt

from ....schema.statements import Row
from ..excerpt import text_width

APART = 9.0
"""Pixels between a circle and its name from which a line joins them."""


@dataclass(frozen=True)
class Point:
    """A named circle; pixels from the left and from the top."""

    name: str
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Box:
    """A rectangle, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float, half_width: float, half_height: float) -> Box:
        """Return the box whose middle is at a place."""
        return cls(x - half_width, y - half_height, x + half_width, y + half_height)

    def shared(self, other: Box) -> float:
        """Return the area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0.0

    def within(self, width: float, height: float) -> bool:
        """Return whether all of it is inside a plot of this size."""
        return min(self.left, self.top) >= 0 and self.right <= width and self.bottom <= height

    def nearest(self, point: Point) -> tuple[float, float]:
        """Return the place in the box that is nearest to a point."""
        return (min(max(point.x, self.left), self.right), min(max(point.y, self.top), self.bottom))

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Plot:
    """The size of a plot in pixels, and the values at its edges."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    top: float

    def pixels(self, x: float, y: float) -> tuple[float, float]:
        """Return where two values are, from the left and from the top."""
        return (
            (x - self.left) / (self.right - self.left) * self.width,
            (self.top - y) / (self.top - self.bottom) * self.height,
        )

    def values(self, x: float, y: float) -> tuple[float, float]:
        """Return the two values at a place."""
        return (
            self.left + x / self.width * (self.right - self.left),
            self.top - y / self.height * (self.top - self.bottom),
        )


def with_labels(
    rows: Sequence[Row], plot: Plot, fields: tuple[str, str, str], font_size: float, free: int = 0
) -> list[Row]:
    """Return rows with places for their names, in values: label_x and label_y, or none.

    ``fields`` are those of the name and of both values; ``area`` is that of the circle, in pixels.
    A line from leader_x and leader_y joins a name that is ``apart``. The lowest ``free`` pixels of
    the plot have no name.
    """
    name, across, down = fields
    points = [
        Point(row[name], *plot.pixels(row[across], row[down]), radius=sqrt(row["area"] / pi))
        for row in rows
    ]
    boxes = place_labels(points, plot.width, plot.height - free, font_size)
    placed: list[Row] = []
    for row, point, box in zip(rows, points, boxes, strict=True):
        if box is None:
            placed.append({**row, "apart": False})
            continue
        x, y = box.nearest(point)
        label, leader = plot.values(*box.centre), plot.values(x, y)
        placed.append(
            {
                **row,
                "apart": hypot(x - point.x, y - point.y) - point.radius > APART,
                **dict(zip(("label_x", "label_y"), label, strict=True)),
                **dict(zip(("leader_x", "leader_y"), leader, strict=True)),
            }
        )
    return placed


def place_labels(
    points: Sequence[Point], width: float, height: float, font_size: float
) -> list[Box | None]:
    """Return a box for the name of each point, within the width and height.

    Points that come first choose first. None where every place near the point is outside, covers
    another name, or cannot be reached by a straight line without crossing one.
    """
    circles = [Box.around(p.x, p.y, p.radius, p.radius) for p in points]
    placed: list[Box] = []
    lines: list[Box] = []
    places: list[Box | None] = []
    for point in points:
        best: tuple[float, Box] | None = None
        for distance, box in _candidates(point, font_size):
            if best is not None and distance >= best[0]:
                break
            if not box.within(width, height) or any(box.shared(other) for other in placed + lines):
                continue
            line = _dots(point.x, point.y, *box.nearest(point), TO_NAMES)
            if any(dot.shared(other) for dot in line for other in placed):
                continue
            cost = distance + 3 * sum(box.shared(circle) for circle in circles)
            if best is None or cost < best[0]:
                best = cost, box
        places.append(best[1] if best else None)
        if best:
            placed.append(best[1])
            lines += _dots(point.x, point.y, *best[1].nearest(point), TO_NAMES)
    return places


def _candidates(point: Point, font_size: float) -> list[tuple[float, Box]]:
    """Return boxes around a point with their distance from it, the nearest first."""
    half_width = text_width(point.name, font_size) / 2
    half_height = font_size * 0.6
    boxes = []
    for gap in (2, 8, 15, 23, 32, 42, 54):
        for step in range(16):
            across, down = cos(step * pi / 8), sin(step * pi / 8)
            x = point.x + across * (point.radius + gap + half_width)
            y = point.y + down * (point.radius + gap + half_height)
            boxes.append((gap * 4.0, Box.around(x, y, half_width, half_height)))
    return boxes


TO_NAMES, BETWEEN_POINTS = 8, 16
"""Steps of the dots that stand for a line from a point to its name, or to another point."""


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
    taken = [Box.around(p.x, p.y, p.radius, p.radius) for p in others]
    dots = [dot for segment in segments for dot in _dots(*segment, BETWEEN_POINTS)]
    places: list[Box | None] = []
    for point in named:
        free = [
            box
            for box in _around(point, font_size)
            if box.within(*size) and not any(box.shared(other) for other in taken)
        ]
        best = min(free, key=lambda box: _covered(box, dots), default=None)
        places.append(best)
        taken += [best] if best else []
    return places


def _around(point: Point, font_size: float) -> list[Box]:
    half_width, half_height = text_width(point.name, font_size) / 2, font_size * 0.6
    aside, away = point.radius + 2 + half_width, point.radius + 1 + half_height
    centres = [
        (point.x, point.y - away),
        (point.x, point.y + away),
        (point.x + aside, point.y),
        (point.x - aside, point.y),
    ]
    return [Box.around(x, y, half_width, half_height) for x, y in centres]


def _dots(x: float, y: float, other_x: float, other_y: float, steps: int) -> list[Box]:
    """Return dots on a line, without its ends."""
    return [
        Box.around(x + (other_x - x) * step / steps, y + (other_y - y) * step / steps, 1, 1)
        for step in range(1, steps)
    ]


def _covered(box: Box, obstacles: Sequence[Box]) -> float:
    return sum(box.shared(obstacle) for obstacle in obstacles)
