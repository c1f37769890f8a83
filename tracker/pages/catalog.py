"""The pages for one's own questions: views and tables, SQL, and what the words mean."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

import pyarrow as pa

from ...queries.catalog import LISTED, current_name, view_files, views
from ...queries.exploring import Listing, queried, starting_queries
from ...queries.reading import check_view, view_query
from ...schema.brief import plural
from ...schema.errors import TrackerError
from ...schema.migrate import tables as made_tables
from ...schema.names import check_names
from ...schema.statements import SqlFile
from ..api.tracker import Tracker
from ..explorer.snapshot import Snapshots
from ..show.html.arcs import TableBox, table_diagram
from ..show.model import (
    Block,
    Cell,
    Column,
    Details,
    Document,
    Field,
    Figure,
    Form,
    Line,
    Page,
    Paragraph,
    Section,
    Span,
    Table,
)
from . import Request
from .addresses import address
from .lists import columns_of_all, listed
from .sections import folded_part, list_section, read_section, section

VIEW_ROWS, SQL_ROWS, SQL_SECONDS = 200, 1000, 10.0
FIRST = "to start with"
FILTERS = ("campaign", "treebank", "system")
_ABOUT = ("submission", "treebank")
_MANY = {"sentence_no", "token_no", "measure", "pattern"}
"""Columns of which there are many values for one submission."""
WORDS = Span("Words", address="/words")
TABLES = Span("tables and views, with their columns", address="/tables")
_ORDERED = re.compile("^ORDER BY", re.MULTILINE)


def all_views(tracker: Tracker, request: Request) -> Page:  # noqa: ARG001
    """Return the views to start with, then all by what they are for."""
    sections = []
    for group in (FIRST, *LISTED):
        members = (f for f in view_files() if (f.first if group == FIRST else f.group == group))
        files = sorted(members, key=lambda file: file.name)
        rows = pa.Table.from_pylist([{"view": f.name, "meaning": f.one_row} for f in files])
        anchor = group.replace(" ", "-")
        table = listed(Listing(rows, ""), group)
        sections.append(Section(anchor, group, group.capitalize(), blocks=[table]))
    lead = "Each is a table of its own; any DuckDB client reads them under the same names."
    return Page(Document("Views", "Everything that can be asked", sections, lead=lead))


def view(tracker: Tracker, request: Request) -> Page:
    """Return the first rows of a view or table."""
    name = current_name(request["view"])
    check_view(name)
    file = next((view for view in views() if view.name == name), None)
    listing = _first_rows(
        tracker, name, file, {kind: request[kind] for kind in FILTERS if request.get(kind)}
    )
    count = listing.rows.num_rows
    first = " (the first ones)" if count == VIEW_ROWS else ""
    rows = list_section(
        "view.rows",
        listing,
        title=f"{plural(count, 'row')}{first}",
        caption=name,
        comments=columns_of_all()[name],
        sql_names=True,
    )
    document = Document("View", name, [rows], lead=file.description if file else "")
    fields = [Field(kind, kind, request.get(kind, "")) for kind in FILTERS]
    trail = [Span("Views", address="/views")]
    return Page(document, trail, [Form(f"/view/{name}", fields)])


def _first_rows(
    tracker: Tracker, name: str, view: SqlFile | None, filters: Mapping[str, Any]
) -> Listing:
    """Return the first rows of a view or table.

    Of a view without an order that has many rows for a submission, or a treebank, they are those of
    the first one, where that has enough: for those of all it would compute all.
    """
    grain = view.grain if view and not _ORDERED.search(view.text) else ()
    about = next((kind for kind in _ABOUT if _MANY & {*grain} and f"{kind}_id" in grain), None)
    narrower = [filters]
    if about is not None:
        runs = tracker.show("submission_overview", columns=f"{about}_id", limit=1, **filters)
        narrower = [*({**filters, about: one} for one in runs[0].to_pylist()), filters]
    for chosen in narrower:
        query = view_query(tracker.database, name, filters=chosen, limit=VIEW_ROWS)
        listing = queried(tracker.database, query)
        if listing.rows.num_rows == VIEW_ROWS:
            break
    return listing


def sql(snapshots: Snapshots, request: Request) -> Page:
    """Return the page of one's own SQL, with the rows of the query that the address holds."""
    query, name = request.get("query", "").strip(), request.get("name", "").strip()
    document = Document("SQL", name or "Ask in SQL", [_answered(snapshots, query)])
    return Page(document, forms=[asking(query, name)], beside=[TABLES])


def asking(query: str, name: str = "") -> Form:
    """Return the form of the page for SQL."""
    fields = [
        Field("query", "Your query, one SELECT", query, lines=6, completed=True),
        Field("name", "What it is called, for an address to keep", name),
    ]
    return Form("/sql", fields, "Run")


def beginning() -> Section:
    """Return queries to begin with."""
    rows = [
        Line(
            [
                Cell([Span(description, address=address("/sql", query=text, name=description))]),
                Cell(text),
            ]
        )
        for description, text in starting_queries()
    ]
    columns = [Column("question", "text"), Column("query", "pattern")]
    table = Table("Queries to begin with", columns, rows)
    return Section("begin", "Begin", "Queries to begin with", blocks=[table])


def _answered(snapshots: Snapshots, query: str) -> Section:
    """Return the rows of a query; queries to begin with where there is none."""
    if not query:
        return beginning()
    try:
        answer = snapshots.query(query, rows=SQL_ROWS, seconds=SQL_SECONDS)
    except TrackerError as error:
        return Section("rows", "Rows", "No answer", missing=str(error))
    first = f" (the first {SQL_ROWS:,})" if answer.truncated else ""
    title = f"{plural(answer.rows.num_rows, 'row')}{first}"
    listing = Listing(answer.rows, query)
    return list_section("view.rows", listing, title=title, missing="", raw=True, sql_names=True)


def words(tracker: Tracker, request: Request) -> Page:
    """Return what things and metrics are, and what unfolds: what columns of views hold."""
    part = request.get("part", "")
    columns = section("words.columns")
    if part:
        check_names("part of the words", [part], [columns.anchor])
        meanings = {name: text for view in views() for name, text in view.column_comments.items()}
        sorted_meanings = dict(sorted(meanings.items()))
        shown = replace(columns, blocks=[_meanings("column", sorted_meanings)], missing="")
        return Page(Document("Words", columns.title, [shown]), [WORDS])
    (_, first), *_ = _tables_by_group()
    things = {table.name: table.description.removeprefix("one row per ") for table in first}
    sections = [
        section("words.things", [_meanings("table", things)]),
        read_section(tracker.database, "words.metrics"),
        section("words.parts", [folded_part(columns.anchor, columns.title, "/words")]),
    ]
    lead = "The words are the same on pages, on the command line and in SQL."
    return Page(Document("Words", "What the words mean", sections, lead=lead))


def _meanings(what: str, meanings: Mapping[str, str]) -> Table:
    """Return what names mean, as a table in their order."""
    lines = [Line([Cell(name), Cell(text)]) for name, text in meanings.items()]
    columns = [Column(what, "text"), Column("meaning", "text")]
    return Table(f"Meanings by {what}", columns, lines, shown=40, filterable=True)


def tables(tracker: Tracker, request: Request) -> Page:  # noqa: ARG001
    """Return every table and view with its columns, and diagrams of what refers to what."""
    by_group = _tables_by_group()
    boxes = {
        table.name: TableBox(table.name, table.grain, table.refers, address("/view", table.name))
        for _, grouped in by_group
        for table in grouped
    }
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
                    *([_diagram(title, [boxes[table.name] for table in made])] if made[1:] else []),
                    *(_columns(table) for table in made),
                ],
            )
            for n, (title, made) in enumerate(by_group)
        ),
        *(_views(group) for group in LISTED),
    ]
    lead = f"{len(boxes)} tables, and the views that are made of them, for SQL of your own."
    return Page(
        Document("SQL", "Tables and views", sections, lead=lead), [Span("SQL", address="/sql")]
    )


def _tables_by_group() -> list[tuple[str, list[SqlFile]]]:
    """Return the tables under what they hold, in the order in which they are made."""
    grouped = groupby(made_tables().values(), attrgetter("group"))
    return [(title, [*made]) for title, made in grouped]


def _views(group: str) -> Section:
    by_name = {view.name: view for view in views()}
    names = sorted(file.name for file in view_files() if file.group == group)
    blocks = [_columns(by_name[name]) for name in names]
    anchor = f"views-{group.replace(' ', '-')}"
    return Section(anchor, group, f"Views: {group}", blocks=blocks)


def _diagram(name: str, boxes: Sequence[TableBox]) -> Figure:
    return Figure(name, table_diagram(boxes), name)


def _columns(source: SqlFile) -> Block:
    """Return the columns of a table or view, folded."""
    columns = Table(
        source.name,
        [Column("column", "text"), Column("meaning", "text")],
        [Line([Cell(column), Cell(comment)]) for column, comment in source.column_comments.items()],
    )
    summary = [Span(source.name), Span(f" {source.description}", "muted")]
    leads = Paragraph([Span(f"rows of {source.name}", address=address("/view", source.name))])
    return Details(summary, [leads, columns], anchor=source.name)


def names() -> bytes:
    """Return the same as JSON."""
    return json.dumps(columns_of_all(), ensure_ascii=False, sort_keys=True).encode()
