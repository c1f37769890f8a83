"""Whom a metric favours: what it gives beyond what it gives to outputs that people score alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from sr_tracker.queries.functions.statistics import holm
from sr_tracker.queries.people.examining.model import Scored, correlation, ratio
from sr_tracker.queries.people.metric_statistics import interval, number

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats

MOST_CHOICES = 10_000
"""Of more ways to choose systems so many are drawn."""
_FEWEST_ITEMS = 2
_CONSTANT = "the metric gives all outputs the same score"


def favours(scored: Scored) -> Floats | None:
    """Return how far each output is favoured, in standard deviations of the metric's scores.

    That is its score less what the metric gives on average to outputs that people score alike: the
    increasing function of people's scores that is nearest to the metric's (isotonic regression).
    Where people judge with noise, an output of a system that is better than its single judgement
    tells is favoured, rightly. None where the metric's scores are all the same.
    """
    import numpy as np
    from scipy.optimize import isotonic_regression

    spread = scored.spread(scored.metric)
    if not spread:
        return None
    told, said = scored.people[scored.both], scored.metric[scored.both]
    levels, place, count = np.unique(told, return_inverse=True, return_counts=True)
    means = np.bincount(place, said, len(levels)) / count
    expected = isotonic_regression(means, weights=count).x
    favoured = np.zeros(scored.both.shape)
    favoured[scored.both] = (said - expected[place]) / spread
    return favoured


def favoured_systems(scored: Scored, favoured: Floats | None) -> list[dict[str, Any]]:
    """Return a row for each system: how far its outputs are favoured, and whether by chance.

    The p-value is of a t-test over items, corrected for the number of systems (Holm 1979).
    """
    import numpy as np
    from scipy.stats import ttest_1samp

    rows = []
    for at, system in enumerate(scored.judged.systems):
        both = scored.both[at]
        row: dict[str, Any] = {**scored.place, "submission_id": system, "items": int(both.sum())}
        if favoured is None or both.sum() < _FEWEST_ITEMS:
            few = f"fewer than {_FEWEST_ITEMS} outputs"
            reason = _CONSTANT if favoured is None else few
            row |= {"favoured": None, "low": None, "high": None, "p": np.nan}
            rows.append(row | {"undefined_reason": reason})
            continue
        values = favoured[at]
        drawn = ratio(scored.draws @ values, scored.draws @ both)
        varies = np.ptp(values[both]) > 0
        row |= {"favoured": float(values[both].mean()), **interval(drawn)}
        row |= {"p": float(ttest_1samp(values[both], 0).pvalue) if varies else np.nan}
        rows.append(row | {"undefined_reason": None})
    corrected = holm(np.array([row["p"] for row in rows], np.float64))
    for row, p in zip(rows, corrected.tolist(), strict=True):
        row["p"] = number(p)
    return rows


def favoured_family(
    scored: Scored, favoured: Floats | None, own: Sequence[str], system_of: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield how far systems of the metric's own family are favoured above all others.

    ``p`` is the share of all choices of as many systems whose difference is at least as large:
    systems differ in how far a metric favours them anyway, so that they are what is permuted. Of
    more than MOST_CHOICES choices so many are drawn.
    """
    import numpy as np

    if not own:
        return
    systems = scored.judged.systems
    ours = np.array([system_of[each] in set(own) for each in systems])
    row: dict[str, Any] = {**scored.place, "own": ", ".join(own)}
    row |= {"own_systems": int(ours.sum()), "other_systems": int((~ours).sum())}
    count = scored.both.sum(axis=1)
    if favoured is None or not count[ours].any() or not count[~ours].any():
        reason = _CONSTANT if favoured is None else "systems of only one kind were judged"
        undefined = dict.fromkeys(("difference", "low", "high", "p"))
        yield row | undefined | {"undefined_reason": reason}
        return
    counts, sums = scored.draws @ scored.both.T, scored.draws @ favoured.T
    drawn = ratio(sums[:, ours].sum(axis=1), counts[:, ours].sum(axis=1)) - ratio(
        sums[:, ~ours].sum(axis=1), counts[:, ~ours].sum(axis=1)
    )
    total = favoured.sum(axis=1)
    chosen = _choices(len(systems), int(ours.sum()))
    differences = ratio(chosen @ total, chosen @ count) - ratio(~chosen @ total, ~chosen @ count)
    seen = total[ours].sum() / count[ours].sum() - total[~ours].sum() / count[~ours].sum()
    higher = (differences >= seen - 1e-9).mean()
    yield row | {
        "difference": float(seen),
        **interval(drawn),
        "p": float(max(higher, 1 / len(chosen))),
        "undefined_reason": None,
    }


def favoured_lengths(scored: Scored, favoured: Floats | None, lengths: Floats) -> dict[str, Any]:
    """Return r of how far outputs are favoured and their length, both less their item's mean.

    ``lengths`` are characters of the outputs, a matrix like the scores.
    """
    if favoured is None:
        found: dict[str, Any] = {"r": None, "low": None, "high": None}
    else:
        centred = (scored.within_items(each) for each in (favoured, lengths))
        found = correlation(scored, *centred)
    reason = _CONSTANT if favoured is None else "no item has outputs of several lengths"
    found["undefined_reason"] = reason if found["r"] is None else None
    return {**scored.place, "outputs": int(scored.both.sum()), **found}


def _choices(systems: int, ours: int) -> Any:
    """Return ways to choose so many of the systems: a row of booleans each."""
    import numpy as np

    if comb(systems, ours) <= MOST_CHOICES:
        places = np.array([*combinations(range(systems), ours)])
    else:
        rng = np.random.default_rng(0)
        places = rng.random((MOST_CHOICES, systems)).argsort(axis=1)[:, :ours]
    chosen = np.zeros((len(places), systems), np.bool_)
    np.put_along_axis(chosen, places, values=True, axis=1)
    return chosen
