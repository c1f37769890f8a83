"""Writing the runs of campaigns, one per submission, and the files on their way into a store."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from ...schema.database import Database
from ...schema.errors import TrackerError
from ...schema.progress import Progress
from . import Logged, Work
from .description import Place
from .results import read_moves, read_numbers
from .sheets import SCORES, SENTENCES, Point, Sheet, read_sheets
from .store import Store, insert, shows
from .submissions import (
    EXPLORER,
    FINGERPRINT,
    KIND,
    SUBMISSION_ID,
    Submission,
    dataset_of,
    line_of,
    tags_of_others,
)

if TYPE_CHECKING:
    from mlflow.entities import Metric, Run

    Values = Mapping[str, Mapping[int, float]]
    """By metric and step."""


NOTE = "mlflow.note.content"
LOGGED_TABLES = "mlflow.loggedArtifacts"
"""By this tag MLflow shows artifacts as tables."""
_OUR_TABLES = [{"path": path, "type": "table"} for path in (SCORES, SENTENCES)]
LONGEST_PARAM, LONGEST_TAG = 6000, 8000
OUTPUTS_AT_ONCE = 200_000
_NOT_IN_NAMES = re.compile(r"[^\w\-. :/]")
_LONGEST_NAME = 250

T = TypeVar("T")


class RunWriter:
    """Writes runs into the experiment of one campaign, whose charts begin with a metric."""

    def __init__(
        self,
        store: Store,
        campaign_id: str,
        primary: str,
        source: Mapping[str, str],
        explorer: str | None,
    ) -> None:
        self._store, self._client = store, store.client
        experiment = store.experiment(campaign_id, primary)
        self.experiment_id = str(experiment.experiment_id)
        self._explorer = store.explorer(experiment, explorer)
        self._runs = store.runs(self.experiment_id)
        self._source = source

    @property
    def runs(self) -> dict[str, str]:
        """The ids of the runs by submission."""
        return {name: run.info.run_id for name, run in self._runs.items()}

    def is_current(self, submission: Submission) -> bool:
        """Return whether a submission's run shows all there is to show."""
        run = self._runs.get(submission.submission_id)
        leads = run is not None and run.data.tags.get(EXPLORER, "") == self._explorer
        return leads and shows(run, submission.fingerprint)

    def write(self, sheet: Sheet) -> None:
        """Write a submission's run, or bring it up to date.

        Metrics have the iterations until this one as steps; values that have not changed get no
        new point. A run cannot take back a parameter or a point: where one changed or is gone, or
        the outputs are other ones, a new run replaces it, which keeps the tags that others gave.
        """
        submission = sheet.submission
        courses = clean_names(sheet.courses)
        params = cut(clean_names(submission.params()), LONGEST_PARAM)
        tags = {**clean_names(sheet.tags), **self._identity(submission)}
        run = self._runs.get(submission.submission_id)
        logged: Values = {}
        if run is not None:
            can_become = _can_become(run, courses, params, submission.fingerprint)
            logged = self._logged(run) if can_become else {}
            if not (can_become and _has_steps(courses, logged)):
                self._client.delete_run(run.info.run_id)
                tags = {**tags_of_others(run.data.tags), **tags}
                run, logged = None, {}
        run = self._begin(run, tags, submission)
        with run_folder(self._store, run) as folder:
            sheet.write(folder, self._explorer)
        new = {param: value for param, value in params.items() if param not in run.data.params}
        tags[NOTE] = sheet.describe(self._place(run))
        shown = json.loads(run.data.tags.get(LOGGED_TABLES, "[]"))
        shown += [table for table in _OUR_TABLES if table not in shown]
        tags[LOGGED_TABLES] = json.dumps(shown)
        self._finish(run, _new_points(courses, logged), new, tags)

    def _place(self, run: Run) -> Place:
        return Place(self.experiment_id, run.info.run_id, self._explorer)

    def _identity(self, submission: Submission) -> dict[str, str]:
        explorer = {EXPLORER: self._explorer} if self._explorer else {}
        return {
            SUBMISSION_ID: submission.submission_id,
            KIND: "submission",
            FINGERPRINT: submission.fingerprint,
            **explorer,
        }

    def _logged(self, run: Run) -> Values:
        """Return the values that a run has, at each step the newest."""
        run_id = run.info.run_id
        histories = {
            name: self._client.get_metric_history(run_id, name) for name in run.data.metrics
        }
        return {
            name: {
                point.step: point.value
                for point in sorted(points, key=lambda point: int(point.timestamp))
            }
            for name, points in histories.items()
        }

    def _begin(self, run: Run | None, tags: Mapping[str, str], submission: Submission) -> Run:
        """Return the run, made where there is none, its status saying that it is being written.

        MLflow cannot move the start of a run that is there.
        """
        name = f"{submission['system_id']}@{submission['iteration']} {submission['treebank_id']}"
        if run is not None:
            self._client.update_run(run.info.run_id, status="RUNNING", name=name)
        else:
            run = self._client.create_run(
                self.experiment_id,
                start_time=max(1, submission["created_ms"]),  # 0 is now to MLflow
                tags=cut({**tags, **self._source}, LONGEST_TAG),
                run_name=name,
            )
        self._runs[submission.submission_id] = run
        dataset = dataset_of(submission)
        insert(partial(self._client.log_inputs, run.info.run_id, datasets=[dataset]))
        return run

    def _finish(
        self,
        run: Run,
        metrics: Sequence[Metric],
        params: Mapping[str, str],
        tags: Mapping[str, str],
    ) -> None:
        """Log everything that is not there yet, then set the status.

        The run has no duration: only one moment of it is known.
        """
        from mlflow.entities import Param, RunTag

        tags = cut({**tags, **self._source}, LONGEST_TAG)
        self._client.log_batch(
            run.info.run_id,
            metrics=list(metrics),
            params=[Param(name, value) for name, value in params.items()],
            tags=[RunTag(k, v) for k, v in tags.items() if run.data.tags.get(k) != v],
        )
        self._client.update_run(run.info.run_id, status="FINISHED")


def _can_become(
    run: Run, courses: Mapping[str, object], params: Mapping[str, str], fingerprint: str
) -> bool:
    """Return whether a run is of the same outputs, and no parameter or metric of it is gone."""
    outputs = fingerprint.partition("-")[0]
    return (
        run.data.tags.get(FINGERPRINT, "").partition("-")[0] == outputs
        and run.data.metrics.keys() <= courses.keys()
        and run.data.params.items() <= params.items()
    )


def _has_steps(courses: Mapping[str, Sequence[Point]], logged: Values) -> bool:
    """Return whether all points that a run has are of iterations that are on its courses now."""
    return all(
        values.keys() <= {point.iteration for point in courses[name]}
        for name, values in logged.items()
    )


def _new_points(courses: Mapping[str, Sequence[Point]], logged: Values) -> list[Metric]:
    """Return the points that a run lacks; one whose value changed is of now."""
    from mlflow.entities import Metric

    now = int(time.time() * 1000)
    points: list[Metric] = []
    for name, course in courses.items():
        there = logged.get(name, {})
        for step, value, created_ms in course:
            if there.get(step) != value:
                points.append(Metric(name, value, now if step in there else created_ms, step))
    return points


def clean_names(values: Mapping[str, T]) -> dict[str, T]:
    """Return values under names that MLflow accepts; a name that is taken gets a number."""
    cleaned: dict[str, T] = {}
    for name, value in values.items():
        parts = [part for part in _NOT_IN_NAMES.sub("_", name).split("/") if part.strip(".")]
        candidate = wanted = "/".join(parts)[:_LONGEST_NAME].strip("/") or "_"
        number = 2
        while candidate in cleaned:
            candidate = f"{wanted[: _LONGEST_NAME - 8]}_{number}"
            number += 1
        cleaned[candidate] = value
    return cleaned


def cut(values: Mapping[str, str], longest: int) -> dict[str, str]:
    """Return the values, those that are too long cut with an ellipsis."""
    return {
        name: value if len(value) <= longest else value[: longest - 1] + "…"
        for name, value in values.items()
    }


def log_campaign(database: Database, writer: RunWriter, work: Work, progress: Progress) -> Logged:
    """Write the runs that are not current, and return where all of the campaign are."""
    pending = [submission for submission in work.chosen if not writer.is_current(submission)]
    by_id = {submission.submission_id: submission for submission in work.campaign}
    done = 0
    for batch in batched(pending):
        with database.opened(read_only=True):
            numbers = read_numbers(database, line_of(batch, work.campaign))
            sheets = read_sheets(database, batch, by_id, numbers, read_moves(database, batch))
        for sheet in sheets:
            progress(sheet.submission.submission_id, done, len(pending))
            writer.write(sheet)
            done += 1
    if pending:
        progress(pending[-1].submission_id, done, len(pending))
    return Logged(writer.experiment_id, done, writer.runs)


def batched(submissions: Sequence[Submission]) -> Iterator[list[Submission]]:
    """Yield submissions in pieces that are read at once: some views read all there is each time."""
    piece: list[Submission] = []
    for submission in submissions:
        outputs = sum(member["sentences"] for member in piece) + submission["sentences"]
        if piece and outputs > OUTPUTS_AT_ONCE:
            yield piece
            piece = []
        piece.append(submission)
    if piece:
        yield piece


_LITTLE = 1_000_000


class ScratchError(TrackerError):
    """The folder for temporary files is full, or may not be written."""

    exit_code = 3


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for the files of a run, which goes with the block.

    Raises ScratchError where the block cannot write into it: the store is not to blame for that.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except OSError as error:
        if _is_of_scratch(error):
            raise ScratchError(
                f"temporary files cannot be written: {error.strerror or error}",
                where=os.environ.get("TMPDIR") or "the system's folder for temporary files",
                hint="make room there, or let TMPDIR name a folder that has it; the results are "
                "kept in the database, 'tracker share log' catches up",
            ) from error
        raise


@contextmanager
def run_folder(store: Store, run: Run) -> Iterator[Path]:
    """Lend a folder for files of a run: the run's own where that is here, else they are sent.

    Files that the run has already stay.
    """
    from urllib.request import url2pathname

    own = urlsplit(run.info.artifact_uri)
    if own.scheme == "file" and not own.netloc and not store.is_remote:
        folder = Path(url2pathname(own.path))
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with scratch_folder() as folder:
        yield folder
        store.client.log_artifacts(run.info.run_id, str(folder))


def _is_of_scratch(error: OSError) -> bool:
    """Return whether temporary files are what cannot be written; not every error names its file."""
    try:
        folder = tempfile.gettempdir()
        if error.filename is not None:
            return str(error.filename).startswith(folder)
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:  # there is not one folder for temporary files
        return True
