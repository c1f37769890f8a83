"""Writing the runs of campaigns: one per submission, and one per line of its iterations."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...queries.change.comparison.model import Comparison
from ...queries.metrics.registry import direction
from ...schema.database import Database
from ...schema.progress import Progress
from .current import Work
from .description import Place, describe_lineage
from .results import Moves, read_metrics, read_moves
from .scratch import run_folder
from .sheets import SENTENCES, Metrics, Sheet, read_sheets
from .store import (
    FINGERPRINT,
    KIND,
    LINEAGE_ID,
    SUBMISSION_ID,
    Store,
    clean_names,
    shows,
)
from .submissions import (
    BETTER,
    EXPLORER,
    OUTCOME,
    PARENT_RUN,
    PARENT_SUBMISSION_RUN,
    WORSE,
    Submission,
    dataset_of,
    headlines,
    line_of,
    lineage_fingerprint,
)

if TYPE_CHECKING:
    from mlflow.entities import Metric, Run

NOTE = "mlflow.note.content"
LOGGED_TABLES = "mlflow.loggedArtifacts"
"""By this tag MLflow shows artifacts as tables."""
_SENTENCES_TABLE = {"path": SENTENCES, "type": "table"}
LAST_ITERATION = "sr_tracker.last_iteration"
LINEAGE_TAGS = ("campaign", "team", "system", "system_kind", "treebank", "language", "track")
LONGEST_PARAM, LONGEST_TAG = 6000, 8000
OUTPUTS_AT_ONCE = 200_000


class RunWriter:
    """Writes runs into the experiment of one campaign."""

    def __init__(
        self, store: Store, campaign_id: str, source: Mapping[str, str], explorer: str | None
    ) -> None:
        self._store, self._client = store, store.client
        experiment = store.experiment(campaign_id)
        self._experiment_id = str(experiment.experiment_id)
        self._explorer = store.explorer(experiment, explorer)
        self._runs = store.runs(self._experiment_id)
        self._source = source

    def is_current(self, submission: Submission) -> bool:
        """Return whether a submission's run shows all there is to show."""
        return self._shows((SUBMISSION_ID, submission.submission_id), submission.fingerprint)

    def needs_lineage(self, members: Sequence[Submission]) -> bool:
        """Return whether a lineage's run has to be written: it is there, or due, and not current.

        A single iteration has no run over iterations.
        """
        key = (LINEAGE_ID, members[0].lineage_id)
        due = len(members) > 1 or key in self._runs
        return due and not self._shows(key, lineage_fingerprint(members))

    def _shows(self, key: tuple[str, str], fingerprint: str) -> bool:
        run = self._runs.get(key)
        leads = run is not None and run.data.tags.get(EXPLORER, "") == self._explorer
        return leads and shows(run, fingerprint)

    def write_submission(self, sheet: Sheet) -> None:
        """Write a submission's run, or bring it up to date.

        Metrics that have not changed get no new point. A run cannot take back a parameter or a
        metric: where one changed or is gone, or the outputs are other ones, a new run replaces it.
        """
        from mlflow.entities import Metric

        submission = sheet.submission
        submission_id = submission.submission_id
        metrics = clean_names(dict(sorted(sheet.results.metrics.items(), key=_behind_headlines)))
        params = cut(clean_names(submission.params()), LONGEST_PARAM)
        tags = {
            **clean_names(sheet.tags),
            SUBMISSION_ID: submission_id,
            KIND: "submission",
            **self._relatives(submission),
        }
        run = self._runs.get((SUBMISSION_ID, submission_id))
        if run is not None and not _can_become(run, metrics, params, submission["sha256"]):
            self._client.delete_run(run.info.run_id)
            run = None
        run = self._begin(run, submission_id, tags, submission, submission["created_ms"])
        with run_folder(self._store, run) as folder:
            sheet.write(folder, self._explorer)
        for tag in (WORSE, BETTER, OUTCOME):
            if tag in run.data.tags and tag not in tags:
                self._client.delete_tag(run.info.run_id, tag)
        now = int(time.time() * 1000)
        changed = [
            Metric(metric, value, now, 0)
            for metric, value in metrics.items()
            if run.data.metrics.get(metric) != value
        ]
        new = {param: value for param, value in params.items() if param not in run.data.params}
        tags[NOTE] = sheet.describe(self._place(run))
        shown, ours = json.loads(run.data.tags.get(LOGGED_TABLES, "[]")), _SENTENCES_TABLE
        tags[LOGGED_TABLES] = json.dumps(shown if ours in shown else [*shown, ours])
        tags[FINGERPRINT] = submission.fingerprint
        self._finish(run, changed, new, tags, None)

    def write_lineage(self, members: Sequence[Submission], metrics: Metrics, moves: Moves) -> None:
        """Write a lineage's run: a history of each metric, whose steps are the iterations.

        ``members`` are the submissions of one system for one treebank by iteration, ``metrics``
        their metrics. New iterations are added; where an earlier one has changed, a new run
        replaces the old one, because points of a history cannot be taken back.
        """
        first, last = members[0], members[-1]
        run = self._runs.get((LINEAGE_ID, first.lineage_id))
        logged = -1
        if run is not None:
            logged = int(run.data.tags.get(LAST_ITERATION, -1))
            earlier = [member for member in members if member["iteration"] <= logged]
            if not shows(run, lineage_fingerprint(earlier)):
                self._client.delete_run(run.info.run_id)
                run, logged = None, -1
        own = last.tags({})
        tags = {
            **{name: own[name] for name in LINEAGE_TAGS if name in own},
            LINEAGE_ID: first.lineage_id,
            KIND: "lineage",
        }
        times = [member["created_ms"] for member in members]
        name = f"{first.lineage_id}: all iterations"
        run = self._begin(run, name, tags, first, min(times))
        points = [point for point in _points(members, metrics) if point.step > logged]
        tags[NOTE] = describe_lineage(members, metrics, moves, self._place(run))
        tags[FINGERPRINT] = lineage_fingerprint(members)
        tags[LAST_ITERATION] = str(last["iteration"])
        self._finish(run, points, {}, tags, max(run.info.start_time, *times))

    def _place(self, run: Run) -> Place:
        return Place(self._experiment_id, run.info.run_id, self._explorer)

    def _relatives(self, submission: Submission) -> dict[str, str]:
        """Return the tags that name the runs which a submission's is nested in and comes from."""
        related = {
            PARENT_RUN: self._runs.get((LINEAGE_ID, submission.lineage_id)),
            PARENT_SUBMISSION_RUN: self._runs.get(
                (SUBMISSION_ID, str(submission["base_submission_id"]))
            ),
        }
        return {tag: run.info.run_id for tag, run in related.items() if run is not None}

    def link(self, members: Sequence[Submission]) -> None:
        """Nest the runs of a lineage's submissions in its run, and name each one's parent's run.

        Tags that say so already are left alone, so that linking again costs nothing.
        """
        for member in members:
            run = self._runs.get((SUBMISSION_ID, member.submission_id))
            for tag, target in self._relatives(member).items():
                if run is not None and run.data.tags.get(tag) != target:
                    self._client.set_tag(run.info.run_id, tag, target)

    def _begin(
        self, run: Run | None, name: str, tags: Mapping[str, str], first: Submission, start: int
    ) -> Run:
        """Return the run, made where there is none, its status saying that it is being written.

        MLflow cannot move the start of a run that is there.
        """
        if run is not None:
            self._client.update_run(run.info.run_id, status="RUNNING", name=name)
        else:
            run = self._client.create_run(
                self._experiment_id,
                start_time=max(0, start),
                tags=cut({**tags, **self._source}, LONGEST_TAG),
                run_name=name,
            )
        kind = SUBMISSION_ID if SUBMISSION_ID in tags else LINEAGE_ID
        self._runs[kind, tags[kind]] = run
        self._client.log_inputs(run.info.run_id, datasets=[dataset_of(first)])
        return run

    def _finish(
        self,
        run: Run,
        metrics: Sequence[Metric],
        params: Mapping[str, str],
        tags: Mapping[str, str],
        end: int | None,
    ) -> None:
        """Log everything that is not there yet, then set the status.

        Without an ``end`` the run has no duration: only one moment of it is known.
        """
        from mlflow.entities import Param, RunTag

        explorer = {EXPLORER: self._explorer} if self._explorer else {}
        tags = cut({**tags, **self._source, **explorer}, LONGEST_TAG)
        self._client.log_batch(
            run.info.run_id,
            metrics=list(metrics),
            params=[Param(name, value) for name, value in params.items()],
            tags=[RunTag(k, v) for k, v in tags.items() if run.data.tags.get(k) != v],
        )
        if end is None:
            self._client.update_run(run.info.run_id, status="FINISHED")
        else:
            self._client.set_terminated(run.info.run_id, end_time=end)


def _can_become(
    run: Run, metrics: Mapping[str, float], params: Mapping[str, str], sha256: str
) -> bool:
    return (
        run.data.tags.get("sha256") == sha256
        and run.data.metrics.keys() <= metrics.keys()
        and run.data.params.items() <= params.items()
    )


def _behind_headlines(metric: tuple[str, float]) -> bool:
    """Return whether a metric is no headline: MLflow lists what was logged first before others."""
    return metric[0] not in headlines()


def _points(members: Sequence[Submission], metrics: Metrics) -> list[Metric]:
    """Return the values of each iteration, and those of headlines that were the best so far."""
    from mlflow.entities import Metric

    points: list[Metric] = []
    best: dict[str, float] = {}
    for member in members:
        at, step = max(0, member["created_ms"]), member["iteration"]
        values = clean_names(metrics.get(member.submission_id, {}))
        points += [
            Metric(name, value, at, step)
            for name, value in sorted(values.items(), key=_behind_headlines)
        ]
        for name in headlines():
            value = values.get(name)
            sign = direction(name)
            if value is not None and (name not in best or sign * value > sign * best[name]):
                best[name] = value
                points.append(Metric(f"best/{name}", value, at, step))
    return points


def cut(values: Mapping[str, str], longest: int) -> dict[str, str]:
    """Return the values, those that are too long cut with an ellipsis."""
    return {
        name: value if len(value) <= longest else value[: longest - 1] + "…"
        for name, value in values.items()
    }


def log_campaign(
    database: Database, writer: RunWriter, work: Work, progress: Progress
) -> tuple[int, int]:
    """Write the runs that are not current; return how many, of submissions and of lineages.

    Those of lineages come first, so that those of submissions are nested in them from the start.
    What the first batch shows is read along with them: to open a file takes a while.
    """
    pending = [submission for submission in work.chosen if not writer.is_current(submission)]
    lineages = [members for members in work.lineages() if writer.needs_lineage(members)]
    touched = [*pending, *(members[0] for members in lineages)]
    by_id = {submission.submission_id: submission for submission in work.campaign}
    batches = list(batched(pending))
    metrics: Metrics = {}
    moves: dict[str, Comparison] = {}
    with database.opened(read_only=True):
        if touched:
            metrics = read_metrics(database, line_of(touched, work.campaign))
        moving = {member.submission_id: member for members in lineages for member in members}
        moving |= {submission.submission_id: submission for submission in pending}
        for batch in batched([*moving.values()]):
            moves.update(read_moves(database, batch))
        sheets = read_sheets(database, batches[0], by_id, metrics, moves) if batches else []
    for number, members in enumerate(lineages, start=1):
        writer.write_lineage(members, metrics, moves)
        progress(f"{members[0].lineage_id} over iterations", number, len(lineages))
    done = 0
    for batch in batches:
        if done:
            with database.opened(read_only=True):
                sheets = read_sheets(database, batch, by_id, metrics, moves)
        for sheet in sheets:
            progress(sheet.submission.submission_id, done, len(pending))
            writer.write_submission(sheet)
            done += 1
    if pending:
        progress(pending[-1].submission_id, done, len(pending))
    for members in work.lineages():
        writer.link(members)
    return len(pending), len(lineages)


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
