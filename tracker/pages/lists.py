"""Listings as tables whose names lead to pages."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from ...queries.change.comparison.buckets import bucket_name
from ...queries.exploring import Listing
from ...queries.metrics.registry import External, external_metrics
from ...queries.numbers import UNDEFINED, number, probability
from ..show.model import Block, Card, Cell, Column, Line, Span, Table, Tone
from ..show.tables import RAW_DIGITS, rows_table
from .addresses import address_of

PAGE_ROWS = 100
IDENTITY = ("year", "system_kind", "language", "track", "reference_form", "params", "tags")
"""Columns of views about submissions that tables leave to the submission's page."""
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


def meanings() -> Mapping[str, str]:
    """Return what columns of views hold, by their names, where all views say the same."""
    return _meanings(external_metrics())


@lru_cache(maxsize=16)
def _meanings(external: tuple[External, ...]) -> Mapping[str, str]:  # noqa: ARG001
    from ...queries.catalog import views

    found: dict[str, set[str]] = {}
    for view in views():
        for name, meaning in view.column_comments.items():
            found.setdefault(name, set()).add(meaning)
    return {name: next(iter(told)) for name, told in found.items() if len(told) == 1}


def listed(
    listing: Listing,
    caption: str,
    *,
    about: Mapping[str, Any] | None = None,
    bars: Sequence[str] = (),
    sides: tuple[str, str] | None = None,
    hidden: Collection[str] = (),
    comments: Mapping[str, str] | None = None,
    **options: Any,
) -> Table:
    """Return a listing as a table whose names of things lead to their pages.

    ``about`` tells by column what all its rows are about, ``bars`` which columns are shares of 1,
    ``sides`` which two hold counts for worse and for better: bars on one scale, back to back.
    """
    kept = [name for name in listing.rows.column_names if name not in hidden]
    told = meanings() if comments is None else comments
    table = rows_table(listing.rows.select(kept), caption, query=listing.query, **options)
    columns = [_column(each, told, bar=each.name in bars) for each in table.columns]
    rows = listing.rows.to_pylist()
    lines = [
        _line(line, kept, {**(about or {}), **row}, bars)
        for line, row in zip(table.lines, rows, strict=True)
    ]
    if sides is not None:
        lines = _back_to_back(lines, [kept.index(name) for name in sides])
    return replace(table, columns=columns, lines=lines)


def _back_to_back(lines: Sequence[Line], places: Sequence[int]) -> list[Line]:
    """Return rows whose counts for worse and for better are bars, the longest that of the most."""
    counts = [[float(line.cells[place].sort or 0) for place in places] for line in lines]
    most = max((count for row in counts for count in row), default=0) or 1
    found = []
    for line, row in zip(lines, counts, strict=True):
        cells = list(line.cells)
        for place, count, tone in zip(places, row, _SIDES, strict=True):
            cells[place] = replace(cells[place], share=count / most, tone=tone)
        found.append(replace(line, cells=cells))
    return found


def named_buckets(table: Table, listing: Listing) -> Table:
    """Return a table of the view ``complexity_buckets`` whose buckets are named in words."""
    of = ("feature", "bucket", "at_least", "at_most")
    names = [
        bucket_name(*values)
        for values in zip(*(listing.rows[n].to_pylist() for n in of), strict=True)
    ]
    kept = [n for n, name in enumerate(listing.rows.column_names) if name not in of[2:]]
    place = listing.rows.column_names.index("bucket")
    lines = [
        replace(line, cells=[Cell(name) if n == place else line.cells[n] for n in kept])
        for line, name in zip(table.lines, names, strict=True)
    ]
    columns = [
        replace(table.columns[n], kind="text") if n == place else table.columns[n] for n in kept
    ]
    return replace(table, columns=columns, lines=lines)


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


def _column(column: Column, told: Mapping[str, str], *, bar: bool) -> Column:
    name = column.name if column.name == "sent_id" else column.name.removesuffix("_id")
    name = name.replace("_", " ")
    return replace(column, name=name, meaning=told.get(column.name, ""), bar=bar)


def _line(line: Line, names: Sequence[str], row: Mapping[str, Any], bars: Sequence[str]) -> Line:
    cells = []
    for name, plain in zip(names, line.cells, strict=True):
        leads, cell = address_of(name, row), _readable(name, row[name], plain)
        if leads and isinstance(cell.text, str):
            cell = replace(cell, text=[Span(cell.text, address=leads)])
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
    if isinstance(value, float) and name.endswith("change"):
        return replace(cell, text=number(value, RAW_DIGITS, sign=True))
    return cell


def title_leads(card: Block, sentence_no: int, about: Mapping[str, Any]) -> Block:
    """Return a card whose title ends with the link to its sentence's page."""
    if not isinstance(card, Card) or isinstance(card.title, str):
        return card
    leads = address_of("sentence_no", {**about, "sentence_no": sentence_no})
    *before, name = card.title
    return replace(card, title=[*before, replace(name, address=leads)])
