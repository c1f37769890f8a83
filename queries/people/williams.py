"""The Williams test of whether one of two metrics is closer to people's judgement."""

from __future__ import annotations

FEWEST_SYSTEMS = 4


def williams_p_value(n: int, higher: float, lower: float, between: float) -> float | None:
    """Return the one-sided p-value that the first of two dependent correlations is not higher.

    ``higher`` and ``lower`` are Pearson's r of two metrics with the same human scores of ``n``
    systems, ``between`` is r of the two metrics with each other. The difference over its standard
    error follows Student's t with n - 3 degrees of freedom (Williams 1959, as in Graham and
    Baldwin 2014; Mille et al. 2018, section 5.2.1, Table 9). None for fewer than four systems:
    no degree of freedom is left. Metrics that agree perfectly differ by nothing: 0.5.
    """
    import math

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
