"""Arrow tables that statements read by name, gone when the block is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pyarrow as pa

from sr_tracker.queries.grammar.checking import drop_temporary
from sr_tracker.schema.database import Database


@contextmanager
def at_hand(database: Database, tables: Mapping[str, pa.Table]) -> Iterator[None]:
    """Let statements read these tables, and drop what checking links leaves."""
    try:
        for name, rows in tables.items():
            database.connection.register(name, rows)
        yield
    finally:
        for name in tables:
            database.connection.unregister(name)
        drop_temporary(database)
