"""The page that the demo leaves behind: its tables, and what to try next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from ...schema.files import write_file
from ..pages.drawings import Drawings
from ..show.html import page
from ..show.model import Details, Document, Pane, Panes, Paragraph, Section, Span
from ..show.tables import rows_table

if TYPE_CHECKING:
    import pyarrow as pa

    from ..api.tracker import Tracker

PAGE = "next.html"
_LEAD = (
    "The sentences are invented, the systems are real baselines trained on them, the human "
    "judgements are simulated. Everything below was computed by the run that wrote this page."
)
_REPORT = [
    Span("There is also the "),
    Span("report on the campaign of 2025", address="report.html"),
]


def write_page(
    tracker: Tracker, path: Path, shown: str, tables: Sequence[tuple[str, pa.Table]]
) -> None:
    """Write the page, which needs no network, into the folder of the database.

    Its chart shows the accuracy by relation of the submission ``shown``.
    """
    folder = path.parent
    commands = Template(files(__package__).joinpath("next.txt").read_text(encoding="utf-8"))
    filled = commands.substitute(
        database=shlex.quote(str(folder / "campaign.duckdb")),
        store=shlex.quote(f"sqlite:///{folder / 'mlflow.db'}"),
        shown=shlex.quote(shown),
    )
    lines = filled.splitlines()
    relations = tracker.show("dea_by_relation", submission=shown)
    caption = "Dependency edge accuracy by relation"
    chart = Drawings(None).draw(
        "dea-by-relation", caption, "dea_by_relation_chart", relations, shown
    )
    sections = [
        Section("try", "Try", "Try", blocks=[Paragraph(_REPORT), Panes([Pane("", lines)])]),
        *(
            Section(f"table-{n}", title.partition(":")[0], title, blocks=[rows_table(rows, title)])
            for n, (title, rows) in enumerate(tables, start=1)
        ),
        Section(
            "relations",
            "Relations",
            "On which relations the newest fails",
            blocks=[chart, Details("as a table", [rows_table(relations)])],
        ),
    ]
    title = "Sample campaign: what to try next"
    document = Document("Demo", title, sections, lead=_LEAD)
    write_file(path, page(document).encode())
