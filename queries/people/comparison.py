"""Which submission is rated higher than which: Wilcoxon tests of the scores of sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import pyarrow as pa

from sr_tracker.queries.functions.statistics import holm, without_noise
from sr_tracker.queries.people.clusters import rank_clusters
from sr_tracker.queries.people.ranking import RANK_SUM, SIGNED_RANK, Rule, Z, place_sentences
from sr_tracker.queries.people.signed_ranks import signed_ranks, signed_ranks_in_domains
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from sr_tracker.schema.temporary import temporary

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class RankSums:
    """Tests between every two of k samples: matrices (k, k), NaN where undefined."""

    u: Floats
    """Mann-Whitney U of the row's sample: pairs in which it is higher, a tie counting one half.
    Of signed ranks the sum of the positive ones, of WMT24's test the combined z."""
    p_value: Floats
    """One-sided: does the row's sample tend to be higher than the column's?"""


@dataclass(frozen=True)
class _Judged:
    """The submissions to a treebank that were judged on a criterion."""

    treebank_id: str
    criterion: str
    submissions: Sequence[str]
    sentences: Sequence[Sequence[int]]
    """Of each submission the numbers of its judged sentences that have a score."""
    scores: Sequence[Floats]
    """Theirs."""
    domains: Sequence[Sequence[str | None]]
    """Theirs; None for all where means are not over domains."""
    z_scores: Sequence[Floats]
    """Of each submission, one per judged sentence that has one."""

    def means(self) -> Floats:
        """Return the mean score of each submission, over domains where there are any."""
        import numpy as np

        return np.array([*map(_macro_mean, self.scores, self.domains)])

    def square(self) -> tuple[Floats, Integers]:
        """Return a row of scores for each submission, NaN where not judged, and the domains."""
        import numpy as np

        domain = {
            number: str(name or "")
            for numbers, names in zip(self.sentences, self.domains, strict=True)
            for number, name in zip(numbers, names, strict=True)
        }
        place = {number: column for column, number in enumerate(sorted(domain))}
        square = np.full((len(self.submissions), len(place)), np.nan)
        for row, (numbers, values) in enumerate(zip(self.sentences, self.scores, strict=True)):
            square[row, [place[number] for number in numbers]] = values
        _, codes = np.unique([domain[number] for number in place] or [""], return_inverse=True)
        return square, codes[: len(place)]


def rank_sums(samples: Sequence[Floats]) -> RankSums:
    """Return whether each of k samples tends to be higher than each other one.

    Samples are finite numbers and may be empty: then their tests are undefined, as is a sample's
    test against itself. P-values are the normal approximation with corrections for ties, which
    rounding does not break, and for continuity; where all values of two samples are equal, they are
    1. Mille et al. 2018, section 5.2.1, Figures 4 to 6.
    """
    import numpy as np

    n = np.array([len(sample) for sample in samples])
    pooled = without_noise(np.concatenate([*samples, []]))
    values, codes = np.unique(pooled, return_inverse=True)
    counts = np.zeros((len(samples), len(values)))
    np.add.at(counts, (np.repeat(np.arange(len(samples)), n), codes), 1)
    return rank_sums_of_counts(counts)


def rank_sums_of_counts(counts: Floats) -> RankSums:
    """Return the tests of ``rank_sums`` between samples that hold each value so many times.

    ``counts`` has a row for each sample and a column for each value, in ascending order.
    """
    import numpy as np
    from scipy.special import ndtr

    n = counts.sum(axis=1)
    # Sums of products of counts are whole numbers, exact up to 200,000 values.
    below_doubled = 2 * np.cumsum(counts, axis=1) - counts
    u = counts @ below_doubled.T / 2

    pairs, total = np.multiply.outer(n, n), np.add.outer(n, n)
    squares_with = counts**2 @ counts.T
    cubes = (counts**3).sum(axis=1)
    ties = np.add.outer(cubes, cubes) + 3 * (squares_with + squares_with.T) - total
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(pairs / 12 * (total + 1 - ties / (total * (total - 1))))
        p_value = ndtr((pairs / 2 + 0.5 - u) / deviation)
    undefined = (pairs == 0) | np.eye(len(n), dtype=np.bool_)
    u[undefined] = p_value[undefined] = np.nan
    return RankSums(u, p_value)


def store_comparisons(
    database: Database,
    campaign_id: str,
    annotators: str,
    *,
    corrected: bool = False,
    rule: Rule | None = None,
    level: float = SIGNIFICANT,
) -> None:
    """Compare every two submissions to a treebank, and rank them in clusters.

    Reads the scores of sentences from the temporary table human_sentence and stores, in place of
    earlier ones on these criteria, rows of human_comparison for the choice of ``annotators`` (all
    or passing) they were made of. Fills cluster, rank_from and rank_to of the rows of human_ranking
    that are there: submissions by the mean score that the ``rule`` says, one being better than
    another where the p-value of its test is below ``level``; where ``corrected``, the one by Holm's
    method, over all tests of the treebank and criterion. Submissions without such a score
    have no rank.
    """
    rule = rule or Rule()
    place_sentences(database, rule)
    connection = database.connection
    with_keys = {"campaign_id": campaign_id, "annotators": annotators}
    connection.execute(statement("clear_human_comparisons"), with_keys)
    for judged in _judged(database, campaign_id):
        comparisons, ranks = _compared(judged, rule, corrected=corrected, level=level)
        with temporary(database, compared_submissions=comparisons, ranked_submissions=ranks):
            connection.execute(statement("store_human_comparison"), with_keys)
            connection.execute(statement("store_rank_clusters"), with_keys)


def _judged(database: Database, campaign_id: str) -> Iterator[_Judged]:
    """Yield the scores of each treebank and criterion, the submissions in the order of ids."""
    table = database.connection.execute(
        statement("judged_sentences"), {"campaign_id": campaign_id}
    ).to_arrow_table()
    rows = zip(*table.columns, strict=True)
    for (treebank_id, criterion), group in groupby(
        rows, key=lambda row: (row[0].as_py(), row[1].as_py())
    ):
        _, _, submissions, numbers, scores, domains, z_scores = zip(*group, strict=True)
        yield _Judged(
            treebank_id,
            criterion,
            [each.as_py() for each in submissions],
            [each.as_py() for each in numbers],
            [each.values.to_numpy() for each in scores],
            [each.as_py() for each in domains],
            [each.values.to_numpy() for each in z_scores],
        )


def _tested(judged: _Judged, rule: Rule) -> RankSums:
    """Return the tests between every two submissions that the rule asks for."""
    if rule.test == RANK_SUM:
        return rank_sums(judged.scores)
    square, domains = judged.square()
    if rule.test == SIGNED_RANK:
        return RankSums(*signed_ranks(square))
    return RankSums(*signed_ranks_in_domains(square, domains, judged.means()))


def _compared(
    judged: _Judged, rule: Rule, *, corrected: bool, level: float
) -> tuple[pa.Table, pa.Table]:
    """Return the rows of human_comparison and the ranks of the submissions that have one."""
    import numpy as np

    found = _tested(judged, rule)
    n = np.array([len(scores) for scores in judged.scores])
    mean = judged.means()
    z_mean = np.array([_mean(scores) for scores in judged.z_scores])
    first, second = np.nonzero(~np.eye(len(n), dtype=np.bool_))
    p_value = found.p_value[first, second]
    p_holm = holm(p_value)
    names = np.array(judged.submissions, dtype=object)
    comparisons = pa.table(
        {
            "treebank_id": pa.repeat(judged.treebank_id, len(first)),
            "criterion": pa.repeat(judged.criterion, len(first)),
            "submission_id": pa.array(names[first], pa.string()),
            "other_submission_id": pa.array(names[second], pa.string()),
            "sentences": n[first],
            "other_sentences": n[second],
            "score_difference": _numbers(mean[first] - mean[second]),
            "z_difference": _numbers(z_mean[first] - z_mean[second]),
            "u": _numbers(found.u[first, second]),
            "p_value": _numbers(p_value),
            "p_holm": _numbers(p_holm),
            "undefined_reason": pa.array(_reasons(judged, rule, found, first, second), pa.string()),
        }
    )
    better = np.zeros(found.p_value.shape, np.bool_)
    better[first, second] = (p_holm if corrected else p_value) < level
    ranked = np.flatnonzero(n > 0)
    ranked = ranked[np.argsort(-mean[ranked], kind="stable")]
    ranks = rank_clusters(better[np.ix_(ranked, ranked)])
    places = pa.table(
        {
            "treebank_id": pa.repeat(judged.treebank_id, len(ranked)),
            "criterion": pa.repeat(judged.criterion, len(ranked)),
            "submission_id": pa.array(names[ranked], pa.string()),
            "cluster": ranks.cluster,
            "rank_from": ranks.rank_from,
            "rank_to": ranks.rank_to,
        }
    )
    return comparisons, places


def _mean(values: Floats) -> float:
    """Return the mean, the same in any order of the values; NaN where there are none."""
    return math.fsum(values) / len(values) if len(values) else math.nan


def _macro_mean(values: Floats, domains: Sequence[str | None]) -> float:
    """Return the mean of the means of each domain."""
    import numpy as np

    if not any(domains):
        return _mean(values)
    named = np.array([name or "" for name in domains])
    return _mean(np.array([_mean(values[named == name]) for name in np.unique(named)]))


def _reasons(
    judged: _Judged, rule: Rule, found: RankSums, first: Integers, second: Integers
) -> list[str | None]:
    """Return why each pair has no test, None where it has one."""
    score = "z-score" if rule.ranked_by == Z else "score"
    names = [
        None if len(scores) else f"{submission_id} has no {score}"
        for submission_id, scores in zip(judged.submissions, judged.scores, strict=True)
    ]
    apart = "no sentence was judged of both"
    return [
        names[one] or names[other] or (apart if math.isnan(found.u[one, other]) else None)
        for one, other in zip(first, second, strict=True)
    ]


def _numbers(values: Floats) -> pa.Array[pa.DoubleScalar]:
    """Return numbers as Arrow has them, NaN as NULL."""
    import numpy as np

    return pa.array(values, pa.float64(), mask=np.isnan(values))
