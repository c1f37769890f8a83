"""What the explorer lists: rows, each list with the one SELECT that makes it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.statements import fetch_table, quoted, read_statement
from ..metrics.registry import for_each_metric
from ..reading import SECONDS_LIMIT, read_sql

if TYPE_CHECKING:
    import pyarrow as pa

_PARAMETER = re.compile(r"\$([a-z_]+)")
STARTING = ("start_scores", "start_relations", "start_outputs", "start_changes", "start_texts")
"""Statements that are queries to begin with."""
KEPT = (
    *("submission_identity", "passed_over_signature", "current_scoring", "measure_state"),
    *("current_comparison", "leaderboard", "dea_by_relation", "year_test_sets"),
)
"""Views that most pages read, each after those that it reads itself."""


@dataclass(frozen=True)
class Name:
    """The name of a column, where a statement has a parameter."""

    text: str


Value = str | float | Name | Sequence[str] | None


@dataclass(frozen=True)
class Listing:
    """Rows, and the SELECT that makes them in any DuckDB client."""

    rows: pa.Table
    query: str
    measure: str = ""
    """Of which scores are where no column says it."""


def listing(database: Database, name: str, **parameters: Value) -> Listing:
    """Return the rows of the statement of that name, its parameters written into it.

    Raises InputError for a text that SQL cannot hold, KeyError for a parameter that is missing.
    """
    text = for_each_metric(read_statement(name).text).strip().rstrip(";")
    query = _PARAMETER.sub(lambda match: _literal(parameters[match[1]]), text)
    measure = parameters.get("metric") or parameters.get("measure") or ""
    from ..values import settled

    rows = settled(database, fetch_table(database.connection, query))
    return Listing(rows, query, str(measure))


def keep_rows(database: Database) -> None:
    """Keep what most pages read, and views over every edge, as tables: for a copy that stays so."""
    with database.transaction() as connection:
        for view in KEPT:
            connection.execute(f"CREATE TABLE kept_{view} AS FROM {view}")
            connection.execute(f"CREATE OR REPLACE VIEW {view} AS FROM kept_{view}")


def starting_queries() -> list[tuple[str, str]]:
    """Return queries to begin with, each with the question it answers."""
    statements = [read_statement(name) for name in STARTING]
    return [
        (query.description, query.text.partition("\n")[2].strip().rstrip(";"))
        for query in statements
    ]


def queried(database: Database, query: str, *, seconds: float | None = SECONDS_LIMIT) -> Listing:
    """Return the rows of a query with it. Raises QueryError as ``queries.reading.read_sql``."""
    return Listing(read_sql(database, query, rows=None, seconds=seconds).rows, query)


def parted(whole: Listing, *columns: str) -> list[Listing]:
    """Return a listing in parts, in their order: a part's rows have equal texts in some columns."""
    keys = [*zip(*(whole.rows[name].to_pylist() for name in columns), strict=True)]
    parts: list[Listing] = []
    for key, places in groupby(range(len(keys)), keys.__getitem__):
        numbers = [*places]
        chosen = " AND ".join(map("{} = {}".format, columns, map(_literal, key)))
        query = f"SELECT * FROM (\n{whole.query}\n) WHERE {chosen}"  # noqa: S608
        rows = whole.rows.slice(numbers[0], len(numbers))
        parts.append(replace(whole, rows=rows, query=query))
    return parts if len(parts) > 1 else [whole]


def _literal(value: Value) -> str:
    """Return a value as SQL writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        if "\0" in value:
            raise InputError("a text holds the character NUL, which SQL cannot")
        return quoted(value)
    if isinstance(value, Name):
        return '"' + value.text.replace('"', '""') + '"'
    if isinstance(value, int | float):
        return f"'{value}'::DOUBLE" if math.isinf(value) else repr(value)
    return f"[{', '.join(map(_literal, value))}]"
