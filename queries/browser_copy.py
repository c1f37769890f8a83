"""A copy of a campaign for DuckDB in a browser, which has no extensions: every view is a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from ..schema.database import Database
from ..schema.migrate import comment, tables
from ..schema.statements import quoted
from .catalog import macros, views
from .reading import read_batches
from .shared_tables import SHARED, shareable

if TYPE_CHECKING:
    import pyarrow as pa

COPY_BYTES = 200 * 10**6
"""Of rows in a copy, at most, before DuckDB packs them."""
UNSHARED = {"catalog", "change_log", "judge_answer", "removal", "schema_version"}
"""What a database keeps for itself, and answers that cost money."""


def write_browser_copy(database: Database, file: Path) -> list[str]:
    """Write tables and the rows of views into a DuckDB file; return what is too large for it.

    What most readers look for comes first.
    """
    sources = sorted(
        (source for source in [*tables().values(), *views()] if source.name not in UNSHARED),
        key=lambda source: (source.name not in SHARED, source.group == "internal", source.name),
    )
    left_out = []
    room = COPY_BYTES
    with duckdb.connect() as connection:
        # A browser's DuckDB is older than ours: it reads what the first stable version wrote.
        how = "STORAGE_VERSION 'v1.0.0', BLOCK_SIZE 16384"
        connection.execute(f"ATTACH {quoted(str(file))} AS campaign ({how})")
        connection.execute("USE campaign")
        connection.execute("BEGIN")  # of thousands of small statements
        for macro in macros():
            connection.execute(macro.text)
        for source in sources:
            name = source.name
            rows = _rows_within(read_batches(database, f"({shareable(database, name)})"), room)
            if rows is None:
                left_out.append(name)
                continue
            room -= rows.nbytes
            connection.execute(f"CREATE TABLE {name} AS FROM rows")  # DuckDB finds our rows
            comment(connection, "TABLE", source)
        connection.execute("COMMIT")
        connection.execute("USE memory")
        connection.execute("DETACH campaign")
    return left_out


def _rows_within(reader: pa.RecordBatchReader, most: int) -> pa.Table | None:
    """Return rows as a table; None where they take more bytes."""
    import pyarrow as pa

    batches = []
    for batch in reader:
        most -= batch.nbytes
        if most < 0:
            return None
        batches.append(batch)
    return pa.Table.from_batches(batches, reader.schema)
