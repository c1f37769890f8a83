"""Intervals and p-values of scores, resampled and exact, and what each sentence adds to them."""

from __future__ import annotations

from math import lgamma
from statistics import NormalDist

import numpy as np

from ...clusters import cluster_sums
from ...functions.statistics import Floats, Integers

FEWEST_SENTENCES = 2
FEWEST_INFORMATIVE = 10
"""Fewer sentences, or clusters, that differ say too little for an interval."""
NO_REPLICATE = "some of the resampled test sets have no score"
SKEWED = 0.05
"""Beyond this acceleration an end that should leave out .025 leaves out half as much again, or less
than two thirds."""
TIE = 1e-12
"""Differences this close are equal: the last digits of scores depend on how they are computed."""


def interval(scores: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval that holds a share of the replicates' scores.

    ``scores`` has the shape (replicates, …), the ends (…). As many scores are left out on either
    side: of 1,000 and a level of 0.95 the 25 lowest and the 25 highest.
    """
    outside = int(round(len(scores) * (1 - level) / 2, 9))
    ordered = np.sort(scores, axis=0)
    return ordered[outside], ordered[len(scores) - 1 - outside]


def too_few_clusters(unit: str) -> str:
    """Return why there is no test of fewer than two documents, texts or sentences."""
    return f"fewer than two {unit}s"


def too_few_differ(unit: str) -> str:
    """Return why there is no interval of few documents, texts or sentences that differ."""
    return f"no interval: fewer than ten {unit}s differ"


def reason_of(p_value: float | None, differing: int, unit: str) -> str | None:
    """Return why there is no p-value, or no interval, of so many units that differ."""
    if p_value is None:
        return NO_REPLICATE
    return too_few_differ(unit) if differing < FEWEST_INFORMATIVE else None


def skewed_interval(
    scores: Floats, level: float, observed: Floats, accelerations: Floats
) -> tuple[Floats, Floats]:
    """Return the ends of intervals as ``interval`` does, corrected where scores are skewed.

    ``observed`` are the scores themselves, ``accelerations`` a sixth of their skewness, of the
    shape (columns). Beyond ``SKEWED`` an interval is corrected for bias and skewness (BCa, Efron
    1987); all others are those of ``interval``, and of sacreBLEU.
    """
    low, high = interval(scores, level)
    normal = NormalDist()
    far = normal.inv_cdf((1 + level) / 2)
    for column in np.flatnonzero(np.abs(accelerations) > SKEWED):
        ordered, acceleration = np.sort(scores[:, column]), float(accelerations[column])
        below = (ordered < observed[column]).mean() + (ordered == observed[column]).mean() / 2
        bias = normal.inv_cdf(min(max(below, 0.5 / len(ordered)), 1 - 0.5 / len(ordered)))
        shares = []
        for end in (-far, far):
            scale = 1 - acceleration * (bias + end)
            moved = bias + (bias + end) / scale if scale > 0 else np.copysign(np.inf, end)
            shares.append(normal.cdf(moved))
        last = len(ordered) - 1
        low[column] = ordered[min(round(len(ordered) * shares[0]), last)]
        high[column] = ordered[max(last - round(len(ordered) * (1 - shares[1])), 0)]
    return low, high


def paired_share_interval(
    only_new: int, only_base: int, n: int, level: float
) -> tuple[float, float]:
    """Return the ends of the score interval of a difference of two paired shares (Tango 1998).

    Of ``n`` sentences ``only_new`` have it by new alone, ``only_base`` by base alone. It is defined
    where none differs, and near the ends of the scale.
    """
    gained, lost, edges = np.array([[only_new], [only_base], [n]], np.float64)
    quantile = NormalDist().inv_cdf((1 + level) / 2)
    (low,), (high,) = _ends(gained, lost, edges, quantile)
    return float(low), float(high)


def share_interval(counts: Floats, level: float) -> tuple[float, float]:
    """Return the ends of the exact interval of a share (Clopper and Pearson 1934).

    ``counts`` has the shape (clusters, 2): how many have it, of how many. Those of a cluster go
    together: counts are divided by the design effect, the variance over clusters in relation to
    that over cases (Rao and Scott 1992), at least 1; of few clusters it is known badly, which
    Student's t allows for (Korn and Graubard 1998). Where all or none have it each cluster counts
    as one, and the other end is little more than that of the rule of three. Near the ends of the
    scale it holds what it says, as Wilson's does not.
    """
    from scipy.special import betaincinv, stdtrit

    clusters, (had, of), outside = len(counts), counts.sum(axis=0), (1 - level) / 2
    effect = (counts[:, 1] ** 2).sum() / of
    if 0 < had < of and clusters < of:
        over_clusters = ((counts[:, 0] - had / of * counts[:, 1]) ** 2).sum()
        over_cases = had * (1 - had / of) * (clusters - 1) / clusters
        wider = stdtrit(clusters - 1, outside) / NormalDist().inv_cdf(outside)
        effect = max(over_clusters / over_cases, 1) * wider**2
    had, lacked = had / effect, (of - had) / effect
    low = betaincinv(had, lacked + 1, outside) if had > 0 else 0
    high = betaincinv(had + 1, lacked, 1 - outside) if lacked > 0 else 1
    return float(low), float(high)


def randomisation_p_values(differences: Floats, observed: Floats) -> Floats:
    """Return two-sided p-values of approximate randomisation.

    ``differences`` of swapped outputs have the shape (replicates, pairs), ``observed`` (pairs).
    """
    as_large = (np.abs(differences) >= np.abs(observed) - TIE).sum(axis=0)
    p_values: Floats = (as_large + 1) / (len(differences) + 1)
    return p_values


SIGN_FLIP = "exact sign-flip test over {unit}s"


def sign_flip_p_values(differences: Integers) -> Floats:
    """Return two-sided p-values, one per column; 1 where nothing differs.

    ``differences`` has the shape (sentences, columns): edges gained minus edges lost. Where two
    submissions do not differ, each sentence's difference may as well have the other sign. How
    likely the sum is then at least as far from 0 as the one seen is computed exactly. With at most
    one edge per sentence that is McNemar's test; with more, edges of a sentence stay together.
    """
    return np.array([_sign_flip_p_value(column) for column in np.asarray(differences, np.int64).T])


def _sign_flip_p_value(differences: Integers) -> float:
    observed = abs(int(differences.sum()))
    if not observed:
        return 1.0
    sizes, times = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    chances = np.ones(1)
    for size, number in zip(sizes.tolist(), times.tolist(), strict=True):
        spread = np.zeros(size * number + 1)
        spread[::size] = coin_chances(number)
        chances = np.convolve(chances, spread)
    largest = len(chances) - 1
    # The sum is twice what the positive ones add up to, minus the largest there can be.
    as_far = chances[(largest + observed) // 2 :]
    return float(min(2 * as_far[::-1].sum(), 1.0))


def smallest_p_values(differing: Integers) -> Floats:
    """Return the least p-values that the exact tests here can have, by how many units differ."""
    least: Floats = np.minimum(2.0 ** (1 - np.asarray(differing, np.float64)), 1)
    return least


def coin_chances(tosses: int) -> Floats:
    """Return the chances of 0, 1, … heads in so many tosses of a coin."""
    factorials = np.fromiter(map(lgamma, range(1, tosses + 2)), np.float64, tosses + 1)
    logarithm = factorials[-1] - factorials - factorials[::-1]
    chances: Floats = np.exp(logarithm - tosses * np.log(2))
    return chances


def mcnemar_p_values(only_new: Integers, only_base: Integers) -> Floats:
    """Return two-sided p-values of McNemar's test in its exact form, one for each pair of counts.

    Of the cases that only one of two has, each is as likely the one's as the other's.
    """
    fewer, both = np.minimum(only_new, only_base), only_new + only_base
    tails = np.empty(len(both))
    for tosses in np.unique(both).tolist():
        of_these = both == tosses
        tails[of_these] = np.cumsum(coin_chances(tosses))[fewer[of_these]]
    p_values: Floats = np.minimum(2 * tails, 1)
    return p_values


HALVINGS = 60
"""After so many an end of an interval is exact to the last digit."""


def paired_intervals(
    gained: Integers, lost: Integers, edges: Integers, level: float
) -> tuple[Floats, Floats]:
    """Return the ends of intervals of differences of paired shares, one pair of ends per column.

    ``gained``, ``lost`` and ``edges`` are counts of the shape (sentences, columns); each column has
    an edge. The difference is the sum of those gained minus lost, over that of edges. The interval
    holds the differences that Tango's score test of paired proportions does not reject (Tango
    1998). Edges of a sentence stand and fall together: counts are divided by the design effect,
    the variance of the difference over sentences in relation to that over edges (Rao and Scott
    1992), at least 1, as it is with one edge per sentence. Where nothing, or everything, differs
    the variance tells nothing; then each sentence counts as one.
    """
    won, gone, all_edges = (
        edges_of_one.sum(axis=0).astype(np.float64) for edges_of_one in (gained, lost, edges)
    )
    share = (won - gone) / all_edges
    over_sentences = ((gained - lost - share * edges) ** 2).sum(axis=0)
    over_edges = won + gone - (won - gone) * share
    as_one = (edges.astype(np.float64) ** 2).sum(axis=0) / all_edges
    varies = over_edges > TIE
    effect = np.divide(over_sentences, over_edges, out=as_one, where=varies).clip(1)
    counts = won / effect, gone / effect, all_edges / effect
    quantile = NormalDist().inv_cdf((1 + level) / 2)
    return _ends(*counts, quantile)


def _ends(gained: Floats, lost: Floats, edges: Floats, quantile: float) -> tuple[Floats, Floats]:
    """Return the least and the largest difference that the score test does not reject."""
    low, high = (_last_accepted(gained, lost, edges, end, quantile) for end in (-1.0, 1.0))
    return low, high


def _last_accepted(
    gained: Floats, lost: Floats, edges: Floats, end: float, quantile: float
) -> Floats:
    """Return how far towards an end (-1 or 1) the true difference may lie from the one seen."""
    inside = (gained - lost) / edges
    outside = np.full_like(inside, end)
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        # The likeliest share of edges lost where the difference is ``middle``: Tango 1998, (8).
        half = (2 * edges - gained + lost) * middle - gained - lost
        square = half**2 + 8 * edges * lost * middle * (1 - middle)
        share = (np.sqrt(np.maximum(square, 0)) - half) / (4 * edges)
        variance = edges * (2 * share + middle * (1 - middle))
        rejected = (gained - lost - edges * middle) ** 2 > quantile**2 * variance
        inside, outside = np.where(rejected, (inside, middle), (middle, outside))
    return inside


STEP = 1e-4
"""By this share of it a sum is raised and lowered."""


def nudged_sums(totals: Floats) -> Floats:
    """Return sums of which one at a time is raised, then lowered: (2, k, submissions, k).

    ``totals`` has the shape (submissions, k). None becomes negative: of counts no score is known.
    """
    step = _step(totals)
    one = np.eye(totals.shape[1], dtype=np.bool_)[:, np.newaxis]
    ends = totals + step, np.where(totals == 0, totals, totals - step)
    return np.stack([np.where(one, end, totals) for end in ends])


def gradients(nudged: Floats, totals: Floats) -> Floats:
    """Return the slope of scores by their sums, (submissions, k); NaN where it is undefined.

    ``nudged`` are the scores of what ``nudged_sums`` returns: (2, k, submissions).
    """
    width = _step(totals) * (1 + (totals != 0))
    slopes: Floats = (nudged[0] - nudged[1]).T / width
    return slopes


def _step(totals: Floats) -> Floats:
    return STEP * np.where(totals == 0, 1, np.abs(totals))


def influences(statistics: Floats, slopes: Floats) -> Floats:
    """Return what each sentence, or cluster, adds to a score: (submissions, sentences).

    It is the empirical influence function (Efron 1987, section 7), from the slope of the score by
    sums of statistics, of the shape (submissions, sentences, k); its mean is 0.
    """
    usable = np.where(statistics.any(axis=1), slopes, 0)
    added = np.einsum("sk,sik->si", usable, statistics)
    centred: Floats = added - added.mean(axis=1, keepdims=True)
    return centred


def accelerations(added: Floats) -> Floats:
    """Return the acceleration of a statistic, a sixth of its skewness (Efron 1987, equation 7.3).

    ``added`` are influences of the shape (…, clusters). It is 0 where nothing differs or slopes
    are undefined.
    """
    scale = (added**2).sum(axis=-1) ** 1.5
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (added**3).sum(axis=-1) / (6 * scale)
    return np.where(np.isfinite(values), values, 0)


def design_effect(added: Floats, keys: Integers) -> float | None:
    """Return the variance of a statistic over clusters by that over sentences (Kish 1965).

    ``added`` are influences of sentences, ``keys`` tell their clusters. None where nothing differs
    or slopes are undefined.
    """
    of_clusters = cluster_sums(added[np.newaxis, :, np.newaxis], keys).ravel()
    variances = [
        (parts**2).sum() * len(parts) / (len(parts) - 1) if len(parts) > 1 else np.nan
        for parts in (of_clusters, added)
    ]
    return float(variances[0] / variances[1]) if variances[1] > 0 <= variances[0] else None
