"""Model runs: loading them, submitting outputs with all that follows, and logs of other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_values
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypedDict, Unpack

from ...schema.brief import Brief
from ...schema.errors import InputError
from ...schema.parameters import (
    Campaign,
    Documents,
    EachFile,
    Language,
    Log,
    OneFile,
    Option,
    Replace,
    Sources,
    Submission,
    TrackingUri,
    Treebank,
    parse_moment,
)
from ...schema.progress import Progress, silent
from ..webhook import Webhook, tell_submission
from .external import store_scores
from .methods import Files, base_named, files_of

if TYPE_CHECKING:
    from ...ingest.campaigns.runs import Run
    from ...ingest.outputs.submissions import Submitted
    from ..submit import SubmitReport
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
        str | None, Option("Column with sentence ids (CSV, TSV, JSONL, JSON, Parquet).")
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


def _run(campaign: str, system: str, treebank: str, **values: Any) -> Run:
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

    details = _run(campaign, system, treebank, **run)
    return ingest_submission(
        tracker.database, Path(path), details, tracker.analyser_of, replace=replace
    )


def submit(
    tracker: Tracker,
    outputs: Annotated[
        Path | Sequence[Path] | Any, Option(metavar="OUTPUTS...", required=True, path="file")
    ],
    *,
    system: Generator,
    references: Annotated[
        Files,
        Option(
            "Reference sentences, one a line or with ids; repeated, others of the same sentences.",
            metavar="FILE",
            path="file",
        ),
    ] = (),
    treebank: Annotated[
        Treebank | None,
        Option(
            "Instead of --references: what is loaded; else what the system has outputs for.",
        ),
    ] = None,
    sources: Sources = None,
    documents: Documents = None,
    language: Annotated[Language | None, Option("Language code of --references.")] = None,
    campaign: Campaign = "local",
    iteration: Annotated[
        int | None, Option("Iteration; else the system's next one.", low=1)
    ] = None,
    parent: Annotated[
        Submission | None,
        Option(
            "Submission, or SYSTEM@N, that this one was developed from; else the latest before."
        ),
    ] = None,
    base: Annotated[
        Submission | None,
        Option(
            "Compare with this submission instead of the parent.", flag="--base", short="--against"
        ),
    ] = None,
    params: Params = None,
    tags: Tags = None,
    replace: Annotated[Replace, Option("Replace other content of --iteration.")] = False,
    analyse: Annotated[
        bool, Option("Mine and correlate errors.", flag="--analyse/--no-analyse")
    ] = True,
    log: Log = True,
    tracking_uri: TrackingUri = None,
    webhook: Webhook = None,
    step: int | None = None,
    against: str | None = None,
    tell: Callable[[SubmitReport], None] | None = None,
    progress: Progress = silent,
    **run: Unpack[Submitting],
) -> SubmitReport:
    """Load, score and analyse a file of OUTPUTS, log it, and show what changed.

    Several files are trials of one iteration: seeds, or samples at a temperature. Scores are then
    means over them, and tests know how much trials vary.

    What they are compared with is a file of reference sentences, or a treebank that is loaded,
    which also says on which dependency relations and subtrees. The same references are the same
    test set; the next outputs of the system need not name them.

    New content becomes the system's next iteration on it, and is compared with its parent: scores
    overall, and the dependency relations and subtree patterns that moved most. 'tracker compare'
    shows more. The same content again makes no new iteration.

    Returns what changed. ``outputs`` is a list of texts in the treebank's order, a dictionary by
    sent_id, a data frame, or the path of a file; a list of these is of several trials, as is a
    dictionary or a table with a list of texts for each sentence. ``tell`` gets the report before it
    is logged. Inside an active MLflow run, that run gets the scores, at ``step``. What could not be
    sent to ``webhook`` is a note. ``run`` may give any other field of
    ``ingest.campaigns.runs.Run``; see ``tracker.submit``.

    >>> report = db.submit(
    ...     "SAMPLE25/submissions/ngram/en_sample-3.txt",
    ...     system="ours",
    ...     treebank="en_sample-ud1.0-test",
    ...     campaign="SAMPLE25",
    ...     base="ngram@1",
    ...     params={"beam": 5},
    ...     log=False,
    ... )
    >>> round(report.comparison.metrics[0].difference, 3)
    0.033
    """
    from ...ingest.treebanks.references import ReferenceFiles
    from ..submit import submit

    reference_files = None
    if references:
        paths = files_of(references)
        source_file, document_file = (
            None if path is None else Path(path) for path in (sources, documents)
        )
        reference_files = ReferenceFiles(paths, language, source_file, document_file)
    if references and treebank:
        raise InputError(
            "--references and --treebank exclude each other",
            hint="name what the outputs are to be compared with",
        )
    if not references and (sources or documents or language):
        raise InputError(
            "sources, documents and language belong to --references",
            hint="'tracker ingest' loads them with a treebank",
        )
    details = _run(
        campaign,
        system,
        treebank or "",
        iteration=iteration,
        parent_submission_id=parent,
        params=params,
        tags=tags,
        **run,
    )
    report = submit(
        tracker.database,
        outputs,
        details,
        tracker.analyser_of,
        references=reference_files,
        base=base_named(base, against),
        replace_content=replace,
        analyse=analyse,
        log=log,
        tracking_uri=tracking_uri,
        step=step,
        tell=tell or (lambda _: None),
        progress=progress,
    )
    note = tell_submission(webhook, report)
    return with_values(report, notes=(*report.notes, note)) if note else report


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
