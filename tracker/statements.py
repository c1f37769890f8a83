"""Rows of SQL statements as dictionaries, for the packages that keep their own statements."""

from __future__ import annotations

from typing import Any

from sr_tracker.schema.database import Database
from sr_tracker.schema.sqlfile import read_sql_files

Row = dict[str, Any]


def statement_of(package: str, name: str) -> str:
    """Return the text of the statement ``sql/NAME.sql`` of a package."""
    return next(file.text for file in read_sql_files(package, "sql") if file.name == name)


def rows_of(database: Database, text: str, **parameters: Any) -> list[Row]:
    """Return the rows of a query."""
    reader = database.connection.execute(text, parameters)
    columns = [column[0] for column in reader.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in reader.fetchall()]
