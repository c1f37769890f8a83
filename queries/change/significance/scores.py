"""Corpus scores of replicates: sufficient statistics by sentence, and the SQL that scores sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sr_tracker.queries.functions.statistics import Floats, Integers


@dataclass(frozen=True)
class Formula:
    """How a metric's corpus score comes from sums over sentences."""

    statement: str
    """Reads the sufficient statistics of the submissions in the temporary table ``resampled``."""
    score: str
    """An SQL expression over the list ``sums`` of the statistics' sums; NULL where undefined."""


_BLEU = "(sums[3:6], sums[7:10], sums[1], sums[2])"
_WITH_REFERENCE = "CASE WHEN sums[2] > 0 THEN {} END"
_SHARE = "sums[1] / nullif(sums[2], 0)"
_OVERLAP = "graph_overlap('{}', sums[1], sums[2], sums[3])"

SENTENCE_MEAN = Formula("resampled_scores", _SHARE)
FORMULAS = {
    "bleu": Formula("resampled_ngrams", _WITH_REFERENCE.format(f"corpus_bleu{_BLEU}")),
    "bleu_13a": Formula("resampled_ngrams", _WITH_REFERENCE.format(f"corpus_bleu{_BLEU}")),
    "bleu_lemma": Formula("resampled_ngrams", _WITH_REFERENCE.format(f"corpus_bleu{_BLEU}")),
    "bleu_smoothed": Formula(
        "resampled_smoothed_ngrams", _WITH_REFERENCE.format(f"corpus_bleu_smoothed{_BLEU}")
    ),
    "nist": Formula(
        "resampled_information",
        _WITH_REFERENCE.format("nist(sums[8:12], sums[3:7], sums[1], sums[2])"),
    ),
    "nist4": Formula(
        "resampled_information",
        _WITH_REFERENCE.format("nist(sums[8:11], sums[3:6], sums[1], sums[2])"),
    ),
    "dist_pooled": Formula("resampled_edits", f"1 - {_SHARE}"),
    "ter": Formula("resampled_edits", "sums[1] / nullif(sums[3], 0)"),
    "dea": Formula("resampled_edges", _SHARE),
    "chrf": Formula("resampled_statistics", _WITH_REFERENCE.format("chrf(sums)")),
    **dict.fromkeys(
        ("grammar", "grammar_agreement", "grammar_argument", "grammar_order"),
        Formula("resampled_rules", "mean_share(sums)"),
    ),
    **{
        metric: Formula("resampled_graphs", _OVERLAP.format(metric))
        for metric in ("smatch", "smatch_precision", "smatch_recall", "s2match")
    },
    **{
        f"mf_{beta}": Formula("resampled_statistics", f"mf_of_sums(sums, {beta})")
        for beta in ("1", "0.5")
    },
}


@dataclass(frozen=True)
class Part:
    """How the score of a part of a metric, such as a grammar rule, comes from sums."""

    title: str
    """What they are called together."""
    metric: str
    """The metric whose parts they are."""
    statement: str
    """Reads item, sentence_no and a list of statistics, of a submission and a signature."""
    statistics: int
    """How many there are."""
    score: str
    """An SQL expression over the list ``sums`` of the statistics' sums; NULL where undefined."""


PARTS = {
    "grammar rule": Part("Grammar rules", "grammar", "compared_rules", 2, _SHARE),
    "meaning": Part(
        "Aspects of meaning", "smatch", "compared_aspects", 3, _OVERLAP.format("smatch")
    ),
}
"""By the kind that the view submission_measures gives them."""


def formula_of(metric: str) -> Formula:
    """Return how a metric is scored: by the mean of its sentences unless it has its own formula.

    That mean is what ``dist`` is; of metrics of other packages nothing else is known.
    """
    return FORMULAS.get(metric, SENTENCE_MEAN)


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
    connection = database.connection
    connection.register(
        "resampled_submissions",
        pa.table(
            {
                "submission_id": list(submissions),
                "signature_id": [signature_id] * len(submissions),
                "place": range(len(submissions)),
            }
        ),
    )
    connection.execute("CREATE OR REPLACE TEMP TABLE resampled AS FROM resampled_submissions")
    connection.unregister("resampled_submissions")
    rows = connection.execute(statement(formula.statement)).to_arrow_table()
    connection.execute("DROP TABLE temp.resampled")
    values = rows["statistics"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    sentences = rows["sentence_no"].to_numpy().reshape(-1)
    return sentences, values.reshape(len(sentences), -1) if len(sentences) else np.empty((0, 1))


def score_sums(database: Database, formula: Formula, sums: Floats) -> Floats:
    """Return the scores of sums of statistics, NaN where undefined.

    ``sums`` has the shape (…, k), the scores (…). They are computed by the same SQL macros as the
    scores of submissions.
    """
    connection = database.connection
    values = pa.array(np.ascontiguousarray(sums).reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, sums.shape[-1])
    connection.register("replicate", pa.table({"place": np.arange(len(lists)), "sums": lists}))
    rows = connection.execute(
        f"SELECT {formula.score} AS score "  # noqa: S608
        "FROM (SELECT place, sums::DOUBLE[] AS sums FROM replicate) ORDER BY place"
    ).to_arrow_table()
    connection.unregister("replicate")
    scores: Floats = rows["score"].to_numpy().astype(np.float64)
    return scores.reshape(sums.shape[:-1])
