"""What a reader of a lake may name: its tables, and functions that reach no further."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb

from ..errors import QueryError
from . import NAME

_FUNCTIONS = (
    *("range", "generate_series", "unnest", "repeat", "histogram", "histogram_values"),
    *("json_each", "json_tree", "summary", "pragma_table_info", "pragma_version"),
    *("duckdb_columns", "duckdb_tables", "duckdb_views", "duckdb_functions", "duckdb_types"),
)
"""DuckDB's functions that rows come from and that reach nothing beyond the tables."""
_PLACES = ("", NAME, "main", "information_schema", "pg_catalog", "system", "temp")
"""Catalogs and schemas whose tables a query may name."""
_OF_FILES = re.compile(r"[./\\:*]")
"""What names of files have and names of tables do not."""


def check_within_lake(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise QueryError for all but a SELECT from tables and views of the lake.

    What rows come from must be among what is allowed; functions of values reach nothing. What is
    no statement at all is left to DuckDB, which says what is wrong with it.
    """
    parsed = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0]
    tree = json.loads(parsed)
    if tree.get("error"):
        if tree.get("error_type") != "parser":
            raise QueryError("only SELECT is allowed on a lake")
        return
    allowed = {*_FUNCTIONS, *_macros(connection)}
    for node in _nodes(tree):
        names = [str(node.get(key, "")).lower() for key in ("catalog_name", "schema_name")]
        refused = next((name for name in names if name not in _PLACES), "")
        if node.get("type") == "TABLE_FUNCTION":
            function = str(node["function"]["function_name"]).lower()
            refused = refused or ("" if function in allowed else function)
        table = str(node.get("table_name", "")) if node.get("type") == "BASE_TABLE" else ""
        refused = refused or (table if _OF_FILES.search(table) else "")
        if refused:
            raise QueryError(
                f"{refused} is not allowed on a lake: it reaches further",
                hint="fetch what you need into a file",
            )


def _macros(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of the tracker's own macros that rows come from."""
    rows = connection.execute(
        "SELECT function_name FROM duckdb_functions() WHERE function_type = 'table_macro' "
        "AND NOT internal"
    ).fetchall()
    return [str(name) for (name,) in rows]


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = tree.values()
    if not isinstance(tree, str) and hasattr(tree, "__iter__"):
        for node in tree:
            yield from _nodes(node)
