"""Correlations of columns of scores, outliers that alone make one, and which of two is higher."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..functions.statistics import FEWEST_VALUES, Booleans, Floats, correlate

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
    found = correlate(np.vstack([one, others]), method, with_first=True)
    correlated = []
    for other in range(1, len(names)):
        n = int(found.n[0, other])
        reason = None
        if n < FEWEST_VALUES:
            reason = f"fewer than {FEWEST_VALUES} {unit}s have both"
        elif found.constant[0, other]:
            reason = f"{names[0]} is the same in all {n} {unit}s"
        elif found.constant[other, 0]:
            reason = f"{names[other]} is the same in all {n} {unit}s"
        if reason is not None:
            correlated.append(Correlation(n, None, None, reason))
            continue
        coefficient, p_value = found.coefficient[0, other], found.p_value[0, other]
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
