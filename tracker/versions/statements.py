"""The SQL behind rescoring and pruning."""

from __future__ import annotations

from schema.sqlfile import read_sql_files


def version_statement(name: str) -> str:
    """Return the text of the statement file ``sql/NAME.sql``."""
    return next(f.text for f in read_sql_files("tracker.versions", "sql") if f.name == name)
