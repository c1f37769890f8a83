"""Logging a submission into the run that the user has open."""

from __future__ import annotations

import sys
import time
from functools import partial

from ...schema.database import Database
from ...schema.iterations import resolve_submission
from ...schema.progress import silent
from .results import keep_missing, read_moves, read_numbers
from .runs import LONGEST_TAG, clean_names, cut, scratch_folder
from .sheets import read_sheets
from .store import guarded, insert
from .submissions import SUBMISSION_ID, VERDICT, dataset_of, line_of, read_submissions

FOLDER = "sr_tracker"
_TAGS = {
    "campaign": "campaign_id",
    "system": "system_id",
    "treebank": "treebank_id",
    "iteration": "iteration",
    "sha256": "sha256",
}


def log_to_active_run(database: Database, submission_id: str, step: int | None = None) -> bool:
    """Log a submission into the user's active MLflow run; return False where none is active.

    Metrics get the step, else the iteration. Artifacts lie in ``sr_tracker/<submission id>``. The
    run's name, status, experiment and own tags stay as they are. MLflow is not imported: who has
    not imported it has no active run. Raises UnknownNameError for a submission that does not
    exist, TrackingUnavailableError where the store cannot be reached.
    """
    mlflow = sys.modules.get("mlflow")
    run = mlflow.active_run() if mlflow is not None else None
    if mlflow is None or run is None:
        return False
    with database.opened(read_only=True):
        submission_id = resolve_submission(database, submission_id)
        by_id = {row.submission_id: row for row in read_submissions(database)}
    submission = by_id[submission_id]
    keep_missing(database, [submission], silent)
    with database.opened(read_only=True):
        of_line = read_numbers(database, line_of([submission], by_id.values()))
        moves = read_moves(database, [submission])
        (sheet,) = read_sheets(database, [submission], by_id, of_line, moves)
    from mlflow.entities import Metric, RunTag

    metrics = clean_names(sheet.results.numbers.metrics)
    now = int(time.time() * 1000)
    at = submission["iteration"] if step is None else step
    tags = {
        SUBMISSION_ID: submission_id,
        f"{FOLDER}.{VERDICT}": sheet.tags[VERDICT],
        **{
            f"{FOLDER}.{name}": str(submission[column])
            for name, column in _TAGS.items()
            if submission[column] is not None
        },
    }
    run_id = run.info.run_id
    uri = mlflow.get_tracking_uri()
    with guarded(uri), scratch_folder() as folder:
        client = mlflow.MlflowClient()
        client.log_batch(
            run_id,
            metrics=[Metric(name, value, now, at) for name, value in metrics.items()],
            tags=[RunTag(name, value) for name, value in cut(tags, LONGEST_TAG).items()],
        )
        insert(partial(client.log_inputs, run_id, datasets=[dataset_of(submission)]))
        sheet.write(folder)
        client.log_artifacts(run_id, str(folder), f"{FOLDER}/{submission_id}")
    return True
