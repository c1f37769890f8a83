"""Edges of references in outputs, and lemmas of outputs, against plain Python."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.functions.tree import edges_found, joined_lemmas
from sr_tracker.schema.errors import InputError

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
    found = []
    for position, distance in wanted:
        edge = (at.get(position - distance), at.get(position), distance)
        seen[edge] += 1
        found.append(int(None not in edge and seen[edge] <= there[edge]))
    return found


@given(st.lists(st.tuples(texts, texts, edges), max_size=5))
def test_edges_are_those_of_plain_counting(rows: list[tuple[list[str], list, list]]) -> None:
    rows = [*rows, (["a", "b"], ["a", "b"], [(2, 1)])]
    found = edges_found(
        pa.array([" ".join(output) for output, *_ in rows], pa.string()),
        pa.array([" ".join(reference) for _, reference, _ in rows], pa.string()),
        pa.array([[position for position, _ in ends] for *_, ends in rows], pa.list_(pa.int32())),
        pa.array([[distance for _, distance in ends] for *_, ends in rows], pa.list_(pa.int32())),
    )
    assert found.to_pylist() == [expected(*row) for row in rows]


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
        pa.array([None if row is None else [each[part] for each in row] for row in rows], kind)
        for part, kind in enumerate([pa.list_(pa.string())] * 2)
    ]
    places = [[n for n, each in enumerate(row or (), start=1) if each[2]] for row in rows]
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
