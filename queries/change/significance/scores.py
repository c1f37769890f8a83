"""Corpus scores of replicates: sufficient statistics by sentence, and the SQL that scores sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sr_tracker.queries.metrics import Formula, metrics
from sr_tracker.queries.metrics.metric import SENTENCE_MEAN
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import lent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sr_tracker.queries.functions.statistics import Floats, Integers


def formula_of(metric: str) -> Formula:
    """Return how a metric is scored: by the mean of its sentences unless it has its own formula."""
    known = metrics().get(metric)
    return known.corpus_formula if known else SENTENCE_MEAN


def read_statistics(
    database: Database, formula: Formula, signature_id: str, submissions: Sequence[str]
) -> Floats:
    """Return the sufficient statistics of submissions to one treebank, in the order given.

    The shape is (submissions, sentences, k). ``signature_id`` is that of the metric which stores
    them. Raises InputError where submissions lack statistics of some sentences.
    """
    sentences, values = read_sentences(database, formula, signature_id, submissions)
    each, left = divmod(len(sentences), len(submissions))
    if left or not (sentences.reshape(-1, each) == sentences[:each]).all():
        raise InputError(
            "not every submission has statistics of every sentence",
            where=f"signature {signature_id}: {', '.join(submissions)}",
            hint="'tracker check' tells what is missing",
        )
    return (
        values.reshape(len(submissions), each, -1) if each else np.empty((len(submissions), 0, 1))
    )


def read_sentences(
    database: Database, formula: Formula, signature_id: str, submissions: Sequence[str]
) -> tuple[Integers, Floats]:
    """Return numbers of sentences, and their sufficient statistics: one submission after the other.

    The shapes are (rows) and (rows, k); the sentences of a submission are in their order.
    """
    columns = {
        "submission_id": list(submissions),
        "signature_id": [signature_id] * len(submissions),
        "place": range(len(submissions)),
    }
    with lent(database, resampled=pa.table(columns)):
        rows = database.connection.execute(statement(formula.statement)).to_arrow_table()
    values = rows["statistics"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    sentences = rows["sentence_no"].to_numpy().reshape(-1)
    return sentences, values.reshape(len(sentences), -1) if len(sentences) else np.empty((0, 1))


def score_sums(database: Database, formula: Formula, sums: Floats) -> Floats:
    """Return the scores of sums of statistics, NaN where undefined.

    ``sums`` has the shape (…, k), the scores (…). They are computed by the same SQL macros as the
    scores of submissions.
    """
    values = pa.array(np.ascontiguousarray(sums).reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, sums.shape[-1])
    replicate = pa.table({"place": np.arange(len(lists)), "sums": lists})
    with lent(database, replicate=replicate):
        rows = database.connection.execute(
            f"SELECT {formula.score} AS score "  # noqa: S608
            "FROM (SELECT place, sums::DOUBLE[] AS sums FROM replicate) ORDER BY place"
        ).to_arrow_table()
    scores: Floats = rows["score"].to_numpy().astype(np.float64)
    return scores.reshape(sums.shape[:-1])
