"""Appraise's exports of DA, ESA and MQM campaigns → the columns of the plain layout."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ...schema.errors import InputError
from ..formats import UserFile, number_in
from ..records import delimited_rows
from .columns import JudgementFile, JudgementTable, Rows
from .error_spans import ESA, MQM, UNWEIGHTED, WeightScheme, is_mqm, marked, score_of, weight_scheme

WEIGHTS = "esa23"
DIRECT = "da"
_FEWEST = 7
_FLAGS = ("True", "False")
_MISSING = "missing"
_KINDS = {"TGT": "ordinary", "CHK": "repeat", "REF": "reference", "BAD": "degraded"}
_HEADED = {
    "username": "login",
    "systemID": "system",
    "segmentID": "number",
    "itemType": "kind",
    "score": "score",
    "documentID": "document",
    "startTime": "start",
    "endTime": "end",
    "mqm": "spans",
}
"""Columns of the export that has a header."""
_NEEDED = {"username", "systemID", "segmentID", "itemType", "score"}
_TUTORIALS = "ratings of tutorials"
_FILLING = "ratings of copies that fill HITs up"
_AGAIN = "ratings that an annotator gave anew"
_BATCH = re.compile(r"\d{1,8}")
_BAD = re.compile(r"bad\d*")
_YEAR = re.compile(r"wmt\d\d\.")
_HINT = (
    "a row is login, system, item, TGT or BAD, source and target language, score, and where there "
    "are such document and flag, errors as JSON, start and end time, batch and item; without a "
    "header, or with Appraise's (username, systemID, segmentID, score, …)"
)


Shown = tuple[str, str, str, str, str, int]
"""An item's languages, system, document, copy of it, kind and number."""


@dataclass
class Item:
    """A row of the export."""

    line: int
    login: str
    system: str
    number: int
    kind: str
    """As the plain layout says it."""
    pair: str
    score: str
    document: str
    copy: str
    """What tells a copy of a document from it: ``bad1``, ``duplicate1``; empty for itself."""
    spans: list[dict[str, Any]] | None
    """None where the campaign marks no errors."""
    start: float
    end: float
    """0 where no times were exported."""
    sent_id: str = ""

    @property
    def shown(self) -> Shown:
        """What tells items apart, in an export as in batches."""
        return self.pair, self.system, self.document, self.copy, self.kind, self.number


def read_items(
    file: UserFile, language_pair: str | None, unsaid: str | None = None
) -> tuple[list[Item], list[str]]:
    """Return the rows that count, in the order of the file, and what to know of the others.

    Tutorials do not count, nor copies of documents that fill a HIT up. Of several ratings of an
    item in a HIT the latest counts, as an annotator may come back to it.

    The columns of an export depend on the campaign and on how it was made: documents, errors, times
    and batches may be missing. One with a header tells no language, which ``language_pair`` gives,
    or else ``unsaid``.

    Raises InputError (file:line) for a broken row, and where no row is of the ``language_pair``.
    """
    items: list[Item] = []
    left_out = dict.fromkeys((_TUTORIALS, _FILLING, _AGAIN), 0)
    for line, cells in _rows(file, language_pair or unsaid or ""):
        if "tutorial" in cells["system"] or "tutorial" in cells.get("document", ""):
            left_out[_TUTORIALS] += 1
        else:
            items.append(_item(cells, line, file.where(line)))
    if language_pair is not None and items:
        pairs = sorted({item.pair for item in items})
        if language_pair not in pairs:
            raise InputError(
                f"no rating is of the language pair '{language_pair}'",
                where=file.source,
                hint=f"pairs: {', '.join(pairs)}",
            )
        items = [item for item in items if item.pair == language_pair]
    latest: dict[tuple[str, *Shown], Item] = {}
    for item in items:
        if item.copy and not (item.kind == "degraded" and _BAD.fullmatch(item.copy)):
            left_out[_FILLING] += 1
            continue
        key = (item.login, *item.shown)
        there = latest.setdefault(key, item)
        if there is not item:
            left_out[_AGAIN] += 1
            if (item.end, item.start) > (there.end, there.start):
                latest[key] = item
    return list(latest.values()), [
        f"{count} {what} are left out ({file.source})" for what, count in left_out.items() if count
    ]


def _rows(file: UserFile, pair: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of an export by the names of their cells, each with its line."""
    header: list[str] | None = None
    for line, row in delimited_rows(file.path, file.text):
        where = file.where(line)
        if line == 1 and {*row} >= _NEEDED:
            header = row
        elif row and header is None:
            yield line, _cells(row, where)
        elif row and header is not None:
            source, _, target = pair.partition("-")
            cells = _headed(row, header, where)
            if not target:
                raise InputError(
                    "the export does not name its languages",
                    where=where,
                    hint="give --language-pair, as in eng-deu, or the campaign's --batches",
                )
            yield line, {**cells, "source": source, "target": target}


def _cells(row: Sequence[str], where: str) -> dict[str, str]:
    """Return the cells of a row without a header, by name."""
    names = ["login", "system", "number", "kind", "source", "target", "score"]
    rest = row[_FEWEST:]
    if len(rest) > 1 and rest[1] in _FLAGS:
        names += ["document", "flag"]
        rest = rest[2:]
    if rest and rest[0][:1] in ("[", "{"):
        names.append("spans")
        rest = rest[1:]
    if len(rest) > 1 and not _BATCH.fullmatch(rest[0]):
        names += ["start", "end"]
        rest = rest[2:]
    batch = len(rest) in (0, 2, 3) and all(map(str.isdigit, rest))
    if len(row) < _FEWEST or not batch:
        raise InputError(f"the line's {len(row)} values fit no export", where=where, hint=_HINT)
    return dict(zip(names, row, strict=False))


def _headed(row: Sequence[str], header: Sequence[str], where: str) -> dict[str, str]:
    """Return the cells of a row below a header; errors are last, their commas not quoted."""
    last = len(header) - 1
    if header[-1] == "mqm" and len(row) > len(header):
        row = [*row[:last], ",".join(row[last:])]
    if len(row) != len(header):
        raise InputError(
            f"the line has {len(row)} values, the header {len(header)}", where=where, hint=_HINT
        )
    cells = zip(header, row, strict=True)
    return {_HEADED[name]: value for name, value in cells if name in _HEADED}


def shown(
    pair: str, system: str, document: str, kind: str, number: str, where: str, hint: str = _HINT
) -> Shown:
    """Return what tells an item apart, by what an export or a batch says of it.

    Raises InputError for a kind or a number that is none.
    """
    if kind not in _KINDS:
        raise InputError(f"'{kind}' is no kind of item", where=where, hint=hint)
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise InputError(f"'{number}' is no number of an item", where=where, hint=hint)
    system = _YEAR.sub("", system, count=1) if _YEAR.match(system) else system
    document, *more = document.split("#")
    if more and more[0] == system:
        more = more[1:]
    return pair, system, document, "#".join(more), _KINDS[kind], int(number)


def _item(cells: Mapping[str, str], line: int, where: str) -> Item:
    pair, system, document, copy, kind, number = shown(
        f"{cells['source']}-{cells['target']}",
        cells["system"],
        cells.get("document", ""),
        cells["kind"],
        cells["number"],
        where,
    )
    needed = (cells["login"], system, cells["source"], cells["target"])
    if not all(needed) or ("document" in cells and not document):
        raise InputError("a cell is empty", where=where, hint=_HINT)
    return Item(
        line=line,
        login=cells["login"],
        system=system,
        number=number,
        kind=kind,
        pair=pair,
        score=cells["score"],
        document=document,
        copy=copy,
        spans=_errors(cells["spans"], where) if "spans" in cells else None,
        start=_time(cells.get("start", "0"), where),
        end=_time(cells.get("end", "0"), where),
    )


def _errors(spans: str, where: str) -> list[dict[str, Any]]:
    try:
        errors = json.loads(spans)
        whole = isinstance(errors, list) and all(isinstance(error, dict) for error in errors)
    except (ValueError, RecursionError):
        whole = False
    if not whole:
        raise InputError("the errors are not a JSON list of objects", where=where, hint=_HINT)
    return list(errors)


def _time(value: str, where: str) -> float:
    time = number_in(value)
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
    settings: JudgementFile,
    file: UserFile,
    treebanks: dict[str, str],
    notes: list[str],
    *,
    placed: bool,
) -> JudgementTable:
    """Return items in the plain layout; MQM's score is made of the weights of its errors.

    ``placed`` says whether documents or texts tell their sentences.
    """
    categories = any(span.get("error_type") for item in items for span in item.spans or ())
    marking = any(item.spans is not None for item in items)
    criterion = settings.criterion or (MQM if categories else ESA if marking else DIRECT)
    by_weights = is_mqm(criterion)
    weights = weight_scheme(settings.weights or (WEIGHTS if by_weights else UNWEIGHTED))
    rows = Rows(file.source)
    names = settings.annotator_names
    for item in items:
        where = file.where(item.line)
        spans = [_span(span, weights, where) for span in item.spans or ()]
        annotator = item.login if names is None else names.get(item.login)
        if annotator is None:
            raise InputError(
                f"the file of annotators lacks the login '{item.login}'",
                where=where,
                hint="give each login its annotator, or leave the file out",
            )
        # A sentence may be shown again in a HIT, itself or worse, under the same number.
        other = item.copy or ("" if item.kind == "ordinary" else item.kind)
        copy = f":{other}" if other else ""
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
            time=datetime.fromtimestamp(item.end, UTC).isoformat() if item.end else None,
            error_spans=None if item.spans is None else json.dumps(spans),
            document=item.document or None,
        )
    return JudgementTable(rows.records(), notes, placed)


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
