"""Rows of data as the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.report.page_model import Cell, Column, Line, Link, Table

UNDEFINED = "–"
Columns = Mapping[str, Column]


def number(value: float | None, digits: int = 3) -> str:
    """Return a number as it is shown: a true minus sign, thousands set apart, a dash for None."""
    if value is None:
        return UNDEFINED
    text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.replace("-", "")


def probability(value: float | None) -> str:
    """Return a p-value as it is shown."""
    if value is None:
        return UNDEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


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
        return Cell(number(value, column.digits), float(value), share)
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
