"""The tables and views there are to ask: what each row and column is, and what refers to what."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence

from ...queries.catalog import GROUPS, view_files, views
from ..api import Tracker
from ..show.html.table_diagram import TableBox, table_diagram
from ..show.model import (
    Block,
    Cell,
    Column,
    Details,
    Document,
    Figure,
    Line,
    Page,
    Section,
    Span,
    Table,
)
from . import Asked
from .addresses import address
from .lists import known_columns


def tables(tracker: Tracker, asked: Asked) -> Page:  # noqa: ARG001
    """Return every table and view with its columns, and diagrams of what refers to what."""
    from ...schema.ddl import description, references, stored
    from ...schema.tables import themes

    columns = known_columns()
    boxes: dict[str, TableBox] = {}
    told: dict[str, str] = {}
    of_theme: list[tuple[str, list[str]]] = []
    for module, classes in themes():
        title = (inspect.getdoc(module) or "").partition("\n")[0].removesuffix(".")
        of_theme.append((title, [stored(each).name for each in classes]))
        for each in classes:
            name = stored(each).name
            refers = {column.name: target for column, target in references(each)}
            keys = [column.name for column in stored(each).primary_key]
            boxes[name] = TableBox(name, keys, refers, address("/view", name))
            told[name] = description(each)
    targets = {target for box in boxes.values() for target in box.refers.values()}
    referred = [box for name, box in boxes.items() if name in targets]
    sections = [
        Section(
            "diagram",
            "Diagram",
            "What refers to what",
            "The tables that others refer to. A line leads from a table to what refers to it.",
            [_diagram("what refers to what", referred)],
        ),
        *(
            Section(
                f"tables-{n}",
                title,
                title,
                blocks=[
                    *([_diagram(title, [boxes[name] for name in names])] if len(names) > 1 else []),
                    *(_columns(name, told[name], columns[name]) for name in names),
                ],
            )
            for n, (title, names) in enumerate(of_theme)
        ),
        *(_views(group) for group in GROUPS[:-1]),
    ]
    lead = f"{len(boxes)} tables, and the views that are made of them, for SQL of your own."
    return Page(
        Document("SQL", "Tables and views", sections, lead=lead), [Span("SQL", address="/sql")]
    )


def _views(group: str) -> Section:
    found = {view.name: view for view in views()}
    names = sorted(file.name for file in view_files() if file.group == group)
    blocks = [
        _columns(name, found[name].description, found[name].column_comments) for name in names
    ]
    anchor = f"views-{group.replace(' ', '-')}"
    return Section(anchor, group, f"Views: {group}", blocks=blocks)


def _diagram(name: str, boxes: Sequence[TableBox]) -> Figure:
    return Figure(name, table_diagram(boxes), name)


def _columns(name: str, told: str, comments: Mapping[str, str]) -> Block:
    """Return the columns of a table or view, folded."""
    columns = Table(
        name,
        [Column("column", "text"), Column("meaning", "text")],
        [Line([Cell(column), Cell(comment)]) for column, comment in comments.items()],
    )
    summary = [Span(name, address=address("/view", name)), Span(f" {told}", "muted")]
    return Details(summary, [columns], anchor=name)


def names() -> bytes:
    """Return the same as JSON."""
    return json.dumps(known_columns(), ensure_ascii=False, sort_keys=True).encode()
