"""Storing the rows that an analysis computed."""

from __future__ import annotations

import pyarrow as pa

from ...schema.database import Database
from ...schema.temporary import lent


def store_rows(database: Database, table: str, rows: pa.Table) -> None:
    """Store rows of the submissions at hand, each under the signature of its analysis.

    ``rows`` has the columns of ``table`` without signature_id, in any order.
    """
    with lent(database, analysed_rows=rows):
        database.connection.execute(
            f"INSERT INTO {table} BY NAME "  # noqa: S608
            "SELECT signature_id, analysed_rows.* FROM analysed_rows "
            "JOIN pending_analysis USING (submission_id) ORDER BY ALL"
        )
