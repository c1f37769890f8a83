"""Metrics against people: statistics and tests held against naive ones, and WMT23's figures."""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, norm, pearsonr

from sr_tracker import connect
from sr_tracker.queries.clusters import Clusters
from sr_tracker.queries.examination.judged_matrices import Judged
from sr_tracker.queries.examination.metric_evaluation import (
    MetricSettings,
    _evaluated,
    evaluate_metrics,
)
from sr_tracker.queries.functions import metric_tests, pair_agreement
from sr_tracker.queries.functions.swapped_scores import (
    accuracy_and_pearson_of_systems,
    accuracy_of_outputs,
    exact_soft_accuracy,
    kendall_by_item,
    pearson_of_outputs,
    soft_accuracy_of_systems,
)
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.show.findings.people import evaluation_document, evaluation_tables
from sr_tracker.tracker.show.text import document_text
from tests.validity.worlds import world

WMT23 = {  # acc*_eq, SPA, pairwise accuracy, Pearson's r of systems
    "xcomet_ensemble": (0.6040, 0.9394, 0.9394, 0.9802),
    "metricx_23": (0.6026, 0.9281, 0.9091, 0.9769),
    "comet": (0.5740, 0.9603, 0.9697, 0.9903),
    "bertscore": (0.5280, 0.8853, 0.8788, 0.8906),
    "external_bleu": (0.5196, 0.8572, 0.8939, 0.9165),
    "external_chrf": (0.5192, 0.8366, 0.8182, 0.8657),
}
STATISTICS = ("accuracy", "soft_accuracy", "pairwise_accuracy", "pearson")


@pytest.fixture
def scores() -> tuple[Any, Any]:
    """People's scores of five systems and twelve items with holes, and three metrics'."""
    rng = np.random.default_rng(3)
    people = rng.integers(-4, 1, (5, 12)).astype(float)
    metrics = np.stack([people + rng.normal(0, spread, people.shape) for spread in (1, 2, 6)])
    people[1, 3] = people[4, 0] = np.nan
    return people, metrics


def groups(people: Any, grouping: str) -> list[list[tuple[int, int]]]:
    cells = [(int(s), int(n)) for s, n in np.argwhere(np.isfinite(people))]
    if grouping == "none":
        return [cells]
    axis = 1 if grouping == "item" else 0
    return [[c for c in cells if c[axis] == at] for at in range(people.shape[axis])]


def naive_accuracy(people: Any, metric: Any, grouping: str, epsilon: float) -> float:
    means = []
    for cells in groups(people, grouping):
        right = []
        for one, other in combinations(cells, 2):
            message = np.sign(people[one] - people[other])
            apart = metric[one] - metric[other]
            right.append(message == (0 if abs(apart) <= epsilon else np.sign(apart)))
        means.append(np.mean(right))
    return float(np.mean(means))


@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_statistics_of_outputs(scores: tuple[Any, Any], grouping: str) -> None:
    people, metrics = scores
    pairs = pair_agreement.pairs_of_outputs(people, grouping)
    for metric in metrics:
        candidates = {0.0}
        for cells in groups(people, grouping):
            candidates |= {abs(metric[a] - metric[b]) for a, b in combinations(cells, 2)}
        best = max(naive_accuracy(people, metric, grouping, candidate) for candidate in candidates)
        calibrated_accuracy = pair_agreement.calibrated_accuracy(people, metric, pairs)
        assert calibrated_accuracy is not None
        assert calibrated_accuracy.accuracy == pytest.approx(best)
        again = naive_accuracy(people, metric, grouping, calibrated_accuracy.epsilon)
        assert again == pytest.approx(best)
        columns = [
            np.array([(people[c], metric[c]) for c in g]).T for g in groups(people, grouping)
        ]
        taus = [kendalltau(*column).statistic for column in columns]
        assert pair_agreement.tau_by_group(people, metric, pairs) == pytest.approx(taus)
        rs = [pearsonr(*column).statistic for column in columns]
        assert pair_agreement.pearson_by_group(people, metric, grouping) == pytest.approx(rs)


def test_soft_accuracy_is_one_minus_the_difference_of_p_values(scores: tuple[Any, Any]) -> None:
    people, metrics = scores
    soft_accuracy = pair_agreement.soft_accuracy(people, metrics, resamples=4000, seed=1)
    rng = np.random.default_rng(9)
    for metric, value in zip(metrics, soft_accuracy, strict=True):
        apart = []
        for one, other in combinations(range(5), 2):
            p_values = []
            for item in (people, metric):
                paired = (item[one] - item[other])[np.isfinite(people[one] + people[other])]
                sums = (rng.choice([-1, 1], (4000, len(paired))) * paired).sum(axis=1)
                ties = np.isclose(sums, paired.sum())
                p_values.append(np.mean((sums > paired.sum()) & ~ties) + ties.mean() / 2)
            apart.append(abs(p_values[0] - p_values[1]))
        assert value == pytest.approx(1 - np.mean(apart), abs=0.01)


COUPLES = np.array([[0, 1], [0, 2]])


def coins_for(people: Any) -> Any:
    return np.random.default_rng(0).integers(0, 2, (20, people.size)).astype(float)


def swapped(metrics: Any, couple: Any, coins: Any) -> tuple[Any, Any]:
    """The scores of two metrics after those of some outputs changed places."""
    first, second = metrics[couple]
    coins = coins.reshape(first.shape)
    return np.where(coins, second, first), np.where(coins, first, second)


def test_swapped_accuracy_is_that_of_the_swapped_scores(scores: tuple[Any, Any]) -> None:
    people, metrics = scores
    pairs = pair_agreement.pairs_of_outputs(people, "item")
    swaps = coins_for(people)
    computed = accuracy_of_outputs(people, metrics, COUPLES, swaps, np.full(3, 0.5), pairs)
    for at, couple in enumerate(COUPLES):
        for time, coins in enumerate(swaps):
            one, other = (
                naive_accuracy(people, item, "item", 0.5)
                for item in swapped(metrics, couple, coins)
            )
            assert computed[at, time] == pytest.approx(one - other)


def naive_mean(people: Any, metric: Any, grouping: str, statistic: Any) -> float:
    """The mean of a correlation over groups, where it is defined."""
    results = []
    for cells in groups(people, grouping):
        message, sentence = np.array([(people[cell], metric[cell]) for cell in cells]).T
        if len(cells) > 2 and np.ptp(message) and np.ptp(sentence):
            results.append(statistic(message, sentence).statistic)
    return float(np.mean(results))


def naive_soft(people: Any, metric: Any) -> float:
    apart = []
    for one, other in combinations(range(len(people)), 2):
        p_values = []
        for item in (people, metric):
            paired = (item[one] - item[other])[np.isfinite(people[one] + people[other])]
            p_values.append(norm.cdf(-paired.sum() / np.sqrt((paired**2).sum())))
        apart.append(abs(p_values[0] - p_values[1]))
    return float(1 - np.mean(apart))


@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_statistics_of_swapped_scores(scores: tuple[Any, Any], grouping: str) -> None:
    """Closed forms in the coins are what the swapped scores give; rounded ones have ties."""
    people, metrics = scores
    swaps = coins_for(people)
    people[:, 5] = -1
    metrics[0][:, 6] = 2
    metrics[2][1, 4] = np.nan
    for stack in (
        np.stack([metrics[0], np.round(metrics[1]), metrics[2]]),
        np.stack([np.round(metrics[0]), metrics[1], np.round(metrics[2])]),
    ):
        stack[:, np.isnan(people)] = np.nan
        computed = {
            pearsonr: pearson_of_outputs(people, stack, COUPLES, swaps, grouping),
            kendalltau: kendall_by_item(people, stack, COUPLES, swaps),
            None: soft_accuracy_of_systems(people, stack, COUPLES, swaps),
        }
        accuracy, r = accuracy_and_pearson_of_systems(people, stack, COUPLES, swaps)
        for at, couple in enumerate(COUPLES):
            message = np.where(np.isfinite(stack[couple].sum(axis=0)), people, np.nan)
            exact = exact_soft_accuracy(people, *stack[couple], swaps)
            for time, coins in enumerate(swaps):
                both = swapped(stack, couple, coins)
                for statistic, group in ((pearsonr, grouping), (kendalltau, "item")):
                    one, other = (naive_mean(message, item, group, statistic) for item in both)
                    assert computed[statistic][at, time] == pytest.approx(one - other, abs=1e-12)
                one, other = (naive_soft(message, item) for item in both)
                assert exact[time] == pytest.approx(one - other, abs=1e-12)
                assert computed[None][at, time] == pytest.approx(one - other, abs=1e-5)
                means = [
                    np.nanmean(np.where(np.isfinite(message), item, np.nan), 1) for item in both
                ]
                entries = np.nanmean(people, axis=1)
                of_systems = [pearsonr(entries, mean).statistic for mean in means]
                orders = [pair_agreement.pairwise_accuracy(entries, mean) for mean in means]
                assert r[at, time] == pytest.approx(of_systems[0] - of_systems[1])
                assert accuracy[at, time] == pytest.approx(orders[0] - orders[1])


def test_what_single_precision_leaves_open_is_settled_in_double(scores: tuple[Any, Any]) -> None:
    """Two metrics that differ in one output: half of all swaps change nothing, to the last bit."""
    people, metrics = scores
    metrics[1] = metrics[0]
    metrics[1, 2, 7] += 0.5
    squares = metric_tests.permutation_tests(
        people, metrics[:2], "item", [0.5, 0.5], resamples=200, seed=0
    )
    standard = np.stack([metric_tests._standardised(metric, people)[0] for metric in metrics[:2]])
    (swaps,) = metric_tests._swaps(people.size, 200, 0)
    apart = exact_soft_accuracy(people, *standard, swaps)
    higher = (apart[1:] >= apart[0] - pair_agreement.ROUNDING).sum() + 1
    assert squares["system", "soft_accuracy"].p_value[0, 1] == higher / 201


@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_a_better_metric_is_found_better(scores: tuple[Any, Any], grouping: str) -> None:
    people, metrics = scores
    squares = metric_tests.permutation_tests(
        people, metrics, grouping, [0.5, 0.5, 0.5], resamples=200, seed=0
    )
    assert (("sentence", "kendall") in squares) == (grouping == "item")
    for name, tested in squares.items():
        square = tested.p_value
        assert square[0, 2] <= square[2, 0] or name[0] == "system", name
        assert np.isnan(square.diagonal()).all()
    for name in ("accuracy", "pearson"):
        assert squares["sentence", name].p_value[0, 2] < 0.05
        assert squares["sentence", name].p_value[2, 0] > 0.9


def test_p_values_are_corrected_for_all_pairs(scores: tuple[Any, Any]) -> None:
    """A pair is held against the largest of all standardised differences after each swap."""
    people, metrics = scores
    tested = metric_tests.permutation_tests(
        people, metrics, "item", [0.5] * 3, resamples=300, seed=2
    )["sentence", "pearson"]
    couples = np.array([*combinations(range(3), 2)])
    standard = np.stack([metric_tests._standardised(metric, people)[0] for metric in metrics])
    (swaps,) = metric_tests._swaps(people.size, 300, 2)
    computed = pearson_of_outputs(people, standard, couples, swaps, "item")
    spread = [np.sqrt(np.mean(entry[1:] ** 2)) for entry in computed]
    largest = np.max([np.abs(e[1:]) / s for e, s in zip(computed, spread, strict=True)], axis=0)
    for (one, other), item, deviation in zip(couples, computed, spread, strict=True):
        expected = (1 + np.sum(largest >= abs(item[0]) / deviation - 1e-9)) / 301
        assert tested.p_corrected[one, other] == tested.p_corrected[other, one] == expected
        assert expected >= min(tested.p_value[one, other], tested.p_value[other, one])


def test_metrics_that_are_equal_are_one_cluster_as_often_as_it_says() -> None:
    """Six metrics equally good: uncorrected, four in ten campaigns or more had several clusters."""
    several = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        quality = rng.normal(0, 1, (5, 30))
        people = quality + rng.normal(0, 1, quality.shape)
        metrics = quality + rng.normal(0, 1, (6, *quality.shape))
        tested = metric_tests.permutation_tests(
            people, metrics, "none", [0.0] * 6, resamples=100, seed=seed
        )["sentence", "pearson"]
        several.append([np.nanmin(tested.p_value) < 0.05, np.nanmin(tested.p_corrected) < 0.05])
    uncorrected, corrected = np.mean(several, axis=0)
    assert uncorrected > 0.3
    assert corrected < 0.15


def test_p_values_by_bootstrap_are_two_sided_and_never_zero() -> None:
    seen = np.array([0.9, 0.5, 0.85])
    replicates = seen[:, np.newaxis] + np.array([[0.02, -0.06, 0, 0.01]] * 3) * [[1], [-1], [0]]
    square = metric_tests.bootstrap_p_values(replicates, seen)
    assert square[0, 1] == square[1, 0] == 1 / 5
    assert square[0, 2] == 2 / 5  # .05 was seen; one draw lies .06 from it
    assert np.isnan(square.diagonal()).all()


def test_documents_are_resampled_whole() -> None:
    """Intervals of r of outputs are those of items' r, twelve documents of ten drawn by name."""
    rng = np.random.default_rng(4)
    people = rng.normal(size=(4, 120))
    metric = (
        people + rng.normal(size=people.shape) + np.repeat(rng.normal(size=(4, 12)), 10, axis=1)
    )
    with world(120, documents=True) as there:
        ids = [name for (name,) in there.submissions(4)]
        there.judge(ids, {"quality": 50 + 8 * people}, np.zeros(people.shape))
        there.score(ids, {"m": metric})
        there.db.human()
        there.db.metrics(settings={"replicates": 300, "seed": 1})
        ((low, high),) = there.rows(
            "SELECT low, high FROM metric_leaderboard WHERE metric = 'm' AND level = 'sentence' "
            "AND statistic = 'pearson' AND part_kind = 'all'"
        )
    r = np.array([pearsonr(people[:, item], metric[:, item]).statistic for item in range(120)])
    of_documents = r.reshape(12, 10).mean(axis=1)
    drawn = metric_tests.draws_of_items(12, 300, 1) @ of_documents / 12
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist())


def test_systems_and_items_are_resampled_together(scores: tuple[Any, Any]) -> None:
    """What is drawn twice counts twice; a system that is drawn twice is no pair with itself."""
    people, metrics = scores
    rng = np.random.default_rng(8)
    systems, items = rng.integers(0, 5, (20, 5)), rng.integers(0, 12, (20, 12))
    of_systems, of_items = (
        np.array([np.bincount(item, minlength=size) for item in drawn])
        for drawn, size in ((systems, 5), (items, 12))
    )
    resampled_systems = metric_tests.resampled_systems(people, metrics[2], of_items, of_systems)
    for at in range(20):
        message, sentence = (
            np.nanmean(
                np.where(np.isfinite(people), item, np.nan)[np.ix_(systems[at], items[at])], 1
            )
            for item in (people, metrics[2])
        )
        agreed = [
            np.sign(message[a] - message[b]) == np.sign(sentence[a] - sentence[b])
            for a, b in combinations(range(5), 2)
            if systems[at][a] != systems[at][b]
        ]
        assert resampled_systems["pairwise_accuracy"][at] == pytest.approx(np.mean(agreed))
        if len({*systems[at]}) > 2:
            assert resampled_systems["pearson"][at] == pytest.approx(
                pearsonr(message, sentence).statistic
            )
        else:
            assert np.isnan(resampled_systems["pearson"][at])


HOSTILE = {
    "a metric that is constant": lambda m: m[0].fill(3.0),
    "a metric that scored half of the sentences": lambda m: m[0][:, ::2].fill(np.nan),
    "a metric that scored nothing": lambda m: m[0].fill(np.nan),
    "a metric that lacks a system": lambda m: m[0][-1].fill(np.nan),
    "all metrics the same": lambda m: m.__setitem__(slice(None), m[1]),
}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("systems", [1, 2, 5])
@pytest.mark.parametrize("kind", ["ties", "scores"])
def test_what_is_undefined_is_null(
    scores: tuple[Any, Any], what: str, systems: int, kind: str
) -> None:
    """Each row has a value or a reason, which is told; p-values and places are numbers."""
    people, metrics = scores[0][:systems], scores[1][:, :systems]
    if kind == "ties":
        people = np.where(np.isfinite(people), -1.0, np.nan)
    HOSTILE[what](metrics)
    entries = np.isfinite(metrics)
    counts = np.where(entries.any(axis=2), entries.sum(axis=2), np.nan)
    means = np.where(entries, metrics, 0).sum(axis=2) / counts
    judged = Judged(
        *("C", "set", "mqm"),
        systems=[f"S{n}" for n in range(systems)],
        items=np.arange(12),
        people=people,
        metrics=["a", "b", "c"],
        scores=metrics,
        system_scores=means,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows, compared = _evaluated(
            judged, MetricSettings(replicates=50), Clusters("sentence", judged.items, judged.items)
        )
    assert len(rows) == 7 * 3
    for row in rows:
        assert (row["value"] is None) == (row["undefined_reason"] is not None)
        assert (row["value"] is None) == (row["place"] is None)
        assert np.isfinite(row["value"] or 0)
    kind = document_text(evaluation_document(evaluation_tables(rows)), width=200)
    reasons = {row["undefined_reason"] for row in rows} - {None}
    assert [reason for reason in reasons if f": {reason})" not in kind] == []
    for row in compared:
        assert row["p_permutation"] is None or 0 < row["p_permutation"] <= 1
        if what == "all metrics the same":
            assert row["p_permutation"] in (None, 1)


def test_settings_that_do_not_exist(database: Database) -> None:
    with pytest.raises(InputError, match="no grouping"):
        evaluate_metrics(database, settings=MetricSettings(grouping="year"))
    with pytest.raises(UnknownNameError, match="people judged none of these outputs"):
        evaluate_metrics(database)


@pytest.fixture
def judged_folder(tmp_path: Path) -> Path:
    """A folder of WMT: three systems, six sentences of two domains, two criteria, two metrics."""
    systems, rng = ("A", "B", "C"), np.random.default_rng(5)

    def column(low: float, high: float) -> str:
        return "".join(f"{s}\t{v:.4f}\n" for s in systems for v in rng.uniform(low, high, 6))

    files = {
        "references/en-de.refA.txt": "".join("ab " * n + "c\n" for n in range(1, 7)),
        "documents/en-de.docs": "".join(f"{'news' if n < 3 else 'chat'}\td{n}\n" for n in range(6)),
        **{f"system-outputs/en-de/{system}.txt": "a b\n" * 6 for system in systems},
        "human-scores/en-de.mqm.seg.score": column(-9, 0),
        "human-scores/en-de.da.seg.score": column(0, 100),
        **{f"metric-scores/en-de/{name}-src.seg.score": column(0, 1) for name in ("M", "TER")},
    }
    for name, content in files.items():
        (tmp_path / "wmt30" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "wmt30" / name).write_text(content)
    return tmp_path / "wmt30"


def test_parts_are_evaluated_by_themselves(judged_folder: Path) -> None:
    def scores(path: str) -> Any:
        lines = (judged_folder / path).read_text().split()
        return np.array(lines[1::2], float).reshape(3, 6)

    people, metric = (
        scores("human-scores/en-de.mqm.seg.score"),
        scores("metric-scores/en-de/M-src.seg.score"),
    )
    with connect(None) as tracker:
        tracker.ingest_wmt(judged_folder, "en-de")
        for by, parts in (
            ("domain", {"news": [0, 1, 2], "chat": [3, 4, 5]}),
            ("document", {"d4": [4]}),
        ):
            tracker.metrics(criterion="mqm", settings=MetricSettings(by=by, replicates=9))
            rows = tracker.show("metric_leaderboard").to_pylist()
            for part, items in parts.items():
                computed = {
                    (row["level"], row["statistic"]): row
                    for row in rows
                    if (row["part_kind"], row["part"], row["metric"]) == (by, part, "m")
                }
                accuracy = computed["sentence", "accuracy"]
                message, sentence = people[:, items], metric[:, items]
                naive = naive_accuracy(message, sentence, "item", accuracy["epsilon"])
                assert (accuracy["value"], accuracy["items"]) == (pytest.approx(naive), len(items))
                assert accuracy["cluster"] is None
                r = pearsonr(message.mean(axis=1), sentence.mean(axis=1)).statistic
                assert computed["system", "pearson"]["value"] == pytest.approx(r)
        tracker.metrics(criterion="mqm", settings=MetricSettings(by="length", replicates=9))
        rows = tracker.show("metric_leaderboard").to_pylist()
        lengths = {(row["part"], row["items"]) for row in rows if row["part_kind"] == "length"}
        assert [items for _, items in sorted(lengths)] == [2, 2, 1, 1]
        for by in ("complexity", "relation"):
            with pytest.raises(InputError, match=f"no sentence of wmt30.en-de has a {by}"):
                tracker.metrics(criterion="mqm", settings=MetricSettings(by=by))


def test_a_picture_of_several_criteria_is_refused_before_anything_is_stored(
    judged_folder: Path,
) -> None:
    with connect(None) as tracker:
        tracker.ingest_wmt(judged_folder, "en-de")
        with pytest.raises(InputError, match="a picture is of one"):
            tracker.metrics(settings=MetricSettings(one_place=True))
        assert not tracker.show("metric_leaderboard").num_rows
        tracker.metrics(criterion="da", settings=MetricSettings(one_place=True, replicates=9))
        assert tracker.show("metric_leaderboard").num_rows == 7 * 2
        page = judged_folder / "report.html"
        tracker.report(page, campaign="WMT30")
        section = page.read_text().partition('id="agreement"')[2].partition("</section>")[0]
        assert "acc*_eq" in section
        assert "Agreement of 2 metrics with people" in section


def test_figures_of_wmt23(shared_data: Path, tmp_path: Path) -> None:
    """The published figures of 12 systems: SPA within .01, the others to the printed digit."""
    with connect(tmp_path / "wmt.duckdb", create=True) as tracker, tracker.writing():
        tracker.ingest_wmt(shared_data / "wmt23", "en-de")
        tracker.metrics(campaign="WMT23", criterion="mqm")
        rows = tracker.show("metric_leaderboard").to_pylist()
        tracker.metrics(campaign="WMT23", criterion="mqm")
        assert tracker.show("metric_leaderboard").to_pylist() == rows
        pairs = tracker.show("metric_pairs").to_pylist()
    values = {
        (row["metric"], row["statistic"]): row["value"]
        for row in rows
        if row["statistic"] != "pearson" or row["level"] == "system"
    }
    for metric, figures in WMT23.items():
        for statistic, figure in zip(STATISTICS, figures, strict=True):
            tolerance = 0.01 if statistic == "soft_accuracy" else 0.00005001
            assert values[metric, statistic] == pytest.approx(figure, abs=tolerance), metric
    assert {row["systems"] for row in rows} == {12}
    assert {row["items"] for row in rows} == {460}
    assert len(pairs) == 7 * 8 * 7 // 2
