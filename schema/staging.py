"""The one write path of ingestion: rows are staged, checked as sets, and moved all or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import duckdb
import pyarrow as pa

from . import TOOL_VERSION
from .database import Database
from .engine import one_thread
from .errors import InputError
from .keys import natural_keys
from .temporary import lent


@dataclass(frozen=True)
class Load:
    """What one file contributes: rows by table, and what they replace."""

    kind: str
    target: str
    source: str
    sha256: str
    records: int
    rows: dict[str, pa.Table]
    replaces: Sequence[tuple[str, str, str]] = field(default=())
    """Rows deleted first, each as table, column and the value it has."""


def is_loaded(database: Database, kind: str, target: str, sha256: str) -> bool:
    """Return whether the same content was loaded as the same target before."""
    row = database.connection.execute(
        "SELECT 1 FROM ingestion WHERE kind = ? AND target = ? AND sha256 = ?",
        [kind, target, sha256],
    ).fetchone()
    return row is not None


def commit(database: Database, *loads: Load) -> None:
    """Check the staged rows as sets and move them into their tables, those of all files or none.

    Raises InputError where two staged rows have the same key.
    """
    connection = database.connection
    tables: dict[str, list[pa.Table]] = {}
    for load in loads:
        for table, rows in load.rows.items():
            if rows.num_rows:
                tables.setdefault(table, []).append(rows)
    filled = {
        table: pa.concat_tables(rows, promote_options="default") for table, rows in tables.items()
    }
    columns = ("kind", "target", "source", "sha256", "records")
    files = {name: pa.array([getattr(load, name) for load in loads]) for name in columns}
    files["place"] = pa.array(range(len(loads)), pa.int32())
    staged = {f"staged_{table}": rows for table, rows in filled.items()}
    # Rows are written in their order, by one thread: a second one would wait busily.
    with lent(database, **staged, loaded_files=pa.table(files)), one_thread(database):
        for table, rows in filled.items():
            if rows.num_rows > 1:
                _check_unique(connection, table, ", ".join(load.source for load in loads))
        with database.transaction():
            for load in loads:
                for table, column, value in load.replaces:
                    connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [value])  # noqa: S608
            for table in filled:
                connection.execute(
                    f"INSERT INTO {table} BY NAME SELECT * FROM staged_{table}"  # noqa: S608
                )
            _record(connection)


def commit_in_place(
    database: Database, load: Load, key: Mapping[str, str], *, replace: bool, taken: InputError
) -> bool:
    """Store the rows of one table in place of those with a key; return whether anything changed.

    The same content, loaded again, changes nothing. Raises ``taken`` where there are other rows
    that are not to be replaced.
    """
    (table,) = load.rows
    same = f"{table} WHERE {' AND '.join(f'{column} = ?' for column in key)}"
    values = [*key.values()]
    with database.transaction() as connection:
        there = connection.execute(f"SELECT 1 FROM {same} LIMIT 1", values).fetchone()  # noqa: S608
        if there and is_loaded(database, load.kind, load.target, load.sha256):
            return False
        if there and not replace:
            raise taken
        connection.execute(f"DELETE FROM {same}", values)  # noqa: S608
        commit(database, load)
    return True


def _check_unique(connection: duckdb.DuckDBPyConnection, table: str, source: str) -> None:
    key = natural_keys()[table]
    keys = ", ".join(key)
    twice = connection.execute(
        f"SELECT {keys} FROM staged_{table} GROUP BY {keys} HAVING count(*) > 1 LIMIT 1"  # noqa: S608
    ).fetchone()
    if twice is not None:
        values = ", ".join(f"{name} {value}" for name, value in zip(key, twice, strict=True))
        raise InputError(
            f"the same {table.replace('_', ' ')} is given twice: {values}",
            where=source,
            hint="keep one of them",
        )


def _record(connection: duckdb.DuckDBPyConnection) -> None:
    """Note the ``loaded_files`` in the table ``ingestion``, in their order."""
    connection.execute(
        "DELETE FROM ingestion USING loaded_files AS loaded "
        "WHERE ingestion.kind = loaded.kind AND ingestion.target = loaded.target"
    )
    connection.execute(
        "INSERT INTO ingestion SELECT sha256(concat_ws(chr(10), kind, target, sha256)), kind, "
        "target, source, sha256, records, ?, now(), next_revision() + place FROM loaded_files",
        [TOOL_VERSION],
    )
