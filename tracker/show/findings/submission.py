"""What submitting outputs came to as a document of about a screenful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.queries.metrics.registry import in_points, notes
from sr_tracker.queries.metrics.registry import unit_of as unit
from sr_tracker.queries.numbers import measured
from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.model import Document, Section
from sr_tracker.tracker.submit import SubmitReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sr_tracker.queries.change.comparison.model import Change, Comparison

METRICS, RELATIONS, PATTERNS = 10, 5, 3


def submission_document(report: SubmitReport) -> Document:
    """Return what changed: overall, then the relations and the patterns that moved most."""
    state = "submitted" if report.new else "nothing new, loaded before"
    given = f"{report.sentences - report.missing:,} of {plural(report.sentences, 'sentence')}"
    title = f"{report.submission_id}: {state}, {given}"
    lead = f"compared with the reference {report.reference_form}"
    told = [f"note: {note}" for note in report.notes]
    comparison = report.comparison
    if comparison is None:
        scores = " · ".join(_score(*score) for score in report.scores.items())
        return Document(
            "Submission",
            title,
            [],
            lead=lead,
            verdict=[scores or "no scores"],
            notes=told,
            legend=notes(report.scores),
        )
    from sr_tracker.queries.change.comparison.verdict import names
    from sr_tracker.tracker.show.findings.changes import facts
    from sr_tracker.tracker.show.findings.comparison import LEGEND

    _, base = names(comparison.new, comparison.base)
    return Document(
        "Submission",
        title,
        _sections(comparison, [*_scores(comparison), *_patterns(comparison)]),
        lead=f"{lead} · against {base}: {facts(comparison)}",
        verdict=comparison.verdict,
        objections=comparison.objections,
        notes=told,
        legend=[LEGEND, *notes(change.measure for change in comparison.metrics)],
    )


def patterns_document(report: SubmitReport) -> Document:
    """Return what changed in patterns alone, for who was shown the scores before."""
    comparison = report.comparison
    found = _sections(comparison, _patterns(comparison)) if comparison else []
    return Document("Patterns", "", found)


def _score(metric: str, value: float | None) -> str:
    return f"{metric} {measured(metric, value)}" + ("" if in_points(metric) else f" {unit(metric)}")


def _sections(comparison: Comparison, changes: Sequence[Change]) -> list[Section]:
    from sr_tracker.tracker.show.findings.changes import change_table

    if not changes:
        return []
    groups = [change.kind for change in changes]
    table = change_table(comparison, "Changes", "measure", changes, groups=groups)
    return [Section("changes", "Changes", "", blocks=[table])]


def _scores(comparison: Comparison) -> list[Change]:
    from sr_tracker.queries.change.comparison.model import ranked

    relations = ranked(comparison.relations, comparison.settings.alpha)
    return [*comparison.metrics[:METRICS], *relations[:RELATIONS]]


def _patterns(comparison: Comparison) -> list[Change]:
    from sr_tracker.queries.change.comparison.patterns import ranked_patterns

    found, alpha = comparison.patterns, comparison.settings.alpha
    return [
        change
        for worse in (True, False)
        for change in ranked_patterns(found, alpha, worse=worse)[:PATTERNS]
    ]
