"""Files of judgements as evaluation tools write them → the columns of the plain layout."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from ...schema.errors import InputError
from ..formats import Column, Columns, Table, UserFile
from ..records import Records, delimited_rows, records_of_rows
from .columns import ROW_FIELDS, JudgementFile, JudgementTable, Rows
from .error_spans import no_constant

CRITERION = "adequacy"
_NO_CRITERION = "ad"
_VALUE = re.compile(r'"([^"]*)"|([^\s"]+)')
_ANSWER = re.compile(r"([0-9]{1,6})_(.+)_([^_]+)")
_HOURS = {"GMT": 0, "UTC": 0, "PST": -8, "PDT": -7}
_OTHER = "is it another layout? --layout plain takes a table with columns of any names"
_WMT = Columns(
    "WMT's direct assessments",
    lacking_hint=_OTHER,
    columns=(
        Column("annotator", ["WorkerId"], required=True),
        Column("hit", ["HITId", "hit"]),
        Column("item", ["rid"]),
        Column("system", ["sys_id"], required=True),
        Column("source", ["Input.src"], required=True),
        Column("language", ["Input.trg"], required=True),
        Column("sent_id", ["sid"], required=True),
        Column("criterion", ["Input.item"]),
        Column("kind", ["type"], required=True),
        Column("score", required=True),
    ),
)
_MTURK = Columns(
    "assignments of Mechanical Turk",
    lacking_hint=_OTHER,
    columns=(
        Column("annotator", ["WorkerId"], required=True),
        Column("hit", ["HITId"], required=True),
        Column("source", ["Input.src"], required=True),
        Column("language", ["Input.trg"], required=True),
        Column("first kind", ["Input.tst_0"], required=True),
        Column("answers", ["Answer.Q1"], required=True),
        Column("criterion", ["Input.item"]),
        Column("time", ["SubmitTime"]),
    ),
)
_UNFILLED = ("Approve", "Reject")
"""Columns of the requester, at the end of a row, that may have no cell."""


def read_wmt(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of WMT's direct assessments, as they are exported.

    A header, then values between tabs or blanks, ``NA`` for none. The test set is called
    campaign-source-target, such as ``wmt21-hi-bn``.
    """
    rows = ((line, _values(text, file.where(line))) for line, text in file.filled_lines())
    records = records_of_rows(
        file.path,
        rows,
        hint="quote values that hold blanks",
        check=_WMT.check_header,
        missing=("NA", "NaN", ""),
    )
    table = _WMT.table(records)
    columns = {column.field: table.texts(column.field) for column in _WMT.columns}
    columns["criterion"] = [_criterion(item) for item in columns["criterion"]]
    columns["treebank"] = _test_sets(settings, columns.pop("source"), columns["language"])
    columns["item"] = _items(columns)
    named = {name: columns.get(name) or [None] * len(table) for name in ROW_FIELDS}
    return JudgementTable(Records(file.source, named, table.lines))


def _items(columns: dict[str, list[str | None]]) -> list[str | None]:
    """Return items that are told apart within a HIT of an annotator.

    A rid may name a document, or an output that several systems share: then the item is the rid
    with the sentence, and with the system where that does not do either.
    """
    hits = list(zip(columns["annotator"], columns["hit"], strict=True))
    items = columns["item"]
    for further in ("sent_id", "system"):
        named = [key for key in zip(hits, items, strict=True) if key[1] is not None]
        if len(set(named)) == len(named):
            break
        items = [
            item and f"{item}:{value}" for item, value in zip(items, columns[further], strict=True)
        ]
    return items


def _values(text: str, where: str) -> list[str]:
    if text.count('"') % 2:
        raise InputError(
            "a quote is not closed", where=where, hint="quotes stand around a whole value"
        )
    return [match[1] if match[2] is None else match[2] for match in _VALUE.finditer(text)]


def read_mturk(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of a batch of Mechanical Turk results, one assignment a row.

    Its items are in ``Input.*`` and its ratings in ``Answer.Q1`` (position_rid_score|…). The test
    set is called as in ``read_wmt``.
    """
    records = records_of_rows(
        file.path,
        delimited_rows(file.path, file.text),
        hint="only the columns Approve and Reject may be left out",
        check=_MTURK.check_header,
        fewest=lambda header: len(header) - sum(name in _UNFILLED for name in header[-2:]),
    )
    table = _MTURK.table(records)
    rows = Rows(file.source)
    notes: list[str] = []
    columns = {column.field: table.texts(column.field) for column in _MTURK.columns}
    columns["treebank"] = _test_sets(settings, columns.pop("source"), columns["language"])
    for row, line in enumerate(table.lines):
        about = {name: values[row] for name, values in columns.items()}
        answers = [answer for answer in (about["answers"] or "").split("|") if answer]
        time = _mturk_time(about["time"], table.where(row))
        if not answers:
            notes.append(
                f"the assignment of '{about['annotator'] or ''}' has no answer ({table.where(row)})"
            )
        for answer in answers:
            number, item, score = _answer(table, row, answer)
            rows.add(
                line,
                annotator=about["annotator"],
                hit=about["hit"],
                item=item,
                treebank=about["treebank"],
                language=about["language"],
                criterion=_criterion(about["criterion"]),
                score=score,
                time=time,
                system=_shown(table, row, f"sys_id_{number}"),
                sent_id=_shown(table, row, f"sid_{number}"),
                kind=_shown(table, row, f"tst_{number}"),
            )
    return JudgementTable(rows.records(), notes)


def _answer(table: Table, row: int, answer: str) -> tuple[int, str, str]:
    """Return position, item and score that an answer tells."""
    where = table.where(row)
    match = _ANSWER.fullmatch(answer)
    if match is None:
        raise InputError(
            f"the answer '{answer[:60]}' is not position_rid_score",
            where=where,
            hint="answers are written as 0_65232_15|1_57552_99",
        )
    number = int(match[1])
    if _shown(table, row, f"rid_{number}") != match[2]:
        raise InputError(
            f"the answer '{answer[:60]}' is to no item of the HIT",
            where=where,
            hint=f"the column Input.rid_{number} names the item at that position",
        )
    return number, match[2], match[3]


def _shown(table: Table, row: int, name: str) -> str | None:
    """Return what an assignment says of an item; None where it has no such column."""
    values = table.records.columns.get(f"Input.{name}")
    return None if values is None else values[row]


def _mturk_time(value: str | None, where: str) -> str | None:
    """Return a time such as ``Fri Jun 06 18:52:03 GMT 2014`` in the form of ISO 8601."""
    if not value:
        return None
    words = value.split()
    try:
        weekday_less = " ".join([*words[1:4], words[5]])
        zone = timezone(timedelta(hours=_HOURS[words[4]]))
        time = datetime.strptime(weekday_less, "%b %d %H:%M:%S %Y").replace(tzinfo=zone)
        return time.astimezone(UTC).isoformat()
    except (ValueError, LookupError, OverflowError):
        raise InputError(
            f"'{value}' is no time of submission",
            where=where,
            hint=f"as in Fri Jun 06 18:52:03 GMT 2014; zones: {', '.join(_HOURS)}",
        ) from None


def _criterion(item: str | None) -> str:
    """Return the criterion: ``ad`` says that the item is a direct assessment, of adequacy."""
    return CRITERION if item in (None, "", _NO_CRITERION) else str(item)


def _test_sets(
    settings: JudgementFile, sources: Sequence[str | None], targets: Sequence[str | None]
) -> list[str | None]:
    campaign = str(settings.campaign_id).lower()
    return [
        f"{campaign}-{source}-{target}" if source and target else None
        for source, target in zip(sources, targets, strict=True)
    ]


_Leaf = tuple[tuple[str, ...], Any]


def read_objects(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of a JSON file of objects inside each other.

    They name, from the outside in, what ``levels`` says; inside are the ratings. A criterion that
    holds text alone, such as feedback, is left out, as is null. The line of a record is 1.

    Raises InputError (file:line) for what is no JSON, for objects of another depth and for names
    that an object holds twice.
    """
    levels = settings.levels
    content = file.json("correct it", object_pairs_hook=_once, parse_constant=no_constant)
    leaves = list(_leaves(content, len(levels), (), file.source, levels))
    remarks = _remarks(leaves) if levels[-1] == "criterion" else Counter()
    ratings = [leaf for leaf in leaves if leaf[1] is not None and leaf[0][-1] not in remarks]
    columns: dict[str, list[str | None]] = {
        name: [names[level] for names, _ in ratings] for level, name in enumerate(levels)
    }
    columns["score"] = [
        value if isinstance(value, str) else json.dumps(value) for _, value in ratings
    ]
    notes = [
        f"'{name}' holds text, no ratings: {count} left out ({file.source})"
        for name, count in sorted(remarks.items())
    ]
    empty = sum(value is None for _, value in leaves)
    notes += [f"{empty} ratings are null: left out ({file.source})"] * bool(empty)
    return JudgementTable(Records(file.source, columns, [1] * len(ratings)), notes)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise ValueError(f"an object holds '{twice[0]}' twice")
    return dict(pairs)


def _leaves(
    value: Any, depth: int, names: tuple[str, ...], source: str, levels: Sequence[str]
) -> Iterator[_Leaf]:
    """Yield what lies ``depth`` objects deep, with the names on the way."""
    inside = " of ".join(f"'{name}'" for name in reversed(names)) or "the file"
    if depth and isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, depth - 1, (*names, name), source, levels)
    elif depth or isinstance(value, dict | list):
        raise InputError(
            f"{inside} holds {_kind(value)} where {'an object' if depth else 'a rating'} should be",
            where=source,
            hint=f"the levels are {', '.join(levels)}: --levels says what the objects name",
        )
    else:
        yield names, value


def _kind(value: Any) -> str:
    kinds = ((dict, "an object"), (list, "a list"), (str, "text"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "a value")


def _remarks(leaves: Sequence[_Leaf]) -> Counter[str]:
    """Return the criteria of which no value is a number, with how many values they have."""
    texts = Counter(names[-1] for names, value in leaves if value is not None)
    rated = {names[-1] for names, value in leaves if _is_rating(value)}
    return Counter({name: count for name, count in texts.items() if name not in rated})


def _is_rating(value: Any) -> bool:
    if not isinstance(value, str):
        return isinstance(value, int | float)
    try:
        float(value)
    except ValueError:
        return False
    return True
