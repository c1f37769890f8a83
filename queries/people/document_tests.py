"""Rank tests of systems that take documents for independent, and not their sentences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from ..functions.statistics import Floats, Integers, without_noise
from .rank_tests import RankSums

Found = tuple[float, float, Integers, Floats]
"""The statistic of one system and of the other, the sentences, and what each adds to it."""

EXACT_DOCUMENTS = 12
"""Up to so many documents all changes of their signs are counted out."""


def rank_sums_of_documents(scores: Floats, documents: Integers) -> RankSums:
    """Return whether each of k systems tends to be rated higher than each other one.

    ``scores`` has a row for each system and a column for each sentence, NaN where it was not
    judged; ``documents`` numbers the document of each column. U is that of ``rank_sums``: every
    sentence weighs the same, as in the means that rank. Its variance is that of the sums of ranks
    over documents, in which both systems may have sentences (Rosner, Glynn and Lee 2006, subunits
    of a cluster in both groups; Datta and Satten 2005, who weigh documents alike instead). Exact
    and undefined p-values are as in ``signed_ranks_of_documents``.
    """
    return _tests(scores, documents, _pooled)


def signed_ranks_of_documents(scores: Floats, documents: Integers) -> RankSums:
    """Return whether each of k systems is rated higher on the sentences judged of both.

    Arguments are as in ``rank_sums_of_documents``. The statistic is that of ``signed_ranks``; its
    variance is the sum over documents of the squared sums of their signed ranks (Rosner, Glynn and
    Lee 2006). Where no system is higher, a document is as likely to speak for the one as for the
    other: up to 12 documents p-values are the share of all 2^n such changes of signs, else the
    normal approximation. They are 1 where no sentence differs, NaN without common sentences.
    """
    return _tests(scores, documents, _signed)


def _tests(
    scores: Floats, documents: Integers, parts_of: Callable[[Floats, Floats], Found | None]
) -> RankSums:
    u, p_value, number, effect = np.full((4, len(scores), len(scores)), np.nan)
    for one, other in combinations(range(len(scores)), 2):
        found = parts_of(scores[one], scores[other])
        if found is None:
            continue
        u[one, other], u[other, one], columns, parts = found
        _, places = np.unique(documents[columns], return_inverse=True)
        sums: Floats = np.bincount(places, parts).astype(np.float64)
        p_value[one, other], p_value[other, one] = _p_values(sums)
        number[one, other] = number[other, one] = len(sums)
        by_sentence = parts @ parts
        if by_sentence:
            effect[one, other] = effect[other, one] = sums @ sums / by_sentence
    return RankSums(u, p_value, number, effect)


def _signed(one: Floats, other: Floats) -> Found | None:
    """Return the sums of positive ranks, and the signed ranks of the sentences of both."""
    from scipy.stats import rankdata

    columns = np.flatnonzero(np.isfinite(one) & np.isfinite(other))
    if not len(columns):
        return None
    first, second = np.split(without_noise(np.concatenate([one[columns], other[columns]])), 2)
    difference = first - second
    differs = difference != 0
    signed = np.zeros(len(columns))
    signed[differs] = np.sign(difference[differs]) * rankdata(np.abs(difference[differs]))
    return float(signed[signed > 0].sum()), float(-signed[signed < 0].sum()), columns, signed


def _pooled(one: Floats, other: Floats) -> Found | None:
    """Return both U, and what each sentence adds to the first less its expectation.

    Ranks of both systems' scores together, less their mean, weigh by the share of the other
    system: sums over sentences are U less n m / 2.
    """
    from scipy.stats import rankdata

    known = np.isfinite(one), np.isfinite(other)
    n, m = (int(each.sum()) for each in known)
    if not n or not m:
        return None
    ranks = rankdata(without_noise(np.concatenate([one[known[0]], other[known[1]]])))
    u = float(ranks[:n].sum()) - n * (n + 1) / 2
    centred = ranks - (n + m + 1) / 2
    parts = np.zeros(len(one))
    parts[known[0]] += centred[:n] * m / (n + m)
    parts[known[1]] -= centred[n:] * n / (n + m)
    columns = np.flatnonzero(known[0] | known[1])
    return u, n * m - u, columns, parts[columns]


def _p_values(sums: Floats) -> tuple[float, float]:
    """Return the one-sided p-values of the sum of these sums, and of its opposite."""
    from scipy.special import ndtr

    total = sums.sum()
    if len(sums) > EXACT_DOCUMENTS:
        deviation = np.sqrt(sums @ sums)
        if not deviation:
            return 1.0, 1.0
        return float(ndtr(-total / deviation)), float(ndtr(total / deviation))
    signs = 1 - 2 * (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1)
    changed = signs @ sums
    noise = 1e-9 * np.abs(sums).sum()
    return float((changed >= total - noise).mean()), float((changed <= total + noise).mean())
