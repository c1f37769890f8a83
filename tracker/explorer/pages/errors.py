"""Errors that annotators marked in some submissions, as a section of their page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sr_tracker.queries.errors.marked_errors import has_marked_errors, marked_errors
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.addresses import address
from sr_tracker.tracker.explorer.tables import PAGE_ROWS
from sr_tracker.tracker.show.findings.marked_errors import errors_table
from sr_tracker.tracker.show.model import Section, Span, Table
from sr_tracker.tracker.show.report.marked import errors_figure


def marked(tracker: Tracker, submissions: Sequence[str], *others: str) -> list[Section]:
    """Return the errors of each submission, drawn and as a table, and by ``others``; else nothing.

    Those are of the ways of ``queries.errors.marked_errors``.
    """
    database = tracker.database
    if not has_marked_errors(database, submissions):
        return []
    rows = marked_errors(database, submissions, "submission").to_pylist()
    tables = [
        errors_table(by, marked_errors(database, submissions, by).to_pylist(), PAGE_ROWS)
        for by in others
    ]
    blocks = [errors_figure(rows), _leading(errors_table("submission", rows)), *tables]
    reading = "Major and critical ones are grave. The page of a sentence shows where they are."
    return [Section("errors", "Errors", "Errors that people marked", reading, blocks)]


def _leading(table: Table) -> Table:
    """Return a table whose names lead to the submissions' pages."""
    lines = []
    for line in table.lines:
        name, *rest = line.cells
        leads = [Span(str(name.sort), address=address("/submission", str(name.sort)))]
        lines.append(replace(line, cells=[replace(name, text=leads), *rest]))
    return replace(table, lines=lines)
