"""What is copied from one campaign database to another: what is chosen, and what that needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import duckdb

from sr_tracker.schema.keys import OWNERS, STATISTICS
from sr_tracker.schema.migrate import columns_of_tables
from sr_tracker.schema.sqlfile import quoted

_OWN = ("schema_version", "catalog", "change_log")
"""Tables about the database itself."""
_OF_TARGET = {
    "ingestion": {
        "submission": "kind IN ('submission', 'output_graphs')",
        "treebank": "kind IN ('treebank', 'reference_graphs', 'sources', 'alternative_reference', "
        "'parsed_references')",
        "campaign": "kind IN ('human_scores', 'metric_scores', 'campaign')",
        "whole campaign": "kind = 'judgements'",
        "rule_set": "kind = 'rule_set'",
    },
    "scoring": {"submission": "contains(target, '/')", "treebank": "NOT contains(target, '/')"},
}


@dataclass(frozen=True)
class Chosen:
    """What to copy, by ids: these and all they need; None for all there are."""

    submissions: Sequence[str] | None = None
    treebanks: Sequence[str] | None = None
    campaigns: Sequence[str] | None = None


EVERYTHING = Chosen()


@cache
def columns() -> dict[str, tuple[str, ...]]:
    """Return the columns of every table that is copied, in the order in which they are copied."""
    return {table: names for table, names in columns_of_tables().items() if table not in _OWN}


def choose(connection: duckdb.DuckDBPyConnection, source: str, chosen: Chosen) -> None:
    """Make the table ``chosen``: submissions with all they need, and what is not about them."""

    def among(column: str, names: Sequence[str] | None) -> str:
        listed = ", ".join(quoted(name) for name in names or ())
        return "true" if names is None else f"{column} IN ({listed})" if names else "false"

    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE chosen AS
        WITH RECURSIVE run AS (
            SELECT submission_id FROM {source}.main.submission
            WHERE {among("submission_id", chosen.submissions)}
            UNION
            SELECT parent_submission_id FROM {source}.main.submission JOIN run USING (submission_id)
            WHERE parent_submission_id IS NOT NULL
        ),
        wanted AS (FROM {source}.main.submission SEMI JOIN run USING (submission_id))
        SELECT 'submission' AS kind, submission_id AS id FROM wanted
        UNION SELECT 'system', system_id FROM wanted
        UNION SELECT 'campaign', campaign_id FROM wanted
        UNION SELECT 'treebank', treebank_id FROM wanted
        UNION SELECT 'campaign', campaign_id FROM {source}.main.campaign
        WHERE {among("campaign_id", chosen.campaigns)}
        UNION SELECT 'treebank', treebank_id FROM {source}.main.treebank
        WHERE {among("treebank_id", chosen.treebanks)}
        UNION SELECT 'system', system_id FROM {source}.main.system
        WHERE {"true" if chosen.submissions is None else "false"}
        UNION SELECT 'rule_set', rule_set_id FROM {source}.main.rule_set
        UNION SELECT 'whole campaign', campaign_id FROM {source}.main.campaign
        WHERE {among("campaign_id", chosen.campaigns)} AND campaign_id NOT IN (
            SELECT campaign_id FROM {source}.main.submission ANTI JOIN run USING (submission_id)
        )
        """
    )


def held(connection: duckdb.DuckDBPyConnection, catalog: str) -> set[str]:
    """Return the tables of a catalog that may have rows; some had, of those that a lake names.

    One statement where each on a table of a lake would ask its catalog several times.
    """
    name = catalog.strip('"').replace('""', '"')
    (kind,) = connection.execute(
        f"SELECT type FROM duckdb_databases() WHERE database_name = {quoted(name)}"
    ).fetchone() or ("",)
    if kind == "ducklake":
        tables = f'"__ducklake_metadata_{name}".'
        query = (
            f"SELECT table_name FROM {tables}ducklake_table "
            f"JOIN {tables}ducklake_table_stats USING (table_id) WHERE record_count > 0"
        )
    else:
        query = " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS (FROM {catalog}.main.{table})" for table in columns()
        )
    return {table for (table,) in connection.execute(query).fetchall()}


def belongs(table: str, alias: str) -> str:
    """Return the condition that a row belongs to what is chosen."""
    if table in _OF_TARGET:
        first = f"split_part({alias}.target, {{}}, 1)"
        graphs = first.format("' '") if table == "ingestion" else f"{alias}.target"
        said = f"split_part({graphs}, ':', 1)" if table == "ingestion" else graphs
        return (
            "("
            + " OR ".join(
                f"({condition} AND (('{kind}', {graphs}) IN (FROM chosen) "
                f"OR ('{kind}', {said}) IN (FROM chosen)))"
                for kind, condition in _OF_TARGET[table].items()
            )
            + ")"
        )
    if table == "tag":
        return f"({alias}.kind, {alias}.target) IN (FROM chosen)"
    tests = [
        f"({alias}.{column} IS NULL OR ('{owner}', {alias}.{column}) IN (FROM chosen))"
        for column in columns()[table]
        for owner in OWNERS
        if owner != "signature"
        and not column.startswith("parent_")
        and (column == f"{owner}_id" or column.endswith(f"_{owner}_id"))
    ]
    if table == "judgement" or table in STATISTICS:
        tests.append(f"('whole campaign', {alias}.campaign_id) IN (FROM chosen)")
    return " AND ".join(tests) or "true"
