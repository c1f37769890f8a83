"""Evaluation logs of other tools: a test set, a model's outputs and the tool's own scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict, Unpack

from ...schema.brief import Brief
from ...schema.parameters import Campaign, EachFile, Language, Option, Replace
from .external import store_scores

if TYPE_CHECKING:
    from .tracker import Tracker


class OfLog(TypedDict, total=False):
    """What may be said of a log; see ingest.logs.samples.Chosen."""

    filter_name: Annotated[
        str | None,
        Option("lm-evaluation-harness: the filter whose responses are loaded.", flag="--filter"),
    ]
    id_column: Annotated[str | None, Option("Tables: the column with ids of samples.")]
    text_column: Annotated[
        str | None, Option("Tables: the column with outputs, or a path such as resps.0.")
    ]
    reference_column: Annotated[str | None, Option("Tables: the column with what is right.")]
    score_columns: Annotated[
        Sequence[str], Option("Tables: a column with scores of a metric.", flag="--score-column")
    ]


@dataclass(frozen=True, repr=False)
class LogReport(Brief):
    """What became of a log."""

    submission_id: str
    new: bool
    """Whether its outputs were not loaded before."""
    samples: int
    missing: int
    """Samples without an output."""
    metrics: Sequence[str]
    """The tool's own metrics, as columns call them."""
    chosen: str | None
    """The metric that verdicts of the campaign rest on from now on; None where one was chosen."""
    notes: Sequence[str] = ()


def ingest_log(
    tracker: Tracker,
    path: EachFile,
    *,
    system: Annotated[
        str | None, Option("System that generated the outputs; else the model.", names="system")
    ] = None,
    campaign: Annotated[Campaign | None, Option("Campaign; else the task.")] = None,
    language: Annotated[Language | None, Option("Language code of the references.")] = None,
    replace: Replace = False,
    **of_log: Unpack[OfLog],
) -> LogReport:
    """Load evaluation logs (FILES): each is a model's outputs for the test set of its task.

    \b
    samples_*.jsonl   lm-evaluation-harness, with results_*.json beside it
    .json, .eval      Inspect
    *_samples.jsonl   Every Eval Ever, with the aggregate .json beside it
    .json             a table of MLflow's evaluation
    .jsonl, .parquet  any table with outputs and references

    The tool's scores become metrics, and the first of them the one that verdicts rest on, unless
    another was chosen ('tracker keep primary'). Model, prompt and settings become parameters of
    the run. 'tracker compare' then says which of two is better, and in which samples.

    Returns what became of it. Raises InputError (file:line) for a broken log; nothing is stored.

    >>> db.ingest_log("answers.jsonl", system="small", campaign="quiz").submission_id
    'quiz/small/answers'
    """  # noqa: D301
    from ...ingest.logs import Chosen, read_log
    from ...ingest.logs.loading import load_log
    from ...ingest.scores import ScoreFile
    from ...queries.change.comparison.verdict import choose_metrics, chosen_metrics

    log = read_log(Path(path), Chosen(**of_log))
    database = tracker.database
    with database.transaction():
        loaded = load_log(
            database,
            log,
            tracker.analyser_of,
            campaign=campaign,
            system=system,
            language=language,
            replace=replace,
        )
        submission_id = loaded.submitted.submission_id
        (stored, *_) = [
            store_scores(tracker, scores, ScoreFile(submission_id=name), replace=True)
            for name, scores in loaded.scores.items()
        ]
        metrics = [scores.metric for scores in stored]
        of_campaign = submission_id.partition("/")[0]
        chosen = None
        if metrics and not chosen_metrics(database, of_campaign).num_rows:
            chosen = metrics[0]
            choose_metrics(database, [chosen], of_campaign)
    return LogReport(
        submission_id=submission_id,
        new=loaded.submitted.changed,
        samples=loaded.submitted.sentences,
        missing=loaded.submitted.missing,
        metrics=metrics,
        chosen=chosen,
        notes=loaded.notes,
    )
