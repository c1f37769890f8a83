"""Storing the rows that an analysis computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from ...schema.database import Database
from ...schema.temporary import lent, rows_of


def store_rows(
    database: Database, table: str, rows: pa.Table | Sequence[Mapping[str, Any]]
) -> None:
    """Store rows of the submissions at hand, each under the signature of its analysis.

    ``rows`` has the columns of ``table`` without signature_id, in any order.
    """
    if not len(rows):
        return
    analysed = rows_of(database, table, rows) if isinstance(rows, Sequence) else rows
    with lent(database, analysed_rows=analysed):
        database.connection.execute(
            f"INSERT INTO {table} BY NAME "  # noqa: S608
            "SELECT signature_id, analysed_rows.* FROM analysed_rows "
            "JOIN pending_analysis USING (submission_id) ORDER BY ALL"
        )
