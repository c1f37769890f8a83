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
from ..formats import (
    Column,
    Columns,
    Format,
    Table,
    UserFile,
    is_number,
    number_hint,
    number_in,
    read_file,
)
from ..names import split_input
from ..records import UNSTORABLE, Placed, Records, check_records
from .columns import NONE, SCORED, by_column, scored_records

COLUMNS = Columns(
    "metric scores",
    (*SCORED, Column("metric"), Column("score", ["score", "rating"], required=True, nested=True)),
)
_METRICS_EVAL = re.compile(r"(?P<name>.+)\.(?P<level>[a-z]+)\.score(\.gz|\.xz)?")
_LOWER = ("TER",)
"""Metrics of sacreBLEU of which lower scores are better."""
_SACREBLEU_VERSION = re.compile(r"(?:^|\|)v(?:ersion)?:([^|]+)")


@dataclass(frozen=True)
class MetricScores(Placed):
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
    for metrics that read sources), tables (CSV, TSV, JSONL, Parquet; ``columns`` maps fields to
    their columns), and ``.json`` of ``comet-score --to_json`` or of sacreBLEU. ``label`` names the
    metric in place of the file, ``references`` are the names of those that are known.

    Raises InputError (file:line) for whatever does not fit.
    """
    COLUMNS.check_fields(columns or (), str(path))
    read = read_file(path, _FORMATS, columns or {}, label, references)
    if not any(scores.scores for scores in read):
        raise InputError("the file holds no scores", where=str(path), hint="is it complete?")
    for scores in read:
        _check_storable(scores)
    return read


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
    if text in (*NONE, ""):
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
    file = UserFile(path)
    lines = file.lines()
    check_records(file.source, len(lines))
    for number, line in enumerate(lines, start=1):
        parts = line.split("\t" if "\t" in line else None)
        where = file.where(number)
        if len(parts) != 2 or not parts[0].strip():
            raise InputError(
                "the line is not a system, a tab and a score",
                where=where,
                hint="one line for each system and sentence, such as ONLINE-B TAB 0.85",
            )
        yield number, parts[0].strip(), parse_score(parts[1].strip(), where)


def _metrics_eval(
    file: UserFile, _columns: Mapping[str, str], label: str | None, references: Collection[str]
) -> list[MetricScores]:
    match = _METRICS_EVAL.fullmatch(file.path.name)
    if match is None or match["level"] not in ("seg", "sys"):
        raise InputError(
            "the file name does not say what the scores are",
            where=file.source,
            hint="NAME-refA.seg.score has scores of sentences, NAME-refA.sys.score of systems",
        )
    metric, read = split_input(match["name"], references)
    return [replace(scores_of_lines(file.path, label or metric, match["level"]), input=read)]


def scores_of_lines(path: Path, label: str, level: str) -> MetricScores:
    """Return the scores of ``read_score_lines`` at a level: seg of sentences, sys of systems."""
    scores = MetricScores(label, str(path), "sentence" if level == "seg" else "submission")
    for line, system, score in read_score_lines(path):
        scores.add(system, None, score, line)
    return scores


def _table(
    file: UserFile, columns: Mapping[str, str], label: str | None, *_: object
) -> list[MetricScores]:
    records = scored_records(file.path)
    long = by_column(COLUMNS, records, columns, {"metric": label}, ("metric", "score"))
    table = COLUMNS.table(long[0], columns)
    owners = _owners(table)
    sentences, metrics = table.texts("sent_id"), table.texts("metric")
    rows: Sequence[int] = range(len(table))
    if table.has("sent_id"):
        whole = [sentence is None for sentence in sentences]
    else:
        scored = list(zip(owners, metrics, strict=True))
        times = Counter(scored)
        whole = [times[score_of] == 1 for score_of in scored]
    score = str(table.names["score"])
    if score in table.records.nested:
        held = [
            (row, *held_score)
            for row in rows
            for held_score in _held(table.records, score, row, owners[row], metrics[row])
        ]
        rows, owners, metrics, scores = map(list, zip(*held, strict=True) if held else ([],) * 4)
    else:
        texts = enumerate(table.records.numerals(score))
        scores = [parse_score(text or "", table.where(row)) for row, text in texts]
    places: dict[tuple[str | None, bool], list[int]] = {}
    for place, (metric, row) in enumerate(zip(metrics, rows, strict=True)):
        places.setdefault((label or metric, whole[row]), []).append(place)
    scores_of_metrics = []
    for (name, is_whole), chosen in places.items():
        if not name:
            raise InputError(
                "the metric is not named",
                where=table.where(rows[chosen[0]]),
                hint="give --metric-name, or a column with metrics",
            )
        scores_of_metrics.append(
            MetricScores(
                name,
                file.source,
                "submission" if is_whole else "sentence",
                [owners[place] or "" for place in chosen],
                [sentences[rows[place]] for place in chosen],
                [scores[place] for place in chosen],
                [table.lines[rows[place]] for place in chosen],
            )
        )
    return scores_of_metrics


def _owners(table: Table) -> list[str | None]:
    """Return the submission or system of each row, with its treebank and iteration."""
    if table.has("submission"):
        return table.texts("submission")
    systems = table.texts("system")
    if not table.has("treebank") and not table.has("iteration"):
        return systems
    parts = zip(systems, table.texts("treebank"), table.texts("iteration"), strict=True)
    return [
        f"{system}/{treebank or ''}@{iteration or 1}" if system else None
        for system, treebank, iteration in parts
    ]


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
            for inner_name, inner in value.items():
                yield name, inner_name, _number(inner, where)
        else:
            yield name, metric, _number(value, where)


def _number(value: Any, where: str) -> float | None:
    if value is None:
        return None
    if not is_number(value):
        raise InputError(
            f"'{json.dumps(value)[:40]}' is no score", where=where, hint=number_hint("write null")
        )
    return float(value)


def _json(
    file: UserFile, columns: Mapping[str, str], label: str | None, *_: object
) -> list[MetricScores]:
    held = file.json("make the file again")
    if isinstance(held, list) and held and not any(map(_is_of_sacrebleu, held)):
        return _table(file, columns, label)
    if isinstance(held, dict) and held and all(isinstance(v, list) for v in held.values()):
        return _comet(file, held, label)
    entries = held if isinstance(held, list) else [held]
    scores = [one for entry in entries for one in _sacrebleu(file, entry, label)]
    if not scores:
        raise InputError(
            "the file holds no scores",
            where=file.where(1),
            hint="sacreBLEU's JSON, or that of comet-score --to_json",
        )
    return scores


def _comet(
    file: UserFile, held: Mapping[str, Sequence[Any]], label: str | None
) -> list[MetricScores]:
    """Return COMET's scores: by file of outputs, whose name is the system's, item by item."""
    scores = MetricScores(label or "COMET", file.source, "sentence")
    with_reference = set()
    for outputs, items in held.items():
        for number, item in enumerate(items, start=1):
            where = f"{file.where(1)}, item {number} of '{outputs}'"
            if not isinstance(item, dict) or "COMET" not in item:
                raise InputError(
                    "the item has no score", where=where, hint='{"src": …, "mt": …, "COMET": 0.8}'
                )
            with_reference.add(bool(item.get("ref")))
            scores.add(Path(outputs).stem, None, _number(item["COMET"], where), 1)
    return [replace(scores, input="src" if with_reference == {False} else None)]


def _is_of_sacrebleu(entry: Any) -> bool:
    return not isinstance(entry, dict) or any(
        "score" in values and (values is not entry or "name" in entry)
        for values in (entry, *entry.values())
        if isinstance(values, dict)
    )


def _sacrebleu(file: UserFile, entry: Any, label: str | None) -> Iterator[MetricScores]:
    """Yield a score of a whole system as sacreBLEU writes it, of one system or of several."""
    where = file.where(1)
    if not isinstance(entry, dict):
        raise InputError("this is no score of sacreBLEU", where=where, hint='{"name": …, "score"}')
    system = entry.get("system", "")
    several = {name: values for name, values in entry.items() if isinstance(values, dict)}
    for name, values in several.items() if several else [(entry.get("name"), entry)]:
        if not isinstance(name, str) or "score" not in values or not isinstance(system, str):
            raise InputError(
                "this is no score of sacreBLEU", where=where, hint='{"name": "BLEU", "score": 40.1}'
            )
        signature = str(values.get("signature") or "")
        version = values.get("version") or next(iter(_SACREBLEU_VERSION.findall(signature)), None)
        scores = MetricScores(
            label or name,
            file.source,
            "submission",
            version=str(version) if version else None,
            settings=signature.replace("|", " ") or None,
            better="lower" if name in _LOWER else None,
        )
        scores.add(system, None, _number(values["score"], where), 1)
        yield scores


def _lines(file: UserFile, _columns: object, label: str | None, *_: object) -> list[MetricScores]:
    """Return the scores of one system's sentences in their order, one a line."""
    scores = MetricScores(label or file.path.stem, file.source, "sentence")
    lines = file.lines()
    check_records(file.source, len(lines))
    for number, line in enumerate(lines, start=1):
        scores.add("", None, parse_score(line.strip(), file.where(number)), number)
    return [scores]


def _unknown(file: UserFile, *_: object) -> list[MetricScores]:
    raise InputError(
        "scores of this format are not known",
        where=file.source,
        hint="NAME-refA.seg.score, NAME-refA.sys.score, .csv, .tsv, .jsonl, .parquet, .json, .txt",
    )


_FORMATS = (
    Format("mt-metrics-eval", _metrics_eval, lambda file: file.suffix == ".score"),
    Format("table", _table, lambda file: file.is_table),
    Format("JSON", _json, lambda file: file.suffix == ".json"),
    Format("a score a line", _lines, lambda file: file.suffix == ".txt"),
    Format("unknown", _unknown),
)
