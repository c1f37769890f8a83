"""Logs that are plain tables: JSONL, JSON and Parquet with nested columns, tables of MLflow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...schema.errors import InputError
from ..formats import Column, UserFile
from ..outputs.reading import OUTPUT, REFERENCE, SENTENCE
from ..records import no_column
from .samples import HINT, Chosen, EvaluationLog, Sample, objects, score_of, text_of, texts_of

_IDS = Column("id", [*SENTENCE.called, "doc_id", "request_id"])
_PROMPTS = Column("prompt", ["input", "inputs", "prompt", "question", "request", "source"])
_SCORE = "/score"
"""How MLflow ends the columns of scores, such as exact_match/v1/score."""


def is_table_log(file: UserFile) -> bool:
    """Return whether a file may be a table: all files that are no other log may."""
    return file.suffix in (".jsonl", ".json", ".parquet")


def read_table_log(file: UserFile, chosen: Chosen) -> EvaluationLog:
    """Return a log; columns may be named by paths, such as filtered_resps.0.

    Raises InputError (file:line) for a column that is not there, and UnknownNameError for one that
    the user named.
    """
    rows = _rows(file)
    if not rows:
        raise InputError("the file holds no sample", where=file.source, hint=HINT)
    names = [*dict.fromkeys(name for _, row in rows for name in row)]
    text = _column(file, rows, names, chosen.text_column, OUTPUT, "--text-column")
    reference = _column(file, rows, names, chosen.reference_column, REFERENCE, "--reference-column")
    sample_id = _IDS.among(names)
    if chosen.id_column:
        sample_id = _column(file, rows, names, chosen.id_column, _IDS, "--id-column")
    prompt = _PROMPTS.among(names)
    scores = [*chosen.score_columns, *(name for name in names if name.endswith(_SCORE))]
    for name in chosen.score_columns:
        _column(file, rows, names, name, Column(name), "--score-column")
    columns = {*scores, text, reference, sample_id}
    usual = {name for column in (_IDS, OUTPUT, REFERENCE, _PROMPTS) for name in column.called}
    samples = []
    for number, (line, row) in enumerate(rows, start=1):
        where = file.where(line)
        output = _value(row, text)
        prompt_text = text_of(_value(row, prompt), where) if prompt else None
        named = _value(row, sample_id) if sample_id else None
        samples.append(
            Sample(
                id=str(number if named is None else named),
                line=line,
                references=texts_of(_value(row, reference), where),
                outputs=texts_of(output, where) or [None],
                scores={_metric(name): score_of(_value(row, name)) for name in scores},
                prompt=prompt_text,
                content=prompt_text or "",
                facts={
                    name: value
                    for name, value in row.items()
                    if isinstance(value, str) and name not in columns and name.lower() not in usual
                },
            )
        )
    return EvaluationLog(source=file.path, harness="table", samples=samples)


def _rows(file: UserFile) -> Sequence[tuple[int, Mapping[str, Any]]]:
    if file.suffix == ".jsonl":
        return [*objects(file)]
    if file.suffix == ".parquet":
        return [*enumerate(file.parquet_rows(HINT), start=1)]
    value = file.json(HINT)
    if isinstance(value, dict) and isinstance(value.get("columns"), list):
        data = value.get("data") or []
        names = [str(name) for name in value["columns"]]
        value = [dict(zip(names, row, strict=False)) for row in data if isinstance(row, list)]
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise InputError("the file holds no rows", where=file.source, hint=HINT)
    return [*enumerate(value, start=1)]


def _column(
    file: UserFile,
    rows: Sequence[tuple[int, Mapping[str, Any]]],
    names: Sequence[str],
    wanted: str | None,
    usual: Column,
    option: str,
) -> str:
    """Return the path of a column: the one that is named, else the first usual one."""
    if wanted is not None:
        if wanted in names or any(_value(row, wanted) is not None for _, row in rows):
            return wanted
        raise no_column(wanted, names, file.source)
    column = usual.among(names)
    if column is None:
        raise InputError(
            f"the log has none of the columns {', '.join(usual.called)}",
            where=file.source,
            hint=f"{option} names it; there are {', '.join(names)}",
        )
    return column


def _value(row: Mapping[str, Any], path: str) -> Any:
    """Return the value of a column, or at a path of names and places, such as resps.0.text."""
    if path in row:
        return row[path]
    value: Any = row
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def _metric(column: str) -> str:
    """Return the name of a metric, without how MLflow ends its column."""
    return column.removesuffix(_SCORE).rsplit("/v", 1)[0]
