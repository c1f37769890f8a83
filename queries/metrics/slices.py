"""Scores of the sentences of each value of a label: a metric's own formula over fewer sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan
from typing import Any

import numpy as np

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.names import unknown_name
from ...schema.statements import Row, read_rows, read_tuples
from ...schema.temporary import insert
from ..catalog import install
from ..functions.statistics import Integers
from .formulas import OTHER_FORMULA, formula_of, is_stored, read_sentences, score_sums
from .registry import source_of

MOST_VALUES = 30
"""Values of a label that are scored; of more those with most sentences."""
SUBMISSIONS_AT_ONCE = 50
UNDEFINED = "undefined over these sentences"


@dataclass(frozen=True)
class LabelValue:
    """The sentences of one value of a label."""

    label: str
    value: str
    sentence_nos: Integers
    number_of_values: int
    """How many the label has, those that are passed over among them."""
    computed: bool
    """Whether the label comes from the words of the references."""

    @property
    def name(self) -> str:
        """What stands in the brackets of a measure: domain=news."""
        return f"{self.label}={self.value}"


def label_values(database: Database, treebank_id: str) -> list[LabelValue]:
    """Return the values of the labels of a treebank's sentences, at most ``MOST_VALUES`` of each.

    Labels with one value alone are left out.
    """
    rows = read_tuples(database, "label_values", treebank=treebank_id, most=MOST_VALUES)
    return [
        LabelValue(label, value, np.array(numbers, np.int64), *facts)
        for label, value, numbers, *facts in rows
    ]


def check_over(values: Sequence[LabelValue], over: Iterable[str], treebank_id: str) -> None:
    """Raise UnknownNameError for a label, or a label and value, that sentences do not have."""
    labels = {value.label for value in values}
    for name in over:
        label, with_value, value = name.partition("=")
        named = {other.name for other in values if other.label == label or label not in labels}
        if label in labels and (not with_value or name in named):
            continue
        message = f"there is no sentence label '{label}'"
        if label in labels:
            message = f"no sentence of '{treebank_id}' has the {label} '{value}'"
        hint = f"labels of the sentences of '{treebank_id}'; 'tracker ingest labels' loads others"
        there = named if with_value else labels
        raise unknown_name("sentence label", name, there, message=message, hint=hint)


def sentences_over(database: Database, treebank_id: str, over: Sequence[str]) -> set[int] | None:
    """Return the sentences of a treebank with one of the values named; None where none is named.

    Raises InputError for a name that is not LABEL=VALUE, UnknownNameError for one that no sentence
    has.
    """
    if not over:
        return None
    values = label_values(database, treebank_id)
    check_over(values, over, treebank_id)
    for name in over:
        if "=" not in name:
            values_of = ", ".join(value.name for value in values if value.label == name)
            hint = f"name one: {values_of}"
            raise InputError(f"'{name}' is a label, not a value of one", hint=hint)
    chosen = [value.sentence_nos.tolist() for value in values if value.name in over]
    return {number for numbers in chosen for number in numbers}


def store_slices(database: Database, submissions: Sequence[str] | None = None) -> None:
    """Store the scores by label that are missing of some submissions, or of all, all or none.

    A score is that of the sentences with a value as if they were the test set: the metric's formula
    over the sums of their statistics. It is NULL where that is undefined, and where the formula
    does not give the score of the whole submission.
    """
    install(database)
    wanted = None if submissions is None else [*submissions]
    pending = read_rows(database, "pending_slices", submissions=wanted)
    names = [*dict.fromkeys(row["submission_id"] for row in pending)]
    signatures = {
        (metric, name): signature
        for metric, name, signature in read_tuples(
            database, "current_signatures", submissions=names
        )
    }
    rows: list[dict[str, Any]] = []
    for treebank_id, of_treebank in groupby(pending, lambda row: row["treebank_id"]):
        values = label_values(database, treebank_id)
        for metric, of_metric in groupby(of_treebank, lambda row: row["metric"]):
            scored = [*of_metric]
            for start in range(0, len(scored), SUBMISSIONS_AT_ONCE):
                some = scored[start : start + SUBMISSIONS_AT_ONCE]
                rows += _slices(database, metric, some, values, signatures)
    if rows:
        with database.transaction():
            insert(database, "slice_score", rows)


def _slices(
    database: Database,
    metric: str,
    scored: Sequence[Row],
    values: Sequence[LabelValue],
    signatures: Mapping[tuple[str, str], str],
) -> Iterator[dict[str, Any]]:
    """Yield the rows of some submissions to a treebank by a metric.

    ``signatures`` are those of all their scores, by metric and submission.
    """
    defined = [row for row in scored if row["score"] is not None]
    scores = _scores(database, metric, defined, values, signatures)
    for row in scored:
        of_values, whole = scores.get(row["submission_id"], ([None] * len(values), None))
        same = whole is None or is_stored(whole, row["score"])
        for value, score in zip(values, of_values, strict=True):
            is_defined = same and score is not None and not isnan(score)
            reason = row["undefined_reason"] or UNDEFINED if same else OTHER_FORMULA
            yield {
                "signature_id": row["signature_id"],
                "submission_id": row["submission_id"],
                "metric": metric,
                "label": value.label,
                "value": value.value,
                "score": score if is_defined else None,
                "sentences": len(value.sentence_nos),
                "undefined_reason": None if is_defined else reason,
            }


def _scores(
    database: Database,
    metric: str,
    scored: Sequence[Row],
    values: Sequence[LabelValue],
    signatures: Mapping[tuple[str, str], str],
) -> dict[str, tuple[Sequence[float | None], float]]:
    """Return, by submission, its scores over the sentences of each value, and over all."""
    if not scored:
        return {}
    formula = formula_of(metric)
    names = [str(row["submission_id"]) for row in scored]
    statistics_of = [
        (name, signatures.get((source_of(metric), name)) or str(row["signature_id"]))
        for name, row in zip(names, scored, strict=True)
    ]
    read = read_sentences(database, formula.statement, statistics_of)
    sums = np.zeros((len(read), len(values) + 1, max(rows.shape[1] for _, rows in read)))
    places: list[Integers] = []
    numbers_before = np.zeros(0, np.int64)
    for sums_of_one, (numbers, statistics) in zip(sums, read, strict=True):
        if not len(numbers):
            continue
        if not np.array_equal(numbers, numbers_before):
            places = [np.flatnonzero(np.isin(numbers, value.sentence_nos)) for value in values]
            numbers_before = numbers
        sums_of_one[-1] = statistics.sum(axis=0)
        for column, chosen in enumerate(places):
            sums_of_one[column] = statistics[chosen].sum(axis=0)
    scores = score_sums(database, formula, sums).tolist()
    return {name: (own[:-1], own[-1]) for name, own in zip(names, scores, strict=True)}
