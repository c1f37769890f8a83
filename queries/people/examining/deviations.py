"""Whom a metric favours, which relations it does not heed, and whether its scale is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from ....schema.database import Database
from ....schema.statements import read_table
from ...functions.statistics import holm
from ..metric_statistics import interval, number
from . import Scored, correlation, ratio

if TYPE_CHECKING:
    from ...functions.statistics import Floats


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
    from scipy.stats import ttest_1samp

    rows = []
    for at, system in enumerate(scored.judged.systems):
        both = scored.both[at]
        row: dict[str, Any] = {
            **scored.judged.place,
            "submission_id": system,
            "items": int(both.sum()),
        }
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
    if not own:
        return
    systems = scored.judged.systems
    ours = np.array([system_of[each] in set(own) for each in systems])
    row: dict[str, Any] = {**scored.judged.place, "own": ", ".join(own)}
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
    return {**scored.judged.place, "outputs": int(scored.both.sum()), **found}


def _choices(systems: int, ours: int) -> Any:
    """Return ways to choose so many of the systems: a row of booleans each."""
    if comb(systems, ours) <= MOST_CHOICES:
        places = np.array([*combinations(range(systems), ours)])
    else:
        rng = np.random.default_rng(0)
        places = rng.random((MOST_CHOICES, systems)).argsort(axis=1)[:, :ours]
    chosen = np.zeros((len(places), systems), np.bool_)
    np.put_along_axis(chosen, places, values=True, axis=1)
    return chosen


SIGNIFICANT = 0.05
_FEWEST_VARIED = 5
_FEW = f"outputs of fewer than {_FEWEST_VARIED} items differ in it"


def heeded_relations(database: Database, scored: Scored) -> list[dict[str, Any]]:
    """Return a row for each relation: what finding all its edges brings, against finding none.

    ``metric_effect`` and ``people_effect`` are slopes in standard deviations of the scores on the
    share of the relation's edges that an output realises (DEA), both less their item's mean, so
    that outputs to the same sentence are compared. ``p`` is of their difference being chance (by
    the spread of resampled items, t with one degree of freedom less than items), corrected for the
    number of relations (Holm 1979). A relation is ``missed`` where people's effect is the larger
    one and p below SIGNIFICANT, ``overrated`` where the metric's is. Empty where no edges are
    scored.
    """
    from scipy.stats import t

    judged = scored.judged
    edges = read_table(
        database,
        "edges_of_judged",
        submissions=list(judged.systems),
        sentence_nos=judged.items.tolist(),
    )
    spreads = [scored.spread(each) for each in (scored.metric, scored.people)]
    if not edges.num_rows or not all(spreads):
        return []
    row = np.searchsorted(judged.systems, np.asarray(edges["submission_id"].to_pylist(), np.str_))
    column = np.searchsorted(judged.items, edges["sentence_no"].to_numpy())
    known = scored.both[row, column]
    relations = np.asarray(edges["deprel"].to_pylist(), np.str_)
    rows = []
    for relation in np.unique(relations[known]):
        mine = known & (relations == relation)
        found = np.full(scored.both.shape, np.nan)
        found[row[mine], column[mine]] = edges["share"].to_numpy()[mine]
        rows.append(
            {**scored.judged.place, "relation": str(relation), **_effects(scored, found, spreads)}
        )
    ratios = np.array([each.pop("t") for each in rows], np.float64)
    freedom = np.array([each["items"] - 1 for each in rows], np.float64)
    corrected = holm(np.asarray(2 * t.sf(np.abs(ratios), freedom), np.float64))
    for each, p in zip(rows, corrected.tolist(), strict=True):
        each["p"] = number(p)
        sure = each["p"] is not None and each["p"] < SIGNIFICANT
        larger = "missed" if (each["difference"] or 0) < 0 else "overrated"
        each["finding"] = larger if sure else None
    return sorted(rows, key=lambda each: (each["p"] is None, each["p"], each["relation"]))


def _effects(scored: Scored, found: Floats, spreads: list[float]) -> dict[str, Any]:
    both = np.isfinite(found)
    count = np.maximum(both.sum(axis=0), 1)
    centred = np.where(both, found - np.where(both, found, 0).sum(axis=0) / count, 0)
    squares = (centred**2).sum(axis=0)
    items = int((squares > 0).sum())
    sums = [
        (centred * values).sum(axis=0) / spread
        for values, spread in zip((scored.metric, scored.people), spreads, strict=True)
    ]
    told: dict[str, Any] = {"items": items, "outputs": int(both[:, squares > 0].sum())}
    if items < _FEWEST_VARIED:
        names = ("metric_effect", "people_effect", "difference", "low", "high")
        return told | dict.fromkeys(names) | {"undefined_reason": _FEW, "t": np.nan}
    effects = [each.sum() / squares.sum() for each in sums]
    drawn = [ratio(scored.draws @ each, scored.draws @ squares) for each in sums]
    apart = drawn[0] - drawn[1]
    difference = float(effects[0] - effects[1])
    spread = float(np.nanstd(apart))
    return told | {
        "metric_effect": float(effects[0]),
        "people_effect": float(effects[1]),
        "difference": difference,
        **interval(apart),
        "undefined_reason": None,
        "t": difference / spread if spread else np.nan,
    }


BINS = 10
_FEWEST_OUTPUTS = 3


def calibrated(scored: Scored) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the line from the metric's scores to people's, and bins of the metric's scores.

    The line is that of least squares, ``low`` and ``high`` are of its slope. The ``error`` is the
    mean distance, over outputs, of people's mean in the output's bin from what the line says there,
    in people's unit, and ``error_of_spread`` that in standard deviations of people's scores. Bins
    have as many outputs each, as far as equal scores allow, which stay in one bin.
    """
    told, said = scored.people[scored.both], scored.metric[scored.both]
    row: dict[str, Any] = {**scored.judged.place, "outputs": len(told)}
    spread = scored.spread(scored.people)
    if len(told) < _FEWEST_OUTPUTS or not scored.spread(scored.metric):
        reason = f"fewer than {_FEWEST_OUTPUTS} different scores of judged outputs"
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
            **scored.judged.place,
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
