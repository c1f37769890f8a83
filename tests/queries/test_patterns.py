"""The notation of patterns: any order of siblings, any label, and errors that say where."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.functions.patterns import (
    MAXIMUM_DEPTH,
    Pattern,
    escape_label,
    node_label,
    parse_pattern,
)
from sr_tracker.schema.errors import InputError

VALUES = st.one_of(
    st.none(),
    st.sampled_from(["_", "\\", "~", "(", ")", " ", "a b", ":)", "conj", "10\u00a0000", "__"]),
    st.text(min_size=1, max_size=4),
)
LABELS = st.lists(VALUES, min_size=1, max_size=3).map(node_label)
PATTERNS = st.recursive(
    LABELS.map(lambda label: (label, ())),
    lambda below: st.tuples(LABELS, st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)


def written(tree: tuple[str, tuple[object, ...]], rng: random.Random) -> str:
    """A tree with its siblings in any order and any number of blanks."""
    label, children = tree
    inside = [written(child, rng) for child in rng.sample(list(children), len(children))]
    blank = " " * rng.randint(1, 2)
    return f"{label}{blank}({blank.join(inside)})" if inside else label


def size(tree: tuple[str, tuple[object, ...]]) -> int:
    return 1 + sum(size(child) for child in tree[1])


@pytest.mark.parametrize(
    ("text", "canonical", "nodes"),
    [
        ("(conj)", "(conj)", 1),
        ("(advcl (nsubj))", "(advcl (nsubj))", 2),
        ("(conj (advmod advmod))", "(conj (advmod advmod))", 3),
        (" ( conj(obj  nsubj) ) ", "(conj (nsubj obj))", 3),
        (
            "(VERB~conj (PRON~nsubj ADV~advmod (ADV~advmod)))",
            "(VERB~conj (ADV~advmod (ADV~advmod) PRON~nsubj))",
            4,
        ),
        (r"(in\ order (to))", r"(in\ order (to))", 2),
        (r"(:\))", r"(:\))", 1),
        (r"(\a\_)", "(a_)", 1),
        (r"(_~\_)", r"(_~\_)", 1),
    ],
)
def test_parsing_gives_the_canonical_text(text: str, canonical: str, nodes: int) -> None:
    pattern = parse_pattern(text)
    assert (str(pattern), pattern.text, pattern.nodes) == (canonical, canonical, nodes)


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("", 1, "begins with"),
        ("conj", 1, "begins with"),
        ("(", 2, "expected a label"),
        ("(conj", 6, "expected"),
        ("(conj (nsubj)", 14, "expected"),
        ("(conj (nsubj", 13, "missing"),
        ("(conj ())", 8, "expected a label"),
        ("(conj nsubj)", 7, "expected"),
        ("(conj) x", 8, "nothing may follow"),
        ("(VERB~)", 7, "expected a label"),
        ("(~conj)", 2, "expected a label"),
        ("(conj\\", 7, "nothing follows"),
    ],
)
def test_errors_say_where_and_what(text: str, position: int, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        parse_pattern(text)
    assert caught.value.where == f"position {position} of the pattern {text}"
    assert caught.value.hint


def test_a_pattern_can_be_too_deep() -> None:
    def deep(levels: int) -> str:
        return "(" + "a (" * (levels - 1) + "a" + ")" * levels

    assert parse_pattern(deep(MAXIMUM_DEPTH)).nodes == MAXIMUM_DEPTH
    with pytest.raises(InputError, match="deeper"):
        parse_pattern(deep(MAXIMUM_DEPTH + 1))


@given(PATTERNS, st.randoms(use_true_random=False))
def test_order_of_siblings_makes_no_difference(
    tree: tuple[str, tuple[object, ...]], rng: random.Random
) -> None:
    one = parse_pattern(f"({written(tree, rng)})")
    other = parse_pattern(f"({written(tree, rng)})")
    assert one == other
    assert one.nodes == size(tree)
    assert parse_pattern(one.text) == one
    assert [child.text for child in one.children] == sorted(
        (child.text for child in one.children), key=lambda text: text[1:-1]
    )


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_labels_tell_all_values_apart_and_stay_as_they_are(values: list[str | None]) -> None:
    label = node_label(values)
    assert parse_pattern(f"({label})") == Pattern(label)
    assert label.replace("\\\\", "").replace("\\~", "").count("~") == len(values) - 1


@given(VALUES, VALUES)
def test_different_values_have_different_labels(one: str | None, other: str | None) -> None:
    assert (escape_label(one) == escape_label(other)) == (one == other)


@given(st.text(alphabet="()~\\_ ab", max_size=14))
def test_any_text_is_a_pattern_or_an_error(text: str) -> None:
    try:
        pattern = parse_pattern(text)
    except InputError:
        return
    assert parse_pattern(pattern.text) == pattern
