"""Subtree patterns against the enumeration of all connected sets of nodes, one by one."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sr_tracker.queries.analyses
from sr_tracker.queries.analyses import enumerate_subtrees, subtree_patterns
from sr_tracker.queries.functions.patterns import parse_pattern
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError

Tree = tuple[list[int], list[str]]
"""The head of each word (-1 for a root) and its label."""

TREEBANK = "en_one-ud1.0-test"
LABELS = ("a", "b", "c")


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Up to eight words in any order, now and then several roots."""
    length = draw(st.integers(1, 8))
    order = draw(st.permutations(range(length)))
    heads = [-1] * length
    for place, word in enumerate(order[1:], start=1):
        heads[word] = draw(st.sampled_from([*order[:place], order[0], -1]))
    return heads, draw(st.lists(st.sampled_from(LABELS), min_size=length, max_size=length))


def canonical(tree: Tree, chosen: Sequence[int]) -> str | None:
    """The pattern of a set of nodes, None where they do not hang together."""
    heads, labels = tree
    tops = [word for word in chosen if heads[word] not in chosen]
    if len(tops) != 1:
        return None

    def text(word: int) -> str:
        children = sorted(text(other) for other in chosen if heads[other] == word)
        return labels[word] + (f" ({' '.join(children)})" if children else "")

    return f"({text(tops[0])})"


def by_brute_force(
    sentences: dict[int, Tree], max_nodes: int, minimum_support: int
) -> dict[str, list[int]]:
    computed: dict[str, set[int]] = defaultdict(set)
    for number, tree in sentences.items():
        for nodes in range(1, max_nodes + 1):
            for chosen in itertools.combinations(range(len(tree[0])), nodes):
                pattern = canonical(tree, chosen)
                if pattern is not None:
                    computed[pattern].add(number)
    return {
        p: sorted(numbers) for p, numbers in computed.items() if len(numbers) >= minimum_support
    }


def enumerated(
    sentences: dict[int, Tree], max_nodes: int, minimum_support: int, labels: Sequence[str] = LABELS
) -> pa.Table:
    sentence: list[int] = []
    parent: list[int] = []
    label: list[int] = []
    for number, (heads, names) in sentences.items():
        offset = len(sentence)
        sentence += [number] * len(heads)
        parent += [head + offset if head >= 0 else -1 for head in heads]
        label += [labels.index(name) for name in names]
    return subtree_patterns(
        np.array(sentence, np.int64),
        np.array(parent, np.int64),
        np.array(label, np.int64),
        labels,
        max_nodes=max_nodes,
        minimum_support=minimum_support,
    )


def as_dict(table: pa.Table) -> dict[str, list[int]]:
    patterns = table["pattern"].to_pylist()
    assert len(set(patterns)) == len(patterns)
    return dict(zip(patterns, table["sentence_nos"].to_pylist(), strict=True))


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(1, 5), st.integers(1, 3))
def test_finds_what_brute_force_finds(
    drawn: list[Tree], max_nodes: int, minimum_support: int
) -> None:
    sentences = dict(enumerate(drawn, start=1))
    table = enumerated(sentences, max_nodes, minimum_support)
    assert as_dict(table) == by_brute_force(sentences, max_nodes, minimum_support)
    for row in table.to_pylist():
        parsed = parse_pattern(row["pattern"])
        assert (parsed.text, parsed.nodes) == (row["pattern"], row["nodes"])


@given(
    st.lists(trees(), min_size=1, max_size=4), st.integers(1, 4), st.randoms(use_true_random=False)
)
def test_order_of_words_sentences_and_labels_makes_no_difference(
    drawn: list[Tree], max_nodes: int, rng: random.Random
) -> None:
    sentences = dict(enumerate(drawn, start=1))
    other: dict[int, Tree] = {}
    for number in rng.sample(list(sentences), len(sentences)):
        heads, labels = sentences[number]
        order = rng.sample(range(len(heads)), len(heads))
        place = {word: new for new, word in enumerate(order)}
        other[number] = (
            [place[heads[word]] if heads[word] >= 0 else -1 for word in order],
            [labels[word] for word in order],
        )
    one = enumerated(sentences, max_nodes, 1)
    assert enumerated(other, max_nodes, 1, LABELS[::-1]).equals(one)


@given(st.lists(trees(), min_size=1, max_size=4), st.integers(1, 6))
def test_growing_in_slices_makes_no_difference(drawn: list[Tree], at_once: int) -> None:
    sentences = dict(enumerate(drawn, start=1))
    whole = enumerated(sentences, 4, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sr_tracker.queries.analyses, "EXTENSIONS_AT_ONCE", at_once)
        assert enumerated(sentences, 4, 1).equals(whole)


def test_a_long_flat_list_has_few_patterns() -> None:
    flat = ([-1] + [0] * 400, ["a"] + ["b", "c"] * 200)
    table = enumerated({1: flat}, 4, 1)
    assert table["pattern"].to_pylist() == [
        *("(a)", "(b)", "(c)", "(a (b))", "(a (c))"),
        *("(a (b b))", "(a (b c))", "(a (c c))"),
        *("(a (b b b))", "(a (b b c))", "(a (b c c))", "(a (c c c))"),
    ]


def test_no_sentences_have_no_patterns() -> None:
    assert enumerated({}, 3, 1).num_rows == 0


@pytest.fixture
def database(campaign_file: Path, tmp_path: Path) -> Iterator[Database]:
    """The small campaign without the subtrees that its analysis enumerated."""
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(campaign_file.read_bytes())
    with open_database(copy) as database:
        database.connection.execute("TRUNCATE subtree")
        database.connection.execute("TRUNCATE subtree_enumeration")
        yield database


def reference_trees(database: Database, attributes: Sequence[str]) -> dict[int, Tree]:
    """The trees of the treebank; what hangs on punctuation moves up to the next word."""
    rows = (
        database.connection.execute(
            "SELECT sentence_no, token_no, head, lemma, deprel AS relation, upos, xpos, "
            "split_part(deprel, ':', 1) AS deprel FROM token WHERE treebank_id = ?",
            [TREEBANK],
        )
        .to_arrow_table()
        .to_pylist()
    )
    tokens = {(row["sentence_no"], row["token_no"]): row for row in rows}
    results: dict[int, Tree] = {}
    for sentence in sorted({row["sentence_no"] for row in rows}):
        words = [
            n for s, n in sorted(tokens) if s == sentence and tokens[s, n]["deprel"] != "punct"
        ]
        heads = []
        for word in words:
            head = tokens[sentence, word]["head"]
            while head and head not in words:
                head = tokens[sentence, head]["head"]
            heads.append(words.index(head) if head else -1)
        labels = [
            "~".join(tokens[sentence, word][name] or "_" for name in attributes) for word in words
        ]
        results[sentence] = (heads, labels)
    return results


def stored(database: Database, labels: str) -> dict[str, list[int]]:
    rows = database.connection.execute(
        "SELECT pattern, sentence_nos FROM subtree WHERE treebank_id = ? AND labels = ?",
        [TREEBANK, labels],
    ).fetchall()
    return dict(rows)


def enumeration(database: Database) -> tuple[object, ...]:
    (row,) = database.connection.execute(
        "SELECT max_nodes, minimum_support, enumerated_at FROM subtree_enumeration"
    ).fetchall()
    return tuple(row)


@pytest.mark.parametrize("labels", ["deprel", "relation", "upos~deprel", "lemma~xpos"])
def test_stores_the_patterns_of_trees_without_punctuation(database: Database, labels: str) -> None:
    enumerate_subtrees(database, [TREEBANK], labels=labels, max_nodes=3, minimum_support=2)
    expected = by_brute_force(reference_trees(database, labels.split("~")), 3, 2)
    assert len(expected) > 10
    assert stored(database, labels) == expected


def test_enumerates_again_only_where_more_is_asked(database: Database) -> None:
    def run(max_nodes: int, minimum_support: int) -> tuple[object, ...]:
        enumerate_subtrees(
            database,
            [TREEBANK],
            labels="deprel",
            max_nodes=max_nodes,
            minimum_support=minimum_support,
        )
        return enumeration(database)

    first = run(2, 4)
    assert first[:2] == (2, 4)
    assert run(2, 4) == run(1, 9) == first
    larger = run(3, 9)
    assert larger[:2] == (3, 4)
    assert run(1, 2)[:2] == (3, 2)
    assert stored(database, "deprel") == by_brute_force(reference_trees(database, ["deprel"]), 3, 2)


def test_enumerates_again_after_a_change(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> object:
        enumerate_subtrees(database, [TREEBANK], labels="deprel", max_nodes=2, minimum_support=2)
        return enumeration(database)[-1]

    times = [run()]
    database.connection.execute("UPDATE treebank SET sha256 = 'other'")
    times.append(run())
    monkeypatch.setattr(sr_tracker.queries.analyses, "ENUMERATION_VERSION", "next")
    times.append(run())
    assert len(set(times)) == 3
    assert run() == times[-1]


def test_a_failure_leaves_what_there_was(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    enumerate_subtrees(database, [TREEBANK], labels="deprel", max_nodes=2, minimum_support=2)
    before = enumeration(database), stored(database, "deprel")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(sr_tracker.queries.analyses, "subtree_patterns", fail)
    with pytest.raises(RuntimeError):
        enumerate_subtrees(database, [TREEBANK], labels="deprel", max_nodes=3, minimum_support=2)
    assert (enumeration(database), stored(database, "deprel")) == before


@pytest.mark.parametrize(
    ("labels", "max_nodes", "minimum_support"),
    [
        ("form", 3, 5),
        ("", 3, 5),
        ("upos~", 3, 5),
        ("upos~upos", 3, 5),
        ("upos", 0, 5),
        ("upos", 9, 5),
        ("upos", 3, 0),
    ],
)
def test_impossible_settings_are_errors(
    database: Database, labels: str, max_nodes: int, minimum_support: int
) -> None:
    with pytest.raises((InputError, UnknownNameError)):
        enumerate_subtrees(
            database,
            [TREEBANK],
            labels=labels,
            max_nodes=max_nodes,
            minimum_support=minimum_support,
        )
