"""How metrics order pairs of outputs, and of systems, as people do.

Scores are matrices with a row for each system and a column for each item (a sentence); NaN is a
missing score, and higher is better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .statistics import FEWEST_VALUES, Floats, Integers, without_noise

ITEM, SYSTEM, NONE = GROUPINGS = ("item", "system", "none")
RESAMPLES = 1000
MOST_PAIRS = 2_000_000
"""Of more pairs of outputs a sample is drawn."""
ROUNDING = 1e-9
"""Sums of numbers that are nearer to each other than this share of them are the same."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of outputs, as places in the flattened matrix of scores, and the group of each."""

    first: Integers
    second: Integers
    group: Integers
    """From 0; all numbers have pairs."""
    drawn: bool = False
    """Whether they are a sample of all pairs."""

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return int(self.group.max()) + 1 if len(self.group) else 0


@dataclass(frozen=True)
class Calibrated:
    """Pairwise accuracy with the threshold below which a metric's scores count as tied."""

    accuracy: float
    """Mean over groups of the share of pairs in which metric and people say the same, 0 to 1."""
    epsilon: float
    """The threshold: the absolute difference up to which scores are tied, in the metric's unit."""


def pairs_of_outputs(scored: Floats, grouping: str, seed: int = 0) -> Pairs:
    """Return the pairs of scored outputs of an item (over systems), of a system, or of all.

    ``scored`` is a matrix that is NaN where an output does not count. Above MOST_PAIRS a sample
    of that size is drawn by ``seed``, without regard to groups.
    """
    present = np.isfinite(scored)
    places = np.arange(present.size).reshape(present.shape)
    if grouping == NONE:
        rows = places[present][np.newaxis]
    else:
        rows = (
            np.where(present, places, -1) if grouping == SYSTEM else np.where(present, places, -1).T
        )
    count = rows.shape[1]
    drawn = len(rows) * count * (count - 1) // 2 > MOST_PAIRS
    if drawn:
        rng = np.random.default_rng(seed)
        row = rng.integers(len(rows), size=MOST_PAIRS)
        one, step = rng.integers(count, size=MOST_PAIRS), rng.integers(1, count, size=MOST_PAIRS)
        first, second = rows[row, one], rows[row, (one + step) % count]
    else:
        one, other = np.triu_indices(count, 1)
        row = np.repeat(np.arange(len(rows)), len(one))
        first, second = rows[:, one].ravel(), rows[:, other].ravel()
    both = (first >= 0) & (second >= 0)
    _, group = np.unique(row[both], return_inverse=True)
    return Pairs(first[both], second[both], group, drawn)


def differences(scores: Floats, pairs: Pairs) -> Floats:
    """Return the first score minus the second of each pair.

    Scores are compared as they are: published figures count -5.2 and -5.199999999999999 as two.
    """
    flat = scores.ravel()
    apart: Floats = flat[pairs.first] - flat[pairs.second]
    return apart


def calibrated_accuracy(people: Floats, metric: Floats, pairs: Pairs) -> Calibrated | None:
    """Return acc*_eq of a metric, or None where there is no pair.

    A pair counts as right where metric and people both find the same output better, or both a tie.
    As metrics hardly ever give the same score twice, scores that differ by no more than epsilon
    are taken as tied; epsilon is the observed difference (or 0) with the highest accuracy, the
    smallest of several. Deutsch et al. 2023, sections 5 and 6.
    """
    if not len(pairs.first):
        return None
    of_people, of_metric = differences(people, pairs), differences(metric, pairs)
    weight = weights(pairs)
    right = weight * (np.sign(of_people) == np.sign(of_metric))
    gained = weight * (of_people == 0) - right  # by taking the pair as a tie
    distance = np.abs(of_metric)
    order = np.argsort(distance, kind="stable")
    ascending = distance[order]
    last = np.flatnonzero(np.diff(ascending, append=np.inf))
    accuracy = right.sum() + np.concatenate([[0.0], np.cumsum(gained[order])[last]])
    best = int(np.argmax(accuracy >= accuracy.max() - ROUNDING))
    return Calibrated(float(accuracy[best]), 0.0 if best == 0 else float(ascending[last[best - 1]]))


def accuracy_by_group(people: Floats, metric: Floats, pairs: Pairs, epsilon: float) -> Floats:
    """Return the pairwise accuracy of each group, scores no more than epsilon apart being tied."""
    apart = differences(metric, pairs)
    signs = np.where(np.abs(apart) <= epsilon, 0, np.sign(apart))
    right = signs == np.sign(differences(people, pairs))
    shares: Floats = np.bincount(pairs.group, right, pairs.groups) / np.bincount(pairs.group)
    return shares


def tau_by_group(people: Floats, metric: Floats, pairs: Pairs) -> Floats:
    """Return Kendall's tau-b of each group, -1 to 1.

    It is NaN where people, or the metric, give all its outputs the same score. Kendall
    1945: concordant minus discordant pairs by the geometric mean of those that either does not tie.
    """
    of_people = np.sign(differences(people, pairs))
    of_metric = np.sign(differences(metric, pairs))
    concordance, untied, other_untied = (
        np.bincount(pairs.group, values, pairs.groups)
        for values in (of_people * of_metric, of_people != 0, of_metric != 0)
    )
    spread = np.sqrt(untied * other_untied)
    with np.errstate(invalid="ignore", divide="ignore"):
        tau: Floats = np.where(spread > 0, concordance / spread, np.nan)
    return tau


def pearson_by_group(people: Floats, metric: Floats, grouping: str) -> Floats:
    """Return Pearson's r of the outputs of each item, of each system, or of all (one value).

    It is NaN where a group has fewer than three outputs or one score only.
    """
    both = np.isfinite(people) & np.isfinite(metric)
    columns = [np.where(both, values, 0) for values in (people, metric)]
    if grouping == NONE:
        both, columns = both.reshape(1, -1), [values.reshape(1, -1) for values in columns]
    elif grouping == ITEM:
        both, columns = both.T, [values.T for values in columns]
    count = both.sum(axis=1, keepdims=True)
    centred = []
    for values in columns:
        deviation = np.where(
            both, values - values.sum(axis=1, keepdims=True) / np.maximum(count, 1), 0
        )
        largest = np.abs(values).max(axis=1, keepdims=True, initial=0)
        centred.append(np.where(np.abs(deviation) > ROUNDING * largest, deviation, 0))
    human, scores = centred
    spread = np.sqrt((human**2).sum(axis=1) * (scores**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Floats = (human * scores).sum(axis=1) / spread
    return np.where((spread > 0) & (count[:, 0] >= FEWEST_VALUES), r, np.nan)


def pairwise_accuracy(people: Floats, metric: Floats) -> float:
    """Return the share of pairs of systems that a metric orders as people do, 0 to 1.

    Both are a score for each of at least two systems. A tie of people is met by a tie only.
    Kocmi et al. 2021, section 3.
    """
    rows = [without_noise(values)[np.newaxis] for values in (people, metric)]
    return float(order_agreement(*rows)[0])


def soft_accuracy(
    people: Floats, metrics: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> Floats:
    """Return soft pairwise accuracy (SPA) of each of ``metrics``; NaN where it is undefined.

    ``metrics`` is a stack of matrices. For each pair of systems, people's scores of the items that
    both have say by a one-sided paired permutation test how sure it is that one system is better;
    so do the metric's; SPA is 1 minus the mean absolute difference of the p-values. All tests flip
    the same randomly drawn signs; equal sums count one half, so that systems may be in
    any order. Thompson et al. 2024, section 4.
    """
    flips = np.random.default_rng(seed).choice([-1.0, 1.0], (resamples, people.shape[1]))
    of_people = _p_values(people, flips)
    agreements = []
    for metric in metrics:
        apart = np.abs(of_people - _p_values(np.where(np.isfinite(people), metric, np.nan), flips))
        agreements.append(1 - np.mean(apart))
    return np.array(agreements, np.float64)


def _p_values(scores: Floats, flips: Floats) -> Floats:
    """Return for each pair of systems the share of sign flips whose sum is above what it is."""
    one, other = np.triu_indices(len(scores), 1)
    apart = np.nan_to_num(scores[one] - scores[other])
    sums, seen = flips @ apart.T, apart.sum(axis=1)
    noise = ROUNDING * np.abs(apart).sum(axis=1)
    higher, lower = sums > seen + noise, sums < seen - noise
    p_values: Floats = higher.mean(axis=0) + (~higher & ~lower).mean(axis=0) / 2
    return p_values


def weights(pairs: Pairs) -> Floats:
    """Return what each pair weighs in a mean over groups of means over pairs."""
    weight: Floats = 1 / (np.bincount(pairs.group)[pairs.group] * pairs.groups)
    return weight


def order_agreement(people: Floats, metrics: Floats) -> Floats:
    """Return pairwise accuracy of rows of systems' scores; one row goes with each of several."""
    one, other = np.triu_indices(people.shape[1], 1)
    signs = [np.sign(values[:, one] - values[:, other]) for values in (people, metrics)]
    agreed: Floats = (signs[0] == signs[1]).mean(axis=1)
    return agreed


def correlation_of_means(people: Floats, metrics: Floats, weights: Floats | None = None) -> Floats:
    """Return Pearson's r of rows of systems' scores, NaN where one is constant.

    ``weights`` say how often each system counts in each row; once for None.
    """
    times = np.ones_like(metrics) if weights is None else weights
    total = times.sum(axis=1, keepdims=True)
    of_people, of_metrics = (
        scores - (times * scores).sum(axis=1, keepdims=True) / total for scores in (people, metrics)
    )
    spread = np.sqrt((times * of_people**2).sum(axis=1) * (times * of_metrics**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        r: Floats = np.where(
            spread > 0, (times * of_people * of_metrics).sum(axis=1) / spread, np.nan
        )
    return r
