"""Rows of data as the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.model import Cell, Column, Line, Link, Table
from sr_tracker.tracker.show.numbers import UNDEFINED, number, probability

Columns = Mapping[str, Column]


def cell(value: Any, column: Column) -> Cell:
    """Return a value as a cell of the column."""
    if value is None:
        return Cell(UNDEFINED)
    if column.kind == "yes":
        return Cell("yes" if value else "no", float(not value))
    if column.kind == "probability":
        return Cell(probability(value), float(value))
    if column.kind == "number":
        share = min(max(float(value), 0.0), 1.0) if column.bar else None
        return Cell(number(value, column.digits), float(value), share=share)
    return Cell(str(value), str(value))


def table(
    caption: str,
    columns: Columns,
    rows: Sequence[Row],
    *,
    links: Callable[[Row], Sequence[Link]] | None = None,
    **options: Any,
) -> Table:
    """Return a table of rows; columns that are undefined in all of them are left out.

    ``links`` gives the links of a row, in a last column named examples.
    """
    present = {key: c for key, c in columns.items() if any(row[key] is not None for row in rows)}
    heads = [*present.values()]
    lines = [[cell(row[key], column) for key, column in present.items()] for row in rows]
    if links is not None:
        heads.append(Column("examples", "links", "sentences with it, worst first"))
        for line, row in zip(lines, rows, strict=True):
            found = links(row)
            line.append(Cell("", float(len(found)), links=found))
    return Table(caption, heads, [Line(line) for line in lines], **options)
