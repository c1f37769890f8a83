"""A lake: a campaign database that several machines share, with its catalog in PostgreSQL.

What is in one before there is any row: its tables, and how their files are written.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import duckdb

from ..statements import quoted

NAME = "attached_lake"
"""What the lake is called on its connection."""
METADATA = f"__ducklake_metadata_{NAME}"
FENCE = "change_log"
"""The table of one row that each transaction which writes to a lake changes."""
_KEY = re.compile(r",\n\s*PRIMARY KEY \([^)]*\)|\sPRIMARY KEY")
_LAYOUT = {"parquet_row_group_size": "16384", "parquet_compression": "zstd"}
"""How files of a new lake are written: docs/lake.md has the measurements."""


def set_layout(connection: duckdb.DuckDBPyConnection) -> None:
    """Say how the files of a new lake are to be written, by whoever writes them."""
    for option, value in _LAYOUT.items():
        connection.execute(f"CALL {NAME}.set_option('{option}', '{value}')")


def folders_of_tables(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return where each table's files are, with a slash at the end."""
    tables = (
        f"{METADATA}.ducklake_table AS known JOIN {METADATA}.ducklake_schema AS within "
        f"USING (schema_id), {METADATA}.ducklake_metadata"
    )
    rows = connection.execute(
        f"SELECT table_name, concat(value, within.path, known.path) FROM {tables} "  # noqa: S608
        "WHERE key = 'data_path' AND known.end_snapshot IS NULL"
    )
    return dict(rows.fetchall())


def write_file(connection: duckdb.DuckDBPyConnection, folder: str, query: str) -> tuple[str, int]:
    """Write a query's rows to a new file of a table, as the lake's own; return it and their number.

    Until ``add_file`` is committed, it is a file of a commit that never was.
    """
    if "://" not in folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    file = f"{folder}{uuid4()}.parquet"
    size, compression = _LAYOUT.values()
    (rows,) = connection.execute(
        f"COPY ({query}) TO {quoted(file)} (FORMAT parquet, ROW_GROUP_SIZE {size}, "
        f"COMPRESSION {compression}, WRITE_EMPTY_FILE false)"
    ).fetchone() or (0,)
    return file, int(rows)


def add_file(connection: duckdb.DuckDBPyConnection, table: str, file: str) -> None:
    """Make a file part of a table with the transaction that has begun."""
    arguments = f"{quoted(NAME)}, {quoted(table)}, {quoted(file)}, hive_partitioning => false"
    connection.execute(f"CALL ducklake_add_data_files({arguments})")


def keep_fence_in_catalog(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the changes of the fence's row be rows of the catalog: files would be two a commit."""
    option = "'data_inlining_row_limit', '10'"
    connection.execute(f"CALL {NAME}.set_option({option}, table_name => '{FENCE}')")


def note_empty_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Tell the catalog that tables have no rows, which DuckLake notes with the first rows alone.

    Until then each statement asks PostgreSQL twice for each column that it reads of such a table.
    Who calls has the turn: DuckLake itself notes more in its commits.
    """
    noted = f"SELECT table_id FROM {METADATA}.ducklake_table_stats"  # noqa: S608
    empty = f"end_snapshot IS NULL AND table_id NOT IN ({noted})"
    connection.execute("BEGIN")
    try:
        for table, names, row in (
            ("table_column", "column_id, contains_null", "column_id, false"),
            ("table", "record_count, next_row_id, file_size_bytes", "0, 0, 0"),
        ):
            what = table.rpartition("_")[2]
            connection.execute(
                f"INSERT INTO {METADATA}.ducklake_{table}_stats (table_id, {names}) "  # noqa: S608
                f"SELECT table_id, {row} FROM {METADATA}.ducklake_{what} WHERE {empty}"
            )
        connection.execute("COMMIT")
    except BaseException:
        with suppress(duckdb.Error):
            connection.execute("ROLLBACK")
        raise


def without_keys(text: str) -> str:
    """Return definitions of tables without their keys."""
    return _KEY.sub("", text)
