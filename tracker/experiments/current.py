"""Whether a store shows everything already: read from its file or its server, without MLflow.

MLflow takes two seconds to start; to see that nothing is new takes a fraction of one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ...queries.tracked_runs import TrackedRun, tracked_runs
from .rest import served_runs
from .store import LINEAGE_ID, SUBMISSION_ID, is_shown, store_file
from .submissions import (
    EXPLORER,
    PARENT_RUN,
    PARENT_SUBMISSION_RUN,
    Submission,
    lineage_fingerprint,
)

_Runs = Mapping[tuple[str, str], TrackedRun]


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

    def lineages(self) -> list[list[Submission]]:
        """Return the lines of the chosen ones, each with all of its iterations."""
        touched = {submission.lineage_id for submission in self.chosen}
        return [
            list(members)
            for lineage_id, members in groupby(
                self.campaign, key=lambda submission: submission.lineage_id
            )
            if lineage_id in touched
        ]


def is_all_shown(uri: str, work: Work, explorer: str | None) -> bool:
    """Return whether a store's file or server says that its runs show all that is to be logged.

    False where it does not say so, or the store is another one: MLflow is asked then.
    ``explorer`` is where the runs are to lead; None for wherever they do.
    """
    if uri.startswith(("http://", "https://")):
        stored = served_runs(uri, work.campaign_id)
    else:
        file = store_file(uri)
        stored = None if file is None else tracked_runs(file, work.campaign_id)
    if stored is None:
        return False
    runs: dict[tuple[str, str], TrackedRun] = {}
    for run in stored.runs:
        kind = SUBMISSION_ID if SUBMISSION_ID in run.tags else LINEAGE_ID
        if runs.setdefault((kind, run.tags.get(kind, "")), run) is not run:
            return False  # two runs of the same thing: MLflow has to delete one
    at = stored.explorer if explorer is None else explorer
    return all(
        _shows(runs, (SUBMISSION_ID, submission.submission_id), submission.fingerprint, at)
        for submission in work.chosen
    ) and all(_is_whole(runs, members, at) for members in work.lineages())


def _shows(runs: _Runs, key: tuple[str, str], fingerprint: str, explorer: str) -> bool:
    run = runs.get(key)
    return (
        run is not None
        and is_shown(run.status, run.tags, fingerprint)
        and run.tags.get(EXPLORER, "") == explorer
    )


def _is_whole(runs: _Runs, members: Sequence[Submission], explorer: str) -> bool:
    """Return whether a line's run is current, and the runs of its submissions are linked."""
    key = (LINEAGE_ID, members[0].lineage_id)
    if (len(members) > 1 or key in runs) and not _shows(
        runs, key, lineage_fingerprint(members), explorer
    ):
        return False
    for member in members:
        run = runs.get((SUBMISSION_ID, member.submission_id))
        related = {
            PARENT_RUN: runs.get(key),
            PARENT_SUBMISSION_RUN: runs.get((SUBMISSION_ID, str(member["base_submission_id"]))),
        }
        for tag, target in related.items():
            if run and target and run.tags.get(tag) != target.run_id:
                return False
    return True
