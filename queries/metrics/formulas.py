"""How scores come from sufficient statistics: reading these, and the formula over their sums."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isclose

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.statements import fetch_table, read_table
from ...schema.temporary import lent
from ..functions.statistics import Floats, Integers
from .metric import SENTENCE_MEAN, Formula
from .registry import metrics

OTHER_FORMULA = "how this score comes from sentences is not known"
_TOLERANCE = 1e-9


def formula_of(metric: str) -> Formula:
    """Return how a metric is scored: by the mean of its sentences unless it has its own formula."""
    definition = metrics().get(metric)
    return definition.corpus_formula if definition else SENTENCE_MEAN


def is_stored(computed: float, stored: float) -> bool:
    """Return whether a score that a formula gives is the stored one but for rounding."""
    return isclose(computed, stored, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def read_sentences(
    database: Database, name: str, scored: Sequence[tuple[str, str]]
) -> list[tuple[Integers, Floats]]:
    """Return the numbers of each score's sentences, ascending, and their sufficient statistics.

    Scores are submissions with signatures, ``name`` is that of their formula's statement. The
    shapes are (sentences) and (sentences, k).
    """
    submissions, signatures = zip(*scored, strict=True)
    columns = {
        "submission_id": submissions,
        "signature_id": signatures,
        "place": range(len(scored)),
    }
    with lent(database, resampled=pa.table(columns)):
        rows = read_table(database, name).combine_chunks()
    sentences, statistics = rows["sentence_no"].to_numpy(), rows["statistics"].combine_chunks()
    ends = np.searchsorted(rows["place"].to_numpy(), np.arange(len(scored) + 1)).tolist()
    read = []
    for start, end in pairwise(ends):
        values = statistics.slice(start, end - start).flatten().to_numpy(zero_copy_only=False)
        shape = (end - start, -1) if start < end else (0, 1)
        read.append((sentences[start:end], values.reshape(shape)))
    return read


def score_sums(database: Database, formula: Formula, sums: Floats) -> Floats:
    """Return the scores of sums of statistics, NaN where undefined.

    ``sums`` has the shape (…, k), the scores (…). They are computed by the same SQL macros as the
    scores of submissions.
    """
    values = pa.array(np.ascontiguousarray(sums).reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, sums.shape[-1])
    replicate = pa.table({"place": np.arange(len(lists)), "sums": lists})
    with lent(database, replicate=replicate):
        rows = fetch_table(
            database.connection,
            f"SELECT {formula.score} AS score "  # noqa: S608
            "FROM (SELECT place, sums::DOUBLE[] AS sums FROM replicate) ORDER BY place",
        )
    scores: Floats = rows["score"].to_numpy().astype(np.float64)
    return scores.reshape(sums.shape[:-1])
