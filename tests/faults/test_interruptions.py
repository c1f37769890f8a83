"""kill -9 and Ctrl-C at random moments: what is there is whole, and going on gives the same."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.faults.conftest import TIMES, Contents, Worker

pytestmark = pytest.mark.long
SEED = 3
STAGES = ("ingest", "score", "log")
# What of an MLflow store does not tell when or by which process it was written.
STORE = {
    "params": "SELECT {id}, key, value FROM params JOIN runs USING (run_uuid)",
    "metrics": "SELECT {id}, key, step, value FROM metrics JOIN runs USING (run_uuid)",
    "tags": "SELECT {id}, key, value FROM labels JOIN runs USING (run_uuid)",
    "runs": "SELECT {id}, name, status, end_time FROM runs",
}
LABELS = "WITH labels AS (SELECT * FROM tags WHERE key NOT LIKE '%git%')"
RUN_ID = (
    "(SELECT value FROM tags AS own "
    "WHERE own.run_uuid = runs.run_uuid AND own.key = 'sr_tracker.submission_id')"
)


@dataclass(frozen=True)
class Undisturbed:
    """The states of a run without faults: folders before each stage, and how long each takes."""

    before: dict[str, Path]
    seconds: dict[str, float]
    contents: Contents
    store: dict[str, list[tuple[object, ...]]]
    artifacts: list[tuple[str, str]]


def commands(folder: Path, manifest: Path, first: str = "ingest") -> list[list[str]]:
    """The commands from a stage on, for the database in a folder."""
    of_stage = {
        "ingest": ["ingest", str(manifest)],
        "score": ["score", "--no-log"],
        "log": ["share", "log"],
    }
    database = ["-d", str(folder / "campaign.duckdb")]
    return [[*database, *of_stage[stage]] for stage in STAGES[STAGES.index(first) :]]


def store_of(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the MLflow store shows: runs that are not deleted, every point of their metrics.

    Descriptions lead to their runs, whose random numbers say nothing: names stand instead.
    """
    with closing(sqlite3.connect(folder / "mlflow.db")) as connection:
        runs = connection.execute(f"SELECT run_uuid, {RUN_ID} FROM runs").fetchall()

        def named(value: object) -> object:
            for number, name in runs:
                value = value.replace(number, str(name)) if isinstance(value, str) else value
            return value

        return {
            name: sorted(
                (
                    tuple(map(named, row))
                    for row in connection.execute(
                        f"{LABELS} {query.format(id=RUN_ID)} WHERE lifecycle_stage = 'active'"
                    )
                ),
                key=repr,
            )
            for name, query in STORE.items()
        }


def content_of(file: Path) -> bytes:
    """What is in a file; of a table all but when its rows were made."""
    if file.suffix != ".parquet":
        return file.read_bytes()
    table = pq.read_table(file)
    return repr(table.drop_columns([*{*table.column_names} & TIMES]).to_pydict()).encode()


def artifacts_of(folder: Path) -> list[tuple[str, str]]:
    """Path and hash of every artifact of a run that is not deleted, without the run's number."""
    with closing(sqlite3.connect(folder / "mlflow.db")) as connection:
        rows = connection.execute(
            f"SELECT run_uuid, {RUN_ID} FROM runs WHERE lifecycle_stage = 'active'"
        ).fetchall()
    names = dict(rows)
    return sorted(
        (
            f"{names[file.relative_to(folder / 'mlartifacts').parts[1]]}/{file.name}",
            hashlib.sha256(content_of(file)).hexdigest(),
        )
        for file in (folder / "mlartifacts").rglob("*")
        if file.is_file() and file.relative_to(folder / "mlartifacts").parts[1] in names
    )


@pytest.fixture(scope="module")
def undisturbed(
    manifest: Path,
    worker: Worker,
    contents_of: Callable[[Path], Contents],
    tmp_path_factory: pytest.TempPathFactory,
) -> Undisturbed:
    """Run every stage; keep what was there before each, and how long it took."""
    seconds = {}
    before = {}
    folder = tmp_path_factory.mktemp("undisturbed")
    for stage in STAGES:
        before[stage] = shutil.copytree(folder, tmp_path_factory.mktemp("before") / stage)
        start = time.monotonic()
        command = commands(folder, manifest, stage)[0]
        assert worker.run(folder / "log", [command]) == 0, (folder / "log").read_text()
        seconds[stage] = time.monotonic() - start
    return Undisturbed(
        before,
        seconds,
        contents_of(folder / "campaign.duckdb"),
        store_of(folder),
        artifacts_of(folder),
    )


def test_any_interruption_leaves_a_whole_that_can_be_gone_on_with(
    undisturbed: Undisturbed,
    manifest: Path,
    worker: Worker,
    contents_of: Callable[[Path], Contents],
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    rng = random.Random(SEED)
    hits: Counter[tuple[str, str]] = Counter()
    rounds = pytestconfig.getoption("rounds")
    attempt = 0
    while sum(hits.values()) < rounds:
        attempt += 1
        assert attempt < 5 * rounds + 20, "the commands end before they are interrupted"
        stage = STAGES[attempt % len(STAGES)]
        fault = rng.choice([signal.SIGKILL, signal.SIGINT])
        folder = shutil.copytree(undisturbed.before[stage], tmp_path / str(attempt))
        log = folder / "log"
        process = worker.start(log, commands(folder, manifest, stage))
        time.sleep(rng.uniform(0, undisturbed.seconds[stage]))
        send(process, fault)
        code = worker.wait()
        if code != 0:
            assert code == {signal.SIGKILL: -9, signal.SIGINT: 130}[fault], log.read_text()
            hits[stage, fault.name] += 1
        database = folder / "campaign.duckdb"
        check = [["-d", str(database), "keep", "check"]] if database.exists() else []
        assert worker.run(folder / "checks", check) == 0, (folder / "checks").read_text()
        assert worker.run(log, commands(folder, manifest)) == 0, log.read_text()
        assert worker.run(folder / "checks", [["-d", str(database), "keep", "check"]]) == 0
        assert (folder / "checks").read_text() == ""
        assert "Traceback" not in log.read_text()
        assert contents_of(database) == undisturbed.contents
        assert store_of(folder) == undisturbed.store
        assert artifacts_of(folder) == undisturbed.artifacts
        shutil.rmtree(folder)
    print(f"{sum(hits.values())} interruptions: {dict(hits)}")  # noqa: T201


def send(process: int, fault: signal.Signals) -> None:
    """Send a signal to the process, unless it has just ended."""
    try:
        os.kill(process, fault)
    except ProcessLookupError:
        return
