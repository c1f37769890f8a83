"""BLEU and TER with sacreBLEU's defaults: equal to sacreBLEU, sentence by sentence and in all."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from sr_tracker.queries.functions.ngrams import ngram_statistics
from sr_tracker.queries.functions.text import normalised_text
from sr_tracker.queries.functions.translation_edits import translation_edits
from sr_tracker.queries.functions.words import Column, tokens_13a
from sr_tracker.schema.statements import released

Pairs = list[tuple[str, str]]

# What the tokeniser looks at: digits, signs, entities, blanks, and letters of 1 to 4 bytes.
PIECES = [
    *("a", "b", "é", "日", "𝒜", "1", "2", ".", ",", "-", "'", "&", ";", "(", "%", "\\", "~"),
    *(" ", "  ", "\n", "-\n", "\t", "\x1c", "\x85", "\u3000"),
    *("&amp;", "&lt;", "&quot;", "&gt;", "<skipped>"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
# Few words, so that phrases recur and can be shifted.
words = st.lists(st.sampled_from(["a", "b", "A", "c,", "d", "e"]), max_size=14).map(" ".join)
pairs = st.lists(st.tuples(words | texts, words | texts), min_size=1, max_size=6)


@st.composite
def shifted_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A reference and an output that has its phrases elsewhere, and some other words."""
    reference = draw(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=40))
    output = list(reference)
    for start, length, target in draw(st.lists(st.tuples(*[st.integers(0, 40)] * 3), max_size=5)):
        phrase = output[start : start + length]
        del output[start : start + length]
        output[target:target] = phrase
    for place, word in draw(st.lists(st.tuples(st.integers(0, 39), st.sampled_from("axyz")))):
        output[place : place + 1] = word
    return " ".join(output), " ".join(reference)


def column(texts: Sequence[str | None]) -> Column:
    return pa.array(texts, type=pa.string())


def columns(rows: Pairs) -> tuple[Column, Column]:
    return column([output for output, _ in rows]), column([reference for _, reference in rows])


def ter(rows: Pairs) -> list[int]:
    output, reference = (normalised_text(side) for side in columns(rows))
    return translation_edits(output, reference).field("edits").to_pylist()


def sacrebleu_edits(rows: Pairs) -> list[int]:
    return [sacrebleu.sentence_ter(output, [reference]).num_edits for output, reference in rows]


# Tokens


@given(st.lists(texts, max_size=8))
def test_tokens_are_those_of_sacrebleu(rows: list[str]) -> None:
    tokenise = Tokenizer13a()
    assert tokens_13a(column(rows)).to_pylist() == [tokenise(text.rstrip()) for text in rows]


def test_every_character_is_cut_as_sacrebleu_cuts_it() -> None:
    rows = [f"a{chr(code)}b. {chr(code)}.{chr(code)}" for code in range(0x3100)]
    tokenise = Tokenizer13a()
    assert tokens_13a(column(rows)).to_pylist() == [tokenise(text.rstrip()) for text in rows]


def test_tokens_of_hand_worked_texts() -> None:
    rows = ["In 1,000.5 (years),", "5-year-old", ",.5", "Tom &amp; Ann's", "", None]
    assert tokens_13a(column(rows)).to_pylist() == [
        "In 1,000.5 ( years ) ,",
        "5 - year-old",
        ", .5",
        "Tom & Ann's",
        "",
        None,
    ]


def test_long_texts_of_signs_have_room() -> None:
    for text in ("." * 5000, "a." * 5000, "5-" * 5000, "&" * 5000):
        assert tokens_13a(column([text])).to_pylist() == [Tokenizer13a()(text)]


# BLEU


@given(pairs)
def test_bleu_13a_is_sacrebleu_s(macros: duckdb.DuckDBPyConnection, rows: Pairs) -> None:
    check_bleu(macros, rows)


def check_bleu(macros: duckdb.DuckDBPyConnection, rows: Pairs) -> None:
    """Compare the scores of sentences whose references have words, and of all of them."""
    cut = tokens_13a(column([reference for _, reference in rows])).to_pylist()
    rows = [pair for pair, reference in zip(rows, cut, strict=True) if reference]
    if not rows:
        return
    output, reference = columns(rows)
    statistics = ngram_statistics(tokens_13a(output), tokens_13a(reference), 4)
    released(macros).register("pairs", pa.table({"s": statistics}))
    sentences = macros.execute(
        "SELECT sentence_bleu_exponential(s.matches, s.totals, s.output_length, s.reference_length)"
        " FROM pairs"
    ).fetchall()
    expected = [sacrebleu.sentence_bleu(out, [ref]).score / 100 for out, ref in rows]
    assert [score for (score,) in sentences] == pytest.approx(expected, abs=1e-9)
    (corpus,) = macros.execute(
        "SELECT corpus_bleu(element_sums(s.matches, 4), element_sums(s.totals, 4), "
        "sum(s.output_length), sum(s.reference_length)) FROM pairs"
    ).fetchall()
    whole = sacrebleu.corpus_bleu([out for out, _ in rows], [[ref for _, ref in rows]])
    assert corpus == (pytest.approx(whole.score / 100, abs=1e-9),)


# TER


@given(pairs)
def test_edits_of_any_texts_are_sacrebleu_s(rows: Pairs) -> None:
    assert ter(rows) == sacrebleu_edits(rows)


@given(st.lists(shifted_pairs(), min_size=1, max_size=4))
def test_edits_of_shifted_phrases_are_sacrebleu_s(rows: Pairs) -> None:
    assert ter(rows) == sacrebleu_edits(rows)


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        (" ".join("ab"[n % 3 == 0] for n in range(60)), " ".join("ab"[n % 2] for n in range(60))),
        (" ".join(map(str, [*range(55, 60), *range(55)])), " ".join(map(str, range(60)))),
        ("c", " ".join(map(str, range(120))) + " c"),
        ("7 50 3", " ".join(map(str, range(160)))),
        (" ".join(map(str, range(150))), "149 3"),
    ],
    ids=["most candidates", "too far to shift", "one word", "wide beam", "short reference"],
)
def test_edits_at_the_limits_are_sacrebleu_s(output: str, reference: str) -> None:
    assert ter([(output, reference)]) == sacrebleu_edits([(output, reference)])


def test_edits_of_hand_worked_pairs() -> None:
    rows = [
        ("b c a", "a b c"),  # one shift
        ("THIS WEEK THE SAUDIS denied", "the saudis denied this week"),  # one, case apart
        ("a x c", "a b c"),  # a substitution
        ("a", "a b c"),
        ("a b", ""),
        ("", ""),
    ]
    assert ter(rows) == [1, 1, 1, 2, 2, 0]


def test_missing_rows() -> None:
    outputs, references = (
        column(["b a", "a", None, "", "c b a"]),
        column(["a b", None, "a", "a", "a"]),
    )
    edits = translation_edits(outputs, references)
    assert edits.to_pylist()[3] == {"edits": 1, "output_length": 0, "reference_length": 1}
    assert edits.is_null().to_pylist() == [False, True, True, False, False]


# Real outputs


def real_pairs(data: Path, step: int) -> Pairs:
    """Every so many outputs of WMT 2023 and of SR'20, with their references."""
    wmt, sr20 = data / "wmt23", data / "sr20" / "adapt"
    rows: Pairs = []
    for path in sorted((wmt / "system-outputs" / "en-de").glob("*.txt")):
        files = (path, wmt / "references" / "en-de.refA.txt")
        outputs, references = (file.read_text(encoding="utf-8").split("\n") for file in files)
        rows += zip(outputs[:557], references[:557], strict=True)
    with gzip.open(data / "ud" / "2.3" / "en_ewt-ud-dev.conllu.gz", "rt", encoding="utf-8") as file:
        references = marked_texts(file)
    for path in sorted(sr20.glob("*ewt_data*/en_out.txt")):
        with path.open(encoding="utf-8") as file:
            outputs = marked_texts(file)
        if len(outputs) == len(references):
            rows += zip(outputs, references, strict=True)
    return rows[::step]


def marked_texts(lines: Iterable[str]) -> list[str]:
    return [line[8:].strip() for line in lines if line.startswith("# text =")]


def test_some_real_outputs_score_as_with_sacrebleu(
    macros: duckdb.DuckDBPyConnection, shared_data: Path
) -> None:
    rows = [pair for pair in real_pairs(shared_data, 37) if len(pair[0]) < 250]
    assert len(rows) > 200
    check_bleu(macros, rows)
    assert ter(rows) == sacrebleu_edits(rows)


@pytest.mark.long
def test_many_real_outputs_score_as_with_sacrebleu(
    macros: duckdb.DuckDBPyConnection, shared_data: Path
) -> None:
    rows = real_pairs(shared_data, 5)
    check_bleu(macros, rows)
    assert ter(rows) == sacrebleu_edits(rows)
