"""Writing runs: one per submission, and one per system and treebank over its iterations."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.tracker.experiments.description import BETTER, WORSE
from sr_tracker.tracker.experiments.picture import relations_picture
from sr_tracker.tracker.experiments.store import (
    FINGERPRINT,
    KIND,
    LINEAGE_ID,
    SUBMISSION_ID,
    Store,
    clean_names,
    scratch_folder,
    shows,
)
from sr_tracker.tracker.experiments.submissions import LAYOUT, Results, Submission, hash_of

if TYPE_CHECKING:
    from mlflow.entities import DatasetInput, Metric, Run

PARENT_RUN = "mlflow.parentRunId"
"""By this tag MLflow's table of runs nests one run in another."""
NOTE = "mlflow.note.content"
OUTPUTS, RECORD = "tables/outputs.parquet", "submission/submission.json"
"""Artifacts by which a submission can be loaded again."""
PARENT_SUBMISSION_RUN = "sr_tracker.parent_run_id"
LAST_ITERATION = "sr_tracker.last_iteration"
LINEAGE_TAGS = ("campaign", "team", "system", "system_kind", "treebank", "language", "track")
LONGEST_PARAM, LONGEST_TAG, _LONGEST_DIGEST = 6000, 8000, 36


class RunWriter:
    """Writes runs into the experiment of one campaign."""

    def __init__(self, store: Store, campaign_id: str, source: Mapping[str, str]) -> None:
        self._client = store.client
        self._experiment_id = store.experiment(campaign_id)
        self._runs = store.runs(self._experiment_id)
        self._source = source

    def is_current(self, submission: Submission) -> bool:
        """Return whether a submission's run shows all there is to show."""
        run = self._runs.get((SUBMISSION_ID, submission.submission_id))
        return shows(run, submission.fingerprint)

    def is_current_lineage(self, members: Sequence[Submission]) -> bool:
        """Return whether a lineage's run shows all of its iterations as they are."""
        run = self._runs.get((LINEAGE_ID, members[0].lineage_id))
        return shows(run, _lineage_fingerprint(members))

    def write_submission(
        self, submission: Submission, results: Results, more_tags: Mapping[str, str]
    ) -> None:
        """Write a submission's run, or bring it up to date.

        ``more_tags`` are tags that the submission does not have of itself, such as its note.
        Metrics that have not changed get no new point. A run cannot take back a parameter or a
        metric: where one changed or is gone, or the outputs are other ones, a new run replaces it.
        """
        from mlflow.entities import Metric

        submission_id = submission.submission_id
        metrics = clean_names(results.metrics.get(submission_id, {}))
        params = cut(clean_names(submission.params()), LONGEST_PARAM)
        tags = {
            **clean_names(submission.tags(results.signatures.get(submission_id, {}))),
            SUBMISSION_ID: submission_id,
            KIND: "submission",
            **more_tags,
        }
        run = self._runs.get((SUBMISSION_ID, submission_id))
        if run is not None and not _can_become(run, metrics, params, submission["sha256"]):
            self._client.delete_run(run.info.run_id)
            run = None
        name = f"{submission['system_id']}@{submission['iteration']:02}/{submission['treebank_id']}"
        run = self._begin(run, name, tags, submission, submission["created_ms"])
        with scratch_folder() as folder:
            write_artifacts(folder, submission, results.tables_of(submission_id))
            self._client.log_artifacts(run.info.run_id, str(folder))
        for tag in (WORSE, BETTER):
            if tag in run.data.tags and tag not in tags:
                self._client.delete_tag(run.info.run_id, tag)
        now = int(time.time() * 1000)
        changed = [
            Metric(metric, value, now, 0)
            for metric, value in metrics.items()
            if run.data.metrics.get(metric) != value
        ]
        new = {param: value for param, value in params.items() if param not in run.data.params}
        tags[FINGERPRINT] = submission.fingerprint
        self._finish(run, changed, new, tags, run.info.start_time)

    def write_lineage(
        self,
        members: Sequence[Submission],
        metrics: Mapping[str, Mapping[str, float]],
        note: str,
    ) -> None:
        """Write a lineage's run: a history of each metric, whose steps are the iterations.

        ``members`` are the submissions of one system for one treebank by iteration, ``metrics``
        their metrics. New iterations are added; where an earlier one has changed, a new run
        replaces the old one, because points of a history cannot be taken back.
        """
        from mlflow.entities import Metric

        first, last = members[0], members[-1]
        run = self._runs.get((LINEAGE_ID, first.lineage_id))
        logged = -1
        if run is not None:
            logged = int(run.data.tags.get(LAST_ITERATION, -1))
            earlier = [member for member in members if member["iteration"] <= logged]
            if not shows(run, _lineage_fingerprint(earlier)):
                self._client.delete_run(run.info.run_id)
                run, logged = None, -1
        own = last.tags({})
        tags = {
            **{name: own[name] for name in LINEAGE_TAGS if name in own},
            LINEAGE_ID: first.lineage_id,
            KIND: "lineage",
            NOTE: note,
        }
        name = f"{first['system_id']}/{first['treebank_id']}"
        times = [member["created_ms"] for member in members]
        run = self._begin(run, name, tags, first, min(times))
        points = [
            Metric(metric, value, max(0, member["created_ms"]), member["iteration"])
            for member in members
            if member["iteration"] > logged
            for metric, value in clean_names(metrics.get(member.submission_id, {})).items()
        ]
        tags[FINGERPRINT] = _lineage_fingerprint(members)
        tags[LAST_ITERATION] = str(last["iteration"])
        self._finish(run, points, {}, tags, max(run.info.start_time, *times))

    def link(self, members: Sequence[Submission]) -> None:
        """Nest the runs of a lineage's submissions in its run, and name each one's parent's run.

        Tags that say so already are left alone, so that linking again costs nothing.
        """
        lineage = self._runs.get((LINEAGE_ID, members[0].lineage_id))
        for member in members:
            run = self._runs.get((SUBMISSION_ID, member.submission_id))
            parent = self._runs.get((SUBMISSION_ID, str(member["base_submission_id"])))
            wanted = {PARENT_RUN: lineage, PARENT_SUBMISSION_RUN: parent}
            for tag, target in wanted.items():
                if run and target and run.data.tags.get(tag) != target.info.run_id:
                    self._client.set_tag(run.info.run_id, tag, target.info.run_id)

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
        end: int,
    ) -> None:
        """Log everything that is not there yet, then set the status."""
        from mlflow.entities import Param, RunTag

        tags = cut({**tags, **self._source}, LONGEST_TAG)
        self._client.log_batch(
            run.info.run_id,
            metrics=list(metrics),
            params=[Param(name, value) for name, value in params.items()],
            tags=[RunTag(k, v) for k, v in tags.items() if run.data.tags.get(k) != v],
        )
        self._client.set_terminated(run.info.run_id, end_time=end)


def source_tags() -> dict[str, str]:
    """Return what logged the runs: the tracker's version and the git commit of the folder."""
    tags = {
        "sr_tracker.version": TOOL_VERSION,
        "mlflow.source.name": "sr-tracker",
        "mlflow.source.type": "LOCAL",
    }
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--verify", "HEAD"],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return tags
    commit = found.stdout.strip()
    return {**tags, "git_commit": commit, "mlflow.source.git.commit": commit}


def _can_become(
    run: Run, metrics: Mapping[str, float], params: Mapping[str, str], sha256: str
) -> bool:
    return (
        run.data.tags.get("sha256") == sha256
        and run.data.metrics.keys() <= metrics.keys()
        and run.data.params.items() <= params.items()
    )


def _lineage_fingerprint(members: Sequence[Submission]) -> str:
    return hash_of([LAYOUT, *((member["iteration"], member.fingerprint) for member in members)])


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


def write_artifacts(folder: Path, submission: Submission, tables: Mapping[str, pa.Table]) -> None:
    """Write a submission's record, tables and chart into a folder."""
    record = folder / RECORD
    record.parent.mkdir()
    text = json.dumps(submission.record(), ensure_ascii=False, indent=1)
    record.write_text(f"{text}\n", encoding="utf-8")
    (folder / "tables").mkdir()
    for name, table in tables.items():
        pq.write_table(table, folder / "tables" / f"{name}.parquet", compression="zstd")
    relations = tables["dea_by_relation"]
    if relations.num_rows:
        (folder / "charts").mkdir()
        chart = relations_picture(relations, submission.submission_id)
        (folder / "charts" / "dea_by_relation.svg").write_text(chart, encoding="utf-8")


def cut(values: Mapping[str, str], longest: int) -> dict[str, str]:
    """Return the values, those that are too long cut with an ellipsis."""
    return {
        name: value if len(value) <= longest else value[: longest - 1] + "…"
        for name, value in values.items()
    }
