"""Bringing a database to the newest schema: numbered SQL files, each applied in one transaction."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import duckdb

from . import TOOL_VERSION
from .errors import DatabaseUnavailableError
from .statements import SqlFile, parse_sql, quoted

_ADDED = re.compile(r"^ALTER TABLE (\w+) ADD COLUMN (\w+) ", re.MULTILINE)
_DROPPED = re.compile(r"^DROP TABLE (\w+);", re.MULTILINE)
_APPLIED = """SELECT version, name
FROM (SELECT version, name, tool, applied_at FROM main.schema_version) ORDER BY version"""
_OWN = "WHERE database_name = current_database() AND NOT internal"
_VERSION_TABLE = f"""SELECT 1 FROM duckdb_tables() {_OWN}
AND schema_name = 'main' AND table_name = 'schema_version'"""  # noqa: S608
# Views are bound for it, which takes twenty milliseconds: asked only where nothing else tells.
_ANYTHING = f"SELECT 1 FROM duckdb_columns() {_OWN} LIMIT 1"  # noqa: S608


@dataclass(frozen=True)
class Migration:
    """A numbered SQL file: definitions of tables and other statements, empty lines between them."""

    name: str
    text: str

    @property
    def tables(self) -> list[SqlFile]:
        """The tables that it makes."""
        blocks = self.text.split("\n\n-- ")
        return [
            parse_sql(f"-- {block.removeprefix('-- ')}", self.name)
            for block in blocks
            if "CREATE TABLE" in block
        ]

    @property
    def added_columns(self) -> list[tuple[str, str]]:
        """The columns that it adds to tables of before, each as table and column."""
        return _ADDED.findall(self.text)


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations in the order in which they are applied; number n is element n - 1."""
    entries = sorted(
        files(__package__).joinpath("migrations").iterdir(), key=lambda file: file.name
    )
    return tuple(
        Migration(
            entry.name.removesuffix(".sql").partition("_")[2], entry.read_text(encoding="utf-8")
        )
        for entry in entries
        if entry.name.endswith(".sql")
    )


def created_tables() -> list[SqlFile]:
    """Return the tables of a database, each as it was first made."""
    gone = {name for migration in migrations() for name in _DROPPED.findall(migration.text)}
    tables = [table for migration in migrations() for table in migration.tables]
    return [table for table in tables if table.name not in gone]


def columns_of_tables() -> dict[str, tuple[str, ...]]:
    """Return the columns of each table, in their order."""
    by_table = {table.name: [*table.column_comments] for table in created_tables()}
    for migration in migrations():
        for table, column in migration.added_columns:
            if table in by_table:
                by_table[table].append(column)
    return {table: tuple(columns) for table, columns in by_table.items()}


def column_comments(table: str) -> dict[str, str]:
    """Return what the columns of a table hold, after all migrations."""
    return all_column_comments().get(table, {})


def all_column_comments() -> dict[str, dict[str, str]]:
    """Return what the columns of each table hold, after all migrations."""
    with duckdb.connect() as connection:
        migrate(connection, None)
        rows = connection.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal "
            "ORDER BY table_name, column_index"
        ).fetchall()
    comments: dict[str, dict[str, str]] = {}
    for table, column, comment in rows:
        comments.setdefault(table, {})[column] = comment
    return comments


def schema_version(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number of the last migration applied, 0 for an empty database.

    Raises DatabaseUnavailableError for a database of another program, of a newer version or of
    before the first release.
    """
    rows = []
    if connection.execute(_VERSION_TABLE).fetchall():
        with suppress(duckdb.BinderException):  # another program's, with other columns
            rows = connection.execute(_APPLIED).fetchall()
    elif not connection.execute(_ANYTHING).fetchall():
        return 0
    applied = [name for _, name in rows]
    if not applied:
        raise DatabaseUnavailableError(
            "this DuckDB database was not made by the tracker",
            hint="give the file of a tracker database, or a new name, with --database",
        )
    names = [migration.name for migration in migrations()]
    if applied[: len(names)] != names[: len(applied)]:
        raise DatabaseUnavailableError(
            "the database was made by a tracker from before the first release, whose tables this "
            "one does not read",
            hint="load the campaign's files again into a new database (tracker --database "
            "NEW.duckdb ingest …, then score); to keep the old numbers beside it, write them out "
            "with the tracker that made them (tracker share export FOLDER)",
        )
    if len(applied) > len(names):
        raise DatabaseUnavailableError(
            f"the database has schema version {rows[-1][0]}, this tracker knows up to {len(names)}",
            hint="install the newer sr-tracker that wrote it",
        )
    return len(applied)


def check_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise DatabaseUnavailableError where tables lack columns that the migrations made.

    A database of a commit between releases has the version, but not all that it came to have.
    """
    rows = connection.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
    ).fetchall()
    wanted = [(table, column) for table, names in columns_of_tables().items() for column in names]
    missing = [f"{table}.{column}" for table, column in wanted if (table, column) not in {*rows}]
    if missing:
        raise DatabaseUnavailableError(
            "the database was made by a tracker from between two releases, whose tables lack "
            f"{missing[0]}" + (f" and {len(missing) - 1} more columns" if missing[1:] else ""),
            hint="load the campaign's files again into a new database (tracker --database "
            "NEW.duckdb ingest …, then score), or read this one with the tracker that made it",
        )


def is_newest(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether every migration was applied; raises what ``schema_version`` does."""
    return schema_version(connection) == len(migrations())


def migrate(connection: duckdb.DuckDBPyConnection, path: Path | None = None) -> int:
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
        with suppress(duckdb.Error):  # a COMMIT that fails has ended it already
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


def _apply(connection: duckdb.DuckDBPyConnection, number: int, migration: Migration) -> None:
    """Apply one migration, without a query parameter: binding one would import pandas."""
    connection.execute(migration.text)
    for table in migration.tables:
        comment(connection, "TABLE", table)
    values = f"{number}, {quoted(migration.name)}, {quoted(TOOL_VERSION)}, now()"
    connection.execute(f"INSERT INTO schema_version VALUES ({values})")  # noqa: S608


def comment(
    connection: duckdb.DuckDBPyConnection, kind: str, sql: SqlFile, *, columns: bool = True
) -> None:
    """Store what the SQL file says of an object and its columns as comments in the database."""
    statements = [f"COMMENT ON {kind} {sql.name} IS {quoted(sql.description)}"]
    if columns:
        statements += [
            f"COMMENT ON COLUMN {sql.name}.{column} IS {quoted(text)}"
            for column, text in sql.column_comments.items()
        ]
    connection.execute(";".join(statements))
