"""Installing the macros and views in a database, and the functions on a connection."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.migrate import comment
from sr_tracker.schema.sqlfile import SqlFile, read_sql_files

IDENTITY = "submission_identity"
"""The view whose columns every view about submissions begins and ends with."""
GROUPS = (
    *("load", "score", "ask why", "compare and follow", "people", "grammar and meaning"),
    *("look after", "internal"),
)
"""What people do with views, in order; internal ones are for other views alone."""


@dataclass(frozen=True)
class SqlFunction:
    """A vectorised function that SQL may call while scoring: Arrow columns in, Arrow array out."""

    name: str
    function: Callable[..., Any]
    parameters: Sequence[str]
    """SQL types of the parameters."""
    returns: str
    """SQL type of the result."""


def macros() -> list[SqlFile]:
    """Return the SQL macros."""
    return read_sql_files(__package__, "macros")


def views() -> list[SqlFile]:
    """Return the views that analysts read, each after those it reads itself.

    Raises ValueError where views read each other, or what is no view.
    """
    files = _with_identity(read_sql_files(__package__, "views"))
    ordered: list[SqlFile] = []
    done: set[str] = set()
    while len(ordered) < len(files):
        ready = [file for file in files if file.name not in done and done.issuperset(file.reads)]
        if not ready:
            left = sorted({file.name for file in files} - done)
            raise ValueError(f"views read each other, or what is no view: {left}")
        ordered += ready
        done |= {file.name for file in ready}
    return ordered


def _with_identity(files: Sequence[SqlFile]) -> list[SqlFile]:
    """Return views with what the columns mean that they take from the view IDENTITY."""
    meanings = next((file.column_comments for file in files if file.name == IDENTITY), {})
    return [
        replace(file, column_comments={**meanings, **file.column_comments})
        if IDENTITY in file.reads
        else file
        for file in files
    ]


def audits() -> list[SqlFile]:
    """Return the audits: queries whose rows should not exist."""
    return read_sql_files(__package__, "audits")


def is_installed(database: Database) -> bool:
    """Return whether the newest macros and views are in the database.

    Without a query parameter: binding one would make DuckDB import pandas, half a second.
    """
    installed = database.connection.execute("SELECT sha256 FROM catalog").fetchone()
    return installed == (_sha256(),)


def _sha256() -> str:
    texts = [file.text for file in [*macros(), *views()]]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def install(database: Database) -> None:
    """Install macros, views and their comments where they are not the newest."""
    if is_installed(database):
        return
    connection = database.connection
    with database.transaction():
        for macro in macros():
            connection.execute(macro.text)
        for view in views():
            connection.execute(view.text)
            comment(connection, "VIEW", view)
        connection.execute("DELETE FROM catalog")
        connection.execute("INSERT INTO catalog VALUES (?, ?, now())", [_sha256(), TOOL_VERSION])


def open_installed(path: Path | str | None, *, read_only: bool = False, **how: Any) -> Database:
    """Open a database with the newest macros and views, installed where they are not.

    ``how`` may give any other option of ``schema.database.open_database``.
    """
    database = open_database(path, read_only=read_only, **how)
    try:
        if database.read_only and not is_installed(database):
            database.close()
            with open_database(path, **how) as writable:
                install(writable)
            database = open_database(path, read_only=True, **how)
        elif not database.read_only:
            install(database)
    except BaseException:
        database.close()
        raise
    return database


def register(connection: duckdb.DuckDBPyConnection, functions: Sequence[SqlFunction]) -> None:
    """Register vectorised functions; a function that is registered already stays as it is."""
    create: Callable[..., Any] = connection.create_function
    known = {
        name
        for (name,) in connection.execute(
            "SELECT function_name FROM duckdb_functions() WHERE function_type = 'scalar'"
        ).fetchall()
    }
    for function in functions:
        if function.name not in known:
            known.add(function.name)
            create(
                function.name,
                _with_plain_signature(function),
                list(function.parameters),
                function.returns,
                type="arrow",
                null_handling="special",
            )


def _with_plain_signature(function: SqlFunction) -> Callable[..., Any]:
    """Return the function without annotations: DuckDB would evaluate them."""

    def call(*columns: Any) -> Any:
        return function.function(*columns)

    names = [f"column_{number}" for number in range(len(function.parameters))]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]
    )
    return call
