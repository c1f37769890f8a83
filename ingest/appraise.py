"""Appraise's export of ESA and MQM campaigns → the columns of the plain layout."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sr_tracker.ingest.error_spans import ESA, MQM, is_mqm, marked, score_of
from sr_tracker.ingest.error_weights import UNWEIGHTED, WeightScheme, weight_scheme
from sr_tracker.ingest.judgement_columns import JudgementFile
from sr_tracker.ingest.judgement_rows import JudgementTable, Rows
from sr_tracker.ingest.records import broken_quoting
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

WEIGHTS = "esa23"
_CELLS = 12
_MISSING = "missing"
_BAD = re.compile(r"bad\d*")
_YEAR = re.compile(r"wmt\d\d\.")
_HINT = (
    "a row is login, system, item, TGT or BAD, source and target language, score, document, flag, "
    "errors as JSON, start and end time, without a header"
)


@dataclass
class Item:
    """A row of the export."""

    line: int
    login: str
    system: str
    number: int
    bad: bool
    pair: str
    score: str
    document: str
    copy: str
    """What tells a copy of a document from it: ``bad1``, ``duplicate1``; empty for itself."""
    spans: list[dict[str, Any]]
    start: float
    end: float
    sent_id: str = ""

    @property
    def kind(self) -> str:
        """Return what kind of item it is, as the plain layout says it."""
        return "degraded" if self.bad else "ordinary"


def read_items(path: Path, language_pair: str | None) -> tuple[list[Item], list[str]]:
    """Return the rows that count, in the order of the file, and what to know of the others.

    Tutorials do not count, nor copies of documents that fill a HIT up. Of several ratings of an
    item in a HIT the latest counts, as an annotator may come back to it.

    Raises InputError (file:line) for a broken row, and where no row is of the ``language_pair``.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    items: list[Item] = []
    tutorials, end = 0, 0
    try:
        for row in reader:
            line, end = end + 1, reader.line_num
            if not row:
                continue
            if len(row) != _CELLS:
                raise InputError(
                    f"the line has {len(row)} values, not {_CELLS}",
                    where=f"{path}:{line}",
                    hint=_HINT,
                )
            if "tutorial" in row[1] or "tutorial" in row[7]:
                tutorials += 1
            else:
                items.append(_item(row, line, path))
    except csv.Error as error:
        raise broken_quoting(error, f"{path}:{reader.line_num}") from error
    notes = [f"{tutorials} ratings of tutorials are left out ({path})"] * bool(tutorials)
    if language_pair is not None and items:
        pairs = sorted({item.pair for item in items})
        if language_pair not in pairs:
            raise InputError(
                f"no rating is of the language pair '{language_pair}'",
                where=str(path),
                hint=f"pairs: {', '.join(pairs)}",
            )
        items = [item for item in items if item.pair == language_pair]
    kept = [item for item in items if not item.copy or (item.bad and _BAD.fullmatch(item.copy))]
    filled = len(items) - len(kept)
    notes += [f"{filled} ratings of copies that fill HITs up are left out ({path})"] * bool(filled)
    latest: dict[tuple[str, ...], Item] = {}
    for item in kept:
        key = (item.login, item.pair, item.system, item.document, item.copy, str(item.number))
        there = latest.get(key)
        if there is None or (item.end, item.start) > (there.end, there.start):
            latest[key] = item
    again = len(kept) - len(latest)
    notes += [f"{again} ratings that an annotator gave anew are left out ({path})"] * bool(again)
    return list(latest.values()), notes


def _item(row: Sequence[str], line: int, path: Path) -> Item:
    where = f"{path}:{line}"
    login, system, number, kind, source, target, score, named, _, spans, start, end = row
    if kind not in ("TGT", "BAD"):
        raise InputError(f"'{kind}' is no kind of item", where=where, hint=_HINT)
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise InputError(f"'{number}' is no number of an item", where=where, hint=_HINT)
    system = _YEAR.sub("", system, count=1) if _YEAR.match(system) else system
    document, *more = named.split("#")
    if more and more[0] == system:
        more = more[1:]
    if not all((login, system, source, target, document)):
        raise InputError("a cell is empty", where=where, hint=_HINT)
    try:
        errors = json.loads(spans)
        whole = isinstance(errors, list) and all(isinstance(each, dict) for each in errors)
    except (ValueError, RecursionError):
        whole = False
    if not whole:
        raise InputError("the errors are not a JSON list of objects", where=where, hint=_HINT)
    return Item(
        line,
        login,
        system,
        int(number),
        kind == "BAD",
        f"{source}-{target}",
        score,
        document,
        "#".join(more),
        errors,
        _time(start, where),
        _time(end, where),
    )


def _time(value: str, where: str) -> float:
    try:
        time = float(value)
    except ValueError:
        time = math.nan
    if not 0 <= time < 2**33:
        raise InputError(f"'{value}' is no time in seconds since 1970", where=where, hint=_HINT)
    return time


def numbered_by_segment(items: Sequence[Item]) -> bool:
    """Return whether items are numbered by segment of the test set, not by place in the HIT.

    Then a number names one document throughout, and several systems' outputs are numbered alike.
    """
    document_of: dict[tuple[str, int], str] = {}
    systems: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for item in items:
        key = item.pair, item.number
        if document_of.setdefault(key, item.document) != item.document:
            return False
        systems[key].add(item.system)
    return any(len(named) > 1 for named in systems.values())


def table(
    items: Sequence[Item],
    given: JudgementFile,
    path: Path,
    treebanks: dict[str, str],
    notes: list[str],
) -> JudgementTable:
    """Return placed items in the plain layout; MQM's score is made of the weights of its errors."""
    categories = any(span.get("error_type") for item in items for span in item.spans)
    criterion = given.criterion or (MQM if categories else ESA)
    by_weights = is_mqm(criterion)
    weights = weight_scheme(given.weights or (WEIGHTS if by_weights else UNWEIGHTED))
    rows = Rows(str(path))
    names = given.annotator_names
    for item in items:
        where = f"{path}:{item.line}"
        spans = [_span(span, weights, where) for span in item.spans]
        annotator = item.login if names is None else names.get(item.login)
        if annotator is None:
            raise InputError(
                f"the file of annotators lacks the login '{item.login}'",
                where=where,
                hint="give each login its annotator, or leave the file out",
            )
        copy = f":{item.copy}" if item.copy else ""
        rows.add(
            item.line,
            annotator=annotator,
            hit=item.login,
            item=f"{item.number}:{item.system}:{item.document}{copy}",
            system=item.system,
            treebank=treebanks[item.pair],
            language=item.pair.partition("-")[2],
            sent_id=item.sent_id,
            criterion=criterion,
            kind=item.kind,
            score=score_of(spans) if by_weights else item.score,
            time=datetime.fromtimestamp(item.end, UTC).isoformat(),
            error_spans=json.dumps(spans),
            document=item.document,
        )
    return rows.table(notes)


def _span(span: dict[str, Any], weights: WeightScheme | None, where: str) -> Any:
    """Return an error of Appraise, whose last character is ``end_i``; both ends may be missing."""
    start, end = span.get("start_i"), span.get("end_i")
    severity, named = span.get("severity"), span.get("error_type")
    category = "/".join(map(str, named)) if isinstance(named, list) else named
    if _MISSING in (start, end):
        start = end = None
    elif type(start) is int and type(end) is int and 0 <= start <= end < 2**31 - 1:
        end += 1
    else:
        raise InputError(
            f"an error cannot be from {start!r} to {end!r}",
            where=where,
            hint="characters are counted from 0; what is missing in an output is at 'missing'",
        )
    if not isinstance(severity, str) or not isinstance(category, str | None):
        raise InputError(
            "an error has no severity, or a category that is no text", where=where, hint=_HINT
        )
    return marked(start, end, category, severity, weights, where)
