"""Scores of other metrics for the variants of sentences: perplexity, error rates, anything."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ...schema.errors import InputError
from ..records import Records, check_once, read_records
from .columns import ScoreFile, numbers

_GIVEN = ScoreFile(columns={})
_HINT = "'tracker gec variants' writes the rows that need a score"
_Key = tuple[int, int, str]


def read_scores(path: Path, variants: pa.Table) -> pa.Table:
    """Return the scores of a file (CSV, TSV, JSONL, Parquet) for the rows of ``variants``.

    The file has the columns sentence, variant, metric, score and, where there are several
    annotators, annotator; an empty score is one that the metric does not have. Columns of the
    result: sentence, annotator, variant, metric, score.

    Raises InputError (file:line) for rows that belong to no variant, repeated and missing rows, and
    scores that are no number.
    """
    records = read_records(path)
    names = variants.select(["sentence", "annotator", "variant"])
    known = list(zip(*(column.to_pylist() for column in names.columns), strict=True))
    keys = _keys(records, sorted({annotator for _, annotator, _ in known}))
    metrics = records.column("metric")
    records.column("score")
    scores = numbers(records, _GIVEN, "score")
    _check_rows(records, keys, metrics, set(known))
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


def _keys(records: Records, annotators: list[int]) -> list[_Key]:
    variants = records.column("variant")
    sentences = _whole(records, "sentence")
    if "annotator" in records.columns or len(annotators) > 1:
        chosen = _whole(records, "annotator")
    else:
        chosen = annotators * len(records.lines)
    return [
        (sentence, annotator, variant or "")
        for sentence, annotator, variant in zip(sentences, chosen, variants, strict=True)
    ]


def _whole(records: Records, name: str) -> list[int]:
    values = records.column(name)
    for record, value in enumerate(values):
        if value is None or not value.isdecimal() or len(value) > 9:
            raise InputError(
                f"'{value or ''}' is not the number of a {name}",
                where=records.where(record),
                hint=_HINT,
            )
    return [int(value) for value in values if value is not None]


def _check_rows(
    records: Records, keys: list[_Key], metrics: list[str | None], known: set[_Key]
) -> None:
    for record, (key, metric) in enumerate(zip(keys, metrics, strict=True)):
        if metric is None:
            raise InputError("the score has no metric", where=records.where(record), hint="name it")
        if key not in known:
            raise InputError(
                f"there is no variant '{key[2]}' of sentence {key[0]} by annotator {key[1]}",
                where=records.where(record),
                hint=_HINT,
            )
    hint = "give one score a metric and variant"
    check_once(records, zip(keys, metrics, strict=True), lambda _: "the score stands twice", hint)


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
