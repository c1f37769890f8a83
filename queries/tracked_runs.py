"""The runs of an MLflow store that is a file, read from it without MLflow."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ..schema.statements import statement


@dataclass(frozen=True)
class TrackedRun:
    """A run as its store has it."""

    run_id: str
    status: str
    tags: Mapping[str, str]
    """What it says of itself: tags of ours."""


@dataclass(frozen=True)
class TrackedRuns:
    """The active runs of an experiment."""

    experiment_id: str
    runs: list[TrackedRun]
    explorer: str
    """Where the experiment says that the explorer is; "" where it does not."""


def tracked_runs(file: Path, experiment: str) -> TrackedRuns | None:
    """Return the active runs of an active experiment; None where the file cannot tell.

    Nothing is written, and what SQLite cannot read as an MLflow store is left to MLflow.
    """
    if not file.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as store:
            rows = store.execute(statement("tracked_runs"), {"experiment": experiment}).fetchall()
    except sqlite3.Error:
        return None
    runs = [
        TrackedRun(run_id, status, {key: value for *_, key, value in group})
        for (run_id, status), group in groupby(rows, key=lambda row: row[:2])
    ]
    experiment_id, explorer = rows[0][2:4] if rows else ("", "")
    return TrackedRuns(str(experiment_id), runs, explorer or "")
