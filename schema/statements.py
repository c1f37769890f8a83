"""Statements: SQL files in the folders ``sql`` beside the modules that run them, found by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sr_tracker.schema.database import Database
from sr_tracker.schema.sqlfile import SqlFile, parse_sql

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]
_ROOT = Path(__file__).resolve().parent.parent
_FOLDERS = ("ingest", "queries")


def statement(name: str) -> str:
    """Return the text of the statement of that name, wherever its file is.

    Raises KeyError for a name that no file has.
    """
    return read_statement(name).text


@cache
def read_statement(name: str) -> SqlFile:
    """Return the statement of that name with its header and comments."""
    path = statement_files()[name]
    return parse_sql(path.read_text(encoding="utf-8"), path.name)


@cache
def statement_files() -> dict[str, Path]:
    """Return the files of all statements by their names, which are those of the files.

    Raises ValueError where two files have one name.
    """
    found: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("sql/*.sql")):
            if path.stem in found:
                raise ValueError(f"two statements have one name: {found[path.stem]} and {path}")
            found[path.stem] = path
    return found


def read_rows(database: Database, name: str, **parameters: Any) -> list[Row]:
    """Return the rows of the statement of that name as dictionaries."""
    return rows_of(database, statement(name), **parameters)


def read_table(database: Database, name: str, **parameters: Any) -> pa.Table:
    """Return the rows of the statement of that name as an Arrow table."""
    return database.connection.execute(statement(name), parameters).to_arrow_table()


def rows_of(database: Database, text: str, **parameters: Any) -> list[Row]:
    """Return the rows of a query as dictionaries."""
    reader = database.connection.execute(text, parameters)
    columns = [column[0] for column in reader.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in reader.fetchall()]
