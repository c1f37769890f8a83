"""Which submission is rated higher than which: Wilcoxon tests of the scores of sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
import pyarrow as pa

from ...schema.database import Database
from ...schema.parameters import ALPHA
from ...schema.statements import read_table, read_tuples, statement
from ...schema.temporary import temporary
from ..functions.statistics import Booleans, Floats, Integers, holm, without_noise
from .human_scores import RANK_SUM, RAW, SIGNED_RANK, Rule, Z, place_sentences
from .rank_tests import RankSums, rank_clusters, rank_sums, signed_ranks, signed_ranks_in_domains

NO_ANNOTATOR = "no annotator judged both: raw scores do not tell strict people from poor outputs"
NO_SENTENCE = "no sentence was judged of both"


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
    documents: Sequence[Sequence[str | None]]
    """Theirs; None where none is known, and for all where tests are of sentences."""
    domains: Sequence[Sequence[str | None]]
    """Theirs; None for all where means are not over domains."""
    z_scores: Sequence[Floats]
    """Of each submission, one per judged sentence that has one."""

    def means(self) -> Floats:
        """Return the mean score of each submission, over domains where there are any."""
        return np.array([*map(_macro_mean, self.scores, self.domains)])

    def square(self) -> Floats:
        """Return a row of scores for each submission, a column for each sentence, else NaN."""
        numbers, columns = self._columns()
        rows = np.repeat(np.arange(len(self.scores)), [len(row) for row in self.scores])
        square = np.full((len(self.submissions), len(numbers)), np.nan)
        square[rows, columns] = np.concatenate([*self.scores, []])
        return square

    def numbered(self, names: Sequence[Sequence[str | None]], *, alone: bool) -> Integers:
        """Return a number for the name of each sentence; all without one have the same.

        Where they count ``alone``, sentences without a name have numbers of their own.
        """
        numbers, columns = self._columns()
        of_sentence = np.full(len(numbers), "", object)
        of_sentence[columns] = [name or "" for of_system in names for name in of_system]
        _, codes = np.unique(of_sentence.astype(np.str_), return_inverse=True)
        if alone:
            unnamed = np.flatnonzero(of_sentence == "")
            codes[unnamed] = len(numbers) + unnamed
        return codes

    def _columns(self) -> tuple[Integers, Integers]:
        """Return the judged sentences, and the place among them of each score."""
        pooled = np.concatenate([*self.sentences, []]).astype(np.int64)
        return np.unique(pooled, return_inverse=True)


def store_comparisons(
    database: Database,
    campaign_id: str,
    annotators: str,
    *,
    corrected: bool = False,
    rule: Rule | None = None,
) -> None:
    """Compare every two submissions to a treebank, and rank them in clusters.

    Reads the scores of sentences from the temporary table human_sentence and stores, in place of
    earlier ones on these criteria, rows of human_comparison for the choice of ``annotators`` (all
    or passing) they were made of. Fills cluster, rank_from and rank_to of the rows of human_ranking
    that are there: submissions by the mean score that the ``rule`` says, one being better than
    another where the p-value of its test is below ALPHA; where ``corrected``, the one by Holm's
    method, over all tests of the treebank and criterion. Submissions without such a score
    have no rank.
    """
    rule = rule or Rule()
    place_sentences(database, rule)
    connection = database.connection
    with_keys = {"campaign_id": campaign_id, "annotators": annotators}
    connection.execute(statement("clear_human_comparisons"), with_keys)
    shared: set[tuple[str, ...]] | None = None
    if rule.ranked_by == RAW:
        shared = {*read_tuples(database, "shared_annotators", annotators=annotators)}
    for judged in _judged(database, campaign_id):
        apart = None if shared is None else _apart(judged, shared)
        comparisons, ranks = _compared(judged, rule, apart, corrected=corrected)
        with temporary(database, compared_submissions=comparisons, ranked_submissions=ranks):
            connection.execute(statement("store_human_comparison"), with_keys)
            connection.execute(statement("store_rank_clusters"), with_keys)


def _judged(database: Database, campaign_id: str) -> Iterator[_Judged]:
    """Yield the scores of each treebank and criterion, the submissions in the order of ids."""
    table = read_table(database, "judged_sentences", campaign_id=campaign_id)
    rows = zip(*table.columns, strict=True)
    for (treebank_id, criterion), group in groupby(
        rows, key=lambda row: (row[0].as_py(), row[1].as_py())
    ):
        _, _, submissions, numbers, scores, documents, domains, z_scores = zip(*group, strict=True)
        yield _Judged(
            treebank_id=treebank_id,
            criterion=criterion,
            submissions=[value.as_py() for value in submissions],
            sentences=[value.as_py() for value in numbers],
            scores=[value.values.to_numpy() for value in scores],
            documents=[value.as_py() for value in documents],
            domains=[value.as_py() for value in domains],
            z_scores=[value.values.to_numpy() for value in z_scores],
        )


def _apart(judged: _Judged, shared: set[tuple[str, ...]]) -> Booleans:
    """Return whether no annotator judged both the submission of the row and of the column."""
    place = (judged.treebank_id, judged.criterion)
    return np.array(
        [
            [(*place, one, other) not in shared for other in judged.submissions]
            for one in judged.submissions
        ]
    )


def _tested(judged: _Judged, rule: Rule) -> RankSums:
    """Return the tests between every two submissions that the rule asks for."""
    by_document = any(map(any, judged.documents))
    if rule.test == RANK_SUM and not by_document:
        return rank_sums(judged.scores)
    square = judged.square()
    if by_document:
        test = rank_sums_of_documents if rule.test == RANK_SUM else signed_ranks_of_documents
        return test(square, judged.numbered(judged.documents, alone=True))
    if rule.test == SIGNED_RANK:
        return RankSums(*signed_ranks(square))
    domains = judged.numbered(judged.domains, alone=False)
    return RankSums(*signed_ranks_in_domains(square, domains, judged.means()))


def _compared(
    judged: _Judged, rule: Rule, apart: Booleans | None, *, corrected: bool
) -> tuple[pa.Table, pa.Table]:
    """Return the rows of human_comparison and the ranks of the submissions that have one.

    Pairs that are ``apart`` have no test: raw scores of different annotators differ by how strict
    these are.
    """
    tests = _tested(judged, rule)
    if apart is not None:
        tests.u[apart] = tests.p_value[apart] = np.nan
    n = np.array([len(scores) for scores in judged.scores])
    mean = judged.means()
    z_mean = np.array([_mean(scores) for scores in judged.z_scores])
    first, second = np.nonzero(~np.eye(len(n), dtype=np.bool_))
    p_value = tests.p_value[first, second]
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
            "score_difference": pa.array(mean[first] - mean[second], from_pandas=True),
            "z_difference": pa.array(z_mean[first] - z_mean[second], from_pandas=True),
            "u": pa.array(tests.u[first, second], from_pandas=True),
            "p_value": pa.array(p_value, from_pandas=True),
            "p_holm": pa.array(p_holm, from_pandas=True),
            "documents": _optional(tests.documents, first, second).cast(pa.int32()),
            "design_effect": _optional(tests.design_effect, first, second),
            "undefined_reason": pa.array(
                _reasons(judged, rule, tests, apart, first, second), pa.string()
            ),
        }
    )
    better = np.zeros(tests.p_value.shape, np.bool_)
    better[first, second] = (p_holm if corrected else p_value) < ALPHA
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


def _optional(square: Floats | None, first: Integers, second: Integers) -> pa.Array:
    """Return the values of these pairs, NULL where there are none."""
    values = np.full(len(first), np.nan) if square is None else square[first, second]
    return pa.array(values, pa.float64(), from_pandas=True)


def _mean(values: Floats) -> float:
    """Return the mean, the same in any order of the values; NaN where there are none."""
    return math.fsum(values) / len(values) if len(values) else math.nan


def _macro_mean(values: Floats, domains: Sequence[str | None]) -> float:
    """Return the mean of the means of each domain."""
    if not any(domains):
        return _mean(values)
    named = np.array([name or "" for name in domains])
    return _mean(np.array([_mean(values[named == name]) for name in np.unique(named)]))


def _reasons(
    judged: _Judged,
    rule: Rule,
    tests: RankSums,
    apart: Booleans | None,
    first: Integers,
    second: Integers,
) -> list[str | None]:
    """Return why each pair has no test, None where it has one."""
    score = "z-score" if rule.ranked_by == Z else "score"
    names = [
        None if len(scores) else f"{submission_id} has no {score}"
        for submission_id, scores in zip(judged.submissions, judged.scores, strict=True)
    ]
    of_others = np.zeros(tests.u.shape, np.bool_) if apart is None else apart
    return [
        names[one]
        or names[other]
        or (NO_ANNOTATOR if of_others[one, other] else None)
        or (NO_SENTENCE if math.isnan(tests.u[one, other]) else None)
        for one, other in zip(first, second, strict=True)
    ]


Compared = tuple[float, float, Integers, Floats]
"""The statistic of one system and of the other, the sentences, and what each adds to it."""

EXACT_DOCUMENTS = 12
"""Up to so many documents all changes of their signs are counted out."""


def rank_sums_of_documents(scores: Floats, documents: Integers) -> RankSums:
    """Return whether each of k systems tends to be rated higher than each other one.

    ``scores`` has a row for each system and a column for each sentence, NaN where it was not
    judged; ``documents`` numbers the document of each column. U is that of ``rank_sums``: every
    sentence weighs the same, as in the means that rank. Its variance is that of the sums of ranks
    over documents, in which both systems may have sentences (Rosner, Glynn and Lee 2006, subunits
    of a cluster in both groups; Datta and Satten 2005, who weigh documents alike instead). Exact
    and undefined p-values are as in ``signed_ranks_of_documents``.
    """
    return _tests(scores, documents, _pooled)


def signed_ranks_of_documents(scores: Floats, documents: Integers) -> RankSums:
    """Return whether each of k systems is rated higher on the sentences judged of both.

    Arguments are as in ``rank_sums_of_documents``. The statistic is that of ``signed_ranks``; its
    variance is the sum over documents of the squared sums of their signed ranks (Rosner, Glynn and
    Lee 2006). Where no system is higher, a document is as likely to speak for the one as for the
    other: up to 12 documents p-values are the share of all 2^n such changes of signs, else the
    normal approximation. They are 1 where no sentence differs, NaN without common sentences.
    """
    return _tests(scores, documents, _signed)


def _tests(
    scores: Floats, documents: Integers, parts_of: Callable[[Floats, Floats], Compared | None]
) -> RankSums:
    u, p_value, number, effect = np.full((4, len(scores), len(scores)), np.nan)
    for one, other in combinations(range(len(scores)), 2):
        test = parts_of(scores[one], scores[other])
        if test is None:
            continue
        u[one, other], u[other, one], columns, parts = test
        _, places = np.unique(documents[columns], return_inverse=True)
        sums: Floats = np.bincount(places, parts).astype(np.float64)
        p_value[one, other], p_value[other, one] = _p_values(sums)
        number[one, other] = number[other, one] = len(sums)
        by_sentence = parts @ parts
        if by_sentence:
            effect[one, other] = effect[other, one] = sums @ sums / by_sentence
    return RankSums(u, p_value, number, effect)


def _signed(one: Floats, other: Floats) -> Compared | None:
    """Return the sums of positive ranks, and the signed ranks of the sentences of both."""
    from scipy.stats import rankdata

    columns = np.flatnonzero(np.isfinite(one) & np.isfinite(other))
    if not len(columns):
        return None
    first, second = np.split(without_noise(np.concatenate([one[columns], other[columns]])), 2)
    difference = first - second
    differs = difference != 0
    signed = np.zeros(len(columns))
    signed[differs] = np.sign(difference[differs]) * rankdata(np.abs(difference[differs]))
    return float(signed[signed > 0].sum()), float(-signed[signed < 0].sum()), columns, signed


def _pooled(one: Floats, other: Floats) -> Compared | None:
    """Return both U, and what each sentence adds to the first less its expectation.

    Ranks of both systems' scores together, less their mean, weigh by the share of the other
    system: sums over sentences are U less n m / 2.
    """
    from scipy.stats import rankdata

    has_score = np.isfinite(one), np.isfinite(other)
    n, m = (int(mask.sum()) for mask in has_score)
    if not n or not m:
        return None
    ranks = rankdata(without_noise(np.concatenate([one[has_score[0]], other[has_score[1]]])))
    u = float(ranks[:n].sum()) - n * (n + 1) / 2
    centred = ranks - (n + m + 1) / 2
    parts = np.zeros(len(one))
    parts[has_score[0]] += centred[:n] * m / (n + m)
    parts[has_score[1]] -= centred[n:] * n / (n + m)
    columns = np.flatnonzero(has_score[0] | has_score[1])
    return u, n * m - u, columns, parts[columns]


def _p_values(sums: Floats) -> tuple[float, float]:
    """Return the one-sided p-values of the sum of these sums, and of its opposite."""
    from scipy.special import ndtr

    total = sums.sum()
    if len(sums) > EXACT_DOCUMENTS:
        deviation = np.sqrt(sums @ sums)
        if not deviation:
            return 1.0, 1.0
        return float(ndtr(-total / deviation)), float(ndtr(total / deviation))
    signs = 1 - 2 * (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1)
    changed = signs @ sums
    noise = 1e-9 * np.abs(sums).sum()
    return float((changed >= total - noise).mean()), float((changed <= total + noise).mean())
