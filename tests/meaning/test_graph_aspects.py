"""Aspects of meaning, and the similarity of concepts."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.meaning.functions.graph_alignment import align_graphs
from sr_tracker.queries.meaning.functions.graph_aspects import (
    ASPECTS,
    aspect_counts,
    read_vectors,
    sense_of,
    similarity_of,
    words_of,
)
from sr_tracker.queries.meaning.functions.graph_triples import GraphTriples, read_triples
from sr_tracker.schema.errors import InputError
from tests.building import written

BELIEVE = """
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (b2 / believe-01 :polarity -
      :ARG0 (g / girl :name (n / name :op1 "Ann") :wiki "Ann")
      :ARG1 b))
"""
OTHER = """
(w / want-02
   :ARG0 (b / boy :name (n / name :op1 "Bob") :wiki "Bob")
   :ARG2 (b2 / believe-01
      :ARG0 (g / girl)
      :mod (h / he)))
"""


def counts(output: str, gold: str) -> dict[str, tuple[float, int, int]]:
    computed = aspect_counts(read_triples(output), read_triples(gold), ASPECTS, align_graphs)
    assert all(item.status == "optimal" for item in computed.values())
    return {aspect: item[:3] for aspect, item in computed.items()}


def test_a_graph_against_itself_is_whole_in_every_aspect() -> None:
    for matched, output, gold in counts(BELIEVE, BELIEVE).values():
        assert matched == output == gold > 0


def test_a_graded_top_counts_as_its_concept_where_nothing_is_similar() -> None:
    graded = [read_triples(text, top="graded") for text in (OTHER, BELIEVE)]
    whole = [read_triples(text, top="concept") for text in (OTHER, BELIEVE)]
    assert aspect_counts(*graded, ASPECTS, align_graphs) == aspect_counts(
        *whole, ASPECTS, align_graphs
    )


def test_aspects_counted_by_hand() -> None:
    computed = counts(OTHER, BELIEVE)
    assert computed["concepts"] == (4, 6, 5)
    assert computed["negation"] == (0, 0, 1)
    assert computed["named_entities"] == (0, 1, 1)
    assert computed["wikification"] == (0, 1, 1)
    # believe-01 is the only node that ARG0 links alike; boy is linked to want by ARG0 in both.
    assert computed["srl"][1:] == (4 + 3, 4 + 4)
    assert computed["srl"][0] == 3 + 2
    assert computed["reentrancies"] == (0, 0, 3 + 2)
    assert computed["no_senses"][0] == computed["all"][0] + 1
    assert computed["unlabelled"][0] > computed["all"][0]


def test_labels_count_as_often_as_they_stand_there() -> None:
    twice = "(a / and :op1 (c / cat :polarity -) :op2 (c2 / cat :polarity -))"
    once = "(a / and :op1 (c / cat :polarity -) :op2 (d / dog))"
    computed = counts(twice, once)
    assert computed["negation"] == (1, 2, 1)
    assert computed["concepts"] == (2, 3, 3)


def test_triples_that_differ_in_their_role_alone_are_one_without_it() -> None:
    computed = counts("(a / a1 :mod (b / b1) :part b)", "(a / a1 :mod (b / b1))")
    assert computed["all"][1:] == (4, 3)
    assert computed["unlabelled"] == (3, 3, 3)


def drawn(rng: random.Random) -> GraphTriples:
    names = [f"x{number}" for number in range(rng.randint(1, 5))]
    instances = tuple((name, rng.choice(["go-01", "go-02", "cat"])) for name in names)
    relations = tuple(
        dict.fromkeys(
            (rng.choice(names), rng.choice([":ARG0", ":mod"]), rng.choice(names))
            for _ in range(rng.randint(0, 5))
        )
    )
    return GraphTriples(tuple(names), instances, (), relations, names[0])


def test_no_aspect_matches_more_than_there_is() -> None:
    rng = random.Random(3)
    for _ in range(30):
        output, gold = drawn(rng), drawn(rng)
        computed = aspect_counts(output, gold, ASPECTS, align_graphs)
        for item in computed.values():
            assert 0 <= item.matched <= min(item.output_triples, item.gold_triples)
        shared = Counter(c for _, c in output.instances) & Counter(c for _, c in gold.instances)
        assert computed["concepts"].matched == shared.total()
        assert computed["no_senses"].matched >= computed["all"].matched


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    return written(tmp_path / "tiny.txt", "cat 1.0 0.0\nkitten 0.8 0.6\nstone 0.0 2.0\n")


def test_similarity_is_the_cosine_above_a_threshold(vectors: Path) -> None:
    computed, name = read_vectors(vectors, {"cat", "kitten", "stone", "boy"})
    assert name.startswith("tiny.txt@")
    similarity = similarity_of(computed, 0.5, 0.5)
    assert similarity("cat", "kitten") == pytest.approx(0.8)
    assert similarity("kitten", "stone") == pytest.approx(0.6)
    assert similarity("cat", "stone") == 0.0
    assert similarity("cat", "boy") == 0.0
    assert similarity_of(computed, 0.7, 0.5)("kitten", "stone") == 0.0
    assert similarity_of(computed, 0.6, 0.5)("kitten", "stone") == 0.0  # above, not at


HIT = {
    "hit": np.array([1.0, 0.0, 0.0]),
    "hits": np.array([2.0, 1.0, 0.0]),
    "punch": np.array([4.0, 3.0, 0.0]),
    "little": np.array([0.0, 3.0, 0.0]),
    "prince": np.array([0.0, 1.0, 4.0]),
    "baby": np.array([0.0, 1.0, 1.0]),
}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("hit-01", "hit-01", 1.0),
        ("hit-01", "hit-02", 0.5),  # another sense
        ("hit-01", "hit", 0.5),  # one with a sense
        ("have-org-role-91", "have-rel-role-91", 0.0),  # a predicate's word is not divided
        # hit and hits are (3, 1), at 18.43 degrees; punch at 36.87
        ("hit-01", "punch", 0.5 * 15 / np.sqrt(10 * 25)),
        ("hit-01", "punch-02", 0.5 * 15 / np.sqrt(10 * 25)),  # punches has no vector
        ("hit", "punch", 4 / 5),  # neither is a predicate
        ("little-prince", "baby", 8 / np.sqrt(32 * 2)),  # (0, 4, 4)
        ("little-grey-prince", "baby", 8 / np.sqrt(32 * 2)),  # grey has no vector
        ("grey-green", "baby", 0.0),
    ],
)
def test_similarities_worked_by_hand(one: str, other: str, expected: float) -> None:
    for weight in (0.5, 0.25, 1.0):
        similarity = similarity_of(HIT, 0.5, weight)
        weighed = one != other and any(character.isdigit() for character in one + other)
        for item in (similarity(one, other), similarity(other, one)):
            assert item == pytest.approx(expected * 2 * weight if weighed else expected)


def published(one: str, other: str) -> float:
    """The similarity of the authors' program, step by step; defaults as theirs."""
    if one == other:
        return 1.0
    bare = ["-".join(c.split("-")[:-1]) if re.match(".*-.*[0-9]|.*[0-9].*-", c) else None
            for c in (one, other)]  # fmt: skip
    names = [word or concept for word, concept in zip(bare, (one, other), strict=True)]
    if names[0] == names[1]:
        return 0.5
    sums = []
    for word, name in zip(bare, names, strict=True):
        parts = [name] if name in HIT else [] if word else name.split("-")
        parts += [f"{name}s"] if word and name in HIT else []
        sums.append(sum((HIT[part] for part in parts if part in HIT), np.zeros(3)))
    if not all(item.any() for item in sums):
        return 0.0
    cosine = float(sums[0] @ sums[1] / np.linalg.norm(sums[0]) / np.linalg.norm(sums[1]))
    if cosine <= 0.5:
        return 0.0
    return cosine * (0.5 if any(bare) else 1.0)


WORDS = st.lists(st.sampled_from([*HIT, "grey"]), min_size=1, max_size=3).map("-".join)
CONCEPTS = st.builds(str.__add__, WORDS, st.sampled_from(["", "", "-01", "-91", "-2nd"]))


@given(CONCEPTS, CONCEPTS)
def test_similarity_is_that_of_the_authors_program(one: str, other: str) -> None:
    similarity = similarity_of(HIT, 0.5, 0.5)
    assert similarity(one, other) == pytest.approx(published(one, other))
    assert similarity(one, other) == similarity(other, one)


def test_senses_bring_no_gain_beyond_their_weight() -> None:
    """What S2match may add to Smatch without any vector is the weight of a sense."""
    output, gold = (
        read_triples(f"(p / play-{sense} :ARG0 (b / boy))", top="concept") for sense in ("01", "11")
    )
    for weight in (0.0, 0.5):
        aligned = align_graphs(output, gold, similarity=similarity_of({}, 0.5, weight))
        assert (aligned.matched, aligned.status) == (2 + weight, "optimal")


def test_a_similar_concept_counts_in_part(vectors: Path) -> None:
    computed, _ = read_vectors(vectors, {"cat", "kitten"})
    output, gold = (
        read_triples(f"(s / sleep-01 :ARG0 (c / {word}))") for word in ("cat", "kitten")
    )
    aligned = aspect_counts(
        output, gold, ["all"], align_graphs, similarity=similarity_of(computed, 0.5, 0.5)
    )
    assert aligned["all"].matched == pytest.approx(2.8)
    assert aspect_counts(output, gold, ["all"], align_graphs)["all"].matched == 2.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat 1 2\ndog 1\n", ":2"),
        ("cat 1 x\n", "no numbers"),
        ("cat nan 1\n", "not finite"),
        ("cat 0 0\n", "zero"),
        ("dog 1 2\n", "no vector of any concept"),
        ("", "no vector of any concept"),
    ],
)
def test_broken_vectors_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "vectors.txt", content)
    with pytest.raises(InputError) as caught:
        read_vectors(path, {"cat"})
    assert message in str(caught.value)


def test_a_first_line_with_counts_is_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path / "vectors.txt", "2 2\ncat 3 4\ndog 1 0\n")
    computed, _ = read_vectors(path, {"cat", "dog"})
    assert np.allclose(computed["cat"], [3, 4])


def test_words_of_concepts() -> None:
    assert [sense_of(c) for c in ("go-01", '"Ann"', "have-org-role-91", "date-entity")] == [
        *(("go", True), ("ann", False), ("have-org-role", True), ("date-entity", False))
    ]
    assert words_of("go-01") == {"go", "gos"}
    assert words_of("date-entity") == {"date-entity", "date", "entity"}
