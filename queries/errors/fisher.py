"""Fisher's exact test over columns of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]


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


def _ln_choose(factorials: Floats, total: int, chosen: Integers) -> Floats:
    """Return the logarithm of the number of ways to choose so many of the total."""
    logarithms: Floats = factorials[total] - factorials[chosen] - factorials[total - chosen]
    return logarithms
