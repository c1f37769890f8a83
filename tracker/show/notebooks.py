"""Results in notebooks, a small piece of HTML with its own style and no script, and as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any

from ...queries.change.comparison.model import Comparison
from ...queries.change.gate import GateResult
from ...queries.change.history import History
from ...queries.change.years import Years
from ...queries.errors.examples import Examples
from ...schema.brief import Brief, brief, plural
from ...schema.themes import members
from ..submit import SubmitReport
from .findings.comparison import comparison_document
from .findings.gate import gate_document
from .findings.history import history_document, years_document
from .findings.sentences import examples_document
from .findings.submission import submission_document
from .html import fragment
from .model import Cell, Column, Document, Line, Section, Table
from .tables import rows_table, table_document
from .text import document_text

if TYPE_CHECKING:
    import pyarrow as pa

WIDTH = 100
"""Letters of a line of text."""
ROWS = 30
"""Rows of a table that a notebook shows."""
_DOCUMENTS: dict[type, Callable[..., Document]] = {
    Comparison: partial(comparison_document, trees=False),
    GateResult: gate_document,
    History: history_document,
    Years: years_document,
    Examples: examples_document,
    SubmitReport: submission_document,
}
for _added in members("tracker", "findings", "DOCUMENTS"):
    _DOCUMENTS |= _added


def result_html(result: Brief) -> str:
    """Return a result as HTML: what it has as a page or, where it has none, its fields."""
    made_by: Any = _DOCUMENTS.get(type(result), _fields)
    return fragment(made_by(result))


def result_text(result: Brief) -> str:
    """Return a result as text: what it has as a page or, where it has none, its line."""
    made_by = _DOCUMENTS.get(type(result))
    return repr(result) if made_by is None else document_text(made_by(result), WIDTH)


def rows_html(rows: pa.Table) -> str:
    """Return the first rows of an Arrow table as HTML, as they are, and how many there are."""
    shown = rows_table(rows.slice(0, ROWS), raw=True)
    more = f"{rows.num_rows - ROWS:,} more rows" if rows.num_rows > ROWS else ""
    title = f"{plural(rows.num_rows, 'row')}, {rows.num_columns} columns"
    return fragment(table_document(Table(title, shown.columns, shown.lines, note=more), title))


def _fields(result: Brief) -> Document:
    name = type(result).__name__
    columns = [Column("", "text"), Column("", "text")]
    lines = [
        Line([Cell(field.name.replace("_", " ")), Cell(_text(getattr(result, field.name)))])
        for field in fields(result)  # type: ignore[arg-type]
        if getattr(result, field.name) not in (None, (), [], {})
    ]
    return Document(
        "Result", name, [Section("fields", "", "", blocks=[Table(name, columns, lines)])]
    )


def _text(value: Any) -> str:
    several = isinstance(value, Mapping | Sequence | Set) and not isinstance(value, str)
    return brief(value) if several or not isinstance(value, str) else value


def show_tables() -> None:
    """Let IPython show Arrow tables as HTML, where it runs and shows them in no other way yet.

    IPython asks for this by its formatters; the tables themselves stay as they are.
    """
    import sys

    import pyarrow as pa

    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if running is not None:
        formatter = running.display_formatter.formatters["text/html"]
        if pa.Table not in formatter:
            formatter.for_type(pa.Table, rows_html)
