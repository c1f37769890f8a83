"""Metrics against people, and people against people: published figures, scipy, worked cases."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, kstest, pearsonr, spearmanr

from sr_tracker.queries.examination.metric_agreement import (
    store_evaluation_agreement,
    store_metric_agreement,
)
from sr_tracker.queries.functions.metric_tests import outliers, williams_p_value
from sr_tracker.queries.papers import part_rows
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.papers.parts import Paper
from sr_tracker.tracker.show.charts.people import metric_agreement_chart
from sr_tracker.tracker.show.charts.saving import save_chart
from tests.charts import check_specification, records
from tests.papers_reference import results_of

# Mille et al. 2018, Tables 6 to 8 (z of meaning similarity and readability) and 3 to 5.
TABLES = {
    "en": {
        "OSU": (0.369, 0.558, 66.33, 12.02, 70.22),
        "ADAPT": (0.314, 0.638, 69.14, 12.02, 80.42),
        "Tilburg": (0.291, 0.258, 55.29, 10.86, 79.29),
        "NILC": (0.280, 0.166, 50.74, 10.62, 77.56),
        "AX": (0.043, -0.019, 28.09, 9.51, 70.01),
        "BinLin": (0.0, -0.102, 29.6, 9.58, 65.9),
        "DipInfo": (-0.120, -0.345, 23.2, 8.86, 51.87),
        "IIT-BHU": (-0.312, -0.376, 8.04, 7.71, 47.63),
        "HUMAN": (None, 0.797, 100.0, 15.0, 100.0),
    },
    "fr": {
        "Tilburg": (0.365, 0.607, 52.03, 9.85, 55.54),
        "OSU": (0.237, 0.179, 38.24, 8.00, 53.69),
        "BinLin": (-0.133, -0.26, 20.53, 7.21, 28.6),
        "DipInfo": (-0.32, -0.456, 23.12, 7.72, 18.04),
        "AX": (-0.444, -0.659, 7.87, 6.45, 22.3),
        "HUMAN": (None, 1.525, 100.0, 15.0, 100.0),
    },
    "es": {
        "OSU": (0.519, 0.731, 65.31, 12.74, 61.46),
        "NILC": (0.175, 0.093, 51.58, 11.17, 53.78),
        "Tilburg": (0.136, 0.265, 49.47, 11.12, 51.73),
        "BinLin": (-0.214, -0.299, 32.15, 10.21, 36.95),
        "DipInfo": (-0.445, -0.558, 26.9, 9.58, 24.53),
        "AX": (-0.583, -0.700, 10.2, 8.26, 21.12),
        "HUMAN": (None, 1.120, 100.0, 15.0, 100.0),
    },
}
# Table 9, Pearson's r of BLEU, NIST and DIST.
TABLE_9 = {
    ("en", "adequacy"): (0.968, 0.967, 0.911),
    ("en", "fluency"): (0.971, 0.977, 0.831),
    ("fr", "adequacy"): (0.954, 0.854, 0.968),
    ("fr", "fluency"): (0.978, 0.924, 0.938),
    ("es", "adequacy"): (0.986, 0.980, 0.990),
    ("es", "fluency"): (0.969, 0.971, 0.969),
}
# Table 10, z of the experts' evaluation of the English systems.
EXPERTS = {
    "OSU": (0.479, 0.459),
    "ADAPT": (0.394, 0.530),
    "Tilburg": (0.308, 0.276),
    "NILC": (0.219, 0.156),
    "AX": (-0.109, -0.194),
    "BinLin": (-0.238, -0.299),
    "DipInfo": (-0.414, -0.449),
    "IIT-BHU": (-0.640, -0.480),
}
METRICS = ("bleu", "nist", "dist")
CRITERIA = ("adequacy", "fluency")
ORACLES = {
    "pearson": pearsonr,
    "spearman": spearmanr,
    "kendall": lambda x, y: kendalltau(x, y, method="asymptotic"),
}


def judge(
    database: Database,
    campaign: str,
    treebank: str,
    system: str,
    z_scores: Sequence[float | None],
    sentence_no: int = 1,
) -> str:
    """Register a submission and give one of its sentences a z-score on each criterion."""
    connection = database.connection
    submission = f"{campaign}/{system}/{treebank}"
    name, _, iteration = system.partition("@")
    connection.execute(
        "INSERT INTO submission SELECT ?, ?, ?, ?, 'shallow', ?, NULL, now(), 'text', '', '{}', "
        "'{}', '', '' WHERE NOT EXISTS (FROM submission WHERE submission_id = $1)",
        [submission, campaign, name, treebank, int(iteration or 1)],
    )
    kind = "human" if name == "HUMAN" else "team"
    connection.execute(
        "INSERT INTO system SELECT ?, NULL, ?, NULL, NULL "
        "WHERE NOT EXISTS (FROM system WHERE system_id = $1)",
        [name, kind],
    )
    connection.executemany(
        "INSERT INTO human_score VALUES (?, ?, ?, ?, NULL, 1, 'test')",
        [
            (submission, sentence_no, criterion, z)
            for criterion, z in zip(CRITERIA, z_scores, strict=False)
            if z is not None
        ],
    )
    return submission


def score(
    database: Database, submission: str, metric: str, value: float | None, *, signature: str = ""
) -> None:
    connection = database.connection
    row = [signature or metric, submission, metric, value]
    connection.execute("INSERT INTO submission_score VALUES (?, ?, ?, ?, 1, NULL)", row)
    connection.execute(
        "INSERT INTO scoring VALUES (?, ?, ?, '', '', now(), 1)", [row[1], metric, row[0]]
    )


def rate_sentence(
    database: Database, submission: str, sentence_no: int, metric: str, value: float | None
) -> None:
    database.connection.execute(
        "INSERT INTO sentence_score BY NAME SELECT ? AS signature_id, ? AS submission_id, "
        "? AS metric, ? AS sentence_no, ? AS score",
        [metric, submission, metric, sentence_no, value],
    )


def enter(database: Database, campaign: str, language: str) -> None:
    for system, (adequacy, fluency, *metrics) in TABLES[language].items():
        submission = judge(database, campaign, language, system, [adequacy, fluency])
        for metric, value in zip(METRICS, metrics, strict=True):
            score(database, submission, metric, value)


def agreements(database: Database, **wanted: str) -> pd.DataFrame:
    rows = database.connection.execute("FROM agreement_with_people").to_arrow_table().to_pandas()
    for column, value in wanted.items():
        rows = rows[rows[column] == value]
    return rows


def test_table_9_of_sr18(database: Database) -> None:
    """All 18 coefficients of Mille et al. (2018), Table 9, to the third digit."""
    for language in TABLES:
        enter(database, "SR18", language)
    store_metric_agreement(database, "SR18")
    rows = agreements(database, method="pearson", outliers="with", level="system")
    frame = rows.set_index(["treebank_id", "criterion", "metric"])
    assert len(frame) == 18
    for (language, criterion), published in TABLE_9.items():
        for metric, r in zip(METRICS, published, strict=True):
            assert frame.loc[(language, criterion, metric), "coefficient"] == pytest.approx(
                r, abs=0.0006
            )
    assert results_of("sr18", "Tables 3 to 8 of the paper", "equal") == {"table-9": 18}
    # In bold there: no metric is better in French and Spanish; in English, DIST is worse. From the
    # printed figures only its correlation with readability is significantly lower.
    best = rows[rows["among_best"].astype(bool)]
    assert len(best) == 17
    worse = frame.loc[("en", "fluency", "dist")]
    assert worse["williams_p_value"] == pytest.approx(0.0227, abs=1e-4)
    assert set(frame.loc["en", "n"]) == {8}
    assert set(rows["warning"]) == {"few systems"}


def test_table_11_of_sr18(database: Database) -> None:
    """Crowd against experts, Mille et al. (2018), Table 11, from the z-scores of 6 and 10."""
    enter(database, "crowd", "en")
    for system, z_scores in EXPERTS.items():
        judge(database, "experts", "en", system, z_scores)
    judge(database, "other", "en", "OSU", [0.1, 0.2])
    assert store_evaluation_agreement(database) == 4 * 3
    rows = database.connection.execute("FROM agreement_of_evaluations").to_arrow_table().to_pandas()
    frame = rows[rows["method"] == "pearson"].set_index(
        ["campaign_id", "criterion", "other_campaign_id", "other_criterion"]
    )["coefficient"]
    across = {criterion: ("crowd", criterion, "experts", criterion) for criterion in CRITERIA}
    assert frame[across["adequacy"]] == pytest.approx(0.993, abs=0.0005)
    assert frame[across["fluency"]] == pytest.approx(0.985, abs=0.0005)
    assert results_of("sr18", "Tables 6 and 10 of the paper", "equal") == {"table-11": 4}
    # Table 9: meaning similarity and readability of the crowd.
    assert frame["crowd", "adequacy", "crowd", "fluency"] == pytest.approx(0.927, abs=0.0005)
    assert set(rows["n"]) == {8}
    assert store_evaluation_agreement(database) == 12
    assert len(database.connection.execute("FROM evaluation_agreement").fetchall()) == 12


def test_table_11_of_raw_means_is_that_of_tables_6_and_10(database: Database) -> None:
    connection = database.connection
    paper = Path(inspect.getfile(Paper)).parent / "sr18"
    names = []
    for campaign, table in (("crowd", "tables-6-to-8"), ("experts", "table-10")):
        for row in csv.DictReader((paper / f"{table}.csv").open(encoding="utf-8")):
            if row["language"] != "en":
                continue
            submission = judge(database, campaign, "en", row["system"], [0.0])
            names.append(submission)
            connection.execute(
                "INSERT INTO human_ranking BY NAME SELECT ? AS campaign_id, 'en' AS treebank_id, "
                "? AS criterion, 'all' AS annotators, ? AS submission_id, ? AS raw_mean, "
                "1 AS sentences, 1 AS assessments",
                [campaign, row["criterion"], submission, float(row["mean"])],
            )
        for criterion in ("meaning_similarity", "readability"):
            connection.execute(
                "INSERT INTO standardisation VALUES (?, ?, 'sample', 'all', 0.05, 1, '', 'z', "
                "'sentences', 'rank-sum', NULL, '', '', now())",
                [campaign, criterion],
            )
    rows = part_rows(database, "sr18_table_11", names, False, "newest", {}).to_pylist()
    made = {row["criterion"]: (row["score"], round(row["r"], 3), row["systems"]) for row in rows}
    assert made == {"meaning_similarity": ("mean", 0.997, 8), "readability": ("mean", 0.986, 8)}


def test_two_systems_in_common_have_no_correlation(database: Database) -> None:
    for campaign in ("A", "B"):
        for system in ("one", "two"):
            judge(database, campaign, "tb", system, [0.5])
    store_evaluation_agreement(database)
    rows = database.connection.execute(
        "SELECT n, coefficient, p_value, undefined_reason FROM agreement_of_evaluations"
    ).fetchall()
    assert rows == [(2, None, None, "fewer than 3 systems have both")] * 3


def test_coefficients_are_scipys_over_systems_and_outputs(database: Database) -> None:
    rng = np.random.default_rng(5)
    human, metric = rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    metric[2, 3] = np.nan
    for system in range(5):
        for sentence in range(6):
            submission = judge(
                database, "C", "tb", f"s{system}", [human[system, sentence]], sentence
            )
            value = metric[system, sentence]
            given_score = None if np.isnan(value) else float(value)
            rate_sentence(database, submission, sentence, "bleu", given_score)
        score(database, submission, "bleu", float(system % 3))
    assert store_metric_agreement(database, "C") == 3 * 2 * 2
    assert store_metric_agreement(database, "C") == 3 * 2 * 2
    rows = agreements(database, outliers="with").set_index(["level", "method"])
    assert len(rows) == 6
    entries = ~np.isnan(metric)
    for method, oracle in ORACLES.items():
        expected = oracle(human.mean(axis=1), np.arange(5) % 3)
        computed = rows.loc[("system", method)]
        assert computed["coefficient"] == pytest.approx(expected.statistic)
        assert computed["p_value"] == pytest.approx(expected.pvalue)
        expected = oracle(human[entries], metric[entries])
        computed = rows.loc[("sentence", method)]
        assert computed["n"] == 29
        assert computed["coefficient"] == pytest.approx(expected.statistic)
        assert computed["p_value"] == pytest.approx(expected.pvalue)
        assert pd.isna(computed["warning"])


def test_outliers_are_left_out_and_named(database: Database) -> None:
    """One hopeless system makes the correlation of a metric that does not tell the others apart."""
    z_scores = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4, "bad@2": -9.0}
    scores = {"a": 0.5, "b": 0.4, "c": 0.5, "d": 0.4, "bad@2": 0.0}
    for system, z in z_scores.items():
        submission = judge(database, "C", "tb", system, [z])
        score(database, submission, "bleu", scores[system])
        rate_sentence(database, submission, 1, "bleu", scores[system])
    store_metric_agreement(database, "C")
    for level in ("system", "sentence"):
        rows = agreements(database, method="pearson", level=level).set_index("outliers")
        assert rows.loc["with", "coefficient"] > 0.95
        assert list(rows.loc["with", "removed"]) == []
        assert rows.loc["without", "coefficient"] == pytest.approx(-0.4472, abs=1e-4)
        assert list(rows.loc["without", "removed"]) == ["bad@2"]
        assert list(rows["n"]) == [5, 4]


def test_undefined_correlations_say_why(database: Database) -> None:
    for number, system in enumerate("abcd"):
        submission = judge(database, "C", "tb", system, [float(number), 1.0])
        score(database, submission, "bleu", 0.5)
        score(database, submission, "nist", float(number) if number < 2 else None)
        score(database, submission, "dist", float(number), signature=f"way {number % 2}")
    store_metric_agreement(database, "C")
    rows = agreements(database, outliers="with", method="pearson").set_index(
        ["criterion", "metric"]
    )
    reasons = rows["undefined_reason"]
    assert reasons["adequacy", "bleu"] == "bleu is the same in all 4 systems"
    assert reasons["adequacy", "nist"] == "fewer than 3 systems have both"
    assert reasons["fluency", "dist"] == "fluency is the same in all 4 systems"
    best = rows.loc[("adequacy", "dist")]
    assert pd.isna(best["undefined_reason"])
    assert best["coefficient"] == 1
    assert best["among_best"] is True
    assert best["warning"] == "few systems; scores computed in 2 ways"
    undefined = rows[rows["undefined_reason"].notna()]
    assert len(undefined) == 5
    assert (
        undefined[["coefficient", "p_value", "williams_p_value", "among_best"]]
        .isna()
        .to_numpy()
        .all()
    )


def test_three_systems_are_too_few_for_a_williams_test(database: Database) -> None:
    for number, system in enumerate("abc"):
        submission = judge(database, "C", "tb", system, [float(number)])
        score(database, submission, "bleu", number**2.0)
        score(database, submission, "nist", number % 2.0)
    store_metric_agreement(database, "C")
    rows = agreements(database, method="pearson", outliers="with")
    assert rows["coefficient"].notna().all()
    assert rows[["williams_p_value", "among_best"]].isna().to_numpy().all()


def test_another_campaigns_rows_stay(database: Database) -> None:
    enter(database, "A", "fr")
    enter(database, "B", "es")
    assert store_metric_agreement(database, "A") == store_metric_agreement(database, "B") == 36
    assert store_metric_agreement(database, "A") == 36
    assert set(agreements(database)["campaign_id"]) == {"A", "B"}
    assert len(agreements(database)) == 72


def test_williams_is_that_of_steigers_example() -> None:
    """Steiger (1980): n = 103, r of 0.5 and 0.4 that share a variable, 0.1 between: t = 0.89.

    The two-sided p-value of 0.37 is the one printed by the R package psych, ``r.test``.
    """
    p_value = williams_p_value(103, 0.5, 0.4, 0.1)
    assert p_value is not None
    assert 2 * p_value == pytest.approx(0.375, abs=0.0005)


correlations = st.floats(-0.95, 0.95)


@given(st.integers(4, 200), correlations, correlations, correlations)
def test_williams_is_symmetric(n: int, one: float, other: float, between: float) -> None:
    p_value, mirrored = (
        williams_p_value(n, one, other, between),
        williams_p_value(n, other, one, between),
    )
    assert p_value is not None
    assert mirrored is not None
    assert p_value + mirrored == pytest.approx(1)
    assert 0 <= p_value <= 1
    assert (p_value <= 0.5) == (one >= other) or p_value == pytest.approx(0.5)


def test_williams_at_the_edges() -> None:
    assert williams_p_value(3, 0.9, 0.1, 0.2) is None
    assert williams_p_value(20, 0.7, 0.7, 1.0) == 0.5
    assert williams_p_value(20, 0.7, 0.7, 0.3) == 0.5


def test_williams_p_values_are_uniform_where_metrics_are_equally_good() -> None:
    rng = np.random.default_rng(7)
    p_values = []
    for _ in range(1000):
        human = rng.normal(size=12)
        metrics = human + rng.normal(size=(2, 12)) + rng.normal(size=12) / 2
        r = np.corrcoef([human, *metrics])
        p_values.append(williams_p_value(12, r[0, 1], r[0, 2], r[1, 2]))
    assert kstest(p_values, "uniform").pvalue > 0.01
    assert np.mean(np.array(p_values) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_outlier_rule_of_mathur_et_al() -> None:
    # Median 3, absolute deviations 2 1 0 1 97: MAD 1; the limit is 2.5 x 1.483 = 3.7075.
    assert list(outliers(np.array([1.0, 2, 3, 4, 100]))) == [False] * 4 + [True]
    assert list(outliers(np.array([1.0, 2, 3, 4, 6.7]))) == [False] * 5
    assert list(outliers(np.array([1.0, 2, 3, 4, 6.8]))) == [False] * 4 + [True]
    assert not outliers(np.array([1.0, 1, 1, 1, 9])).any()


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=20), st.integers(1, 9), st.integers(-9, 9)
)
def test_outliers_do_not_depend_on_the_scale(values: list[int], factor: int, shift: int) -> None:
    scores = np.array(values, np.float64)
    assert list(outliers(scores)) == list(outliers(-factor * scores + shift))
    assert outliers(scores).mean() <= 0.5


def test_the_chart_shows_coefficients_and_the_best(database: Database, tmp_path: Path) -> None:
    enter(database, "SR18", "en")
    store_metric_agreement(database, "SR18")
    rows = agreements(database, level="system", outliers="with")
    chart = metric_agreement_chart(records(rows), "SR18 en")
    check_specification(chart)
    svg = save_chart(chart, tmp_path / "chart.svg").read_text()
    for text in ("SR18 en", "0.97", "0.91", "0.83", "BLEU", "adequacy", "fluency", "8 systems"):
        assert text in svg
    with pytest.raises(InputError, match="comes twice"):
        metric_agreement_chart(records(agreements(database)), "with and without")
    with pytest.raises(InputError, match="nothing to draw"):
        metric_agreement_chart(records(rows[:0]), "none")
