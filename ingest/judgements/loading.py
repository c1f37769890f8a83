"""Loading judgements: raw ratings of outputs by annotators, one row per annotator and item."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...schema.brief import Brief
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.temporary import temporary
from ..campaigns.kinds import kinds_told
from ..records import Records, check_once
from ..scores.columns import check_fields, required
from .appraise_segments import read_appraise, store_documents
from .columns import (
    FIELDS,
    JudgementFile,
    JudgementTable,
    kinds,
    optional,
    raw_scores,
    times,
    without,
)
from .error_spans import FIELD, error_spans
from .human_scores import CRITERION_NAMES
from .items import JudgedItems, judged_items
from .layouts import MARKED, read_judgements
from .pearmut import read_pearmut
from .span_layouts import read_ratings, read_table
from .store import store_judgements, weak_annotators, without_original

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
    database: Database, path: Path, given: JudgementFile, *, replace: bool = False
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
    campaign_id = given.campaign_id
    if campaign_id is None:
        raise InputError(
            "the campaign of these judgements is not given",
            where=str(path),
            hint="give --campaign",
        )
    check_fields([*given.columns, *given.levels], FIELDS, "judgements", str(path))
    table = (
        _read_marked(database, path, given)
        if given.layout in MARKED
        else read_judgements(path, given.layout, campaign_id, given.levels)
    )
    read = without(table.records, given.ignore)
    for field_name in FIELDS:
        optional(read, given, field_name)  # a mapped column is there, and holds values
    records, left_out = _of_annotators(read, given)
    criteria = _criteria(records, given)
    scores, notes = raw_scores(records, given, criteria)
    with database.transaction():
        items = judged_items(database, table, records, given, kinds(records, given), path)
        rows = _rows(records, given, items, scores, criteria)
        _check_once(records, rows)
        if given.register:
            store_documents(database, records, items.treebanks, items.sentence_numbers)
        with temporary(database, staged_judgements=rows):
            new, unchanged = store_judgements(
                database, records, rows, given, path.name, replace=replace
            )
            warnings = [
                *table.notes,
                *notes,
                *kinds_told(name.split("/")[1] for name in items.registered if "/" in name),
                *weak_annotators(database, records, campaign_id),
                *without_original(database, records, campaign_id),
            ]
    return JudgementReport(new, unchanged, left_out, items.registered, warnings)


def _of_annotators(records: Records, given: JudgementFile) -> tuple[Records, int]:
    """Return the records of the annotators who were named, and how many others there are."""
    if not records.lines:
        raise InputError(
            "the file holds no judgements", where=records.source, hint="give a row a score"
        )
    annotators = required(records, given, "annotator")
    if given.annotators is None:
        return records, 0
    named = set(given.annotators)
    kept = [record for record, annotator in enumerate(annotators) if annotator in named]
    if not kept:
        raise InputError(
            "no judgement is by one of the annotators that were named",
            where=records.source,
            hint=f"the first one in the file is '{annotators[0]}'",
        )
    columns = {name: [values[n] for n in kept] for name, values in records.columns.items()}
    lines = [records.lines[n] for n in kept]
    return replace(records, columns=columns, lines=lines), len(annotators) - len(kept)


def _read_marked(database: Database, path: Path, given: JudgementFile) -> JudgementTable:
    """Return the judgements of a layout with marked errors."""
    if given.layout == "appraise":
        return read_appraise(database, path, given)
    readers = {"ratings": read_ratings, "mqm": read_table, "pearmut": read_pearmut}
    return readers[given.layout](path, given)


def _criteria(records: Records, given: JudgementFile) -> list[str]:
    criteria = required(records, given, "criterion")
    named = [str(criterion).strip().lower() for criterion in criteria]
    return [CRITERION_NAMES.get(name, name) for name in named]


def _rows(
    records: Records,
    given: JudgementFile,
    items: JudgedItems,
    scores: list[float],
    criteria: list[str],
) -> pa.Table:
    count = len(records.lines)
    columns: dict[str, Any] = {
        "annotator_id": required(records, given, "annotator"),
        "hit_id": optional(records, given, "hit"),
        "item_id": optional(records, given, "item"),
        "submission_id": items.submissions,
        "treebank_id": items.treebanks,
        "sentence_no": pa.array(items.sentence_numbers, pa.int32()),
        "criterion": criteria,
        "kind": items.kinds,
        "raw_score": pa.array(scores, pa.float64()),
        "judged_at": pa.array(times(records, given), pa.timestamp("us", "UTC")),
        FIELD: error_spans(records, optional(records, given, FIELD)),
    }
    texts = {
        name: pa.array(values, pa.string()) if isinstance(values, list) else values
        for name, values in columns.items()
    }
    return pa.table({**texts, "record": pa.array(range(count), pa.int32())})


def _check_once(records: Records, rows: pa.Table) -> None:
    names = ("annotator_id", "criterion", "hit_id", "item_id")
    output = ("submission_id", "treebank_id", "sentence_no", "kind")
    judged = zip(*(rows[name].to_pylist() for name in (*names, *output)), strict=True)

    def told(key: tuple[Any, ...]) -> str:
        annotator, criterion, hit, item, *shown = key
        what = f"sentence {shown[2]}" if item is None else f"item '{item}'"
        of_hit = f" of HIT '{hit}'" if hit is not None else ""
        return f"'{annotator}' judged {what}{of_hit} twice on {criterion}"

    hint = "keep one of them; 'hit' and 'item' tell repeated judgements apart"
    check_once(records, (key if key[3] is None else key[:4] for key in judged), told, hint)
