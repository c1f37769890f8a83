"""Pruning: superseded scores and analyses go, after it is said what that frees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.iterations import list_submissions
from ....schema.keys import natural_keys
from ....schema.statements import read_tuples, statement
from ....schema.temporary import temporary
from ...catalog import install
from ...metrics import metrics

_COMPARISONS = ("comparison", "change")


@dataclass(frozen=True)
class Freed:
    """What goes of one table."""

    table: str
    rows: int
    of_rows: int
    """All rows of the table before."""
    bytes: int | None
    """Estimated from the blocks the table lies in; None where it lies in memory alone."""


@dataclass(frozen=True, repr=False)
class PrunePlan(Brief):
    """What pruning frees, and what it keeps although it is superseded."""

    scorings: int
    analyses: int
    tables: Sequence[Freed]
    """Tables that lose rows, by name."""
    kept: int
    """Superseded scorings that stay, because something still rests on them."""
    kept_for: Sequence[str]
    """What that is: names of analyses and of derived metrics."""

    @property
    def bytes(self) -> int | None:
        """Estimate of all of it; None where the database lies in memory."""
        sizes = [freed.bytes for freed in self.tables if freed.bytes is not None]
        return sum(sizes) if sizes else None


def plan_pruning(database: Database, submissions: Sequence[str] | None = None) -> PrunePlan:
    """Return what pruning would free; nothing is written, so the database may be read-only.

    Freed are scorings and analyses that are not the newest of their metric, or of their settings,
    with all their rows; intervals of freed scores; comparisons that no longer hold; and signatures
    nothing refers to.
    Kept are the newest of all, and what current analyses and scores of derived metrics rest on.
    ``submissions`` restricts all but the signatures.

    Raises UnknownNameError for submissions that do not exist.
    """
    with temporary(database):
        _choose(database, submissions)
        return _plan(database)


def prune(database: Database, submissions: Sequence[str] | None = None) -> PrunePlan:
    """Free what ``plan_pruning`` tells, in one transaction, and return it.

    Afterwards the space within the file can be used again, and is given back where it lies at
    the file's end. Raises UnknownNameError for submissions that do not exist.
    """
    install(database)
    connection = database.connection
    with database.transaction(), temporary(database):
        _choose(database, submissions)
        plan = _plan(database)
        for freed in plan.tables:
            connection.execute(
                f"DELETE FROM {freed.table} WHERE {_condition(freed.table)}"  # noqa: S608
            )
    if plan.tables:
        connection.execute("CHECKPOINT")
    return plan


def _choose(database: Database, submissions: Sequence[str] | None) -> None:
    """Make temporary tables of what goes, and of what stays although it is superseded."""
    chosen = {"submissions": list_submissions(database, submissions)}
    derived = [metric for metric in metrics().values() if metric.statistics_of]
    bases = {
        "derived": [metric.name for metric in derived],
        "bases": [metric.statistics_of for metric in derived],
    }
    connection = database.connection
    connection.execute(statement("superseded_in_use"), chosen | bases)
    connection.execute(statement("pruned_results"), chosen)
    connection.execute(statement("pruned_comparisons"), chosen)
    referring = " UNION ".join(
        f"SELECT signature_id FROM {table} WHERE NOT ({_condition(table)})"  # noqa: S608
        for table, keys in natural_keys().items()
        if "signature_id" in keys and table != "signature"
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE pruned_signature AS SELECT signature_id "  # noqa: S608
        f"FROM signature WHERE signature_id NOT IN ({referring})"
    )


def _condition(table: str) -> str:
    """Return which rows of a table with signatures go, as SQL."""
    if table == "signature":
        return "signature_id IN (SELECT signature_id FROM pruned_signature)"
    if table in _COMPARISONS:
        return (
            "(submission_id, base_submission_id, settings_id) IN "
            "(SELECT (submission_id, base_submission_id, settings_id) FROM pruned_comparison)"
        )
    owners = {"submission_id", "other_submission_id", "target"} & set(natural_keys()[table])
    conditions = [
        f"(signature_id, {owner}) IN "  # noqa: S608
        "(SELECT (signature_id, submission_id) FROM pruned_result)"
        for owner in sorted(owners)
    ]
    return " OR ".join(conditions) or "false"


def _plan(database: Database) -> PrunePlan:
    connection = database.connection
    sizes = _bytes_by_table(database)
    tables = []
    for table, keys in sorted(natural_keys().items()):
        if "signature_id" not in keys and table not in _COMPARISONS:
            continue
        rows, of_rows = connection.execute(
            f"SELECT count(*) FILTER ({_condition(table)}), count(*) FROM {table}"  # noqa: S608
        ).fetchone() or (0, 0)
        if rows:
            size = sizes.get(table)
            tables.append(
                Freed(table, rows, of_rows, None if size is None else round(size * rows / of_rows))
            )
    counts = dict(
        connection.execute("SELECT kind, count(*) FROM pruned_result GROUP BY kind").fetchall()
    )
    kept, kept_for = connection.execute(
        "SELECT count(DISTINCT (submission_id, signature_id)), "
        "coalesce(list(DISTINCT used_by ORDER BY used_by), []) FROM superseded_in_use"
    ).fetchone() or (0, [])
    return PrunePlan(counts.get("scoring", 0), counts.get("analysis", 0), tables, kept, kept_for)


def _bytes_by_table(database: Database) -> dict[str, float]:
    """Return how much of the file each table takes; tables that share a block share it evenly."""
    connection = database.connection
    (block_size,) = connection.execute(
        "SELECT block_size FROM pragma_database_size() WHERE database_name = current_database()"
    ).fetchone() or (0,)
    stored = " UNION ALL ".join(
        f"SELECT '{table}' AS table_name, block_id FROM pragma_storage_info('{table}') "  # noqa: S608
        "WHERE persistent AND block_id >= 0"
        for table in natural_keys()
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE stored_segment AS {stored}")
    return dict(read_tuples(database, "block_shares", block_size=block_size))
