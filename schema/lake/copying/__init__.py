"""Bringing rows from one campaign database to another: what is new there, all or nothing.

Both are on one connection, each under a name. What each table's rows belong to is told by the names
of its columns; what is new, by ids and by the records of what was computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import duckdb

from ...brief import Brief
from ...database import Database
from ...keys import BY_JUDGEMENTS, natural_keys, owners, statistics_of_campaigns
from ...statements import quoted
from ...temporary import temporary
from .. import add_file, folders_of_tables, write_file
from .chosen import (
    EVERYTHING,
    RAW,
    SOURCE,
    TARGET,
    Chosen,
    belongs,
    check,
    choose,
    columns,
    forget_removed,
    held,
    leave_out_removed,
    same_thing,
)

__all__ = [
    "EVERYTHING",
    "SIGNIFICANCE",
    "SOURCE",
    "TARGET",
    "Chosen",
    "Copied",
    "Copying",
    "Written",
    "choose",
]

_CONTENT = {
    "treebank": ("sentence", "token", "multiword_token", "empty_node"),
    "submission": ("output", "output_words"),
}
"""Tables that the hash of their owner vouches for: they come with it."""
_ROWS = (
    *("sentence_no", "token_no", "first_token_no", "after_token", "node_no", "example_no"),
    *("satisfied", "rule", "pattern"),
)
"""Columns of keys that tell rows apart within what is copied as a whole."""
_REVISION = "SELECT revision FROM new_revision WHERE before = s.revision"
_NUMBERED = ("ingestion", "scoring", "analysis")
"""Tables whose rows tell by a revision in which order they were made."""
SIGNIFICANCE = ("score_interval",)


@dataclass(frozen=True, repr=False)
class Copied(Brief):
    """How many rows were new, by table, and what did not come."""

    rows: Mapping[str, int] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    """What was removed from where it would have been copied to, with the day."""

    def __add__(self, other: Copied) -> Copied:
        """Return the rows of both."""
        names = dict.fromkeys([*self.rows, *other.rows])
        return Copied(
            {name: self.rows.get(name, 0) + other.rows.get(name, 0) for name in names},
            [*dict.fromkeys([*self.left_out, *other.left_out])],
        )


@dataclass(frozen=True)
class Written:
    """Rows that were written to a lake's files before it is written to, to be part of a commit."""

    new: Sequence[tuple[str, str]]
    """What the lake had not by then, whose rows these are."""
    files: Mapping[str, tuple[str, int]]
    """By table a file and its number of rows."""


@dataclass(frozen=True)
class Copying:
    """Rows that are brought from one catalog of a database's connection to another.

    ``titles`` are what messages call the two. What was removed from ``target`` is left out, but for
    ``bring_back``.
    """

    database: Database
    source: str
    target: str
    titles: Mapping[str, str]
    bring_back: bool = False

    def look(self, chosen: Chosen) -> list[str]:
        """Make the table of what is chosen; return what is left out of it.

        Raises ConflictError where both have something of one id with other content.
        """
        connection, source, target = self.database.connection, self.source, self.target
        choose(connection, source, chosen)
        left_out = leave_out_removed(connection, source, target, bring_back=self.bring_back)
        check(connection, source, target, titles=self.titles)
        return left_out

    def write(self, chosen: Chosen) -> Written:
        """Write what is new, of the tables that hold most, to files of a lake, and return which.

        ``copy`` makes them part of the lake: others write to it meanwhile. Raises what that does.
        """
        connection, source, target = self.database.connection, self.source, self.target
        with temporary(self.database):
            self.look(chosen)
            _find_new(connection, source, target)
            new = _new(connection)
            folders = folders_of_tables(connection) if new else {}
            files = {
                table: write_file(
                    connection,
                    folders[table],
                    _rows(table, source, target, _new_rows(table, source, target)),
                )
                for table in (held(connection, source) if new else ())
                if _is_told_by_new(table)
            }
            return Written(new, {table: file for table, file in files.items() if file[1]})

    def copy(self, chosen: Chosen, written: Written | None = None) -> Copied:
        """Copy what is new and return how much it was.

        Who calls has begun a transaction that writes to ``target``. Nothing is changed or removed
        but statistics over judgements, where ``target`` got judgements that its own do not rest on.
        Of what was ``written`` before the files are used where the same is new by now.

        Raises what ``look`` does.
        """
        connection, source, target = self.database.connection, self.source, self.target
        with temporary(self.database):
            left_out = self.look(chosen)
            _find_new(connection, source, target)
            files = written.files if written and written.new == _new(connection) else {}
            _number_steps(connection, source, target)
            there = held(connection, source)
            rows = {}
            for table in columns():
                if table in statistics_of_campaigns() or table not in there:
                    continue
                if table in SIGNIFICANCE:
                    _remove_tested_otherwise(connection, table, source, target)
                if table in files:
                    file, rows[table] = files[table]
                    add_file(connection, table, file)
                elif not (files and _is_told_by_new(table)):
                    condition = _new_rows(table, source, target)
                    rows[table] = _insert(connection, table, source, target, condition)
            for table, count in _copy_statistics(connection, source, target).items():
                rows[table] = rows.get(table, 0) + count
            if self.bring_back:
                forget_removed(connection, target)
            return Copied({table: count for table, count in rows.items() if count}, left_out)


def _new(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """Return the owners and results that are new."""
    return connection.execute("FROM new_owner UNION ALL FROM new_result ORDER BY ALL").fetchall()


def _find_new(connection: duckdb.DuckDBPyConnection, source: str, target: str) -> None:
    """Make the tables of what the target has not: owners, and results by target and signature."""
    owners = " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, {kind}_id AS id FROM {source}.main.{kind} "
        f"WHERE ('{kind}', {kind}_id) IN (FROM chosen) "
        f"AND {kind}_id NOT IN (SELECT {kind}_id FROM {target}.main.{kind})"
        for kind in _CONTENT
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE new_owner AS {owners}")
    results = [
        f"SELECT {name} AS target, signature_id FROM {{}}.main.{table}"
        for table, name in (("scoring", "target"), ("analysis", "submission_id"))
    ]
    chosen = " AND target IN (SELECT id FROM chosen WHERE kind IN ('submission', 'treebank'))"
    both = " UNION ".join(
        f"(SELECT * FROM ({query.format(source)}) WHERE true{chosen} EXCEPT {query.format(target)})"
        for query in results
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE new_result AS {both}")


def _number_steps(connection: duckdb.DuckDBPyConnection, source: str, target: str) -> None:
    """Make the table of the revisions that new rows have and get: the next, in their order."""
    before = " UNION ALL ".join(
        f"SELECT max(revision) AS revision FROM {target}.main.{table}" for table in _NUMBERED
    )
    new = " UNION ".join(
        f"SELECT revision FROM {source}.main.{table} AS s WHERE {_new_rows(table, source, target)}"
        for table in _NUMBERED
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE new_revision AS "
        "SELECT revision AS before, row_number() OVER (ORDER BY revision) "
        f"+ (SELECT coalesce(max(revision), 0) FROM ({before})) AS revision FROM ({new})"
    )


def _new_rows(table: str, source: str, target: str) -> str:
    """Return the condition, on alias ``s``, that rows of a table are to be copied."""
    key = natural_keys()[table]
    if table == "signature":
        return (
            "s.signature_id IN (SELECT signature_id FROM new_result UNION ALL "
            + " UNION ALL ".join(
                f"SELECT signature_id FROM {source}.main.{name} AS s WHERE {belongs(name, 's')}"
                for name, named in natural_keys().items()
                if "signature_id" in named and name not in owners() and not _is_recorded(name)
            )
            + f") AND s.signature_id NOT IN (SELECT signature_id FROM {target}.main.signature)"
        )
    chosen = belongs(table, "s")
    owner = next((kind for kind, tables in _CONTENT.items() if table in tables), None)
    if owner:
        return f"s.{owner}_id IN (SELECT id FROM new_owner WHERE kind = '{owner}')"
    if _is_recorded(table):
        name = "target" if "target" in key else "submission_id"
        return f"(s.{name}, s.signature_id) IN (FROM new_result)"
    unit = [name for name in key if name not in _ROWS or table in RAW]
    same = same_thing(table, unit)
    return f"{chosen} AND NOT EXISTS (FROM {target}.main.{table} AS t WHERE {same})"


def _is_recorded(table: str) -> bool:
    """Return whether ``scoring`` or ``analysis`` tell which rows there are, by signature."""
    key = natural_keys()[table]
    of_submissions = "submission_id" in key or "target" in key
    return "signature_id" in key and of_submissions and table not in SIGNIFICANCE


def _is_told_by_new(table: str) -> bool:
    """Return whether new owners and results tell which rows are new, with the values they have."""
    of_owner = any(table in tables for tables in _CONTENT.values())
    return table not in _NUMBERED and (of_owner or _is_recorded(table))


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    source: str,
    target: str,
    condition: str,
) -> int:
    """Copy the rows of a table that meet a condition, sorted by key, and return their number."""
    names = ", ".join(columns()[table])
    rows = _rows(table, source, target, condition)
    (count,) = connection.execute(
        f"INSERT INTO {target}.main.{table} ({names}) {rows}"
    ).fetchone() or (0,)
    return int(count)


def _rows(table: str, source: str, target: str, condition: str) -> str:
    """Return the query of the rows of a table that meet a condition, sorted by key."""
    values_of = {
        "parent_submission_id": "CASE WHEN parent_submission_id IN (SELECT id FROM left_out) THEN "
        "(SELECT ancestor FROM left_out WHERE id = s.parent_submission_id) "
        "ELSE parent_submission_id END",
        "revision": f"({_REVISION})",
        "judgement_no": f"(SELECT coalesce(max(judgement_no), 0) FROM {target}.main.judgement AS t "
        "WHERE t.campaign_id = s.campaign_id) "
        "+ row_number() OVER (PARTITION BY campaign_id ORDER BY judgement_no)",
    }
    values = [values_of.get(name, name) for name in columns()[table]]
    return (
        f"SELECT {', '.join(values)} FROM {source}.main.{table} AS s "
        f"WHERE {condition} ORDER BY {_order(table)}"
    )


def _order(table: str) -> str:
    """Return by what rows are sorted: what one asks for together lies together."""
    key = natural_keys()[table]
    first = [name for name in ("campaign_id", "treebank_id", "submission_id") if name in key]
    return ", ".join([*first, *(name for name in key if name not in first)])


def _remove_tested_otherwise(
    connection: duckdb.DuckDBPyConnection, table: str, source: str, target: str
) -> None:
    """Remove intervals and tests of the target that the source made anew, with other settings."""
    same = " AND ".join(f"s.{name} = t.{name}" for name in natural_keys()[table])
    connection.execute(
        f"DELETE FROM {target}.main.{table} AS t WHERE EXISTS (FROM {source}.main.{table} AS s "
        f"WHERE {same} AND (s.replicates, s.seed, s.level) <> (t.replicates, t.seed, t.level) "
        "AND submission_id IN (SELECT target FROM new_result))"
    )


def _copy_statistics(
    connection: duckdb.DuckDBPyConnection, source: str, target: str
) -> dict[str, int]:
    """Copy statistics over judgements where both have the same of them by now, and no such yet."""
    judged = "SELECT campaign_id, count(*) AS judgements FROM {}.main.judgement GROUP BY ALL"
    rests_on = "SELECT campaign_id, criterion, data_sha256 FROM {}.main.standardisation"
    campaigns = connection.execute(
        f"SELECT DISTINCT campaign_id FROM ({rests_on.format(source)} "
        f"EXCEPT {rests_on.format(target)}) SEMI JOIN ({judged.format(source)} "
        f"INTERSECT {judged.format(target)}) USING (campaign_id) "
        "WHERE ('whole campaign', campaign_id) IN (FROM chosen)"
    ).fetchall()
    rows: dict[str, int] = {}
    if not campaigns:
        return rows
    listed = ", ".join(quoted(campaign_id) for (campaign_id,) in campaigns)
    scored = (
        f"source = '{BY_JUDGEMENTS}' AND submission_id IN (SELECT submission_id "
        f"FROM {source}.main.submission WHERE campaign_id IN ({listed}))"
    )
    for table in (*statistics_of_campaigns(), "human_score"):
        condition = scored if table == "human_score" else f"campaign_id IN ({listed})"
        connection.execute(f"DELETE FROM {target}.main.{table} WHERE {condition}")
        rows[table] = _insert(
            connection, table, source, target, f"{condition} AND {belongs(table, 's')}"
        )
    return rows
