"""Syntactic complexity against brute force, the paper's figures, and DuckDB."""

from __future__ import annotations

import csv
import gzip
import statistics
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.queries.functions.tree import (
    COMPLEXITY_TYPE,
    sentence_complexity,
    strip_punctuation,
)
from sr_tracker.schema.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADS = pa.list_(pa.int32())
FLAGS = pa.list_(pa.bool_())

Tree = tuple[list[int], list[bool]]

unhurried = settings(deadline=None)  # the first example may have to wait for the compiler


def complexity(trees: list[Tree], convention: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = sentence_complexity(
        pa.array([heads for heads, _ in trees], HEADS),
        pa.array([flags for _, flags in trees], FLAGS),
        pa.array([convention] * len(trees), pa.string()),
    ).to_pylist()
    return rows


def words_only(heads: list[int]) -> Tree:
    return heads, [False] * len(heads)


# Brute force: every definition by the letter, words numbered from 1.


@st.composite
def forests(draw: st.DrawFn) -> Tree:
    """Heads and punctuation flags of up to eight tokens; mostly trees, some with several roots."""
    tokens = draw(st.permutations(range(1, draw(st.integers(1, 8)) + 1)))
    heads = [0] * len(tokens)
    several_roots = draw(st.booleans())
    for position, token in enumerate(tokens[1:], start=1):
        earlier = tokens[:position] + ([0] if several_roots else [])
        heads[token - 1] = draw(st.sampled_from(earlier))
    flags = draw(st.lists(st.booleans(), min_size=len(heads), max_size=len(heads)))
    return heads, flags


def ancestors(heads: list[int], word: int) -> list[int]:
    above = []
    while heads[word - 1]:
        word = heads[word - 1]
        above.append(word)
    return above


def reattached(tree: Tree) -> list[int | None]:
    heads, flags = tree
    return [
        None
        if flags[token - 1]
        else next((word for word in ancestors(heads, token) if not flags[word - 1]), 0)
        for token in range(1, len(heads) + 1)
    ]


def stripped(tree: Tree, convention: str) -> list[int]:
    heads, flags = tree
    if convention == "standard":
        remaining = {
            token: head for token, head in enumerate(reattached(tree), 1) if head is not None
        }
    else:
        remaining = {
            token: head
            for token, head in enumerate(heads, 1)
            if not any(flags[word - 1] for word in [token, *ancestors(heads, token)])
        }
    numbers = {token: number for number, token in enumerate(sorted(remaining), 1)} | {0: 0}
    return [numbers[remaining[token]] for token in sorted(remaining)]


def largest_disjoint(edges: list[tuple[int, int]]) -> int:
    if not edges:
        return 0
    (first, second), *others = edges
    disjoint = [edge for edge in others if not {first, second} & set(edge)]
    return max(largest_disjoint(others), 1 + largest_disjoint(disjoint))


def may_pass(heads: list[int], head: int, passed: int, convention: str) -> bool:
    if convention == "standard":
        return head in ancestors(heads, passed)
    return passed not in ancestors(heads, head)


def by_definition(tree: Tree, convention: str) -> dict[str, Any]:
    heads = stripped(tree, convention)
    if not heads:
        return dict.fromkeys(COMPLEXITY_TYPE.names)
    words = range(1, len(heads) + 1)
    edges = [(word, heads[word - 1]) for word in words if heads[word - 1]]
    fluxes = [
        [edge for edge in edges if min(edge) <= left and right <= max(edge)]
        for left, right in pairwise(words)
    ]

    def mean(values: list[int]) -> float | None:
        if values:
            exact = sum(values) / len(values)
            return exact if convention == "standard" else round(exact, 2)
        return None if convention == "standard" else 0.0

    return {
        "depth": max(len(ancestors(heads, word)) for word in words),
        "length": len(heads),
        "mdd": mean([abs(word - head) for word, head in edges]),
        "mfs": mean([len(flux) for flux in fluxes]),
        "mfw": mean([largest_disjoint(flux) for flux in fluxes]),
        "arity": mean([heads.count(word) for word in words]),
        "projective": all(
            may_pass(heads, head, passed, convention)
            for word, head in edges
            for passed in range(min(word, head) + 1, max(word, head))
        ),
    }


@pytest.mark.parametrize("convention", ["standard", "tacl2021"])
@unhurried
@given(trees=st.lists(forests(), min_size=1, max_size=5))
def test_equals_the_definitions(convention: str, trees: list[Tree]) -> None:
    for tree, row in zip(trees, complexity(trees, convention), strict=True):
        reason = row.pop("undefined_reason")
        expected = by_definition(tree, convention)
        expected.pop("undefined_reason", None)
        assert row == expected
        assert (reason is None) == (None not in row.values())


@unhurried
@given(trees=st.lists(forests(), max_size=5))
def test_reattaches_to_the_nearest_kept_ancestor(trees: list[Tree]) -> None:
    result = strip_punctuation(
        pa.array([heads for heads, _ in trees], HEADS),
        pa.array([flags for _, flags in trees], FLAGS),
    )
    result.validate(full=True)
    assert result.type == HEADS
    assert result.to_pylist() == [reattached(tree) for tree in trees]


def test_flux_weight_is_the_largest_set_not_just_any() -> None:
    # Over the gap 2|3 lie 4-1, 1-3 and 3-2: taking 1-3 first would leave no disjoint edge.
    assert complexity([words_only([4, 3, 1, 0])], "standard")[0]["mfw"] == pytest.approx(4 / 3)


def test_figure_1() -> None:
    # Shimorina et al. 2021, Figure 1 with the values of Table 1.
    tree = words_only([2, 0, 4, 2, 8, 8, 8, 4])
    expected = {
        "depth": 3,
        "length": 8,
        "mdd": 2.0,
        "mfs": 2.0,
        "mfw": 1.0,
        "arity": 0.875,
        "projective": True,
        "undefined_reason": None,
    }
    assert complexity([tree], "standard") == [expected]
    assert complexity([tree], "tacl2021") == [expected | {"arity": 0.88}]


def test_conventions_differ_where_punctuation_has_dependents() -> None:
    tree = [0, 1, 2, 3], [False, True, False, False]
    rows = [complexity([tree], convention)[0] for convention in ("standard", "tacl2021")]
    assert [row["length"] for row in rows] == [3, 1]
    assert [row["depth"] for row in rows] == [2, 0]


def test_conventions_differ_on_crossing_edges_of_cousins() -> None:
    # 2 -> 4 passes over 3, a dependent of 1; 3 is no ancestor of 2.
    crossing = words_only([0, 1, 1, 2])
    # 4 -> 2 passes over 3, the head of 4.
    over_ancestor = words_only([3, 4, 0, 3])
    standard = complexity([crossing, over_ancestor], "standard")
    published = complexity([crossing, over_ancestor], "tacl2021")
    assert [row["projective"] for row in standard] == [False, False]
    assert [row["projective"] for row in published] == [True, False]


def test_what_is_undefined_has_a_reason() -> None:
    one_word = words_only([0])
    only_punctuation = [0, 1], [True, True]
    two_roots = words_only([0, 0])
    rows = complexity([one_word, only_punctuation, two_roots], "standard")
    assert [row["undefined_reason"] for row in rows] == [
        "one word: no distance, no flux",
        "no word but punctuation",
        "no edge: no distance",
    ]
    assert [row["mdd"] for row in rows] == [None, None, None]
    assert [row["mfs"] for row in rows] == [None, None, 0.0]
    assert [row["arity"] for row in rows] == [0.0, None, 0.0]
    one, none, _ = complexity([one_word, only_punctuation, two_roots], "tacl2021")
    assert [one[name] for name in ("mdd", "mfs", "mfw", "arity")] == [0.0, 0.0, 0.0, 0.0]
    assert one["undefined_reason"] is None
    assert none["length"] is None


@unhurried
@given(
    st.lists(
        st.tuples(
            st.none() | st.lists(st.none() | st.integers(-2, 6), max_size=5),
            st.none() | st.lists(st.none() | st.booleans(), max_size=5),
            st.sampled_from(["standard", "tacl2021", None]),
        )
    )
)
def test_malformed_trees_have_a_reason(rows: list[tuple[Any, Any, str | None]]) -> None:
    heads = pa.array([row[0] for row in rows], HEADS)
    flags = pa.array([row[1] for row in rows], FLAGS)
    result = sentence_complexity(heads, flags, pa.array([row[2] for row in rows], pa.string()))
    result.validate(full=True)
    assert result.type == COMPLEXITY_TYPE
    stripped_lists = strip_punctuation(heads, flags).to_pylist()
    for (heads_in, flags_in, convention), row, new_heads in zip(
        rows, result.to_pylist(), stripped_lists, strict=True
    ):
        assert (row is None) == (None in (heads_in, flags_in, convention))
        is_tree = (
            heads_in is not None
            and flags_in is not None
            and len(heads_in) == len(flags_in)
            and all(head is not None and 0 <= head <= len(heads_in) for head in heads_in)
            and all(reaches_root(heads_in, word) for word in range(1, len(heads_in) + 1))
        )
        assert (new_heads is not None) == is_tree
        if row is not None and not is_tree:
            reason = row.pop("undefined_reason")
            unequal = len(heads_in) != len(flags_in)
            assert reason == ("heads and punctuation differ in length" if unequal else "not a tree")
            assert set(row.values()) == {None}


def reaches_root(heads: list[int], word: int) -> bool:
    for _ in heads:
        word = heads[word - 1]
        if word == 0:
            return True
    return False


def test_unknown_convention_is_named() -> None:
    with pytest.raises(InputError, match="'textbook'") as caught:
        complexity([words_only([0])], "textbook")
    assert caught.value.hint == "use one of: standard, tacl2021"


@pytest.mark.parametrize("words", [7, 8, 40, 200, 1000])
def test_published_values_are_rounded_as_python_does(words: int) -> None:
    # Stars of so many dependents, and lone roots to make up the words: arity dependents / words.
    # Denominators 8, 40 and 200 give ties; 0.125 is one as a double too, 0.475 is not.
    trees = [
        words_only([0] + [1] * dependents + [0] * (words - 1 - dependents))
        for dependents in range(words)
    ]
    arities = [row["arity"] for row in complexity(trees, "tacl2021")]
    assert arities == [round(dependents / words, 2) for dependents in range(words)]


def test_very_long_sentence() -> None:
    # A chain: every word hangs on the one before it.
    row = complexity([words_only(list(range(50_000)))], "standard")[0]
    assert (row["depth"], row["mdd"], row["mfw"], row["projective"]) == (49_999, 1.0, 1.0, True)


# The published Table 2, and the exact means of the flux weight, from the expected figures.

EXPECTED_FIGURES = Path(__file__).resolve().parents[3] / "shared/data/expected/table2.csv"


def expected_rows() -> list[Any]:
    if not EXPECTED_FIGURES.is_file():
        missing = pytest.mark.skip(reason="the real data is not part of the project")
        return [pytest.param({}, marks=missing)]
    with EXPECTED_FIGURES.open(encoding="utf-8") as figures:
        return [pytest.param(row, id=row["treebank"]) for row in csv.DictReader(figures)]


def sentences(path: Path) -> Iterator[tuple[list[int], list[str]]]:
    """Heads and universal relations of each sentence."""
    heads: list[int] = []
    relations: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                heads.append(int(columns[6]))
                relations.append(columns[7].partition(":")[0])
            elif columns == [""]:
                yield heads, relations
                heads, relations = [], []


@pytest.mark.parametrize("expected", expected_rows())
def test_reproduces_the_published_table(expected: dict[str, str], shared_data: Path) -> None:
    treebank = expected["treebank"]
    left_out = {"reparandum", "orphan", "goeswith"} if treebank.startswith("2.0/") else set()
    trees = [
        (heads, [relation == "punct" for relation in relations])
        for heads, relations in sentences(shared_data / "ud" / f"{treebank}-ud-test.conllu.gz")
        if not left_out & set(relations)
    ]
    rows = complexity(trees, "tacl2021")
    assert len(rows) == int(expected["count"])
    nonprojective = 100 * sum(not row["projective"] for row in rows) / len(rows)
    assert round(nonprojective, 2) == float(expected["np_pct"])
    for measure, column, digits in [
        ("depth", "depth", 2),
        ("length", "length", 2),
        ("mdd", "mdd", 2),
        ("mfs", "mfs", 2),
        ("mfw", "mfw_exact", 4),
        ("arity", "ma", 2),
    ]:
        values = [row[measure] for row in rows]
        assert round(statistics.fmean(values), digits) == float(expected[f"{column}_mean"])
        assert round(statistics.stdev(values), digits) == float(expected[f"{column}_sd"])
