"""Tests of whether systems are rated higher than others, and the rank clusters drawn from them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from ..functions.statistics import Booleans, Floats, Integers, without_noise


@dataclass(frozen=True)
class RankSums:
    """Tests between every two of k samples: matrices (k, k), NaN where undefined."""

    u: Floats
    """Mann-Whitney U of the row's sample: pairs in which it is higher, a tie counting one half.
    Of signed ranks the sum of the positive ones, of WMT24's test the combined z."""
    p_value: Floats
    """One-sided: does the row's sample tend to be higher than the column's?"""
    documents: Floats | None = None
    """Documents that the test takes for independent; None where it takes sentences."""
    design_effect: Floats | None = None
    """How many times the variance by documents is that by sentences."""


def rank_sums(samples: Sequence[Floats]) -> RankSums:
    """Return whether each of k samples tends to be higher than each other one.

    Samples are finite numbers and may be empty: then their tests are undefined, as is a sample's
    test against itself. P-values are the normal approximation with corrections for ties, which
    rounding does not break, and for continuity; where all values of two samples are equal, they are
    1. Mille et al. 2018, section 5.2.1, Figures 4 to 6.
    """
    n = np.array([len(sample) for sample in samples])
    pooled = without_noise(np.concatenate([*samples, []]))
    values, codes = np.unique(pooled, return_inverse=True)
    counts = np.zeros((len(samples), len(values)))
    np.add.at(counts, (np.repeat(np.arange(len(samples)), n), codes), 1)
    return rank_sums_of_counts(counts)


def rank_sums_of_counts(counts: Floats) -> RankSums:
    """Return the tests of ``rank_sums`` between samples that hold each value so many times.

    ``counts`` has a row for each sample and a column for each value, in ascending order.
    """
    from scipy.special import ndtr

    n = counts.sum(axis=1)
    # Sums of products of counts are whole numbers, exact up to 200,000 values.
    below_doubled = 2 * np.cumsum(counts, axis=1) - counts
    u = counts @ below_doubled.T / 2

    pairs, total = np.multiply.outer(n, n), np.add.outer(n, n)
    squares_with = counts**2 @ counts.T
    cubes = (counts**3).sum(axis=1)
    ties = np.add.outer(cubes, cubes) + 3 * (squares_with + squares_with.T) - total
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(pairs / 12 * (total + 1 - ties / (total * (total - 1))))
        p_value = ndtr((pairs / 2 + 0.5 - u) / deviation)
    undefined = (pairs == 0) | np.eye(len(n), dtype=np.bool_)
    u[undefined] = p_value[undefined] = np.nan
    return RankSums(u, p_value)


def signed_ranks(scores: Floats) -> tuple[Floats, Floats]:
    """Return the sums of positive ranks and one-sided p-values between every two of k systems.

    ``scores`` has a row for each system and a column for each sentence, NaN where it was not
    judged; a pair is tested on the sentences judged of both. Sentences without a difference are
    left out; p-values are exact up to 50 sentences without ties, else the normal approximation
    (Wilcoxon 1945, as scipy computes it), and 1 where no sentence differs. NaN without a common
    sentence.
    """
    statistic, p_value = np.full((2, len(scores), len(scores)), np.nan)
    for one, other in combinations(range(len(scores)), 2):
        difference = _differences(scores[one], scores[other])
        if len(difference):
            statistic[one, other], p_value[one, other] = _wilcoxon(difference, "greater")
            statistic[other, one], p_value[other, one] = _wilcoxon(-difference, "greater")
    return statistic, p_value


def signed_ranks_in_domains(
    scores: Floats, domains: Integers, means: Floats
) -> tuple[Floats, Floats]:
    """Return the test of WMT24's rankings between every two of k systems: z and p-values.

    Two-sided signed-rank tests within each domain, whose normal quantiles are added up with equal
    weights (Stouffer's method) to one p-value, given to the system with the higher mean; that of
    the lower one is 1. So WMT24's published scripts compute it; two-sided p-values do not tell
    domains where one system is better from those where the other is. ``domains`` numbers the domain
    of each column of ``scores``, which are as in ``signed_ranks``.
    """
    from scipy.special import ndtr, ndtri

    statistic, p_value = np.full((2, len(scores), len(scores)), np.nan)
    for one, other in combinations(range(len(scores)), 2):
        in_domains = (
            _differences(scores[one, domains == domain], scores[other, domains == domain])
            for domain in np.unique(domains)
        )
        p_values = [
            _wilcoxon(differences, "two-sided")[1] for differences in in_domains if len(differences)
        ]
        if not p_values:
            continue
        combined = float((-ndtri(np.array(p_values))).sum() / np.sqrt(len(p_values)))
        higher, lower = (one, other) if means[one] >= means[other] else (other, one)
        statistic[higher, lower], statistic[lower, higher] = combined, -combined
        p_value[higher, lower], p_value[lower, higher] = ndtr(-combined), 1.0
    # A system that is significantly the same in all it can be has no finite quantile.
    largest = np.finfo(np.float64).max
    return np.clip(statistic, -largest, largest), p_value


def _differences(one: Floats, other: Floats) -> Floats:
    both = np.isfinite(one) & np.isfinite(other)
    pooled = without_noise(np.concatenate([one[both], other[both]]))
    count = len(pooled) // 2
    difference: Floats = pooled[:count] - pooled[count:]
    return difference


def _wilcoxon(
    difference: Floats, alternative: Literal["greater", "two-sided"]
) -> tuple[float, float]:

    from scipy.stats import wilcoxon

    if not difference.any():
        return 0.0, 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        test = wilcoxon(difference, alternative=alternative)
    return float(test.statistic), float(test.pvalue)


@dataclass(frozen=True)
class Ranks:
    """Where systems stand, one value for each, in the order they were given."""

    cluster: Integers
    """Number of the rank cluster, from 1 for the best."""
    rank_from: Integers
    """Best rank the tests allow: 1 + the number of systems that are significantly better."""
    rank_to: Integers
    """Worst rank they allow: the number of systems less those that are significantly worse."""


def rank_clusters(better: Booleans) -> Ranks:
    """Return clusters and rank ranges of systems that come best first.

    ``better`` is square: whether the system of the row is significantly better than the system of
    the column. A cluster ends where every system down to there is better than every system below:
    clusters are as small as that allows, and the ranks a system may have lie within its cluster.
    Bojar et al. 2017, section 3; Mille et al. 2018, section 5.2.1.
    """
    count = len(better)
    ends = [bool(better[:place, place:].all()) for place in range(1, count)]
    cluster = 1 + np.cumsum([0, *ends][:count], dtype=np.int64)
    return Ranks(cluster, 1 + better.sum(axis=0), count - better.sum(axis=1))
