"""What two campaign databases have under one name with other content: nothing is copied then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

from sr_tracker.schema.copying.chosen import belongs, columns, held
from sr_tracker.schema.errors import ConflictError
from sr_tracker.schema.keys import KEYS

SOURCE, TARGET = "source", "target"
"""The keys of what messages call the two."""
BY_JUDGEMENTS = "judgements"
"""The source of human scores that are statistics over all judgements of a campaign."""
RAW = (
    *("judgement", "human_score", "gold_graph", "reference_graph", "output_graph"),
    *("output_probability", "reference_probability", "grammar_rule", "sentence_source"),
    "alternative_reference",
    "challenge_check",
    "training_overlap",
)
"""Tables of what was brought from outside, whose rows must be the same where both have them."""
_JUDGED = ("campaign_id", "annotator_id", "criterion", "hit_id", "item_id")
_UNNAMED = ("submission_id", "treebank_id", "sentence_no", "kind")
"""What tells judgements apart whatever their numbers: an item, or what it showed if it has none."""
_SAME = {
    "campaign": ("year",),
    "system": ("kind",),
    "treebank": (
        *("sha256", "scheme", "version", "split", "hidden_text", "excluded_relations"),
        "parsed_by",
    ),
    "submission": ("sha256", "analysis", "reference_form", "iteration"),
    "rule_set": ("sha256",),
}
"""What must be the same where both have something of one id."""


def check(
    connection: duckdb.DuckDBPyConnection, source: str, target: str, *, titles: Mapping[str, str]
) -> None:
    """Raise ConflictError where both have something with other content, of what is chosen."""
    both = held(connection, source) & held(connection, target)
    for table, same in _SAME.items():
        if table not in both:
            continue
        key = f"{table}_id"
        differs = " OR ".join(f"s.{each} IS DISTINCT FROM t.{each}" for each in same)
        found = connection.execute(
            f"SELECT s.{key}, {', '.join(f's.{each}, t.{each}' for each in same)} "
            f"FROM {source}.main.{table} AS s JOIN {target}.main.{table} AS t USING ({key}) "
            f"WHERE ({differs}) AND {belongs(table, 's')} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if found:
            values = list(zip(same, found[1::2], found[2::2], strict=True))
            column, here, there = next(each for each in values if each[1] != each[2])
            raise _conflict(table, found[0], column, here, there, titles)
    for table in RAW:
        if table not in both:
            continue
        keys = _JUDGED if table == "judgement" else KEYS[table]
        own = {*keys, "source", "judgement_no"}
        others = [each for each in columns()[table] if each not in own]
        loaded = f"AND s.source <> '{BY_JUDGEMENTS}'" if table == "human_score" else ""
        found = connection.execute(
            f"SELECT {', '.join(f's.{each}' for each in keys)} FROM {source}.main.{table} AS s "
            f"SEMI JOIN {target}.main.{table} AS t ON {same_thing(table)} "
            f"ANTI JOIN {target}.main.{table} AS t ON {same_thing(table)} AND {_equal(others)} "
            f"WHERE {belongs(table, 's')} {loaded} ORDER BY ALL LIMIT 1"
        ).fetchone()
        if found:
            name = ", ".join(map(str, found))
            raise _conflict(table, name, "content", "one", "another", titles)
    if "scoring" not in both:
        return
    found = connection.execute(
        "SELECT s.target, s.metric, s.data_sha256, t.data_sha256 "
        f"FROM {source}.main.scoring AS s JOIN {target}.main.scoring AS t "
        "USING (target, signature_id) WHERE s.data_sha256 IS DISTINCT FROM t.data_sha256 "
        f"AND {belongs('scoring', 's')} ORDER BY ALL LIMIT 1"
    ).fetchone()
    if found:
        target_id, metric, here, there = found
        raise _conflict(metric, target_id, "data_sha256", here, there, titles)


def same_thing(table: str, unit: Iterable[str] | None = None) -> str:
    """Return the condition that rows ``s`` and ``t`` of a table are about one thing.

    That is its key, or ``unit``; of judgements the item, since each copy numbers its own.
    """
    if table != "judgement":
        return _equal(KEYS[table] if unit is None else unit)
    shown = "CASE WHEN {0}.item_id IS NULL THEN {0}.{1} END"
    of_items = (
        f"{shown.format('t', each)} IS NOT DISTINCT FROM {shown.format('s', each)}"
        for each in _UNNAMED
    )
    return " AND ".join([_equal(_JUDGED), *of_items])


def _equal(names: Iterable[str]) -> str:
    return " AND ".join(f"t.{each} IS NOT DISTINCT FROM s.{each}" for each in names)


def _conflict(
    table: str, name: str, column: str, here: object, there: object, titles: Mapping[str, str]
) -> ConflictError:
    return ConflictError(
        f"{table.replace('_', ' ')} {name} is in both, with other content: {column} {here} in "
        f"{titles[SOURCE]}, {there} in {titles[TARGET]}",
        hint="nothing was changed; rename or remove one of the two (tracker rename, remove)",
    )
