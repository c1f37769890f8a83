"""Patterns in trees, trees as text, differing words: against brute force and by decoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.queries.errors.example_reading import (
    Match,
    Tree,
    contains,
    cut_words,
    find_matches,
    word_difference,
)
from sr_tracker.queries.functions.patterns import Pattern, parse_pattern
from sr_tracker.tracker.show.text.dependencies import draw_tree, folded

LABELS = "ab"


@st.composite
def heads(draw: st.DrawFn, most: int = 8) -> dict[int, int | None]:
    """Any forest over words with gaps in their numbers, crossing edges included."""
    words = draw(st.lists(st.integers(1, 30), min_size=1, max_size=most, unique=True))
    order = draw(st.permutations(words))
    return {
        word: draw(st.sampled_from([None, *order[:place]] if place else [None]))
        for place, word in enumerate(order)
    }


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    above = draw(heads())
    return Tree({word: draw(st.sampled_from(LABELS)) for word in above}, above)


patterns = st.recursive(
    st.sampled_from(LABELS).map(Pattern),
    lambda below: st.builds(
        Pattern, st.sampled_from(LABELS), st.lists(below, min_size=1, max_size=3).map(tuple)
    ),
    max_leaves=4,
)


def embeddings(pattern: Pattern, tree: Tree, word: int) -> Iterator[frozenset[int]]:
    """All sets of words that the pattern can take at a word, by trying every assignment."""
    if tree.labels[word] != pattern.label:
        return
    dependents = [item for item, head in tree.heads.items() if head == word]
    for chosen in permutations(dependents, len(pattern.children)):
        below = [
            list(embeddings(child, tree, item))
            for child, item in zip(pattern.children, chosen, strict=True)
        ]
        for parts in product(*below):
            yield frozenset({word}).union(*parts)


@settings(max_examples=300)
@given(patterns, trees())
def test_matches_are_those_of_brute_force(pattern: Pattern, tree: Tree) -> None:
    expected = []
    for word in sorted(tree.labels):
        computed = list(embeddings(pattern, tree, word))
        if computed:
            expected.append(Match(word, tuple(sorted(frozenset().union(*computed)))))
    assert find_matches(pattern, tree) == expected
    assert contains(pattern, tree) == bool(expected)


def test_children_need_words_of_their_own() -> None:
    tree = Tree({1: "a", 2: "b"}, {1: None, 2: 1})
    assert contains(parse_pattern("(a (b))"), tree)
    assert not contains(parse_pattern("(a (b b))"), tree)


def test_a_flexible_child_leaves_the_only_fitting_word_to_its_sibling() -> None:
    tree = Tree({1: "a", 2: "b", 3: "b", 4: "c"}, {1: None, 2: 1, 3: 1, 4: 2})
    assert find_matches(parse_pattern("(a (b b (c)))"), tree) == [Match(1, (1, 2, 3, 4))]


def test_words_that_only_a_wrong_assignment_would_use_are_no_part_of_the_match() -> None:
    labels = {1: "r", 2: "b", 3: "c", 4: "d", 5: "b", 6: "c"}
    tree = Tree(labels, {1: None, 2: 1, 3: 2, 4: 2, 5: 1, 6: 5})
    matches = find_matches(parse_pattern("(r (b (c) b (d)))"), tree)
    assert matches == [Match(1, (1, 2, 4, 5, 6))]


def decoded(tree: Mapping[int, int | None], step: int) -> dict[int, int | None]:
    """Read the heads back from the drawing alone."""
    rows = draw_tree(tree, step=step)
    words = [row.token_no for row in rows]
    own = [next((n for n, c in enumerate(row.cells) if c in "╮╯┤"), None) for row in rows]
    results: dict[int, int | None] = {}
    for place, row in enumerate(rows):
        joint = next((n for n, c in enumerate(row.cells) if c in "╭├╰"), None)
        results[row.token_no] = None
        if joint is None:
            assert row.cells.startswith("─")
            continue
        ways = {"╭": (1,), "╰": (-1,), "├": (1, -1)}[row.cells[joint]]
        for way in ways:
            other = place + way
            while 0 <= other < len(rows) and rows[other].cells[joint : joint + 1] in "│├┼":
                other += way
            if 0 <= other < len(rows) and own[other] == joint:
                results[row.token_no] = words[other]
    return results


@settings(max_examples=300)
@given(heads(), st.sampled_from([2, 3]))
def test_a_drawing_can_be_read_back(tree: dict[int, int | None], step: int) -> None:
    assert decoded(tree, step) == tree


def test_a_drawing_looks_as_it_should() -> None:
    tree = {1: 2, 2: None, 3: 4, 4: 2, 5: 6, 6: 4}
    words = ["I", "enjoyed", "my", "time", "at", "school"]
    drawn = [f"{row.cells} {words[row.token_no - 1]}" for row in draw_tree(tree)]
    assert drawn == [
        "   ╭── I",
        "───┤ enjoyed",
        "   │  ╭── my",
        "   ╰──┤ time",
        "      │  ╭── at",
        "      ╰──╯ school",
    ]


def test_edges_that_cross_are_drawn_crossing() -> None:
    tree = {1: 3, 2: 4, 3: None, 4: 3}
    words = "ABCD"
    drawn = [f"{row.cells} {words[row.token_no - 1]}" for row in draw_tree(tree)]
    assert drawn == ["   ╭── A", "   │  ╭── B", "───┤  │ C", "   ╰──╯ D"]


@given(heads(), st.data())
def test_marked_edges_are_marked_from_end_to_end(
    tree: dict[int, int | None], data: st.DataObject
) -> None:
    dependent = data.draw(st.sampled_from(sorted(tree)))
    rows = {row.token_no: row for row in draw_tree(tree, marked=[dependent])}
    marked = {word for word, row in rows.items() if any(row.marked)}
    head = tree[dependent]
    first, last = sorted((dependent, dependent if head is None else head))
    assert marked == {word for word in tree if first <= word <= last}


@given(heads(most=12), st.data())
def test_folding_keeps_what_it_is_told_and_counts_the_rest(
    tree: dict[int, int | None], data: st.DataObject
) -> None:
    draw = data.draw(st.sets(st.sampled_from(sorted(tree))))
    shown, hidden = folded(tree, draw)
    assert draw <= set(shown)
    assert all(shown[word] == tree[word] for word in shown)
    assert {head for head in shown.values() if head is not None} <= set(shown)
    assert len(shown) + sum(hidden.values()) == len(tree)


words = st.lists(st.sampled_from(["a", "b", "A", "c", ","]), max_size=8)


@given(words, words)
def test_differences_account_for_every_word(first: list[str], second: list[str]) -> None:
    left, right = word_difference([(" ", word) for word in first], [(" ", w) for w in second])
    assert [piece.word for piece in left] == first
    assert [piece.word for piece in right] == second
    kinds = {
        kind: tuple([p.word.lower() for p in pieces if p.kind == kind] for pieces in (left, right))
        for kind in ("same", "moved", "only")
    }
    assert kinds["same"][0] == kinds["same"][1]
    assert Counter(kinds["moved"][0]) == Counter(kinds["moved"][1])
    assert not set(kinds["only"][0]) & set(kinds["only"][1])


@given(st.text(alphabet="ab .,'漢字 \t", max_size=20), st.lists(st.text("ab漢字", max_size=3)))
def test_cutting_loses_nothing(text: str, words: list[str]) -> None:
    cut = cut_words(text, words)
    assert "".join(before + word for before, word in cut) == text.rstrip()
    assert all(word and not before.strip() for before, word in cut)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        (
            "企業界提供捐款.",
            ["企業", "界", "提供", "捐款", "."],
            ["企業", "界", "提供", "捐款", "."],
        ),
        ("Il va du port, là.", ["Il", "va", "de", "le", "port", ",", "là", "."], None),
        ('He said "no".', [], ["He", "said", '"', "no", '"', "."]),
    ],
)
def test_words_are_cut(text: str, words: list[str], expected: list[str] | None) -> None:
    expected = expected or ["Il", "va", "du", "port", ",", "là", "."]
    assert [word for _, word in cut_words(text, words)] == expected
