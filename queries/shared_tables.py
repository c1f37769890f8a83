"""What others can use of a campaign without its database: tables without times and people's ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..schema.database import Database
from ..schema.iterations import Names
from ..schema.migrate import tables
from ..schema.statements import read_rows
from .catalog import views
from .exploring import queried
from .reading import read_batches, view_query

if TYPE_CHECKING:
    import pyarrow as pa

SHARED = (
    *("output_scores", "leaderboard", "submission_metrics", "submission_overview", "treebank"),
    *(
        "sentence_source",
        "alternative_reference",
        "verdicts",
        "measure_changes",
        "metric_intervals",
    ),
    *("dea_by_relation", "judgement", "human_score", "human_leaderboard", "human_pairs"),
    "error_spans",
)
"""The views and tables, the one that most readers look for first."""
_CAST = {"JSON": "VARCHAR", "HUGEINT": "BIGINT"}
_NUMBERED = """'annotator-' || list_position(
    (SELECT list(DISTINCT annotator_id ORDER BY annotator_id) FROM judgement), annotator_id
) AS annotator_id"""
"""Annotators by number: the ids of crowd workers lead to people."""


@dataclass(frozen=True)
class SharedTable:
    """A table with its content as it is shared."""

    name: str
    description: str
    columns: dict[str, str]
    """What each column holds, by its name."""
    rows: int
    sha256: str
    """Of its rows, whatever their order: see ``fingerprint``."""
    query: str


@dataclass(frozen=True)
class SharedTestSet:
    """A test set, and what is known of its licence."""

    treebank_id: str
    language: str | None
    sentences: int
    licence: str | None


def shared_tables(database: Database, submissions: Sequence[str]) -> Iterator[SharedTable]:
    """Yield the tables that have rows about these submissions, without columns that have no value.

    Times differ between machines that computed the same, and are left out.
    """
    treebanks = [one.treebank_id for one in shared_test_sets(database, submissions)]
    filters: dict[str, dict[str, Names]] = {
        "submission_id": {"submission": [*submissions]},
        "treebank_id": {"treebank": treebanks},
    }
    files = tables() | {file.name: file for file in views()}
    for name in SHARED:
        file = files[name]
        about = next(column for column in filters if column in _types(database, name))
        chosen = view_query(database, name, filters=filters[about])
        columns = _columns(database, chosen)
        if not columns:
            continue
        query = (
            f"SELECT {', '.join(columns.values())} FROM ({chosen})"  # noqa: S608
            f" ORDER BY {', '.join(file.grain)}"
        )
        (summary,) = queried(database, fingerprint(f"({query})"), seconds=None).rows.to_pylist()
        meanings = {column: file.column_comments.get(column, "") for column in columns}
        yield SharedTable(name, file.description, meanings, query=query, **summary)


def fingerprint(rows: str) -> str:
    """Return the SELECT that counts and hashes rows of a relation, such as read_parquet('…').

    The hash is that of the hashes of the rows as JSON, sorted: it holds in any order of rows.
    """
    return (
        "SELECT count(*) AS rows, sha256(coalesce(string_agg(row_hash, '' ORDER BY row_hash), ''))"  # noqa: S608
        " AS sha256\nFROM (SELECT sha256(CAST(to_json(entry) AS VARCHAR)) AS row_hash"
        f" FROM {rows} AS entry)"
    )


def shared_batches(database: Database, table: SharedTable) -> pa.RecordBatchReader:
    """Return the rows of a table batch by batch."""
    return read_batches(database, f"({table.query})")


def shared_test_sets(database: Database, submissions: Sequence[str]) -> list[SharedTestSet]:
    """Return the test sets of submissions; a tag named licence or license says what theirs is."""
    rows = read_rows(database, "shared_test_sets", submissions=list(submissions))
    return [SharedTestSet(**row) for row in rows]


def _types(database: Database, rows: str) -> dict[str, str]:
    """Return the types of the columns of a table, a view or a query, by their names."""
    described = queried(database, f"DESCRIBE {rows}", seconds=None).rows.to_pylist()
    return {row["column_name"]: row["column_type"] for row in described}


def _columns(database: Database, chosen: str) -> dict[str, str]:
    """Return the columns with a value, each as it is selected; none where there are no rows."""
    counts = queried(database, f"SELECT count(COLUMNS(*)) FROM ({chosen})", seconds=None)  # noqa: S608
    (values,) = counts.rows.to_pylist()
    types = _types(database, chosen)
    return {
        name: _selected(name, types[name])
        for name, count in values.items()
        if count and not types[name].startswith("TIMESTAMP")
    }


def shareable(database: Database, name: str) -> str:
    """Return the SELECT of a whole table or view, of types that every DuckDB and Parquet have."""
    types = _types(database, name)
    columns = ", ".join(_selected(column, kind) for column, kind in types.items())
    return f"SELECT {columns} FROM {name}"  # noqa: S608


def _selected(name: str, kind: str) -> str:
    """Return a column as it is selected."""
    if name == "annotator_id":
        return _NUMBERED
    column = f'"{name}"'
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"timezone('UTC', {column}) AS {column}"
    return f"CAST({column} AS {_CAST[kind]}) AS {column}" if kind in _CAST else column
