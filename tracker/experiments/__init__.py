"""MLflow: one experiment per campaign, one run per submission, one per line of iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import list_submissions
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.tracker.experiments.changes import RelationMove, read_moves, read_scores
from sr_tracker.tracker.experiments.description import change_tags, describe, describe_lineage
from sr_tracker.tracker.experiments.runs import NOTE, RunWriter, source_tags
from sr_tracker.tracker.experiments.store import (
    TrackingUnavailableError,
    open_store,
    without_credentials,
)
from sr_tracker.tracker.experiments.submissions import (
    Submission,
    read_metrics,
    read_results,
    read_submissions,
)

__all__ = ["LogReport", "TrackingUnavailableError", "log_submissions"]

SUBMISSIONS_AT_ONCE = 25


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
    store cannot be reached or refuses.
    """
    with database.opened(read_only=True):
        known = read_submissions(database)
        wanted = set(list_submissions(database, submissions))
    source = source_tags()
    experiments = logged = lineages = 0
    with open_store(database, tracking_uri) as store:
        for campaign_id, group in groupby(known, key=lambda found: str(found["campaign_id"])):
            campaign = list(group)
            chosen = [found for found in campaign if found.submission_id in wanted]
            if not chosen:
                continue
            writer = RunWriter(store, campaign_id, source)
            experiments += 1
            moves: dict[str, Sequence[RelationMove]] = {}
            logged += _log_runs(database, writer, chosen, moves, progress)
            lineages += _log_lineages(database, writer, campaign, chosen, moves, progress)
        uri = without_credentials(store.uri)
    return LogReport(uri, experiments, logged, len(wanted) - logged, lineages)


def _log_runs(
    database: Database,
    writer: RunWriter,
    chosen: Sequence[Submission],
    moves: dict[str, Sequence[RelationMove]],
    progress: Progress,
) -> int:
    """Write runs and return how many; ``moves`` gets how their relations changed."""
    pending = [found for found in chosen if not writer.is_current(found)]
    for start in range(0, len(pending), SUBMISSIONS_AT_ONCE):
        batch = pending[start : start + SUBMISSIONS_AT_ONCE]
        with database.opened(read_only=True):
            results = read_results(database, [found.submission_id for found in batch])
            scores = read_scores(database, batch)
            moves.update(read_moves(database, batch))
        for number, submission in enumerate(batch, start=start):
            progress(submission.submission_id, number, len(pending))
            tags = {NOTE: describe(submission, scores, moves), **change_tags(submission, moves)}
            writer.write_submission(submission, results, tags)
    if pending:
        progress(pending[-1].submission_id, len(pending), len(pending))
    return len(pending)


def _log_lineages(
    database: Database,
    writer: RunWriter,
    campaign: Sequence[Submission],
    chosen: Sequence[Submission],
    moves: dict[str, Sequence[RelationMove]],
    progress: Progress,
) -> int:
    touched = {found.lineage_id for found in chosen}
    lineages = [
        list(members)
        for lineage_id, members in groupby(campaign, key=lambda found: found.lineage_id)
        if lineage_id in touched
    ]
    pending = [members for members in lineages if not writer.is_current_lineage(members)]
    ids = [found.submission_id for members in pending for found in members]
    unread = [found for members in pending for found in members if found.submission_id not in moves]
    with database.opened(read_only=True):
        metrics = read_metrics(database, ids) if ids else {}
        moves.update(read_moves(database, unread))
    for number, members in enumerate(pending, start=1):
        writer.write_lineage(members, metrics, describe_lineage(members, metrics, moves))
        progress(f"{members[0].lineage_id} over iterations", number, len(pending))
    for members in lineages:
        writer.link(members)
    return len(pending)
