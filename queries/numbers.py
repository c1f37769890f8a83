"""Numbers as they are shown: one form of each, whatever it is shown on.

Undefined is a dash, minus is a true minus sign, thousands are set apart, and zero has no sign.
"""

from __future__ import annotations

from .metrics.registry import in_points, points, unit_of

UNDEFINED = "–"
SMALLEST = 0.001
"""Smaller probabilities are told to be below it."""


def number(value: float | None, digits: int = 3, *, sign: bool = False) -> str:
    """Return a number with so many digits after the point, a count without any."""
    if value is None:
        return UNDEFINED
    plus = "+" if sign else ""
    text = f"{value:{plus},}" if isinstance(value, int) else f"{value:{plus},.{digits}f}"
    if not float(text.replace(",", "")):
        return text.lstrip("+-")
    return text.replace("-", "−")


def probability(value: float | None) -> str:
    """Return a p-value."""
    if value is None:
        return UNDEFINED
    return f"< {SMALLEST}" if value < SMALLEST else f"{value:.3f}"


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share of 1 in hundredths."""
    return UNDEFINED if share is None else f"{100 * share:.{digits}f} %"


def measured(measure: str, value: float | None, *, sign: bool = False) -> str:
    """Return a value or a difference in the measure's unit: points (hundredths), bits, z."""
    shown = None if value is None else points(measure, value)
    return number(shown, 2 if in_points(measure) else 3, sign=sign)


def with_unit(measure: str, value: float | None, *, sign: bool = False) -> str:
    """Return what ``measured`` does, and the unit where that is not points, as most are."""
    text = measured(measure, value, sign=sign)
    return text if value is None or in_points(measure) else f"{text} {unit_of(measure)}"


def interval(measure: str, low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Return both ends of an interval in the measure's unit."""
    if low is None or high is None:
        return UNDEFINED
    return f"[{measured(measure, low, sign=sign)}, {measured(measure, high, sign=sign)}]"
