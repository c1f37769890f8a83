"""Logging to MLflow: a SQLite store, and a real server that comes and goes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import mlflow
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlflow import MlflowClient
from mlflow.entities import Run as MlflowRun
from mlflow.exceptions import MlflowException
from mlflow.protos.databricks_pb2 import BAD_REQUEST
from mlflow.utils.validation import _validate_metric_name, _validate_param_name

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.judgements.human_scores import ScoreFile, ingest_human_scores
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.change.comparison.changes import relation_changes
from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.sides import pairing_of
from sr_tracker.queries.errors.correlations import correlation
from sr_tracker.queries.errors.jobs import COMPLEXITIES, run_analyses
from sr_tracker.queries.metrics.scoring import score
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.progress import silent
from sr_tracker.tracker import experiments
from sr_tracker.tracker.experiments import LogReport, TrackingUnavailableError, log_submissions
from sr_tracker.tracker.experiments.active import log_to_active_run
from sr_tracker.tracker.experiments.results import keep_missing, read_moves
from sr_tracker.tracker.experiments.runs import clean_names
from sr_tracker.tracker.experiments.sheets import Sheet
from sr_tracker.tracker.experiments.store import (
    guarded,
    insert,
    open_store,
    without_credentials,
)
from sr_tracker.tracker.experiments.submissions import Submission, read_submissions
from sr_tracker.tracker.experiments.syncing import sync
from tests.building import conllu, written
from tests.tracker.mlflow_server import Server

TREEBANK = "en_tiny-ud1-test"
SENTENCES = [
    [("Dogs", "dog", 2, "nsubj"), ("bark", "bark", 0, "root"), ("loudly", "loudly", 2, "advmod")],
    [("Cats", "cat", 2, "nsubj"), ("sleep", "sleep", 0, "root")],
    [
        ("The", "the", 2, "det"),
        ("cat", "cat", 3, "nsubj"),
        ("sees", "see", 0, "root"),
        ("a", "a", 6, "det"),
        ("big", "big", 6, "amod"),
        ("dog", "dog", 3, "obj"),
    ],
    [("She", "she", 2, "nsubj"), ("knows", "know", 0, "root"), ("him", "he", 2, "obj")],
    [("Stop", "stop", 0, "root")],
]
TEXTS = [" ".join(form for form, *_ in sentence) for sentence in SENTENCES]
GOOD, FAIR = TEXTS, ["Dogs loudly bark", "sleep Cats", TEXTS[2], "him knows She", "Stop"]

LOGGING = """
import sys
from sr_tracker.schema.progress import silent
from sr_tracker.schema.database import open_database
from sr_tracker.tracker.experiments import log_submissions
assert "mlflow" not in sys.modules
print(log_submissions(open_database(sys.argv[1], read_only=True)).logged)
"""


def write_treebank(folder: Path) -> Path:
    trees = [
        [(form, head, relation, "X", "_", lemma) for form, lemma, head, relation in sentence]
        for sentence in SENTENCES
    ]
    return written(folder / f"{TREEBANK}.conllu", conllu(trees, texts=TEXTS))


def add(database: Database, folder: Path, outputs: list[str | None], **run: object) -> str:
    """Load outputs as a submission, score it and return its id."""
    path = written(folder / "outputs.txt", outputs)
    details = Run(**{"campaign_id": "SR99", "system_id": "alpha", "treebank_id": TREEBANK, **run})  # type: ignore[arg-type]
    analyser = analyser_factory(database, "reference")
    loaded = ingest_submission(database, path, details, analyser, replace=True)
    score(database)
    return loaded.submission_id


@pytest.fixture(scope="module")
def campaign_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_campaign(tmp_path_factory.mktemp("campaign"))


def tiny_campaign(folder: Path) -> Path:
    """A scored and correlated campaign: a system with two iterations, one that misses an output."""
    with open_database(folder / "campaign.duckdb") as database:
        path = write_treebank(folder)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        add(database, folder, FAIR, params={"beam": 5, "seed?": {"a": 1}, "analysis": "mine"})
        add(database, folder, GOOD, iteration=2, tags={"stage": "final"})
        add(database, folder, [*GOOD[:4], None], system_id="beta")
        run_analyses(database, [correlation()])
    return folder / "campaign.duckdb"


@pytest.fixture
def database(campaign_file: Path, tmp_path: Path) -> Iterator[Database]:
    """A copy of the campaign in a folder of its own, whose name has a blank in it."""
    (tmp_path / "my work").mkdir()
    copy = shutil.copy(campaign_file, tmp_path / "my work" / "campaign.duckdb")
    with open_database(copy) as opened:
        make_store(opened)
        yield opened


def make_store(database: Database) -> None:
    """Make an empty store beside a database."""
    assert database.path is not None
    (database.path.parent / "mlflow.db").write_bytes(_empty_store())


@cache
def _empty_store() -> bytes:
    """Return an empty store: MLflow takes two seconds for its tables."""
    with tempfile.TemporaryDirectory() as folder:
        with open_database(Path(folder) / "none.duckdb") as database, open_store(database, None):
            pass
        return (Path(folder) / "mlflow.db").read_bytes()


def store_of(database: Database) -> MlflowClient:
    assert database.path is not None
    return MlflowClient(f"sqlite:///{database.path.parent / 'mlflow.db'}")


def runs_of(client: MlflowClient, kind: str, campaign: str = "SR99") -> dict[str, MlflowRun]:
    """Active runs of a kind by the id in their tag; an id that is there twice fails."""
    experiment = client.get_experiment_by_name(campaign)
    runs = client.search_runs(
        [experiment.experiment_id], f"tags.`sr_tracker.kind` = '{kind}'", max_results=1000
    )
    ids = [run.data.tags[f"sr_tracker.{kind}_id"] for run in runs]
    assert len(ids) == len(set(ids))
    return dict(zip(ids, runs, strict=True))


def histories(client: MlflowClient, run: MlflowRun) -> dict[str, list[tuple[int, float]]]:
    return {
        name: sorted((p.step, p.value) for p in client.get_metric_history(run.info.run_id, name))
        for name in run.data.metrics
    }


def add_human_scores(
    database: Database, folder: Path, submission: str = f"SR99/alpha/{TREEBANK}"
) -> None:
    path = folder / "human.csv"
    path.write_text(
        "sent_id,criterion,z_score,raw_mean\n"
        "s1,readability,0.5,70\ns2,readability,-0.5,60\ns3,readability,0.25,80\ns4,tone,0.125,\n"
    )
    ingest_human_scores(database, path, ScoreFile({}, submission_id=submission))


def test_a_run_shows_what_the_database_says(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    report = log_submissions(database)
    client = store_of(database)
    store = f"sqlite:///{tmp_path}/my work/mlflow.db"
    experiment = client.get_experiment_by_name("SR99").experiment_id
    runs_page = (
        f"http://127.0.0.1:5000/#/experiments/{experiment}/runs?viewStateShareKey=sr-tracker"
    )
    viewer = f"mlflow ui --backend-store-uri '{store}'"
    assert report == LogReport(store, 1, 3, 0, runs_page, viewer)
    assert list(elsewhere.iterdir()) == []

    runs = runs_of(client, "submission")
    ids = [f"SR99/alpha/{TREEBANK}", f"SR99/alpha/{TREEBANK}@2", f"SR99/beta/{TREEBANK}"]
    assert sorted(runs) == ids
    connection = database.connection
    for submission_id, run in runs.items():
        scores = dict(
            connection.execute(
                "SELECT metric, score FROM submission_metrics WHERE submission_id = $id "
                "UNION ALL SELECT 'dea[' || deprel || ']', dea FROM dea_by_relation "
                "WHERE submission_id = $id",
                {"id": submission_id},
            ).fetchall()
        )
        headlines = {name: scores[name] for name in ("bleu", "chrf", "dea")}
        assert run.data.metrics.items() >= headlines.items()
        assert run.data.metrics.keys() == headlines.keys() | {"coverage"}
        table = scores_of(client, run)
        assert {name: table[name]["score"] for name in scores} == {
            name: round(value, 4) for name, value in scores.items()
        }
        assert run.info.status == "FINISHED"
    first, second, third = (runs[submission_id] for submission_id in ids)
    assert first.info.run_name == f"alpha@1 {TREEBANK}"
    assert first.data.params["beam"] == "5"
    assert first.data.params["seed_"] == '{"a": 1}'
    assert first.data.params["given.analysis"] == "mine"
    assert first.data.params["analysis"].startswith("reference/")
    assert second.data.tags["stage"] == "final"
    own = {name: text for name, text in second.data.tags.items() if not name.startswith("mlflow.")}
    fingerprint = own.pop("sr_tracker.fingerprint")
    assert own == {
        "verdict": "no difference",
        "system": "alpha",
        "treebank": TREEBANK,
        "iteration": "2",
        "stage": "final",
        "sr_tracker.submission_id": ids[1],
        "sr_tracker.kind": "submission",
    }
    record = record_of(client, second)
    assert fingerprint.startswith(record["sha256"][:32])
    assert (record["language"], record["track"]) == ("en", "shallow")
    assert record["signatures"]["bleu"].startswith("bleu|order:4")
    assert third.data.metrics["coverage"] == 0.8
    assert scores_of(client, third)["missing"]["score"] == 1
    (dataset,) = first.inputs.dataset_inputs
    sha256 = connection.execute("SELECT sha256 FROM treebank").fetchall()[0][0]
    assert (dataset.dataset.name, dataset.dataset.digest) == (TREEBANK, sha256[:36])


def scores_of(client: MlflowClient, run: MlflowRun) -> dict[str, dict[str, Any]]:
    """The table of a run's scores, by measure."""
    path = client.download_artifacts(run.info.run_id, "scores.json")
    table = json.loads(Path(path).read_text(encoding="utf-8"))
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    return {row["measure"]: row for row in rows}


def record_of(client: MlflowClient, run: MlflowRun) -> dict[str, Any]:
    """What a run says of its submission."""
    path = client.download_artifacts(run.info.run_id, "submission/submission.json")
    return dict(json.loads(Path(path).read_text(encoding="utf-8")))


def test_tables_and_pages_are_artifacts(database: Database) -> None:
    log_submissions(database)
    client = store_of(database)
    for submission_id, run in runs_of(client, "submission").items():
        folder = Path(client.download_artifacts(run.info.run_id, ""))
        for name in ("sentence_scores", "dea_by_relation", "submission_metrics"):
            logged = pq.read_table(folder / "tables" / f"{name}.parquet")
            expected = database.connection.execute(
                f"SELECT * FROM {name} WHERE submission_id = ?", [submission_id]
            ).to_arrow_table()
            assert sorted(map(str, logged.to_pylist())) == sorted(map(str, expected.to_pylist()))
        assert "nsubj" in (folder / "report.html").read_text(encoding="utf-8")


def test_iterations_stand_side_by_side_and_say_what_changed(logged_copy: Database) -> None:
    client = store_of(logged_copy)
    runs = runs_of(client, "submission")
    assert runs_of(client, "lineage") == {}
    assert not [run for run in runs.values() if "mlflow.parentRunId" in run.data.tags]
    second = runs[f"SR99/alpha/{TREEBANK}@2"]
    first = runs[f"SR99/alpha/{TREEBANK}"]
    note = second.data.tags["mlflow.note.content"]
    difference = second.data.metrics["bleu"] - first.data.metrics["bleu"]
    name = "BLEU-lc (lower-cased words between blanks)"
    points = 100 * second.data.metrics["bleu"]
    assert f"| {name} | {points:.2f} | {100 * difference:+.2f} |" in note
    assert "No dependency relation changed by more than chance" in note.splitlines()[0]
    assert f"`tracker serve --open SR99/alpha/{TREEBANK}@2`" in note
    assert (first.data.tags["verdict"], second.data.tags["verdict"]) == ("first", "no difference")
    row = scores_of(client, second)["bleu"]
    assert (row["scale"], scores_of(client, second)["nist"]["scale"]) == ("0 to 1", "bits")
    assert (row["base"], row["change"]) == (
        round(first.data.metrics["bleu"], 4),
        round(difference, 4),
    )


def test_what_got_worse_is_named_where_one_looks_first(database: Database, tmp_path: Path) -> None:
    """Ten edges that fall in ten sentences are significant, however many relations are tested."""
    connection = database.connection
    connection.execute(
        "INSERT INTO sentence BY NAME SELECT one.* REPLACE (100 + i AS sentence_no) "
        "FROM (SELECT * FROM sentence LIMIT 1) AS one, range(12) AS r(i)"
    )
    connection.execute(
        "INSERT INTO reference_edges SELECT treebank_id, 100 + i, [1], ['worse'], [1], [1] "
        "FROM treebank, range(12) AS r(i)"
    )
    connection.execute(
        "INSERT INTO edge_outcome SELECT DISTINCT signature_id, submission_id, 100 + i, "
        "[if(submission_id LIKE '%@2', 0, 1)] FROM edge_outcome, range(12) AS r(i) "
        "WHERE submission_id LIKE '%/alpha/%'"
    )
    log_submissions(database)
    client = store_of(database)
    second = runs_of(client, "submission")[f"SR99/alpha/{TREEBANK}@2"]
    assert second.data.tags["verdict"] == "no difference; worse: worse −100.00 points"
    message = "Of the relations worse alone fell, by 100.00 points (from 100.0 % to 0.0 % of its 12"
    assert message in second.data.tags["mlflow.note.content"].splitlines()[0]

    connection.execute("UPDATE edge_outcome SET found = [1] WHERE sentence_no >= 100")
    connection.execute("UPDATE scoring SET data_sha256 = 'other' WHERE metric = 'dea'")
    add_human_scores(database, tmp_path, f"SR99/alpha/{TREEBANK}@2")
    log_submissions(database)
    again = runs_of(client, "submission")[f"SR99/alpha/{TREEBANK}@2"]
    assert again.info.run_id == second.info.run_id
    assert again.data.tags["verdict"] == "no difference"


def test_changes_are_those_of_a_comparison(database: Database) -> None:
    submissions = read_submissions(database)
    assert not read_moves(database, submissions)
    assert keep_missing(database, submissions, silent)
    assert not keep_missing(database, submissions, silent)
    moves = read_moves(database, submissions)
    compared = [
        submission for submission in submissions if submission["base_submission_id"] is not None
    ]
    assert list(moves) == [f"SR99/alpha/{TREEBANK}@2"]
    for item in compared:
        expected = relation_changes(
            pairing_of(database, item.submission_id, item["base_submission_id"]),
            Settings(),
        )
        assert [
            (m.deprel, m.difference, m.gained, m.lost, m.p_holm)
            for m in moves[item.submission_id].relations
        ] == [(c.deprel, c.difference, c.gained, c.lost, c.p_holm) for c in expected]


def test_the_active_run_gets_the_submission_and_stays_the_users(
    database: Database, tmp_path: Path
) -> None:
    submission_id = f"SR99/alpha/{TREEBANK}@2"
    assert not log_to_active_run(database, submission_id)
    before = mlflow.get_tracking_uri()
    own = f"sqlite:///{tmp_path / 'own.db'}"
    mlflow.set_tracking_uri(own)
    try:
        experiment = mlflow.create_experiment("mine", (tmp_path / "artifacts").as_uri())
        with mlflow.start_run(experiment_id=experiment, run_name="training") as run:
            assert log_to_active_run(database, submission_id, 700)
        client = MlflowClient(own)
        run_of_store = client.get_run(run.info.run_id)
        shown = histories(client, run_of_store)
        folder = client.list_artifacts(run.info.run_id, f"sr_tracker/{submission_id}")
    finally:
        mlflow.set_tracking_uri(before)
    assert (run_of_store.info.run_name, run_of_store.info.status) == ("training", "FINISHED")
    assert run_of_store.data.tags["sr_tracker.submission_id"] == submission_id
    bleu = database.connection.execute(
        "SELECT bleu FROM leaderboard WHERE submission_id = ?", [submission_id]
    ).fetchone()
    assert bleu is not None
    assert shown["bleu"] == [(700, bleu[0])]
    assert {step for points in shown.values() for step, _ in points} == {700}
    assert shown.keys() == {"bleu", "chrf", "dea", "coverage"}
    assert run_of_store.data.tags["sr_tracker.verdict"] == "no difference"
    assert len(run_of_store.inputs.dataset_inputs) == 1
    assert [Path(entry.path).name for entry in folder] == [
        "compare.html",
        "report.html",
        "scores.json",
        "submission",
        "tables",
        "worst_sentences.json",
    ]


def test_who_has_not_imported_mlflow_has_no_active_run(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "mlflow")
    assert not log_to_active_run(database, f"SR99/alpha/{TREEBANK}")
    assert "mlflow" not in sys.modules


def test_what_is_undefined_is_not_sent_but_explained(database: Database, tmp_path: Path) -> None:
    connection = database.connection
    connection.execute(
        "UPDATE submission_score SET score = NULL, undefined_reason = 'for this test' "
        "WHERE metric = 'dea'"
    )
    connection.execute("UPDATE submission_score SET score = 'inf' WHERE metric = 'nist'")
    log_submissions(database)
    client = store_of(database)
    run = runs_of(client, "submission")[f"SR99/alpha/{TREEBANK}@2"]
    assert "dea" not in run.data.metrics
    assert "bleu" in run.data.metrics
    assert not {"dea", "nist"} & scores_of(client, run).keys()
    table = pq.read_table(
        client.download_artifacts(run.info.run_id, "tables/correlations.parquet")
    ).to_pylist()
    undefined = [
        row
        for row in table
        if row["coefficient"] is None
        and row["other_measure"] in COMPLEXITIES
        and row["measure"] not in COMPLEXITIES
    ]
    assert all(row["undefined_reason"] for row in undefined)
    # The second iteration is the reference itself: every sentence has the same accuracy.
    assert {row["other_measure"] for row in undefined if row["measure"] == "dist"} == {
        *COMPLEXITIES
    }


def test_correlations_are_part_of_what_a_run_shows(database: Database, tmp_path: Path) -> None:
    def fingerprints() -> dict[str, str]:
        return {
            read_submission.submission_id: read_submission.fingerprint
            for read_submission in read_submissions(database)
        }

    analysed = fingerprints()
    run_analyses(database, [correlation("pearson")])
    more = fingerprints()
    assert all(more[name] != analysed[name] for name in analysed)
    add_human_scores(database, tmp_path)
    judged = fingerprints()
    run_analyses(database, [correlation()])
    again = fingerprints()
    alpha = f"SR99/alpha/{TREEBANK}"
    changed = [name for name in judged if judged[name] != more[name]]
    assert changed == [alpha, f"{alpha}@2"], "the course of the second shows the first"
    assert [name for name in again if again[name] != judged[name]] == [alpha]


def test_logging_again_changes_nothing(logged_copy: Database) -> None:
    client = store_of(logged_copy)

    def everything() -> list[tuple[object, ...]]:
        runs = runs_of(client, "submission").values()
        return [(run.to_dictionary(), histories(client, run)) for run in runs]

    before = everything()
    report = log_submissions(logged_copy)
    assert (report.logged, report.unchanged) == (0, 3)
    assert everything() == before


def test_human_scores_update_the_run_they_belong_to(logged_copy: Database, tmp_path: Path) -> None:
    client = store_of(logged_copy)
    before = runs_of(client, "submission")
    add_human_scores(logged_copy, tmp_path)
    report = log_submissions(logged_copy)
    assert (report.logged, report.unchanged) == (2, 1), "the next iteration shows the course"
    after = runs_of(client, "submission")
    assert {i: r.info.run_id for i, r in after.items()} == {
        i: r.info.run_id for i, r in before.items()
    }
    run = after[f"SR99/alpha/{TREEBANK}"]
    assert run.data.metrics["fluency_z"] == pytest.approx(0.25 / 3)
    scores = scores_of(client, run)
    shown = {name: scores[name]["score"] for name in ("fluency_raw", "tone_z", "judged_sentences")}
    assert shown == {"fluency_raw": 70, "tone_z": 0.125, "judged_sentences": 4}
    assert "tone_raw" not in scores
    assert all(len(points) == 1 for points in histories(client, run).values())
    second = after[f"SR99/alpha/{TREEBANK}@2"]
    assert "fluency_z" not in second.data.metrics, "it was not judged itself"


def test_a_changed_score_gets_a_second_point(
    logged_copy: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged_copy.connection.execute(
        "UPDATE submission_score SET score = 0.125 WHERE metric = 'bleu'"
    )
    monkeypatch.setattr("sr_tracker.tracker.experiments.submissions.LAYOUT", "other")
    log_submissions(logged_copy)
    client = store_of(logged_copy)
    run = runs_of(client, "submission")[f"SR99/alpha/{TREEBANK}"]
    points = histories(client, run)
    assert run.data.metrics["bleu"] == 0.125
    assert [step for step, _ in points.pop("bleu")] == [1, 1]
    assert all(len(history) == 1 for history in points.values())


def test_other_outputs_are_another_run(logged_copy: Database, tmp_path: Path) -> None:
    client = store_of(logged_copy)
    before = runs_of(client, "submission")
    changed = add(logged_copy, tmp_path, FAIR, system_id="beta", params={"beam": 9})
    report = log_submissions(logged_copy)
    assert (report.logged, report.unchanged) == (1, 2)
    after = runs_of(client, "submission")
    assert after.keys() == before.keys()
    assert after[changed].info.run_id != before[changed].info.run_id
    assert after[changed].data.params["beam"] == "9"
    assert client.get_run(before[changed].info.run_id).info.lifecycle_stage == "deleted"


def test_a_run_has_the_iterations_until_it_as_steps(logged_copy: Database, tmp_path: Path) -> None:
    client = store_of(logged_copy)
    second = f"SR99/alpha/{TREEBANK}@2"
    before = runs_of(client, "submission")[second]
    third = add(logged_copy, tmp_path, FAIR, iteration=3)
    other = add(logged_copy, tmp_path, FAIR[::-1], iteration=4, track="deep")
    assert log_submissions(logged_copy).logged == 2
    scores = dict(
        logged_copy.connection.execute(
            "SELECT iteration, bleu FROM leaderboard WHERE system_id = 'alpha'"
        ).fetchall()
    )

    def steps(name: str) -> list[tuple[int, float]]:
        return histories(client, runs_of(client, "submission")[name])["bleu"]

    assert steps(second) == [(step, scores[step]) for step in (1, 2)]
    assert steps(third) == [(step, scores[step]) for step in (1, 2, 3)]
    assert steps(other) == [(4, scores[4])], "another track is another course"
    run = runs_of(client, "submission")[third]
    assert run.data.metrics["bleu"] == scores[3]

    add(logged_copy, tmp_path, GOOD[::-1], iteration=2)
    assert log_submissions(logged_copy).logged == 2
    after = runs_of(client, "submission")
    assert after[second].info.run_id != before.info.run_id
    assert after[third].info.run_id == run.info.run_id, "its outputs are the same"
    changed = dict(steps(third))
    assert len(steps(third)) == 4, "the step that changed has another point"
    assert changed.keys() == {1, 2, 3}


def test_a_run_has_no_duration_whenever_it_was_made(database: Database, tmp_path: Path) -> None:
    """Iterations may be dated before the first, and dates may move when a database is made anew."""
    client = store_of(database)
    add(database, tmp_path, GOOD[::-1], iteration=3, created_at=datetime(2019, 10, 1, tzinfo=UTC))
    add(database, tmp_path, FAIR[::-1], iteration=4, created_at=datetime(1960, 1, 1, tzinfo=UTC))
    log_submissions(database)
    runs = runs_of(client, "submission")
    assert {run.info.end_time for run in runs.values()} == {None}, "one moment is no duration"
    latest = runs[f"SR99/alpha/{TREEBANK}@4"]
    assert latest.info.start_time == 1, "MLflow has no time before 1970, and takes 0 for now"
    bleu = dict(histories(client, latest)["bleu"])
    assert latest.data.metrics["bleu"] == bleu[4], "the step tells which is the latest"


def test_runs_of_the_last_layout_are_replaced_and_keep_what_others_said(
    logged_copy: Database,
) -> None:
    """They had a run over the iterations, thirty tags, and each number as a metric of step 0."""
    client = store_of(logged_copy)
    second = f"SR99/alpha/{TREEBANK}@2"
    run_id = runs_of(client, "submission")[second].info.run_id
    lineage = client.create_run(
        client.get_experiment_by_name("SR99").experiment_id,
        tags={
            "sr_tracker.kind": "lineage",
            "sr_tracker.lineage_id": f"SR99/alpha/{TREEBANK}",
            "sr_tracker.version": "1.0.0",
        },
    )
    earlier = {
        "campaign": "SR99",
        "language": "en",
        "relations_worse": "nsubj",
        "sha256": "0" * 64,
        "signature/bleu": "bleu|order:4",
        "sr_tracker.version": "1.0.0",
        "sr_tracker.fingerprint": "0" * 32,
        "mlflow.parentRunId": lineage.info.run_id,
    }
    for name, value in {**earlier, "mine": "kept", "stage": "another"}.items():
        client.set_tag(run_id, name, value)
    client.log_metric(run_id, "metrics/ter", 0.5)

    message = sync(logged_copy, dry_run=True)
    assert message.tags == {second: {"mine": "kept"}}
    assert message.pending == [second]
    assert log_submissions(logged_copy).logged == 1
    run = runs_of(client, "submission")[second]
    assert run.info.run_id != run_id
    assert client.get_run(run_id).info.lifecycle_stage == "deleted"
    assert client.get_run(lineage.info.run_id).info.lifecycle_stage == "deleted"
    own = {name for name in run.data.tags if not name.startswith("mlflow.")}
    assert not own & earlier.keys() - {"sr_tracker.fingerprint"}
    assert (run.data.tags["mine"], run.data.tags["stage"]) == ("kept", "final")
    assert "mlflow.parentRunId" not in run.data.tags
    assert log_submissions(logged_copy).logged == 0


def test_a_run_of_the_users_own_in_the_experiment_is_left_alone(logged_copy: Database) -> None:
    """What was logged into an active run has the submission's id as well."""
    client = store_of(logged_copy)
    second = f"SR99/alpha/{TREEBANK}@2"
    experiment = client.get_experiment_by_name("SR99").experiment_id
    own = client.create_run(experiment, tags={"sr_tracker.submission_id": second})
    assert log_submissions(logged_copy).logged == 0
    client.update_run(runs_of(client, "submission")[second].info.run_id, status="RUNNING")
    assert log_submissions(logged_copy).logged == 1
    assert client.get_run(own.info.run_id).info.lifecycle_stage == "active"


def test_a_run_shows_the_last_iterations_of_a_long_line(database: Database) -> None:
    for table, key, other in (
        ("submission", "submission_id", "100 + i AS iteration, t.* EXCLUDE (iteration, "),
        ("submission_score", "submission_id", "t.* EXCLUDE ("),
        ("scoring", "target", "t.* EXCLUDE ("),
    ):
        database.connection.execute(
            f"INSERT INTO {table} BY NAME SELECT {key} || '-' || i AS {key}, {other}{key}) "
            f"FROM {table} AS t, range(60) AS r(i) WHERE {key} = 'SR99/beta/{TREEBANK}'"
        )
    log_submissions(database, submissions=[f"SR99/beta/{TREEBANK}-59"])
    client = store_of(database)
    (run,) = runs_of(client, "submission").values()
    for metric in ("chrf", "bleu"):
        history = client.get_metric_history(run.info.run_id, metric)
        assert sorted(point.step for point in history) == [*range(110, 160)]


def test_only_what_is_asked_for(database: Database) -> None:
    wanted = f"SR99/beta/{TREEBANK}"
    assert log_submissions(database, submissions=[wanted]).logged == 1
    client = store_of(database)
    assert list(runs_of(client, "submission")) == [wanted]
    with pytest.raises(UnknownNameError, match="SR99/nobody"):
        log_submissions(database, submissions=["SR99/nobody"])


@pytest.mark.parametrize(
    ("where", "call"),
    [
        (Sheet, "write"),
        (MlflowClient, "log_batch"),
        (MlflowClient, "log_inputs"),
        (MlflowClient, "update_run"),
    ],
)
def test_what_was_interrupted_is_completed(
    database: Database, monkeypatch: pytest.MonkeyPatch, where: type, call: str
) -> None:
    calls = 0
    original = getattr(where, call)

    def failing(*args: object, **kwargs: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise ConnectionError("gone")
        return original(*args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(where, call, failing)
        with pytest.raises(TrackingUnavailableError, match="gone"):
            log_submissions(database)
    report = log_submissions(database)
    assert (report.logged, report.unchanged) == (2, 1)
    client = store_of(database)
    runs = runs_of(client, "submission").values()
    assert len(runs) == 3
    for run in runs:
        assert run.info.status == "FINISHED"
        steps = [[step for step, _ in points] for points in histories(client, run).values()]
        assert all(len(step) == len(set(step)) for step in steps)


def test_two_runs_for_one_submission_are_healed(logged_copy: Database) -> None:
    client = store_of(logged_copy)
    run = runs_of(client, "submission")[f"SR99/beta/{TREEBANK}"]
    client.create_run(run.info.experiment_id, tags=run.data.tags)
    log_submissions(logged_copy)
    assert runs_of(client, "submission")[f"SR99/beta/{TREEBANK}"].info.run_id == run.info.run_id


def test_a_deleted_experiment_comes_back(logged_copy: Database) -> None:
    client = store_of(logged_copy)
    client.delete_experiment(client.get_experiment_by_name("SR99").experiment_id)
    log_submissions(logged_copy)
    assert len(runs_of(client, "submission")) == 3


def settings() -> dict[str, str]:
    """The environment without what MLflow notes there for itself."""
    return {name: value for name, value in os.environ.items() if not name.startswith("_MLFLOW")}


def test_the_users_own_run_and_settings_stay_as_they_are(
    database: Database, tmp_path: Path
) -> None:
    before = mlflow.get_tracking_uri()
    own = f"sqlite:///{tmp_path / 'own.db'}"
    mlflow.set_tracking_uri(own)
    try:
        with mlflow.start_run() as run:
            environment = settings()
            log_submissions(database)
            assert settings() == environment
            assert mlflow.active_run().info.run_id == run.info.run_id
            assert mlflow.get_tracking_uri() == own
            mlflow.log_metric("loss", 1.0)
        assert MlflowClient(own).get_run(run.info.run_id).data.metrics == {"loss": 1.0}
    finally:
        mlflow.set_tracking_uri(before)


@pytest.mark.long
def test_logging_is_silent(database: Database, tmp_path: Path) -> None:
    """A new store, a new process: migrations, run addresses and warnings stay off the terminal."""
    path = database.path
    assert path is not None
    (path.parent / "mlflow.db").unlink()
    database.close()
    result = subprocess.run(
        [*(sys.executable, "-W", "error", "-c", LOGGING), str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert (result.stdout, result.stderr) == ("3\n", "")


def test_the_fingerprint_covers_everything_but_the_date() -> None:
    from sr_tracker.tracker.experiments.submissions import _fingerprint

    row = {
        "submission_id": "a",
        "created_ms": 1,
        "created_us": 1000,
        "sha256": "x",
        "human_scores": None,
    }
    assert _fingerprint(row, []) == _fingerprint({**row, "created_ms": 2, "created_us": 2000}, [])
    for column in ("submission_id", "sha256", "human_scores"):
        assert _fingerprint(row, []) != _fingerprint({**row, column: "other"}, [])
    assert Submission(row, "f")["sha256"] == "x"


@given(st.lists(st.text(max_size=300), unique=True, max_size=6))
def test_clean_names_are_accepted_and_stay_apart(names: list[str]) -> None:
    cleaned = clean_names({name: position for position, name in enumerate(names)})
    assert list(cleaned.values()) == list(range(len(names)))
    for name in cleaned:
        _validate_metric_name(name)
        _validate_param_name(name)


def test_names_in_use_stay_as_they_are() -> None:
    names = ["bleu", "dea/nsubj", "spearman/bleu:depth", "signature/bleu", "learning rate"]
    assert list(clean_names(dict.fromkeys(names, 0))) == names


def test_credentials_are_left_out() -> None:
    assert without_credentials("http://me:pass@host:1/x") == "http://host:1/x"
    assert without_credentials("no http://me:p/a%ss@w@host:1/x") == "no http://host:1/x"
    assert without_credentials("http://host:5000/me@home") == "http://host:5000/me@home"
    stored = "postgresql://host/mlflow?user=me&password={}&sslpassword={}"
    assert without_credentials(stored.format("p/w", "q%w")) == stored.format("", "")
    assert without_credentials("sqlite:////tmp/me@home/mlflow.db") == (
        "sqlite:////tmp/me@home/mlflow.db"
    )


def test_a_store_that_was_moved_is_not_written_to_where_it_was(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MLflow keeps the whole path of artifacts: it made the earlier folder, and wrote there."""
    log_submissions(database)
    assert database.path is not None
    folder = database.path.parent
    moved = folder.with_name("moved")
    shutil.copytree(folder, moved)
    folder.rename(folder.with_name("away"))
    with open_database(moved / "campaign.duckdb") as copy:
        monkeypatch.setattr("sr_tracker.tracker.experiments.submissions.LAYOUT", "other")
        with pytest.raises(TrackingUnavailableError, match="the store was moved: MLflow writes"):
            log_submissions(copy)
        assert not folder.exists()
        assert log_submissions(copy, tracking_uri=f"sqlite:///{moved}/another.db").logged == 3


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    computed = Server(tmp_path)
    yield computed
    computed.stop()


def test_a_store_of_another_version_is_said_to_be_one(database: Database) -> None:
    make_store(database)
    assert database.path is not None
    with closing(sqlite3.connect(database.path.parent / "mlflow.db")) as store:
        store.execute("UPDATE alembic_version SET version_num = 'of a newer version'")
        store.commit()
    with pytest.raises(TrackingUnavailableError, match="of a newer version") as raised:
        log_submissions(database)
    assert "install a newer one" in str(raised.value.hint)


@pytest.mark.parametrize("status", [401, 403])
def test_a_server_that_does_not_know_the_user_says_how_to_name_them(status: int) -> None:
    with pytest.raises(TrackingUnavailableError) as raised, guarded("http://host"):
        raise MlflowException(f"API request failed with error code {status} != 200.")
    assert "MLFLOW_TRACKING_USERNAME" in str(raised.value.hint)


def test_a_server_that_is_down_costs_one_message(database: Database, server: Server) -> None:
    everything = "FROM submission_metrics ORDER BY ALL"
    before = database.connection.execute(everything).fetchall()
    with pytest.raises(TrackingUnavailableError, match="does not answer") as raised:
        log_submissions(database, tracking_uri=server.uri)
    assert "tracker share log" in str(raised.value.hint)
    assert database.connection.execute(everything).fetchall() == before


@pytest.mark.long
def test_a_server_that_is_down_costs_nothing_and_gets_all_once_it_is_up(
    database: Database, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test_a_server_that_is_down_costs_one_message(database, server)
    server.start()
    report = log_submissions(database, tracking_uri=server.uri)
    assert (report.tracking_uri, report.logged, report.lineages) == (server.uri, 3, 1)
    with monkeypatch.context() as closed:
        closed.setattr(experiments, "open_store", None)
        assert log_submissions(database, tracking_uri=server.uri).unchanged == 3, "without MLflow"

    log_submissions(database)
    client, local = MlflowClient(server.uri), store_of(database)
    local_runs = runs_of(local, "submission")
    for submission_id, run in runs_of(client, "submission").items():
        assert run.data.metrics == local_runs[submission_id].data.metrics
        assert run.data.params == local_runs[submission_id].data.params
        artifacts = local.list_artifacts(local_runs[submission_id].info.run_id, "tables")
        tables = client.list_artifacts(run.info.run_id, "tables")
        assert {file.path for file in tables} == {file.path for file in artifacts} != set()
        page = client.download_artifacts(run.info.run_id, "report.html")
        assert "<table" in Path(page).read_text(encoding="utf-8")

    added = add(database, tmp_path, GOOD, iteration=3)
    report = log_submissions(database, tracking_uri=server.uri)
    assert (report.logged, report.unchanged, report.lineages) == (1, 3, 1)
    assert added in runs_of(client, "submission")
    lineage = runs_of(client, "lineage")[f"SR99/alpha/{TREEBANK}"]
    assert [step for step, _ in histories(client, lineage)["bleu"]] == [1, 2, 3]

    server.stop()
    add(database, tmp_path, FAIR, iteration=4)
    test_a_server_that_is_down_costs_one_message(database, server)


@pytest.mark.long
def test_a_server_killed_under_way_gets_the_rest_once_it_is_up(
    database: Database, server: Server
) -> None:
    server.start()
    seen: list[str] = []

    def kill_at_the_third(item: str, done: int, total: int) -> None:
        seen.append(item)
        if len(seen) == 3:
            server.stop(signal.SIGKILL)

    before = database.connection.execute("FROM submission_metrics ORDER BY ALL").fetchall()
    with pytest.raises(TrackingUnavailableError, match="does not answer") as raised:
        log_submissions(database, tracking_uri=server.uri, progress=kill_at_the_third)
    assert raised.value.exit_code == 3
    assert database.connection.execute("FROM submission_metrics ORDER BY ALL").fetchall() == before

    server.start()
    report = log_submissions(database, tracking_uri=server.uri)
    assert (report.logged, report.unchanged, report.lineages) == (2, 1, 0)
    log_submissions(database)
    client, local = MlflowClient(server.uri), store_of(database)
    for kind in ("submission", "lineage"):
        expected = runs_of(local, kind)
        computed = runs_of(client, kind)
        assert computed.keys() == expected.keys()
        for name, run in computed.items():
            assert run.info.status == "FINISHED"
            assert run.data.params == expected[name].data.params
            assert histories(client, run) == histories(local, expected[name])


# Stores that are made at once, or lost at once

LOGGING_INTO = """
import sys
import sr_tracker
with sr_tracker.connect(sys.argv[1], read_only=True) as db:
    db.log(tracking_uri=sys.argv[2] or None)
"""


@pytest.mark.parametrize("named", ["", "other.db"])
def test_two_that_log_into_one_new_store_at_once_both_log(
    campaign_file: Path, tmp_path: Path, named: str
) -> None:
    copies = []
    for name in ("one", "two"):
        copies.append(tmp_path / f"{name}.duckdb")
        shutil.copyfile(campaign_file, copies[-1])
    store = f"sqlite:///{tmp_path / named}" if named else ""
    logging_at_once = [
        subprocess.Popen(
            [sys.executable, "-c", LOGGING_INTO, copy, store], stderr=subprocess.PIPE, text=True
        )
        for copy in copies
    ]
    errors = [process.communicate()[1] for process in logging_at_once]
    assert [process.returncode for process in logging_at_once] == [0, 0], "".join(errors)
    assert not [*tmp_path.glob(".*.part*")]


def test_what_another_has_inserted_meanwhile_is_written_once_more(database: Database) -> None:
    refused: list[MlflowException] = []
    with open_store(database, None) as store:
        experiment_id = store.client.create_experiment("one")

        def tag() -> None:
            if not refused:
                store.client.set_experiment_tag(experiment_id, "name", "of another")
                refused.append(MlflowException("UNIQUE constraint failed", BAD_REQUEST))
                raise refused[0]
            store.client.set_experiment_tag(experiment_id, "name", "ours")

        insert(tag)
        assert store.client.get_experiment(experiment_id).tags["name"] == "ours"
    with pytest.raises(MlflowException, match="no place"):
        insert(Mock(side_effect=MlflowException("no place")))


@pytest.mark.parametrize(
    "uri",
    [
        *("sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite+pysqlite:///:memory:"),
        *("sqlite:///file:a?mode=memory&uri=true", "sqlite:///?cache=shared"),
    ],
)
def test_a_store_in_memory_is_refused(database: Database, uri: str) -> None:
    with pytest.raises(InputError, match="in memory"), open_store(database, uri):
        pass
