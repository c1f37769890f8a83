"""In which unit a change is told to people: points, bits, or as it is."""

from __future__ import annotations

POINTS = 100.0
_HUMAN = "_z"
_INFORMATION = "nist"
_SUSPICION = "suspicion"


def in_points(measure: str) -> bool:
    """Return whether a measure is a score from 0 to 1, whose changes are told in hundredths."""
    return not measure.endswith(_HUMAN) and not measure.startswith((_INFORMATION, _SUSPICION))


def points(measure: str, value: float) -> float:
    """Return a value, or a difference, in the unit in which it is told to people."""
    return value * POINTS if in_points(measure) else value


def from_points(measure: str, told: float) -> float:
    """Return a value, or a difference, that is given in the unit of ``unit``: points undone."""
    return told / POINTS if in_points(measure) else told


def unit(measure: str) -> str:
    """Return the name of the unit of ``points``: points, bits for NIST, z for people's scores."""
    if in_points(measure):
        return "points"
    if measure.endswith(_HUMAN):
        return "z"
    return "bits" if measure.startswith(_INFORMATION) else _SUSPICION
