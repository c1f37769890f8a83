"""Bringing a database to the newest schema: numbered SQL files, each applied in one transaction."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.errors import DatabaseUnavailableError
from sr_tracker.schema.sqlfile import SqlFile, quoted, read_sql_files

_ALTERED = re.compile(r"^ALTER TABLE (\w+) ADD COLUMN", re.MULTILINE)
_VERSION_COLUMNS = ("version", "name", "tool", "applied_at")


def migrations() -> list[SqlFile]:
    """Return the migrations in the order in which they are applied; number n is element n - 1."""
    return read_sql_files(__package__, "migrations")


def schema_version(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number of the last migration applied, 0 for an empty database.

    Raises DatabaseUnavailableError for a database of another program or of a newer version.
    """
    columns = {
        (table, column)
        for table, column in connection.execute(
            "SELECT schema_name || '.' || table_name, column_name FROM duckdb_columns() "
            "WHERE database_name = current_database() AND NOT internal"
        ).fetchall()
    }
    if not columns:
        return 0
    version = None
    if {("main.schema_version", column) for column in _VERSION_COLUMNS} <= columns:
        (version,) = connection.execute("SELECT max(version) FROM schema_version").fetchone() or [0]
    if version is None:
        raise DatabaseUnavailableError(
            "this DuckDB database was not made by the tracker",
            hint="give the file of a tracker database, or a new name, with --database",
        )
    if version > len(migrations()):
        raise DatabaseUnavailableError(
            f"the database has schema version {version}, this tracker knows up to "
            f"{len(migrations())}",
            hint="install the newer sr-tracker that wrote it",
        )
    return int(version)


def migrate(connection: duckdb.DuckDBPyConnection, path: Path | None) -> int:
    """Apply the missing migrations and return how many there were.

    A database that already holds data is copied to ``<name>.before-<version>`` first.
    """
    current = schema_version(connection)
    pending = migrations()[current:]
    if not pending:
        return 0
    if current and path is not None:
        _back_up(connection, path)
    connection.execute("BEGIN")
    try:
        for number, migration in enumerate(pending, start=current + 1):
            _apply(connection, number, migration)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return len(pending)


def _back_up(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    copy = path.with_name(f"{path.name}.before-{len(migrations())}")
    connection.execute("CHECKPOINT")
    try:
        shutil.copy2(path, copy)
    except OSError as error:
        raise DatabaseUnavailableError(
            f"the database cannot be copied before its upgrade: {error.strerror}",
            where=str(copy),
            hint="make room for the copy and allow writing beside the database",
        ) from error


def _apply(connection: duckdb.DuckDBPyConnection, number: int, migration: SqlFile) -> None:
    connection.execute(migration.text)
    if "CREATE TABLE" in migration.text:
        comment(connection, "TABLE", migration)
    for table in _ALTERED.findall(migration.text):
        comment_columns(connection, table, migration)
    connection.execute(
        "INSERT INTO schema_version VALUES (?, ?, ?, now())",
        [number, migration.name, TOOL_VERSION],
    )


def comment(connection: duckdb.DuckDBPyConnection, kind: str, sql: SqlFile) -> None:
    """Store what the SQL file says of an object and its columns as comments in the database."""
    connection.execute(f"COMMENT ON {kind} {sql.name} IS {quoted(sql.description)}")
    comment_columns(connection, sql.name, sql)


def comment_columns(connection: duckdb.DuckDBPyConnection, table: str, sql: SqlFile) -> None:
    """Store what the SQL file says of columns as comments on those of a table or view."""
    statements = [
        f"COMMENT ON COLUMN {table}.{column} IS {quoted(text)}"
        for column, text in sql.column_comments.items()
    ]
    connection.execute(";".join(statements))
