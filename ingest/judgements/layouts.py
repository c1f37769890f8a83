"""Files of judgements as evaluation tools write them → the columns of the plain layout."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ...schema.files import read_text
from ..records import Records, delimited_rows, read_records
from .columns import LEVELS, JudgementTable, Rows
from .error_spans import no_constant

PLAIN, JSON = "plain", "json"
MARKED = ("appraise", "ratings", "mqm", "pearmut")
"""Layouts with marked errors: ``ingest.judgements`` reads them."""
CRITERION = "adequacy"
_NO_CRITERION = "ad"
_VALUE = re.compile(r'"([^"]*)"|([^\s"]+)')
_ANSWER = re.compile(r"([0-9]{1,6})_(.+)_([^_]+)")
_HOURS = {"GMT": 0, "UTC": 0, "PST": -8, "PDT": -7}


def read_judgements(
    path: Path, layout: str, campaign_id: str, levels: Sequence[str] = LEVELS
) -> JudgementTable:
    """Return the judgements of a file; those of LAYOUTS in columns named like their fields.

    ``wmt`` is the export of the direct assessments of WMT: a header, then values between tabs or
    blanks, ``NA`` for none. ``mturk`` is a batch of Mechanical Turk results, one assignment a row
    with its items in ``Input.*`` and its ratings in ``Answer.Q1`` (position_rid_score|…). Both call
    the test set campaign-source-target, such as ``wmt21-hi-bn``. ``json`` is objects inside each
    other, which name the fields that ``levels`` says, ratings in the innermost ones.

    Raises InputError (file:line) for an unknown layout and a file that does not have it.
    """
    if layout == PLAIN:
        return JudgementTable(read_records(path))
    if layout == JSON:
        return JudgementTable(*read_objects(path, levels))
    reader = LAYOUTS.get(layout)
    if reader is None:
        raise InputError(
            f"'{layout}' is no layout of judgements",
            where=str(path),
            hint=f"a layout is one of {', '.join((PLAIN, *LAYOUTS, JSON, *MARKED))}",
        )
    return reader(path, campaign_id)


def _read_wmt(path: Path, campaign_id: str) -> JudgementTable:
    header: list[str] | None = None
    found = Rows(str(path))
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        if not text.strip():
            continue
        values = _values(text, f"{path}:{line}")
        if header is None:
            header = values
            _require(
                header,
                ("WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score"),
                path,
            )
            continue
        if len(values) != len(header):
            raise InputError(
                f"the line has {len(values)} values, the header has {len(header)}",
                where=f"{path}:{line}",
                hint="quote values that hold blanks",
            )
        row = {
            name: None if value in ("NA", "NaN", "") else value
            for name, value in zip(header, values, strict=True)
        }
        found.add(
            line,
            annotator=row["WorkerId"],
            hit=row.get("HITId") or row.get("hit"),
            item=row.get("rid"),
            system=row["sys_id"],
            treebank=_test_set(campaign_id, row["Input.src"], row["Input.trg"]),
            language=row["Input.trg"],
            sent_id=row["sid"],
            criterion=_criterion(row.get("Input.item")),
            kind=row["type"],
            score=row["score"],
        )
    return _with_items(found.table([]))


def _with_items(table: JudgementTable) -> JudgementTable:
    """Return judgements whose items are told apart within a HIT of an annotator.

    A rid may name a document, or an output that several systems share: then the item is the rid
    with the sentence, and with the system where that does not do either.
    """
    columns = table.records.columns
    hits = list(zip(columns["annotator"], columns["hit"], strict=True))
    items = columns["item"]
    for further in ("sent_id", "system"):
        named = [key for key in zip(hits, items, strict=True) if key[1] is not None]
        if len(set(named)) == len(named):
            break
        items = [
            item and f"{item}:{value}" for item, value in zip(items, columns[further], strict=True)
        ]
    columns["item"] = items
    return table


def _values(text: str, where: str) -> list[str]:
    if text.count('"') % 2:
        raise InputError(
            "a quote is not closed", where=where, hint="quotes stand around a whole value"
        )
    return [match[1] if match[2] is None else match[2] for match in _VALUE.finditer(text)]


def _read_mturk(path: Path, campaign_id: str) -> JudgementTable:
    found = Rows(str(path))
    notes: list[str] = []
    rows = delimited_rows(path, read_text(path))
    _, header = next(rows, (1, []))
    _require(
        header, ("HITId", "WorkerId", "Input.src", "Input.trg", "Input.tst_0", "Answer.Q1"), path
    )
    for line, values in rows:
        if values:
            row = _mturk_row(header, values, f"{path}:{line}")
            _add_answers(found, row, campaign_id, line, notes)
    return found.table(notes)


def _mturk_row(header: list[str], values: list[str], where: str) -> dict[str, str]:
    """Return a row by column; the requester's last two columns may have no cell."""
    optional = ("Approve", "Reject")
    least = len(header) - len([name for name in header[-2:] if name in optional])
    if not least <= len(values) <= len(header):
        raise InputError(
            f"the line has {len(values)} values, the header has {len(header)}",
            where=where,
            hint="only the columns Approve and Reject may be left out",
        )
    return dict(zip(header, values, strict=False))


def _add_answers(
    found: Rows, row: dict[str, str], campaign_id: str, line: int, notes: list[str]
) -> None:
    where = f"{found.source}:{line}"
    time = _mturk_time(row.get("SubmitTime", ""), where)
    answers = [answer for answer in row["Answer.Q1"].split("|") if answer]
    if not answers:
        notes.append(f"the assignment of '{row['WorkerId']}' has no answer ({where})")
    for answer in answers:
        match = _ANSWER.fullmatch(answer)
        if match is None:
            raise InputError(
                f"the answer '{answer[:60]}' is not position_rid_score",
                where=where,
                hint="answers are written as 0_65232_15|1_57552_99",
            )
        number = int(match[1])
        if row.get(f"Input.rid_{number}") != match[2]:
            raise InputError(
                f"the answer '{answer[:60]}' is to no item of the HIT",
                where=where,
                hint=f"the column Input.rid_{number} names the item at that position",
            )
        found.add(
            line,
            annotator=row["WorkerId"] or None,
            hit=row["HITId"] or None,
            item=match[2],
            system=row.get(f"Input.sys_id_{number}") or None,
            treebank=_test_set(campaign_id, row["Input.src"], row["Input.trg"]),
            language=row["Input.trg"] or None,
            sent_id=row.get(f"Input.sid_{number}") or None,
            criterion=_criterion(row.get("Input.item")),
            kind=row.get(f"Input.tst_{number}"),
            score=match[3],
            time=time,
        )


def _mturk_time(value: str, where: str) -> str | None:
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


def _test_set(campaign_id: str, source: str | None, target: str | None) -> str | None:
    return f"{campaign_id.lower()}-{source}-{target}" if source and target else None


def _require(header: list[str], names: tuple[str, ...], path: Path) -> None:
    lacking = [name for name in names if name not in header]
    if lacking:
        raise InputError(
            f"there is no column '{lacking[0]}'",
            where=f"{path}:1",
            hint="is it another layout? --layout plain takes a table with columns of any names",
        )


LAYOUTS: dict[str, Callable[[Path, str], JudgementTable]] = {
    "wmt": _read_wmt,
    "mturk": _read_mturk,
}


_Leaf = tuple[tuple[str, ...], Any]


def read_objects(path: Path, levels: Sequence[str]) -> tuple[Records, list[str]]:
    """Return the judgements of a JSON file, and what to know of what was left out.

    Its objects name, from the outside in, what ``levels`` says; inside are the ratings. A criterion
    that holds text alone, such as feedback, is left out, as is null. The line of a record is 1.

    Raises InputError (file) for what is no JSON, for objects of another depth and for names that
    an object holds twice.
    """
    try:
        content = json.loads(read_text(path), object_pairs_hook=_once, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}", where=str(path), hint="correct it") from None
    leaves = list(_leaves(content, len(levels), (), path, levels))
    remarks = _remarks(leaves) if levels[-1] == "criterion" else Counter()
    kept = [leaf for leaf in leaves if leaf[1] is not None and leaf[0][-1] not in remarks]
    columns: dict[str, list[str | None]] = {
        name: [names[level] for names, _ in kept] for level, name in enumerate(levels)
    }
    columns["score"] = [value if isinstance(value, str) else json.dumps(value) for _, value in kept]
    notes = [
        f"'{name}' holds text, no ratings: {count} left out ({path})"
        for name, count in sorted(remarks.items())
    ]
    empty = sum(value is None for _, value in leaves)
    notes += [f"{empty} ratings are null: left out ({path})"] * bool(empty)
    return Records(str(path), columns, [1] * len(kept)), notes


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise ValueError(f"an object holds '{twice[0]}' twice")
    return dict(pairs)


def _leaves(
    value: Any, depth: int, names: tuple[str, ...], path: Path, levels: Sequence[str]
) -> Iterator[_Leaf]:
    """Yield what lies ``depth`` objects deep, with the names on the way."""
    inside = " of ".join(f"'{name}'" for name in reversed(names)) or "the file"
    if depth and isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(item, depth - 1, (*names, name), path, levels)
    elif depth or isinstance(value, dict | list):
        raise InputError(
            f"{inside} holds {_kind(value)} where {'an object' if depth else 'a rating'} should be",
            where=str(path),
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
