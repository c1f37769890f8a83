"""Loading judgements: raw ratings of outputs by annotators, one row per annotator and item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as with_values
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.brief import Brief, listed, plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.files import content_hash
from ...schema.names import meant
from ...schema.staging import Load, commit
from ...schema.statements import fetch_table, read_tuples
from ...schema.temporary import temporary
from ..formats import Format, Table, UserFile
from ..names import kind_notes, register_campaign
from ..records import Records, check_once
from ..scores import first_runs_meant
from ..scores.columns import by_column, scored_records
from .appraise_segments import read_appraise, store_documents
from .columns import (
    COLUMNS,
    JudgementFile,
    JudgementTable,
    check_single,
    kinds,
    raw_scores,
    times,
    without,
)
from .error_spans import FIELD, HIGHEST_RATING, error_spans
from .human_scores import CRITERION_NAMES
from .items import JudgedItems, judged_items
from .layouts import read_mturk, read_objects, read_wmt
from .pearmut import read_pearmut
from .span_layouts import read_mqm, read_ratings

__all__ = ["JudgementFile", "JudgementReport", "ingest_judgements"]


@dataclass(frozen=True, repr=False)
class JudgementReport(Brief):
    """What became of a file of judgements."""

    new: int
    unchanged: int
    """Judgements that were there already."""
    left_out: int = 0
    """Judgements by annotators that are not among those who were named."""
    registered: list[str] = field(default_factory=list)
    """Test sets and submissions that were made known."""
    warnings: list[str] = field(default_factory=list)


def ingest_judgements(
    database: Database, path: Path, settings: JudgementFile, *, replace: bool = False
) -> JudgementReport:
    """Load raw judgements of a campaign and return what became of them.

    A row names its annotator, the output (``submission``, or ``system``, ``treebank`` and
    ``iteration``; a reference needs its treebank only), the sentence, the criterion, the kind of
    item and a score from 0 to 100. Judgements are numbered in the order in which they are loaded.
    ``replace`` puts the file in place of what the same annotators judged on the same criteria in
    the same HITs. The report warns of annotators whose ratings cannot be standardised and of
    repeats and degraded copies without their original.

    Raises InputError (file:line) for values that cannot be, z-scores given for raw ratings, and
    items judged twice; UnknownNameError for systems, submissions and sentences not loaded.
    """
    whose = "these judgements", str(path)
    campaign_id = meant(database, "campaign", settings.campaign_id, *whose)
    settings = with_values(settings, campaign_id=campaign_id)
    COLUMNS.check_fields([*settings.columns, *settings.levels], str(path))
    read = _judgements(database, path, settings)
    check_single(read.records, settings)
    records, of_criteria, left = by_column(
        *(COLUMNS, without(read.records, settings.ignore), settings.columns, settings.fixed),
        ("criterion", "score"),
        needed=["annotator"],
        empty=False,
        lowest=0,
        highest=HIGHEST_RATING,
    )
    table = COLUMNS.table(records, settings.columns, settings.fixed)
    if table.has("annotator") and not (table.has("submission") or table.has("treebank")):
        only = meant(database, "treebank", None, *whose, campaign=campaign_id)
        table = COLUMNS.table(records, settings.columns, {**settings.fixed, "treebank": only})
    for field_name in COLUMNS.fields:
        table.texts(field_name)  # a column that counts holds values
    table, left_out = _of_annotators(table, settings)
    notes = []
    if of_criteria:
        criteria_are = f"criteria are the columns of numbers: {', '.join(of_criteria)}"
        notes.append(f"{criteria_are}; --ignore leaves one out")
        others = f"columns without numbers from 0 to {HIGHEST_RATING} are left out"
        notes += [f"{others}: {listed(left)}"] if left else []
    names = [criterion.strip().lower() for criterion in table.filled("criterion")]
    criteria = [CRITERION_NAMES.get(name, name) for name in names]
    scores, of_scales = raw_scores(table, settings, criteria)
    with database.transaction():
        items = judged_items(database, read, table, settings, kinds(table, settings), path)
        rows = _rows(table, items, scores, criteria)
        _check_once(table, rows)
        if settings.register:
            store_documents(database, table.records, items.treebanks, items.sentence_numbers)
        with temporary(database, staged_judgements=rows):
            new, unchanged = store_judgements(
                database, table, rows, settings, path.name, replace=replace
            )
            named = table.has("submission") or table.has("iteration")
            systems, submissions = table.texts("system"), filter(None, items.submissions)
            warnings = [
                *read.notes,
                *([] if named else first_runs_meant(database, systems, submissions)),
                *notes,
                *of_scales,
                *kind_notes(name.split("/")[1] for name in items.registered if "/" in name),
                *weak_annotators(database, table, campaign_id),
                *without_original(database, table, campaign_id),
            ]
    return JudgementReport(new, unchanged, left_out, items.registered, warnings)


LAYOUTS: Mapping[str, Format[JudgementTable]] = {
    layout.name: layout
    for layout in (
        Format("plain", lambda file, *_: JudgementTable(scored_records(file.path))),
        Format("wmt", read_wmt),
        Format("mturk", read_mturk),
        Format("json", read_objects),
        Format("appraise", read_appraise),
        Format("ratings", read_ratings),
        Format("mqm", read_mqm),
        Format("pearmut", read_pearmut),
    )
}
"""The layouts of files of judgements, by name: no file tells which it has."""


def _judgements(database: Database, path: Path, settings: JudgementFile) -> JudgementTable:
    """Return the judgements of a file. Raises InputError for an unknown layout as well."""
    layout = LAYOUTS.get(settings.layout)
    if layout is None:
        raise InputError(
            f"'{settings.layout}' is no layout of judgements",
            where=str(path),
            hint=f"a layout is one of {', '.join(LAYOUTS)}",
        )
    return layout.rows(UserFile(path), settings, database)


def _of_annotators(table: Table, settings: JudgementFile) -> tuple[Table, int]:
    """Return the rows of the annotators who were named, and how many others there are."""
    if not len(table):
        raise InputError(
            "the file holds no judgements", where=table.source, hint="give a row a score"
        )
    annotators = table.filled("annotator")
    if settings.annotators is None:
        return table, 0
    named = set(settings.annotators)
    rows = [row for row, annotator in enumerate(annotators) if annotator in named]
    if not rows:
        raise InputError(
            "no judgement is by one of the annotators that were named",
            where=table.source,
            hint=f"the first one in the file is '{annotators[0]}'",
        )
    return table.only(rows), len(annotators) - len(rows)


def _rows(table: Table, items: JudgedItems, scores: list[float], criteria: list[str]) -> pa.Table:
    columns: dict[str, Any] = {
        "annotator_id": table.filled("annotator"),
        "hit_id": table.texts("hit"),
        "item_id": table.texts("item"),
        "submission_id": items.submissions,
        "treebank_id": items.treebanks,
        "sentence_no": pa.array(items.sentence_numbers, pa.int32()),
        "criterion": criteria,
        "kind": items.kinds,
        "raw_score": pa.array(scores, pa.float64()),
        "judged_at": pa.array(times(table), pa.timestamp("us", "UTC")),
        FIELD: error_spans(table, table.texts(FIELD)),
    }
    texts = {
        name: pa.array(values, pa.string()) if isinstance(values, list) else values
        for name, values in columns.items()
    }
    return pa.table({**texts, "record": pa.array(range(len(table)), pa.int32())})


def _check_once(table: Table, rows: pa.Table) -> None:
    names = ("annotator_id", "criterion", "hit_id", "item_id")
    output = ("submission_id", "treebank_id", "sentence_no", "kind")
    judged = zip(*(rows[name].to_pylist() for name in (*names, *output)), strict=True)

    def described(key: tuple[Any, ...]) -> str:
        annotator, criterion, hit, item, *shown = key
        what = f"sentence {shown[2]}" if item is None else f"item '{item}'"
        of_hit = f" of HIT '{hit}'" if hit is not None else ""
        return f"'{annotator}' judged {what}{of_hit} twice on {criterion}"

    hint = "keep one of them; 'hit' and 'item' distinguish repeated judgements"
    check_once(table, (key if key[3] is None else key[:4] for key in judged), described, hint)


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
    table: Table,
    rows: pa.Table,
    settings: JudgementFile,
    source: str,
    *,
    replace: bool,
) -> tuple[int, int]:
    """Store the rows staged as ``staged_judgements``; return how many are new, how many were there.

    Raises InputError (file:line) where an item was judged otherwise, unless ``replace`` is given.
    """
    campaign = {"campaign": settings.campaign_id}
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
        _check_free(database, table, campaign)
    if new or gone:
        _commit(database, rows, settings, source, replace=replace, hash_of=table.records)
    return new, rows.num_rows - new


def _check_free(database: Database, table: Table, campaign: dict[str, Any]) -> None:
    taken = database.connection.execute(
        "SELECT record, staged.annotator_id, staged.criterion, stored.raw_score "  # noqa: S608
        f"FROM (SELECT * {_NEW}) AS staged JOIN {_STORED} ON {_SAME_ITEM} "
        "ORDER BY record LIMIT 1",
        campaign,
    ).fetchone()
    if taken is not None:
        raise InputError(
            f"'{taken[1]}' judged this item on {taken[2]} already, with a score of {taken[3]:g}",
            where=table.where(taken[0]),
            hint="--replace loads the file in place of the HITs that are there",
        )


def _commit(
    database: Database,
    rows: pa.Table,
    settings: JudgementFile,
    source: str,
    *,
    replace: bool,
    hash_of: Records,
) -> None:
    """Append the new judgements or, for a replacement, write the campaign's judgements anew."""
    campaign_id = str(settings.campaign_id)
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
    stored = fetch_table(
        database.connection,
        "SELECT $campaign AS campaign_id, "  # noqa: S608
        f"({before} + row_number() OVER (ORDER BY part, place))::INTEGER AS judgement_no, {names} "
        f"FROM ({chosen}) ORDER BY judgement_no",
        {"campaign": campaign_id},
    )
    about = [part for part in (campaign_id, settings.criterion, source) if part]
    load = Load(
        kind="judgements",
        target=":".join(about),
        source=source,
        sha256=content_hash(
            json.dumps(hash_of.columns), json.dumps(vars(settings), default=_listed)
        ),
        records=rows.num_rows,
        rows={"judgement": stored},
        replaces=[("judgement", "campaign_id", campaign_id)] if replace else (),
    )
    commit(database, load)


def _listed(value: Iterable[Any]) -> Any:
    return dict(value) if hasattr(value, "keys") else sorted(value)


def _count(database: Database, query: str, parameters: dict[str, Any]) -> int:
    row = database.connection.execute(query, parameters).fetchone()
    return int(row[0]) if row else 0


def weak_annotators(database: Database, table: Table, campaign_id: str) -> list[str]:
    """Return a warning for each annotator of the file whose ratings have no deviation."""
    rows = read_tuples(database, "unvaried_annotators", campaign=campaign_id)
    warnings = []
    for annotator, criterion, judgements, score, record in rows:
        what = (
            f"has one judgement on {criterion}: it has no z-score"
            if judgements == 1
            else f"rated all {plural(judgements, 'item')} {score:g} on {criterion}: they have no "
            "z-scores"
        )
        warnings.append(f"annotator '{annotator}' {what} ({table.where(record)})")
    return warnings


def without_original(database: Database, table: Table, campaign_id: str) -> list[str]:
    """Return a warning for each kind of control item that lacks the judgement of its original."""
    rows = database.connection.execute(
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
        f"the same output by the same annotator, the first: {table.where(record)}"
        for kind, count, record in rows
    ]
