"""Scores of other metrics for the variants of sentences: perplexity, error rates, anything."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...schema.errors import InputError
from ..formats import Column, Columns, Table
from ..records import check_once, read_records

_HINT = "'tracker grammar gec variants' writes the rows that need a score"
_Key = tuple[int, int, str]
COLUMNS = Columns(
    "scores of variants",
    (
        Column("sentence", required=True),
        Column("annotator"),
        *(Column(name, required=True) for name in ("variant", "metric", "score")),
    ),
)


def read_scores(path: Path, variants: pa.Table) -> pa.Table:
    """Return the scores of a file (CSV, TSV, JSONL, Parquet) for the rows of ``variants``.

    The file has the columns sentence, variant, metric, score and, where there are several
    annotators, annotator; an empty score is one that the metric does not have. Columns of the
    result: sentence, annotator, variant, metric, score.

    Raises InputError (file:line) for rows that belong to no variant, repeated and missing rows, and
    scores that are no number.
    """
    table = COLUMNS.table(read_records(path))
    names = variants.select(["sentence", "annotator", "variant"])
    known = list(zip(*(column.to_pylist() for column in names.columns), strict=True))
    keys = _keys(table, sorted({annotator for _, annotator, _ in known}))
    metrics = table.texts("metric")
    scores = table.numbers("score")
    _check_rows(table, keys, metrics, set(known))
    _check_complete(str(path), known, keys, metrics)
    sentences, annotators, texts = zip(*keys, strict=True) if keys else ((), (), ())
    return pa.table(
        {
            "sentence": pa.array(sentences, pa.int32()),
            "annotator": pa.array(annotators, pa.int32()),
            "variant": pa.array(texts, pa.string()),
            "metric": pa.array(metrics, pa.string()),
            "score": pa.array(scores, pa.float64()),
        }
    )


def _keys(table: Table, annotators: list[int]) -> list[_Key]:
    sentences = _whole(table, "sentence")
    if table.has("annotator") or len(annotators) > 1:
        table.records.check_column("annotator")
        annotators = _whole(table, "annotator")
    else:
        annotators = annotators * len(table)
    return [
        (sentence, annotator, variant or "")
        for sentence, annotator, variant in zip(
            sentences, annotators, table.texts("variant"), strict=True
        )
    ]


def _whole(table: Table, name: str) -> list[int]:
    numbers = []
    for row, value in enumerate(table.texts(name)):
        if value is None or not value.isdecimal() or len(value) > 9:
            raise InputError(
                f"'{value or ''}' is not the number of a {name}", where=table.where(row), hint=_HINT
            )
        numbers.append(int(value))
    return numbers


def _check_rows(
    table: Table, keys: list[_Key], metrics: list[str | None], known: set[_Key]
) -> None:
    for row, (key, metric) in enumerate(zip(keys, metrics, strict=True)):
        if metric is None:
            raise InputError("the score has no metric", where=table.where(row), hint="name it")
        if key not in known:
            raise InputError(
                f"there is no variant '{key[2]}' of sentence {key[0]} by annotator {key[1]}",
                where=table.where(row),
                hint=_HINT,
            )
    hint = "give one score a metric and variant"
    check_once(table, zip(keys, metrics, strict=True), lambda _: "the score stands twice", hint)


def _check_complete(
    source: str, known: list[_Key], keys: list[_Key], metrics: list[str | None]
) -> None:
    if not keys:
        raise InputError("the file holds no scores", where=source, hint=_HINT)
    given: dict[str | None, set[_Key]] = {}
    for key, metric in zip(keys, metrics, strict=True):
        given.setdefault(metric, set()).add(key)
    for metric, found in given.items():
        missing = next((key for key in known if key not in found), None)
        if missing is not None:
            raise InputError(
                f"{metric} lacks a row: variant '{missing[2]}' of sentence {missing[0]} by "
                f"annotator {missing[1]}",
                where=source,
                hint=f"{_HINT}; leave the score empty where the metric has none",
            )
