"""Error spans as WMT publishes them: ratings of mt-metrics-eval, and the table of the MQM data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ...schema.brief import plural
from ...schema.errors import InputError
from ..formats import Column, Columns, UserFile, is_number
from ..records import records_of_rows
from ..scores.wmt import rating_named
from .columns import JudgementFile, JudgementTable, Rows
from .error_spans import MQM, Span, is_mqm, marked, score_of, weight_scheme

WEIGHTS = "wmt"
_RATING_HINT = (
    'a line is SYSTEM, a tab, and None or {"errors": [{"start": 0, "end": 4, "category": "…", '
    '"severity": "major", "score": 5}]}'
)
_QUOTED = re.compile(r'"(?=.*"")((?:[^"]|"")*)"', re.DOTALL)
_MARK = re.compile(r"</?v>")
_TABLE = Columns(
    "errors",
    (
        *(Column(name, required=True) for name in ("system", "rater", "source", "target")),
        *(Column(name, required=True) for name in ("category", "severity")),
        Column(
            "segment",
            ["globalSegId", "global_seg_id", "seg_id"],
            usual="seg_id",
            required=True,
        ),
        Column("document", ["doc"]),
    ),
)
_NO_ERROR = ("no-error", "no error")
_NO_SEVERITY = ("", "none", "nan", "null")
_CHECK = "hotw"


def read_ratings(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of mt-metrics-eval's ``*.seg.rating``; a system's lines are segments.

    The criterion and the annotator are in the file's name (``en-de.mqm.rater1.seg.rating``), or
    the annotator in a third column. An error costs the score that the file gives, unless a scheme
    of weights is named. Lines with None are not judged.

    Raises InputError (file:line) for broken lines, and for systems with other numbers of lines.
    """
    named, annotator = rating_named(file.path)
    criterion = settings.criterion or named
    rows = Rows(file.source)
    lines: Counter[str] = Counter()
    unscored = 0
    for line, text in enumerate(file.text.split("\n"), start=1):
        if not text:
            continue
        where = file.where(line)
        system, *cells = text.rstrip("\r").split("\t")
        if len(cells) not in (1, 2) or not system:
            raise InputError("the line is no rating", where=where, hint=_RATING_HINT)
        value, rater = cells[0], cells[-1].strip() if len(cells) == 2 else ""
        lines[system] += 1
        if value.strip() == "None":
            continue
        rating = _object(value, where)
        spans = [_rated(error, settings, where) for error in rating["errors"]]
        score = _score(rating, spans, criterion, settings, (system, lines[system]), where)
        if score is None:
            unscored += 1
            continue
        rows.add(
            line,
            annotator=rater or annotator,
            system=system,
            treebank=settings.treebank_named(file),
            sent_id=str(lines[system]),
            criterion=criterion,
            score=score,
            error_spans=json.dumps(spans),
        )
    counts = sorted(set(lines.values()))
    if len(counts) > 1:
        system = min(lines, key=lambda name: lines[name])
        raise InputError(
            f"'{system}' has {plural(lines[system], 'line')}, another system {counts[-1]}",
            where=file.source,
            hint="every system has a line for each segment of the test set, with None where nobody "
            "judged",
        )
    notes = [f"{unscored} ratings of outputs without a score are left out ({file.source})"]
    return JudgementTable(
        rows.records(), notes * bool(unscored), lines=counts[0] if counts else None
    )


def _object(value: str, where: str) -> dict[str, Any]:
    try:
        rating = json.loads(value)
    except (ValueError, RecursionError):
        rating = None
    errors = rating.get("errors") if isinstance(rating, dict) else None
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise InputError("the rating has no list of errors", where=where, hint=_RATING_HINT)
    return dict(rating)


def _rated(error: dict[str, Any], settings: JudgementFile, where: str) -> Span:
    cost = error.get("score")
    severity, category = error.get("severity"), error.get("category")
    if not isinstance(severity, str) or not isinstance(category, str | None):
        raise InputError("an error has no severity", where=where, hint=_RATING_HINT)
    own = cost is not None and settings.weights is None
    if own and not is_number(cost):
        raise InputError(f"an error cannot cost {cost!r}", where=where, hint=_RATING_HINT)
    start, end = error.get("start"), error.get("end")
    placed = not any(isinstance(place, int) and place < 0 for place in (start, end))
    span = marked(
        start if placed else None,
        end if placed else None,
        category,
        severity,
        None if own else weight_scheme(settings.weights or WEIGHTS),
        where,
        on_source=bool(error.get("is_source_error", False)),
    )
    if own:
        span["weight"] = abs(float(cost or 0))
    return span


def _score(
    rating: dict[str, Any],
    spans: list[Span],
    criterion: str,
    settings: JudgementFile,
    output: tuple[str, int],
    where: str,
) -> str | None:
    """Return an output's score as text; None where it is not among the scores that are given."""
    if is_mqm(criterion):
        return score_of(spans)
    score = rating.get("score")
    if score is None and settings.scores is not None:
        system, line = output
        of_system = settings.scores.get(system, ())
        published = of_system[line - 1] if line <= len(of_system) else None
        return None if published is None else repr(published)
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise InputError(
            "the rating has no score",
            where=where,
            hint='ESA gives an output a score from 0 to 100: {"score": 80, "errors": []}',
        )
    return repr(score)


@dataclass
class _Judged:
    """One annotator's errors in one output, over the lines of the table."""

    line: int
    document: str | None
    text: str
    """The output, without marks."""
    spans: list[Span] = field(default_factory=list)


def read_mqm(file: UserFile, settings: JudgementFile, *_: object) -> JudgementTable:
    """Return the judgements of the tab-separated table in which Google publishes MQM data.

    A line is an error of an output, marked by ``<v>`` and ``</v>`` in the target or the source, or
    says that there is none; what has no severity is no error either, as WMT counts it. The segment
    is the line of the test set (``globalSegId``, or ``seg_id`` where there is no such column).
    Lines of attention checks (severity HOTW) do not count. Errors whose marks do not close have no
    place.

    Raises InputError (file:line) for lines that do not fit the header and severities that the
    weights do not know.
    """
    weights = weight_scheme(settings.weights or WEIGHTS)
    judged: dict[tuple[str, str, str], _Judged] = {}
    checks = unclosed = unsure = 0
    for line, row in _marked_rows(file):
        where = file.where(line)
        severity, category = row["severity"].strip(), row["category"].strip()
        if severity.lower().startswith(_CHECK) or category.lower().startswith(_CHECK):
            checks += 1
            continue
        text = _MARK.sub("", row["target"])
        output = judged.setdefault(
            (row["system"], row["segment"].strip(), row["rater"]),
            _Judged(line, row["document"] or None, text),
        )
        if category.lower() in _NO_ERROR or severity.lower() in _NO_ERROR:
            continue
        if severity.lower() in _NO_SEVERITY:
            unsure += category.lower() not in _NO_SEVERITY
            continue
        start, end, on_source = _place(row)
        unclosed += start is None and any(_MARK.search(row[name]) for name in ("target", "source"))
        output.spans.append(
            marked(start, end, category, severity, weights, where, on_source=on_source)
        )
    rows = Rows(file.source)
    for (system, segment, rater), output in judged.items():
        rows.add(
            output.line,
            annotator=rater,
            system=system,
            treebank=settings.treebank_named(file),
            sent_id=segment,
            criterion=settings.criterion or MQM,
            score=score_of(output.spans),
            error_spans=json.dumps(output.spans),
            document=output.document,
            text=output.text or None,
        )
    notes = [
        (checks, "attention checks are left out"),
        (unsure, "lines name no severity and count as no error"),
        (unclosed, "errors have no place: their marks do not close"),
    ]
    return JudgementTable(
        rows.records(), [f"{count} {what} ({file.source})" for count, what in notes if count]
    )


def _marked_rows(file: UserFile) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each line of the table as its fields, with its number."""
    lines = ((line, text.rstrip("\r").split("\t")) for line, text in file.filled_lines())
    line, header = next(lines, (1, [""]))
    names = [name.strip().strip('"') for name in header]
    cells = ((number, [*map(_unquoted, values)]) for number, values in lines)
    records = records_of_rows(
        file.path,
        chain([(line, names)], cells),
        hint="values stand between tabs and hold none",
        check=_TABLE.check_header,
    )
    table = _TABLE.table(records)
    columns = [table.texts(name) for name in _TABLE.fields]
    for row, values in enumerate(zip(*columns, strict=True)):
        fields = {name: value or "" for name, value in zip(_TABLE.fields, values, strict=True)}
        if not all(fields[name].strip() for name in ("system", "rater", "segment")):
            raise InputError(
                "the line lacks its system, rater or segment",
                where=table.where(row),
                hint="fill it in",
            )
        yield table.lines[row], fields


def _unquoted(value: str) -> str:
    """Return a cell without the quotes that some files put around cells that hold quotes."""
    quoted = _QUOTED.fullmatch(value)
    return quoted[1].replace('""', '"') if quoted else value


def _place(row: dict[str, str]) -> tuple[int | None, int | None, bool]:
    """Return where an error is, in the text without its marks, and whether in the source.

    Of several marks, or nested ones, it is from the first to the last.
    """
    for name, on_source in (("target", False), ("source", True)):
        marks = [(match[0], match.start(), match.end()) for match in _MARK.finditer(row[name])]
        opened = sum(mark == "<v>" for mark, _, _ in marks)
        if marks and marks[0][0] == "<v>" and marks[-1][0] == "</v>" and 2 * opened == len(marks):
            start = marks[0][1]
            return start, marks[-1][1] - sum(e - s for _, s, e in marks[:-1]), on_source
    return None, None, False
