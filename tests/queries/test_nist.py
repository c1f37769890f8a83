"""NIST and chrF against NLTK and sacreBLEU."""

from __future__ import annotations

import gzip
import itertools
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist
from sacrebleu.metrics.chrf import CHRF

from sr_tracker.queries.functions.chrf import SPACES, chrf_plusplus_statistics, chrf_statistics
from sr_tracker.queries.functions.ngrams import (
    nist_information,
    nist_statistics,
    treebanks_information,
)
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import released

Tokens = list[str]
Rows = list[tuple[Tokens, Tokens]]

tokens = st.lists(st.sampled_from(["a", "b", "ab", "𝒜", "é"]), max_size=12)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=8)


def ngrams(sentence: Tokens, n: int) -> list[tuple[str, ...]]:
    return [tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1)]


class Transcription:
    """The formulas of Doddington (2002), sentence by sentence."""

    def __init__(self, references: list[Tokens], order: int) -> None:
        self.order = order
        self.counts = Counter(
            ngram
            for sentence in references
            for n in range(1, order + 1)
            for ngram in ngrams(sentence, n)
        )
        self.counts[()] = sum(len(sentence) for sentence in references)

    def information(self, ngram: tuple[str, ...]) -> float:
        return math.log2(self.counts[ngram[:-1]] / self.counts[ngram])

    def row(self, reference: Tokens) -> list[float]:
        return [
            self.information(ngram)
            for n in range(1, self.order + 1)
            for ngram in ngrams(reference, n)
        ]

    def statistics(self, output: Tokens, reference: Tokens) -> dict[str, Any]:
        orders = range(1, self.order + 1)
        matches = [Counter(ngrams(output, n)) & Counter(ngrams(reference, n)) for n in orders]
        return {
            "output_length": len(output),
            "reference_length": len(reference),
            "information": [
                sum(count * self.information(ngram) for ngram, count in counts.items())
                for counts in matches
            ],
            "matches": [counts.total() for counts in matches],
            "totals": [len(ngrams(output, n)) for n in orders],
        }

    def score(self, rows: Rows) -> float:
        statistics = [self.statistics(*row) for row in rows]
        output_length = sum(row["output_length"] for row in statistics)
        reference_length = sum(row["reference_length"] for row in statistics)
        if not output_length or not reference_length:
            return 0.0
        precision = 0.0
        for n in range(self.order):
            total = sum(row["totals"][n] for row in statistics)
            if total:
                precision += sum(row["information"][n] for row in statistics) / total
        ratio = min(1.0, output_length / reference_length)
        beta = math.log(0.5) / math.log(1.5) ** 2
        return precision * math.exp(beta * math.log(ratio) ** 2)


def columns(rows: Rows) -> tuple[pa.Array, pa.Array]:
    return (
        pa.array([" ".join(output) for output, _ in rows]),
        pa.array([" ".join(reference) for _, reference in rows]),
    )


def score_system(
    macros: duckdb.DuckDBPyConnection, outputs: pa.Array, references: pa.Array, order: int
) -> float:
    information = nist_information(references, order)
    statistics = nist_statistics(outputs, references, information, order)
    released(macros).register("scored", pa.table({"s": statistics}))
    row = macros.execute(
        f"""
        WITH s AS (SELECT unnest(s) FROM scored)
        SELECT nist(
            element_sums(information, {order}), element_sums(totals, {order}),
            sum(output_length), sum(reference_length)
        ) FROM s
        """
    ).fetchone()
    assert row is not None
    return float(row[0])


@given(pairs, st.integers(1, 6))
def test_statistics_are_those_of_the_formulas(rows: Rows, order: int) -> None:
    outputs, references = columns(rows)
    oracle = Transcription([reference for _, reference in rows], order)
    information = nist_information(references, order)
    for (_, reference), row in zip(rows, information.to_pylist(), strict=True):
        assert np.frombuffer(row).tolist() == pytest.approx(oracle.row(reference), abs=1e-12)
    statistics = nist_statistics(outputs, references, information, order).to_pylist()
    for pair, row in zip(rows, statistics, strict=True):
        expected = oracle.statistics(*pair)
        expected["information"] = pytest.approx(expected["information"], abs=1e-9)
        assert row == expected


@given(st.lists(st.lists(tokens, max_size=6), max_size=4))
def test_information_is_that_of_each_treebank_alone(treebanks: list[list[Tokens]]) -> None:
    texts = [[" ".join(sentence) for sentence in sentences] for sentences in treebanks]
    computed = treebanks_information(pa.array(texts, pa.list_(pa.string())), 3)
    alone = [nist_information(pa.array(text, pa.string()), 3).to_pylist() for text in texts]
    assert computed.to_pylist() == alone


@given(pairs, st.integers(1, 6))
def test_score_is_that_of_the_formulas(
    macros: duckdb.DuckDBPyConnection, rows: Rows, order: int
) -> None:
    oracle = Transcription([reference for _, reference in rows], order)
    outputs, references = columns(rows)
    score = score_system(macros, outputs, references, order)
    assert score == pytest.approx(oracle.score(rows), abs=1e-9)
    sentences = nist_statistics(outputs, references, nist_information(references, order), order)
    released(macros).register("scored", pa.table({"s": sentences}))
    scores = macros.execute(
        "SELECT nist(s.information, s.totals, s.output_length, s.reference_length) FROM scored"
    ).fetchall()
    assert [row[0] for row in scores] == pytest.approx(
        [oracle.score([row]) for row in rows], abs=1e-9
    )


@given(pairs, st.integers(1, 5))
def test_score_is_nltk_s_where_it_has_one(
    macros: duckdb.DuckDBPyConnection, rows: Rows, order: int
) -> None:
    assume(any(len(output) >= order for output, _ in rows))  # it divides by 0 otherwise
    assume(any(reference for _, reference in rows))
    expected = corpus_nist(
        [[reference] for _, reference in rows], [output for output, _ in rows], order
    )
    score = score_system(macros, *columns(rows), order)
    assert score == pytest.approx(expected, abs=1e-9)


def test_half_at_two_thirds_of_the_length(macros: duckdb.DuckDBPyConnection) -> None:
    row = macros.execute("SELECT nist([8.0, 0], [4, 3], 4, 6), nist([8.0, 0], [4, 3], 4, 4)")
    assert row.fetchall() == [(pytest.approx(1.0), pytest.approx(2.0))]


def test_nothing_there_and_null(macros: duckdb.DuckDBPyConnection) -> None:
    row = macros.execute(
        "SELECT nist([0.0], [0], 0, 5), nist([0.0], [5], 5, 0), nist(NULL::DOUBLE[], [1], 1, 1)"
    )
    assert row.fetchall() == [(0.0, 0.0, None)]


def test_missing_rows() -> None:
    outputs = pa.array(["x", None, "a", "a b", "a b"])
    references = pa.array(["x", "a", None, "a b", "b a b"])
    information = nist_information(references, 2)
    assert information.is_null().to_pylist() == [False, False, True, False, False]
    expected = nist_statistics(outputs, references, information, 2)
    assert expected.is_null().to_pylist() == [False, True, True, False, False]
    unknown = pa.array(
        [None if i == 3 else row for i, row in enumerate(information.to_pylist())],
        type=information.type,
    )
    rows = nist_statistics(outputs, references, unknown, 2).to_pylist()
    assert rows == [None if i == 3 else row for i, row in enumerate(expected.to_pylist())]
    empty = pa.array([], type=pa.string())
    assert len(nist_information(empty, 5)) == 0


def test_information_that_does_not_fit() -> None:
    references = pa.array(["a", "a b"])
    information = nist_information(references, 5)
    with pytest.raises(InputError, match="2 n-grams, but information on 3"):
        nist_statistics(references, references, information, 1)


def test_a_line_of_100_000_tokens() -> None:
    line = [str(i % 1000) for i in range(100_000)]
    (row,) = Transcription([line], 5).row(line[:1])[:1]
    text = pa.array([" ".join(line)])
    information = nist_information(text, 5)
    weights = np.frombuffer(information[0].as_py())
    assert len(weights) == 5 * 100_000 - 10
    assert weights[0] == pytest.approx(row)
    statistics = nist_statistics(text, text, information, 5)
    assert statistics[0]["matches"].as_py() == [100_000 - n for n in range(5)]


def adapt_texts(shared_data: Path, run: str) -> list[pa.Array]:
    """The outputs of one of ADAPT's runs, and the raw text of the development set."""
    treebank = gzip.decompress((shared_data / "ud/2.3/en_ewt-ud-dev.conllu.gz").read_bytes())
    outputs = (shared_data / f"sr20/adapt/{run}/en_out.txt").read_text(encoding="utf-8")
    return [
        normalised_text(pa.array(re.findall(r"^# text = ?(.*)$", text, flags=re.MULTILINE)))
        for text in (outputs, treebank.decode("utf-8"))
    ]


@pytest.mark.parametrize(
    ("run", "nist"),
    [
        ("baseline_ewt_data_07-Oct_14-55", "11.697115"),
        ("ewt_data_07-Oct_16-06", "12.799295"),
        ("augmented_data_and_ewt_11-Oct_15-25", "13.462043"),
    ],
)
def test_known_figures(
    shared_data: Path, macros: duckdb.DuckDBPyConnection, run: str, nist: str
) -> None:
    """To 4-grams against the raw text of the development set; from the team's own results.csv."""
    outputs, references = adapt_texts(shared_data, run)
    assert f"{score_system(macros, outputs, references, 4):.6f}" == nist


texts = st.text(alphabet="aAb é𝒜.(\t\u3000", max_size=20) | st.text(max_size=20)
text_pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)
METRICS = {
    "chrf": (CHRF(), chrf_statistics),
    "chrf_plusplus": (CHRF(word_order=2), chrf_plusplus_statistics),
}


def statistics(rows: list[tuple[str, str]], name: str = "chrf") -> pa.Array:
    return METRICS[name][1](
        pa.array([output for output, _ in rows], type=pa.string()),
        pa.array([reference for _, reference in rows], type=pa.string()),
    )


def sacrebleu_counts(rows: list[tuple[str, str]], name: str) -> list[list[int]]:
    return METRICS[name][0]._extract_corpus_statistics(
        [output for output, _ in rows], [[reference for _, reference in rows]]
    )


@pytest.mark.parametrize("name", METRICS)
@given(rows=text_pairs)
def test_counts_and_scores_are_sacrebleu_s(
    macros: duckdb.DuckDBPyConnection, name: str, rows: list[tuple[str, str]]
) -> None:
    computed = statistics(rows, name)
    assert computed.to_pylist() == sacrebleu_counts(rows, name)
    metric, _ = METRICS[name]
    released(macros).register("scored", pa.table({"s": computed}))
    sentences = [row[0] for row in macros.execute("SELECT chrf(s) FROM scored").fetchall()]
    assert sentences == pytest.approx(
        [metric.sentence_score(output, [reference]).score / 100 for output, reference in rows],
        abs=1e-9,
    )
    corpus = metric.corpus_score(
        [output for output, _ in rows], [[reference for _, reference in rows]]
    )
    (score,) = macros.execute("SELECT chrf(element_sums(s, 24)) FROM scored").fetchall()
    assert score == (pytest.approx(corpus.score / 100, abs=1e-9),)


@given(st.lists(st.tuples(*[st.text(alphabet="ab. ", max_size=400)] * 2), min_size=1, max_size=4))
def test_long_references_are_looked_at_through_windows(rows: list[tuple[str, str]]) -> None:
    rows += [(output * 3, reference * 5) for output, reference in rows]
    for name in METRICS:
        assert statistics(rows, name).to_pylist() == sacrebleu_counts(rows, name)


def test_references_as_long_as_windows() -> None:
    text = "abcdefghijklmnopqrstuvwxyz, " * 20
    rows = [(text, text[start : start + length]) for start in (0, 3) for length in range(115, 290)]
    assert statistics(rows).to_pylist() == sacrebleu_counts(rows, "chrf")


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(
    "ranges",
    [
        [range(0x100), range(0x1678, 0x1688), range(0x2000, 0x2070), range(0x2FF8, 0x3008)],
        pytest.param([range(0x100), range(0x1600, 0x3100)], marks=pytest.mark.long),
    ],
    ids=["blanks", "blocks"],
)
def test_every_character_counts_as_sacrebleu_counts_it(name: str, ranges: list[range]) -> None:
    codes = [*itertools.chain(*ranges), 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
    rows = [
        (f"a{chr(code)}bc{chr(code)}", f"{chr(code)}a {chr(code)}b{chr(code)}c") for code in codes
    ]
    assert statistics(rows, name).to_pylist() == sacrebleu_counts(rows, name)


def test_whitespace_is_what_python_splits_at() -> None:
    assert [code for code in range(0x110000) if chr(code).isspace()] == SPACES.nonzero()[0].tolist()


def test_statistics_are_counts_per_order() -> None:
    (row,) = statistics([("ab a", "ab B")]).to_pylist()
    assert row == [3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_missing_rows_of_chrf() -> None:
    outputs = pa.array(["x", "a", None, "", None])
    references = pa.array(["x", None, "a", "a", None])
    missing = chrf_statistics(outputs, references)
    assert missing.is_null().to_pylist() == [False, True, True, False, True]


def test_null_has_no_score(macros: duckdb.DuckDBPyConnection) -> None:
    assert macros.execute("SELECT chrf(NULL::INTEGER[])").fetchall() == [(None,)]
