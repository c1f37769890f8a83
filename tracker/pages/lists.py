"""Listings as tables whose names lead to pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from operator import ne
from typing import TYPE_CHECKING, Any

from ...queries.change.comparison.comparing import bucket_name
from ...queries.exploring import Listing
from ...queries.metrics.columns import measures_of
from ...queries.metrics.registry import external_metrics, label_of, metrics
from ...queries.numbers import UNDEFINED, probability
from ...schema.errors import InputError
from ...schema.statements import Row
from ..show.findings.sentences import marked_output
from ..show.model import Block, Card, Cell, Column, Kind, Line, Link, Paragraph, Span, Table, Tone
from ..show.tables import rows_table
from .addresses import address_of

if TYPE_CHECKING:
    import pyarrow as pa

PAGE_ROWS = 100
MOST_ROWS = 200
"""Of submissions that a page lists where its address does not ask for all."""
EVERY = "all"
_NONE: Mapping[str, str] = {}
IDENTITY = ("year", "system_kind", "language", "track", "reference_form", "params", "tags")
"""Columns of views about submissions that tables leave to the submission's page."""
_OUTPUTS = ("output", "base_output")
"""Texts that are marked by what sets them off from the reference, where a row has that."""
_KINDS: Mapping[str, Kind] = {
    "pattern": "pattern",
    **dict.fromkeys(("reference", *_OUTPUTS), "sentence"),
}
MEASURES = ("measure", "metric", "other_measure", "other_metric")
"""Columns that hold names of measures, which are shown by their labels."""
_OF_METRIC = re.compile(
    "(?P<before>base_|)(?P<metric>.+?)(?P<after>_change|_mean|_median|_min|_max|)"
)
_PROBABILITY = re.compile(r"(^|_)p(_|$)")
_SIDES: tuple[Tone, Tone] = ("worse", "better")
IN_THE_ID = ("campaign_id", "treebank_id", "iteration")
"""Those that a submission's id says already."""
SITE = (
    ("Home", "/"),
    ("Leaderboard", "/leaderboard"),
    ("Years", "/years"),
    ("People", "/people"),
    ("Views", "/views"),
    ("SQL", "/sql"),
    ("Words", "/words"),
)


def _metrics() -> tuple[object, ...]:
    """Return what views have columns of: the metrics that are known at the moment."""
    return (*external_metrics(), *metrics())


def meanings() -> Mapping[str, str]:
    """Return what columns of views hold, by their names, where all views say the same."""
    return _meanings(_metrics())


@lru_cache(maxsize=16)
def _meanings(of_metrics: tuple[object, ...]) -> Mapping[str, str]:  # noqa: ARG001
    from ...queries.catalog import views

    comments: dict[str, set[str]] = {}
    for view in views():
        for name, meaning in view.column_comments.items():
            comments.setdefault(name, set()).add(meaning)
    return {name: next(iter(of_name)) for name, of_name in comments.items() if len(of_name) == 1}


def columns_of_all() -> Mapping[str, Mapping[str, str]]:
    """Return the tables and views by name, each with its columns and what they hold."""
    return _columns_of_all(_metrics())


@lru_cache(maxsize=16)
def _columns_of_all(
    of_metrics: tuple[object, ...],  # noqa: ARG001
) -> Mapping[str, Mapping[str, str]]:
    from ...queries.catalog import views
    from ...schema.migrate import tables

    return {sql.name: sql.column_comments for sql in [*views(), *tables().values()]}


def heading(name: str) -> str:
    """Return what a column is called at its head; one of a metric by the metric's heading."""
    parts = _OF_METRIC.fullmatch(name)
    if name in metrics() or parts is None or parts["metric"] not in metrics():
        return metrics()[name].heading if name in metrics() else sql_heading(name)
    return f"{parts['before']}{label_of(parts['metric'])}{parts['after']}".replace("_", " ")


def labelled(measures: Iterable[str]) -> list[tuple[str, str]]:
    """Return measures to choose from, with what each is called."""
    return [(name, label_of(name)) for name in measures]


def sql_heading(name: str) -> str:
    """Return what a column is called where readers write SQL."""
    return (name if name == "sent_id" else name.removesuffix("_id")).replace("_", " ")


def rows_asked(request: Mapping[str, str]) -> int | None:
    """Return how many submissions a page lists at most, None for all, as its address says.

    Raises InputError for what says neither.
    """
    rows = request.get("rows", "")
    if rows not in ("", EVERY):
        raise InputError(f"'{rows}' is no choice of rows", hint=f"{EVERY}, or none for the first")
    return None if rows else MOST_ROWS


def rest_of(shown: int, rows: int, things: str, leads: str) -> list[Block]:
    """Return what leads to all rows where a page shows some of them, else nothing."""
    if shown >= rows:
        return []
    text = f"{shown:,} of {rows:,} {things} are listed: "
    return [Paragraph([Span(text), Span("all of them", address=leads)])]


def listed(
    listing: Listing,
    caption: str,
    *,
    view: str = "",
    columns: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
    bars: Sequence[str] = (),
    sides: tuple[str, str] | None = None,
    hidden: Collection[str] = (),
    without_empty: bool = False,
    parted: Sequence[str] = (),
    comments: Mapping[str, str] = _NONE,
    headings: Mapping[str, str] = _NONE,
    links: Callable[[Row], Sequence[Link]] | None = None,
    measure: str = "",
    sql_names: bool = False,
    **options: Any,
) -> Table:
    """Return a listing as a table whose names of things lead to their pages.

    It has the ``columns`` that are named, else all. ``about`` holds by column what all its rows are
    about; ``bars`` are columns of shares of 1, ``sides`` the two with counts for worse and for
    better: bars on one scale, back to back. ``without_empty`` leaves out columns that are undefined
    in all rows, with those ``hidden``. A line parts rows that differ in the columns by which they
    are ``parted``. Buckets of complexity are named in words.

    Columns are explained as their ``view`` does, or by ``comments``, and called by their names or
    ``headings``. Metrics have their labels, but for ``sql_names``. Scores are of the ``measure``,
    or that of the listing, where no column says of which. ``links`` gives the links of a row to
    places on the page, in a last column.
    """
    import pyarrow as pa

    rows = listing.rows
    if "at_most" in rows.column_names:
        rows = _with_named_buckets(rows)
    left_out = {*hidden, *(empty_columns(listing) if without_empty else ())}
    present = {*rows.column_names} - left_out
    names = [name for name in columns or rows.column_names if name in present]
    meaning = {**meanings(), **columns_of_all().get(view, {}), **comments}
    scores = measures_of(
        {
            name: rows[name].to_pylist() if name in MEASURES else range(rows.num_rows)
            for name in rows.column_names
            if not pa.types.is_integer(rows.schema.field(name).type)
        },
        measure or listing.measure,
    )
    table = rows_table(rows.select(names), caption, measures=scores, query=listing.query, **options)
    heads = [
        _column(
            column,
            headings.get(column.name) or (sql_heading if sql_names else heading)(column.name),
            meaning.get(column.name, ""),
            bar=column.name in bars,
        )
        for column in table.columns
    ]
    values = rows.to_pylist()
    lines = [
        _line(line, names, {**(about or {}), **row}, bars, labelled=not sql_names)
        for line, row in zip(table.lines, values, strict=True)
    ]
    if sides is not None and lines:
        lines = _back_to_back(lines, [names.index(name) for name in sides])
    if parted:
        groups = [*zip(*(rows[name].to_pylist() for name in parted), strict=True)]
        before = [*groups[:1], *groups]
        starts = map(ne, groups, before)
        lines = [replace(line, starts=start) for line, start in zip(lines, starts, strict=True)]
    if links is not None:
        heads.append(Column("examples", "links", "sentences with it, worst first"))
        lines = [_with_links(line, links(row)) for line, row in zip(lines, values, strict=True)]
    return replace(table, columns=heads, lines=lines)


def _with_links(line: Line, links: Sequence[Link]) -> Line:
    return replace(line, cells=[*line.cells, Cell("", float(len(links)), links=links)])


def _with_named_buckets(rows: pa.Table) -> pa.Table:
    """Return rows whose buckets of complexity are named in words, in place of their limits."""
    limits = ("at_least", "at_most")
    of_bucket = (rows[name].to_pylist() for name in ("feature", "bucket", *limits))
    named = [bucket_name(*values) for values in zip(*of_bucket, strict=True)]
    place = rows.column_names.index("bucket")
    return rows.set_column(place, "bucket", [named]).drop_columns([*limits])


def _back_to_back(lines: Sequence[Line], places: Sequence[int]) -> list[Line]:
    """Return rows whose counts for worse and for better are bars, the longest that of the most."""
    counts = [[float(line.cells[place].sort or 0) for place in places] for line in lines]
    most = max((count for row in counts for count in row), default=0) or 1
    drawn = []
    for line, row in zip(lines, counts, strict=True):
        cells = list(line.cells)
        for place, count, tone in zip(places, row, _SIDES, strict=True):
            cells[place] = replace(cells[place], share=count / most, tone=tone)
        drawn.append(replace(line, cells=cells))
    return drawn


def first_leads(table: Table, column: str, about: Mapping[str, Any]) -> Table:
    """Return a table whose first cells hold names of a column, and lead to their pages."""
    lines = []
    for line in table.lines:
        first, *others = line.cells
        if isinstance(first.text, str):
            leads = address_of(column, {**about, column: first.text})
            first = replace(first, text=[Span(first.text, address=leads)])
        lines.append(replace(line, cells=[first, *others]))
    return replace(table, lines=lines)


def empty_columns(listing: Listing) -> list[str]:
    """Return the columns that are undefined in all rows."""
    rows = listing.rows
    return [name for name in rows.column_names if rows[name].null_count == rows.num_rows]


def _column(column: Column, head: str, meaning: str, *, bar: bool) -> Column:
    kind = _KINDS.get(column.name, column.kind)
    return replace(column, name=head, kind=kind, meaning=meaning, bar=bar)


def _line(
    line: Line,
    names: Sequence[str],
    row: Mapping[str, Any],
    bars: Sequence[str],
    *,
    labelled: bool,
) -> Line:
    cells = []
    for name, plain in zip(names, line.cells, strict=True):
        leads, cell = address_of(name, row), _readable(name, row[name], plain)
        if labelled and name in MEASURES and isinstance(row[name], str):
            cell = replace(cell, text=label_of(row[name]))
        if leads and isinstance(cell.text, str):
            cell = replace(cell, text=[Span(cell.text, address=leads)])
        if name in _OUTPUTS and isinstance(row.get("reference"), str):
            cell = replace(cell, text=marked_output(row[name], row["reference"]))
        if name in bars and isinstance(row[name], float):
            cell = replace(cell, share=min(max(row[name], 0.0), 1.0))
        cells.append(cell)
    return replace(line, cells=cells)


def _readable(name: str, value: Any, cell: Cell) -> Cell:
    """Return a cell as a reader wants it: minutes of times, signs of changes, yes and no."""
    if isinstance(value, datetime):
        return replace(cell, text=f"{value:%Y-%m-%d %H:%M}", title=str(value))
    if isinstance(value, bool):
        return replace(cell, text="yes" if value else "no")
    if isinstance(value, list):
        return replace(cell, text=", ".join(map(str, value)) or UNDEFINED)
    if isinstance(value, float) and _PROBABILITY.search(name):
        return replace(cell, text=probability(value))
    return cell


def title_leads(card: Block, sentence_no: int, about: Mapping[str, Any]) -> Block:
    """Return a card whose title ends with the link to its sentence's page."""
    if not isinstance(card, Card) or isinstance(card.title, str):
        return card
    leads = address_of("sentence_no", {**about, "sentence_no": sentence_no})
    *before, name = card.title
    return replace(card, title=[*before, replace(name, address=leads)])
