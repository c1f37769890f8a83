"""MLflow: one experiment per campaign, one run per submission, one per line of iterations."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.iterations import list_submissions
from ...schema.progress import Progress, silent
from .current import Work, is_all_shown
from .results import keep_missing
from .store import (
    TrackingUnavailableError,
    open_store,
    store_address,
    without_credentials,
)
from .submissions import read_submissions, source_tags

__all__ = ["LogReport", "TrackingUnavailableError", "log_submissions"]

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
    ``mlflow.db`` beside the database unless ``tracking_uri`` names another. Comparisons with bases
    that are not stored are tested and stored first. The database is free while MLflow writes; its
    views must be installed.

    Raises UnknownNameError for submissions that do not exist, TrackingUnavailableError where the
    store cannot be reached or refuses, InputError for an address of the explorer that is none.
    """
    with database.opened(read_only=True):
        loaded = read_submissions(database)
        wanted = set(list_submissions(database, submissions))
    if keep_missing(
        database,
        [submission for submission in loaded if submission.submission_id in wanted],
        progress,
    ):
        with database.opened(read_only=True):
            loaded = read_submissions(database)
    explorer, uri = explorer_address(), store_address(database, tracking_uri)
    campaigns = groupby(loaded, key=lambda submission: str(submission["campaign_id"]))
    everything = [Work(name, list(group), wanted) for name, group in campaigns]
    work = [campaign for campaign in everything if campaign.chosen]
    logged = lineages = 0
    if not all(is_all_shown(uri, campaign, explorer) for campaign in work):
        from .runs import RunWriter, log_campaign

        source = source_tags()
        with open_store(database, tracking_uri) as store:
            for campaign in work:
                writer = RunWriter(store, campaign.campaign_id, source, explorer)
                runs, lines = log_campaign(database, writer, campaign, progress)
                logged, lineages = logged + runs, lineages + lines
    return LogReport(without_credentials(uri), len(work), logged, len(wanted) - logged, lineages)


def explorer_address() -> str | None:
    """Return where the explorer is, as the environment says; None where it does not.

    Raises InputError for what is no address.
    """
    address = os.environ.get(EXPLORER_VARIABLE, "").rstrip("/")
    if address and not _ADDRESS.fullmatch(address):
        raise InputError(
            f"'{address}' is no address of the explorer",
            where=EXPLORER_VARIABLE,
            hint="such as http://127.0.0.1:8127, or /sr-tracker on MLflow's own server",
        )
    return address or None
