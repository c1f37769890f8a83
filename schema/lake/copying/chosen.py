"""What is copied from one campaign database to another, and what contradicts what is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import duckdb

from ...errors import ConflictError
from ...keys import BY_JUDGEMENTS, INGESTED, links, natural_keys, statistics_of_campaigns
from ...migrate import tables
from ...statements import quoted

_OWN = ("schema_version", "catalog", "change_log", "removal")
"""Tables about the database itself."""
_OF_TARGET = {
    "ingestion": {
        **{
            owner: f"list_contains({[*kinds]}, kind) AND kind <> 'judgements'"
            for owner, kinds in INGESTED.items()
        },
        "whole campaign": "kind = 'judgements'",
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
    every = tables().items()
    return {name: (*table.column_comments,) for name, table in every if name not in _OWN}


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
        UNION SELECT 'submission', trial_submission_id
        FROM {source}.main.trial SEMI JOIN run USING (submission_id)
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


def leave_out_removed(
    connection: duckdb.DuckDBPyConnection, source: str, target: str, *, bring_back: bool
) -> list[str]:
    """Take from ``chosen`` what was removed from the target, and return what was, with the day.

    Submissions and treebanks are what was removed where their content is the same, systems and
    campaigns where nothing that is copied needs them. Makes the table ``left_out``, which has of
    each submission the nearest ancestor that is copied. ``bring_back`` leaves nothing out.
    """
    owners = {kind: f"{kind}_id" for kind in ("submission", "treebank", "system", "campaign")}
    removed = " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, {name} AS id, removed_at FROM {source}.main.{kind} AS s "
        f"JOIN {target}.main.removal AS r ON r.kind = '{kind}' AND r.target = {name} "
        + ("AND r.sha256 = s.sha256 " if kind in ("submission", "treebank") else "")
        + f"WHERE ('{kind}', {name}) IN (FROM chosen) AND {not bring_back} "
        f"AND {name} NOT IN (SELECT {name} FROM {target}.main.{kind})"
        for kind, name in owners.items()
    )
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE left_out AS
        WITH RECURSIVE removed AS MATERIALIZED ({removed}),
        run AS (
            FROM {source}.main.submission
            WHERE ('submission', submission_id) IN (SELECT (kind, id) FROM removed)
            OR ('treebank', treebank_id) IN (SELECT (kind, id) FROM removed)
        ),
        line AS (
            SELECT submission_id, parent_submission_id AS ancestor FROM run
            UNION ALL
            SELECT line.submission_id, run.parent_submission_id
            FROM line JOIN run ON run.submission_id = line.ancestor
        ),
        needed AS (
            FROM {source}.main.submission ANTI JOIN run USING (submission_id)
            WHERE ('submission', submission_id) IN (FROM chosen)
        )
        SELECT 'submission' AS kind, submission_id AS id, ancestor, removed_at
        FROM line LEFT JOIN removed ON kind = 'submission' AND id = submission_id
        WHERE ancestor IS NULL OR ancestor NOT IN (SELECT submission_id FROM run)
        UNION ALL SELECT 'submission', trial_submission_id, NULL, NULL
        FROM {source}.main.trial SEMI JOIN run USING (submission_id)
        WHERE trial_submission_id <> submission_id
        UNION ALL SELECT kind, id, NULL, removed_at FROM removed
        WHERE kind <> 'submission'
        AND (kind, id) NOT IN (SELECT ('system', system_id) FROM needed)
        AND (kind, id) NOT IN (SELECT ('campaign', campaign_id) FROM needed)
        """
    )
    connection.execute(
        "DELETE FROM chosen WHERE (replace(kind, 'whole ', ''), id) IN "
        "(SELECT (kind, id) FROM left_out)"
    )
    rows = connection.execute(
        "SELECT kind, id, strftime(removed_at, '%Y-%m-%d') FROM left_out "
        "WHERE removed_at IS NOT NULL ORDER BY ALL"
    ).fetchall()
    return [f"{kind} {name}, removed on {day}" for kind, name, day in rows]


def forget_removed(connection: duckdb.DuckDBPyConnection, target: str) -> None:
    """Let what is chosen count as never removed from the target."""
    removed = f"{target}.main.removal"
    if connection.execute(f"SELECT 1 FROM {removed} LIMIT 1").fetchone():
        connection.execute(f"DELETE FROM {removed} WHERE (kind, target) IN (FROM chosen)")


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
        before_colon = f"split_part({graphs}, ':', 1)" if table == "ingestion" else graphs
        return (
            "("
            + " OR ".join(
                f"({condition} AND (('{kind}', {graphs}) IN (FROM chosen) "
                f"OR ('{kind}', {before_colon}) IN (FROM chosen)))"
                for kind, condition in _OF_TARGET[table].items()
            )
            + ")"
        )
    if table == "tag":
        return f"({alias}.kind, {alias}.target) IN (FROM chosen)"
    tests = [
        f"({alias}.{named.column} IS NULL "
        f"OR ('{named.kind}', {alias}.{named.column}) IN (FROM chosen))"
        for named in links()
        if named.table == table and named.kind != "signature" and not named.is_parent
    ]
    if table == "judgement" or table in statistics_of_campaigns():
        tests.append(f"('whole campaign', {alias}.campaign_id) IN (FROM chosen)")
    return " AND ".join(tests) or "true"


SOURCE, TARGET = "source", "target"
"""The keys of what messages call the two."""
RAW = (
    *("judgement", "human_score", "gold_graph", "reference_graph", "output_graph"),
    *("output_probability", "reference_probability", "grammar_rule", "sentence_source"),
    "alternative_reference",
    "sentence_label",
    "challenge_check",
    "training_overlap",
)
"""Tables of what was brought from outside, whose rows must be the same where both have them."""
_JUDGED = ("campaign_id", "annotator_id", "criterion", "hit_id", "item_id")
_UNNAMED = ("submission_id", "treebank_id", "sentence_no", "kind")
"""What tells judgements apart whatever their numbers: an item, or what it showed if it has none."""
_SAME = {
    "campaign": ("year",),
    "system": ("kind", "team"),
    "treebank": (
        *("sha256", "scheme", "version", "split", "hidden_text", "excluded_relations"),
        "parsed_by",
    ),
    "submission": ("sha256", "analysis", "reference_form", "iteration"),
    "rule_set": ("sha256",),
}
"""What must be the same where both have something of one id."""
_MAY_LACK = ("team",)
"""What one of the two may not say."""


def check(
    connection: duckdb.DuckDBPyConnection, source: str, target: str, *, titles: Mapping[str, str]
) -> None:
    """Raise ConflictError where both have something with other content, of what is chosen."""
    both = held(connection, source) & held(connection, target)
    for table, same in _SAME.items():
        if table not in both:
            continue
        key = f"{table}_id"
        differs = " OR ".join(
            f"s.{name} {'<>' if name in _MAY_LACK else 'IS DISTINCT FROM'} t.{name}"
            for name in same
        )
        row = connection.execute(
            f"SELECT s.{key}, {', '.join(f's.{name}, t.{name}' for name in same)} "
            f"FROM {source}.main.{table} AS s JOIN {target}.main.{table} AS t USING ({key}) "
            f"WHERE ({differs}) AND {belongs(table, 's')} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if row:
            values = list(zip(same, row[1::2], row[2::2], strict=True))
            column, here, there = next(triple for triple in values if triple[1] != triple[2])
            raise _conflict(table, row[0], column, here, there, titles)
    for table in RAW:
        if table not in both:
            continue
        keys = _JUDGED if table == "judgement" else natural_keys()[table]
        own = {*keys, "source", "judgement_no"}
        others = [name for name in columns()[table] if name not in own]
        loaded = f"AND s.source <> '{BY_JUDGEMENTS}'" if table == "human_score" else ""
        row = connection.execute(
            f"SELECT {', '.join(f's.{name}' for name in keys)} FROM {source}.main.{table} AS s "
            f"SEMI JOIN {target}.main.{table} AS t ON {same_thing(table)} "
            f"ANTI JOIN {target}.main.{table} AS t ON {same_thing(table)} AND {_equal(others)} "
            f"WHERE {belongs(table, 's')} {loaded} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if row:
            name = ", ".join(map(str, row))
            raise _conflict(table, name, "content", "one", "another", titles)
    if "scoring" not in both:
        return
    row = connection.execute(
        "SELECT s.target, s.metric, s.data_sha256, t.data_sha256 "
        f"FROM {source}.main.scoring AS s JOIN {target}.main.scoring AS t "
        "USING (target, signature_id) WHERE s.data_sha256 IS DISTINCT FROM t.data_sha256 "
        f"AND {belongs('scoring', 's')} ORDER BY ALL LIMIT 1"
    ).fetchone()
    if row:
        target_id, metric, here, there = row
        raise _conflict(metric, target_id, "data_sha256", here, there, titles)


def same_thing(table: str, unit: Iterable[str] | None = None) -> str:
    """Return the condition that rows ``s`` and ``t`` of a table are about one thing.

    That is its key, or ``unit``; of judgements the item, since each copy numbers its own.
    """
    if table != "judgement":
        return _equal(natural_keys()[table] if unit is None else unit)
    shown = "CASE WHEN {0}.item_id IS NULL THEN {0}.{1} END"
    of_items = (
        f"{shown.format('t', name)} IS NOT DISTINCT FROM {shown.format('s', name)}"
        for name in _UNNAMED
    )
    return " AND ".join([_equal(_JUDGED), *of_items])


def _equal(names: Iterable[str]) -> str:
    return " AND ".join(f"t.{name} IS NOT DISTINCT FROM s.{name}" for name in names)


def _conflict(
    table: str, name: str, column: str, here: object, there: object, titles: Mapping[str, str]
) -> ConflictError:
    if column == "team":
        return ConflictError(
            f"the system {name} is of two teams: of {here} in {titles[SOURCE]}, of {there} in "
            f"{titles[TARGET]}",
            hint="nothing was changed; if they are two systems, give yours another name: 'tracker "
            f"keep rename system {name} NEW'",
        )
    return ConflictError(
        f"{table.replace('_', ' ')} {name} is in both, with other content: {column} {here} in "
        f"{titles[SOURCE]}, {there} in {titles[TARGET]}",
        hint="nothing was changed; rename or remove one of the two (tracker keep rename, remove)",
    )
