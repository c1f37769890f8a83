"""The SQL behind what a comparison says of patterns and sentences."""

from __future__ import annotations

from typing import Any

from sr_tracker.schema.database import Database
from sr_tracker.tracker.statements import Row, rows_of, statement_of

__all__ = ["Row", "read_rows"]


def read_rows(database: Database, name: str, **parameters: Any) -> list[Row]:
    """Return the rows of the statement ``sql/NAME.sql`` as dictionaries."""
    return rows_of(database, statement_of("sr_tracker.tracker.comparison", name), **parameters)
