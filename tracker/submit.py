"""Submitting outputs: loaded, scored, analysed, logged, and compared with where they came from."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..ingest.campaigns.runs import Run
from ..ingest.outputs.in_memory import outputs_in_memory
from ..ingest.outputs.reading import read_outputs
from ..ingest.outputs.submissions import load_references, store_outputs, with_treebank
from ..ingest.treebanks.references import (
    ReferenceFiles,
    References,
    read_references,
    store_references,
)
from ..ingest.treebanks.sources import ingest_sources
from ..queries.errors import Settings as AnalysisSettings
from ..queries.errors import analyses
from ..queries.errors.jobs import run_analyses
from ..queries.metrics.scoring import score
from ..queries.metrics.signatures import notes_on
from ..queries.reading import read_about
from ..schema.brief import Brief
from ..schema.database import Database
from ..schema.errors import DatabaseBusyError, InputError, TrackerError
from ..schema.iterations import resolve_parent
from ..schema.progress import Progress, silent
from ..schema.statements import read_rows
from ..schema.themes import members
from .show.languages import without_blanks

if TYPE_CHECKING:
    from ..ingest.analysers import Analyser
    from ..queries.change.comparison.model import Comparison
    from .experiments import LogReport

WIDTH = 100
"""Columns of a report as text."""


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

    def __str__(self) -> str:
        """Return the report as text, as 'tracker submit' prints it."""
        from .show.findings.submission import submission_document
        from .show.text import document_text

        return document_text(submission_document(self), WIDTH)


ACTIVE_RUN = "the active run"


def submit(
    database: Database,
    outputs: Any,
    run: Run,
    analyser: Callable[[str], Analyser],
    *,
    references: ReferenceFiles | None = None,
    base: str | None = None,
    replace_content: bool = False,
    analyse: bool = True,
    log: bool = True,
    tracking_uri: str | None = None,
    step: int | None = None,
    tell: Callable[[SubmitReport], None] = lambda _: None,
    progress: Progress = silent,
) -> SubmitReport:
    """Load, score, compare, analyse and log outputs; ``tell`` gets the report before it is logged.

    It gets it as soon as the verdict stands and, where there is a comparison, again with patterns.
    The submission that outputs are compared with is scored and analysed as well. The file is held
    for that, neither while outputs are read nor while MLflow is at work. Inside an active MLflow
    run, that run gets the scores, at ``step``. Where comparing or logging is not possible, the
    report's notes say why.

    ``outputs`` is the path of a file or whatever ``outputs_in_memory`` takes, where paths in a list
    are trials of one run. They are for the
    run's treebank or for ``references``, which are loaded with them or not at all; without either,
    for the one that the system has outputs for. New content
    without an iteration becomes the system's next one; content that is loaded stays what it is.
    The run's parent and ``base`` are names as ``schema.iterations`` resolves them;
    without ``base`` the parent is what new outputs are compared with.

    Raises InputError for outputs that cannot be loaded, UnknownNameError for names that do not
    exist; nothing is stored then.
    """
    if replace_content and run.iteration is None:
        raise InputError("the iteration to replace is not named", hint="give its --iteration")
    columns = {"id_column": run.id_column, "text_column": run.text_column}
    if isinstance(outputs, str | Path):
        file = read_outputs(Path(outputs), **columns)
    else:
        file = outputs_in_memory(outputs, **columns)
    test_set = None if references is None else read_references(references)
    with database.opened(read_only=False):
        with database.transaction():
            run = _with_test_set(database, run, test_set)
            if references is not None:
                ingest_sources(
                    database,
                    run.treebank_id,
                    sources=references.sources,
                    documents=references.documents,
                )
            loaded = load_references(database, run.treebank_id)
            parent = _resolved(database, run.parent_submission_id, run)
            named = _resolved(database, base, run)
            run = replace(run, parent_submission_id=parent, next_iteration=True)
            submitted = store_outputs(
                database, file, run, loaded, analyser, replace=replace_content
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
            notes += without_blanks([stored_run["language"]])
        both = [submission_id, *([base] if base else [])]
        notes += notes_on(score(database, submissions=both, progress=progress).beside)
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
            run_analyses(
                database, analyses(AnalysisSettings()), submissions=both, progress=progress
            )
        if comparison is not None:
            from ..queries.change.comparison.comparing import compare_patterns

            report = replace(report, comparison=compare_patterns(database, comparison))
            tell(report)
    return _logged(database, report, tracking_uri, step, progress) if log else report


def _with_test_set(database: Database, run: Run, test_set: References | None) -> Run:
    """Return a run with the id of what its outputs are for."""
    if test_set is not None:
        treebank_id = store_references(database, test_set, run.campaign_id)
        return replace(run, treebank_id=treebank_id)
    if run.treebank_id:
        return with_treebank(database, run)
    campaign, system = run.campaign_id, run.system_id
    rows = read_rows(database, "test_sets_of_system", campaign=campaign, system=system)
    names = [row["treebank_id"] for row in rows]
    if len(names) == 1:
        return replace(run, treebank_id=names[0])
    several = f"'{system}' has outputs for {', '.join(names)}"
    raise InputError(
        several if names else "nothing says what the outputs are to be compared with",
        hint="--references FILE names reference sentences, --treebank what is loaded, such as by "
        "'tracker ingest treebank'",
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
                return replace(report, logged_to=ACTIVE_RUN)
        done = log_submissions(
            database,
            tracking_uri=tracking_uri,
            submissions=[report.submission_id],
            progress=progress,
        )
        return replace(report, logged_to=done.tracking_uri, logged=done)
    except DatabaseBusyError as error:
        note = f"stored, but not logged to MLflow: {error.message}; 'tracker share log' does that"
    except TrackerError as error:
        note = f"not logged to MLflow: {error}"
    return replace(report, notes=(*report.notes, note))
