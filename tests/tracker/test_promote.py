"""Promotion into MLflow's registry, with a SQLite store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from mlflow import MlflowClient

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.catalog import install
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import UnknownNameError
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.cli.runs import promote as promote_command
from sr_tracker.tracker.experiments import log_submissions
from sr_tracker.tracker.experiments.promotion import promote
from tests.tracker.test_experiments import FAIR, GOOD, TREEBANK, add, make_store, write_treebank


def test_the_best_run_is_promoted_once_and_again_when_a_better_one_comes(tmp_path: Path) -> None:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        make_store(database)
        first = add(database, tmp_path, FAIR)
        client = MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
        assert [one.done for one in promote(database)] == ["not logged"]
        log_submissions(database)
        assert [one.done for one in promote(database, dry_run=True)] == ["would be promoted"]
        assert client.search_registered_models() == []
        assert [one.done for one in promote(database)] == ["registered"]
        assert [one.done for one in promote(database)] == ["unchanged"]
        second = add(database, tmp_path, GOOD, iteration=2)
        log_submissions(database)
        (better,) = promote(database)
        assert (better.submission_id, better.version, better.done) == (second, "2", "registered")
        (named,) = promote(database, submissions=[first])
        assert (named.version, named.done) == ("1", "alias moved")
        version = client.get_model_version_by_alias(f"alpha.{TREEBANK}", "champion")
        assert version.tags["submission_id"] == first
        folder = client.download_artifacts(version.run_id, "submission")
        assert version.source.endswith("/submission")
        held = json.loads((Path(folder) / "submission.json").read_text())
        assert held["sha256"] == version.tags["sha256"]
        assert float(version.tags["score"]) == named.score
        with pytest.raises(UnknownNameError, match="SR99/nobody"):
            promote(database, submissions=["SR99/nobody"])
        with pytest.raises(UnknownNameError, match="nothing-such"):
            promote(database, metric="nothing-such")


def test_a_replaced_run_leaves_its_version_and_gets_its_own(tmp_path: Path) -> None:
    with open_database(tmp_path / "campaign.duckdb") as database:
        path = write_treebank(tmp_path)
        ingest_treebank(database, path, name_treebank(path), campaign_id="SR99")
        make_store(database)
        add(database, tmp_path, FAIR)
        log_submissions(database)
        promote(database)
        add(database, tmp_path, GOOD, iteration=1)
        log_submissions(database)
        assert [one.version for one in promote(database)] == ["2"]
        client = MlflowClient(f"sqlite:///{tmp_path / 'mlflow.db'}")
        names = [found.version for found in client.search_model_versions("")]
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
    context = Context(database=tmp_path / "campaign.duckdb", quiet=False, yes=False)
    ran = CliRunner().invoke(
        promote_command, ["--metric", "dea[nsubj]", "--format", "json"], obj=context
    )
    assert ran.exit_code == 0, ran.output
    done, missing = json.loads(ran.stdout)
    assert (done["submission_id"], done["done"]) == (first, "registered")
    assert (missing["model"], missing["done"]) == (f"beta.{TREEBANK}", "not logged")
    assert "tracker share log" in ran.stderr
    again = CliRunner().invoke(promote_command, ["--system", "alpha"], obj=context)
    assert "unchanged" in again.stdout
