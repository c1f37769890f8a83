"""Submissions that a database has lost, loaded again from their runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from ...ingest.analysers.base import Analyser
from ...ingest.campaigns.runs import Run as ModelRun
from ...ingest.outputs.in_memory import outputs_in_memory
from ...ingest.outputs.submissions import load_references, store_outputs
from ...queries.metrics.records import treebank_sha256
from ...schema.database import Database
from ...schema.errors import TrackerError
from .scratch import scratch_folder
from .sheets import OUTPUTS, RECORD

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

NO_RECORD = "its run holds no record and outputs; runs have them since layout 5"


@dataclass(frozen=True)
class Found:
    """A submission as its run has kept it."""

    record: Mapping[str, Any]
    texts: Sequence[str | None]


def restore(
    database: Database,
    client: MlflowClient,
    runs: Mapping[str, Run],
    analyser: Callable[[str], Analyser],
) -> dict[str, str | None]:
    """Load submissions again and return, by submission, None or why one could not be.

    Their treebank must be loaded, as it was, and ``analyser`` must be the one that analysed the
    outputs. Parents are restored before those developed from them. Scores and analyses are not
    restored: they are computed again.
    """
    reasons: dict[str, str | None] = {}
    waiting: dict[str, Found] = {}
    for submission_id, run in sorted(runs.items()):
        found = _found(client, run)
        if found is None:
            reasons[submission_id] = NO_RECORD
        else:
            waiting[submission_id] = found
    while waiting:
        ready = [
            submission_id
            for submission_id, found in waiting.items()
            if found.record["parent"] not in waiting
        ]
        for submission_id in sorted(ready or waiting, key=lambda name: _order(waiting[name])):
            reasons[submission_id] = _restored(database, waiting.pop(submission_id), analyser)
    return reasons


def _order(found: Found) -> tuple[str, int]:
    return str(found.record["system"]), int(found.record["iteration"])


def _found(client: MlflowClient, run: Run) -> Found | None:
    from mlflow.exceptions import MlflowException

    with scratch_folder() as folder:
        try:
            record, outputs = (
                Path(client.download_artifacts(run.info.run_id, path, str(folder)))
                for path in (RECORD, OUTPUTS)
            )
        except (MlflowException, OSError):
            return None
        return Found(
            json.loads(record.read_text(encoding="utf-8")),
            pq.read_table(outputs, columns=["output"])["output"].to_pylist(),
        )


def _restored(database: Database, found: Found, analyser: Callable[[str], Analyser]) -> str | None:
    record = found.record
    try:
        with database.opened(read_only=False):
            return _reason_or_load(database, record, found.texts, analyser)
    except TrackerError as error:
        return error.message


def _reason_or_load(
    database: Database,
    record: Mapping[str, Any],
    texts: Sequence[str | None],
    analyser: Callable[[str], Analyser],
) -> str | None:
    treebank = record["treebank"]
    references = load_references(database, treebank)
    if treebank_sha256(database, treebank) != record["treebank_sha256"]:
        return f"the treebank '{treebank}' is another one than the run's"
    version = analyser(treebank).version
    if version != record["analysis"]:
        return f"its outputs were analysed by {record['analysis']}, not {version}"
    run = ModelRun(
        campaign_id=record["campaign"],
        system_id=record["system"],
        treebank_id=treebank,
        iteration=record["iteration"],
        track=record["track"],
        parent_submission_id=record["parent"],
        created_at=datetime.fromtimestamp(0, UTC) + timedelta(microseconds=record["created_us"]),
        reference_form=record["reference_form"],
        params=record["params"],
        tags=record["tags"],
        accept_mismatch=True,
    )
    file = replace(outputs_in_memory(texts), source=Path(OUTPUTS).name)
    store_outputs(database, file, run, references, analyser)
    return None
