"""Rows as Python's own values: all that text needs, without Arrow, which takes long to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from duckdb.sqltypes import DuckDBPyType

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

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
            {name: found for name, found in self.columns.items() if name not in names}, self.kinds
        )

    def slice(self, start: int, length: int) -> Rows:
        """Return some rows that follow each other."""
        some = slice(start, start + length)
        return Rows({name: found[some] for name, found in self.columns.items()}, self.kinds)

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
    relation: duckdb.DuckDBPyRelation,
    names: Sequence[str],
    limit: int | None,
    check_size: Callable[[int], None],
) -> Rows | None:
    """Return the rows of a relation, up to a batch beyond ``limit``.

    None where a column's values are such as only Arrow gives back alike, as times and decimals.
    ``check_size`` is given the bytes that they take so far, about, and may raise.
    """
    if not all(_is_plain(kind) for kind in relation.types):
        return None
    found: list[tuple[Any, ...]] = []
    size = 0
    while batch := relation.fetchmany(_BATCH):
        found += batch
        size += sum(len(each) if isinstance(each, str | list) else 8 for each in chain(*batch))
        check_size(size)
        if limit is not None and len(found) > limit:
            break
    columns = [*zip(*found, strict=True)] or [()] * len(names)
    kinds = [_KINDS.get(kind.id, "other") for kind in relation.types]
    return Rows(dict(zip(names, columns, strict=True)), dict(zip(names, kinds, strict=True)))


def _is_plain(kind: DuckDBPyType) -> bool:
    if kind.id == "list":
        return all(isinstance(part, DuckDBPyType) and _is_plain(part) for _, part in kind.children)
    return kind.id in _KINDS


def _kind(kind: pa.DataType) -> Kind:
    from pyarrow import types

    if types.is_floating(kind):
        return "float"
    if types.is_integer(kind) or types.is_decimal(kind):
        return "whole"
    return "text" if types.is_string(kind) else "other"
