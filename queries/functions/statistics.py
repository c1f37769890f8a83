"""Statistical tests over columns of numbers: correlations, rank tests, exact tests, corrections."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import isfinite
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...schema.short_cuts import compiled

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Booleans: TypeAlias = NDArray[np.bool_]


SPEARMAN, PEARSON, KENDALL = METHODS = ("spearman", "pearson", "kendall")
FEWEST_VALUES = 3
LORD_POWER, LORD_SUM = 1.6, 2.2857656656801293
"""Shares of a line of tests fall with this power of their place; all of them add up to this."""
NOISE = 1e-12
"""Share of the largest value: numbers closer than this are the same, computed in two orders."""


@dataclass(frozen=True)
class Correlations:
    """How every column goes with every other one: square matrices, a row and a column for each."""

    n: Integers
    """Rows in which both columns have a value."""
    coefficient: Floats
    """-1 to 1; NaN where undefined."""
    p_value: Floats
    """Two-sided; NaN where the coefficient is undefined."""
    constant: Booleans
    """Whether the column of this matrix row has one value only where both have one."""


@dataclass(frozen=True)
class RankTest:
    """A Mann-Whitney U test of two samples."""

    u: float
    """U of the first sample: pairs in which its value is higher, a tie counting one half."""
    p_value: float
    """Two-sided."""
    rank_biserial: float
    """Effect size, -1 to 1: share of pairs in which the first sample is higher minus lower."""


def finite(value: float) -> float | None:
    """Return a number as it is stored: None where it is undefined."""
    return float(value) if isfinite(value) else None


def without_noise(values: Floats) -> Floats:
    """Return finite numbers, those that only rounding tells apart made equal.

    What is to be ranked goes through this: two means of the same ratings may differ in their last
    digit, which is no difference, and would break a tie. In ascending order a number counts as the
    one before it where it lies within 1e-12 of the largest absolute value of it. The result does
    not depend on the order of the values; numbers that lie apart stay as they are.
    """
    values = np.asarray(values, np.float64)
    if not len(values):
        return values
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    starts = np.diff(ascending, prepend=-np.inf) > NOISE * np.abs(ascending[[0, -1]]).max()
    levelled = np.empty_like(values)
    levelled[order] = ascending[starts][np.cumsum(starts) - 1]
    return levelled


def correlate(columns: Floats, method: str, *, with_first: bool = False) -> Correlations:
    """Return how each of k columns correlates with each other one, or with the first alone.

    What is not asked for by ``with_first`` is NaN.

    ``columns`` has the shape (k, rows); what is not a finite number is missing and left out pair
    by pair. ``method`` is spearman (rho), pearson (r) or kendall (tau-b). P-values are two-sided:
    from the t distribution for rho and r, from the normal approximation for tau-b. Undefined are
    pairs with fewer than three rows, and those with a constant column. Rounding breaks no tie
    (``without_noise``). A pair's result rests on its two columns alone, to the last digit.
    Shimorina et al. 2021, sections 3.3 and 4.
    """
    columns = np.asarray(columns, np.float64)
    square = (len(columns), len(columns))
    n = np.zeros(square, np.int64)
    coefficient, p_value = np.full(square, np.nan), np.full(square, np.nan)
    constant = np.zeros(square, np.bool_)
    for first, second, rows in _blocks(np.isfinite(columns)):
        if with_first and 0 not in (*first[:1], *second[:1]):
            continue
        if with_first:
            first, second = (first, second[:1]) if 0 in second[:1] else (first[:1], second)
        here, mirrored = np.ix_(first, second), np.ix_(second, first)
        n_rows = int(rows.sum())
        if not n_rows:
            continue
        n[here] = n[mirrored] = n_rows
        x = y = _levelled(columns[first].compress(rows, axis=1))
        if second is not first:
            y = _levelled(columns[second].compress(rows, axis=1))
        constant[here] = _is_constant(x)[:, np.newaxis]
        constant[mirrored] = _is_constant(y)[:, np.newaxis]
        if n_rows >= FEWEST_VALUES:
            tested = _kendall(x, y) if method == KENDALL else _moments(x, y, method)
            coefficient[here], p_value[here] = tested
            coefficient[mirrored], p_value[mirrored] = coefficient[here].T, p_value[here].T
    undefined = constant | constant.T
    coefficient[undefined] = p_value[undefined] = np.nan
    return Correlations(n, coefficient, p_value, constant)


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for their number, NaN staying as it is (Holm 1979).

    The i-th smallest of m is multiplied by m + 1 - i, made at least as large as those before it
    and at most 1: rejecting what is below a level keeps the chance of any false rejection there.
    """
    p_values = np.asarray(p_values, np.float64)
    defined = np.flatnonzero(~np.isnan(p_values))
    order = defined[np.argsort(p_values[defined], kind="stable")]
    corrected = p_values.copy()
    stepped = p_values[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(stepped), 1)
    return corrected


def holm_by_family(
    p_values: Sequence[float | None], families: Sequence[Hashable]
) -> list[float | None]:
    """Return p-values corrected as ``holm`` does for the number in each one's family, by place."""
    places: dict[Hashable, list[int]] = {}
    for place, family in enumerate(families):
        places.setdefault(family, []).append(place)
    values = np.array(p_values, np.float64)
    for of_family in places.values():
        values[of_family] = holm(values[of_family])
    return [None if np.isnan(p_value) else p_value for p_value in values.tolist()]


def holm_of_exact(p_values: Floats, smallest: Floats, alpha: float) -> tuple[Floats, int]:
    """Return p-values of exact tests corrected for their number, and that number (Tarone 1990).

    ``smallest`` are the p-values that the tests would have at the clearest result that their data
    allow. Counted are the tests that could be significant: with k the least number such that at
    most k of the smallest are below ``alpha`` / k, those. They are corrected by Holm's method, all
    others are 1. Which ones count rests on nothing that the tests look at, so that the chance of
    any false rejection stays below each level. All are defined, none is NaN.
    """
    p_values, smallest = np.asarray(p_values, np.float64), np.asarray(smallest, np.float64)
    tests = np.arange(1, len(smallest) + 1)
    able = np.searchsorted(np.sort(smallest), alpha / tests)
    counted = smallest < alpha / tests[able <= tests].min(initial=len(smallest) + 1)
    corrected = np.ones_like(p_values)
    corrected[counted] = holm(p_values[counted])
    return corrected, int(counted.sum())


def lord_levels(p_values: Sequence[float | None], alpha: float) -> list[float]:
    """Return the level of each of a line of tests, in order: it rejects where p is below its level.

    LORD++ (Javanmard and Montanari 2018; Ramdas et al. 2017): each test spends of a wealth that
    starts at half of ``alpha`` and grows with each rejection, so that the expected share of false
    rejections stays at most ``alpha`` however many tests follow. Of what there is the j-th test
    after takes a share in proportion to 1 / j^1.6 (Ramdas et al. 2018). Where there is nothing to
    find, any is rejected with a chance of at most half of ``alpha``, whatever the tests have to do
    with each other. None is no test, and spends nothing.
    """
    spent = np.arange(1, len(p_values) + 1) ** -LORD_POWER / LORD_SUM
    gains: list[tuple[int, float]] = [(0, alpha / 2)]
    levels: list[float] = []
    tests = 0
    for p_value in p_values:
        level = sum(gain * float(spent[tests - since]) for since, gain in gains)
        levels.append(level)
        if p_value is None:
            continue
        tests += 1
        if p_value < level:
            gains.append((tests, alpha / 2 if len(gains) == 1 else alpha))
    return levels


def mann_whitney(first: Floats, second: Floats) -> RankTest:
    """Return whether one of two samples tends to have higher values (Mann-Whitney U).

    Both are finite numbers, at least one each. The p-value is the normal approximation with
    corrections for ties, which rounding does not break, and continuity; it is 1 where all values
    are the same, as of SciPy's function, whose import takes a tenth of a submit. Shimorina et al.
    2021, section 4, Table 3.
    """
    from scipy.special import ndtr

    pooled = without_noise(np.concatenate([first, second]))
    one, other = len(first), len(second)
    u = float(_doubled_ranks(pooled)[:one].sum() - one * (one + 1)) / 2
    effect = 2 * u / (one * other) - 1
    ties = np.unique(pooled, return_counts=True)[1]
    total = one + other
    if len(ties) == 1:
        return RankTest(u, 1.0, effect)
    shared = (ties.astype(float) ** 3 - ties).sum() / (total * (total - 1))
    deviation = np.sqrt(one * other / 12 * (total + 1 - shared))
    z = (max(u, one * other - u) - one * other / 2 - 0.5) / deviation
    return RankTest(u, min(2 * float(ndtr(-z)), 1.0), effect)


def _blocks(present: Booleans) -> Iterator[tuple[Integers, Integers, Booleans]]:
    """Yield pairs of groups of columns, and the rows that both have.

    The columns of a group lack the same rows, so what holds for one pair of them holds for all.
    """
    groups: dict[bytes, list[int]] = {}
    for number, column in enumerate(present):
        groups.setdefault(column.tobytes(), []).append(number)
    # In the order of what they lack: Kendall's last digit tells which column comes first.
    members = [np.array(groups[rows]) for rows in sorted(groups)]
    for one, other in combinations_with_replacement(members, 2):
        yield one, other, present[one[0]] & present[other[0]]


def _levelled(columns: Floats) -> Floats:
    return np.array([without_noise(column) for column in columns])


def _is_constant(columns: Floats) -> Booleans:
    constant: Booleans = columns.min(axis=1) == columns.max(axis=1)
    return constant


def _moments(x: Floats, y: Floats, method: str) -> tuple[Floats, Floats]:
    """Return Spearman's rho or Pearson's r of each column of x with each of y, and p-values."""
    from scipy.special import stdtr

    same = x is y
    x = _centred(x, method)
    y = x if same else _centred(y, method)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.outer((x * x).sum(axis=1), (y * y).sum(axis=1))
        products = np.array([(column * y).sum(axis=1) for column in x])
        coefficient = np.clip(products / np.sqrt(spread), -1, 1)
        freedom = x.shape[1] - 2
        t = coefficient * np.sqrt(freedom / ((1 + coefficient) * (1 - coefficient)))
    return coefficient, 2 * stdtr(freedom, -np.abs(t))


def _centred(columns: Floats, method: str) -> Floats:
    """Return the columns, or their ranks, as deviations from their means, up to a factor."""
    centred: Floats
    if method == SPEARMAN:
        # Ranks doubled are integers: sums of their products are exact up to 200,000 rows.
        centred = np.array([_doubled_ranks(column) for column in columns]) - (
            columns.shape[1] + 1.0
        )
    else:
        deviations = columns - columns.mean(axis=1, keepdims=True)
        # The largest is 1 then: squares neither overflow nor vanish.
        largest = np.abs(deviations).max(axis=1, keepdims=True)
        centred = np.divide(deviations, largest, out=np.zeros_like(deviations), where=largest > 0)
    return centred


def _doubled_ranks(values: Floats) -> Integers:
    """Return twice the rank of each value; equal ones share the mean of theirs.

    SciPy has a function for it, whose import takes longer than ranking all of a submission.
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    doubled: Integers = (2 * np.cumsum(counts) - counts + 1)[places]
    return doubled


def _kendall(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return Kendall's tau-b of each column of x with each of y, and p-values."""
    from scipy.stats import kendalltau

    results = [kendalltau(column, other, method="asymptotic") for column in x for other in y]
    square = (len(x), len(y))
    return (
        np.reshape([result.statistic for result in results], square),
        np.reshape([result.pvalue for result in results], square),
    )


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
        *(np.asarray(counts, np.int64) for counts in (failed, all_sentences, all_failed)),
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
