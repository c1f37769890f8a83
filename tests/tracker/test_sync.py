"""Tags, deleted runs, lost submissions and promotion, between database and a SQLite store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from mlflow import MlflowClient

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.ingest.undo import tags_of
from sr_tracker.queries.catalog import install, open_installed
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.tracker.api.sharing import promote
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.experiments import log_submissions
from sr_tracker.tracker.experiments.syncing import sync
from tests import commands
from tests.tracker.test_experiments import (
    FAIR,
    GOOD,
    TREEBANK,
    add,
    make_store,
    runs_of,
    store_of,
    write_treebank,
)

FIRST, SECOND = f"SR99/alpha/{TREEBANK}", f"SR99/beta/{TREEBANK}"
GHOST = f"SR99/ghost/{TREEBANK}"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        add(database, tmp_path, FAIR, tags={"stage": "early"}, params={"beam": 5, "seed": "5"})
        add(database, tmp_path, [*GOOD[:4], None], system_id="beta")
        make_store(database)
        log_submissions(database)
        yield database


def add_ghost(client: MlflowClient) -> None:
    """Make a run of a submission that has neither record nor outputs."""
    tags = {"sr_tracker.kind": "submission", "sr_tracker.submission_id": GHOST}
    client.create_run(client.get_experiment_by_name("SR99").experiment_id, tags=tags)


def test_both_sides_learn_from_each_other(database: Database) -> None:
    client = store_of(database)
    runs = runs_of(client, "submission")
    client.set_tag(runs[FIRST].info.run_id, "reading", "keep")
    client.set_tag(runs[FIRST].info.run_id, "stage", "late")
    client.delete_run(runs[SECOND].info.run_id)
    add_ghost(client)

    differing = {FIRST: {"reading": "keep", "stage": "late"}}
    seen = sync(database, dry_run=True)
    assert (seen.tags, seen.deleted, seen.unknown) == (differing, [SECOND], [GHOST])
    assert (seen.pending, seen.log) == ([SECOND], None)
    assert sync(database, keep_deleted=True, pull=False).deleted == [SECOND]
    done = sync(database)
    assert done.tags == differing
    assert done.log is not None
    assert done.log.logged == 2
    again = sync(database)
    assert (again.tags, again.deleted, again.pending) == ({}, [], [])
    assert SECOND in runs_of(client, "submission")


def test_tags_that_no_command_could_write_are_left_out_and_told(
    database: Database, tmp_path: Path
) -> None:
    client = store_of(database)
    run = runs_of(client, "submission")[FIRST].info.run_id
    for name, value in ((" ", "blank"), ("marked", "a\0b"), ("reading", "keep")):
        client.set_tag(run, name, value)
    seen = sync(database, dry_run=True)
    assert seen.tags == {FIRST: {"reading": "keep"}}
    assert {name: [*reasons] for name, reasons in seen.refused.items()} == {FIRST: [" ", "marked"]}
    done = sync(database)
    assert (done.tags, done.refused) == (seen.tags, seen.refused)
    assert tags_of(database, "submission", FIRST) == {"stage": "early", "reading": "keep"}
    database.close()
    result = commands.run(tmp_path / "campaign.duckdb", "share", "sync", "--format", "json")
    assert [
        (row["difference"], row["done"].partition(":")[0]) for row in json.loads(result.stdout)
    ] == [
        ("tags in MLflow:  ", "not taken"),
        ("tags in MLflow: marked", "not taken"),
    ]


def test_a_lost_database_is_restored_from_its_runs(database: Database, tmp_path: Path) -> None:
    child = add(
        database, tmp_path, GOOD, system_id="alpha", iteration=4, parent_submission_id=SECOND
    )
    log_submissions(database)
    add_ghost(store_of(database))
    before = stored(database)
    lost = tmp_path / "lost"
    lost.mkdir()
    with open_installed(lost / "campaign.duckdb") as empty:
        analyser = analyser_factory(empty, "reference")
        uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
        nothing = sync(empty, restore_by=analyser, tracking_uri=uri)
        assert f"no treebank '{TREEBANK}'" in str(nothing.restored[FIRST])
        path = write_treebank(tmp_path)
        ingest_treebank(empty, path, name_treebank(path), campaign_id="SR99")
        computed = sync(empty, restore_by=analyser, tracking_uri=uri)
        assert {name for name, reason in computed.restored.items() if reason is None} == {
            FIRST,
            SECOND,
            child,
        }
        assert "holds no record" in str(computed.restored[GHOST])
        assert stored(empty) == before
        assert sync(empty, tracking_uri=uri).pending == []


def stored(database: Database) -> list[tuple[object, ...]]:
    """Return what a restored database must hold as it was before."""
    submissions = database.connection.execute(
        "SELECT * EXCLUDE (source) FROM submission ORDER BY submission_id"
    ).fetchall()
    tables = [
        database.connection.execute(f"SELECT {columns} ORDER BY ALL").fetchall()
        for columns in (
            "* FROM output",
            "* FROM output_token",
            "submission_id, metric, score FROM submission_metrics",
        )
    ]
    return [*submissions, *(row for rows in tables for row in rows)]


def test_the_command_tells_differences_as_a_table(database: Database, tmp_path: Path) -> None:
    client = store_of(database)
    client.set_tag(runs_of(client, "submission")[FIRST].info.run_id, "reading", "keep")
    database.close()

    def ran(*arguments: str) -> list[dict[str, str]]:
        arguments = ("share", "sync", *arguments, "--format", "json")
        result = commands.run(tmp_path / "campaign.duckdb", *arguments)
        return list(json.loads(result.stdout)) if result.stdout.strip() else []

    row = {"submission_id": FIRST, "difference": "tags in MLflow: reading"}
    assert ran("--dry-run") == [{**row, "done": "–"}]
    assert ran() == [{**row, "done": "taken"}]
    assert ran("--restore") == []


def test_the_best_run_is_promoted_once_and_again_when_a_better_one_comes(tmp_path: Path) -> None:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        make_store(database)
        first = add(database, tmp_path, FAIR)
        client = MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
        assert [one.done for one in promote(Tracker(database))] == ["not logged"]
        log_submissions(database)
        assert [one.done for one in promote(Tracker(database), dry_run=True)] == [
            "would be promoted"
        ]
        assert client.search_registered_models() == []
        assert [one.done for one in promote(Tracker(database))] == ["registered"]
        assert [one.done for one in promote(Tracker(database))] == ["unchanged"]
        second = add(database, tmp_path, GOOD, iteration=2)
        log_submissions(database)
        (better,) = promote(Tracker(database))
        assert (better.submission_id, better.version, better.done) == (second, "2", "registered")
        (named,) = promote(Tracker(database), submission=first)
        assert (named.version, named.done) == ("1", "alias moved")
        version = client.get_model_version_by_alias(f"alpha.{TREEBANK}", "champion")
        assert version.tags["submission_id"] == first
        folder = client.download_artifacts(version.run_id, "submission")
        assert version.source.endswith("/submission")
        held = json.loads((Path(folder) / "submission.json").read_text())
        assert held["sha256"] == version.tags["sha256"]
        assert float(version.tags["score"]) == named.score
        with pytest.raises(UnknownNameError, match="SR99/nobody"):
            promote(Tracker(database), submission="SR99/nobody")
        with pytest.raises(UnknownNameError, match="nothing-such"):
            promote(Tracker(database), metric="nothing-such")


def test_a_replaced_run_leaves_its_version_and_gets_its_own(tmp_path: Path) -> None:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        make_store(database)
        add(database, tmp_path, FAIR)
        log_submissions(database)
        promote(Tracker(database))
        add(database, tmp_path, GOOD, iteration=1)
        log_submissions(database)
        assert [one.version for one in promote(Tracker(database))] == ["2"]
        client = MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
        names = [
            search_model_version.version
            for search_model_version in client.search_model_versions("")
        ]
        assert sorted(map(str, names)) == ["1", "2"]


def test_the_command_says_what_it_did_and_what_has_no_run(tmp_path: Path) -> None:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        make_store(database)
        install(database)
        first = add(database, tmp_path, FAIR)
        log_submissions(database)
        add(database, tmp_path, GOOD, system_id="beta")
    promoting = (tmp_path / "campaign.duckdb", "share", "promote")
    ran = commands.run(*promoting, "--metric", "dea[nsubj]", "--format", "json")
    done, missing = json.loads(ran.stdout)
    assert (done["submission_id"], done["done"]) == (first, "registered")
    assert (missing["model"], missing["done"]) == (f"beta.{TREEBANK}", "not logged")
    assert "tracker share log" in ran.stderr
    assert "unchanged" in commands.run(*promoting, "--system", "alpha").stdout
