"""What submitting outputs came to as a document of about a screenful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....queries.metrics.registry import label_of, notes
from ....queries.numbers import with_unit
from ....schema.brief import plural
from ...submit import SubmitReport
from ..model import Document, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....queries.change.comparison.model import Change, Comparison

METRICS, RELATIONS, PATTERNS = 10, 5, 3


def submission_document(report: SubmitReport) -> Document:
    """Return what changed: overall, then the relations and the patterns that moved most."""
    state = "submitted" if report.new else "nothing new, loaded before"
    outputs = f"{report.sentences - report.missing:,} of {plural(report.sentences, 'sentence')}"
    trials = f", {plural(report.trials, 'trial')}" if report.trials > 1 else ""
    title = f"{report.submission_id}: {state}, {outputs}{trials}"
    lead = f"compared with the reference {report.reference_form}"
    notes_of_run = [f"note: {note}" for note in report.notes]
    comparison = report.comparison
    if comparison is None:
        defined = {
            metric: value
            for metric, value in report.scores.items()
            if report.has_words or value is not None
        }
        scores = " · ".join(_score(*score) for score in defined.items())
        return Document(
            "Submission",
            title,
            [],
            lead=lead,
            verdict=[scores or "no scores"],
            notes=notes_of_run,
            legend=notes(defined),
        )
    from ....queries.change.comparison.verdict import names
    from .changes import facts, why
    from .comparison import LEGEND

    changes = [*_scores(comparison), *_patterns(comparison)]
    _, base = names(comparison.new, comparison.base)
    return Document(
        "Submission",
        title,
        [*why(comparison, has_words=report.has_words), *_sections(comparison, changes)],
        lead=f"{lead} · against {base}: {facts(comparison)}",
        verdict=comparison.verdict,
        objections=comparison.objections,
        notes=notes_of_run,
        legend=[LEGEND, *notes(change.measure for change in comparison.metrics)],
    )


def patterns_document(report: SubmitReport) -> Document:
    """Return what changed in patterns alone, for who was shown the scores before."""
    comparison = report.comparison
    sections = _sections(comparison, _patterns(comparison)) if comparison else []
    return Document("Patterns", "", sections)


def _score(metric: str, value: float | None) -> str:
    return f"{label_of(metric)} {with_unit(metric, value)}"


def _sections(comparison: Comparison, changes: Sequence[Change]) -> list[Section]:
    from .changes import change_table

    if not changes:
        return []
    groups = [change.kind for change in changes]
    table = change_table(comparison, "Changes", "measure", changes, groups=groups)
    return [Section("changes", "Changes", "", blocks=[table])]


def _scores(comparison: Comparison) -> list[Change]:
    from ....queries.change.comparison.model import ranked

    relations = ranked(comparison.relations, comparison.settings.alpha)
    return [*comparison.metrics[:METRICS], *relations[:RELATIONS]]


def _patterns(comparison: Comparison) -> list[Change]:
    from ....queries.change.comparison.patterns import ranked_patterns

    patterns, alpha = comparison.patterns, comparison.settings.alpha
    return [
        change
        for worse in (True, False)
        for change in ranked_patterns(patterns, alpha, worse=worse)[:PATTERNS]
    ]
