"""Paired tests of scores over the same sentences: bootstrap, approximate randomisation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....schema.database import Database
from ...clusters import Clusters, cluster_sums
from ...functions.statistics import Floats, Integers, holm_by_family
from ...metrics.formulas import OTHER_FORMULA, score_sums
from ...metrics.metric import SENTENCE_MEAN, Formula
from ...resampling import SENTENCE
from ..significance import intervals
from ..significance.replicates import bootstrap_sums, exact_parts, number_of, unswapped_sums
from .model import CHECK, AnyChange, Change, Settings, difference
from .samples import Sample, as_stored
from .trials import TRIAL_TEST, estimate, informative, trial_scores

TEST = "approximate randomisation over {unit}s"
MORE = 4
"""As many times more replicates are drawn where a p-value is not settled."""
MOST_SWAPS = 64_000
SMALLEST_REPORTED = 0.001
"""A p-value below is told as such; where few are corrected together, the smallest is below."""
FEW_TESTS = 8


@dataclass(frozen=True)
class Tested:
    """The scores of several submissions by one metric, and tests of pairs of them."""

    scores: Floats
    """Shape (submissions); NaN where undefined."""
    low: Floats
    """Lower ends of the scores' intervals; NaN where a resampled test set has no score."""
    high: Floats
    differences: Floats
    """Shape (pairs): the first minus the second."""
    difference_low: Floats
    """NaN where a resampled test set has no score, as are the next two."""
    difference_high: Floats
    p_values: Floats
    informative: Integers
    """Shape (pairs): sentences, or clusters, of which the two have other statistics."""
    slopes: Floats
    """Shape (submissions, k): of the scores by the sums of their statistics; NaN where unknown."""


@dataclass(frozen=True)
class _Sums:
    """Sums of statistics of one sample: the last dimension is that of the statistics."""

    whole: Floats
    """Shape (submissions, k): of the test set as it is."""
    drawn: Floats
    """Shape (replicates, submissions, k): of sentences drawn with replacement."""
    first: Floats
    """Shape (replicates, pairs, k): of the first, some sentences swapped with the second."""
    second: Floats
    nudged: Floats
    """Shape (2, k, submissions, k): ``whole`` with one statistic more, then less."""


def paired_tests(
    database: Database,
    samples: Sequence[tuple[Formula, Floats]],
    pairs: Sequence[tuple[int, int]],
    settings: Settings,
) -> list[Tested]:
    """Return the tests of several samples, each a metric's formula and its sufficient statistics.

    Their shapes are (submissions, sentences, k), of the same submissions; where clusters are
    resampled, these are their sums (``cluster_sums``). Pairs are positions of submissions. A
    sample's results are the same whichever others are tested with it.
    """
    sums: dict[int, _Sums] = {}
    for places in _grouped([statistics.shape[1] for _, statistics in samples]):
        of_group = _resample([samples[place][1] for place in places], pairs, settings)
        sums |= dict(zip(places, of_group, strict=True))
    tested: dict[int, Tested] = {}
    for places in _grouped([(formula, values.shape[2]) for formula, values in samples]):
        arrays = [
            array
            for place in places
            for part in (sums[place],)
            for array in (part.whole, part.drawn, part.first, part.second, part.nudged)
        ]
        scores = _scores(database, samples[places[0]][0], arrays)
        for number, place in enumerate(places):
            of_sample = scores[5 * number : 5 * number + 5]
            slopes = intervals.gradients(of_sample[4], sums[place].whole)
            tested[place] = _test(of_sample[:4], samples[place][1], slopes, pairs, settings)
    return [tested[place] for place in range(len(samples))]


def _grouped(values: Sequence[Hashable]) -> list[list[int]]:
    """Return the positions of equal values."""
    places: dict[Hashable, list[int]] = {}
    for place, value in enumerate(values):
        places.setdefault(value, []).append(place)
    return [*places.values()]


def _resample(
    of_group: Sequence[Floats], pairs: Sequence[tuple[int, int]], settings: Settings
) -> list[_Sums]:
    """Return the sums of samples of as many sentences each: they share what is drawn at random."""
    statistics = np.concatenate(of_group, axis=2)
    submissions, _, k = statistics.shape
    parts = exact_parts(statistics)
    totals = parts.sum(axis=1).reshape(len(parts), 1, submissions, k)
    drawn = bootstrap_sums(parts, settings.replicates, settings.seed).sum(axis=0)
    drawn = drawn.reshape(-1, submissions, k)
    unswapped = (
        unswapped_sums(parts, settings.replicates, settings.seed)
        if pairs
        else np.zeros((len(parts), settings.replicates, submissions * k))
    ).reshape(len(parts), -1, submissions, k)
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    # What is not kept of one output comes from the other.
    swapped = [
        (unswapped[:, :, one] + totals[:, :, other] - unswapped[:, :, other]).sum(axis=0)
        for one, other in ((first, second), (second, first))
    ]
    ends = np.cumsum([sample.shape[2] for sample in of_group])[:-1]
    split = (np.split(array, ends, axis=-1) for array in (totals.sum(axis=0)[0], drawn, *swapped))
    return [
        _Sums(whole, drawn, one, other, intervals.nudged_sums(whole))
        for whole, drawn, one, other in zip(*split, strict=True)
    ]


def _test(
    scores: Sequence[Floats],
    statistics: Floats,
    slopes: Floats,
    pairs: Sequence[tuple[int, int]],
    settings: Settings,
) -> Tested:
    """Return the tests from the scores of the sums of a sample."""
    whole, drawn, first, second = scores
    added = intervals.influences(statistics, slopes)
    one, other = ([pair[side] for pair in pairs] for side in (0, 1))
    differences = whole[one] - whole[other]
    p_values = intervals.randomisation_p_values(first - second, differences)
    low, high = _interval(drawn, whole, added, settings.level)
    of_pairs = added[one] - added[other]
    difference_low, difference_high = _interval(
        drawn[:, one] - drawn[:, other], differences, of_pairs, settings.level
    )
    informative = (statistics[one] != statistics[other]).any(axis=2).sum(axis=1)
    undefined = np.isnan(difference_low) | np.isnan((first - second).sum(axis=0))
    for values in (difference_low, difference_high, p_values):
        values[undefined] = np.nan
    for values in (difference_low, difference_high):
        values[informative < intervals.FEWEST_INFORMATIVE] = np.nan
    ends = low, high, differences, difference_low, difference_high
    return Tested(whole, *ends, p_values, informative, slopes)


def _scores(database: Database, formula: Formula, sums: Sequence[Floats]) -> list[Floats]:
    """Return the scores of several arrays of sums: one query costs less than several."""
    rows = np.concatenate([part.reshape(-1, part.shape[-1]) for part in sums])
    ends = np.cumsum([part[..., 0].size for part in sums])[:-1]
    parts = np.split(score_sums(database, formula, rows), ends)
    return [scores.reshape(part.shape[:-1]) for scores, part in zip(parts, sums, strict=True)]


def _interval(
    scores: Floats, observed: Floats, added: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of columns, NaN for those with a replicate without score."""
    low, high = intervals.skewed_interval(scores, level, observed, intervals.accelerations(added))
    undefined = np.isnan(scores).any(axis=0)
    return np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)


def sample_changes(
    database: Database,
    samples: Sequence[Sample],
    settings: Settings,
    families: Sequence[Hashable] | None = None,
    clusters: Clusters | None = None,
    pairs: Sequence[Hashable] | None = None,
) -> list[Change]:
    """Return the change of each sample; p-values are corrected over its family (Holm).

    ``families`` has that of each sample, ``pairs`` which two submissions it is of; without it they
    are one. Clusters are drawn and swapped whole; without them each sentence is one. A p-value
    rests on the settings' replicates, or on as many more as it takes until it is settled on which
    side of alpha the corrected one lies (Besag and Clifford 1991; Gandy 2009) and the smallest one
    there can be is told as such: at most ``MOST_SWAPS``.
    """
    named, of_pair = families or [None] * len(samples), pairs or [None] * len(samples)
    of_family = [*zip(of_pair, named, strict=True)]
    unit = clusters.unit if clusters else SENTENCE
    changes = [_change(sample, None, unit) for sample in samples]
    summed = {
        place: (sample.formula, _summed(sample.statistics, sample.sentence_nos, clusters))
        for place, sample in enumerate(samples)
        if sample.statistics is not None
    }
    statistics = {
        place: (formula, sums)
        for place, (formula, sums) in summed.items()
        if sums.shape[1] >= intervals.FEWEST_SENTENCES
        and samples[place].undefined_reason is None
        and samples[place].trials is None
    }
    for place, (formula, sums) in summed.items():
        # One document alone cannot be tested, but its scores are there.
        numbers = samples[place].sentence_nos
        fewest = 1 if samples[place].undefined_reason else intervals.FEWEST_SENTENCES
        if samples[place].trials is not None:
            changes[place] = _trial_change(database, samples[place], settings, clusters)
        elif place not in statistics and numbers is not None and len(numbers) >= fewest:
            whole = score_sums(database, formula, sums.sum(axis=1))
            changes[place] = _scored(changes[place], whole)
    tested = paired_tests(database, [*statistics.values()], ((0, 1),), settings)
    for place, result in zip(statistics, tested, strict=True):
        sample = samples[place]
        changes[place] = (
            replace(
                _change(sample, result, unit),
                replicates=settings.replicates,
                design_effect=_design_effect(sample, result, clusters),
                **_of_shares(sample, settings.level, clusters),
            )
            if sample.stored is None or as_stored(result.scores, sample.stored)
            else _change(sample.without(OTHER_FORMULA), None, unit)
        )
    changes = corrected(changes, of_family)
    while unsettled := [
        place
        for place, change in enumerate(changes)
        if (change.replicates or 0) < MOST_SWAPS
        and not _is_settled(change, settings.alpha, checks=named[place] == CHECK)
    ]:
        done: dict[Hashable, int] = {}
        for place in unsettled:
            most = max(changes[place].replicates or 0, done.get(of_pair[place], 0))
            done[of_pair[place]] = most
        for place in unsettled:
            swaps = min(MORE * done[of_pair[place]], MOST_SWAPS)
            p_value = _swap_p_value(database, *statistics[place], swaps, settings.seed)
            changes[place] = replace(changes[place], p_value=p_value, replicates=swaps)
        changes = corrected(changes, of_family)
    return changes


def _trial_change(
    database: Database, sample: Sample, settings: Settings, clusters: Clusters | None
) -> Change:
    """Return the change of a sample of which one submission has several trials."""
    unit = clusters.unit if clusters else SENTENCE
    sides = [_summed(trials, sample.sentence_nos, clusters) for trials in sample.sides]
    number = sides[0].shape[1]
    change = _change(sample, None, unit)
    if number < intervals.FEWEST_SENTENCES or sample.undefined_reason is not None:
        means = [score_sums(database, sample.formula, t.sum(axis=1)).mean() for t in sides]
        return _scored(change, np.array(means))
    new, base = trial_scores(database, sample.formula, sides, settings)
    if sample.stored is not None and not as_stored(np.array([new.mean, base.mean]), sample.stored):
        return _change(sample.without(OTHER_FORMULA), None, unit)
    result = estimate(new, base, number, settings.level)
    differing = informative(sides)
    few = differing < intervals.FEWEST_INFORMATIVE
    p_value = number_of(result.p_value)
    return replace(
        change,
        new=number_of(new.mean),
        base=number_of(base.mean),
        difference=number_of(result.value),
        low=None if few else number_of(result.low),
        high=None if few else number_of(result.high),
        p_value=p_value,
        sentence_p_value=number_of(result.sentence_p_value),
        test=TRIAL_TEST.format(unit=unit),
        undefined_reason=intervals.reason_of(p_value, differing, unit),
        trials=len(new.scores),
        base_trials=len(base.scores),
        trial_sd=new.sd,
        base_trial_sd=base.sd,
    )


def _scored(change: Change, scores: Floats) -> Change:
    """Return a change that cannot be tested with the scores of both, where they were not stored."""
    if change.new is not None or change.base is not None:
        return change
    new, base = (number_of(score) for score in scores)
    return replace(change, new=new, base=base, difference=difference(new, base))


def _of_shares(sample: Sample, level: float, clusters: Clusters | None) -> dict[str, Any]:
    """Return the interval where both scores are shares of yes or no of sentences, each alone."""
    if sample.statistics is None or sample.formula.score != SENTENCE_MEAN.score:
        return {}
    yes, one = sample.statistics[..., 0], sample.statistics[..., 1]
    alone = clusters is None or clusters.unit == SENTENCE
    if not alone or not (one == 1).all() or not np.isin(yes, (0, 1)).all():
        return {}
    only_new, only_base = (int((yes[a] > yes[b]).sum()) for a, b in ((0, 1), (1, 0)))
    low, high = intervals.paired_share_interval(only_new, only_base, yes.shape[1], level)
    return {"low": low, "high": high, "undefined_reason": None}


def _summed(statistics: Floats, sentence_nos: Integers | None, clusters: Clusters | None) -> Floats:
    if clusters is None or sentence_nos is None:
        return statistics
    return cluster_sums(statistics, clusters.of(sentence_nos))


def _design_effect(sample: Sample, tested: Tested, clusters: Clusters | None) -> float | None:
    """Return by how much clusters raise the variance of a difference."""
    if clusters is None or sample.statistics is None or sample.sentence_nos is None:
        return None
    new, base = intervals.influences(sample.statistics, tested.slopes)
    return intervals.design_effect(new - base, clusters.of(sample.sentence_nos))


def _is_settled(change: Change, alpha: float, *, checks: bool) -> bool:
    """Return whether more replicates would tell nothing else of a change.

    Of ``checks`` it is enough that the smallest p-value is far below alpha: others wait for them.
    """
    if change.p_value is None or change.p_holm is None or change.replicates is None:
        return True
    is_smallest = change.p_value * (change.replicates + 1) < 1.5
    if is_smallest:
        few = change.family_size <= FEW_TESTS and not checks
        return change.p_holm < (SMALLEST_REPORTED if few else alpha / 2)
    return change.monte_carlo_range(alpha) is None


def _swap_p_value(
    database: Database, formula: Formula, statistics: Floats, replicates: int, seed: int
) -> float:
    """Return the p-value of approximate randomisation of a sample of two submissions."""
    parts = exact_parts(statistics)
    k = statistics.shape[2]
    totals = parts.sum(axis=1).reshape(len(parts), 1, 2, k)
    stays = unswapped_sums(parts, replicates, seed).reshape(len(parts), replicates, 2, k)
    moved = (stays + totals[:, :, ::-1] - stays[:, :, ::-1]).sum(axis=0)
    swapped, whole = _scores(database, formula, [moved, totals.sum(axis=0)])
    differences = swapped[:, :1] - swapped[:, 1:]
    return float(intervals.randomisation_p_values(differences, whole[:, 0] - whole[:, 1])[0])


def corrected(
    changes: Sequence[AnyChange], families: Sequence[Hashable] | None = None
) -> list[AnyChange]:
    """Return changes with p-values corrected for the number of their family (Holm 1979).

    ``families`` has that of each change; without it they are one.
    """
    families = families or [None] * len(changes)
    p_values = [change.p_value for change in changes]
    sizes = Counter(of for of, p in zip(families, p_values, strict=True) if p is not None)
    return [
        replace(change, p_holm=p, family_size=sizes[of])
        for change, p, of in zip(changes, holm_by_family(p_values, families), families, strict=True)
    ]


def _change(sample: Sample, tested: Tested | None, unit: str) -> Change:
    """Return the change of a sample; one that cannot be tested says why."""
    new, base = sample.stored or (None, None)
    low = high = p_value = None
    reason: str | None = sample.undefined_reason or intervals.too_few_clusters(unit)
    if tested is not None:
        new, base = sample.stored or (number_of(tested.scores[0]), number_of(tested.scores[1]))
        low, high = number_of(tested.difference_low[0]), number_of(tested.difference_high[0])
        p_value = number_of(tested.p_values[0])
        reason = intervals.reason_of(p_value, int(tested.informative[0]), unit)
    return Change(
        measure=sample.measure,
        kind=sample.kind,
        new=new,
        base=base,
        difference=difference(new, base),
        low=low,
        high=high,
        p_value=p_value,
        n=0 if sample.statistics is None else int(sample.statistics.any(axis=2).all(axis=0).sum()),
        test=None if tested is None else TEST.format(unit=unit),
        undefined_reason=reason,
    )
