"""Which sentences belong together, and rank tests over documents against plain sums."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, norm, rankdata, wilcoxon

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.ingest.treebanks.references import ingest_references
from sr_tracker.ingest.treebanks.sources import ingest_sources
from sr_tracker.queries.clusters import clusters
from sr_tracker.queries.people.comparison import rank_sums_of_documents, signed_ranks_of_documents
from sr_tracker.queries.people.rank_tests import rank_sums
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from tests.building import chain, conllu, written

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
        computed = test(scores, documents)
        swapped = np.array(
            [
                statistic(*np.where(np.array(swaps)[documents], scores[::-1], scores))
                for swaps in product([False, True], repeat=6)
            ]
        )
        seen = statistic(*scores)
        assert computed.u[0, 1] == seen
        assert computed.p_value[0, 1] == pytest.approx((swapped >= seen - 1e-9).mean())
        assert computed.p_value[1, 0] == pytest.approx((swapped <= seen + 1e-9).mean())


def test_signed_ranks_of_many_documents() -> None:
    """The variance is the sum of squared sums; of documents with one sentence it is Wilcoxon's."""
    rng = np.random.default_rng(4)
    scores, documents = drawn(40, rng, gap=1)
    difference = scores[0] - scores[1]
    signed = np.zeros(len(difference))
    differs = difference != 0
    signed[differs] = np.sign(difference[differs]) * rankdata(np.abs(difference[differs]))
    sums = [signed[documents == number].sum() for number in range(40)]
    computed = signed_ranks_of_documents(scores, documents)
    deviation = sum(item**2 for item in sums) ** 0.5
    assert computed.p_value[0, 1] == pytest.approx(norm.sf(sum(sums) / deviation))
    effect = deviation**2 / (signed**2).sum()
    assert computed.design_effect is not None
    assert computed.documents is not None
    assert computed.design_effect[0, 1] == computed.design_effect[1, 0] == pytest.approx(effect)
    assert computed.documents[0, 1] == 40
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
    computed = rank_sums_of_documents(scores, documents)
    assert computed.u[0, 1] == rank_sums(samples).u[0, 1]
    assert computed.u[0, 1] + computed.u[1, 0] == n * m
    ranks = np.full(scores.shape, np.nan)
    ranks[np.isfinite(scores)] = rankdata(scores[np.isfinite(scores)]) - (n + m + 1) / 2
    sums = [
        np.nansum(ranks[0, documents == number]) * m / (n + m)
        - np.nansum(ranks[1, documents == number]) * n / (n + m)
        for number in range(40)
    ]
    assert sum(sums) == pytest.approx(computed.u[0, 1] - n * m / 2)
    deviation = sum(item**2 for item in sums) ** 0.5
    assert computed.p_value[0, 1] == pytest.approx(norm.sf(sum(sums) / deviation))


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


TREEBANK = "en_one-ud1.0-test"


def load(
    database: Database, folder: Path, words: list[str], documents: dict[int, str] | None = None
) -> None:
    """Sentences of a word each; a document (its name, or an empty text) starts before some."""
    blocks = conllu([chain([word]) for word in words]).strip().split("\n\n")
    named = {
        n: f"# newdoc id = {name}\n" if name else "# newdoc\n"
        for n, name in (documents or {}).items()
    }
    text = "".join(f"{named.get(n, '')}{b}\n\n" for n, b in enumerate(blocks, start=1))
    path = written(folder / f"{TREEBANK}.conllu", text)
    ingest_treebank(database, path, name_treebank(path))


def several(words: int) -> list[str]:
    return [f"w{number}" for number in range(words)]


def test_documents_of_the_file(database: Database, tmp_path: Path) -> None:
    starts = {2: "a", 4: "", **{n: f"d{n}" for n in range(5, 12)}, 12: "", 14: "a"}
    load(database, tmp_path, several(14), starts)
    computed = clusters(database, TREEBANK)
    assert (computed.unit, computed.number) == ("document", 11)
    # Before the first document there is none; one name twice is one document, none twice are two.
    assert computed.keys.tolist() == [1, 2, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 2]
    assert clusters(database, TREEBANK, [14, 3, 13]).keys.tolist() == [2, 2, 12]


def test_documents_beside_the_file_are_those(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(24), {1: "whole"})
    documents = tmp_path / "documents.txt"
    documents.write_text("".join(f"news d{n // 2}\n" for n in range(24)))
    ingest_sources(database, TREEBANK, documents=documents)
    computed = clusters(database, TREEBANK)
    assert computed.unit == "document"
    assert computed.keys.tolist() == [2 * (n // 2) + 1 for n in range(24)]


def test_few_documents_are_passed_over_unless_asked_for(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, [*several(20), "w3"], {1: "a", 8: "b"})
    computed = clusters(database, TREEBANK)
    assert (computed.unit, computed.keys[-1], computed.number) == ("text", 4, 20)
    assert computed.note.startswith("2 documents are too few to resample: each text counts")
    requests = clusters(database, TREEBANK, unit="document")
    assert not requests.note
    assert requests.keys.tolist() == [1] * 7 + [8] * 14


def test_texts_are_equal_in_composed_form_with_single_blanks(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "references.txt"
    texts = [*several(10), "caf\u00e9  au lait", "cafe\u0301 au\u00a0lait", "Caf\u00e9 au lait"]
    path.write_text("".join(f"{text}\n" for text in texts))
    ingest_references(database, path, name_treebank(path))
    computed = clusters(database, "references")
    assert (computed.unit, computed.keys.tolist()) == ("text", [*range(1, 12), 11, 13])


def test_equal_sources_belong_together(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(14))
    sources = tmp_path / "sources.txt"
    sources.write_text(
        "".join(f"source {n // 2}\n" for n in range(14)).replace("source 6", "source 0")
    )
    assert clusters(database, TREEBANK).unit == "sentence"
    ingest_sources(database, TREEBANK, sources=sources)
    assert clusters(database, TREEBANK).unit == "sentence"  # six are too few
    requests = clusters(database, TREEBANK, unit="text")
    assert requests.keys.tolist() == [2 * (n // 2) + 1 for n in range(12)] + [1, 1]


def test_sentences_where_nothing_repeats(database: Database, tmp_path: Path) -> None:
    load(database, tmp_path, several(12), {n: f"d{n}" for n in range(1, 13)})
    computed = clusters(database, TREEBANK)
    assert computed.unit == "sentence"
    assert np.array_equal(computed.keys, np.arange(1, 13))


def test_hidden_texts_are_not_equal(database: Database, tmp_path: Path) -> None:
    path = tmp_path / f"{TREEBANK}.conllu"
    path.write_text(conllu([chain(["a"])] * 12, hidden=True))
    ingest_treebank(database, path, name_treebank(path))
    assert clusters(database, TREEBANK, unit="text").number == 12


def test_other_units(database: Database) -> None:
    with pytest.raises(InputError, match="'paragraph' is not resampled"):
        clusters(database, TREEBANK, unit="paragraph")
