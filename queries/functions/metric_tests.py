"""Whether one metric agrees with people better than another: permutations and resampled items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...schema.progress import Progress, silent
from . import swapped_scores
from .pair_agreement import ITEM, ROUNDING, Pairs, correlation_of_means, pairs_of_outputs
from .statistics import FEWEST_VALUES, Booleans, Floats, Integers, correlate

SENTENCE, SYSTEM = "sentence", "system"
ACCURACY, KENDALL, PEARSON = "accuracy", "kendall", "pearson"
PAIRWISE, SOFT = "pairwise_accuracy", "soft_accuracy"
_BLOCK, _TIMES = 250, 1000
_COUPLES = 250


@dataclass(frozen=True)
class Tested:
    """Squares of p-values that the row's metric agrees with people better than the column's."""

    p_value: Floats
    """One-sided, of this pair alone."""
    p_corrected: Floats
    """Two-sided, corrected for all pairs; the same in both directions."""


def permutation_tests(
    people: Floats,
    metrics: Floats,
    grouping: str,
    epsilons: Sequence[float],
    *,
    resamples: int,
    seed: int,
    progress: Progress = silent,
) -> dict[tuple[str, str], Tested]:
    """Return for each level and statistic two squares of p-values: the row's metric agrees better.

    PERM-BOTH: metrics are standardised, then the two scores of each output, whatever its system
    and item, are swapped or not by a coin; the p-value is the share of such swaps after which the
    difference is at least the one seen (the one seen counted among them). Statistics of outputs are
    ``accuracy`` (acc*_eq, each metric's threshold going with its scores; between a score of one
    and one of the other it is the mean of both thresholds), ``pearson`` and, grouped by item,
    ``kendall``; those of systems ``pairwise_accuracy``, ``soft_accuracy`` and ``pearson`` of means.
    NaN where there is no test. Deutsch et al. 2021, section 3.2.

    The second square is two-sided and corrected for all pairs of metrics: the share of swaps after
    which the largest of all pairs' differences, in each one's standard deviations over swaps, is at
    least the pair's (Westfall and Young 1993, section 2.3). Unlike Holm's it can be as small for
    many pairs as for one, with as few swaps.

    ``metrics`` is a stack of matrices like ``people``; ``epsilons`` are in the metrics' units.
    """
    count, outputs = len(metrics), people.size
    pairs = pairs_of_outputs(people, grouping, seed)
    standard = [_standardised(values, people) for values in metrics]
    scores = np.stack([values for values, _ in standard]) if standard else metrics
    scaled = np.array([e / scale for e, (_, scale) in zip(epsilons, standard, strict=True)])
    every = np.array([*combinations(range(count), 2)], np.int64).reshape(-1, 2)
    names = [(SENTENCE, ACCURACY), (SENTENCE, PEARSON)]
    names += [(SENTENCE, KENDALL)] if grouping == ITEM else []
    names += [(SYSTEM, PAIRWISE), (SYSTEM, PEARSON), (SYSTEM, SOFT)]
    squares = {name: np.full((count, count), np.nan) for name in names}
    deviations = {name: np.full((count, count), np.nan) for name in names}
    largest = {name: np.zeros(resamples) for name in names}
    for start in range(0, len(every), _COUPLES):
        progress("pairs of metrics", start, len(every))
        couples = every[start : start + _COUPLES]
        first, second = couples.T
        seen: dict[tuple[str, str], Floats] = {}
        counted: dict[tuple[str, str], Floats] = {}
        spread: dict[tuple[str, str], Floats] = {}
        for at, swaps in enumerate(_swaps(outputs, resamples, seed)):
            for name, differences in _swapped(
                people, scores, couples, swaps, grouping, scaled, pairs
            ):
                if name not in seen:
                    seen[name], counted[name] = differences[:, :1], np.ones((2, len(couples)))
                    spread[name] = np.sqrt(np.mean(differences[:, 1:] ** 2, axis=1, keepdims=True))
                times = slice(at * _TIMES, at * _TIMES + len(swaps) - 1)
                scaled_by = np.nan_to_num(_ratio(np.abs(differences[:, 1:]), spread[name]))
                largest[name][times] = np.maximum(largest[name][times], scaled_by.max(axis=0))
                apart = differences[:, 1:] - seen[name]
                if name == (SYSTEM, SOFT):
                    _settle(apart, people, scores, couples, swaps)
                counted[name] += [(apart >= -ROUNDING).sum(axis=1), (apart <= ROUNDING).sum(axis=1)]
        for name, (higher, lower) in counted.items():
            defined = np.isfinite(seen[name][:, 0])
            squares[name][first, second] = np.where(defined, higher / (1 + resamples), np.nan)
            squares[name][second, first] = np.where(defined, lower / (1 + resamples), np.nan)
            of_seen = np.where(
                defined, np.nan_to_num(_ratio(np.abs(seen[name]), spread[name]))[:, 0], np.nan
            )
            deviations[name][first, second] = deviations[name][second, first] = of_seen
    progress("pairs of metrics", len(every), len(every))
    return {
        name: Tested(square, _corrected(deviations[name], largest[name]))
        for name, square in squares.items()
    }


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = above / below
    return np.where(below > ROUNDING, ratio, np.where(np.isfinite(above), 0, np.nan))


def _corrected(deviations: Floats, largest: Floats) -> Floats:
    lower = np.searchsorted(np.sort(largest), deviations * (1 - ROUNDING))
    p_values = (1 + len(largest) - lower) / (1 + len(largest))
    return np.where(np.isnan(deviations), np.nan, p_values)


def _swaps(outputs: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield coins for all outputs (columns) some times each, behind a row of none swapped."""
    coins = np.random.default_rng(seed)
    for start in range(0, resamples, _TIMES):
        sizes = [
            min(_BLOCK, resamples - at)
            for at in range(start, min(start + _TIMES, resamples), _BLOCK)
        ]
        drawn = [coins.integers(0, 2, (size, outputs), np.uint8) for size in sizes]
        yield np.concatenate([np.zeros((1, outputs), np.uint8), *drawn]).astype(np.float64)


def _swapped(
    people: Floats,
    scores: Floats,
    couples: Integers,
    swaps: Floats,
    grouping: str,
    epsilons: Floats,
    pairs: Pairs,
) -> Iterator[tuple[tuple[str, str], Floats]]:
    """Yield by how much the first metrics agree better, by statistic; NaN where undefined."""
    yield (
        (SENTENCE, ACCURACY),
        swapped_scores.accuracy_of_outputs(people, scores, couples, swaps, epsilons, pairs),
    )
    yield (
        (SENTENCE, PEARSON),
        swapped_scores.pearson_of_outputs(people, scores, couples, swaps, grouping),
    )
    if grouping == ITEM:
        yield (SENTENCE, KENDALL), swapped_scores.kendall_by_item(people, scores, couples, swaps)
    scored = np.isfinite(people + scores).transpose(1, 0, 2)
    of_both = (scored[:, couples[:, 0]] & scored[:, couples[:, 1]]).any(axis=2).all(axis=0)
    complete = np.flatnonzero(of_both) if len(people) > 1 else np.array([], np.int64)
    shape = (len(couples), len(swaps))
    by_statistic = {name: np.full(shape, np.nan) for name in (PAIRWISE, PEARSON, SOFT)}
    if len(complete):
        chosen = couples[complete]
        by_statistic[PAIRWISE][complete], by_statistic[PEARSON][complete] = (
            swapped_scores.accuracy_and_pearson_of_systems(people, scores, chosen, swaps)
        )
        by_statistic[SOFT][complete] = swapped_scores.soft_accuracy_of_systems(
            people, scores, chosen, swaps
        )
    yield from (((SYSTEM, name), values) for name, values in by_statistic.items())


def _settle(
    apart: Floats, people: Floats, scores: Floats, couples: Integers, swaps: Floats
) -> None:
    """Put differences of double precision where those of single precision may not decide."""
    near = (np.abs(apart) < swapped_scores.NEAR) & (apart != 0)
    for place in np.flatnonzero(near.any(axis=1)):
        one, other = scores[couples[place]]
        times = np.flatnonzero(near[place])
        exact = swapped_scores.exact_soft_accuracy(people, one, other, swaps[[0, *(1 + times)]])
        apart[place, times] = exact[1:] - exact[0]


def resampled_means(by_item: Floats, draws: Floats) -> Floats:
    """Return means over resampled items: a row for each metric, a column for each draw.

    ``by_item`` has a row for each metric, NaN where an item has no value; ``draws`` says how often
    each item (column) was drawn each time (row).
    """
    defined = np.isfinite(by_item)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = (np.where(defined, by_item, 0) @ draws.T) / (defined @ draws.T)
    return means


def resampled_systems(
    people: Floats, metric: Floats, draws: Floats, drawn_systems: Floats
) -> dict[str, Floats]:
    """Return pairwise accuracy, SPA and Pearson's r of systems' means, for each draw of both.

    BOOT-BOTH (Deutsch et al. 2021, section 3.1): ``draws`` say how often each item, and
    ``drawn_systems`` how often each system was drawn each time. A system that was drawn twice is no
    pair with itself; r is NaN for fewer than three different systems. SPA's permutation tests are
    replaced by their normal approximation: flipped signs give sums with mean 0, whose variance is
    the sum of squared differences.
    """
    from scipy.special import ndtr

    both = np.isfinite(people) & np.isfinite(metric)
    human, scores_of_metric = np.where(both, people, 0), np.where(both, metric, 0)
    one, other = np.triu_indices(len(people), 1)
    pairs = drawn_systems[:, one] * drawn_systems[:, other]
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = draws @ both.T
        of_people, of_metric = (draws @ human.T) / drawn, (draws @ scores_of_metric.T) / drawn
        p_values = []
        for scores in (human, scores_of_metric):
            apart = np.where(both[one] & both[other], scores[one] - scores[other], 0)
            p_values.append(ndtr(np.nan_to_num(-(draws @ apart.T) / np.sqrt(draws @ (apart**2).T))))
        signs = [np.sign(terms[:, one] - terms[:, other]) for terms in (of_people, of_metric)]
        accuracy, apart = (
            (pairs * terms).sum(axis=1) / pairs.sum(axis=1)
            for terms in (signs[0] == signs[1], np.abs(p_values[0] - p_values[1]))
        )
    few = (drawn_systems > 0).sum(axis=1) < FEWEST_VALUES
    r = correlation_of_means(of_people, of_metric, drawn_systems)
    return {PAIRWISE: accuracy, SOFT: 1 - apart, PEARSON: np.where(few, np.nan, r)}


def draws_of_items(items: int, resamples: int, seed: int) -> Floats:
    """Return how often each of the items is drawn (column) in each of the resamples (row)."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(items, np.full(items, 1 / items), resamples).astype(np.float64)


def draws_of_clusters(keys: Integers, resamples: int, seed: int) -> Floats:
    """Return the same of items that are drawn together where their keys are equal."""
    numbers, place = np.unique(keys, return_inverse=True)
    return draws_of_items(len(numbers), resamples, seed)[:, place]


def bootstrap_p_values(replicates: Floats, seen: Floats) -> Floats:
    """Return a square of two-sided p-values that two metrics agree with people equally well.

    A difference of resampled values is held against the one that was ``seen``: the p-value is the
    share of draws in which it lies at least as far from that as that does from 0, the one seen
    counted among them, so that it is never 0 (Hall and Wilson 1991; Davison and Hinkley 1997,
    section 4.2). ``replicates`` has a row for each metric, a column for each draw; NaN where a
    metric has none.
    """
    count = len(replicates)
    square = np.full((count, count), np.nan)
    for one, other in combinations(range(count), 2):
        apart, difference = replicates[one] - replicates[other], seen[one] - seen[other]
        apart = apart[np.isfinite(apart)]
        if len(apart) and np.isfinite(difference):
            far = np.abs(apart - difference) >= np.abs(difference) - ROUNDING
            square[one, other] = square[other, one] = (1 + far.sum()) / (1 + len(apart))
    return square


def _standardised(metric: Floats, people: Floats) -> tuple[Floats, float]:
    """Return z-scores of what people judged, and the unit they are in; constants are all 0."""
    scores = np.where(np.isfinite(people), metric, np.nan)
    if not np.isfinite(scores).any():
        return scores, 1.0
    scale = float(np.nanstd(scores)) or 1.0
    return (scores - np.nanmean(scores)) / scale, scale


CUTOFF = 2.5
NORMAL = 1.483  # makes the median absolute deviation of normal values their standard deviation


@dataclass(frozen=True)
class Correlation:
    """Pearson's, Spearman's or Kendall's coefficient of two columns, or why there is none."""

    n: int
    coefficient: float | None
    p_value: float | None
    undefined_reason: str | None


def correlations(
    one: Floats, others: Floats, method: str, names: Sequence[str], unit: str
) -> list[Correlation]:
    """Return how a column correlates with each row of ``others``; NaN is a missing value.

    The ``names``, the column's and then the others', and the ``unit`` that values are of tell why
    a coefficient is undefined: for fewer than three values, and where all are the same.
    """
    result = correlate(np.vstack([one, others]), method, with_first=True)
    correlated = []
    for other in range(1, len(names)):
        n = int(result.n[0, other])
        reason = None
        if n < FEWEST_VALUES:
            reason = f"fewer than {FEWEST_VALUES} {unit}s have both"
        elif result.constant[0, other]:
            reason = f"{names[0]} is the same in all {n} {unit}s"
        elif result.constant[other, 0]:
            reason = f"{names[other]} is the same in all {n} {unit}s"
        if reason is not None:
            correlated.append(Correlation(n, None, None, reason))
            continue
        coefficient, p_value = result.coefficient[0, other], result.p_value[0, other]
        correlated.append(Correlation(n, float(coefficient), float(p_value), None))
    return correlated


def outliers(scores: Floats) -> Booleans:
    """Return which of the human scores of at least one system lie too far from their median.

    Too far are more than 2.5 times 1.483 median absolute deviations (Mathur et al. 2020,
    section 4.1). Where more than half of the scores are the same the rule has no yardstick:
    nothing is an outlier then.
    """
    distance = np.abs(scores - np.median(scores))
    yardstick = NORMAL * np.median(distance)
    far: Booleans = (distance > CUTOFF * yardstick) & (yardstick > 0)
    return far


FEWEST_SYSTEMS = 4


def williams_p_value(n: int, higher: float, lower: float, between: float) -> float | None:
    """Return the one-sided p-value that the first of two dependent correlations is not higher.

    ``higher`` and ``lower`` are Pearson's r of two metrics with the same human scores of ``n``
    systems, ``between`` is r of the two metrics with each other. The difference over its standard
    error follows Student's t with n - 3 degrees of freedom (Williams 1959, as in Graham and
    Baldwin 2014; Mille et al. 2018, section 5.2.1, Table 9). None for fewer than four systems:
    no degree of freedom is left. Metrics that agree perfectly differ by nothing: 0.5.
    """
    from scipy.special import stdtr

    if n < FEWEST_SYSTEMS:
        return None
    determinant = 1 - higher**2 - lower**2 - between**2 + 2 * higher * lower * between
    mean = (higher + lower) / 2
    variance = 2 * max(determinant, 0) * (n - 1) / (n - 3) + mean**2 * (1 - between) ** 3
    difference = (higher - lower) * math.sqrt((n - 1) * (1 + between))
    if difference == 0 or variance == 0:
        return 0.5
    return float(stdtr(n - 3, -difference / math.sqrt(variance)))
