"""What each sentence, or cluster, adds to a score: skewness and design effects from sums."""

from __future__ import annotations

import numpy as np

from ...clusters import cluster_sums
from ...functions.statistics import Floats, Integers

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
    known = np.where(statistics.any(axis=1), slopes, 0)
    added = np.einsum("sk,sik->si", known, statistics)
    centred: Floats = added - added.mean(axis=1, keepdims=True)
    return centred


def accelerations(added: Floats) -> Floats:
    """Return the acceleration of a statistic, a sixth of its skewness (Efron 1987, equation 7.3).

    ``added`` are influences of the shape (…, clusters). It is 0 where nothing differs or slopes
    are undefined.
    """
    scale = (added**2).sum(axis=-1) ** 1.5
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (added**3).sum(axis=-1) / (6 * scale)
    return np.where(np.isfinite(found), found, 0)


def design_effect(added: Floats, keys: Integers) -> float | None:
    """Return the variance of a statistic over clusters by that over sentences (Kish 1965).

    ``added`` are influences of sentences, ``keys`` tell their clusters. None where nothing differs
    or slopes are undefined.
    """
    of_clusters = cluster_sums(added[np.newaxis, :, np.newaxis], keys).ravel()
    variances = [
        (each**2).sum() * len(each) / (len(each) - 1) if len(each) > 1 else np.nan
        for each in (of_clusters, added)
    ]
    return float(variances[0] / variances[1]) if variances[1] > 0 <= variances[0] else None
