"""The best run by DEA per system and treebank among 2,000 runs: our SQL against MLflow's search.

``python -m benchmarks.search_runs`` makes 2,000 submissions (20 systems, 10 treebanks, 10
iterations) of 40 metrics, as rows of a database and as runs of a SQLite store. It asks the
database, the store, and a server in front of the store. The runs are written into the store's
tables: reading is what is measured.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np

SYSTEMS, TREEBANKS, ITERATIONS, METRICS = 20, 10, 10, 40
ROUNDS = 3
BEST = """
SELECT system_id, treebank_id, arg_max(submission_id, score) AS best, max(score) AS score
FROM submission_measures WHERE measure = 'dea' GROUP BY ALL ORDER BY ALL
"""


def names() -> list[tuple[str, str, int]]:
    """Return system, treebank and iteration of every submission."""
    return [
        (f"system{system:02}", f"en_bench{treebank}-ud1.0-test", iteration)
        for system in range(SYSTEMS)
        for treebank in range(TREEBANKS)
        for iteration in range(1, ITERATIONS + 1)
    ]


def fill_database(path: Path, scores: np.ndarray[Any, Any]) -> None:
    """Write the submissions and their scores into a database."""
    import pyarrow as pa

    import sr_tracker

    metric_names = ["dea", *(f"metric{number:02}" for number in range(1, METRICS))]
    rows = names()
    with sr_tracker.connect(path, create=True) as opened, opened.writing():
        connection = opened.database.connection
        runs = pa.table(
            {
                "system_id": [system for system, _, _ in rows],
                "treebank_id": [treebank for _, treebank, _ in rows],
                "iteration": [iteration for *_, iteration in rows],
                "submission_id": [f"B/{s}/{t}@{i}" for s, t, i in rows],
            }
        )
        measured = pa.table(
            {
                "submission_id": np.repeat(runs["submission_id"].to_pylist(), METRICS),
                "metric": metric_names * len(rows),
                "score": scores.ravel(),
            }
        )
        connection.register("runs", runs)
        connection.register("measured", measured)
        connection.execute(
            "INSERT INTO campaign BY NAME SELECT 'B' AS campaign_id, 2024 AS year, 'B' AS name"
        )
        connection.execute(
            "INSERT INTO system BY NAME SELECT DISTINCT system_id, 'team' AS team, "
            "'system' AS kind FROM runs"
        )
        connection.execute(
            "INSERT INTO treebank BY NAME SELECT DISTINCT treebank_id, 'en' AS language, "
            "'test' AS split, 'ud' AS scheme, 1 AS sentences, 1 AS tokens, "
            "false AS hidden_text, []::VARCHAR[] AS excluded_relations, '' AS source, "
            "'' AS sha256 FROM runs"
        )
        connection.execute(
            "INSERT INTO submission BY NAME SELECT *, 'B' AS campaign_id, 'shallow' AS track, "
            "now() AS created_at, 'text' AS reference_form, 'none' AS analysis, '{}' AS params, "
            "'{}' AS tags, '' AS source, '' AS sha256 FROM runs"
        )
        connection.execute(
            "INSERT INTO signature BY NAME SELECT DISTINCT metric AS signature_id, metric, "
            "metric AS signature, '{}' AS parameters, 'text' AS text_level, '' AS tokeniser, "
            "'{}' AS versions, '' AS treebank_id, '' AS data_sha256 FROM measured"
        )
        connection.execute(
            "INSERT INTO scoring BY NAME SELECT metric AS signature_id, metric, "
            "submission_id AS target, now() AS scored_at, 1 AS revision, '' AS data_sha256, "
            "'' AS tool FROM measured"
        )
        connection.execute(
            "INSERT INTO submission_score BY NAME SELECT metric AS signature_id, metric, "
            "submission_id, score, 1 AS sentences FROM measured"
        )


def fill_store(file: Path, experiment_id: str, scores: np.ndarray[Any, Any]) -> None:
    """Write the runs into the tables of a SQLite store."""
    metric_names = ["dea", *(f"metric{number:02}" for number in range(1, METRICS))]
    runs, tags, metrics = [], [], []
    for number, ((system, treebank, iteration), row) in enumerate(
        zip(names(), scores.tolist(), strict=True)
    ):
        run_id = f"{number:032x}"
        name = f"{system}@{iteration:02}/{treebank}"
        runs.append((run_id, name, "FINISHED", number, number, "active", "", experiment_id, "me"))
        own = {"system": system, "treebank": treebank, "iteration": str(iteration)}
        tags += [(run_id, *item) for item in own.items()]
        metrics += [
            (run_id, metric, value) for metric, value in zip(metric_names, row, strict=True)
        ]
    with sqlite3.connect(file) as connection:
        connection.executemany(
            "INSERT INTO runs (run_uuid, name, status, start_time, end_time, lifecycle_stage, "
            "artifact_uri, experiment_id, user_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            runs,
        )
        connection.executemany("INSERT INTO tags (run_uuid, key, value) VALUES (?, ?, ?)", tags)
        connection.executemany(
            "INSERT INTO latest_metrics (run_uuid, key, value, timestamp, step, is_nan) "
            "VALUES (?, ?, ?, 0, 0, 0)",
            metrics,
        )


def search(client: Any, experiment_id: str) -> dict[tuple[str, str], float]:
    """Return the best by system and treebank, reading every run: MLflow groups nothing."""
    best: dict[tuple[str, str], float] = {}
    token = None
    while True:
        page = client.search_runs(
            [experiment_id], order_by=["metrics.dea DESC"], max_results=1000, page_token=token
        )
        for run in page:
            key = run.data.tags["system"], run.data.tags["treebank"]
            best.setdefault(key, run.data.metrics["dea"])
        token = page.token
        if not token:
            return best


def timed(what: str, ask: Callable[[], Any]) -> Any:
    """Ask some times, tell the shortest wall-clock time and return the answer."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        answer = ask()
        seconds.append(time.perf_counter() - started)
    click.echo(f"{what:40} {min(seconds):8.3f} s")
    return answer


def main() -> None:
    """Fill, ask and compare."""
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    from mlflow import MlflowClient

    from sr_tracker.schema.database import open_database
    from tests.tracker.test_experiments import Server

    scores = np.random.default_rng(1).random((len(names()), METRICS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "campaign.duckdb"
        fill_database(path, scores)
        with open_database(path, read_only=True) as database:
            rows = timed("our SQL", lambda: database.connection.execute(BEST).fetchall())
        expected = {(system, treebank): score for system, treebank, _, score in rows}
        client = MlflowClient(f"sqlite:///{folder}/server.db")
        experiment_id = str(client.create_experiment("search"))
        fill_store(Path(folder) / "server.db", experiment_id, scores)
        runs = timed("search_runs, SQLite store", lambda: search(client, experiment_id))
        server = Server(Path(folder))
        server.start()
        try:
            over_rest = MlflowClient(server.uri)
            served = timed("search_runs, REST", lambda: search(over_rest, experiment_id))
        finally:
            server.stop()
    if not runs == served == expected:
        raise SystemExit("the three answers differ")


if __name__ == "__main__":
    main()
