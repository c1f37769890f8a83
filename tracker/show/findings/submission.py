"""What submitting outputs came to as a document of about a screenful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.queries.metrics.registry import in_points, notes
from sr_tracker.queries.metrics.registry import unit_of as unit
from sr_tracker.schema.brief import plural
from sr_tracker.tracker.show.model import Document, Section
from sr_tracker.tracker.show.numbers import measured
from sr_tracker.tracker.submit import SubmitReport

if TYPE_CHECKING:
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
    from sr_tracker.tracker.show.findings.changes import change_table, facts, headline, names
    from sr_tracker.tracker.show.findings.comparison import LEGEND

    _, base = names(comparison.new, comparison.base)
    changes = _moved(comparison)
    groups = [change.kind for change in changes]
    table = change_table(comparison, "Changes", "measure", changes, groups=groups)
    return Document(
        "Submission",
        title,
        [Section("changes", "Changes", "", blocks=[table])] if changes else [],
        lead=f"{lead} · against {base}: {facts(comparison)}",
        verdict=headline(comparison),
        objections=comparison.objections,
        notes=told,
        legend=[LEGEND, *notes(change.measure for change in comparison.metrics)],
    )


def _score(metric: str, value: float | None) -> str:
    return f"{metric} {measured(metric, value)}" + ("" if in_points(metric) else f" {unit(metric)}")


def _moved(comparison: Comparison) -> list[Change]:
    from sr_tracker.queries.change.comparison.model import ranked
    from sr_tracker.queries.change.comparison.patterns import ranked_patterns

    alpha = comparison.settings.alpha
    return [
        *comparison.metrics[:METRICS],
        *ranked(comparison.relations, alpha)[:RELATIONS],
        *ranked_patterns(comparison.patterns, alpha, worse=True)[:PATTERNS],
        *ranked_patterns(comparison.patterns, alpha, worse=False)[:PATTERNS],
    ]
