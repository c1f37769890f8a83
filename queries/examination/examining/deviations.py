"""Whom a metric favours, which relations it does not heed, and whether its scale is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ....schema.database import Database
from ....schema.parameters import ALPHA
from ....schema.statements import read_table
from ...clusters import FEWEST_CLUSTERS
from ...functions.statistics import Booleans, Floats, finite, holm
from ..judged_matrices import interval
from . import Scored, ratio

MOST_CHOICES = 10_000
"""Of more ways to choose systems so many are drawn."""
FEWEST_SYSTEMS = 3
"""A line goes through the means of any two systems."""
_CONSTANT = "the metric gives all outputs the same score"
_FEW_SYSTEMS = (
    f"fewer than {FEWEST_SYSTEMS} systems of which {FEWEST_CLUSTERS} documents, texts or sentences "
    "were judged"
)
_UNTOLD = "people gave all outputs of an item the same score"
_FEW_ITEMS = f"fewer than {FEWEST_CLUSTERS} documents, texts or sentences of it were judged"


@dataclass(frozen=True)
class Favours:
    """How far a metric favours systems, in standard deviations of its scores."""

    scored: Scored
    """The outputs of systems that have enough of them."""
    defined: Booleans
    """Which systems these are; shape (systems), as all that follows."""
    systems: Floats
    """How far each is favoured; NaN where it has too few outputs."""
    drawn: Floats
    """The same in each resample; shape (resamples, systems)."""
    slopes: Floats
    """What one point of people's brings by the metric: as seen, then in each resample."""


def favours(scored: Scored) -> Favours | str:
    """Return how far each system is favoured, or why that cannot be said.

    That is the mean of its scores less what the line from people's means of systems to the
    metric's says, both less the mean of all systems. People's noise averages out of the means of
    systems, whereas a line through outputs is the flatter the noisier people are, so that every
    metric seems to favour better systems (Wald 1940; Fuller 1987, sections 1.6 and 2.4).

    The slope is the covariance of people's and the metric's means of systems over the variance of
    people's, both less what resampled items add to them. It lies between the two slopes of single
    outputs, less the means of their items: the metric's on people's, which noise of people makes
    smaller, and people's on the metric's turned round, which noise of the metric makes larger
    (Frisch 1934). Where people do not tell the systems apart it is their geometric mean.
    """
    enough = scored.clusters(scored.both) >= FEWEST_CLUSTERS
    if not scored.spread(scored.metric):
        return _CONSTANT
    if enough.sum() < FEWEST_SYSTEMS:
        return _FEW_SYSTEMS
    both = scored.both & enough[:, np.newaxis]
    scored = replace(scored, both=both, people=scored.people * both, metric=scored.metric * both)
    draws = np.vstack([np.ones(both.shape[1]), scored.draws])
    count = draws @ both.T
    people, metric = (
        _less_mean(ratio(draws @ values.T, count)) for values in (scored.people, scored.metric)
    )
    slopes = _slopes(scored, draws, people, metric)
    if not np.isfinite(slopes[0]):
        return _UNTOLD
    favoured = (metric - slopes[:, np.newaxis] * people) / scored.spread(scored.metric)
    return Favours(scored, enough, favoured[0], favoured[1:], slopes)


def _less_mean(means: Floats) -> Floats:
    """Return values less the mean of the defined ones in their row."""
    centred: Floats = means - np.nanmean(means, axis=1, keepdims=True)
    return centred


def _slopes(scored: Scored, draws: Floats, people: Floats, metric: Floats) -> Floats:
    """Return the slopes of ``favours``: a draw of items for each, the first of them as seen."""
    added = np.where(np.arange(len(draws)) > 0, 2, 1)  # resampled means have the noise twice
    products, squares = (
        sums - added * (sums[1:].mean() - sums[0])
        for sums in (np.nansum(people * metric, axis=1), np.nansum(people**2, axis=1))
    )
    of_people, of_metric = (scored.centred(values) for values in (scored.people, scored.metric))
    both, people_squares, metric_squares = (
        draws @ terms.sum(axis=0) for terms in (of_people * of_metric, of_people**2, of_metric**2)
    )
    lowest, highest = ratio(both.clip(0), people_squares), ratio(metric_squares, both)
    slopes = np.where(
        squares > 0, ratio(products, squares), ratio(metric_squares, people_squares) ** 0.5
    )
    return np.fmin(np.fmax(slopes, lowest), highest)


def favoured_systems(scored: Scored, favoured: Favours | str) -> list[dict[str, Any]]:
    """Return a row for each system: how far it is favoured, and whether by chance.

    The p-value is by t, of the spread over resampled items with the line made anew in each, and
    corrected for the number of systems (Holm 1979).
    """
    from scipy.stats import t

    clusters = scored.clusters(scored.both)
    rows = []
    for at, system in enumerate(scored.judged.systems):
        row: dict[str, Any] = {
            **scored.judged.place,
            "submission_id": system,
            "items": int(scored.both[at].sum()),
            "clusters": int(clusters[at]),
            "resampling_unit": scored.unit,
        }
        if isinstance(favoured, str) or not favoured.defined[at]:
            reason = favoured if isinstance(favoured, str) else _FEW_ITEMS
            row |= {"favoured": None, "low": None, "high": None, "p": np.nan}
            rows.append(row | {"undefined_reason": reason})
            continue
        value, drawn = favoured.systems[at], favoured.drawn[:, at]
        error = np.nanstd(drawn)
        row |= {"favoured": float(value), **interval(drawn)}
        row |= {"p": 2 * t.sf(abs(value) / error, clusters[at] - 1) if error else np.nan}
        rows.append(row | {"undefined_reason": None})
    corrected = holm(np.array([row["p"] for row in rows], np.float64))
    for row, p in zip(rows, corrected.tolist(), strict=True):
        row["p"] = finite(p)
    return rows


def favoured_family(
    scored: Scored, favoured: Favours | str, own: Sequence[str], system_of: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield how far systems of the metric's own family are favoured above all others.

    ``p`` is the share of all choices of as many systems whose difference is at least as large:
    systems differ in how far a metric favours them anyway, so that they are what is permuted. Of
    more than MOST_CHOICES choices so many are drawn.
    """
    if not own:
        return
    ours = np.array([system_of[system] in set(own) for system in scored.judged.systems])
    if not isinstance(favoured, str):
        ours = ours[favoured.defined]
    row: dict[str, Any] = {**scored.judged.place, "own": ", ".join(own)}
    row |= {"own_systems": int(ours.sum()), "other_systems": int((~ours).sum())}
    if isinstance(favoured, str) or not ours.any() or ours.all():
        reason = favoured if isinstance(favoured, str) else "systems of only one kind were judged"
        undefined = dict.fromkeys(("difference", "low", "high", "p"))
        yield row | undefined | {"undefined_reason": reason}
        return
    systems, drawn = favoured.systems[favoured.defined], favoured.drawn[:, favoured.defined]
    chosen = _choices(len(systems), int(ours.sum()))
    differences = (chosen @ systems - ~chosen @ systems * ours.sum() / (~ours).sum()) / ours.sum()
    seen = systems[ours].mean() - systems[~ours].mean()
    higher = (differences >= seen - 1e-9).mean()
    yield row | {
        "difference": float(seen),
        **interval(drawn[:, ours].mean(axis=1) - drawn[:, ~ours].mean(axis=1)),
        "p": float(max(higher, 1 / len(chosen))),
        "undefined_reason": None,
    }


def favoured_lengths(scored: Scored, favoured: Favours | str, lengths: Floats) -> dict[str, Any]:
    """Return r of how far outputs are favoured and their length, both less their item's mean.

    An output is favoured by its score less what the line of the systems says. ``lengths`` are
    characters of the outputs, a matrix like the scores.
    """
    result: dict[str, Any] = {"r": None, "low": None, "high": None}
    reason = favoured if isinstance(favoured, str) else "no item has outputs of several lengths"
    if not isinstance(favoured, str):
        scored = favoured.scored
        people, metric, long = (
            scored.within_items(values) for values in (scored.people, scored.metric, lengths)
        )
        draws = np.vstack([np.ones(people.shape[1]), scored.draws])
        with_people, with_metric, of_people, of_metric, both, of_lengths = (
            draws @ sums.sum(axis=0)
            for sums in (
                people * long,
                metric * long,
                people**2,
                metric**2,
                people * metric,
                long**2,
            )
        )
        slopes = favoured.slopes
        squares = of_metric - 2 * slopes * both + slopes**2 * of_people
        r = ratio(with_metric - slopes * with_people, (squares.clip(0) * of_lengths) ** 0.5)
        result = {"r": finite(float(r[0])), **interval(r[1:])}
    result["undefined_reason"] = reason if result["r"] is None else None
    return {**scored.judged.place, "outputs": int(scored.both.sum()), **result}


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


_FEWEST_VARIED = 5
_FEW = f"outputs of fewer than {_FEWEST_VARIED} items differ in it"


def relation_effects(database: Database, scored: Scored) -> list[dict[str, Any]]:
    """Return a row for each relation: what finding all its edges brings, against finding none.

    ``metric_effect`` and ``people_effect`` are slopes in standard deviations of the scores on the
    share of the relation's edges that an output realises (DEA), both less their item's mean, so
    that outputs to the same sentence are compared. ``p`` is of their difference being chance: by
    the spread over resampled items, t with one degree of freedom less than documents, texts or
    sentences, corrected for the number of relations (Holm 1979). A relation is ``missed`` where
    people's effect is the larger one and p below ALPHA, ``overrated`` where the metric's is.
    Empty where no edges are scored.
    """
    from scipy.stats import t

    judged = scored.judged
    edges = read_table(
        database,
        "edges_of_judged",
        submissions=list(judged.systems),
        sentence_nos=judged.items.tolist(),
    )
    spreads = [scored.spread(scores) for scores in (scored.metric, scored.people)]
    if not edges.num_rows or not all(spreads):
        return []
    row = np.searchsorted(judged.systems, np.asarray(edges["submission_id"].to_pylist(), np.str_))
    column = np.searchsorted(judged.items, edges["sentence_no"].to_numpy())
    scored_here = scored.both[row, column]
    relations = np.asarray(edges["deprel"].to_pylist(), np.str_)
    rows = []
    for relation in np.unique(relations[scored_here]):
        mine = scored_here & (relations == relation)
        shares = np.full(scored.both.shape, np.nan)
        shares[row[mine], column[mine]] = edges["share"].to_numpy()[mine]
        rows.append(
            {**scored.judged.place, "relation": str(relation), **_effects(scored, shares, spreads)}
        )
    ratios = np.array([entry.pop("t") for entry in rows], np.float64)
    freedom = np.array([entry.pop("clusters") - 1 for entry in rows], np.float64)
    corrected = holm(np.asarray(2 * t.sf(np.abs(ratios), freedom), np.float64))
    for entry, p in zip(rows, corrected.tolist(), strict=True):
        entry["p"] = finite(p)
        sure = entry["p"] is not None and entry["p"] < ALPHA
        larger = "missed" if (entry["difference"] or 0) < 0 else "overrated"
        entry["finding"] = larger if sure else None
    return sorted(rows, key=lambda entry: (entry["p"] is None, entry["p"], entry["relation"]))


def _effects(scored: Scored, shares: Floats, spreads: list[float]) -> dict[str, Any]:
    """Return what finding all edges of a relation adds to the metric's and to people's scores.

    ``shares`` (systems, items) are those of the edges found, NaN without edges. An effect is the
    least-squares slope of scores on shares within items, Σ xy / Σ x² with x less its item's mean,
    in standard deviations of the scores (``spreads``); t is the difference by its resampled spread.
    """
    both = np.isfinite(shares)
    centred = replace(scored, both=both).within_items(shares)
    squares = (centred**2).sum(axis=0)
    clusters = len(np.unique(scored.keys[squares > 0]))
    sums = [
        (centred * values).sum(axis=0) / spread
        for values, spread in zip((scored.metric, scored.people), spreads, strict=True)
    ]
    effect: dict[str, Any] = {
        "items": int((squares > 0).sum()),
        "clusters": clusters,
        "outputs": int(both[:, squares > 0].sum()),
    }
    if clusters < _FEWEST_VARIED:
        names = ("metric_effect", "people_effect", "difference", "low", "high")
        return effect | dict.fromkeys(names) | {"undefined_reason": _FEW, "t": np.nan}
    effects = [products.sum() / squares.sum() for products in sums]
    drawn = [ratio(scored.draws @ products, scored.draws @ squares) for products in sums]
    apart = drawn[0] - drawn[1]
    difference = float(effects[0] - effects[1])
    spread = float(np.nanstd(apart))
    return effect | {
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
    human, scores = scored.people[scored.both], scored.metric[scored.both]
    row: dict[str, Any] = {**scored.judged.place, "outputs": len(human)}
    spread = scored.spread(scored.people)
    if len(human) < _FEWEST_OUTPUTS or not scored.spread(scored.metric):
        reason = f"fewer than {_FEWEST_OUTPUTS} different scores of judged outputs"
        names = ("slope", "low", "high", "intercept", "r_squared", "error", "error_of_spread")
        return row | dict.fromkeys(names) | {"undefined_reason": reason}, []
    slope, intercept = np.polyfit(scores, human, 1)
    edges = np.unique(np.quantile(scores, np.linspace(0, 1, BINS + 1)[1:-1]))
    place = np.searchsorted(edges, scores, side="right")
    count, of_metric, of_people = (
        np.bincount(place, part, len(edges) + 1) for part in (None, scores, human)
    )
    filled = np.flatnonzero(count)
    mean, people = of_metric[filled] / count[filled], of_people[filled] / count[filled]
    line = intercept + slope * mean
    apart = np.abs(people - line)
    error = float((count[filled] * apart).sum() / len(human))
    bins = [
        {
            **scored.judged.place,
            "bin": at,
            "from_score": float(scores[place == part].min()),
            "to_score": float(scores[place == part].max()),
            "outputs": int(count[part]),
            "metric_mean": float(mean[at - 1]),
            "people_mean": float(people[at - 1]),
            "line": float(line[at - 1]),
        }
        for at, part in enumerate(filled, start=1)
    ]
    r_squared = float(np.corrcoef(scores, human)[0, 1] ** 2) if spread else None
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
        scored.draws @ sums.sum(axis=0)
        for sums in (both, people, metric, people * metric, metric**2)
    )
    return ratio(count * products - of_people * of_metric, count * squares - of_metric**2)
