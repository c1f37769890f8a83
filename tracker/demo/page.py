"""The page that the demo leaves behind: its tables, and what to try next."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from sr_tracker.schema.errors import MissingDependencyError
from sr_tracker.schema.optional import optional_packages

if TYPE_CHECKING:
    import pyarrow as pa

    from sr_tracker.tracker.api import Tracker

CHART = "dea_by_relation.svg"


def write_page(
    tracker: Tracker, folder: Path, shown: str, tables: Sequence[tuple[str, pa.Table]]
) -> Path:
    """Write the page ``next.html`` into the folder and return its path; it needs no network.

    Its chart shows the accuracy by relation of the submission ``shown``.
    """
    template = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    page = folder / "next.html"
    page.write_text(
        template.substitute(
            database=escape(str(folder / "campaign.duckdb")),
            store=escape(str(folder / "mlflow.db")),
            tables="\n".join(_section(title, rows) for title, rows in tables),
            chart=_chart(tracker, folder / CHART, shown),
            shown=escape(shown),
        ),
        encoding="utf-8",
    )
    return page


def _chart(tracker: Tracker, file: Path, shown: str) -> str:
    """Draw the accuracy by relation and return what shows it, or why it cannot be drawn."""
    from sr_tracker.tracker.show.charts import dea_by_relation_chart, save_chart

    relations = tracker.show("dea_by_relation", submission=shown)
    try:
        with optional_packages():
            save_chart(dea_by_relation_chart(relations.to_pandas(), shown), file)
    except MissingDependencyError as error:
        return f"<p>No chart: {escape(str(error))}</p>"
    return f'<img src="{escape(file.name)}" alt="Dependency edge accuracy by relation">'


def _section(title: str, rows: pa.Table) -> str:
    columns = [column.to_pylist() for column in rows.columns]
    head = "".join(
        f"<th{_kind(next((v for v in column if v is not None), None))}>{escape(name)}</th>"
        for name, column in zip(rows.column_names, columns, strict=True)
    )
    body = "\n".join(
        "<tr>" + "".join(_cell(value) for value in row) + "</tr>"
        for row in zip(*columns, strict=True)
    )
    return f"<h2>{escape(title)}</h2>\n<table><tr>{head}</tr>\n{body}</table>"


def _cell(value: Any) -> str:
    if value is None:
        return '<td class="number">–</td>'
    text = f"{value:.3f}" if isinstance(value, float) else escape(str(value))
    return f"<td{_kind(value)}>{text}</td>"


def _kind(value: Any) -> str:
    return ' class="number"' if isinstance(value, int | float) else ""
