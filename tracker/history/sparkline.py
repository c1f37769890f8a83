"""A series of numbers, and what its changes are worth, as lines of letters."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.tracker.comparison.model import Change

BARS = "▁▂▃▄▅▆▇█"
CONSTANT = "▄"
GAP = "·"
RISE, FALL, CHANCE, UNTESTED = "↑", "↓", "≈", "?"
LEGEND = (
    f"{RISE} {FALL}: the value rose or fell significantly",
    f"{CHANCE}: tested, may be chance",
    f"{UNTESTED}: not tested",
)
"""What the marks of changes mean."""


def sparkline(values: Sequence[float | None]) -> str:
    """Return one letter per value: the lowest and the highest bar for the extremes of the series.

    A middle dot where there is no value, and middle bars where all values are equal.
    """
    known = [value for value in values if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    letters = []
    for value in values:
        if value is None:
            letters.append(GAP)
        elif low == high:
            letters.append(CONSTANT)
        else:
            letters.append(BARS[round((value - low) / (high - low) * (len(BARS) - 1))])
    return "".join(letters)


def change_mark(change: Change | None, alpha: float) -> str:
    """Return the mark of a change: whether it is significant, may be chance, or was not tested."""
    if change is None or change.p_holm is None:
        return UNTESTED
    if not change.is_significant(alpha):
        return CHANCE
    return RISE if (change.difference or 0) > 0 else FALL
