"""Errors that annotators marked: a section of a submission's and a system's page, and a page."""

from __future__ import annotations

from collections.abc import Sequence

from ...queries.examination.marked_errors import has_marked_errors, marked_errors
from ...schema.names import check_names, resolve_name
from ..api import Tracker
from ..show.findings.marked_errors import errors_table
from ..show.model import Brought, Document, Page, Section, Span
from . import Asked
from .addresses import address
from .lists import PAGE_ROWS, first_leads
from .report.people import errors_figure

TITLE = "Errors that people marked"
READING = "Major and critical ones are grave. The page of a sentence shows where they are."
OTHERS = {"submission": ("category", "relation"), "system": ("category",)}
"""By what errors are counted on the page of each, ways of ``queries.examination.marked_errors``."""


def marked(tracker: Tracker, submissions: Sequence[str], kind: str, name: str) -> list[Section]:
    """Return the section that brings the errors of a submission or system; nothing without any."""
    if not has_marked_errors(tracker.database, submissions):
        return []
    told = f"Marked errors of {name}"
    brought = Brought(address(f"/errors/{kind}", name), told, "#errors .blocks > *")
    return [Section("errors", "Errors", TITLE, READING, [brought])]


def errors(tracker: Tracker, asked: Asked) -> Page:
    """Return the errors of each submission of a system, or of one, drawn and as tables."""
    database, kind = tracker.database, asked["kind"]
    check_names("page of errors", [kind], OTHERS)
    if kind == "submission":
        name = tracker.resolve(asked["name"])
        submissions = [name]
    else:
        name = resolve_name(database, kind, asked["name"])
        found = tracker.show("submissions", system=name, columns="submission_id")
        submissions = found.column(0).to_pylist()
    rows = marked_errors(database, submissions, "submission").to_pylist()
    tables = [
        errors_table(by, marked_errors(database, submissions, by).to_pylist(), PAGE_ROWS)
        for by in OTHERS[kind]
    ]
    whose = first_leads(errors_table("submission", rows), "submission_id", {})
    blocks = [errors_figure(rows), whose, *tables]
    section = Section("errors", "Errors", TITLE, READING, blocks)
    return Page(
        Document("Errors", name, [section]), [Span(name, address=address(f"/{kind}", name))]
    )
