"""Whether a store shows everything already: read from its file or its server, without MLflow.

MLflow takes two seconds to start; to see that nothing is new takes a fraction of one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...queries.tracked_runs import TrackedRun, tracked_runs
from .rest import served_runs
from .store import is_served, is_shown, store_file
from .submissions import EXPLORER, KIND, SUBMISSION_ID, Submission


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

    A store's file or server says so; where it is another store, MLflow is asked. ``explorer`` is
    where the runs are to lead; None for wherever they do.
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
