"""Rows of data as the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.formats import plain
from sr_tracker.tracker.show.languages import named_language
from sr_tracker.tracker.show.model import Cell, Column, Document, Line, Link, Section, Table
from sr_tracker.tracker.show.numbers import UNDEFINED, number, plural, probability

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, Column]
RAW_DIGITS = 4
_SEEN = 1000
"""Rows by which it is told what tells rows apart."""
_NARROW = 24
"""Letters of a name that may stand before scores; longer ones only where none other tells."""


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


def rows_table(rows: pa.Table, caption: str = "", **options: Any) -> Table:
    """Return Arrow rows as a table: floats with four digits, everything else as it is.

    Of the columns before the first float only those that it takes to tell rows apart come first
    where a line is short: scores stand before ids.
    """
    last = _ending(rows)
    columns = [
        Column(field.name, "number" if _is_number(field.type) else "text", ends=field.name in last)
        for field in rows.schema
    ]
    cells = zip(*map(_shown_values, rows.column_names, rows.columns), strict=True)
    lines = [Line([_plain_cell(value) for value in row]) for row in cells]
    return Table(caption, columns, lines, **options)


def without_empty_columns(rows: pa.Table) -> pa.Table:
    """Return rows without the columns that are undefined in all of them."""
    if not rows.num_rows:
        return rows
    pairs = zip(rows.column_names, rows.columns, strict=True)
    return rows.select([name for name, column in pairs if column.null_count < len(column)])


def constant_texts(rows: pa.Table) -> list[str]:
    """Return the text columns that say the same in all of several rows, unless all do."""
    if rows.num_rows < 2:
        return []
    alike = [
        field.name
        for field, column in zip(rows.schema, rows.columns, strict=True)
        if not _is_number(field.type) and _is_constant(column)
    ]
    return alike if len(alike) < rows.num_columns else []


def table_document(table: Table, title: str = "Rows") -> Document:
    """Return a table as a document of its own."""
    rows = plural(len(table.lines), "row")
    return Document("Table", title, [Section("rows", "Rows", "", blocks=[table])], lead=rows)


def _is_number(kind: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind))


def _is_constant(column: pa.ChunkedArray) -> bool:
    from pyarrow import types

    # Arrow does not tell the different values of lists and structs.
    if types.is_nested(column.type):
        return all(value.equals(column[0]) for value in column)
    return len(column.unique()) <= 1


def _shown_values(name: str, column: pa.ChunkedArray[Any]) -> list[Any]:
    """Return a column's values; of codes of languages those with their names."""
    values: list[Any] = column.to_pylist()
    if name != "language":
        return values
    return [named_language(each) if isinstance(each, str) else each for each in values]


def _plain_cell(value: Any) -> Cell:
    if value is None:
        return Cell(UNDEFINED)
    if isinstance(value, float):
        return Cell(number(value, RAW_DIGITS), value)
    return Cell(str(plain(value)), value if isinstance(value, int) else None)


def _ending(rows: pa.Table) -> set[str]:
    """Return the columns before the first float that are not needed to tell rows apart."""
    import pyarrow as pa

    kinds = [pa.types.is_floating(kind) for kind in rows.schema.types]
    if True not in kinds:
        return set()
    some = rows.select(rows.column_names[: kinds.index(True)]).slice(0, _SEEN)
    texts = {name: [*map(str, some[name].to_pylist())] for name in some.column_names}
    widths = {name: max(map(len, cells), default=0) for name, cells in texts.items()}

    def told_apart(names: Sequence[str]) -> int:
        return len({*zip(*(texts[name] for name in names), strict=True)})

    narrow = [name for name in texts if widths[name] <= _NARROW]
    wanted = narrow if told_apart(narrow) == told_apart([*texts]) else [*texts]
    # A single row is told apart by nothing, but has a name.
    needed = [n for n in wanted if pa.types.is_string(some[n].type)][:1] if len(some) == 1 else []
    while told_apart(needed) < told_apart(wanted):
        needed.append(max(wanted, key=lambda name: (told_apart([*needed, name]), -widths[name])))
    return {*texts} - {*needed}
