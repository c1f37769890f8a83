"""Marks of changes: whether a measure rose or fell, and whether that may be chance."""

from __future__ import annotations

from sr_tracker.queries.change.comparison.model import Change

GAP = "·"
RISE, FALL, CHANCE, UNTESTED = "↑", "↓", "≈", "?"
LEGEND = (
    f"{RISE} {FALL}: the value rose or fell significantly",
    f"{CHANCE}: tested, may be chance",
    f"{UNTESTED}: not tested",
)
"""What the marks of changes mean."""


def change_mark(change: Change | None, alpha: float) -> str:
    """Return the mark of a change: whether it is significant, may be chance, or was not tested."""
    if change is None or change.p_holm is None:
        return UNTESTED
    if not change.is_significant(alpha):
        return CHANCE
    return RISE if (change.difference or 0) > 0 else FALL
