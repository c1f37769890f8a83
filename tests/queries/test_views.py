"""Every view against the same thing computed with pandas from the tables."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries import catalog
from sr_tracker.queries.catalog import views
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database

METRICS = [
    *("bleu", "bleu_13a", "nist", "dist", "chrf", "ter", "dea", "dea_precision", "bleu_lemma"),
    *("dist_pooled", "chrf_plusplus", "bleu_smoothed", "nist4"),
]
ON_REQUEST = {
    *("spbleu", "spbleu_101", "rouge_1", "rouge_2", "rouge_l", "rouge_lsum", "words"),
    *("numbers", "spans", "empty", "repetition", "truncation", "copied_source", "wrong_language"),
}
"""Metrics by which nothing is scored where there are trees, unless somebody asks for it."""
IDENTITY = {*next(view.column_comments for view in views() if view.name == catalog.IDENTITY)}
KEYS = ["campaign_id", "treebank_id", "system_id", "submission_id"]


def frame(database: Database, query: str) -> pd.DataFrame:
    return database.connection.execute(f"FROM {query}").to_arrow_table().to_pandas()


def assert_same(view: pd.DataFrame, expected: pd.DataFrame, keys: list[str]) -> None:
    """Same rows and values in any order; numbers to 12 digits, missing values alike."""
    assert len(view) == len(expected)
    assert not view.duplicated(keys).any()
    columns = [*keys, *(column for column in expected.columns if column not in keys)]
    left, right = (
        data[columns].sort_values(keys).reset_index(drop=True).convert_dtypes()
        for data in (view, expected)
    )
    assert_frame_equal(left, right, check_dtype=False, rtol=1e-12, atol=1e-12)


def counting(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of submissions that count, by pandas: teams' (or baselines') newest ones."""
    rows = rows[rows.system_kind != "human"]
    rows = rows[rows.system_kind == ("team" if (rows.system_kind == "team").any() else "baseline")]
    run = rows.groupby(["campaign_id", "system_id", "treebank_id", "track"]).iteration
    return rows[rows.iteration == run.transform("max")]


@pytest.fixture(scope="module")
def scores(campaign: Database) -> pd.DataFrame:
    """One row per submission, one column per metric."""
    table = frame(campaign, "submission_score")
    return table.pivot(index="submission_id", columns="metric", values="score").reset_index()


@pytest.fixture(scope="module")
def submission(campaign: Database) -> pd.DataFrame:
    return frame(campaign, "submission")


def test_coverage(campaign: Database, submission: pd.DataFrame) -> None:
    output = frame(campaign, "output")
    counts = output.groupby("submission_id").text.agg(sentences="size", outputs="count")
    counts["missing"] = counts.sentences - counts.outputs
    counts["coverage"] = counts.outputs / counts.sentences
    expected = submission[KEYS].merge(counts.reset_index(), on="submission_id")
    assert expected.missing.sum() == 5
    assert_same(frame(campaign, "coverage"), expected, KEYS)


def test_submissions(campaign: Database, submission: pd.DataFrame) -> None:
    view = frame(campaign, "submission_overview")
    columns = ["track", "iteration", "parent_submission_id", "created_at", "reference_form"]
    columns += ["analysis", "source", "sha256"]
    assert_same(view, submission[KEYS + columns], KEYS)
    loaded = frame(campaign, "ingestion").query("kind == 'submission'").set_index("target")
    assert {(row.submission_id, row.loaded_at, row.tool) for row in view.itertuples()} == {
        (row.Index, row.ingested_at, row.tool) for row in loaded.itertuples()
    }
    assert set(view.year) == {2020}
    assert set(view.system_kind) == {"team"}
    assert dict(zip(view.treebank_id, view.language, strict=True)) == {
        "en_one-ud1.0-test": "en",
        "fr_two-ud1.0-test": "fr",
        "en_hid-ud1.0-test": "en",
    }
    coverage = frame(campaign, "coverage")[["submission_id", "sentences", "missing"]]
    assert_same(view, coverage, ["submission_id"])


def test_sentence_pairs_hold_both_texts_and_the_change(campaign: Database) -> None:
    """Against the tables, joined by pandas: every pair of submissions scored alike."""
    view = frame(campaign, "sentence_pairs")
    keys = ["metric", "signature_id", "sentence_no"]
    scores = frame(campaign, "sentence_score").merge(frame(campaign, "current_scoring"))
    texts = frame(campaign, "output").rename(columns={"text": "output"})
    one = scores.merge(texts)[["submission_id", *keys, "score", "output"]]
    renamed = {name: f"base_{name}" for name in ("submission_id", "score", "output")}
    two = one.rename(columns=renamed)
    pairs = one.merge(two, on=keys).query("submission_id != base_submission_id")
    pairs = pairs[pairs.score.notna() & pairs.base_score.notna()]
    runs = frame(campaign, "submission")
    pairs = pairs.merge(runs[["submission_id", "treebank_id"]])
    sentences = frame(campaign, "sentence").rename(columns={"text": "reference"})
    pairs = pairs.merge(sentences[["treebank_id", "sentence_no", "reference"]])
    pairs["change"] = pairs.score - pairs.base_score
    signs = pairs.metric.map(dict(frame(campaign, "metrics")[["metric", "better"]].values))
    pairs["is_worse"] = pairs.change.where(signs == "higher", -pairs.change) < 0
    told_apart = ["submission_id", "base_submission_id", "metric", "sentence_no"]
    of_metrics = view[~view.metric.str.endswith("_z")]
    assert_same(of_metrics, pairs.drop(columns="signature_id"), told_apart)
    assert set(of_metrics.is_worse) == {True, False}
    assert (view.other_score == view.base_score).all()
    assert (view.other_submission_id == view.base_submission_id).all()


def operators(campaign: Database, query: str) -> Iterator[dict[str, Any]]:
    """What a query did, operator by operator."""
    explained = campaign.connection.execute(f"EXPLAIN (ANALYZE, FORMAT json) {query}").fetchall()
    plan = json.loads(explained[0][1])
    waiting = plan.get("operator", [plan])  # the former is DuckDB 2's
    while waiting:
        yield (operator := waiting.pop())
        waiting += operator.get("children", [])


def gathered(campaign: Database, query: str) -> int:
    """How many rows the grouping of a query has that lists scores by metrics."""
    (rows,) = (
        operator.get("operator_cardinality", operator.get("intermediate_rows"))
        for operator in operators(campaign, query)
        if str(operator.get("extra_info", {}).get("Aggregates", "")).count("list(") == 2
    )
    return rows


@pytest.mark.parametrize("column", ["treebank_id", "system_id", "submission_id", "sentence_no"])
def test_a_condition_on_output_scores_gathers_scores_of_what_it_names_alone(
    campaign: Database, column: str
) -> None:
    if duckdb.__version__ >= "2" and column in ("treebank_id", "system_id"):
        pytest.skip("DuckDB 2 gathers before it joins what has these columns")
    every = frame(campaign, "output_scores")
    value = every[column].value_counts().index[-1]
    rows = int((every[column] == value).sum())
    assert rows < len(every) / 2
    few = f"FROM output_scores WHERE {column} = '{value}' LIMIT 2"
    assert gathered(campaign, few) <= rows
    assert gathered(campaign, "FROM output_scores") >= len(every)


@pytest.mark.skipif(duckdb.__version__ >= "2", reason="DuckDB 2 groups before it joins")
@pytest.mark.parametrize(
    ("view", "condition"),
    [
        ("submission_measures", "system_id = 'random'"),
        ("relation_consistency", "deprel = 'det'"),
        ("relation_divergence", "deprel = 'det'"),
        ("dea_by_relation_macro", "deprel = 'det'"),
    ],
)
def test_a_condition_reaches_what_a_view_groups(
    sample_file: Path, view: str, condition: str
) -> None:
    def grouped(query: str) -> int:
        steps = [step for step in operators(database, query) if "Groups" in step["extra_info"]]
        return sum(
            step.get("operator_cardinality", step.get("intermediate_rows")) for step in steps
        )

    with open_database(sample_file, read_only=True) as database:
        of_some = grouped(f"FROM {view} WHERE {condition}")
        assert of_some < grouped(f"FROM {view}") / 2


def test_of_a_treebank_both_sides_of_sentence_pairs_are_its_runs_alone(campaign: Database) -> None:
    query = "FROM sentence_pairs WHERE treebank_id = 'en_one-ud1.0-test' LIMIT 2"
    read = [operator.get("extra_info", {}) for operator in operators(campaign, query)]
    runs = [scan for scan in read if str(scan.get("Table")).endswith(".submission")]
    named = [scan for scan in runs if "'en_one-ud1.0-test'" in str(scan.get("Filters"))]
    assert len(named) == 2


def human_means(campaign: Database) -> pd.DataFrame:
    human = frame(campaign, "human_score")
    means = human.pivot_table(
        index="submission_id", columns="criterion", values=["z_score", "raw_mean"], aggfunc="mean"
    )
    judged = human.groupby("submission_id").sentence_no.nunique()
    return pd.DataFrame(
        {
            "adequacy_z": means["z_score", "adequacy"],
            "fluency_z": means["z_score", "fluency"],
            "adequacy_raw": means["raw_mean", "adequacy"],
            "fluency_raw": means["raw_mean", "fluency"],
            "judged_sentences": judged,
        }
    ).reset_index()


def test_human_means(campaign: Database) -> None:
    assert_same(frame(campaign, "human_means"), human_means(campaign), ["submission_id"])


def test_leaderboard(campaign: Database, submission: pd.DataFrame, scores: pd.DataFrame) -> None:
    view = frame(campaign, "leaderboard")
    coverage = frame(campaign, "coverage")[["submission_id", "coverage"]]
    expected = (
        submission[[*KEYS, "iteration", "reference_form"]]
        .merge(coverage, on="submission_id")
        .merge(scores[["submission_id", *METRICS]], on="submission_id")
        .merge(human_means(campaign), on="submission_id", how="left")
    )
    own = {"trials", "signatures"}
    assert set(view.columns) == set(expected.columns) | IDENTITY | ON_REQUEST | own
    assert view[["trials", *ON_REQUEST]].isna().all(axis=None)
    metrics = frame(campaign, "submission_metrics").groupby("submission_id")
    signatures = {
        submission_id: dict(zip(rows.metric, rows.signature_id, strict=True))
        for submission_id, rows in metrics
    }
    of_rows = zip(view.submission_id, map(json.loads, view.signatures), strict=True)
    assert dict(of_rows) == signatures
    assert_same(view, expected, KEYS)
    assert view.adequacy_z.notna().sum() == 2
    assert view.bleu.isna().sum() == 2


def test_leaderboard_puts_the_best_bleu_first(campaign: Database) -> None:
    view = frame(campaign, "leaderboard")
    assert list(zip(view.campaign_id, view.treebank_id, strict=True)) == sorted(
        zip(view.campaign_id, view.treebank_id, strict=True)
    )
    for _, group in view.groupby("treebank_id"):
        bleu = [-1.0 if math.isnan(value) else value for value in group.bleu]
        assert bleu == sorted(bleu, reverse=True)
    best = view[view.treebank_id == "en_one-ud1.0-test"].iloc[0]
    assert (best.submission_id, best.bleu) == ("C20/random/en_one-ud1.0-test@3", 1.0)


def test_team_settings(campaign: Database, submission: pd.DataFrame, scores: pd.DataFrame) -> None:
    expected = submission[["submission_id", "reference_form"]].merge(
        scores[["submission_id", "bleu_smoothed", "nist4", "dist_pooled"]], on="submission_id"
    )
    assert_same(frame(campaign, "team_settings"), expected, ["submission_id"])


def test_submission_metrics(campaign: Database) -> None:
    signatures = frame(campaign, "signature")[["signature_id", "signature"]]
    expected = frame(campaign, "submission_score").merge(signatures, on="signature_id")
    assert_same(
        frame(campaign, "submission_metrics"),
        expected.drop(columns="signature_id"),
        ["submission_id", "metric"],
    )


def test_sentence_scores(campaign: Database, submission: pd.DataFrame) -> None:
    pivot = (
        frame(campaign, "sentence_score")
        .pivot(index=["submission_id", "sentence_no"], columns="metric", values="score")
        .reset_index()
    )
    human = (
        frame(campaign, "human_score")
        .pivot(index=["submission_id", "sentence_no"], columns="criterion", values="z_score")
        .rename(columns={"adequacy": "adequacy_z", "fluency": "fluency_z"})
        .reset_index()
    )
    complexity = frame(campaign, "sentence_complexity")
    complexity = complexity[complexity.convention == "standard"]
    sentence = frame(campaign, "sentence")[["treebank_id", "sentence_no", "sent_id", "text"]]
    source = frame(campaign, "sentence_source")
    at = ["treebank_id", "sentence_no"]
    of = ["submission_id", "sentence_no"]
    expected = (
        frame(campaign, "output")
        .rename(columns={"text": "output"})
        .merge(submission[KEYS], on="submission_id")
        .merge(sentence.rename(columns={"text": "reference"}), on=at)
        .merge(pivot[[*of, *METRICS]], on=of, how="left")
        .merge(human[[*of, "adequacy_z", "fluency_z"]], on=of, how="left")
        .merge(complexity.drop(columns=["convention", "undefined_reason"]), on=at, how="left")
        .merge(source.drop(columns="source_text"), on=at, how="left")
    )
    view = frame(campaign, "output_scores")
    assert set(view.columns) == set(expected.columns) | IDENTITY | ON_REQUEST
    assert_same(view, expected, of)


def test_dea_by_relation(campaign: Database, submission: pd.DataFrame) -> None:
    matches = frame(campaign, "edge_match")
    expected = (
        matches.groupby(["submission_id", "deprel"])
        .found.agg(edges="size", dea="mean")
        .reset_index()
        .merge(submission[KEYS], on="submission_id")
    )
    assert "nmod" in set(expected.deprel)
    assert not expected.deprel.str.contains(":").any()
    assert_same(frame(campaign, "dea_by_relation"), expected, [*KEYS, "deprel"])


def test_dea_by_relation_macro(campaign: Database) -> None:
    by_relation = counting(frame(campaign, "dea_by_relation"))
    expected = (
        by_relation.groupby("deprel")
        .dea.agg(submissions="size", dea="mean", dea_median="median", dea_min="min", dea_max="max")
        .reset_index()
    )
    edges = frame(campaign, "reference_edge")
    edges = edges[edges.treebank_id.isin(by_relation.treebank_id)]
    expected["edges"] = expected.deprel.map(edges.deprel.value_counts())
    view = frame(campaign, "dea_by_relation_macro")
    assert_same(view, expected, ["deprel"])
    assert list(view.dea) == sorted(view.dea)


def test_treebank_complexity(campaign: Database) -> None:
    complexity = frame(campaign, "sentence_complexity")
    by = complexity.groupby(["treebank_id", "convention"])
    expected = by.size().rename("sentences").to_frame()
    for name in ("depth", "length", "mdd", "mfs", "mfw", "arity"):
        expected[f"{name}_mean"] = by[name].mean()
        expected[f"{name}_sd"] = by[name].std(ddof=1)
    projective = by.projective.agg(lambda values: values.dropna().astype(float).mean())
    expected["nonprojective_percent"] = 100 * (1 - projective)
    view = frame(campaign, "treebank_complexity")
    assert set(view.columns) == {*expected.columns, "treebank_id", "convention"}
    assert_same(view, expected.reset_index(), ["treebank_id", "convention"])
    order = list(zip(view.treebank_id, view.convention, strict=True))
    assert order == sorted(order)


# Submission history


def test_history_compares_with_the_parent(campaign: Database, scores: pd.DataFrame) -> None:
    view = frame(campaign, "submission_history").set_index("submission_id")
    assert len(view) == 8
    first = "C20/random/en_one-ud1.0-test"
    second, third = f"{first}@2", f"{first}@3"
    assert view.previous_submission_id.dropna().to_dict() == {second: first, third: first}
    own = scores.set_index("submission_id")
    for metric in ("bleu", "nist", "dist", "chrf", "dea"):
        changes = view[f"{metric}_change"].dropna().to_dict()
        assert changes == {
            second: pytest.approx(own[metric][second] - own[metric][first], abs=1e-15),
            third: pytest.approx(own[metric][third] - own[metric][first], abs=1e-15),
        }


def test_history_is_in_the_order_of_iterations(campaign: Database) -> None:
    view = frame(campaign, "submission_history")
    order = list(
        zip(view.campaign_id, view.system_id, view.treebank_id, view.iteration, strict=True)
    )
    assert order == sorted(order)


def test_history_without_parents_compares_with_the_previous_iteration(
    changeable: Database, scores: pd.DataFrame
) -> None:
    changeable.connection.execute("UPDATE submission SET parent_submission_id = NULL")
    view = frame(changeable, "submission_history").set_index("submission_id")
    first, second, third = (f"C20/random/en_one-ud1.0-test{end}" for end in ("", "@2", "@3"))
    bleu = scores.set_index("submission_id").bleu
    assert view.previous_submission_id.dropna().to_dict() == {second: first, third: second}
    assert view.bleu_change.dropna().to_dict() == {
        second: pytest.approx(bleu[second] - bleu[first], abs=1e-15),
        third: pytest.approx(bleu[third] - bleu[second], abs=1e-15),
    }


@pytest.mark.parametrize(
    "change",
    [
        "reference_form = 'text'",
        "parent_submission_id = 'C20/random/fr_two-ud1.0-test'",
        "parent_submission_id = NULL, track = 'deep'",
    ],
)
def test_history_does_not_compare_what_cannot_be_compared(
    changeable: Database, change: str
) -> None:
    second = "C20/random/en_one-ud1.0-test@2"
    changeable.connection.execute(
        f"UPDATE submission SET {change} WHERE submission_id = '{second}'"
    )
    assert changeable.connection.execute(
        "SELECT bleu IS NOT NULL, bleu_change FROM submission_history WHERE submission_id = ?",
        [second],
    ).fetchall() == [(True, None)]


# Several signatures


def test_views_show_the_newest_of_several_signatures(changeable: Database) -> None:
    connection = changeable.connection
    before = {
        view: frame(changeable, view)
        for view in ("leaderboard", "output_scores", "dea_by_relation", "submission_metrics")
    }
    for table in ("scoring", "sentence_score", "submission_score", "edge_outcome", "signature"):
        replaced = "signature_id || '-old' AS signature_id"
        if table == "scoring":
            replaced += ", revision - 1000 AS revision"
        if table.endswith("score"):
            replaced += ", 0.123 AS score"
        if table == "edge_outcome":
            replaced += ", list_transform(found, lambda one: 1 - one) AS found"
        connection.execute(f"INSERT INTO {table} SELECT * REPLACE ({replaced}) FROM {table}")
    for view, rows in before.items():
        now = frame(changeable, view)
        keys = [
            name
            for name in ("submission_id", "sentence_no", "deprel", "metric")
            if name in rows.columns
        ]
        assert_same(now, rows, keys)


# Known figures


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Iterator[Database]:
    with open_database(None) as database:
        for row in expected_complexity(shared_data):
            version, short_name = row["treebank"].split("/")
            path = shared_data / "ud" / version / f"{short_name}-ud-test.conllu.gz"
            without = ["reparandum", "orphan", "goeswith"] if version == "2.0" else []
            name = name_treebank(path, treebank_id=row["treebank"].replace("/", "-"))
            ingest_treebank(database, path, name, without=without)
        score(database)
        yield database


def expected_complexity(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data / "expected" / "table2.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_complexity_is_that_of_the_published_table(published: Database, shared_data: Path) -> None:
    """Shimorina et al. (2021), Table 2; the exact flux weight is that of the expected file."""
    names = {"depth": "depth", "length": "length", "mdd": "mdd", "mfs": "mfs", "ma": "arity"}
    columns = {f"{a}_{b}": f"{names[a]}_{b}" for a in names for b in ("mean", "sd")}
    columns |= {"count": "sentences", "np_pct": "nonprojective_percent"}
    columns |= {"mfw_exact_mean": "mfw_mean", "mfw_exact_sd": "mfw_sd"}
    expected = expected_complexity(shared_data)
    assert expected
    for row in expected:
        values = frame(
            published,
            f"treebank_complexity WHERE convention = 'tacl2021' "
            f"AND treebank_id = '{row['treebank'].replace('/', '-')}'",
        ).iloc[0]
        for printed, name in columns.items():
            half_a_digit = 0.5 * 10.0 ** -len(row[printed].partition(".")[2])
            if not half_a_digit < 0.5:
                half_a_digit = 0.0
            assert values[name] == pytest.approx(
                float(row[printed]), rel=0, abs=max(half_a_digit, 0) + 1e-9
            ), (row["treebank"], printed)
