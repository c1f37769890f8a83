"""The section of a report over errors that annotators marked, and their figure."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.errors.marked_errors import has_marked_errors, marked_errors
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.findings.marked_errors import errors_table
from sr_tracker.tracker.show.model import Figure, Paragraph, Section
from sr_tracker.tracker.show.report.drawing import Drawings
from sr_tracker.tracker.show.report.sections import frame

SHOWN = 15
_ALSO = ("category", "relation", "accuracy", "metric")


def errors_figure(rows: Sequence[Row], drawings: Drawings | None = None) -> Figure | Paragraph:
    """Return rows of ``queries.errors.marked_errors`` by whom as bars, in parts by severity."""
    from sr_tracker.tracker.show.charts.marked_errors import marked_errors_chart

    told = "; ".join(f"{row['name']} {row['errors']:,} errors" for row in rows[:SHOWN])
    return (drawings or Drawings(None)).draw(
        "marked-errors", lambda: marked_errors_chart(frame(rows), "Marked errors"), told
    )


def marked(database: Database, submissions: Sequence[str], drawings: Drawings) -> list[Section]:
    """Return what errors people marked in these submissions' outputs; nothing where none are."""
    if not has_marked_errors(database, submissions):
        return []
    by_system = marked_errors(database, submissions, "system").to_pylist()
    tables = [errors_table("system", by_system)]
    for by in _ALSO:
        rows = marked_errors(database, submissions, by).to_pylist()
        rows = [row for row in rows if row.get("about", "all") == "all"]
        tables += [errors_table(by, rows, SHOWN)] if rows else []
    reading = (
        "Errors that annotators marked in the outputs, grave where major or critical, per 100 "
        "words of the judged outputs. Relations are those of marked words, or of sentences with "
        "outputs that have a grave error; a metric misses one where it scores its output no lower "
        "than one without."
    )
    figure = errors_figure(by_system, drawings)
    return [Section("errors", "Errors", "Errors that people marked", reading, [figure, *tables])]
