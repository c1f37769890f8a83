"""Temporary tables that Python and SQL share: whatever a block makes is gone when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from sr_tracker.schema.database import Database

# Views come before the tables they read. The functions of DuckDB are four times as fast as its
# information_schema.
_MADE = """
SELECT 'VIEW', view_name FROM duckdb_views() WHERE temporary AND NOT internal
UNION ALL
SELECT 'TABLE', table_name FROM duckdb_tables() WHERE temporary
"""


@contextmanager
def temporary(database: Database, **tables: pa.Table) -> Iterator[None]:
    """Let the block's statements read Arrow tables by these names.

    When it ends, however it ends, these and all temporary tables and views that its statements made
    are gone; those of an enclosing block stay.
    """
    connection = database.connection
    before = connection.execute(_MADE).fetchall()
    try:
        for name, rows in tables.items():
            connection.register(name, rows)
        yield
    finally:
        with suppress(duckdb.TransactionException):  # it failed, and takes what it made with it
            for name in tables:
                connection.unregister(name)
            for made in connection.execute(_MADE).fetchall():
                if made not in before:
                    kind, name = made
                    connection.execute(f'DROP {kind} temp."{name}"')
