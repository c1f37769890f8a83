"""What a submission is to MLflow: name, parameters, tags, dataset, and what logged it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ...queries.metrics.registry import headline_metrics
from ...schema import TOOL_VERSION
from ...schema.database import Database
from ...schema.statements import read_rows

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput

LAYOUT = "13"
"""Part of every fingerprint: another number makes the next logging update every run."""

VERDICT = "verdict"
"""The tag that says in a few words what changed, so that a table of runs can show it."""
CAMPAIGN, EXPLORER = "sr_tracker.campaign", "sr_tracker.explorer"
"""Tags of the experiments that hold our runs: what they hold, and where the explorer is.

The latter is a tag of runs as well, which lead there.
"""
KIND, SUBMISSION_ID, FINGERPRINT = (
    "sr_tracker.kind",
    "sr_tracker.submission_id",
    "sr_tracker.fingerprint",
)
"""Tags by which our runs are told from others and found; what a run shows, once it is FINISHED."""
_EARLIER = "sr_tracker.version"
"""A tag that runs up to layout 10 have."""
_EARLIER_NAMES = (
    *("campaign", "team", "system_kind", "language", "track", "sha256", "git_commit"),
    *("relations_worse", "relations_better"),
)
_OUR_NAMES = (VERDICT, "system", "treebank", "iteration")
_OURS = ("mlflow.", "sr_tracker.", "signature/", "given.")
_DATES = ("created_ms", "created_us")
_READ_ALIKE = ("track", "reference_form", "analysis")
_ON_COURSE = ("iteration", "sha256", "signatures", "human_scores")
"""What the course of scores until a later iteration rests on."""
LONGEST_COURSE = 50
"""Iterations that a run shows: with all of them, what a line writes would grow with its square."""
_RECORDED = ("track", "iteration", "created_us", "reference_form", "analysis", "sha256")


@dataclass(frozen=True)
class Submission:
    """A submission as the database describes it."""

    row: dict[str, Any]
    fingerprint: str
    """Hash of its outputs, a hyphen, and hash of everything its run shows.

    Equal fingerprints mean that nothing has changed.
    """

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

    def record(self, signatures: Mapping[str, str]) -> dict[str, Any]:
        """Return what loading the submission again takes, and what is said of it nowhere else.

        ``signatures`` are those of its scores, by metric.
        """
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
            "team": row["team"],
            "system_kind": row["kind"],
            "language": row["language"],
            "signatures": dict(signatures),
            "logged_by": f"sr-tracker {TOOL_VERSION}",
        }

    def tags(self, verdict: str) -> dict[str, str]:
        """Return what runs are searched and grouped by: ours, and those given with it."""
        own = {
            VERDICT: verdict,
            "system": self["system_id"],
            "treebank": self["treebank_id"],
            "iteration": self["iteration"],
        }
        return _merged(own, json.loads(self["tags"]))

    def until(self, line: Iterable[Submission]) -> list[Submission]:
        """Return the last iterations of its line until this one that are read as it is, in order.

        Others, such as of another track or analysed otherwise, are on no course with it.
        """
        alike = sorted(
            (
                other
                for other in line
                if other["iteration"] <= self["iteration"]
                and all(other[name] == self[name] for name in _READ_ALIKE)
            ),
            key=lambda other: int(other["iteration"]),
        )
        return alike[-LONGEST_COURSE:]


def headlines() -> tuple[str, ...]:
    """Return the metrics of a run that stand in no folder: what a table of runs shows first."""
    return (*headline_metrics(), "adequacy_z", "fluency_z", "coverage")


def read_submissions(database: Database) -> list[Submission]:
    """Return all submissions, in the order of their systems' iterations."""
    submissions: list[Submission] = []
    courses: dict[tuple[str, ...], list[Any]] = defaultdict(list)
    for row in read_rows(database, "logged_submissions"):
        submission = Submission(row, "")
        earlier = courses[submission.lineage_id, *(row[name] for name in _READ_ALIKE)]
        submissions.append(replace(submission, fingerprint=_fingerprint(row, earlier)))
        earlier.append([row[name] for name in _ON_COURSE])
    return submissions


def line_of(submissions: Iterable[Submission], campaign: Iterable[Submission]) -> list[str]:
    """Return the ids of all iterations of the lines that some submissions are of."""
    lines = {submission.lineage_id for submission in submissions}
    return [submission.submission_id for submission in campaign if submission.lineage_id in lines]


def hash_of(parts: Iterable[Any]) -> str:
    """Return a short hash of plain values."""
    return hashlib.sha256(json.dumps(list(parts), default=str).encode()).hexdigest()[:32]


def _fingerprint(row: Mapping[str, Any], earlier: Sequence[Any]) -> str:
    # When a run was made is not given in every file: loading the same files into a new database
    # must not touch the runs.
    shown = sorted(item for item in row.items() if item[0] not in _DATES)
    return f"{row['sha256'][:32]}-{hash_of([LAYOUT, *shown, earlier])}"


def tags_of_others(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags of a run of ours, also of an earlier layout, that others gave it."""
    ours = (*_OUR_NAMES, *(_EARLIER_NAMES if _EARLIER in tags else ()))
    return {
        name: value
        for name, value in tags.items()
        if not name.startswith(_OURS) and name not in ours
    }


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
    """Return what logged the runs: the tracker, and the git commit of the folder."""
    tags = {
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
    return {**tags, "mlflow.source.git.commit": process.stdout.strip()}


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


_KIND_OF_EXPERIMENT, _CUSTOM = "mlflow.experimentKind", "custom_model_development"
VIEW = "sr-tracker"
_MADE = 1577836800000
"""When the view was made, for MLflow's list of views: always the same, as the view is."""
_LINK = "[Scores of all runs]("
_NOTE = (
    f"{_LINK}#/experiments/{{}}/runs?viewStateShareKey={VIEW}), also below *Views*. "
    f"A run is a submission; its `{VERDICT}` says what changed significantly against the iteration "
    "before. The steps of a metric are the iterations until this one. "
    "`bleu` is of lower-cased words between blanks. "
    "All other scores are in a run's artifact `scores.json`."
)


def missing_tags(
    experiment_id: str, campaign: str, primary: str, tags: Mapping[str, str]
) -> dict[str, str]:
    """Return the tags that an experiment with these tags lacks to hold a campaign's runs.

    Its charts begin with the ``primary`` metric.

    What a user has set stays, but for the kind of an experiment that held no run of ours: MLflow
    guesses it, or asks, before there is anything to know it by. The view and the note that an
    earlier version made are replaced.
    """
    state = json.dumps(_state())
    view = {"name": "Scores", "createdAt": _MADE, "updatedAt": _MADE, "state": state}
    view_tag, note_tag = f"mlflow.sharedViewState.{VIEW}", "mlflow.note.content"
    wanted = {
        CAMPAIGN: campaign,
        _KIND_OF_EXPERIMENT: _CUSTOM,
        "mlflow.experiment.primaryMetric.name": primary,
        view_tag: json.dumps(view),
        note_tag: _NOTE.format(experiment_id),
    }
    ours = {view_tag}
    if CAMPAIGN not in tags:
        ours.add(_KIND_OF_EXPERIMENT)
    if tags.get(note_tag, "").startswith(_LINK):
        ours.add(note_tag)
    return {
        name: value
        for name, value in wanted.items()
        if name not in tags or (name in ours and tags[name] != value)
    }


def _state() -> dict[str, Any]:
    """Return a view of MLflow's table of runs: what changed, and the headline metrics."""
    columns = [f"metrics.`{name}`" for name in headlines()]
    verdict = f"tags.`{VERDICT}`"
    widths = {
        "attributes.`Run Name`": 250,
        verdict: 380,
        **dict.fromkeys(columns, 95),
        "runDateAndNestInfo": 130,
        "duration": 80,
    }
    selected = [verdict, *columns]
    return {"selectedColumns": selected, "columnOrder": list(widths), "columnWidths": widths}
