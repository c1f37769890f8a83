"""What a submission is to MLflow: name, parameters, tags, dataset, and what logged it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ...queries.metrics.registry import headline_metrics
from ...schema import TOOL_VERSION
from ...schema.database import Database
from ...schema.statements import read_rows

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput

LAYOUT = "10"
"""Part of every fingerprint: another number makes the next logging update every run."""

PRIMARY = "dea"
"""The headline that charts begin with."""
WORSE, BETTER, OUTCOME = "relations_worse", "relations_better", "verdict"
"""Tags with the relations that changed significantly, so that a table of runs can show them."""
CAMPAIGN, EXPLORER = "sr_tracker.campaign", "sr_tracker.explorer"
"""Tags of the experiments that hold our runs: what they hold, and where the explorer is.

The latter is a tag of runs as well, which lead there.
"""
PARENT_RUN, PARENT_SUBMISSION_RUN = "mlflow.parentRunId", "sr_tracker.parent_run_id"
"""Tags of runs: in which run MLflow's table nests one, and which run is its parent's."""
_DATES = ("created_ms", "created_us")
_RECORDED = ("track", "iteration", "created_us", "reference_form", "analysis", "sha256")


@dataclass(frozen=True)
class Submission:
    """A submission as the database describes it."""

    row: dict[str, Any]
    fingerprint: str
    """Hash of everything its run shows: equal fingerprints mean that nothing has changed."""

    def __getitem__(self, column: str) -> Any:
        return self.row[column]

    @property
    def submission_id(self) -> str:
        """The submission's id."""
        return str(self.row["submission_id"])

    @property
    def lineage_id(self) -> str:
        """The series of iterations it belongs to: campaign/system/treebank."""
        return f"{self['campaign_id']}/{self['system_id']}/{self['treebank_id']}"

    @property
    def created_at(self) -> datetime:
        """When its outputs were made."""
        return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=self["created_us"])

    def params(self) -> dict[str, str]:
        """Return the parameters of the model run, and how its outputs are read."""
        own = {
            "reference_form": self["reference_form"],
            "analysis": self["analysis"],
            "parent": self["parent_submission_id"],
        }
        return _merged(own, json.loads(self["params"]))

    def record(self) -> dict[str, Any]:
        """Return everything about the submission that loading it again takes."""
        row = self.row
        return {
            "submission_id": self.submission_id,
            "campaign": row["campaign_id"],
            "system": row["system_id"],
            "treebank": row["treebank_id"],
            "treebank_sha256": row["treebank_sha256"],
            **{name: row[name] for name in _RECORDED},
            "parent": row["parent_submission_id"],
            "params": json.loads(row["params"]),
            "tags": json.loads(row["tags"]),
        }

    def tags(self, signatures: Mapping[str, str]) -> dict[str, str]:
        """Return what runs are searched and grouped by; ``signatures`` by metric."""
        own = {
            "campaign": self["campaign_id"],
            "team": self["team"],
            "system": self["system_id"],
            "system_kind": self["kind"],
            "treebank": self["treebank_id"],
            "language": self["language"],
            "track": self["track"],
            "iteration": self["iteration"],
            "sha256": self["sha256"],
            **{f"signature/{metric}": text for metric, text in signatures.items()},
        }
        return _merged(own, json.loads(self["tags"]))


def headlines() -> tuple[str, ...]:
    """Return the metrics of a run that stand in no folder: what a table of runs shows first."""
    return (*headline_metrics(), "adequacy_z", "fluency_z", "coverage")


def read_submissions(database: Database) -> list[Submission]:
    """Return all submissions, in the order of their systems' iterations."""
    rows = read_rows(database, "logged_submissions")
    return [Submission(row, _fingerprint(row)) for row in rows]


def line_of(submissions: Iterable[Submission], campaign: Iterable[Submission]) -> list[str]:
    """Return the ids of all iterations of the lines that some submissions are of."""
    lines = {submission.lineage_id for submission in submissions}
    return [submission.submission_id for submission in campaign if submission.lineage_id in lines]


def hash_of(parts: Iterable[Any]) -> str:
    """Return a short hash of plain values."""
    return hashlib.sha256(json.dumps(list(parts), default=str).encode()).hexdigest()[:32]


def lineage_fingerprint(members: Sequence[Submission]) -> str:
    """Return a hash of everything that a lineage's run shows."""
    return hash_of([LAYOUT, *((member["iteration"], member.fingerprint) for member in members)])


def _fingerprint(row: dict[str, Any]) -> str:
    # When a run was made is not given in every file: loading the same files into a new database
    # must not touch the runs.
    return hash_of([LAYOUT, *sorted(item for item in row.items() if item[0] not in _DATES)])


def _merged(own: dict[str, Any], of_user: dict[str, Any]) -> dict[str, str]:
    """Return our values and those the user gave, as text; a name that is taken gets a prefix."""
    merged = {name: value for name, value in own.items() if value is not None}
    for name, value in of_user.items():
        taken = name in own or name.startswith(("mlflow.", "sr_tracker."))
        merged[f"given.{name}" if taken else name] = value
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in merged.items()
    }


_LONGEST_DIGEST = 36


def source_tags() -> dict[str, str]:
    """Return what logged the runs: the tracker's version and the git commit of the folder."""
    tags = {
        "sr_tracker.version": TOOL_VERSION,
        "mlflow.source.name": "sr-tracker",
        "mlflow.source.type": "LOCAL",
    }
    try:
        process = subprocess.run(
            ["git", "rev-parse", "--verify", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return tags
    commit = process.stdout.strip()
    return {**tags, "git_commit": commit, "mlflow.source.git.commit": commit}


def dataset_of(submission: Submission) -> DatasetInput:
    """Return the treebank as MLflow's dataset of a run."""
    from mlflow.entities import Dataset, DatasetInput, InputTag

    sha256 = submission["treebank_sha256"]
    dataset = Dataset(
        name=submission["treebank_id"],
        digest=sha256[:_LONGEST_DIGEST],
        source_type="local",
        source=json.dumps({"uri": submission["treebank_source"], "sha256": sha256}),
        profile=json.dumps(
            {"num_rows": submission["sentences"], "num_tokens": submission["tokens"]}
        ),
    )
    context = InputTag("mlflow.data.context", submission["split"] or "test")
    return DatasetInput(dataset, [context])
