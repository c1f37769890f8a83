"""Numbers of replicates, seeds and levels that cannot be, and exact tests of few cases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom, multinomial
from statsmodels.stats.multitest import multipletests

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.significance.intervals import (
    mcnemar_p_values,
    paired_intervals,
    smallest_p_values,
)
from sr_tracker.queries.examination.examining import ExaminationSettings
from sr_tracker.queries.examination.metric_evaluation import MetricSettings
from sr_tracker.queries.examination.planning.comparing import ItemSettings
from sr_tracker.queries.examination.planning.power import PowerSettings
from sr_tracker.queries.examination.planning.stopping import StopSettings
from sr_tracker.queries.functions.statistics import holm, holm_of_exact
from sr_tracker.queries.resampling import LARGEST_SEED, MOST_REPLICATES, check_resampling
from sr_tracker.schema.errors import InputError

SETTINGS = {
    check_resampling: "replicates",
    Settings: "replicates",
    MetricSettings: "replicates",
    ExaminationSettings: "replicates",
    ItemSettings: "replicates",
    partial(PowerSettings, difference=1.0): "replicates",
    StopSettings: "replicates",
}


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("count", [0, -1, MOST_REPLICATES + 1, 2**64, 1.5, "ten"])
def test_numbers_of_replicates(settings: Callable[..., Any], count: Any) -> None:
    with pytest.raises(InputError, match=f"cannot be resampled {count} times"):
        settings(**{SETTINGS[settings]: count, "seed": 0})


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("seed", [-1, LARGEST_SEED + 1, 0.5, None])
def test_seeds(settings: Callable[..., Any], seed: Any) -> None:
    with pytest.raises(InputError, match=f"{seed} is no seed"):
        settings(**{SETTINGS[settings]: 1, "seed": seed})


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_levels(level: float) -> None:
    check_resampling(MOST_REPLICATES, LARGEST_SEED, 0.95)
    with pytest.raises(InputError, match="no level of confidence"):
        check_resampling(1, 0, level)


ALPHA = 0.05


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=12))
def test_only_tests_that_could_be_significant_count(pairs: list[tuple[int, int]]) -> None:
    gained, lost = np.array(pairs, np.int64).reshape(-1, 2).T
    p_values, smallest = mcnemar_p_values(gained, lost), smallest_p_values(gained + lost)
    tests = max(len(pairs), 1)
    least = next(
        k for k in range(1, tests + 1) if sum(p < ALPHA / k for p in smallest.tolist()) <= k
    )
    counted = [place for place, p in enumerate(smallest.tolist()) if p < ALPHA / least]
    expected = np.ones(len(pairs))
    if counted:
        expected[counted] = multipletests(p_values[counted], method="holm")[1]
    corrected, number = holm_of_exact(p_values, smallest, ALPHA)
    assert number == len(counted)
    assert corrected == pytest.approx(expected)


def test_the_chance_of_any_false_one_stays_below_alpha_and_nearer_to_it() -> None:
    differing = np.array([1, 2, 2, 4, 6, 7])
    smallest = smallest_p_values(differing)
    any_false = {"tarone": 0.0, "holm": 0.0}
    for gained in product(*(range(number + 1) for number in differing)):
        p_values = mcnemar_p_values(np.array(gained), differing - gained)
        chance = prod(
            binom.pmf(won, number, 0.5) for won, number in zip(gained, differing, strict=True)
        )
        corrected, counted = holm_of_exact(p_values, smallest, ALPHA)
        assert counted == 1
        any_false["tarone"] += chance * bool((corrected < ALPHA).any())
        any_false["holm"] += chance * bool((holm(p_values) < ALPHA).any())
    assert any_false["holm"] == 0
    assert any_false["tarone"] == pytest.approx(2**-6)


def columns(gained: int, lost: int, edges: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One edge in each sentence."""
    won = np.arange(edges) < gained
    gone = (np.arange(edges) >= gained) & (np.arange(edges) < gained + lost)
    return tuple(each.astype(np.int64)[:, np.newaxis] for each in (won, gone, won | True))


def score_statistic(gained: int, lost: int, edges: int, difference: float) -> float:
    """Tango's statistic, the share of edges lost found where the likelihood is highest."""

    def unlikelihood(share: float) -> float:
        parts = (gained, share + difference), (lost, share), (edges - gained - lost, 0.0)
        rest = 1 - 2 * share - difference
        return -sum(n * np.log(max(p or rest, 1e-300)) for n, p in parts if n)

    bounds = max(0.0, -difference), (1 - difference) / 2
    share = minimize_scalar(
        unlikelihood, bounds=bounds, method="bounded", options={"xatol": 1e-12}
    ).x
    variance = edges * (2 * share + difference - difference**2)
    return float((gained - lost - edges * difference) / np.sqrt(variance))


@pytest.mark.parametrize(
    ("gained", "lost", "edges"), [(7, 2, 40), (1, 5, 25), (9, 9, 60), (3, 1, 12), (20, 4, 300)]
)
def test_intervals_are_those_of_the_score_test(gained: int, lost: int, edges: int) -> None:
    (low,), (high,) = paired_intervals(*columns(gained, lost, edges), 0.95)
    between = (gained - lost) / edges
    for end, outermost, sign in ((low, -0.999, 1), (high, 0.999, -1)):
        expected = brentq(
            lambda d, sign=sign: score_statistic(gained, lost, edges, d) - sign * 1.959963984540054,
            outermost,
            between,
        )
        assert end == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("chances", [(0.01, 0.01), (0.02, 0.0), (0.1, 0.1), (0.15, 0.05)])
def test_intervals_hold_the_true_difference_of_few_sentences(chances: tuple[float, float]) -> None:
    sentences = 20
    pairs = [
        (gained, lost)
        for gained, lost in product(range(sentences + 1), repeat=2)
        if gained + lost <= sentences
    ]
    each = [columns(gained, lost, sentences) for gained, lost in pairs]
    low, high = paired_intervals(*(np.hstack(of) for of in zip(*each, strict=True)), 0.95)
    assert (low < high).all()
    counts = np.array([(gained, lost, sentences - gained - lost) for gained, lost in pairs])
    likely = multinomial.pmf(counts, sentences, [*chances, 1 - sum(chances)])
    difference = chances[0] - chances[1]
    assert likely[(low <= difference) & (difference <= high)].sum() > 0.94


def test_where_nothing_differs_a_sentence_counts_once() -> None:
    alone, three = (np.full((12, 1), number) for number in (1, 3))
    ends = [paired_intervals(0 * edges, 0 * edges, edges, 0.95) for edges in (alone, three)]
    assert np.array(ends[0]) == pytest.approx(np.array(ends[1]))
    # z² / (n + z²), where the rule of three has 3 / n.
    assert ends[0][1] == pytest.approx(3.8414588 / (12 + 3.8414588))


def test_edges_of_a_sentence_stand_and_fall_together() -> None:
    gained, lost, edges = columns(6, 2, 50)
    once = np.array(paired_intervals(gained, lost, edges, 0.95))
    thrice = np.array(paired_intervals(3 * gained, 3 * lost, 3 * edges, 0.95))
    assert thrice == pytest.approx(once)
    apart = np.array(
        paired_intervals(*(np.repeat(each, 3, axis=0) for each in (gained, lost, edges)), 0.95)
    )
    assert (apart[1] - apart[0]) < 0.65 * (once[1] - once[0])
