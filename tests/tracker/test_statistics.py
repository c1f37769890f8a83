"""Correlations, rank tests and Holm's correction against scipy and statsmodels."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, mannwhitneyu, pearsonr, spearmanr
from statsmodels.stats.multitest import multipletests

from sr_tracker.queries.functions.statistics import (
    METHODS,
    correlate,
    holm,
    mann_whitney,
    without_noise,
)

ORACLES = {
    "spearman": spearmanr,
    "pearson": pearsonr,
    "kendall": lambda x, y: kendalltau(x, y, method="asymptotic"),
}

values = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-1e6, 1e6).map(lambda v: round(v, 3)), st.just(np.nan)
)
tables = st.tuples(st.integers(2, 5), st.integers(0, 25)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=values)
)
samples = st.lists(
    st.one_of(st.integers(-3, 3).map(float), st.floats(-9, 9).map(lambda v: round(v, 6))),
    min_size=1,
)


@pytest.mark.parametrize("method", METHODS)
@given(columns=tables)
def test_correlations_are_scipys(method: str, columns: np.ndarray) -> None:
    correlations = correlate(columns, method)
    for first, x in enumerate(columns):
        for second, y in enumerate(columns):
            both = ~(np.isnan(x) | np.isnan(y))
            here = first, second
            assert correlations.n[here] == both.sum()
            if both.any():
                assert correlations.constant[here] == (len(set(x[both])) == 1)
            if both.sum() < 3 or len(set(x[both])) == 1 or len(set(y[both])) == 1:
                assert np.isnan(correlations.coefficient[here])
                assert np.isnan(correlations.p_value[here])
                continue
            expected = ORACLES[method](x[both], y[both])
            assert correlations.coefficient[here] == pytest.approx(expected.statistic, abs=1e-9)
            assert -1 <= correlations.coefficient[here] <= 1
            # Near a perfect correlation the p-value hangs on the last digits of the coefficient.
            if abs(expected.statistic) < 1 - 1e-6:
                assert correlations.p_value[here] == pytest.approx(
                    expected.pvalue, rel=1e-4, abs=1e-9
                )
            else:
                assert correlations.p_value[here] == pytest.approx(expected.pvalue, abs=1e-2)


@pytest.mark.parametrize("method", METHODS)
def test_correlations_of_long_columns_are_scipys(method: str) -> None:
    rng = np.random.default_rng(4)
    columns = rng.normal(size=(6, 2000)) + rng.normal(size=2000)
    columns[1] = columns[1].round(1)
    columns[2] = columns[2] > 0
    columns[3, rng.random(2000) < 0.4] = np.nan
    columns[4:, ::7] = np.nan
    correlations = correlate(columns, method)
    for first in range(6):
        for second in range(first):
            both = np.isfinite(columns[first]) & np.isfinite(columns[second])
            expected = ORACLES[method](columns[first][both], columns[second][both])
            here = first, second
            assert correlations.coefficient[here] == pytest.approx(expected.statistic, rel=1e-12)
            assert correlations.p_value[here] == pytest.approx(expected.pvalue, rel=1e-9, abs=0)
    assert correlations.p_value[0, 1] < 1e-50


@pytest.mark.parametrize("method", METHODS)
@given(columns=tables)
def test_pairs_with_the_first_column_are_those_of_all_pairs(
    method: str, columns: np.ndarray
) -> None:
    everything, computed = correlate(columns, method), correlate(columns, method, with_first=True)
    for name in ("n", "coefficient", "p_value"):
        np.testing.assert_array_equal(getattr(computed, name)[0], getattr(everything, name)[0])
    np.testing.assert_array_equal(computed.constant[:, 0], everything.constant[:, 0])
    np.testing.assert_array_equal(computed.constant[0], everything.constant[0])


@pytest.mark.parametrize("method", METHODS)
@given(columns=tables, data=st.data())
def test_a_pair_rests_on_its_columns_alone(
    method: str, columns: np.ndarray, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(columns))))[:2]
    together = correlate(columns, method)
    alone = correlate(columns[list(order)], method)
    for name in ("n", "coefficient", "p_value", "constant"):
        all_pairs, pair = getattr(together, name), getattr(alone, name)
        np.testing.assert_array_equal(all_pairs[order[0], order[1]], pair[0, 1])
        np.testing.assert_array_equal(all_pairs[order[1], order[0]], pair[1, 0])


@pytest.mark.parametrize("method", METHODS)
def test_perfect_correlation(method: str) -> None:
    rising = np.arange(1, 41, dtype=float)
    correlations = correlate(np.stack([rising, rising * 2, -rising]), method)
    assert correlations.coefficient[0].tolist() == pytest.approx([1, 1, -1], abs=1e-15)
    assert (correlations.p_value[0] < 1e-15).all()
    if method == "spearman":
        assert correlations.coefficient[0].tolist() == [1, 1, -1]
        assert correlations.p_value[0].tolist() == [0, 0, 0]


def test_spearman_of_the_textbook() -> None:
    """Sum of squared rank differences 194 over ten pairs: rho = 1 - 6·194 / 990."""
    iq = [106.0, 86, 100, 101, 99, 103, 97, 113, 112, 110]
    hours = [7.0, 0, 27, 50, 28, 29, 20, 12, 6, 17]
    correlations = correlate(np.array([iq, hours]), "spearman")
    assert correlations.coefficient[0, 1] == pytest.approx(1 - 6 * 194 / 990, abs=1e-15)


def test_infinity_is_missing_and_tiny_differences_are_not_constant() -> None:
    columns = np.array([[1e-200, 2e-200, 3e-200, 4e-200], [1, 2, 3, np.inf]])
    correlations = correlate(columns, "pearson")
    assert correlations.n.tolist() == [[4, 3], [3, 3]]
    assert correlations.coefficient[0, 1] == pytest.approx(1, abs=1e-15)
    assert not correlations.constant.any()


def test_no_columns_and_no_rows() -> None:
    assert correlate(np.empty((0, 5)), "spearman").n.shape == (0, 0)
    correlations = correlate(np.empty((2, 0)), "kendall")
    assert correlations.n.tolist() == [[0, 0], [0, 0]]
    assert np.isnan(correlations.coefficient).all()


def test_holm_is_statsmodels() -> None:
    rng = np.random.default_rng(7)
    for size in (1, 2, 17, 105):
        values = np.concatenate([rng.random(size) ** 6, [0.0, 1.0]]).round(4)
        expected = multipletests(values, method="holm")[1]
        np.testing.assert_allclose(holm(values), expected, rtol=1e-13)


def test_holm_by_hand() -> None:
    """Holm (1979): 0.01 · 4, 0.02 · 3, then 0.03 · 2 and 0.04 · 1, never below one before."""
    computed = holm(np.array([0.04, 0.01, np.nan, 0.03, 0.02]))
    np.testing.assert_allclose(computed, [0.06, 0.04, np.nan, 0.06, 0.06], rtol=1e-12)


@given(samples, samples)
def test_mann_whitney_counts_pairs(first: list[float], second: list[float]) -> None:
    computed = mann_whitney(np.array(first), np.array(second))
    higher = sum(x > y for x in first for y in second)
    lower = sum(x < y for x in first for y in second)
    pairs = len(first) * len(second)
    assert computed.u == higher + (pairs - higher - lower) / 2
    assert computed.rank_biserial == pytest.approx((higher - lower) / pairs, abs=1e-12)
    expected = mannwhitneyu(first, second, alternative="two-sided", method="asymptotic")
    assert computed.p_value == (1 if len({*first, *second}) == 1 else expected.pvalue)
    assert 0 <= computed.p_value <= 1


def test_mann_whitney_by_hand() -> None:
    """Mann and Whitney (1947): U of separate samples is the number of pairs; ties count half."""
    computed = mann_whitney(np.array([4.0, 5, 6]), np.array([1.0, 2]))
    assert (computed.u, computed.rank_biserial) == (6.0, 1.0)
    same = mann_whitney(np.ones(4), np.ones(3))
    assert (same.u, same.rank_biserial, same.p_value) == (6.0, 0.0, 1.0)


levels = st.lists(st.integers(1, 13).map(lambda whole: whole / 7), min_size=3, max_size=20)


@given(levels, levels, st.randoms(use_true_random=False))
def test_rounding_breaks_no_tie(x: list[float], y: list[float], random: Random) -> None:
    """Numbers computed in another order, up to some units in the last place away, rank the same."""

    def noisy(numbers: list[float]) -> np.ndarray:
        return np.array([number + random.randint(-4, 4) * 2.0**-53 for number in numbers])

    computed = mann_whitney(noisy(x), noisy(y))
    exact = mann_whitney(np.array(x), np.array(y))
    assert (computed.u, computed.p_value) == (exact.u, exact.p_value)
    size = min(len(x), len(y))
    columns = np.array([x[:size], y[:size]])
    with_noise = np.array([noisy(x[:size]), noisy(y[:size])])
    for method in ("spearman", "kendall"):
        once, again = correlate(columns, method), correlate(with_noise, method)
        np.testing.assert_array_equal(once.coefficient, again.coefficient)
        np.testing.assert_array_equal(once.constant, again.constant)


@given(st.lists(st.floats(-1e300, 1e300), max_size=12), st.randoms(use_true_random=False))
def test_levelling_changes_last_digits_only(numbers: list[float], random: Random) -> None:
    """In any order; what lies apart stays as it is, and once is enough."""
    computed = without_noise(np.array(numbers))
    reach = max(map(abs, numbers), default=0) * 1e-12
    assert all(abs(a - b) <= len(numbers) * reach for a, b in zip(computed, numbers, strict=True))
    assert set(computed) <= set(numbers)
    order = random.sample(range(len(numbers)), len(numbers))
    np.testing.assert_array_equal(without_noise(np.array(numbers)[order]), computed[order])
    np.testing.assert_array_equal(without_noise(np.array([3.0, 1.0, 2.0])), [3.0, 1.0, 2.0])
