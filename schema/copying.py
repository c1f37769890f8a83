"""Bringing rows from one campaign database to another: what is new there, all or nothing.

Both are on one connection, each under a name. What each table's rows belong to is told by the names
of its columns; what is new, by ids and by the records of what was computed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

import duckdb

from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import ConflictError
from sr_tracker.schema.keys import KEYS
from sr_tracker.schema.migrate import created_tables
from sr_tracker.schema.sqlfile import quoted

SOURCE, TARGET = "source", "target"
"""What the two sides are called where a name was not given."""
OWNERS = tuple(table for table, key in KEYS.items() if key == (f"{table}_id",))
"""Tables whose rows others refer to by an id."""
_OWN = ("schema_version", "catalog", "change_log")
"""Tables about the database itself."""
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
_OF_CAMPAIGN = tuple(
    table
    for table, key in KEYS.items()
    if "campaign_id" in key and table not in ("campaign", "campaign_treebank", "judgement")
)
"""Statistics over all that people judged in a campaign."""
_BY_JUDGEMENTS = "judgements"
"""The source of human scores that are such statistics as well."""
SIGNIFICANCE = ("score_interval", "score_comparison")
_RAW = (
    *("judgement", "human_score", "gold_graph", "reference_graph", "output_graph"),
    *("output_probability", "reference_probability", "grammar_rule"),
)
"""Tables of what was brought from outside, whose rows must be the same where both have them."""
_SAME = {
    "campaign": ("year",),
    "system": ("kind",),
    "treebank": ("sha256", "scheme", "version", "split", "hidden_text", "excluded_relations"),
    "submission": ("sha256", "analysis", "reference_form", "iteration"),
    "rule_set": ("sha256",),
}
"""What must be the same where both have something of one id."""
_OF_TARGET = {
    "ingestion": {
        "submission": "kind IN ('submission', 'output_graphs')",
        "treebank": "kind IN ('treebank', 'reference_graphs')",
        "campaign": "kind IN ('human_scores', 'campaign')",
        "whole campaign": "kind = 'judgements'",
        "rule_set": "kind = 'rule_set'",
    },
    "scoring": {"submission": "contains(target, '/')", "treebank": "NOT contains(target, '/')"},
}
_ATTEMPTS = 12
_LONGEST_PAUSE = 5.0

T = TypeVar("T")


@dataclass(frozen=True)
class Chosen:
    """What to copy, by ids: these and all they need; None for all there are."""

    submissions: Sequence[str] | None = None
    treebanks: Sequence[str] | None = None
    campaigns: Sequence[str] | None = None


@dataclass(frozen=True, repr=False)
class Copied(Brief):
    """How many rows were new, by table."""

    rows: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Copied) -> Copied:
        """Return the rows of both."""
        names = dict.fromkeys([*self.rows, *other.rows])
        return Copied({name: self.rows.get(name, 0) + other.rows.get(name, 0) for name in names})


@cache
def _columns() -> dict[str, tuple[str, ...]]:
    """Return the columns of every table that is copied, in the order in which they are copied."""
    tables = {table.name: tuple(table.column_comments) for table in created_tables()}
    return {name: columns for name, columns in tables.items() if name not in _OWN}


def copy(
    database: Database, source: str, target: str, chosen: Chosen, *, titles: Mapping[str, str]
) -> Copied:
    """Copy what is new, from one catalog of the connection to another, and return how much it was.

    Who calls has begun a transaction that writes to ``target``. ``titles`` are what messages call
    the two. Nothing is changed or removed but statistics over judgements, where ``target`` got
    judgements that its own do not rest on.

    Raises ConflictError where both have something of one id with other content.
    """
    connection = database.connection
    with _temporary(connection):
        _choose(connection, source, chosen)
        check(database, source, target, titles=titles)
        _find_new(connection, source, target)
        revision = _next_revision(connection, target)
        rows = {}
        for table in _columns():
            if table in _OF_CAMPAIGN:
                continue
            if table in SIGNIFICANCE:
                _remove_tested_otherwise(connection, table, source, target)
            condition = _new_rows(table, source, target)
            rows[table] = _insert(connection, table, source, target, condition, revision)
        for table, count in _copy_statistics(connection, source, target).items():
            rows[table] = rows.get(table, 0) + count
        return Copied({table: count for table, count in rows.items() if count})


def check(database: Database, source: str, target: str, *, titles: Mapping[str, str]) -> None:
    """Raise ConflictError where both have something with other content, of what is chosen."""
    connection = database.connection
    for table, same in _SAME.items():
        key = f"{table}_id"
        differs = " OR ".join(f"s.{each} IS DISTINCT FROM t.{each}" for each in same)
        found = connection.execute(
            f"SELECT s.{key}, {', '.join(f's.{each}, t.{each}' for each in same)} "
            f"FROM {source}.main.{table} AS s JOIN {target}.main.{table} AS t USING ({key}) "
            f"WHERE ({differs}) AND {_belongs(table, 's')} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if found:
            values = list(zip(same, found[1::2], found[2::2], strict=True))
            column, here, there = next(each for each in values if each[1] != each[2])
            raise _conflict(table, found[0], column, here, there, titles)
    for table in _RAW:
        keys = KEYS[table]
        others = [each for each in _columns()[table] if each not in keys and each != "source"]
        loaded = f"AND s.source <> '{_BY_JUDGEMENTS}'" if table == "human_score" else ""
        found = connection.execute(
            f"SELECT {', '.join(f's.{each}' for each in keys)} "
            f"FROM {source}.main.{table} AS s JOIN {target}.main.{table} AS t "
            f"USING ({', '.join(keys)}) WHERE {_belongs(table, 's')} AND "
            f"({' OR '.join(f's.{each} IS DISTINCT FROM t.{each}' for each in others)}) "
            f"{loaded} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if found:
            name = ", ".join(map(str, found))
            raise _conflict(table, name, "content", "one", "another", titles)
    found = connection.execute(
        "SELECT s.target, s.metric, s.data_sha256, t.data_sha256 "
        f"FROM {source}.main.scoring AS s JOIN {target}.main.scoring AS t "
        "USING (target, signature_id) WHERE s.data_sha256 IS DISTINCT FROM t.data_sha256 "
        f"AND {_belongs('scoring', 's')} ORDER BY ALL LIMIT 1"
    ).fetchone()
    if found:
        target_id, metric, here, there = found
        raise _conflict(metric, target_id, "data_sha256", here, there, titles)


def choose(database: Database, source: str, chosen: Chosen) -> None:
    """Make the temporary table ``chosen`` of kinds and ids, for ``check`` alone."""
    _choose(database.connection, source, chosen)


def persistently(action: Callable[[], T], say: Callable[[str], None]) -> T:
    """Return what an action returns that commits to a lake, tried again where others were first.

    DuckLake tries again by itself, but not after each kind of conflict. The pauses grow, with
    chance, so that those who met do not meet again.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return action()
        except duckdb.TransactionException as error:
            if attempt == _ATTEMPTS - 1:
                raise
            pause = min(_LONGEST_PAUSE, 0.05 * 2**attempt) * random.uniform(0.5, 1)
            say(f"another was first ({str(error).splitlines()[0]}): once more")
            time.sleep(pause)
    raise AssertionError


@contextmanager
def _temporary(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    try:
        yield
    finally:
        for table in ("chosen", "new_owner", "new_result"):
            connection.execute(f"DROP TABLE IF EXISTS temp.{table}")


def _choose(connection: duckdb.DuckDBPyConnection, source: str, chosen: Chosen) -> None:
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


def _belongs(table: str, alias: str) -> str:
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
        for column in _columns()[table]
        for owner in OWNERS
        if owner != "signature"
        and not column.startswith("parent_")
        and (column == f"{owner}_id" or column.endswith(f"_{owner}_id"))
    ]
    if table == "judgement" or table in _OF_CAMPAIGN:
        tests.append(f"('whole campaign', {alias}.campaign_id) IN (FROM chosen)")
    return " AND ".join(tests) or "true"


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


def _next_revision(connection: duckdb.DuckDBPyConnection, target: str) -> int:
    parts = " UNION ALL ".join(
        f"SELECT max(revision) AS revision FROM {target}.main.{table}"
        for table in ("ingestion", "scoring", "analysis")
    )
    (last,) = connection.execute(
        f"SELECT coalesce(max(revision), 0) FROM ({parts})"
    ).fetchone() or (0,)
    return int(last) + 1


def _new_rows(table: str, source: str, target: str) -> str:
    """Return the condition, on alias ``s``, that rows of a table are to be copied."""
    key = KEYS[table]
    if table == "signature":
        return (
            "s.signature_id IN (SELECT signature_id FROM new_result UNION ALL "
            + " UNION ALL ".join(
                f"SELECT signature_id FROM {source}.main.{each} AS s WHERE {_belongs(each, 's')}"
                for each, named in KEYS.items()
                if "signature_id" in named and each not in OWNERS and not _is_recorded(each)
            )
            + f") AND s.signature_id NOT IN (SELECT signature_id FROM {target}.main.signature)"
        )
    belongs = _belongs(table, "s")
    owner = next((kind for kind, tables in _CONTENT.items() if table in tables), None)
    if owner:
        return f"s.{owner}_id IN (SELECT id FROM new_owner WHERE kind = '{owner}')"
    if _is_recorded(table):
        name = "target" if "target" in key else "submission_id"
        return f"(s.{name}, s.signature_id) IN (FROM new_result)"
    unit = [each for each in key if each not in _ROWS or table in _RAW]
    same = " AND ".join(f"t.{each} IS NOT DISTINCT FROM s.{each}" for each in unit)
    return f"{belongs} AND NOT EXISTS (FROM {target}.main.{table} AS t WHERE {same})"


def _is_recorded(table: str) -> bool:
    """Return whether ``scoring`` or ``analysis`` tell which rows there are, by signature."""
    key = KEYS[table]
    of_submissions = "submission_id" in key or "target" in key
    return "signature_id" in key and of_submissions and table not in SIGNIFICANCE


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    source: str,
    target: str,
    condition: str,
    revision: int = 0,
) -> int:
    """Copy the rows of a table that meet a condition, sorted by key, and return their number."""
    names = _columns()[table]
    columns = [
        f"{revision} - 1 + dense_rank() OVER (ORDER BY s.revision)" if name == "revision" else name
        for name in names
    ]
    (count,) = connection.execute(
        f"INSERT INTO {target}.main.{table} ({', '.join(names)}) SELECT {', '.join(columns)} "
        f"FROM {source}.main.{table} AS s WHERE {condition} ORDER BY {_order(table)}"
    ).fetchone() or (0,)
    return int(count)


def _order(table: str) -> str:
    """Return by what rows are sorted: what one asks for together lies together."""
    key = KEYS[table]
    first = [each for each in ("campaign_id", "treebank_id", "submission_id") if each in key]
    return ", ".join([*first, *(each for each in key if each not in first)])


def _remove_tested_otherwise(
    connection: duckdb.DuckDBPyConnection, table: str, source: str, target: str
) -> None:
    """Remove intervals and tests of the target that the source made anew, with other settings."""
    same = " AND ".join(f"s.{each} = t.{each}" for each in KEYS[table])
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
        f"source = '{_BY_JUDGEMENTS}' AND submission_id IN (SELECT submission_id "
        f"FROM {source}.main.submission WHERE campaign_id IN ({listed}))"
    )
    for table in (*_OF_CAMPAIGN, "human_score"):
        condition = scored if table == "human_score" else f"campaign_id IN ({listed})"
        connection.execute(f"DELETE FROM {target}.main.{table} WHERE {condition}")
        rows[table] = _insert(
            connection, table, source, target, f"{condition} AND {_belongs(table, 's')}"
        )
    return rows


def _conflict(
    table: str, name: str, column: str, here: object, there: object, titles: Mapping[str, str]
) -> ConflictError:
    return ConflictError(
        f"{table.replace('_', ' ')} {name} is in both, with other content: {column} {here} in "
        f"{titles[SOURCE]}, {there} in {titles[TARGET]}",
        hint="nothing was changed; rename or remove one of the two (tracker rename, remove)",
    )
