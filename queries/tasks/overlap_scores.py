"""How submissions score on the part of a test set that training files hold, and on the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.parameters import LEVEL, REPLICATES, SEED
from ...schema.statements import read_rows, read_table
from ..change.comparison.samples import statistics_scores
from ..change.comparison.sides import Scores, read_scores
from ..change.significance.intervals import interval
from ..change.significance.replicates import drawn_sums, number_of
from ..functions.statistics import Integers
from ..metrics.formulas import formula_of, read_sentences, score_sums
from ..resampling import check_resampling
from .overlap import Overlap, overlap_metrics

FEWEST = 2
TOO_FEW = "one of the parts has fewer than two sentences with a score"
SCORES = pa.schema(
    [
        ("submission_id", pa.string()),
        ("metric", pa.string()),
        ("overlapping", pa.float64()),
        ("rest", pa.float64()),
        ("difference", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("overlapping_sentences", pa.int64()),
        ("rest_sentences", pa.int64()),
        ("undefined_reason", pa.string()),
    ]
)


def read_overlap(
    database: Database,
    treebank: str,
    training: str,
    *,
    metrics: Sequence[str] | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Overlap:
    """Return what training files hold of a test set, and the scores of each submission apart.

    A part's score is the metric's own formula over its sentences. The interval of the difference is
    of the bootstrap, each part drawn by itself: sentences of one are never drawn for the other. A
    difference is no proof of memorising: overlapping sentences may be shorter, or easier.

    Raises UnknownNameError for a metric that does not exist.
    """
    check_resampling(replicates, seed, LEVEL)
    names = overlap_metrics(metrics)
    looked = {"treebank": treebank, "training": training}
    sizes = read_table(database, "overlap_sizes", **looked)
    sentences = read_table(database, "overlap_sentences", **looked)
    numbers = np.unique(sentences["sentence_no"].to_numpy().astype(np.int64))
    submissions = [
        str(row["submission_id"])
        for row in read_rows(database, "overlap_submissions", treebank=treebank)
    ]
    scores = read_scores(database, submissions)
    rows = [
        _apart(database, submission, metric, scores, numbers, (replicates, seed))
        for submission in submissions
        for metric in names
        if (metric, submission) in scores
    ]
    table = pa.Table.from_pylist(rows, schema=SCORES)
    return Overlap(treebank, training, sizes, sentences, table, replicates, seed)


def _apart(
    database: Database,
    submission: str,
    metric: str,
    scores: Scores,
    numbers: Integers,
    settings: tuple[int, int],
) -> dict[str, object]:
    """Return the scores of overlapping sentences (``numbers``), of the rest, and the difference.

    Both parts are resampled by themselves; ``settings`` are replicates and seed.
    """
    newest = scores[metric, submission][:1]
    formula = formula_of(metric)
    stored = statistics_scores(scores, metric, newest, same_references=True)
    row: dict[str, object] = {"submission_id": submission, "metric": metric}
    reason = newest[0].undefined_reason
    if reason or stored is None:
        return row | {"undefined_reason": reason or TOO_FEW}
    ((sentences, statistics),) = read_sentences(
        database, formula.statement, [(submission, stored[0].signature_id)]
    )
    inside = np.isin(sentences, numbers)
    parts = statistics[inside], statistics[~inside]
    row |= {"overlapping_sentences": len(parts[0]), "rest_sentences": len(parts[1])}
    if min(map(len, parts)) < FEWEST:
        return row | {"undefined_reason": TOO_FEW}
    whole = score_sums(database, formula, np.stack([part.sum(axis=0) for part in parts]))
    replicates, seed = settings
    drawn = np.stack(
        [drawn_sums(part[np.newaxis], replicates, seed)[:, 0] for part in parts], axis=1
    )
    resampled = score_sums(database, formula, drawn)
    differences = resampled[:, 0] - resampled[:, 1]
    defined = differences[~np.isnan(differences)]
    ends = interval(defined, LEVEL) if len(defined) else (np.nan, np.nan)
    low, high = (number_of(float(end)) for end in ends)
    return row | {
        "overlapping": number_of(whole[0]),
        "rest": number_of(whole[1]),
        "difference": number_of(whole[0] - whole[1]),
        "low": low,
        "high": high,
    }
