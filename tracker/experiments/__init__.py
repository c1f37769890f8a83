"""MLflow: one experiment per campaign, one run per submission, one per line of iterations."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sr_tracker.queries.change.comparison.model import RelationChange
from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import list_submissions
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.tracker.experiments.changes import read_moves
from sr_tracker.tracker.experiments.current import Work, is_all_shown
from sr_tracker.tracker.experiments.provenance import source_tags
from sr_tracker.tracker.experiments.runs import RunWriter
from sr_tracker.tracker.experiments.sheets import Metrics, read_sheets
from sr_tracker.tracker.experiments.store import (
    TrackingUnavailableError,
    open_store,
    store_address,
    without_credentials,
)
from sr_tracker.tracker.experiments.submissions import (
    Submission,
    line_of,
    read_metrics,
    read_submissions,
)

__all__ = ["LogReport", "TrackingUnavailableError", "log_submissions"]

OUTPUTS_AT_ONCE = 200_000
EXPLORER_VARIABLE = "TRACKER_EXPLORER"
_ADDRESS = re.compile(r"https?://[^\s()<>]+|/[\w./-]*")


@dataclass(frozen=True, repr=False)
class LogReport(Brief):
    """What logging did: runs written and runs that showed everything already."""

    tracking_uri: str
    """Where the runs are, without credentials."""
    experiments: int
    logged: int
    unchanged: int
    lineages: int
    """Runs over iterations that were written; they are not counted among ``logged``."""


def log_submissions(
    database: Database,
    *,
    tracking_uri: str | None = None,
    submissions: Sequence[str] | None = None,
    progress: Progress = silent,
) -> LogReport:
    """Log submissions to MLflow and return what was written.

    Each campaign is an experiment, each submission a run, each system's iterations on a treebank
    a further run whose metrics have the iteration as step. Runs are found again by their tags:
    logging twice changes nothing, and what an interrupted logging left is completed. The store is
    ``mlflow.db`` beside the database unless ``tracking_uri`` names another. Reads the database
    only, and lets it be free while MLflow writes; its views must be installed.

    Raises UnknownNameError for submissions that do not exist, TrackingUnavailableError where the
    store cannot be reached or refuses, InputError for an address of the explorer that is none.
    """
    with database.opened(read_only=True):
        known = read_submissions(database)
        wanted = set(list_submissions(database, submissions))
    explorer, uri = explorer_address(), store_address(database, tracking_uri)
    campaigns = groupby(known, key=lambda found: str(found["campaign_id"]))
    everything = [Work(name, list(group), wanted) for name, group in campaigns]
    work = [each for each in everything if each.chosen]
    logged = lineages = 0
    if not all(is_all_shown(uri, each, explorer) for each in work):
        source = source_tags()
        with open_store(database, tracking_uri) as store:
            for each in work:
                writer = RunWriter(store, each.campaign_id, source, explorer)
                done = _log_campaign(database, writer, each, progress)
                logged, lineages = logged + done[0], lineages + done[1]
    return LogReport(without_credentials(uri), len(work), logged, len(wanted) - logged, lineages)


def explorer_address() -> str | None:
    """Return where the explorer is, as the environment says; None where it does not.

    Raises InputError for what is no address.
    """
    told = os.environ.get(EXPLORER_VARIABLE, "").rstrip("/")
    if told and not _ADDRESS.fullmatch(told):
        raise InputError(
            f"'{told}' is no address of the explorer",
            where=EXPLORER_VARIABLE,
            hint="such as http://127.0.0.1:8127, or /sr-tracker on MLflow's own server",
        )
    return told or None


def _log_campaign(
    database: Database, writer: RunWriter, work: Work, progress: Progress
) -> tuple[int, int]:
    """Write runs; return how many, of submissions and of lineages.

    Those of lineages come first, so that those of submissions are nested in them from the start.
    """
    pending = [found for found in work.chosen if not writer.is_current(found)]
    lineages = [members for members in work.lineages() if writer.needs_lineage(members)]
    touched = [*pending, *(members[0] for members in lineages)]
    unread = [found for members in lineages for found in members]
    metrics: Metrics = {}
    moves: dict[str, Sequence[RelationChange]] = {}
    with database.opened(read_only=True):
        if touched:
            metrics = read_metrics(database, line_of(touched, work.campaign))
        for batch in batched(unread):
            moves.update(read_moves(database, batch))
    for number, members in enumerate(lineages, start=1):
        writer.write_lineage(members, metrics, moves)
        progress(f"{members[0].lineage_id} over iterations", number, len(lineages))
    _log_runs(database, writer, pending, work, metrics, progress)
    for members in work.lineages():
        writer.link(members)
    return len(pending), len(lineages)


def _log_runs(
    database: Database,
    writer: RunWriter,
    pending: Sequence[Submission],
    work: Work,
    metrics: Metrics,
    progress: Progress,
) -> None:
    known = {found.submission_id: found for found in work.campaign}
    done = 0
    for batch in batched(pending):
        with database.opened(read_only=True):
            sheets = read_sheets(database, batch, known, metrics)
        for sheet in sheets:
            progress(sheet.submission.submission_id, done, len(pending))
            writer.write_submission(sheet)
            done += 1
    if pending:
        progress(pending[-1].submission_id, done, len(pending))


def batched(submissions: Sequence[Submission]) -> Iterator[list[Submission]]:
    """Yield submissions in pieces that are read at once: some views read all there is each time."""
    piece: list[Submission] = []
    for submission in submissions:
        outputs = sum(each["sentences"] for each in piece) + submission["sentences"]
        if piece and outputs > OUTPUTS_AT_ONCE:
            yield piece
            piece = []
        piece.append(submission)
    if piece:
        yield piece
