"""Does one relation's accuracy change by more than chance? Exact, over sentences."""

from __future__ import annotations

from math import lgamma
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers

TEST = "exact sign-flip test over sentences"


def sign_flip_p_values(differences: Integers) -> Floats:
    """Return two-sided p-values, one per column; 1 where nothing differs.

    ``differences`` has the shape (sentences, columns): edges gained minus edges lost. Where two
    submissions do not differ, each sentence's difference may as well have the other sign. How
    likely the sum is then at least as far from 0 as the one seen is computed exactly. With at most
    one edge per sentence that is McNemar's test; with more, edges of a sentence stay together.
    """
    import numpy as np

    return np.array([_p_value(column) for column in np.asarray(differences, np.int64).T])


def _p_value(differences: Integers) -> float:
    import numpy as np

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


def coin_chances(tosses: int) -> Floats:
    """Return the chances of 0, 1, … heads in so many tosses of a coin."""
    import numpy as np

    factorials = np.fromiter(map(lgamma, range(1, tosses + 2)), np.float64, tosses + 1)
    logarithm = factorials[-1] - factorials - factorials[::-1]
    chances: Floats = np.exp(logarithm - tosses * np.log(2))
    return chances
