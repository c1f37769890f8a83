"""Parts of a metric, such as grammar rules: what two submissions have of each, by sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.pairing import Pairing
from sr_tracker.queries.change.comparison.samples import (
    NO_STATISTICS,
    NOT_ALIKE,
    Sample,
    not_scored,
)
from sr_tracker.queries.change.comparison.signatures import StoredScore, read_scores, scored_alike
from sr_tracker.queries.metrics import Formula
from sr_tracker.queries.metrics.registry import parts_by_kind
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers


@dataclass(frozen=True)
class _Read:
    """What a submission has of the parts of a metric."""

    sentence_nos: Integers
    """All sentences of its treebank."""
    statistics: Mapping[str, Floats]
    """By part, of the shape (sentences, k)."""


def part_samples(
    database: Database,
    new: str,
    base: str,
    kind: str,
    items: Mapping[str, str],
    pairing: Pairing,
    settings: Settings,
) -> list[Sample]:
    """Return the sample of each measure of a kind, given with its item.

    The kind says whose parts they are, and how scores come from sums. A sample
    has the sentences in which one of the two has something of the part.
    """
    metric, part = parts_by_kind()[kind]
    formula = Formula("", part.score)
    submissions = (new, base)
    scores = read_scores(database, submissions)
    alike = scored_alike(scores, metric, submissions, same_references=pairing.same_treebank)
    if alike is None:
        reason = not_scored(scores, metric, submissions)
        return [Sample(name, kind, formula, undefined_reason=reason) for name in items]
    if not alike.comparable and not settings.force:
        return [Sample(name, kind, formula, undefined_reason=NOT_ALIKE) for name in items]
    both = [_read(database, part.statement, score) for score in alike.scores]
    samples = []
    for name, item in items.items():
        found = [(read.sentence_nos, _of(read, item, part.statistics)) for read in both]
        numbers, statistics = pairing.align(found)
        if statistics is None:
            samples.append(Sample(name, kind, formula, undefined_reason=NO_STATISTICS))
            continue
        concerned = statistics.any(axis=(0, 2))
        samples.append(Sample(name, kind, formula, numbers[concerned], statistics[:, concerned]))
    return samples


def _of(read: _Read, item: str, k: int) -> Floats:
    """Return the statistics of a part; zeros where the submission has none of it."""
    return read.statistics.get(item, np.zeros((len(read.sentence_nos), k)))


def _read(database: Database, name: str, score: StoredScore) -> _Read:
    connection = database.connection
    numbers = np.asarray(
        connection.execute(
            "SELECT sentence_no FROM output WHERE submission_id = ? ORDER BY sentence_no",
            [score.submission_id],
        ).fetchnumpy()["sentence_no"],
        np.int64,
    )
    rows = connection.execute(
        statement(name),
        {"submission_id": score.submission_id, "signature_id": score.signature_id},
    ).to_arrow_table()
    statistics: dict[str, Floats] = {}
    if rows.num_rows:
        values = np.array(rows["statistics"].to_pylist(), np.float64)
        items, place = np.unique(rows["item"].to_numpy().astype(str), return_inverse=True)
        line = np.searchsorted(numbers, rows["sentence_no"].to_numpy())
        whole = np.zeros((len(items), len(numbers), values.shape[1]))
        whole[place, line] = values
        statistics = dict(zip(items.tolist(), whole, strict=True))
    return _Read(numbers, statistics)
