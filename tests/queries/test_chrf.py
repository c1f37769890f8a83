from __future__ import annotations

import itertools

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from sr_tracker.queries.functions.chrf import SPACES, chrf_plusplus_statistics, chrf_statistics

texts = st.text(alphabet="aAb é𝒜.(\t\u3000", max_size=20) | st.text(max_size=20)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)
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
@given(rows=pairs)
def test_counts_and_scores_are_sacrebleu_s(
    macros: duckdb.DuckDBPyConnection, name: str, rows: list[tuple[str, str]]
) -> None:
    found = statistics(rows, name)
    assert found.to_pylist() == sacrebleu_counts(rows, name)
    metric, _ = METRICS[name]
    macros.register("scored", pa.table({"s": found}))
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


def test_missing_rows() -> None:
    outputs = pa.array(["x", "a", None, "", None])
    references = pa.array(["x", None, "a", "a", None])
    missing = chrf_statistics(outputs, references)
    assert missing.is_null().to_pylist() == [False, True, True, False, True]


def test_null_has_no_score(macros: duckdb.DuckDBPyConnection) -> None:
    assert macros.execute("SELECT chrf(NULL::INTEGER[])").fetchall() == [(None,)]
