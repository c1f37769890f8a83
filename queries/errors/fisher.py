"""Exact tests of columns of counts: Fisher's, and the one stratified by length."""

from __future__ import annotations

import numpy as np

from ...schema.compiled import compiled
from ..functions.statistics import Floats, Integers


def fisher_greater(
    sentences: Integers, failed: Integers, all_sentences: int, all_failed: int
) -> Floats:
    """Return one-sided p-values: how likely chance alone makes so many of a pattern's fail.

    Each element is a pattern that is in ``sentences`` of ``all_sentences``, ``failed`` of which
    are among the ``all_failed``. The p-value is the upper tail of the hypergeometric distribution,
    scipy's ``fisher_exact`` with the alternative ``greater``.
    """
    from scipy.special import gammaln

    as_one = sentences * (all_sentences + 1) + failed
    different, inverse = np.unique(as_one, return_inverse=True)
    drawn, least = np.divmod(different, all_sentences + 1)
    terms = np.minimum(drawn, all_failed) - least + 1
    starts = np.cumsum(terms) - terms
    every_drawn = np.repeat(drawn, terms)
    hits = np.arange(terms.sum()) - np.repeat(starts - least, terms)
    factorials = gammaln(np.arange(all_sentences + 1) + 1.0)
    likelihoods = np.exp(
        _ln_choose(factorials, all_failed, hits)
        + _ln_choose(factorials, all_sentences - all_failed, every_drawn - hits)
        - _ln_choose(factorials, all_sentences, every_drawn)
    )
    tails = np.add.reduceat(likelihoods, starts) if len(starts) else likelihoods
    p_values: Floats = np.minimum(tails, 1)[inverse]
    return p_values


def stratified_greater(
    sentences: Integers, failed: Integers, all_sentences: Integers, all_failed: Integers
) -> Floats:
    """Return one-sided p-values of the exact test of several tables with a common odds ratio.

    ``sentences`` has the shape (strata, patterns): those of a stratum with the pattern; ``failed``
    (patterns): all that failed with it; ``all_sentences`` and ``all_failed`` (strata). In each
    stratum chance draws as ``fisher_greater`` has it; the p-value is the chance of so many
    failed ones in all strata together (Mantel and Haenszel 1959; exact: Mehta, Patel and Gray
    1985). Of one stratum it is Fisher's.
    """
    from scipy.special import gammaln

    factorials = gammaln(np.arange(all_sentences.max(initial=0) + 1) + 1.0)
    p_values: Floats = _stratified(
        np.ascontiguousarray(sentences.T, np.int64),
        *(np.asarray(each, np.int64) for each in (failed, all_sentences, all_failed)),
        factorials,
    )
    return p_values


@compiled()
def _stratified(
    sentences: Integers,
    failed: Integers,
    all_sentences: Integers,
    all_failed: Integers,
    factorials: Floats,
) -> Floats:
    """Return the upper tails of sums of hypergeometric numbers, a row of ``sentences`` for each."""
    p_values = np.ones(len(failed))
    for row in range(len(failed)):
        likelihoods = np.ones(1)
        certain = 0
        for stratum in range(len(all_sentences)):
            drawn, hits = sentences[row, stratum], all_failed[stratum]
            others = all_sentences[stratum] - hits
            least, most = max(0, drawn - others), min(drawn, hits)
            certain += least
            if most == least:
                continue
            ways = factorials[hits] + factorials[others] + factorials[drawn]
            ways += factorials[hits + others - drawn] - factorials[hits + others]
            of_stratum = np.empty(most - least + 1)
            for place in range(len(of_stratum)):
                hit = least + place
                of_stratum[place] = np.exp(
                    ways
                    - factorials[hit]
                    - factorials[hits - hit]
                    - factorials[drawn - hit]
                    - factorials[others - drawn + hit]
                )
            likelihoods = np.convolve(likelihoods, of_stratum)
        p_values[row] = min(likelihoods[max(failed[row] - certain, 0) :].sum(), 1.0)
    return p_values


def _ln_choose(factorials: Floats, total: int, chosen: Integers) -> Floats:
    """Return the logarithm of the number of ways to choose so many of the total."""
    logarithms: Floats = factorials[total] - factorials[chosen] - factorials[total - chosen]
    return logarithms
