"""Reconciling the database and an MLflow store, in both directions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ingest.analysers.base import Analyser
from ...queries.errors import Settings as AnalysisSettings
from ...queries.errors import analyses
from ...queries.errors.jobs import run_analyses
from ...queries.metrics.scoring import score
from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.statements import read_rows
from . import LogReport, log_submissions
from .restoring import restore
from .store import (
    FINGERPRINT,
    SUBMISSION_ID,
    Store,
    open_store,
    shows,
)
from .submissions import BETTER, WORSE, Submission, read_submissions

if TYPE_CHECKING:
    from mlflow.entities import Run

_OURS = ("mlflow.", "sr_tracker.", "signature/", "given.")
_OUR_NAMES = ("git_commit", WORSE, BETTER)


@dataclass(frozen=True, repr=False)
class SyncReport(Brief):
    """What was found on both sides, and what was done; submission ids, sorted."""

    tags: dict[str, dict[str, str]]
    """Tags that differ in MLflow, by submission: written into the database unless a dry run."""
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
        known = {found.submission_id: found for found in read_submissions(database)}
    with open_store(database, tracking_uri) as store:
        active, removed = _runs(store)
        deleted = sorted((removed & known.keys()) - active.keys())
        unknown = sorted(active.keys() - known.keys())
        changed = {
            name: differing
            for name, run in sorted(active.items())
            if pull and name in known and (differing := _differing(known[name], run.data.tags))
        }
        pending = sorted(
            name for name, found in known.items() if not shows(active.get(name), found.fingerprint)
        )
        if dry_run:
            return SyncReport(changed, deleted, unknown, {}, pending, None)
        restored = {}
        if restore_by is not None and unknown:
            lost = {name: active[name] for name in unknown}
            restored = restore(database, store.client, lost, restore_by)
    again = [name for name, reason in restored.items() if reason is None]
    if changed or again:
        with database.opened(read_only=False):
            for name, differing in changed.items():
                tags = {**json.loads(known[name]["tags"]), **differing}
                written = json.dumps(tags, ensure_ascii=False, sort_keys=True)
                read_rows(database, "store_tags", submission=name, tags=written)
            if again:
                score(database, submissions=again)
                run_analyses(database, analyses(AnalysisSettings()), submissions=again)
    wanted = sorted((known.keys() | set(again)) - set(deleted)) if keep_deleted else None
    log = log_submissions(database, tracking_uri=tracking_uri, submissions=wanted)
    return SyncReport(changed, deleted, unknown, restored, pending, log)


def _runs(store: Store) -> tuple[dict[str, Run], set[str]]:
    """Return the active runs by submission, and the submissions of deleted runs."""
    active: dict[str, Run] = {}
    removed: set[str] = set()
    for experiment_id in store.experiments():
        for (kind, name), run in store.runs(experiment_id, heal=False).items():
            if kind == SUBMISSION_ID:
                active[name] = run
        removed |= store.deleted_submissions(experiment_id)
    return active, removed


def _differing(submission: Submission, tags: Mapping[str, str]) -> dict[str, str]:
    own = submission.tags({})
    as_logged = tags.get(FINGERPRINT) == submission.fingerprint
    given = json.loads(submission["tags"])
    return {
        name: value
        for name, value in tags.items()
        if not name.startswith(_OURS)
        and name not in _OUR_NAMES
        and (name not in own or (name in given and as_logged and own[name] != value))
    }
