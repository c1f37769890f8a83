"""WMT's human evaluation since 2025: one file with sources, outputs, scores and marked errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...schema.errors import InputError, TrackerError
from ..formats import UserFile, is_number, parse_json
from ..judgements.error_spans import ESA
from ..judgements.pearmut import inclusive_span
from ..names import check_identifier
from .wmt import WmtFolder, check_pair

SEPARATOR = "_#_"
_HINT = (
    'a segment has doc_id ("en-cs_CZ_#_news_#_document_#_0"), src_text, tgt_text (systems and '
    "their outputs) and scores (systems and their annotations: human1, annotator1, errors1)"
)
_REFERENCE = re.compile(r"ref\w+")
_ROUND = re.compile(r"human(?P<round>\d*)")


@dataclass(frozen=True)
class _Segment:
    """A source segment with what was made of it and said of that."""

    where: str
    sent_id: str
    domain: str
    document: str
    hit: str
    source: str
    outputs: Mapping[str, str]
    scores: Mapping[str, Any]


@contextmanager
def unpacked(path: Path, pair: str) -> Iterator[WmtFolder]:
    """Give the block a folder with what a file has of a language pair such as cs-de_DE.

    The file is ``wmt25-genmt-humeval.jsonl``, one of control segments, or a Parquet file with the
    same columns: a row for each segment, with ``doc_id``, ``src_text``, ``tgt_text`` and
    ``scores``. Systems whose names begin with ``ref`` are references; where they were judged they
    are outputs as well.

    Raises InputError (file:line) for a segment that is none, for a system whose name cannot be an
    id, and where nothing is of the pair.
    """
    check_pair(pair)
    with TemporaryDirectory() as place:
        try:
            yield _unpack(path, pair, Path(place))
        except TrackerError as error:
            if error.where and str(error.where).startswith(place):
                error.where = str(path)
            raise


def _unpack(path: Path, pair: str, folder: Path) -> WmtFolder:
    """Write what a file has of a language pair into a folder, and return what that is."""
    segments = _segments(path, pair)
    systems = dict.fromkeys(system for segment in segments for system in segment.outputs)
    judgements = [row for segment in segments for row in _judgements(segment)]
    judged = {row["system"] for row in judgements}
    texts = {system: [segment.outputs.get(system) for segment in segments] for system in systems}

    def table(name: str, column: str, values: Sequence[str | None]) -> Path:
        rows = (
            {"sent_id": segment.sent_id, column: value}
            for segment, value in zip(segments, values, strict=True)
            if value is not None
        )
        return _write(folder / f"{name}.jsonl", rows)

    references = {
        system: table(system, "text", [text or "" for text in texts[system]])
        for system in sorted(filter(_REFERENCE.fullmatch, systems))
    }
    outputs = {
        system: references.get(system) or table(system, "text", texts[system])
        for system in sorted(systems)
        if system not in references or system in judged
    }
    documents = [
        {"sent_id": segment.sent_id, "document": segment.document, "domain": segment.domain}
        for segment in segments
    ]
    return WmtFolder(
        path=path,
        pair=pair,
        sources=table("sources", "text", [segment.source for segment in segments]),
        references=references,
        documents=_write(folder / "documents.jsonl", documents),
        outputs=outputs,
        human=(),
        ratings=(),
        metrics=(),
        others=(),
        judgements=_write(folder / "judgements.jsonl", judgements) if judgements else None,
    )


def campaign_of(path: Path) -> str:
    """Return the campaign that a folder or a file is named after: wmt23, wmt25-genmt-….jsonl.

    Raises InputError for a file whose name does not begin with one.
    """
    if not path.is_file():
        return path.resolve().name.upper()
    name = re.match(r"wmt\d+", path.name, re.IGNORECASE)
    if name is None:
        raise InputError("the campaign is not named", where=str(path), hint="give --campaign")
    return name[0].upper()


def _write(path: Path, rows: Any) -> Path:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def _segments(path: Path, pair: str) -> list[_Segment]:
    """Return the segments of a language pair, in the order of the file."""
    segments: dict[str, _Segment] = {}
    pairs: dict[str, int] = {}
    for where, row in _rows(path):
        name = row.get("doc_id") if isinstance(row, dict) else None
        parts = name.split(SEPARATOR) if isinstance(name, str) else []
        if len(parts) < 4 or not all(parts):
            raise InputError(f"'{name}' is no id of a segment", where=where, hint=_HINT)
        pairs[parts[0]] = pairs.get(parts[0], 0) + 1
        if parts[0] != pair:
            continue
        sent_id = SEPARATOR.join(parts[1:])
        if sent_id in segments:
            raise InputError(f"the segment '{name}' is there twice", where=where, hint="keep one")
        source, outputs = row.get("src_text"), _mapping(row.get("tgt_text"))
        scores = _mapping(row.get("scores") or {})
        if not isinstance(source, str) or outputs is None or scores is None:
            raise InputError(
                "the segment has no source, no outputs or no scores", where=where, hint=_HINT
            )
        for system in (*outputs, *scores):
            check_identifier(system, "system", where)
        outputs = {system: text for system, text in outputs.items() if text is not None}
        if not all(isinstance(text, str) for text in outputs.values()):
            raise InputError("an output is no text", where=where, hint=_HINT)
        document, hit = SEPARATOR.join(parts[2:-1]), SEPARATOR.join(parts[:-1])
        segments[sent_id] = _Segment(
            where, sent_id, parts[1], document, hit, source, outputs, scores
        )
    if not segments:
        raise InputError(
            f"the file has nothing of {pair}",
            where=str(path),
            hint=f"it has {', '.join(sorted(pairs)) or 'no segment'}",
        )
    return list(segments.values())


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a file of JSON lines or of Parquet, each with its place."""
    file = UserFile(path)
    if path.suffix.lower() == ".parquet":
        rows = enumerate(file.parquet_rows(_HINT), start=1)
        yield from ((f"{path}: row {number}", row) for number, row in rows)
        return
    for line, text in file.filled_lines():
        where = file.where(line)
        if text.startswith("version https://git-lfs"):
            raise InputError(
                "this is a pointer of Git LFS, not the file",
                where=where,
                hint="fetch it with 'git lfs pull'",
            )
        yield where, parse_json(text, where, _HINT)


def _mapping(value: Any) -> dict[str, Any] | None:
    """Return an object, or pairs as Parquet has maps; None for anything else."""
    if isinstance(value, dict):
        return value
    pairs = isinstance(value, list) and all(
        isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) for item in value
    )
    return dict(value) if pairs else None


def _judgements(segment: _Segment) -> Iterator[dict[str, Any]]:
    """Yield the judgements of a segment as rows of the plain layout."""
    for system, value in segment.scores.items():
        for number, annotation in enumerate(_annotations(value, segment.where), start=1):
            score: Any = annotation.get("human", annotation.get("score"))
            annotator = annotation.get("annotator")
            if not is_number(score) or not 0 <= score <= 100:
                raise InputError(
                    f"'{score}' is no score from 0 to 100", where=segment.where, hint=_HINT
                )
            if not isinstance(annotator, str) or not annotator:
                raise InputError(
                    f"an annotation of {system} has no annotator", where=segment.where, hint=_HINT
                )
            text = segment.outputs.get(system)
            spans = [
                inclusive_span(span, None, text, segment.where)
                for span in annotation.get("errors") or []
            ]
            yield {
                "annotator": annotator,
                "hit": segment.hit,
                "item": f"{segment.sent_id}:{system}:{number}",
                "system": system,
                "sent_id": segment.sent_id,
                "criterion": ESA,
                "score": score,
                "time": _time(annotation.get("times")),
                "error_spans": json.dumps(spans),
            }


def _annotations(value: Any, where: str) -> list[Mapping[str, Any]]:
    """Return the annotations of an output: a list, or numbered fields human1, annotator1 and so on.

    Fields without a number (``human``) are those of a single annotation.
    """
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    fields = _mapping(value)
    if fields is None:
        raise InputError("annotations are no object", where=where, hint=_HINT)
    numbers = [match["round"] for name in fields if (match := _ROUND.fullmatch(name))]
    names = ("human", "annotator", "errors", "times")
    return [
        {name: fields.get(name + number) for name in names}
        for number in sorted(numbers)
        if fields[f"human{number}"] is not None
    ]


def _time(times: Any) -> str | None:
    """Return when an output was judged last, in the form of ISO 8601; None where nothing says."""
    moments = [time for time in times or () if is_number(time) and 0 <= time < 2**33]
    return datetime.fromtimestamp(max(moments), UTC).isoformat() if moments else None
