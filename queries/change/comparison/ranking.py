"""The order in which changes are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sr_tracker.queries.change.comparison.model import Change

AnyChange = TypeVar("AnyChange", bound=Change)


def ranked(changes: Sequence[AnyChange], alpha: float) -> list[AnyChange]:
    """Return the significant changes by size, then the others by p-value; undefined ones last."""

    def place(change: AnyChange) -> tuple[bool, float, float, str]:
        significant = change.is_significant(alpha)
        p_value = 0.0 if significant else change.p_value
        size = abs(change.difference or 0)
        return not significant, 2.0 if p_value is None else p_value, -size, change.measure

    return sorted(changes, key=place)
