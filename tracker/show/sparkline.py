"""A series of numbers as a line of letters."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.change.history.marks import GAP

BARS = "▁▂▃▄▅▆▇█"
CONSTANT = "▄"


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
