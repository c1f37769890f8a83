"""In which unit a change is told to people: points, bits, or as it is."""

from __future__ import annotations

from sr_tracker.queries.metrics.metric import POINTS
from sr_tracker.queries.metrics.registry import unit_of as unit

_HUNDRED = 100.0

__all__ = ["from_points", "in_points", "points", "unit"]


def in_points(measure: str) -> bool:
    """Return whether a measure is a score from 0 to 1, whose changes are told in hundredths."""
    return unit(measure) == POINTS


def points(measure: str, value: float) -> float:
    """Return a value, or a difference, in the unit in which it is told to people."""
    return value * _HUNDRED if in_points(measure) else value


def from_points(measure: str, told: float) -> float:
    """Return a value, or a difference, that is given in the unit of ``unit``: points undone."""
    return told / _HUNDRED if in_points(measure) else told
