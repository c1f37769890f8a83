from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

from sr_tracker.queries.functions.ngrams import ngram_statistics
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import released

METHOD_2 = SmoothingFunction().method2

Tokens = list[str]

# Few words, so that n-grams repeat; some begin alike, some are beyond the basic plane.
tokens = st.lists(st.sampled_from(["a", "b", "ab", "𝒜", "é", "a\nb"]), max_size=12)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=8)
plain_tokens = st.lists(st.sampled_from(["a", "b", "ab", "𝒜", "é"]), max_size=12)
plain_pairs = st.lists(st.tuples(plain_tokens, plain_tokens), min_size=1, max_size=8)


def statistics(rows: list[tuple[Tokens, Tokens]], order: int = 4) -> pa.Array:
    return ngram_statistics(
        pa.array([" ".join(output) for output, _ in rows]),
        pa.array([" ".join(reference) for _, reference in rows]),
        order,
    )


def select(
    macros: duckdb.DuckDBPyConnection, expressions: str, rows: list[tuple[Tokens, Tokens]]
) -> list[tuple[Any, ...]]:
    table = pa.table({"statistics": statistics(rows)})
    released(macros).register("pairs", table)
    return macros.execute(
        f"WITH s AS (SELECT unnest(statistics) FROM pairs) SELECT {expressions} FROM s"
    ).fetchall()


def ngrams(sentence: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(sentence[i : i + n]) for i in range(len(sentence) - n + 1))


def counted(output: Tokens, reference: Tokens, order: int) -> dict[str, Any]:
    orders = range(1, order + 1)
    return {
        "output_length": len(output),
        "reference_length": len(reference),
        "matches": [(ngrams(output, n) & ngrams(reference, n)).total() for n in orders],
        "totals": [ngrams(output, n).total() for n in orders],
    }


@given(pairs, st.integers(1, 7))
def test_statistics_are_those_of_counters(rows: list[tuple[Tokens, Tokens]], order: int) -> None:
    assert statistics(rows, order).to_pylist() == [counted(*row, order) for row in rows]


@pytest.mark.parametrize("vocabulary", [1, 2, 50_000])
def test_a_line_of_100_000_tokens(vocabulary: int) -> None:
    generator = random.Random(7)
    output = [str(generator.randrange(vocabulary)) for _ in range(100_000)]
    reference = [str(generator.randrange(vocabulary)) for _ in range(99_000)]
    rows = [(["short"], ["short"]), (output, reference), (["0"] * 5, ["0", "1", "0"])]
    assert statistics(rows).to_pylist() == [counted(*row, 4) for row in rows]


def test_missing_rows() -> None:
    outputs = pa.array(["x", "a b", None, "", "a  b", "a"])
    references = pa.array(["x", "a b", "a", "a", "a  b", None])
    expected = ngram_statistics(outputs, references, 2).to_pylist()
    assert [row is None for row in expected] == [False, False, True, False, False, True]
    assert expected[3]["matches"] == [0, 0]
    assert expected[4]["matches"] == [3, 2]  # a word of no characters between the two
    untyped = ngram_statistics(pa.array([None, None]), pa.array(["", "a"]), 2)
    assert untyped.to_pylist() == [None, None]


def test_content_under_a_null_is_not_read() -> None:
    hidden = pa.Array.from_buffers(
        pa.string(),
        2,
        [pa.py_buffer(b"\x02"), pa.py_buffer(b"\0\0\0\0\3\0\0\0\4\0\0\0"), pa.py_buffer(b"x yz")],
    )
    assert hidden.to_pylist() == [None, "z"]
    first, second = ngram_statistics(hidden, pa.array(["x", "z"]), 1).to_pylist()
    assert first is None
    assert second["matches"] == [1]


@pytest.mark.parametrize("order", [0, pa.array([2, 3]), pa.array([2, None])])
def test_orders_that_cannot_be(order: Any) -> None:
    rows = pa.array(["a", "b"])
    with pytest.raises(InputError, match="order"):
        ngram_statistics(rows, rows, order)


@given(pairs)
def test_sentence_bleu_is_nltk_s(
    macros: duckdb.DuckDBPyConnection, rows: list[tuple[Tokens, Tokens]]
) -> None:
    expression = "sentence_bleu(matches, totals, output_length, reference_length)"
    scores = [score for (score,) in select(macros, expression, rows)]
    expected = [
        sentence_bleu([reference], output, smoothing_function=METHOD_2)
        for output, reference in rows
    ]
    assert scores == pytest.approx(expected, abs=1e-12)


CORPUS_BLEU = (
    "corpus_bleu(element_sums(matches, 4), element_sums(totals, 4), "
    "sum(output_length), sum(reference_length))"
)
CORPUS_BLEU_SMOOTHED = (
    "corpus_bleu_smoothed(element_sums(matches, 4), element_sums(bleu_denominators(totals), 4), "
    "sum(output_length), sum(reference_length))"
)


@given(plain_pairs)
def test_corpus_bleu_is_sacrebleu_s(
    macros: duckdb.DuckDBPyConnection, rows: list[tuple[Tokens, Tokens]]
) -> None:
    metric = BLEU(tokenize="none", force=True)
    expected = metric.corpus_score(
        [" ".join(output) for output, _ in rows], [[" ".join(reference) for _, reference in rows]]
    )
    ((score,),) = select(macros, CORPUS_BLEU, rows)
    assert score == pytest.approx(expected.score / 100, abs=1e-12)


@given(pairs)
def test_smoothed_corpus_bleu_is_nltk_s(
    macros: duckdb.DuckDBPyConnection, rows: list[tuple[Tokens, Tokens]]
) -> None:
    expected = corpus_bleu(
        [[reference] for _, reference in rows],
        [output for output, _ in rows],
        smoothing_function=METHOD_2,
    )
    ((score,),) = select(macros, CORPUS_BLEU_SMOOTHED, rows)
    assert score == pytest.approx(expected, abs=1e-12)


def test_no_rows_and_null_have_no_score(macros: duckdb.DuckDBPyConnection) -> None:
    assert select(macros, f"{CORPUS_BLEU}, {CORPUS_BLEU_SMOOTHED}", []) == [(None, None)]
    result = macros.execute("SELECT sentence_bleu(NULL::INTEGER[], NULL::INTEGER[], NULL, NULL)")
    assert result.fetchall() == [(None,)]


def test_figure_1(macros: duckdb.DuckDBPyConnection) -> None:
    """The output of Figure 1 in Shimorina et al. (2021) is given there with BLEU = 0.65."""
    reference = ["I", "enjoy", "my", "time", "at", "Franklin", "High", "School"]
    output = ["I", "enjoy", "my", "time", "at", "High", "Franklin", "School"]
    expression = "sentence_bleu(matches, totals, output_length, reference_length)"
    ((score,),) = select(macros, expression, [(output, reference)])
    assert f"{score:.2f}" == "0.65"


# Real outputs. The known figures are those of the README beside the data.


def treebank_references(path: Path) -> tuple[list[str], list[str]]:
    """Return each sentence's word forms joined by blanks, and its raw text."""
    forms, texts = [], []
    for block in gzip.decompress(path.read_bytes()).decode("utf-8").strip("\n").split("\n\n"):
        lines = block.split("\n")
        texts.append(next(line[8:] for line in lines if line.startswith("# text =")))
        cells = [line.split("\t") for line in lines if not line.startswith("#")]
        forms.append(" ".join(row[1] for row in cells if row[0].isdigit()))
    return forms, texts


def output_texts(path: Path) -> list[str]:
    return re.findall(r"^# text = ?(.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def smoothed_bleu(
    macros: duckdb.DuckDBPyConnection, outputs: list[str], references: list[str]
) -> float:
    result = ngram_statistics(
        normalised_text(pa.array(outputs)), normalised_text(pa.array(references)), 4
    )
    released(macros).register("scored", pa.table({"s": result}))
    row = macros.execute(
        f"WITH s AS (SELECT unnest(s) FROM scored) SELECT {CORPUS_BLEU_SMOOTHED} FROM s"
    ).fetchone()
    assert row is not None
    return float(row[0])


@pytest.mark.parametrize(
    ("treebank", "bleu"),
    [
        ("en_ewt", "43.50"),
        ("en_partut", "35.29"),
        ("en_pud", "45.86"),
        ("fr_partut", "44.85"),
        ("zh_gsd", "32.87"),
    ],
)
def test_known_figures_of_tokenised_outputs(
    shared_data: Path, macros: duckdb.DuckDBPyConnection, treebank: str, bleu: str
) -> None:
    """Against the syntactic words: the French figure is 37.69 with multiword tokens unsplit."""
    forms, _ = treebank_references(shared_data / f"ud/2.3/{treebank}-ud-test.conllu.gz")
    outputs = output_texts(shared_data / f"sr19/dipinfo/tok/{treebank}.txt")
    assert f"{100 * smoothed_bleu(macros, outputs, forms):.2f}" == bleu


def test_known_figure_of_detokenised_outputs(
    shared_data: Path, macros: duckdb.DuckDBPyConnection
) -> None:
    """The README prints 37.88 for 37.885."""
    _, texts = treebank_references(shared_data / "ud/2.3/en_ewt-ud-test.conllu.gz")
    outputs = output_texts(shared_data / "sr19/dipinfo/detok/en_ewt.txt")
    assert 100 * smoothed_bleu(macros, outputs, texts) == pytest.approx(37.88, abs=0.006)


@pytest.mark.parametrize(
    ("run", "bleu"),
    [
        ("baseline_ewt_data_07-Oct_14-55", "0.579"),
        ("ewt_data_07-Oct_16-06", "0.740"),
        ("augmented_data_and_ewt_11-Oct_15-25", "0.827"),
    ],
)
def test_known_figures_of_a_team_s_runs(
    shared_data: Path, macros: duckdb.DuckDBPyConnection, run: str, bleu: str
) -> None:
    """Against the raw text of the development set; from the team's own results.csv."""
    _, texts = treebank_references(shared_data / "ud/2.3/en_ewt-ud-dev.conllu.gz")
    outputs = output_texts(shared_data / f"sr20/adapt/{run}/en_out.txt")
    assert f"{smoothed_bleu(macros, outputs, texts):.3f}" == bleu
