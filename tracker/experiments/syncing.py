"""Reconciling the database and an MLflow store, in both directions: what was lost is restored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from ...ingest.analysers import Analyser
from ...ingest.campaigns.runs import Run as ModelRun
from ...ingest.names import check_tags
from ...ingest.outputs.in_memory import outputs_in_memory
from ...ingest.outputs.submissions import load_references, store_outputs
from ...ingest.undo import tag
from ...queries.errors import Settings as AnalysisSettings
from ...queries.errors import analyses
from ...queries.errors.jobs import run_analyses
from ...queries.metrics.loop import treebank_sha256
from ...queries.metrics.scoring import score
from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError, TrackerError
from . import LogReport, log_submissions
from .runs import scratch_folder
from .sheets import OUTPUTS, RECORD
from .store import Store, open_store, shows
from .submissions import FINGERPRINT, Submission, read_submissions, tags_of_others

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run


@dataclass(frozen=True, repr=False)
class SyncReport(Brief):
    """What was found on both sides, and what was done; submission ids, sorted."""

    tags: dict[str, dict[str, str]]
    """Tags that differ in MLflow, by submission: written into the database unless a dry run."""
    refused: dict[str, dict[str, str]]
    """Tags there that the database takes from nobody, by submission: why not, by name."""
    deleted: list[str]
    """Submissions whose run was deleted in MLflow."""
    unknown: list[str]
    """Submissions on the server that the database did not hold."""
    restored: dict[str, str | None]
    """Those of ``unknown`` that were tried: None where it is loaded again, else why it is not."""
    pending: list[str]
    """Submissions whose run is not there or shows something else, before anything was done."""
    log: LogReport | None
    """What was logged; None for a dry run."""


def sync(
    database: Database,
    *,
    pull: bool = True,
    keep_deleted: bool = False,
    restore_by: Callable[[str], Analyser] | None = None,
    dry_run: bool = False,
    tracking_uri: str | None = None,
) -> SyncReport:
    """Bring tags from MLflow into the database, then log what the store lacks.

    A tag with a value in both is taken from MLflow where the submission is as it was when last
    logged, else the database's stays. Runs deleted in MLflow are made again unless
    ``keep_deleted``. With ``restore_by``, an analyser for a treebank, submissions that the database
    does not hold are loaded from their runs, scored and analysed. A dry run only reads. Raises
    TrackingUnavailableError where the store cannot be reached.
    """
    with database.opened(read_only=True):
        by_id = {submission.submission_id: submission for submission in read_submissions(database)}
    with open_store(database, tracking_uri) as store:
        active, removed = _runs(store)
        deleted = sorted((removed & by_id.keys()) - active.keys())
        unknown = sorted(active.keys() - by_id.keys())
        changed, refused = {}, {}
        for name in sorted(active.keys() & by_id.keys()) if pull else ():
            differing = _differing(by_id[name], active[name].data.tags)
            if wrong := _refused(differing):
                refused[name] = wrong
            if taken := {key: differing[key] for key in differing if key not in wrong}:
                changed[name] = taken
        pending = sorted(
            name
            for name, submission in by_id.items()
            if not shows(active.get(name), submission.fingerprint)
        )
        if dry_run:
            return SyncReport(changed, refused, deleted, unknown, {}, pending, None)
        restored = {}
        if restore_by is not None and unknown:
            lost = {name: active[name] for name in unknown}
            restored = restore(database, store.client, lost, restore_by)
    again = [name for name, reason in restored.items() if reason is None]
    if changed or again:
        with database.opened(read_only=False):
            for name, differing in changed.items():
                tag(database, "submission", name, differing)
            if again:
                score(database, submissions=again)
                run_analyses(database, analyses(AnalysisSettings()), submissions=again)
    wanted = sorted((by_id.keys() | set(again)) - set(deleted)) if keep_deleted else None
    log = log_submissions(database, tracking_uri=tracking_uri, submissions=wanted)
    return SyncReport(changed, refused, deleted, unknown, restored, pending, log)


def _runs(store: Store) -> tuple[dict[str, Run], set[str]]:
    """Return the active runs by submission, and the submissions of deleted runs."""
    active: dict[str, Run] = {}
    removed: set[str] = set()
    for experiment_id in store.experiments():
        active |= store.runs(experiment_id, heal=False)
        removed |= store.deleted_submissions(experiment_id)
    return active, removed


def _differing(submission: Submission, tags: Mapping[str, str]) -> dict[str, str]:
    own = submission.tags("")
    as_logged = tags.get(FINGERPRINT) == submission.fingerprint
    stored = json.loads(submission["tags"])
    return {
        name: value
        for name, value in tags_of_others(tags).items()
        if name not in own or (name in stored and as_logged and own[name] != value)
    }


def _refused(tags: Mapping[str, str]) -> dict[str, str]:
    reasons = {}
    for name, value in tags.items():
        try:
            check_tags({name: value})
        except InputError as error:
            reasons[name] = error.message
    return reasons


NO_RECORD = "its run holds no record and outputs; runs have them since layout 5"


@dataclass(frozen=True)
class Copy:
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
    waiting: dict[str, Copy] = {}
    for submission_id, run in sorted(runs.items()):
        copy = _copy_in(client, run)
        if copy is None:
            reasons[submission_id] = NO_RECORD
        else:
            waiting[submission_id] = copy
    while waiting:
        ready = [
            submission_id
            for submission_id, copy in waiting.items()
            if copy.record["parent"] not in waiting
        ]
        for submission_id in sorted(ready or waiting, key=lambda name: _order(waiting[name])):
            reasons[submission_id] = _restored(database, waiting.pop(submission_id), analyser)
    return reasons


def _order(copy: Copy) -> tuple[str, int]:
    return str(copy.record["system"]), int(copy.record["iteration"])


def _copy_in(client: MlflowClient, run: Run) -> Copy | None:
    from mlflow.exceptions import MlflowException

    with scratch_folder() as folder:
        try:
            record, outputs = (
                Path(client.download_artifacts(run.info.run_id, path, str(folder)))
                for path in (RECORD, OUTPUTS)
            )
        except (MlflowException, OSError):
            return None
        return Copy(
            json.loads(record.read_text(encoding="utf-8")),
            pq.read_table(outputs, columns=["output"])["output"].to_pylist(),
        )


def _restored(database: Database, copy: Copy, analyser: Callable[[str], Analyser]) -> str | None:
    record = copy.record
    try:
        with database.opened(read_only=False):
            return _reason_or_load(database, record, copy.texts, analyser)
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
        return f"the treebank '{treebank}' is not the same as the run's"
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
