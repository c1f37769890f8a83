"""Keeping SQL of somebody's own within a lake: away from its catalog's server and from others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb

from ..errors import QueryError

_FUNCTIONS = ("postgres_", "ducklake_", "sqlite_", "query", "parquet_", "read_")
"""How functions begin that reach further, or that run SQL which is not seen here."""
_CATALOGS = "__ducklake"


def check_within_lake(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise QueryError for a SELECT that calls what reaches the catalog's server or files.

    What cannot be taken apart is left to DuckDB, which says what is wrong with it.
    """
    parsed = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()[0][0]
    tree = json.loads(parsed)
    if tree.get("error"):
        if tree.get("error_type") == "not implemented":
            raise QueryError("only SELECT is allowed on a lake")
        return
    for node in _nodes(tree):
        function = str(node.get("function_name", "")).lower()
        names = [str(node.get(key, "")).lower() for key in ("catalog_name", "schema_name")]
        if function.startswith(_FUNCTIONS) or any(name.startswith(_CATALOGS) for name in names):
            raise QueryError(
                f"{function or names[0] or names[1]} is not allowed on a lake: it reaches further",
                hint="fetch what you need into a file",
            )


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
        tree = tree.values()
    if not isinstance(tree, str) and hasattr(tree, "__iter__"):
        for node in tree:
            yield from _nodes(node)
