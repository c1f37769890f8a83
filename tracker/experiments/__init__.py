"""MLflow: one experiment per campaign, one run per submission."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...queries.errors.jobs import sentence_metrics
from ...queries.tracked_runs import TrackedRun, tracked_runs
from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.iterations import list_submissions
from ...schema.progress import Progress, silent
from .rest import PAGES_VARIABLE, checked_pages, served_runs
from .results import keep_missing
from .store import (
    TrackingUnavailableError,
    is_served,
    is_shown,
    open_store,
    store_address,
    store_file,
    without_credentials,
)
from .submissions import (
    EXPLORER,
    KIND,
    SUBMISSION_ID,
    VIEW,
    Submission,
    read_submissions,
    source_tags,
)

__all__ = ["LogReport", "TrackingUnavailableError", "log_submissions"]

EXPLORER_VARIABLE = "TRACKER_EXPLORER"
USUAL_PAGES = "http://127.0.0.1:5000"
"""Where 'mlflow ui' serves its pages unless told otherwise."""
_ADDRESS = re.compile(r"https?://[^\s()<>]+|/[\w./-]*")


@dataclass(frozen=True, repr=False)
class LogReport(Brief):
    """What logging did: runs written and runs that showed everything already."""

    tracking_uri: str
    """Where the runs are, without credentials."""
    experiments: int
    logged: int
    unchanged: int
    address: str
    """The page in MLflow of the run, of the runs where there are several, or of all experiments."""
    viewer: str | None
    """The command that serves the page; None where a server does already."""


def log_submissions(
    database: Database,
    *,
    tracking_uri: str | None = None,
    submissions: Sequence[str] | None = None,
    progress: Progress = silent,
) -> LogReport:
    """Log submissions to MLflow and return what was written.

    Each campaign is an experiment, each submission a run, whose metrics have the iterations until
    it as steps. Runs are found again by their tags:
    logging twice changes nothing, and what an interrupted logging left is completed. The store is
    ``mlflow.db`` beside the database unless ``tracking_uri`` names another. Comparisons with bases
    that are not stored are tested and stored first. The database is free while MLflow writes; its
    views must be installed.

    Raises UnknownNameError for submissions that do not exist, TrackingUnavailableError where the
    store cannot be reached or refuses, InputError for an address of the explorer, or of MLflow's
    pages, that is none.
    """
    with database.opened(read_only=True):
        loaded = read_submissions(database)
        wanted = set(list_submissions(database, submissions))
        campaign_ids = {str(one["campaign_id"]) for one in loaded if one.submission_id in wanted}
        primary = {name: sentence_metrics(database, campaign=name)[0] for name in campaign_ids}
    if keep_missing(
        database,
        [submission for submission in loaded if submission.submission_id in wanted],
        progress,
    ):
        with database.opened(read_only=True):
            loaded = read_submissions(database)
    explorer, uri = explorer_address(), store_address(database, tracking_uri)
    pages, viewer = _pages(uri)
    campaigns = groupby(loaded, key=lambda submission: str(submission["campaign_id"]))
    everything = [Work(name, list(group), wanted) for name, group in campaigns]
    work = [campaign for campaign in everything if campaign.chosen]
    there = [logged_before(uri, campaign, explorer) for campaign in work]
    if None in there:
        from .runs import RunWriter, log_campaign

        source = source_tags()
        with open_store(database, tracking_uri) as store:
            there = [
                log_campaign(
                    database,
                    RunWriter(
                        store,
                        campaign.campaign_id,
                        primary[campaign.campaign_id],
                        source,
                        explorer,
                    ),
                    campaign,
                    progress,
                )
                for campaign in work
            ]
    places = [place for place in there if place is not None]
    logged = sum(place.written for place in places)
    return LogReport(
        tracking_uri=without_credentials(uri),
        experiments=len(work),
        logged=logged,
        unchanged=len(wanted) - logged,
        address=f"{pages}/#/experiments{_within(places, wanted)}",
        viewer=viewer,
    )


def _pages(uri: str) -> tuple[str, str | None]:
    """Return where MLflow's pages show a store, and the command that serves them, if one is needed.

    Raises InputError where the environment names no address.
    """
    named = os.environ.get(PAGES_VARIABLE)
    if named:
        return checked_pages(named), None
    shown = without_credentials(uri)
    if is_served(uri):
        return shown.rstrip("/"), None
    return USUAL_PAGES, shlex.join(["mlflow", "ui", "--backend-store-uri", shown])


def _within(places: Sequence[Logged], wanted: Collection[str]) -> str:
    """Return what follows the address of all experiments: the page of one run, or of one's runs."""
    if len(places) != 1:
        return ""
    (place,) = places
    if len(wanted) == 1:
        (name,) = wanted
        return f"/{place.experiment_id}/runs/{place.runs[name]}"
    return f"/{place.experiment_id}/runs?viewStateShareKey={VIEW}"


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


@dataclass(frozen=True)
class Work:
    """What is to be logged of a campaign."""

    campaign_id: str
    campaign: Sequence[Submission]
    """All of its submissions."""
    wanted: Collection[str]
    """Ids of submissions to be logged, also of other campaigns."""

    @property
    def chosen(self) -> list[Submission]:
        """The submissions to be logged."""
        return [
            submission for submission in self.campaign if submission.submission_id in self.wanted
        ]


@dataclass(frozen=True)
class Logged:
    """Where the runs of a campaign are."""

    experiment_id: str
    written: int
    """How many were written."""
    runs: dict[str, str]
    """Their ids by submission."""


def logged_before(uri: str, work: Work, explorer: str | None) -> Logged | None:
    """Return where the runs are that show all that is to be logged, None where some may not.

    A store's file or server says so, in a fraction of the two seconds that MLflow takes to start;
    where it is another store, MLflow is asked. ``explorer`` is where the runs are to lead; None for
    wherever they do.
    """
    if is_served(uri):
        stored = served_runs(uri, work.campaign_id)
    else:
        file = store_file(uri)
        stored = None if file is None else tracked_runs(file, work.campaign_id)
    if stored is None:
        return None
    runs: dict[str, TrackedRun] = {}
    for run in stored.runs:
        if KIND not in run.tags:
            continue  # a run of the user's own that a submission was logged into
        if runs.setdefault(run.tags.get(SUBMISSION_ID, ""), run) is not run:
            return None  # two runs of the same thing: MLflow has to delete one
    at = stored.explorer if explorer is None else explorer
    for submission in work.chosen:
        stored_run = runs.get(submission.submission_id)
        if (
            stored_run is None
            or not is_shown(stored_run.status, stored_run.tags, submission.fingerprint)
            or stored_run.tags.get(EXPLORER, "") != at
        ):
            return None
    ids = {name: run.run_id for name, run in runs.items()}
    return Logged(stored.experiment_id, 0, ids)
