"""The SQL behind a report."""

from __future__ import annotations

from typing import Any

from schema.database import Database
from schema.sqlfile import read_sql_files

Row = dict[str, Any]


def read_rows(database: Database, name: str, **parameters: Any) -> list[Row]:
    """Return the rows of the statement ``sql/NAME.sql`` as dictionaries."""
    text = next(f.text for f in read_sql_files("tracker.report", "sql") if f.name == name)
    return rows_of(database, text, **parameters)


def rows_of(database: Database, text: str, **parameters: Any) -> list[Row]:
    """Return the rows of a query as dictionaries."""
    reader = database.connection.execute(text, parameters)
    columns = [column[0] for column in reader.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in reader.fetchall()]
