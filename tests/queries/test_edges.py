"""Edges of references in outputs, and lemmas in their order, against plain Python."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.queries.functions.edges import edges_found, joined_words

lemmas = st.sampled_from(["a", "b", "é", "in\nfo"])
edges = st.lists(st.tuples(lemmas, lemmas, st.integers(-4, 4).filter(bool)), max_size=6)
outputs = st.lists(lemmas, max_size=9)


def expected(output: list[str], wanted: list[tuple[str, str, int]]) -> list[int]:
    there = Counter(
        (head, output[place + distance], distance)
        for place, head in enumerate(output)
        for distance in range(-4, 5)
        if 0 <= place + distance < len(output)
    )
    seen: Counter[tuple[str, str, int]] = Counter()
    found = []
    for edge in wanted:
        seen[edge] += 1
        found.append(int(seen[edge] <= there[edge]))
    return found


@settings(deadline=None)  # the first call compiles
@given(st.lists(st.tuples(outputs, edges), max_size=5))
def test_edges_are_those_of_plain_counting(rows: list[tuple[list[str], list]]) -> None:
    rows = [*rows, (["a", "b"], [("a", "b", 1)])]
    found = edges_found(
        pa.array([" ".join(output) for output, _ in rows], pa.string()),
        pa.array([" ".join([*(e[0] for e in w), *(e[1] for e in w)]) for _, w in rows]),
        pa.array(
            [[distance for *_, distance in wanted] for _, wanted in rows], pa.list_(pa.int32())
        ),
    )
    assert found.to_pylist() == [expected(output, wanted) for output, wanted in rows]


def test_sentences_without_edges_are_null() -> None:
    distances = pa.array([None, [1], None], pa.list_(pa.int32()))
    found = edges_found(pa.array(["a", "a b", "b"]), pa.array([None, "a b", None]), distances)
    assert found.to_pylist() == [None, [1], None]
    assert edges_found(
        *(array[1:] for array in (pa.array(["", "a b"]), pa.array([None, "a b"]), distances[:2]))
    ).to_pylist() == [[1]]


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
