"""Patterns as Grew requests and back: a round trip for any pattern, and what does not translate."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.errors.example_patterns import read_request_or_pattern
from sr_tracker.queries.functions.patterns import (
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
def test_a_pattern_comes_back(given: tuple[str, str]) -> None:
    labels, text = given
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
    found, told = parse_request(request_text)
    assert (found.text, told) == (parse_pattern(pattern).text, labels)


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
        ("pattern { X -> Y; X -> Z }", "says nothing"),
        ("pattern { X [upos=VERB]; Y [upos=NOUN] }", "2 words without a head"),
        ("pattern { X -[a]-> Y; Y -[a]-> X }", "no words without a head"),
        ("pattern { X -[a]-> Y; Z -[a]-> Y }", "two heads"),
        ("pattern { X -[a]-> X }", "its own"),
        ("pattern { X [upos=VERB]; X -[1=nsubj]-> Y }", "has no"),
        ("pattern { X -[1=obj]-> Y; X -[1=nsubj]-> Z }", "'X' has no deprel"),
        ("pattern { X -[1=obj]-> Y; Y -[nsubj]-> Z }", "has no"),
        ("pattern { X [upos=VERB]; X [upos=NOUN] }", "two values"),
        ("pattern { X [] }", "says nothing"),
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
