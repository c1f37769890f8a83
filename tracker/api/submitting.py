"""Model runs: loading them, submitting outputs with all that follows, and logs of other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypedDict, Unpack

from ...schema.brief import Brief
from ...schema.parameters import (
    Campaign,
    EachFile,
    Language,
    OneFile,
    Option,
    Replace,
    Submission,
    Treebank,
    parse_moment,
)
from .external import store_scores

if TYPE_CHECKING:
    from ...ingest.campaigns.runs import Run
    from ...ingest.outputs.submissions import Submitted
    from .tracker import Tracker


Generator: TypeAlias = Annotated[str, Option("System that generated the outputs.", names="system")]
GeneratedFor: TypeAlias = Annotated[
    Treebank, Option("Treebank that the outputs were generated for.")
]
Params: TypeAlias = Annotated[
    Mapping[str, Any] | None, Option("Parameter of the run.", flag="--param", short="-p")
]
Tags: TypeAlias = Annotated[
    Mapping[str, Any] | None, Option("Label of the run.", flag="--tag", short="-t")
]


class Submitting(TypedDict, total=False):
    """What may be said of any model run besides its names; see ingest.campaigns.runs.Run."""

    track: Annotated[str, Option("Track of the campaign.", default="shallow")]
    created_at: Annotated[
        str | datetime | None,
        Option(
            "Date of the run: 2020-06-12, 2020-06-12T15:30 (UTC), 2020-06-12T15:30+02:00.",
            metavar="DATE",
        ),
    ]
    reference_form: Annotated[
        Literal["auto", "text", "tokens"] | None,
        Option(
            "Compare with the raw text or with tokens joined by blanks; auto: the form that "
            "the file clearly resembles, else that of the run before.",
            default="auto",
        ),
    ]
    id_column: Annotated[
        str | None,
        Option("Column with sentence ids (CSV, TSV, JSONL, JSON, Parquet), of references, too."),
    ]
    text_column: Annotated[
        str | None, Option("Column with outputs (CSV, TSV, JSONL, JSON, Parquet).")
    ]
    accept_mismatch: Annotated[
        bool, Option("Load outputs even where they are unlike the references.")
    ]


class Loading(Submitting, total=False):
    """What may be said of a model run that is loaded from a file."""

    iteration: Annotated[int | None, Option("Iteration of the system, from 1.", low=1)]
    next_iteration: bool
    parent_submission_id: Annotated[
        Submission | None, Option("Submission that this one was developed from.", flag="--parent")
    ]
    params: Params
    tags: Tags


def run_of(campaign: str, system: str, treebank: str, **values: Any) -> Run:
    """Return a run, with its date as a moment, and None for what is found out by itself."""
    from ...ingest.campaigns.runs import Run

    if isinstance(values.get("created_at"), str):
        values["created_at"] = parse_moment(values["created_at"], end_of_day=False)
    if values.get("reference_form") == "auto":
        values["reference_form"] = None
    for name in ("params", "tags"):
        values[name] = values.get(name) or {}
    return Run(campaign, system, treebank, **values)


def ingest_submission(
    tracker: Tracker,
    path: OneFile,
    *,
    system: Generator,
    treebank: GeneratedFor,
    campaign: Campaign = "local",
    replace: Replace = False,
    **run: Unpack[Loading],
) -> Submitted:
    """Load a FILE of outputs: one model run.

    Formats: shared-task text ('# sent_id = …', '# text = …'), one output a line, CoNLL-U,
    CSV, TSV, JSONL, Parquet.

    Returns what became of it. ``run`` may give any field of ``ingest.campaigns.runs.Run``, such as
    iteration and params.

    >>> path = "SAMPLE24/submissions/ngram/en_sample-1.txt"
    >>> run = db.ingest_submission(path, system="ours", treebank="en_sample-ud1.0-test")
    >>> run.submission_id
    'local/ours/en_sample-ud1.0-test'
    """
    from ...ingest.outputs.submissions import ingest_submission

    details = run_of(campaign, system, treebank, **run)
    return ingest_submission(
        tracker.database, Path(path), details, tracker.analyser_of, replace=replace
    )


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
