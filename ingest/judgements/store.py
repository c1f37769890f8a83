"""Where staged judgements go: beside those of the campaign that are there, or in their place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.staging import Load, commit
from ...schema.statements import read_tuples
from ..campaigns.registering import register_campaign
from ..records import Records
from .columns import JudgementFile

_COLUMNS = (
    *("annotator_id", "hit_id", "item_id", "submission_id", "treebank_id", "sentence_no"),
    *("criterion", "kind", "raw_score", "judged_at", "error_spans"),
)
_SAME = " AND ".join(f"stored.{name} IS NOT DISTINCT FROM staged.{name}" for name in _COLUMNS)
_SAME_HIT = (
    "stored.annotator_id = staged.annotator_id AND stored.criterion = staged.criterion "
    "AND stored.hit_id IS NOT DISTINCT FROM staged.hit_id"
)
_SAME_ITEM = (
    f"{_SAME_HIT} AND stored.item_id IS NOT DISTINCT FROM staged.item_id "
    "AND (staged.item_id IS NOT NULL OR ("
    "stored.submission_id IS NOT DISTINCT FROM staged.submission_id "
    "AND stored.treebank_id = staged.treebank_id "
    "AND stored.sentence_no = staged.sentence_no AND stored.kind = staged.kind))"
)
_STORED = "(FROM judgement WHERE campaign_id = $campaign) AS stored"
_NEW = f"FROM staged_judgements AS staged ANTI JOIN {_STORED} ON {_SAME}"


def store_judgements(
    database: Database,
    records: Records,
    rows: pa.Table,
    given: JudgementFile,
    source: str,
    *,
    replace: bool,
) -> tuple[int, int]:
    """Store the rows staged as ``staged_judgements``; return how many are new, how many were there.

    Raises InputError (file:line) where an item was judged otherwise, unless ``replace`` is given.
    """
    campaign = {"campaign": given.campaign_id}
    new = _count(database, f"SELECT count(*) {_NEW}", campaign)
    gone = 0
    if replace:
        gone = _count(
            database,
            f"SELECT count(*) FROM (FROM {_STORED} SEMI JOIN staged_judgements AS staged "  # noqa: S608
            f"ON {_SAME_HIT}) AS stored ANTI JOIN staged_judgements AS staged ON {_SAME}",
            campaign,
        )
    elif new:
        _check_free(database, records, campaign)
    if new or gone:
        _commit(database, rows, given, source, replace=replace, hash_of=records)
    return new, rows.num_rows - new


def _check_free(database: Database, records: Records, campaign: dict[str, Any]) -> None:
    taken = database.connection.execute(
        "SELECT record, staged.annotator_id, staged.criterion, stored.raw_score "  # noqa: S608
        f"FROM (SELECT * {_NEW}) AS staged JOIN {_STORED} ON {_SAME_ITEM} "
        "ORDER BY record LIMIT 1",
        campaign,
    ).fetchone()
    if taken is not None:
        raise InputError(
            f"'{taken[1]}' judged this item on {taken[2]} already, with a score of {taken[3]:g}",
            where=records.where(taken[0]),
            hint="--replace loads the file in place of the HITs that are there",
        )


def _commit(
    database: Database,
    rows: pa.Table,
    given: JudgementFile,
    source: str,
    *,
    replace: bool,
    hash_of: Records,
) -> None:
    """Append the new judgements or, for a replacement, write the campaign's judgements anew."""
    campaign_id = str(given.campaign_id)
    register_campaign(database, campaign_id)
    names = ", ".join(_COLUMNS)
    if replace:
        chosen = (
            f"SELECT 0 AS part, judgement_no AS place, {names} FROM {_STORED} "  # noqa: S608
            f"ANTI JOIN staged_judgements AS staged ON {_SAME_HIT} "
            f"UNION ALL SELECT 1, record, {names} FROM staged_judgements"
        )
        before = "0"
    else:
        chosen = f"SELECT 0 AS part, record AS place, {names} {_NEW}"
        before = f"(SELECT coalesce(max(judgement_no), 0) FROM {_STORED})"  # noqa: S608
    stored = database.connection.execute(
        "SELECT $campaign AS campaign_id, "  # noqa: S608
        f"({before} + row_number() OVER (ORDER BY part, place))::INTEGER AS judgement_no, {names} "
        f"FROM ({chosen}) ORDER BY judgement_no",
        {"campaign": campaign_id},
    ).to_arrow_table()
    about = [part for part in (campaign_id, given.criterion, source) if part]
    load = Load(
        kind="judgements",
        target=":".join(about),
        source=source,
        sha256=content_hash(json.dumps(hash_of.columns), json.dumps(vars(given), default=_listed)),
        records=rows.num_rows,
        rows={"judgement": stored},
        replaces=[("judgement", "campaign_id", campaign_id)] if replace else (),
    )
    commit(database, load)


def _listed(value: Iterable[Any]) -> Any:
    return dict(value) if hasattr(value, "keys") else sorted(value)


def _count(database: Database, query: str, parameters: dict[str, Any]) -> int:
    found = database.connection.execute(query, parameters).fetchone()
    return int(found[0]) if found else 0


def weak_annotators(database: Database, records: Records, campaign_id: str) -> list[str]:
    """Return a warning for each annotator of the file whose ratings have no deviation."""
    found = read_tuples(database, "unvaried_annotators", campaign=campaign_id)
    warnings = []
    for annotator, criterion, judgements, score, record in found:
        what = (
            f"has one judgement on {criterion}: it has no z-score"
            if judgements == 1
            else f"rated all {plural(judgements, 'item')} {score:g} on {criterion}: they have no "
            "z-scores"
        )
        warnings.append(f"annotator '{annotator}' {what} ({records.where(record)})")
    return warnings


def without_original(database: Database, records: Records, campaign_id: str) -> list[str]:
    """Return a warning for each kind of control item that lacks the judgement of its original."""
    found = database.connection.execute(
        "SELECT kind, count(*), min(record) FROM staged_judgements AS staged "  # noqa: S608
        "WHERE kind IN ('degraded', 'repeat') AND NOT EXISTS ("
        f"SELECT 1 FROM {_STORED} WHERE stored.kind = 'ordinary' "
        "AND stored.annotator_id = staged.annotator_id AND stored.criterion = staged.criterion "
        "AND stored.submission_id = staged.submission_id "
        "AND stored.sentence_no = staged.sentence_no) GROUP BY kind ORDER BY kind",
        {"campaign": campaign_id},
    ).fetchall()
    return [
        f"{count} {kind} {'item has' if count == 1 else 'items have'} no ordinary judgement of "
        f"the same output by the same annotator, the first: {records.where(record)}"
        for kind, count, record in found
    ]
