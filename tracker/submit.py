"""Submitting outputs: loaded, scored, analysed, logged, and compared with where they came from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_values
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from ..queries.reading import read_about
from ..schema.brief import Brief, listed
from ..schema.database import Database
from ..schema.errors import DatabaseBusyError, InputError, TrackerError
from ..schema.iterations import resolve_parent, select_submissions
from ..schema.parameters import (
    Campaign,
    Documents,
    Language,
    Log,
    Option,
    Replace,
    Sources,
    Submission,
    TrackingUri,
    Treebank,
)
from ..schema.progress import Progress, silent
from ..schema.statements import read_rows
from ..schema.themes import members
from .api.methods import base_named, files_of
from .api.submitting import Generator, Params, Submitting, Tags, run_of
from .webhook import Webhook, tell_submission

if TYPE_CHECKING:
    from ..ingest.campaigns.runs import Run
    from ..ingest.treebanks.references import ReferenceFiles, References
    from ..queries.change.comparison.model import Comparison
    from .api.tracker import Tracker
    from .experiments import LogReport


@dataclass(frozen=True, repr=False)
class SubmitReport(Brief):
    """What became of outputs, and what changed against their parent."""

    submission_id: str
    new: bool
    """Whether the outputs were not loaded before."""
    sentences: int
    missing: int
    """Sentences without an output."""
    reference_form: str
    """What outputs are compared with: text or tokens."""
    scores: Mapping[str, float | None]
    """The submission's score by every metric; None where undefined."""
    comparison: Comparison | None
    """What changed in metrics, relations and patterns; None where nothing is new, where there is
    nothing to compare with, or it must not be compared."""
    logged_to: str | None
    """The MLflow store, or 'the active run'; None where nothing was logged."""
    logged: LogReport | None = None
    """Where its run is; None where it is the active one, or nothing was logged."""
    notes: tuple[str, ...] = ()
    """What the reader should know, such as why something was not done."""
    has_words: bool = True
    """Whether the references have words and trees; else metrics of these are undefined."""
    trials: int = 1
    """How many trials it has: seeds, or samples; scores are the means over them."""


ACTIVE_RUN = "the active run"


def submit(
    tracker: Tracker,
    outputs: Annotated[
        Path | Sequence[Path] | Any, Option(metavar="OUTPUTS...", required=True, path="file")
    ],
    *,
    system: Generator,
    references: Annotated[
        Path | Sequence[Path] | Any,
        Option(
            "Reference sentences, one a line or with ids; repeated, others of the same sentences.",
            metavar="FILE",
            path="file",
        ),
    ] = (),
    treebank: Annotated[
        Treebank | None,
        Option(
            "Instead of --references: what is loaded.",
            default="what the system has outputs for, or the only one that is loaded",
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

    Outputs are compared with a file of reference sentences, or with a loaded treebank, which also
    shows on which dependency relations and subtrees they changed. The same references are the same
    test set; the next outputs of the system need not name them, nor those of another one where no
    other test set is loaded.

    New content becomes the system's next iteration on it, and is compared with its parent: scores
    overall, and the dependency relations and subtree patterns that moved most. 'tracker compare'
    shows more. The same content again makes no new iteration.

    Returns what changed. ``outputs`` is a list of texts in the treebank's order, a dictionary by
    sent_id, a data frame, or the path of a file; a list of these is of several trials, as is a
    dictionary or a table with a list of texts for each sentence. ``references`` are paths, or held
    in the same ways; lists are several references of a sentence then. ``tell`` gets the report as
    soon as the verdict stands, and again with patterns, before it is logged. Inside an active
    MLflow run, that run gets the scores, at ``step``. What could not be compared, logged or sent to
    ``webhook`` is a note. ``run`` may give any other field of ``ingest.campaigns.runs.Run``.

    The file is held neither while outputs are read nor while MLflow is at work. Raises InputError
    for outputs that cannot be loaded, UnknownNameError for names that do not exist; nothing is
    stored then.

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
    from ..ingest.outputs.in_memory import outputs_in_memory
    from ..ingest.outputs.reading import read_outputs
    from ..ingest.outputs.submissions import load_references, store_outputs
    from ..ingest.treebanks.references import read_references
    from ..queries.errors import Settings, analyses
    from ..queries.errors.jobs import run_analyses
    from ..queries.metrics.scoring import score
    from ..queries.metrics.signatures import notes_on

    database = tracker.database
    reference_files = _reference_files(
        references, treebank, sources, documents, language, run.get("id_column")
    )
    details = run_of(
        campaign,
        system,
        treebank or "",
        iteration=iteration,
        parent_submission_id=parent,
        params=params,
        tags=tags,
        **run,
    )
    base = base_named(base, against)
    tell = tell or (lambda _: None)
    if replace and iteration is None:
        raise InputError("the iteration to replace is not named", hint="give its --iteration")
    if isinstance(outputs, str | Path):
        file = read_outputs(Path(outputs), **details.columns)
    else:
        file = outputs_in_memory(outputs, **details.columns)
    test_set = None if reference_files is None else read_references(reference_files)
    with database.opened(read_only=False):
        with database.transaction():
            details = _with_test_set(database, details, test_set, reference_files)
            loaded = load_references(database, details.treebank_id)
            parent = _resolved(database, parent, details)
            named = _resolved(database, base, details)
            details = with_values(details, parent_submission_id=parent, next_iteration=True)
            submitted = store_outputs(
                database, file, details, loaded, tracker.analyser_of, replace=replace
            )
        submission_id = submitted.submission_id
        (stored_run,) = read_rows(database, "submitted_run", submission=submission_id)
        stored = stored_run["parent"]
        notes = [*submitted.warnings]
        if parent is not None and stored != parent:
            notes.append(f"loaded before: its parent stays {stored or 'none'}, not {parent}")
        base = named or parent or stored
        if base == submission_id:
            base = None
        if base is not None and named is None and not submitted.changed:
            hint = f"'tracker compare {submission_id} {base}' tells what changed"
            notes.append(f"not compared again: {hint}")
            base = None
        if submitted.reference_form == "text":
            from .show.languages import unnamed_without_blanks, without_blanks

            code = stored_run["language"]
            notes += without_blanks([code]) if code else unnamed_without_blanks(loaded.texts)
        both = [submission_id, *([base] if base else [])]
        # All outputs lose their scores where their language becomes known.
        of_set = select_submissions(database, {"treebank": details.treebank_id}) if language else []
        scored = list(dict.fromkeys([*both, *of_set]))
        notes += notes_on(score(database, submissions=scored, progress=progress).beside)
        for score_pending in members("queries", "metrics", "score_pending"):
            score_pending(database, both, progress=progress)
        comparison = _compared(database, submission_id, base, notes) if base else None
        if comparison is not None and not stored_run["has_words"]:
            from ..queries.change.comparison.comparing import compare_ngrams

            comparison = compare_ngrams(database, comparison)
        scores = read_about(database, "submission_metrics", [submission_id]).sort_by("metric")
        report = SubmitReport(
            submission_id=submission_id,
            new=submitted.changed,
            sentences=submitted.sentences,
            missing=submitted.missing,
            reference_form=submitted.reference_form,
            scores={row["metric"]: row["score"] for row in scores.to_pylist()},
            comparison=comparison,
            logged_to=None,
            notes=tuple(notes),
            has_words=stored_run["has_words"],
            trials=submitted.trials,
        )
        tell(report)
        if analyse:
            run_analyses(database, analyses(Settings()), submissions=both, progress=progress)
        if comparison is not None:
            from ..queries.change.comparison.comparing import compare_patterns

            report = with_values(report, comparison=compare_patterns(database, comparison))
            tell(report)
    if log:
        report = _logged(database, report, tracking_uri, step, progress)
    note = tell_submission(webhook, report)
    return with_values(report, notes=(*report.notes, note)) if note else report


def _reference_files(
    references: Any,
    treebank: str | None,
    sources: Path | str | None,
    documents: Path | str | None,
    language: str | None,
    id_column: str | None,
) -> ReferenceFiles | None:
    """Return what outputs are compared with, where that is files. Raises InputError for both."""
    from ..ingest.treebanks.references import ReferenceFiles, are_texts

    reference_files = None
    texts = references if are_texts(references) else None
    is_named = texts is not None or bool(references)
    if is_named:
        paths = [] if texts is not None else files_of(references)
        source_file, document_file = (
            None if path is None else Path(path) for path in (sources, documents)
        )
        reference_files = ReferenceFiles(
            paths, texts, language, source_file, document_file, id_column
        )
    if is_named and treebank:
        raise InputError(
            "--references and --treebank exclude each other",
            hint="name what the outputs are to be compared with",
        )
    if not is_named and (sources or documents or language):
        raise InputError(
            "sources, documents and language belong to --references",
            hint="'tracker ingest' loads them with a treebank",
        )
    return reference_files


def _with_test_set(
    database: Database, run: Run, test_set: References | None, files: ReferenceFiles | None
) -> Run:
    """Return a run with the id of what its outputs are for."""
    from ..ingest.outputs.submissions import with_treebank
    from ..ingest.treebanks.references import store_references
    from ..ingest.treebanks.sources import ingest_sources

    if test_set is not None and files is not None:
        treebank_id = store_references(database, test_set, run.campaign_id)
        ingest_sources(database, treebank_id, sources=files.sources, documents=files.documents)
        return with_values(run, treebank_id=treebank_id)
    if run.treebank_id:
        return with_treebank(database, run)
    campaign, system = run.campaign_id, run.system_id
    rows = read_rows(database, "test_sets_of_system", campaign=campaign, system=system)
    names = [row["treebank_id"] for row in rows]
    if len(names) == 1:
        return with_values(run, treebank_id=names[0])
    loaded = f"what is loaded: {listed(names)}" if names else "what 'tracker ingest treebank' loads"
    raise InputError(
        "nothing says what the outputs are to be compared with",
        hint=f"--references FILE names reference sentences, --treebank {loaded}",
    )


def _compared(database: Database, new: str, base: str, notes: list[str]) -> Comparison | None:
    """Return what changed in scores; None, and a note on why, where they are not comparable."""
    from ..queries.change.comparison.comparing import compare_scores
    from ..queries.change.comparison.model import Settings
    from ..queries.change.comparison.sides import IncomparableError
    from ..queries.change.comparison.stored import pair_tests, store

    try:
        comparison = compare_scores(pair_tests(database, new, base, Settings()))
    except IncomparableError as error:
        notes.append(f"not compared: {error.message}")
        return None
    store(database, [comparison.unstored])
    return comparison


def _resolved(database: Database, name: str | None, run: Run) -> str | None:
    if name is None:
        return None
    return resolve_parent(database, name, run.treebank_id, run.campaign_id)


def _logged(
    database: Database,
    report: SubmitReport,
    tracking_uri: str | None,
    step: int | None,
    progress: Progress,
) -> SubmitReport:
    """Log a submission; return its report with where it is logged, or a note on why it is not."""
    from .experiments import log_submissions

    try:
        if "mlflow" in sys.modules:  # who has not imported it has no active run
            from .experiments.active import log_to_active_run

            if log_to_active_run(database, report.submission_id, step):
                return with_values(report, logged_to=ACTIVE_RUN)
        done = log_submissions(
            database,
            tracking_uri=tracking_uri,
            submissions=[report.submission_id],
            progress=progress,
        )
        return with_values(report, logged_to=done.tracking_uri, logged=done)
    except DatabaseBusyError as error:
        note = f"stored, but not logged to MLflow: {error.message}; 'tracker share log' does that"
    except TrackerError as error:
        note = f"not logged to MLflow: {error}"
    return with_values(report, notes=(*report.notes, note))
