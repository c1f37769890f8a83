"""Edges of references in outputs, lemmas and edits against plain Python and NLTK."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from pathlib import Path

import nltk
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.functions import translation_edits
from sr_tracker.queries.functions.translation_edits import character_edits, token_edits
from sr_tracker.queries.functions.tree import edges_found, joined_lemmas
from sr_tracker.schema.errors import InputError
from tests.queries.test_nist import adapt_texts

lemmas = st.sampled_from(["a", "b", "é", "in\nfo"])
texts = st.lists(lemmas, max_size=9)
edges = st.lists(st.tuples(st.integers(-1, 10), st.integers(-4, 4).filter(bool)), max_size=6)


def expected(output: list[str], reference: list[str], wanted: list[tuple[int, int]]) -> list[int]:
    there = Counter(
        (head, output[place + distance], distance)
        for place, head in enumerate(output)
        for distance in range(-4, 5)
        if 0 <= place + distance < len(output)
    )
    at = dict(enumerate(reference, start=1))
    seen: Counter[tuple[str | None, str | None, int]] = Counter()
    results = []
    for position, distance in wanted:
        edge = (at.get(position - distance), at.get(position), distance)
        seen[edge] += 1
        results.append(int(None not in edge and seen[edge] <= there[edge]))
    return results


@given(st.lists(st.tuples(texts, texts, edges), max_size=5))
def test_edges_are_those_of_plain_counting(rows: list[tuple[list[str], list, list]]) -> None:
    rows = [*rows, (["a", "b"], ["a", "b"], [(2, 1)])]
    computed = edges_found(
        pa.array([" ".join(output) for output, *_ in rows], pa.string()),
        pa.array([" ".join(reference) for _, reference, _ in rows], pa.string()),
        pa.array([[position for position, _ in ends] for *_, ends in rows], pa.list_(pa.int32())),
        pa.array([[distance for _, distance in ends] for *_, ends in rows], pa.list_(pa.int32())),
    )
    assert computed.to_pylist() == [expected(*row) for row in rows]


def test_sentences_without_edges_are_null() -> None:
    columns = (
        pa.array(["a", "a b", "b", None]),
        pa.array(["a", "a b", None, "a b"]),
        pa.array([None, [2], [2], [2]], pa.list_(pa.int32())),
        pa.array([None, [1], [1], [1]], pa.list_(pa.int32())),
    )
    assert edges_found(*columns).to_pylist() == [None, [1], None, None]
    unknown = pa.array([[None, 2]], pa.list_(pa.int32()))
    distances = pa.array([[1, 1]], pa.list_(pa.int32()))
    two = pa.array(["a b"])
    assert edges_found(two, two, unknown, distances).to_pylist() == [[0, 1]]
    assert edges_found(*(column[1:] for column in columns)).to_pylist() == [[1], None, None]


def test_lists_of_different_lengths_are_refused() -> None:
    lists = [pa.array([ends], pa.list_(pa.int32())) for ends in ([1, 2], [1])]
    with pytest.raises(InputError, match="as many positions as distances"):
        edges_found(pa.array(["a"]), pa.array(["a"]), *lists)


words = st.lists(
    st.tuples(lemmas, st.none() | st.sampled_from(["", "b", "par ce"]), st.booleans()), max_size=5
)


@given(st.lists(st.none() | words, max_size=6))
def test_lemmas_are_joined_without_punctuation(rows: list[list[tuple[str, str, bool]]]) -> None:
    columns = [
        pa.array([None if row is None else [item[part] for item in row] for row in rows], kind)
        for part, kind in enumerate([pa.list_(pa.string())] * 2)
    ]
    places = [[n for n, item in enumerate(row or (), start=1) if item[2]] for row in rows]
    columns.append(pa.array(places, pa.list_(pa.int32())))
    wanted = [
        None
        if row is None
        else " ".join((lemma or form).replace(" ", "\n") for form, lemma, marks in row if not marks)
        for row in rows
    ]
    assert joined_lemmas(*columns).to_pylist() == wanted
    assert joined_lemmas(*(column[1:] for column in columns)).to_pylist() == wanted[1:]


@pytest.mark.parametrize(("lemmas", "places"), [(["a"], [1]), (["a", "b"], [3]), (["a", "b"], [0])])
def test_words_that_do_not_fit_are_refused(lemmas: list[str], places: list[int]) -> None:
    with pytest.raises(InputError, match="as many lemmas as forms, and places among them"):
        joined_lemmas(
            pa.array([["a", "b"]]), pa.array([lemmas]), pa.array([places], pa.list_(pa.int32()))
        )


any_texts = st.text(alphabet="ab é\u0301𝒜😀\x00", max_size=12)
any_words = st.text(min_size=1).filter(lambda word: " " not in word)
tokens = st.lists(st.one_of(st.sampled_from(["a", "b", "ab"]), any_words), max_size=8)


@given(st.lists(st.tuples(any_texts, any_texts)))
def test_character_edits_are_nltk_s(rows: list[tuple[str, str]]) -> None:
    edits = character_edits(
        pa.array([output for output, _ in rows], type=pa.string()),
        pa.array([reference for _, reference in rows], type=pa.string()),
    )
    assert edits.type == pa.int32()
    assert edits.to_pylist() == [nltk.edit_distance(*row) for row in rows]


@given(st.lists(st.tuples(tokens, tokens)))
def test_token_edits_are_nltk_s(rows: list[tuple[list[str], list[str]]]) -> None:
    computed = token_edits(
        pa.array([" ".join(output) for output, _ in rows], type=pa.string()),
        pa.array([" ".join(reference) for _, reference in rows], type=pa.string()),
    )
    assert computed.to_pylist() == [
        {
            "edits": nltk.edit_distance(output, reference),
            "output_length": len(output),
            "reference_length": len(reference),
        }
        for output, reference in rows
    ]


def edits_of(outputs: pa.Array, references: pa.Array) -> list[int | None]:
    edits: list[int | None] = pc.struct_field(token_edits(outputs, references), "edits").to_pylist()
    return edits


def test_missing_rows() -> None:
    outputs = pa.array(["x", "abc", None, "", None])
    references = pa.array(["x", "abd", "a", "ab", None])
    assert character_edits(outputs, references).to_pylist() == [0, 1, None, 2, None]
    outputs = pa.array(["x", "a c", None, ""])
    references = pa.array(["x y", "b c", "", "b c"])
    assert edits_of(outputs, references) == [1, 1, None, 2]


def test_more_distinct_tokens_than_code_points_below_the_surrogates() -> None:
    count = 60_000
    numbers = " ".join(str(i) for i in range(count))
    rows = edits_of(pa.array([f"new {numbers} new"]), pa.array([numbers]))
    assert rows == [2]


def test_more_distinct_tokens_than_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    any_texts = pa.array([" ".join(order) for order in permutations("abcd")])
    expected = token_edits(any_texts, any_texts[::-1])
    monkeypatch.setattr(translation_edits, "CHARACTERS", 3)
    assert token_edits(any_texts, any_texts[::-1]).equals(expected)


def test_a_line_of_100_000_tokens() -> None:
    generator = random.Random(7)
    reference = [str(generator.randrange(50_000)) for _ in range(100_000)]
    output = [*reference[:40000], "new", *reference[40001:70000], *reference[70002:]]
    assert edits_of(pa.array([" ".join(output)]), pa.array([" ".join(reference)])) == [3]
    text = pa.array([" ".join(reference)])
    assert character_edits(pc.utf8_slice_codeunits(text, 5), text).to_pylist() == [5]


@pytest.mark.parametrize(
    ("run", "dist"),
    [
        ("baseline_ewt_data_07-Oct_14-55", 0.629),
        ("ewt_data_07-Oct_16-06", 0.769),
        ("augmented_data_and_ewt_11-Oct_15-25", 0.850),
    ],
)
def test_known_figures_of_pooled_dist(shared_data: Path, run: str, dist: float) -> None:
    """Against the raw text of the development set; from the team's own results.csv."""
    outputs, references = adapt_texts(shared_data, run)
    rows = pa.table(token_edits(outputs, references).flatten(), ["edits", "output", "reference"])
    longer = pc.max_element_wise(rows["output"], rows["reference"])
    pooled = 1 - pc.sum(rows["edits"]).as_py() / pc.sum(longer).as_py()
    assert pooled == pytest.approx(dist, abs=0.0006)
