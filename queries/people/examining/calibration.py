"""Whether a metric's score means the same quality everywhere on its scale."""

from __future__ import annotations

from typing import Any

from sr_tracker.queries.people.examining.model import Scored, ratio
from sr_tracker.queries.people.metric_statistics import interval

BINS = 10
_FEWEST = 3


def calibrated(scored: Scored) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the line from the metric's scores to people's, and bins of the metric's scores.

    The line is that of least squares, ``low`` and ``high`` are of its slope. The ``error`` is the
    mean distance, over outputs, of people's mean in the output's bin from what the line says there,
    in people's unit, and ``error_of_spread`` that in standard deviations of people's scores. Bins
    have as many outputs each, as far as equal scores allow, which stay in one bin.
    """
    import numpy as np

    told, said = scored.people[scored.both], scored.metric[scored.both]
    row: dict[str, Any] = {**scored.place, "outputs": len(told)}
    spread = scored.spread(scored.people)
    if len(told) < _FEWEST or not scored.spread(scored.metric):
        reason = f"fewer than {_FEWEST} different scores of judged outputs"
        names = ("slope", "low", "high", "intercept", "r_squared", "error", "error_of_spread")
        return row | dict.fromkeys(names) | {"undefined_reason": reason}, []
    slope, intercept = np.polyfit(said, told, 1)
    edges = np.unique(np.quantile(said, np.linspace(0, 1, BINS + 1)[1:-1]))
    place = np.searchsorted(edges, said, side="right")
    count, of_metric, of_people = (
        np.bincount(place, each, len(edges) + 1) for each in (None, said, told)
    )
    kept = np.flatnonzero(count)
    mean, people = of_metric[kept] / count[kept], of_people[kept] / count[kept]
    line = intercept + slope * mean
    apart = np.abs(people - line)
    error = float((count[kept] * apart).sum() / len(told))
    bins = [
        {
            **scored.place,
            "bin": at,
            "from_score": float(said[place == each].min()),
            "to_score": float(said[place == each].max()),
            "outputs": int(count[each]),
            "metric_mean": float(mean[at - 1]),
            "people_mean": float(people[at - 1]),
            "line": float(line[at - 1]),
        }
        for at, each in enumerate(kept, start=1)
    ]
    r_squared = float(np.corrcoef(said, told)[0, 1] ** 2) if spread else None
    return row | {
        "slope": float(slope),
        **interval(_resampled_slopes(scored)),
        "intercept": float(intercept),
        "r_squared": r_squared,
        "error": error,
        "error_of_spread": error / spread if spread else None,
        "undefined_reason": None,
    }, bins


def _resampled_slopes(scored: Scored) -> Any:
    people, metric, both = scored.people, scored.metric, scored.both
    count, of_people, of_metric, products, squares = (
        scored.draws @ each.sum(axis=0)
        for each in (both, people, metric, people * metric, metric**2)
    )
    return ratio(count * products - of_people * of_metric, count * squares - of_metric**2)
