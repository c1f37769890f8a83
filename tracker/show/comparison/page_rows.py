"""Changes as rows of a table on a page, each with a drawing of its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.queries.change.comparison.model import Change
from sr_tracker.queries.change.comparison.points import unit
from sr_tracker.tracker.show.comparison.headline import (
    difference_in_table,
    difference_text,
    value_text,
)
from sr_tracker.tracker.show.report.cells import number, probability

PLOT_WIDTH = 150
_MARGIN = 6


@dataclass(frozen=True)
class Plot:
    """Where the difference and the ends of its interval are drawn, in pixels from the left."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """A change as it is shown."""

    name: str
    measure: str
    count: str
    base: str
    new: str
    difference: str
    """With its unit where that is not points."""
    told: str
    """The difference with its unit."""
    interval: str
    p_value: str
    verdict: str
    """better or worse by more than chance; else nothing."""
    plot: Plot | None
    sort: Sequence[float | None]
    """What count, base, new, difference and p-value are sorted by."""
    more: Sequence[int] = ()
    reason: str = ""
    """Why it is undefined."""


def change_rows(
    changes: Sequence[Change],
    alpha: float,
    *,
    names: Sequence[str] | None = None,
    more: Sequence[Sequence[int]] | None = None,
) -> list[Row]:
    """Return changes as rows; drawings of changes in one unit share a scale with zero amid.

    ``names`` stand in the first column in place of the measures; ``more`` are further numbers.
    """
    scales: dict[str, float] = {}
    for change in changes:
        ends = [abs(end) for end in (change.difference, change.low, change.high) if end is not None]
        key = unit(change.measure)
        scales[key] = max([scales.get(key, 0.0), *ends])
    return [
        _row(
            change,
            alpha,
            names[place] if names else change.measure,
            more[place] if more else (),
            scales[unit(change.measure)],
        )
        for place, change in enumerate(changes)
    ]


def _row(change: Change, alpha: float, name: str, more: Sequence[int], scale: float) -> Row:
    ends = [value_text(change.measure, end, sign=True) for end in (change.low, change.high)]
    significant = change.is_significant(alpha)
    return Row(
        name=name,
        measure=change.measure,
        count=number(change.n),
        base=value_text(change.measure, change.base),
        new=value_text(change.measure, change.new),
        difference=difference_in_table(change),
        told=difference_text(change),
        interval=" to ".join(ends) if change.low is not None else "–",
        p_value=probability(change.p_holm),
        verdict=("worse" if change.is_worse else "better") if significant else "",
        plot=_plot(change, scale),
        sort=(change.n, change.base, change.new, change.difference, change.p_holm),
        more=more,
        reason=change.undefined_reason or "",
    )


def _plot(change: Change, scale: float) -> Plot | None:
    if change.difference is None or change.low is None or change.high is None or not scale:
        return None
    half = PLOT_WIDTH / 2

    def place(value: float) -> float:
        return round(half + value / scale * (half - _MARGIN), 1)

    return Plot(place(change.difference), place(change.low), place(change.high))
