"""Patterns as text and as Grew requests and back, for any pattern, and what does not translate."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.errors.example_patterns import read_request_or_pattern
from sr_tracker.queries.functions.patterns import (
    MAXIMUM_DEPTH,
    Pattern,
    escape_label,
    grew_request,
    is_request,
    node_label,
    parse_pattern,
    parse_request,
    split_label,
)
from sr_tracker.schema.errors import InputError

ANYTHING = st.one_of(st.none(), st.text(st.characters(codec="utf-8"), min_size=1, max_size=5))
LOWER = ANYTHING.map(lambda value: value.lower() if value else value)
RELATION = st.text("abcxyz:@", min_size=1, max_size=6)
VALUES = {
    "lemma": LOWER,
    "upos": ANYTHING,
    "xpos": ANYTHING,
    "deprel": RELATION,
    "relation": RELATION,
}
LABELS = ["deprel", "relation", "upos", "lemma", "upos~deprel", "lemma~upos~relation", "upos~xpos"]


@st.composite
def patterns(draw: st.DrawFn) -> tuple[str, str]:
    labels = draw(st.sampled_from(LABELS))
    label = st.tuples(*(VALUES[name] for name in labels.split("~"))).map(node_label)
    node = st.recursive(
        label,
        lambda below: st.tuples(label, st.lists(below, min_size=1, max_size=3)).map(
            lambda parts: f"{parts[0]} ({' '.join(parts[1])})"
        ),
        max_leaves=6,
    )
    return labels, parse_pattern(f"({draw(node)})").text


@given(patterns())
def test_a_pattern_comes_back(example: tuple[str, str]) -> None:
    labels, text = example
    pattern = parse_pattern(text)
    request = grew_request(pattern, labels)
    assert request is not None
    assert is_request(request)
    assert parse_request(request) == (pattern, labels)


@given(st.lists(ANYTHING, min_size=1, max_size=4))
def test_labels_are_split_as_they_were_joined(values: list[str | None]) -> None:
    assert split_label(node_label(values)) == values


@pytest.mark.parametrize(
    ("pattern", "labels", "request_text"),
    [
        ("(advcl (nsubj))", "deprel", "pattern { H -[1=advcl]-> N1; N1 -[1=nsubj]-> N2 }"),
        (
            "(conj (advmod advmod))",
            "deprel",
            "pattern { H -[1=conj]-> N1; N1 -[1=advmod]-> N2; N1 -[1=advmod]-> N3 }",
        ),
        ("(nmod:poss)", "relation", "pattern { H -[nmod:poss]-> N1 }"),
        ("(mod@relcl)", "deprel", "pattern { H -[1=mod, deep=relcl]-> N1 }"),
        ("(mod@relcl)", "relation", "pattern { H -[mod@relcl]-> N1 }"),
        ("(VERB (ADV))", "upos", "pattern { N1 [upos=VERB]; N2 [upos=ADV]; N1 -> N2 }"),
        (
            "(VERB~conj (_~advmod))",
            "upos~deprel",
            "pattern { N1 [upos=VERB]; H -[1=conj]-> N1; N2 [!upos]; N1 -[1=advmod]-> N2 }",
        ),
    ],
)
def test_requests_as_grew_writes_them(pattern: str, labels: str, request_text: str) -> None:
    assert grew_request(parse_pattern(pattern), labels) == request_text


@pytest.mark.parametrize(
    ("request_text", "pattern", "labels"),
    [
        ("match{ X-[1=nsubj]->Y }", "(nsubj)", "deprel"),
        ("pattern { e: X -[nsubj]-> Y; Y -[case]-> Z; }", "(nsubj (case))", "relation"),
        ('pattern {\n V [upos=VERB];\n V -> S;\n S [upos="NOUN"]\n}', "(VERB (NOUN))", "upos"),
        ('pattern { V [lemma="Be", upos=AUX] }', "(be~AUX)", "lemma~upos"),
        ('pattern { V [lemma=";"] }', "(;)", "lemma"),
    ],
)
def test_requests_that_translate(request_text: str, pattern: str, labels: str) -> None:
    computed, message = parse_request(request_text)
    assert (computed.text, message) == (parse_pattern(pattern).text, labels)


@pytest.mark.parametrize(
    ("request_text", "message"),
    [
        ("pattern { X -[nsubj]-> Y } without { Y [upos=PRON] }", "without others"),
        ("pattern { X -[nsubj|obj]-> Y }", "does not translate"),
        ("pattern { X -[^nsubj]-> Y }", "does not translate"),
        ("pattern { X [upos=VERB|AUX] }", "does not translate"),
        ("pattern { X [upos<>VERB] }", "does not translate"),
        ("pattern { X [Number=Sing] }", "does not translate"),
        ("pattern { X << Y }", "does not translate"),
        ("pattern { X -> Y; X -> Z }", "no conditions on its words"),
        ("pattern { X [upos=VERB]; Y [upos=NOUN] }", "2 words without a head"),
        ("pattern { X -[a]-> Y; Y -[a]-> X }", "no words without a head"),
        ("pattern { X -[a]-> Y; Z -[a]-> Y }", "two heads"),
        ("pattern { X -[a]-> X }", "its own"),
        ("pattern { X [upos=VERB]; X -[1=nsubj]-> Y }", "has no"),
        ("pattern { X -[1=obj]-> Y; X -[1=nsubj]-> Z }", "'X' has no deprel"),
        ("pattern { X -[1=obj]-> Y; Y -[nsubj]-> Z }", "has no"),
        ("pattern { X [upos=VERB]; X [upos=NOUN] }", "two values"),
        ("pattern { X [] }", "no conditions on its words"),
        ("pattern { }", "no words without"),
        ("pattern { X -[1=obj]-> Y", "one 'pattern"),
        ("pattern {" + ";".join(f"X{n} -[a]-> X{n + 1}" for n in range(200)) + "}", "deeper than"),
    ],
)
def test_requests_that_do_not_translate(request_text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_request(request_text)


@given(st.text("pattern{}[];->=1 XYab\"'\\,:!", max_size=40))
def test_any_other_text_is_refused_in_words(text: str) -> None:
    with suppress(InputError):
        parse_request(f"pattern {{{text}}}")


def test_labels_that_contradict_the_request() -> None:
    assert read_request_or_pattern("pattern { X -[1=obj]-> Y }", None)[1] == "deprel"
    with pytest.raises(InputError, match="about deprel, not upos"):
        read_request_or_pattern("pattern { X -[1=obj]-> Y }", "upos")


def test_what_grew_cannot_say() -> None:
    assert grew_request(parse_pattern("(_)"), "deprel") is None
    assert grew_request(parse_pattern("(a\\ b)"), "relation") is None
    assert grew_request(parse_pattern("(nmod~nmod:poss)"), "deprel~relation") is None


PATTERN_VALUES = st.one_of(
    st.none(),
    st.sampled_from(["_", "\\", "~", "(", ")", " ", "a b", ":)", "conj", "10\u00a0000", "__"]),
    st.text(min_size=1, max_size=4),
)
PATTERN_LABELS = st.lists(PATTERN_VALUES, min_size=1, max_size=3).map(node_label)
PATTERNS = st.recursive(
    PATTERN_LABELS.map(lambda label: (label, ())),
    lambda below: st.tuples(PATTERN_LABELS, st.lists(below, max_size=3).map(tuple)),
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


@given(st.lists(PATTERN_VALUES, min_size=1, max_size=3))
def test_labels_tell_all_values_apart_and_stay_as_they_are(values: list[str | None]) -> None:
    label = node_label(values)
    assert parse_pattern(f"({label})") == Pattern(label)
    assert label.replace("\\\\", "").replace("\\~", "").count("~") == len(values) - 1


@given(PATTERN_VALUES, PATTERN_VALUES)
def test_different_values_have_different_labels(one: str | None, other: str | None) -> None:
    assert (escape_label(one) == escape_label(other)) == (one == other)


@given(st.text(alphabet="()~\\_ ab", max_size=14))
def test_any_text_is_a_pattern_or_an_error(text: str) -> None:
    try:
        pattern = parse_pattern(text)
    except InputError:
        return
    assert parse_pattern(pattern.text) == pattern
