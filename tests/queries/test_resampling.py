"""Replicates and seeds that cannot be, exact tests of few cases, intervals and influences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, binom, binomtest, bootstrap, multinomial, norm
from scipy.stats import t as student
from statsmodels.stats.multitest import multipletests

from sr_tracker.queries.catalog import install
from sr_tracker.queries.change.comparison.model import Change, Settings
from sr_tracker.queries.change.comparison.paired import sample_changes
from sr_tracker.queries.change.comparison.samples import Sample
from sr_tracker.queries.change.significance.intervals import (
    accelerations,
    design_effect,
    gradients,
    influences,
    interval,
    mcnemar_p_values,
    nudged_sums,
    paired_intervals,
    paired_share_interval,
    share_interval,
    skewed_interval,
    smallest_p_values,
)
from sr_tracker.queries.clusters import Clusters
from sr_tracker.queries.examination.examining import ExaminationSettings
from sr_tracker.queries.examination.metric_evaluation import MetricSettings
from sr_tracker.queries.examination.planning.comparing import ItemSettings
from sr_tracker.queries.examination.planning.power import PowerSettings
from sr_tracker.queries.examination.planning.stopping import StopSettings
from sr_tracker.queries.functions.statistics import holm, holm_of_exact
from sr_tracker.queries.metrics.formulas import formula_of, score_sums
from sr_tracker.queries.metrics.metric import SENTENCE_MEAN
from sr_tracker.queries.resampling import LARGEST_SEED, MOST_REPLICATES, check_resampling
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from tests.validity.worlds import world

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
    return tuple(item.astype(np.int64)[:, np.newaxis] for item in (won, gone, won | True))


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
    item = [columns(gained, lost, sentences) for gained, lost in pairs]
    low, high = paired_intervals(*(np.hstack(of) for of in zip(*item, strict=True)), 0.95)
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
        paired_intervals(*(np.repeat(item, 3, axis=0) for item in (gained, lost, edges)), 0.95)
    )
    assert (apart[1] - apart[0]) < 0.65 * (once[1] - once[0])


def test_skewed_scores_have_the_interval_of_scipy() -> None:
    rng = np.random.default_rng(1)
    values = rng.exponential(size=30) ** 2
    drawn = values[rng.integers(30, size=(20_000, 30))].mean(axis=1)
    acceleration = accelerations(values[np.newaxis] - values.mean())
    low, high = skewed_interval(
        drawn[:, np.newaxis], 0.95, values.mean(keepdims=True), acceleration
    )
    theirs = bootstrap((values,), np.mean, n_resamples=20_000, rng=2).confidence_interval
    assert [low[0], high[0]] == pytest.approx([theirs.low, theirs.high], rel=0.03)
    assert low[0] > interval(drawn, 0.95)[0] * 1.1


def test_scores_that_are_not_skewed_have_the_percentiles() -> None:
    drawn = np.random.default_rng(1).normal(size=(1000, 2))
    ends = skewed_interval(drawn, 0.95, np.zeros(2), np.full(2, 0.049))
    assert np.array_equal(ends, interval(drawn, 0.95))


@pytest.mark.parametrize(("only_new", "only_base", "n"), [(7, 3, 50), (12, 1, 40), (2, 9, 100)])
def test_paired_shares(only_new: int, only_base: int, n: int) -> None:
    low, high = paired_share_interval(only_new, only_base, n, 0.95)
    middle, z = (only_new - only_base) / n, norm.ppf(0.975)
    for ours, outer, sign in ((low, -0.9, 1), (high, 0.9, -1)):
        theirs = brentq(
            lambda at, sign=sign: score_statistic(only_new, only_base, n, at) - sign * z,
            min(outer, middle),
            max(outer, middle),
        )
        assert ours == pytest.approx(theirs, abs=1e-5)


def test_paired_shares_that_do_not_differ_are_not_known_to_be_equal() -> None:
    low, high = paired_share_interval(0, 0, 100, 0.95)
    assert (low, high) == pytest.approx((-0.036994, 0.036994), abs=1e-6)  # z² / (n + z²)


def test_influences_are_those_of_leaving_one_out(database: Database) -> None:
    install(database)
    rng = np.random.default_rng(4)
    lengths = rng.integers(8, 30, size=60)
    totals = lengths[:, np.newaxis] - np.arange(4)
    matches = rng.binomial(totals, [0.8, 0.6, 0.4, 0.3])
    statistics = np.column_stack([lengths, lengths + 1, matches, totals])[np.newaxis].astype(float)
    formula, sums = formula_of("bleu"), statistics.sum(axis=1)
    slopes = gradients(score_sums(database, formula, nudged_sums(sums)), sums)
    ours = influences(statistics, slopes)[0]
    left_out = score_sums(database, formula, sums - statistics[0])
    theirs = (len(left_out) - 1) / len(left_out) * (left_out.mean() - left_out)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.9999
    assert ours == pytest.approx(theirs, abs=0.06 * np.abs(theirs).max())


def test_the_design_effect_is_that_of_analysis_of_variance() -> None:
    """Clusters of m equal sentences: m, but for the degrees of freedom (Kish 1965)."""
    values, keys = np.repeat(np.random.default_rng(1).normal(size=40), 5), np.repeat(range(40), 5)
    effect = design_effect(values - values.mean(), keys)
    assert effect == pytest.approx(5 * (40 / 39) / (200 / 199))
    assert design_effect(values - values.mean(), np.arange(200)) == 1
    assert design_effect(np.zeros(200), keys) is None


def one_change(database: Database, clusters: Clusters | None, statistics: np.ndarray) -> Change:
    numbers = np.arange(1, statistics.shape[1] + 1)
    sample = Sample("dist", "metric", SENTENCE_MEAN, numbers, statistics)
    return sample_changes(database, [sample], Settings(), clusters=clusters)[0]


def paired_means(seed: int, sentences: int) -> np.ndarray:
    scores = np.random.default_rng(seed).random((2, sentences))
    return np.stack([scores, np.ones_like(scores)], axis=2)


def test_clusters_are_drawn_and_swapped_whole(database: Database) -> None:
    """Sentences three times say what they say once, and no more."""
    install(database)
    once = paired_means(5, 60)
    keys = np.tile(np.arange(60), 3)
    threefold = Clusters("text", np.arange(1, 181), keys)
    alone, thrice = (
        one_change(database, clusters, statistics)
        for clusters, statistics in ((None, once), (threefold, np.tile(once, (1, 3, 1))))
    )
    for name in ("difference", "low", "high", "p_value"):
        assert getattr(thrice, name) == pytest.approx(getattr(alone, name), abs=1e-12)
    assert thrice.design_effect == pytest.approx(3, rel=0.02)
    assert (thrice.n, thrice.test) == (180, "approximate randomisation over texts")


def test_clusters_of_one_sentence_change_no_digit(database: Database) -> None:
    install(database)
    statistics = paired_means(6, 50)
    single = Clusters("sentence", np.arange(1, 51), np.arange(1, 51))
    alone = one_change(database, single, statistics)
    assert replace(alone, design_effect=None) == one_change(database, None, statistics)
    assert alone.design_effect == 1


def test_few_clusters_that_differ_have_a_test_but_no_interval(database: Database) -> None:
    install(database)
    statistics = paired_means(7, 50)
    statistics[1, 9:] = statistics[0, 9:]
    change = one_change(database, None, statistics)
    assert (change.low, change.high) == (None, None)
    assert change.undefined_reason == "no interval: fewer than ten sentences differ"
    assert change.p_value is not None
    statistics[1, 9] += 0.01
    assert one_change(database, None, statistics).low is not None


def test_seeds_do_not_change_what_is_settled(database: Database) -> None:
    """Of differences near alpha each says the same by all seeds, or that another may say else."""
    install(database)
    rng = np.random.default_rng(8)
    numbers, samples = np.arange(1, 61), []
    for shift in np.linspace(0.04, 0.12, 9):
        scores = np.stack([rng.normal(shift, 0.2, 60), np.zeros(60)])
        statistics = np.stack([scores, np.ones_like(scores)], axis=2)
        samples.append(Sample("dist", "metric", SENTENCE_MEAN, numbers, statistics))
    by_seed = [
        sample_changes(database, samples, Settings(seed=seed), range(9)) for seed in range(4)
    ]
    for changes in zip(*by_seed, strict=True):
        ranges = [change.monte_carlo_range(0.05) for change in changes]
        verdicts = {change.is_significant(0.05) for change in changes}
        assert len(verdicts) == 1 or any(ranges)
    assert len({change.is_significant(0.05) for change in by_seed[0]}) == 2


def test_an_unsettled_p_value_has_a_range() -> None:
    change = Change("bleu", "metric", 1.0, 0.9, 0.1, p_value=0.025, p_holm=0.05, replicates=64_000)
    low, high = change.monte_carlo_range(0.05) or (0, 0)
    assert (low, high) == pytest.approx((0.0463, 0.0537), abs=1e-4)
    assert replace(change, p_value=0.02, p_holm=0.04).monte_carlo_range(0.05) is None
    assert replace(change, replicates=None).monte_carlo_range(0.05) is None


@pytest.mark.parametrize("had", [0, 1, 57, 60])
def test_a_share_of_single_cases_has_the_exact_interval_of_scipy(had: int) -> None:
    counts = np.column_stack([np.arange(60) < had, np.ones(60)]).astype(np.float64)
    theirs = binomtest(had, 60).proportion_ci(0.99, "exact")
    assert share_interval(counts, 0.99) == pytest.approx((theirs.low, theirs.high))


def test_cases_that_go_together_count_as_fewer() -> None:
    """By hand: ten documents of four sentences, two of them wrong throughout; and all right."""
    counts = np.array([[0, 4]] * 2 + [[4, 4]] * 8, np.float64)
    # Either all four or none: the variance is that of a quarter as many, 8 of 10.
    fewer = 9 / 10 * (norm.ppf(0.975) / student.ppf(0.975, 9)) ** 2
    right, wrong = 8 * fewer, 2 * fewer
    expected = beta.ppf(0.025, right, wrong + 1), beta.ppf(0.975, right + 1, wrong)
    assert share_interval(counts, 0.95) == pytest.approx(expected)
    counts[:, 0] = 4
    assert share_interval(counts, 0.95) == pytest.approx((0.025 ** (1 / 10), 1))


def test_few_wrong_sentences_have_an_interval_where_scores_are_yes_or_no() -> None:
    """Right or wrong, all right, never right; a scale of which only an end was used has none."""
    right = np.ones((3, 60))
    right[1, 7], right[2] = 0, 0
    with world(60) as there:
        (ids,) = there.submissions(1, 3)
        there.score(ids, {"correct": right, "fluency": np.ones((3, 60)), "half": 1 - right / 2})
        there.db.significance({"pairs": False})
        rows = there.database.connection.execute(
            "SELECT metric, submission_id, low, high, undefined_reason FROM metric_intervals"
        ).fetchall()
    computed = {(metric, submission): tuple(ends) for metric, submission, *ends in rows}
    for submission, passed in zip(ids, (60, 59, 0), strict=True):
        theirs = binomtest(passed, 60).proportion_ci(0.95, "exact")
        assert computed["correct", submission] == (*map(pytest.approx, theirs), None)
        for metric in ("fluency", "half"):
            none = (None, None, "no interval: fewer than ten sentences differ")
            assert computed[metric, submission] == none
