"""Rank tests over documents: against swaps that are counted out, plain sums, and simulation."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, norm, rankdata, wilcoxon

from sr_tracker.queries.people.comparison import rank_sums_of_documents, signed_ranks_of_documents
from sr_tracker.queries.people.rank_tests import rank_sums

Floats = NDArray[np.float64]


def drawn(
    documents: int, rng: np.random.Generator, gap: float = 0, size: int = 6
) -> tuple[Floats, NDArray[np.int64]]:
    """Scores of two systems that do well or badly by document, and the documents."""
    of_sentence = np.repeat(np.arange(documents), rng.integers(1, size + 1, documents))
    own = rng.normal(0, 7, (2, documents))[:, of_sentence]
    scores = 75 + own + rng.normal(0, 10, own.shape)
    scores[0] += gap
    return np.clip(scores.round(), 0, 100), of_sentence


def mann_whitney(one: Floats, other: Floats) -> float:
    return float(mannwhitneyu(one, other).statistic)


def positive_ranks(one: Floats, other: Floats) -> float:
    difference = one - other
    difference = difference[difference != 0]
    return float(rankdata(np.abs(difference))[difference > 0].sum())


@pytest.mark.parametrize(
    ("test", "statistic"),
    [
        (rank_sums_of_documents, mann_whitney),
        (signed_ranks_of_documents, positive_ranks),
    ],
)
def test_few_documents_are_swapped_in_all_ways(test, statistic) -> None:  # type: ignore[no-untyped-def]
    """Where systems are alike, their outputs for a document may as well be the other's."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        scores, documents = drawn(6, rng, gap=4)
        found = test(scores, documents)
        swapped = np.array(
            [
                statistic(*np.where(np.array(swaps)[documents], scores[::-1], scores))
                for swaps in product([False, True], repeat=6)
            ]
        )
        seen = statistic(*scores)
        assert found.u[0, 1] == seen
        assert found.p_value[0, 1] == pytest.approx((swapped >= seen - 1e-9).mean())
        assert found.p_value[1, 0] == pytest.approx((swapped <= seen + 1e-9).mean())


def test_signed_ranks_of_many_documents() -> None:
    """The variance is the sum of squared sums; of documents with one sentence it is Wilcoxon's."""
    rng = np.random.default_rng(4)
    scores, documents = drawn(40, rng, gap=1)
    difference = scores[0] - scores[1]
    signed = np.zeros(len(difference))
    differs = difference != 0
    signed[differs] = np.sign(difference[differs]) * rankdata(np.abs(difference[differs]))
    sums = [signed[documents == number].sum() for number in range(40)]
    found = signed_ranks_of_documents(scores, documents)
    deviation = sum(each**2 for each in sums) ** 0.5
    assert found.p_value[0, 1] == pytest.approx(norm.sf(sum(sums) / deviation))
    effect = deviation**2 / (signed**2).sum()
    assert found.design_effect is not None
    assert found.documents is not None
    assert found.design_effect[0, 1] == found.design_effect[1, 0] == pytest.approx(effect)
    assert found.documents[0, 1] == 40
    alone = signed_ranks_of_documents(scores, np.arange(len(documents)))
    expected = wilcoxon(*scores, alternative="greater", method="approx").pvalue
    assert alone.p_value[0, 1] == pytest.approx(expected)
    assert alone.design_effect is not None
    assert alone.design_effect[0, 1] == 1


def test_rank_sums_where_sentences_were_not_judged_of_both() -> None:
    """U is that of all sentences; documents of one system alone count as well."""
    rng = np.random.default_rng(5)
    scores, documents = drawn(40, rng, gap=2)
    scores[rng.random(scores.shape) < 0.3] = np.nan
    samples = [row[np.isfinite(row)] for row in scores]
    n, m = map(len, samples)
    found = rank_sums_of_documents(scores, documents)
    assert found.u[0, 1] == rank_sums(samples).u[0, 1]
    assert found.u[0, 1] + found.u[1, 0] == n * m
    ranks = np.full(scores.shape, np.nan)
    ranks[np.isfinite(scores)] = rankdata(scores[np.isfinite(scores)]) - (n + m + 1) / 2
    sums = [
        np.nansum(ranks[0, documents == number]) * m / (n + m)
        - np.nansum(ranks[1, documents == number]) * n / (n + m)
        for number in range(40)
    ]
    assert sum(sums) == pytest.approx(found.u[0, 1] - n * m / 2)
    deviation = sum(each**2 for each in sums) ** 0.5
    assert found.p_value[0, 1] == pytest.approx(norm.sf(sum(sums) / deviation))


def test_what_has_no_test() -> None:
    nan = np.nan
    scores = np.array([[1.0, 2.0, nan], [nan, nan, 3.0], [1.0, 2.0, nan], [nan, nan, nan]])
    documents = np.array([0, 0, 1])
    signed, pooled = (
        test(scores, documents) for test in (signed_ranks_of_documents, rank_sums_of_documents)
    )
    assert np.isnan([signed.p_value[0, 1], signed.u[0, 1], pooled.p_value[0, 3]]).all()
    assert (signed.p_value[0, 2], signed.p_value[2, 0]) == (1, 1)
    assert (pooled.p_value[0, 2], pooled.p_value[2, 0]) == (1, 1)
    assert pooled.p_value[1, 0] == 0.25
    assert np.isnan(np.diag(pooled.p_value)).all()


@pytest.mark.parametrize("test", [rank_sums_of_documents, signed_ranks_of_documents])
def test_systems_that_are_alike_differ_as_often_as_they_should(test) -> None:  # type: ignore[no-untyped-def]
    """At .05 within three standard errors of 300 runs; sentences for themselves .10 and more."""
    rng = np.random.default_rng(6)
    by_document = by_sentence = 0
    for _ in range(300):
        scores, documents = drawn(25, rng, size=14)
        by_document += test(scores, documents).p_value[0, 1] < 0.05
        by_sentence += rank_sums([*scores]).p_value[0, 1] < 0.05
    assert by_document / 300 <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    assert by_sentence / 300 > 0.1
