"""Values, rows and objects as text that other programs read (JSON and CSV), and as Python's own.

Text needs no more than Python's values: Arrow takes long to import.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from duckdb.sqltypes import DuckDBPyType

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

CELLS_AT_ONCE = 10_000
"""So many are held as text at once."""
# What ``visible`` shows, without the line ends of JSON itself.
_STEERING = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_RUNS_AS_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


class _Lines:
    """Lines that end in LF; the csv module quotes what is part of the line end it is told."""

    END = "\r\n"

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> None:
        self.written.append(f"{line.removesuffix(self.END)}\n")


def json_text(content: Any, *, indent: int | None = 1) -> str:
    """Return content as JSON in one or more whole lines.

    Characters that could steer a terminal are written as escapes, numbers that JSON lacks
    (NaN, infinities) as strings.
    """
    try:
        text = _dumped(content, indent)
    except ValueError:
        text = _dumped(_finite(content), indent)
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def csv_text(names: Sequence[str], rows: Iterable[Iterable[Any]], *, formulas: bool = True) -> str:
    """Return rows as CSV below their names; None is an empty cell.

    Without ``formulas`` an apostrophe stands before each text that a spreadsheet would run as one.
    """
    cell = plain if formulas else _inert
    lines = _Lines()
    writer = csv.writer(lines, lineterminator=_Lines.END)
    writer.writerow([cell(name) for name in names])
    writer.writerows(["" if value is None else cell(value) for value in row] for row in rows)
    return "".join(lines.written)


def csv_pieces(rows: pa.Table) -> Iterator[str]:
    """Yield the rows of a table as CSV, some at a time."""
    for number, piece in enumerate(_pieces(rows)):
        cells = zip(*(column.to_pylist() for column in piece.columns), strict=True)
        text = csv_text(piece.column_names, cells)
        yield text if not number else text.partition("\n")[2]


def json_pieces(rows: pa.Table) -> Iterator[str]:
    """Yield the rows of a table as a JSON list of objects, some at a time."""
    if not rows.num_rows:
        yield json_text([])
        return
    for number, piece in enumerate(_pieces(rows)):
        whole = json_text(piece.to_pylist())
        yield ("," if number else "[") + whole.removeprefix("[").removesuffix("\n]\n")
    yield "\n]\n"


def _pieces(rows: pa.Table) -> Iterator[pa.Table]:
    """Yield pieces of a table of few cells each, at least one: as text a cell may be long."""
    at_once = max(CELLS_AT_ONCE // max(rows.num_columns, 1), 1)
    for start in range(0, max(rows.num_rows, 1), at_once):
        yield rows.slice(start, at_once)


def plain(value: Any) -> str | float:
    """Return a value as a cell holds it; lists and objects as JSON, bytes as DuckDB writes them."""
    if isinstance(value, list | tuple | dict):
        return json_text(value, indent=None).rstrip("\n")
    if isinstance(value, bytes):
        return "".join(map(_byte, value))
    return value if isinstance(value, str | int | float) else str(value)


def _byte(value: int) -> str:
    return chr(value) if 32 <= value < 127 and value not in b"\"'\\" else f"\\x{value:02X}"


def _inert(value: Any) -> str | float:
    runs = isinstance(value, str) and value.startswith(_RUNS_AS_FORMULA)
    return f"'{value}" if runs else plain(value)


def _dumped(content: Any, indent: int | None) -> str:
    return json.dumps(
        content, ensure_ascii=False, indent=indent, default=_json_value, allow_nan=False
    )


def _json_value(value: Any) -> Any:
    """Return a number for a Decimal where one is as exact, ISO 8601 for a time, else the text."""
    if isinstance(value, Decimal):
        number = float(value)
        return number if Decimal(repr(number)) == value else str(value)
    return value.isoformat() if isinstance(value, datetime) else plain(value)


def _finite(content: Any) -> Any:
    """Return content with strings for the numbers that JSON lacks."""
    if isinstance(content, dict):
        return {name: _finite(value) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_finite(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return "NaN" if math.isnan(content) else f"{'-' if content < 0 else ''}Infinity"
    return content


Kind = Literal["text", "whole", "float", "other"]
"""What a column holds; whole are all exact numbers."""
_BATCH = 10_000
_WHOLE = {
    *("tinyint", "smallint", "integer", "bigint"),
    *("utinyint", "usmallint", "uinteger", "ubigint"),
}
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(_WHOLE, "whole"),
    **dict.fromkeys(("float", "double"), "float"),
    "varchar": "text",
    "boolean": "other",
}


@dataclass(frozen=True)
class Rows:
    """Columns of Python's own values by their names, and what kind of values they are."""

    columns: Mapping[str, Sequence[Any]]
    kinds: Mapping[str, Kind]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""
        return zip(*self.columns.values(), strict=True)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [*self.columns]

    def drop_columns(self, names: Sequence[str]) -> Rows:
        """Return the rows without some columns."""
        return Rows(
            {name: values for name, values in self.columns.items() if name not in names}, self.kinds
        )

    def slice(self, start: int, length: int) -> Rows:
        """Return some rows that follow each other."""
        some = slice(start, start + length)
        return Rows({name: values[some] for name, values in self.columns.items()}, self.kinds)

    def to_pylist(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self]


def plain_rows(rows: pa.Table | Rows) -> Rows:
    """Return the rows of an Arrow table as plain ones; plain ones as they are."""
    if isinstance(rows, Rows):
        return rows
    return Rows(
        dict(zip(rows.column_names, (column.to_pylist() for column in rows.columns), strict=True)),
        {field.name: _kind(field.type) for field in rows.schema},
    )


def fetched(
    connection: duckdb.DuckDBPyConnection,
    types: Mapping[str, DuckDBPyType],
    limit: int | None,
    check_size: Callable[[int], None],
) -> Rows:
    """Return the rows of a connection's result, up to a batch beyond ``limit``.

    ``types`` are those of the columns, plain ones, by their names. ``check_size`` is given the
    bytes that the rows take so far, about, and may raise.
    """
    rows: list[tuple[Any, ...]] = []
    size = 0
    while batch := connection.fetchmany(_BATCH):
        rows += batch
        size += sum(len(value) if isinstance(value, str | list) else 8 for value in chain(*batch))
        check_size(size)
        if limit is not None and len(rows) > limit:
            break
    columns = [*zip(*rows, strict=True)] or [()] * len(types)
    kinds: dict[str, Kind] = {name: _KINDS.get(kind.id, "other") for name, kind in types.items()}
    return Rows(dict(zip(types, columns, strict=True)), kinds)


def is_plain(kind: DuckDBPyType) -> bool:
    """Return whether ``fetched`` gives values of a type back as Arrow does: no times, decimals."""
    if kind.id == "list":
        return all(isinstance(part, DuckDBPyType) and is_plain(part) for _, part in kind.children)
    return kind.id in _KINDS


def _kind(kind: pa.DataType) -> Kind:
    from pyarrow import types

    if types.is_floating(kind):
        return "float"
    if types.is_integer(kind) or types.is_decimal(kind):
        return "whole"
    return "text" if types.is_string(kind) else "other"
