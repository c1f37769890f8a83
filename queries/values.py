"""What DuckDB returns, as Arrow tables that every format, pandas and Python can hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa
from duckdb.sqltypes import DuckDBPyType

from ..schema.database import Database
from ..schema.statements import fetch_table
from ..schema.temporary import temporary
from .limits import check_size

_NESTED = {"list", "array", "map", "struct"}
_HELD = {
    *("boolean", "tinyint", "smallint", "integer", "bigint"),
    *("utinyint", "usmallint", "uinteger", "ubigint", "float", "double", "decimal"),
    *("varchar", "blob", "uuid", "enum", "date", "time", '"null"'),
    *("timestamp", "timestamp_s", "timestamp_ms", "timestamp_ns", "timestamp with time zone"),
}
_DAY_SECONDS = 86_400
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # of the years 1 and 9999, which Python's dates end at
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def holdable(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return a relation whose columns Arrow, Parquet and pandas can hold.

    Columns of other types (intervals, bits, unions, times with a zone …) become text, as DuckDB
    writes them.
    """
    held = [kind.id == "hugeint" or _is_held(kind) for kind in relation.types]
    if all(held):
        return relation
    return relation.project(
        ", ".join(
            f"#{place}" if is_held else f"CAST(#{place} AS VARCHAR)"
            for place, is_held in enumerate(held, start=1)
        )
    )


def settled(database: Database, rows: pa.Table) -> pa.Table:
    """Return rows without the values that Python, pandas or a file would refuse or change.

    A column with a date or time that Python has none for (infinite, before year 1, 24:00) becomes
    text, as DuckDB writes it; whole numbers of 128 bits become 64 bits, or text where they do not
    fit.
    """
    strange = [
        place
        for place, column in enumerate(rows.columns)
        if any(_is_strange(leaf) for chunk in column.chunks for leaf in _leaves(chunk))
    ]
    if strange:
        texts = ", ".join(f"CAST(#{place} AS VARCHAR)" for place in range(1, len(strange) + 1))
        with temporary(database, strange_rows=rows.select(strange)):
            settled_columns = fetch_table(
                database.connection,
                f"SELECT {texts} FROM strange_rows",  # noqa: S608
            )
        for place, column in zip(strange, settled_columns.columns, strict=True):
            rows = rows.set_column(place, rows.column_names[place], column)
    for place, field in enumerate(rows.schema):
        if field.type == pa.decimal128(38, 0):
            rows = rows.set_column(place, field.name, _whole_numbers(rows.column(place)))
    return rows


def as_arrow(
    database: Database,
    relation: duckdb.DuckDBPyRelation,
    names: Sequence[str],
    rows: int | None,
) -> pa.Table:
    """Return the rows of a relation as every format holds them, up to a batch beyond ``rows``."""
    batches = []
    count = size = 0
    with holdable(relation).to_arrow_reader(10_000) as reader:
        for batch in reader:
            batches.append(batch)
            count += batch.num_rows
            size += batch.nbytes
            check_size(size)
            if rows is not None and count > rows:
                break
    table = pa.Table.from_batches(batches, schema=reader.schema)
    return settled(database, table.rename_columns(names))


def _is_held(kind: DuckDBPyType) -> bool:
    if kind.id not in _NESTED:
        return kind.id in _HELD
    parts = [part for _, part in kind.children if isinstance(part, DuckDBPyType)]
    return bool(parts) and all(_is_held(part) for part in parts)  # Parquet has no empty structures


def _leaves(array: pa.Array) -> Iterator[pa.Array]:
    """Yield the arrays of plain values that an array of lists, structures or maps is made of."""
    kind = array.type
    if pa.types.is_struct(kind):
        parts = array.flatten()
    elif pa.types.is_map(kind):
        parts = [array.keys, array.items]
    elif pa.types.is_nested(kind):
        parts = [array.flatten()]
    else:
        yield array
        return
    for part in parts:
        yield from _leaves(part)


def _is_strange(leaf: pa.Array) -> bool:
    kind = leaf.type
    if pa.types.is_date32(kind):
        first, last = _FIRST_DAY, _LAST_DAY
    elif pa.types.is_time(kind):
        first, last = 0, _DAY_SECONDS * _UNITS[kind.unit] - 1
    elif pa.types.is_timestamp(kind):
        unit = _UNITS[kind.unit]
        first = max(_FIRST_DAY * _DAY_SECONDS * unit, -(2**63) + 2)
        last = min((_LAST_DAY + 1) * _DAY_SECONDS * unit - 1, 2**63 - 2)
    else:
        return False
    import pyarrow.compute as pc

    ends = pc.min_max(leaf.view(pa.int32() if kind.bit_width == 32 else pa.int64())).as_py()
    return ends["min"] is not None and (ends["min"] < first or ends["max"] > last)


def _whole_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return column.cast(pa.string())
