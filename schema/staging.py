"""The one write path of ingestion: rows are staged, checked as sets, and moved all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import duckdb
import pyarrow as pa

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.keys import KEYS
from sr_tracker.schema.temporary import temporary


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
    found = database.connection.execute(
        "SELECT 1 FROM ingestion WHERE kind = ? AND target = ? AND sha256 = ?",
        [kind, target, sha256],
    ).fetchone()
    return found is not None


def commit(database: Database, load: Load) -> None:
    """Check the staged rows as sets and move them into their tables, all or nothing.

    Raises InputError where two staged rows have the same key.
    """
    connection = database.connection
    filled = {table: rows for table, rows in load.rows.items() if rows.num_rows}
    with temporary(database, **{f"staged_{table}": rows for table, rows in filled.items()}):
        for table, rows in filled.items():
            if rows.num_rows > 1:
                _check_unique(connection, table, load.source)
        with database.transaction():
            for table, column, value in load.replaces:
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [value])  # noqa: S608
            for table in filled:
                connection.execute(
                    f"INSERT INTO {table} BY NAME SELECT * FROM staged_{table}"  # noqa: S608
                )
            _record(connection, load)


def _check_unique(connection: duckdb.DuckDBPyConnection, table: str, source: str) -> None:
    keys = ", ".join(KEYS[table])
    twice = connection.execute(
        f"SELECT {keys} FROM staged_{table} GROUP BY {keys} HAVING count(*) > 1 LIMIT 1"  # noqa: S608
    ).fetchone()
    if twice is not None:
        values = ", ".join(f"{key} {value}" for key, value in zip(KEYS[table], twice, strict=True))
        raise InputError(
            f"the same {table.replace('_', ' ')} is given twice: {values}",
            where=source,
            hint="keep one of them",
        )


def _record(connection: duckdb.DuckDBPyConnection, load: Load) -> None:
    connection.execute(
        "DELETE FROM ingestion WHERE kind = ? AND target = ?", [load.kind, load.target]
    )
    connection.execute(
        "INSERT INTO ingestion VALUES (sha256(?), ?, ?, ?, ?, ?, ?, now(), next_revision())",
        [
            f"{load.kind}\n{load.target}\n{load.sha256}",
            load.kind,
            load.target,
            load.source,
            load.sha256,
            load.records,
            TOOL_VERSION,
        ],
    )
