"""The SQL behind a history."""

from __future__ import annotations

from typing import Any

from schema.database import Database
from schema.sqlfile import read_sql_files

Row = dict[str, Any]


def read_rows(database: Database, name: str, **parameters: Any) -> list[Row]:
    """Return the rows of the statement ``sql/NAME.sql`` as dictionaries."""
    text = next(f.text for f in read_sql_files("tracker.history", "sql") if f.name == name)
    reader = database.connection.execute(text, parameters)
    columns = [column[0] for column in reader.description or ()]
    return [dict(zip(columns, values, strict=True)) for values in reader.fetchall()]
