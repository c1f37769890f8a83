"""The tables of a database, as their classes say, and bringing one made before to them.

Numbered SQL files do that, each applied once and all in one transaction.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import duckdb

from . import TOOL_VERSION
from .errors import DatabaseUnavailableError
from .statements import SqlFile, quoted
from .themes import THEMES

STORAGE = "v1.0.0"
"""The oldest DuckDB that reads a new file, whichever makes it; opening a file leaves it so."""
_FOLDER = Path(__file__).parent
_CORE = ("__init__", "campaign", "human", "score", "change")
_TYPES = {
    "bool": "BOOLEAN",
    "datetime": "TIMESTAMP WITH TIME ZONE",
    "dict[str, Any]": "JSON",
    "float": "DOUBLE",
    "int": "INTEGER",
    "str": "VARCHAR",
}
"""Types of columns by what a class is annotated with; lists name their own."""
_APPLIED = """SELECT version, name
FROM (SELECT version, name, tool, applied_at FROM main.schema_version) ORDER BY version"""
_OWN = "WHERE database_name = current_database() AND NOT internal"
_VERSION_TABLE = f"""SELECT 1 FROM duckdb_tables() {_OWN}
AND schema_name = 'main' AND table_name = 'schema_version'"""  # noqa: S608
# Views are bound for it, which takes twenty milliseconds: asked only where nothing else tells.
_ANYTHING = f"SELECT 1 FROM duckdb_columns() {_OWN} LIMIT 1"  # noqa: S608


class _Column(NamedTuple):
    name: str
    definition: str
    comment: str
    is_key: bool
    of: str | None


@cache
def tables() -> dict[str, SqlFile]:
    """Return the tables by their names, each with the SQL that makes it.

    They are read from the source of their classes: to import these takes longer than most commands.
    """
    inherited: dict[str, list[_Column]] = {}
    by_name: dict[str, SqlFile] = {}
    sources = [_FOLDER / "tables" / f"{name}.py" for name in _CORE]
    for path in (*sources, *(_FOLDER / theme / "tables.py" for theme in THEMES)):
        if not path.is_file():
            continue
        source = path.read_text(encoding="utf-8")
        lines, module = source.split("\n"), ast.parse(source)
        group = (ast.get_docstring(module) or "").partition("\n")[0].removesuffix(".")
        for node in module.body:
            if not isinstance(node, ast.ClassDef):
                continue
            base = getattr(node.bases[0], "id", "")
            columns = [*inherited.get(base, ()), *_columns(node, lines)]
            if node.keywords:
                table = _table(node, columns, group, keyed=base == "Entity")
                by_name[table.name] = table
            else:
                inherited[node.name] = columns
    return by_name


def _columns(node: ast.ClassDef, lines: list[str]) -> list[_Column]:
    return [_column(field, lines) for field in node.body if isinstance(field, ast.AnnAssign)]


def _column(node: ast.AnnAssign, lines: list[str]) -> _Column:
    where, call = node.annotation, node.value
    annotation = lines[where.lineno - 1][where.col_offset : where.end_col_offset]
    kind = annotation.removesuffix(" | None")
    if not isinstance(call, ast.Call):
        raise TypeError(f"a column is made by a function: {annotation}")
    *element, text = (ast.literal_eval(argument) for argument in call.args)
    named = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    name = getattr(node.target, "id", "")
    definition = f"{name} {f'{element[0]}[]' if element else _TYPES[kind]}"
    definition += " NOT NULL" if kind == annotation else ""
    definition += f" DEFAULT {quoted(named['default'])}" if "default" in named else ""
    is_key = getattr(call.func, "id", "") == "key"
    return _Column(name, definition, text, is_key, named.get("of"))


def _table(node: ast.ClassDef, columns: list[_Column], group: str, *, keyed: bool) -> SqlFile:
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in node.name)[1:]
    description = " ".join((ast.get_docstring(node) or "").split())
    key = tuple(column.name for column in columns if column.is_key)
    parts = [column.definition for column in columns]
    parts += [f"PRIMARY KEY ({', '.join(key)})"] if keyed else []
    return SqlFile(
        name,
        description[:1].lower() + description[1:],
        f"CREATE TABLE {name} (\n    " + ",\n    ".join(parts) + "\n);\n",
        {column.name: column.comment for column in columns},
        grain=key,
        group=group,
        refers={column.name: column.of for column in columns if column.of},
    )


@dataclass(frozen=True)
class Migration:
    """What brings a database to the next version: a name, and the text of an SQL file."""

    name: str
    text: str


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations in the order in which they are applied; number n is element n - 1.

    New databases have their tables and the first: what the others bring, the classes say.
    """
    return tuple(
        Migration(entry.stem.partition("_")[2], entry.read_text(encoding="utf-8"))
        for entry in sorted((_FOLDER / "migrations").glob("*.sql"))
    )


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
    wanted = [(table, column) for table in tables() for column in tables()[table].column_comments]
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
    missing = len(migrations()) - current
    if not missing:
        return 0
    if current and path is not None:
        _back_up(connection, path)
    connection.execute("BEGIN")
    try:
        bring_to_newest(connection, current)
        connection.execute("COMMIT")
    except BaseException:
        with suppress(duckdb.Error):  # a COMMIT that fails has ended it already
            connection.execute("ROLLBACK")
        raise
    return missing


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


def bring_to_newest(
    connection: duckdb.DuckDBPyConnection,
    version: int,
    changed: Callable[[str], str] = lambda text: text,
) -> None:
    """Make all tables, or apply what is missing since a version; ``changed`` changes the SQL first.

    No query has a parameter: binding one would import pandas.
    """
    if not version:
        connection.execute(changed("".join(table.text for table in tables().values())))
    for number, migration in enumerate(migrations()[version:], start=version + 1):
        if version or number == 1:
            connection.execute(changed(migration.text))
        values = f"{number}, {quoted(migration.name)}, {quoted(TOOL_VERSION)}, now()"
        connection.execute(f"INSERT INTO schema_version VALUES ({values})")  # noqa: S608
    for table in tables().values():
        comment(connection, "TABLE", table)


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


@dataclass(frozen=True)
class Contents:
    """What a new database holds: the tables, unless told otherwise."""

    make: Callable[[duckdb.DuckDBPyConnection], object] = migrate
    """Makes it in an empty database."""
    template: Callable[[], Path | None] = lambda: None
    """Returns the file of a database that holds it, to be copied, where one is kept."""

    def fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make it in an empty database in memory, or copy it there."""
        template = self.template()
        if template is None:
            self.make(connection)
            return
        connection.execute(f"ATTACH {quoted(str(template))} AS template (READ_ONLY)")
        connection.execute("COPY FROM DATABASE template TO memory; DETACH template")

    def write(self, file: Path) -> None:
        """Write a database's file that holds it."""
        template = self.template()
        if template is not None:
            shutil.copyfile(template, file)
            return
        with duckdb.connect(
            str(file),
            config={"storage_compatibility_version": STORAGE, "threads": 1},  # statements are small
        ) as connection:
            self.make(connection)
            connection.execute("CHECKPOINT")  # closing would not tell that it failed


TABLES = Contents()
