"""Temporary tables that Python and SQL share: whatever a block makes is gone when it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import duckdb

from .database import Database
from .statements import fetch_table, read_tuples, released

if TYPE_CHECKING:
    import pyarrow as pa


@contextmanager
def lent(database: Database, **tables: pa.Table) -> Iterator[None]:
    """Let the block's statements, which make no temporary tables, read Arrow tables by these names.

    What ``temporary`` does besides, asking what there is before and after, takes several times as
    long as a small statement.
    """
    connection = database.connection
    try:
        for name, rows in tables.items():
            released(connection).register(name, rows)
        yield
    finally:
        with suppress(duckdb.TransactionException):  # it failed, and takes what it made with it
            for name in tables:
                released(connection).unregister(name)


@contextmanager
def temporary(database: Database, **tables: pa.Table) -> Iterator[None]:
    """Let the block's statements read Arrow tables by these names.

    When it ends, however it ends, these and all temporary tables and views that its statements made
    are gone; those of an enclosing block stay.
    """
    connection = database.connection
    before = read_tuples(database, "temporary_objects")
    try:
        with lent(database, **tables):
            yield
    finally:
        with suppress(duckdb.TransactionException):
            for made in read_tuples(database, "temporary_objects"):
                if made not in before:
                    kind, name = made
                    connection.execute(f'DROP {kind} temp."{name}"')


def hold(database: Database, name: str, rows: pa.Table) -> None:
    """Make a temporary table of rows, in place of one of its name, for the ``temporary`` block."""
    connection = database.connection
    released(connection).register("held_rows", rows)
    connection.execute(f'CREATE OR REPLACE TEMP TABLE "{name}" AS FROM held_rows')
    connection.unregister("held_rows")


def rows_of(database: Database, table: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows as Arrow with the columns and types of a table, NULL where a row has no value.

    Columns that no row names are left out.
    """
    import pyarrow as pa

    stored = fetch_table(database.connection, f"FROM {table} LIMIT 0").schema
    named = {column for row in rows for column in row}
    return pa.Table.from_pylist(
        [*rows], schema=pa.schema([field for field in stored if not rows or field.name in named])
    )


def insert(database: Database, table: str, rows: pa.Table | Sequence[Mapping[str, Any]]) -> None:
    """Add rows to a table by the names of its columns; what they lack has the table's default."""
    added = rows_of(database, table, rows) if isinstance(rows, Sequence) else rows
    with lent(database, added_rows=added):
        database.connection.execute(f"INSERT INTO {table} BY NAME FROM added_rows")


def table_of(rows: Iterable[Sequence[object]], **columns: pa.DataType) -> pa.Table:
    """Return rows of values as a table with these columns, given with their types."""
    import pyarrow as pa

    values = [*zip(*rows, strict=True)] or [()] * len(columns)
    arrays = [pa.array(column, kind) for column, kind in zip(values, columns.values(), strict=True)]
    return pa.table(arrays, names=[*columns])
