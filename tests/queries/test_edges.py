"""Edges of references in outputs, and lemmas in their order, against plain Python."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.queries.functions.edges import edges_found, joined_words
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


@settings(deadline=None)  # the first call compiles
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
    assert edges_found(*(column[1:] for column in columns)).to_pylist() == [[1], None, None]


def test_lists_of_different_lengths_are_refused() -> None:
    lists = [pa.array([ends], pa.list_(pa.int32())) for ends in ([1, 2], [1])]
    with pytest.raises(InputError, match="as many positions as distances"):
        edges_found(pa.array(["a"]), pa.array(["a"]), *lists)


@given(st.lists(st.none() | st.lists(lemmas, max_size=5), max_size=6), st.randoms())
def test_words_are_joined_in_the_order_of_their_positions(rows: list, random: object) -> None:
    gathered = []
    for words in rows:
        places = list(enumerate(words or ()))
        random.shuffle(places)
        gathered.append(None if words is None else [{"position": p, "word": w} for p, w in places])
    column = pa.array(
        gathered, pa.list_(pa.struct([("position", pa.int32()), ("word", pa.string())]))
    )
    wanted = [None if words is None else " ".join(words) for words in rows]
    assert joined_words(column).to_pylist() == wanted
    assert joined_words(column[1:]).to_pylist() == wanted[1:]
