"""Files of metric scores → systems, sentences, scores: mt-metrics-eval, tables, JSON of tools."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...schema.errors import InputError
from ...schema.files import format_suffix, read_text
from ..campaigns.kinds import split_input
from ..records import (
    LARGEST_NUMBER,
    RECORD_SUFFIXES,
    UNSTORABLE,
    Records,
    check_records,
    number_hint,
    number_in,
    read_records,
)
from .columns import check_fields

FIELDS = ("submission", "system", "treebank", "iteration", "sent_id", "metric", "score")
_SENTENCE_COLUMNS = ("sent_id", "line", "segment", "segment_id", "seg_id", "sentence_no", "id")
_METRICS_EVAL = re.compile(r"(?P<name>.+)\.(?P<level>[a-z]+)\.score(\.gz|\.xz)?")
_LOWER = ("TER",)
"""Metrics of sacreBLEU of which lower scores are better."""
_SACREBLEU_VERSION = re.compile(r"(?:^|\|)v(?:ersion)?:([^|]+)")


@dataclass(frozen=True)
class MetricScores:
    """The scores by one metric in one file, row by row."""

    label: str
    """The metric's name as the file, or the user, writes it."""
    source: str
    level: str
    """sentence, or submission: a score of the whole."""
    systems: list[str] = field(default_factory=list)
    """The submission of each score, its system, or SYSTEM/TREEBANK@ITERATION (the treebank may be
    empty); "" for the one that the user names."""
    sentences: list[str | None] = field(default_factory=list)
    """The sentence of each score; None: a system's sentences come in their order."""
    scores: list[float | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    input: str | None = None
    """A reference's name, or src; None where the file does not say it."""
    version: str | None = None
    settings: str | None = None
    better: str | None = None

    def where(self, row: int) -> str:
        """Return the place of a row, counted from 0, as file:line."""
        return f"{self.source}:{self.lines[row]}"

    def add(self, system: str, sentence: str | None, score: float | None, line: int) -> None:
        """Add a row."""
        self.systems.append(system)
        self.sentences.append(sentence)
        self.scores.append(score)
        self.lines.append(line)


def read_metric_scores(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    label: str | None = None,
    references: Collection[str] = (),
) -> list[MetricScores]:
    """Return the scores in a file, one object for each metric and level.

    The name tells the format: mt-metrics-eval's ``NAME-refA.seg.score`` and ``.sys.score`` (``src``
    for metrics that read sources), tables (CSV, TSV, JSONL, Parquet; ``columns`` maps FIELDS to
    their columns), and ``.json`` of ``comet-score --to_json`` or of sacreBLEU. ``label`` names the
    metric in place of the file, ``references`` are the names of those that are known.

    Raises InputError (file:line) for whatever does not fit.
    """
    check_fields(columns or (), FIELDS, "metric scores", str(path))
    suffix = format_suffix(path)
    if suffix == ".score":
        found = [_metrics_eval(path, label, references)]
    elif suffix in RECORD_SUFFIXES:
        found = _table(path, columns or {}, label)
    elif suffix == ".json":
        found = _json(path, label)
    else:
        raise InputError(
            "scores of this format are not known",
            where=str(path),
            hint="NAME-refA.seg.score, NAME-refA.sys.score, .csv, .tsv, .jsonl, .parquet or .json",
        )
    if not any(each.scores for each in found):
        raise InputError("the file holds no scores", where=str(path), hint="is it complete?")
    for each in found:
        _check_storable(each)
    return found


def _check_storable(scores: MetricScores) -> None:
    """Raise InputError for names that hold what no database stores; JSON can write it."""
    about = [scores.label, scores.version or "", scores.settings or ""]
    if any(UNSTORABLE.search(text) for text in [*about, *dict.fromkeys(scores.systems)]):
        raise InputError(
            "a name holds a NUL character or half a surrogate pair",
            where=scores.source,
            hint="rename it",
        )


def parse_score(text: str, where: str) -> float | None:
    """Return a score; None where the text says that there is none.

    Raises InputError for what is no number, or one beyond LARGEST_NUMBER.
    """
    if text in ("None", "null", ""):
        return None
    value = number_in(text)
    if math.isnan(value):
        raise InputError(f"'{text}' is no score", where=where, hint=number_hint("write None"))
    return value


def read_score_lines(path: Path) -> Iterator[tuple[int, str, float | None]]:
    """Yield line number, system and score of a file with ``SYSTEM SCORE`` a line.

    A tab stands between them, or other blanks, as mt-metrics-eval allows.

    Raises InputError (file:line) for any other line, but for a last one that is empty.
    """
    text = read_text(path)
    check_records(str(path), text.count("\n"))
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, start=1):
        parts = line.split("\t" if "\t" in line else None)
        where = f"{path}:{number}"
        if len(parts) != 2 or not parts[0].strip():
            raise InputError(
                "the line is not a system, a tab and a score",
                where=where,
                hint="one line for each system and sentence, such as ONLINE-B TAB 0.85",
            )
        yield number, parts[0].strip(), parse_score(parts[1].strip(), where)


def _metrics_eval(path: Path, label: str | None, references: Collection[str]) -> MetricScores:
    match = _METRICS_EVAL.fullmatch(path.name)
    if match is None or match["level"] not in ("seg", "sys"):
        raise InputError(
            "the name does not tell what the scores are",
            where=str(path),
            hint="NAME-refA.seg.score has scores of sentences, NAME-refA.sys.score of systems",
        )
    metric, read = split_input(match["name"], references)
    return replace(scores_of_lines(path, label or metric, match["level"]), input=read)


def scores_of_lines(path: Path, label: str, level: str) -> MetricScores:
    """Return the scores of ``read_score_lines`` at a level: seg of sentences, sys of systems."""
    found = MetricScores(label, str(path), "sentence" if level == "seg" else "submission")
    for line, system, score in read_score_lines(path):
        found.add(system, None, score, line)
    return found


def _table(path: Path, columns: Mapping[str, str], label: str | None) -> list[MetricScores]:
    records = read_records(path)
    names = {name: columns.get(name) for name in FIELDS}
    for name in FIELDS:
        aliases = _SENTENCE_COLUMNS if name == "sent_id" else (name,)
        if names[name] is None:
            names[name] = next((each for each in aliases if each in records.columns), None)
        elif name != "score":
            records.column(str(names[name]))
    score = names["score"] or "score"
    if score not in records.columns:
        records.column(score)
    count = len(records.lines)

    def column(name: str) -> list[str | None]:
        found = names[name]
        return [None] * count if found is None else records.column(found)

    owners = column("submission") if names["submission"] else column("system")
    if not names["submission"] and (names["treebank"] or names["iteration"]):
        parts = zip(owners, column("treebank"), column("iteration"), strict=True)
        owners = [
            f"{system}/{treebank or ''}@{iteration or 1}" if system else None
            for system, treebank, iteration in parts
        ]
    sentences, metrics = column("sent_id"), column("metric")
    rows: Sequence[int] = range(count)
    if names["sent_id"]:
        whole = [sentence is None for sentence in sentences]
    else:
        times = Counter(owners)
        whole = [times[owner] == 1 for owner in owners]
    if score in records.nested:
        held = [
            (row, *each)
            for row in rows
            for each in _held(records, score, row, owners[row], metrics[row])
        ]
        rows, scores = [each[0] for each in held], [each[3] for each in held]
        owners, metrics = [each[1] for each in held], [each[2] for each in held]
    else:
        texts = zip(records.numerals(score), records.lines, strict=True)
        scores = [parse_score(text or "", f"{path}:{line}") for text, line in texts]
    places: dict[tuple[str | None, bool], list[int]] = {}
    for place, (metric, row) in enumerate(zip(metrics, rows, strict=True)):
        places.setdefault((label or metric, whole[row]), []).append(place)
    found = []
    for (told, is_whole), chosen in places.items():
        if not told:
            raise InputError(
                "the metric is not named",
                where=records.where(rows[chosen[0]]),
                hint="give --metric-name, or a column with metrics",
            )
        found.append(
            MetricScores(
                told,
                str(path),
                "submission" if is_whole else "sentence",
                [owners[place] or "" for place in chosen],
                [sentences[rows[place]] for place in chosen],
                [scores[place] for place in chosen],
                [records.lines[rows[place]] for place in chosen],
            )
        )
    return found


def _held(
    records: Records, column: str, row: int, owner: str | None, metric: str | None
) -> Iterator[tuple[str | None, str | None, float | None]]:
    """Yield owner, metric and score of what the object of a row holds by name.

    An object is ``{METRIC: score}`` where the row names its system, else ``{SYSTEM: score}`` or
    ``{SYSTEM: {METRIC: score}}``.
    """
    text, where = records.columns[column][row], records.where(row)
    held = json.loads(text) if text else {}
    if not isinstance(held, dict):
        raise InputError(
            f"'{column}' is no object of scores by name", where=where, hint='{"SYSTEM": 0.5}'
        )
    for name, value in held.items():
        if owner is not None:
            yield owner, name, _number(value, where)
        elif isinstance(value, dict):
            for each, inner in value.items():
                yield name, each, _number(inner, where)
        else:
            yield name, metric, _number(value, where)


def _number(value: object, where: str) -> float | None:
    if value is None:
        return None
    try:
        number = math.nan if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]
    except (TypeError, OverflowError):
        number = math.nan
    if not abs(number) < LARGEST_NUMBER:
        raise InputError(
            f"'{json.dumps(value)[:40]}' is no score", where=where, hint=number_hint("write null")
        )
    return number


def _json(path: Path, label: str | None) -> list[MetricScores]:
    text = read_text(path)
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise InputError(
            f"this is not JSON: {error}", where=f"{path}:{line}", hint="make the file again"
        ) from None
    if isinstance(held, dict) and held and all(isinstance(v, list) for v in held.values()):
        return _comet(path, held, label)
    entries = held if isinstance(held, list) else [held]
    found = [each for entry in entries for each in _sacrebleu(path, entry, label)]
    if not found:
        raise InputError(
            "the file holds no scores",
            where=f"{path}:1",
            hint="sacreBLEU's JSON, or that of comet-score --to_json",
        )
    return found


def _comet(path: Path, held: Mapping[str, Sequence[Any]], label: str | None) -> list[MetricScores]:
    """Return COMET's scores: by file of outputs, whose name is the system's, item by item."""
    found = MetricScores(label or "COMET", str(path), "sentence")
    with_reference = set()
    for file, items in held.items():
        for number, item in enumerate(items, start=1):
            where = f"{path}:1, item {number} of '{file}'"
            if not isinstance(item, dict) or "COMET" not in item:
                raise InputError(
                    "the item has no score", where=where, hint='{"src": …, "mt": …, "COMET": 0.8}'
                )
            with_reference.add(bool(item.get("ref")))
            found.add(Path(file).stem, None, _number(item["COMET"], where), 1)
    told = {frozenset({False}): "src"}.get(frozenset(with_reference))
    return [replace(found, input=told)]


def _sacrebleu(path: Path, entry: Any, label: str | None) -> Iterator[MetricScores]:
    """Yield a score of a whole system as sacreBLEU writes it, of one system or of several."""
    where = f"{path}:1"
    if not isinstance(entry, dict):
        raise InputError("this is no score of sacreBLEU", where=where, hint='{"name": …, "score"}')
    system = entry.get("system", "")
    several = {name: each for name, each in entry.items() if isinstance(each, dict)}
    for name, each in several.items() if several else [(entry.get("name"), entry)]:
        if not isinstance(name, str) or "score" not in each or not isinstance(system, str):
            raise InputError(
                "this is no score of sacreBLEU", where=where, hint='{"name": "BLEU", "score": 40.1}'
            )
        signature = str(each.get("signature") or "")
        version = each.get("version") or next(iter(_SACREBLEU_VERSION.findall(signature)), None)
        found = MetricScores(
            label or name,
            str(path),
            "submission",
            version=str(version) if version else None,
            settings=signature.replace("|", " ") or None,
            better="lower" if name in _LOWER else None,
        )
        found.add(system, None, _number(each["score"], where), 1)
        yield found
