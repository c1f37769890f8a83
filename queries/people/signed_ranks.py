"""Whether systems are rated higher on the same sentences: Wilcoxon signed-rank tests."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Literal

from sr_tracker.queries.functions.statistics import without_noise

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers


def signed_ranks(scores: Floats) -> tuple[Floats, Floats]:
    """Return the sums of positive ranks and one-sided p-values between every two of k systems.

    ``scores`` has a row for each system and a column for each sentence, NaN where it was not
    judged; a pair is tested on the sentences judged of both. Sentences without a difference are
    left out; p-values are exact up to 50 sentences without ties, else the normal approximation
    (Wilcoxon 1945, as scipy computes it), and 1 where no sentence differs. NaN without a common
    sentence.
    """
    import numpy as np

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
    import numpy as np
    from scipy.special import ndtr, ndtri

    statistic, p_value = np.full((2, len(scores), len(scores)), np.nan)
    for one, other in combinations(range(len(scores)), 2):
        in_domains = (
            _differences(scores[one, domains == domain], scores[other, domains == domain])
            for domain in np.unique(domains)
        )
        found = [_wilcoxon(each, "two-sided")[1] for each in in_domains if len(each)]
        if not found:
            continue
        combined = float((-ndtri(np.array(found))).sum() / np.sqrt(len(found)))
        higher, lower = (one, other) if means[one] >= means[other] else (other, one)
        statistic[higher, lower], statistic[lower, higher] = combined, -combined
        p_value[higher, lower], p_value[lower, higher] = ndtr(-combined), 1.0
    # A system that is significantly the same in all it can be has no finite quantile.
    largest = np.finfo(np.float64).max
    return np.clip(statistic, -largest, largest), p_value


def _differences(one: Floats, other: Floats) -> Floats:
    import numpy as np

    both = np.isfinite(one) & np.isfinite(other)
    pooled = without_noise(np.concatenate([one[both], other[both]]))
    count = len(pooled) // 2
    difference: Floats = pooled[:count] - pooled[count:]
    return difference


def _wilcoxon(
    difference: Floats, alternative: Literal["greater", "two-sided"]
) -> tuple[float, float]:
    import warnings

    from scipy.stats import wilcoxon

    if not difference.any():
        return 0.0, 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = wilcoxon(difference, alternative=alternative)
    return float(found.statistic), float(found.pvalue)
