"""The compiled `reference` analyser finds the words that plain Python finds, in any text."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.analysers.placing import Pieces
from sr_tracker.ingest.analysers.reference import ReferenceAnalyser
from sr_tracker.ingest.analysers.taking import take_entries, take_lemmas
from tests.ingest.plain_reference import PlainAnalyser
from tests.ingest.test_analysers_reference import RANGES, Sentence, tokens_of

FORMS = (
    *("a", "A", "b", "ab", "aB", "the", "The", "do", "n't", "don't", "can", "not", "cannot", "de"),
    *("20 000", "20", "000", "120", ": )", ":", ")", ".", "x.y", "-", "’s", "'s", "le", "du", " "),
    *("日", "日本", "語", "。", "İ", "ﬁ", "é", "e\u0301", "\ue000", "a\ue000b", "go", "went", "Go"),
)
forms = st.one_of(st.sampled_from(FORMS), st.text(min_size=1, max_size=3))
sentences = st.lists(
    st.tuples(forms, st.none() | forms, st.sampled_from(["NOUN", "VERB", "PUNCT"])),
    min_size=1,
    max_size=8,
)


def _ranges(treebank: list[Sentence], draw: random.Random) -> pa.Table:
    rows = []
    for number, words in enumerate(treebank, start=1):
        first = 1
        while first < len(words):
            if draw.random() < 0.25:
                last = min(len(words), first + draw.randint(1, 2))
                joined = "".join(form for form, _, _ in words[first - 1 : last])
                rows.append((number, first, last, draw.choice([joined, draw.choice(FORMS)])))
                first = last
            first += 1
    return pa.Table.from_pylist(
        [dict(zip(RANGES.names, row, strict=True)) for row in rows], schema=RANGES
    )


def _written(words: list[str], draw: random.Random) -> str:
    """Words in some order, some lost and some added, mostly with blanks between them."""
    words = list(words)
    if draw.random() < 0.3:
        draw.shuffle(words)
    for _ in range(draw.randint(0, 4)):
        words.insert(draw.randint(0, len(words)), draw.choice(FORMS))
        if draw.random() < 0.5:
            words.pop(draw.randrange(len(words)))
    return "".join(word + draw.choice(["", " ", " ", " "]) for word in words)


@settings(max_examples=150, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_words_are_those_that_plain_python_finds(
    treebank: list[Sentence], draw: random.Random
) -> None:
    words = [[form for form, _, _ in sentence] for sentence in treebank]
    texts = pa.table(
        {
            "sentence_no": pa.array(range(1, len(treebank) + 1), pa.int32()),
            "text": [_written(own, draw) if draw.random() < 0.3 else "".join(own) for own in words],
        }
    )
    given = (
        *(tokens_of(*treebank), _ranges(treebank, draw)),
        *(draw.choice([None, texts]), draw.choice([None, "en"])),
    )
    numbers = [draw.randint(1, len(treebank) + 1) for _ in range(12)]
    outputs = [
        _written(words[number - 1 : number][0], draw) if number <= len(words) else "a b"
        for number in numbers
    ]
    _check_same(given, numbers, outputs)


@pytest.mark.parametrize("length", [63, 64, 65, 130, 700])
def test_long_texts_are_aligned_alike(length: int) -> None:
    draw = random.Random(length)
    words = [draw.choice("abcdefgh") for _ in range(length)]
    outputs = [" ".join(draw.sample(words, length)), " ".join(words[1::2] + words[::3])]
    outputs += [_written(words, draw) for _ in range(4)]
    treebank: Sentence = [(word, word, "NOUN") for word in words]
    _check_same((tokens_of(treebank), RANGES.empty_table(), None, None), [1] * 6, outputs)


def _check_same(given: tuple, numbers: list[int], outputs: list[str]) -> None:
    compiled, plain = ReferenceAnalyser(*given), PlainAnalyser(*given)
    of = pa.array(numbers, pa.int32()), pa.array(outputs, pa.string())
    assert compiled.analyse(*of).to_pylist() == plain.analyse(*of).to_pylist()
    assert compiled.analyse(*of).equals(plain.analyse(*of))  # also with what was learned


letters = st.sampled_from("abcd")


@given(
    st.lists(st.tuples(letters, letters, st.just("X")), min_size=1, max_size=5),
    st.lists(letters, min_size=1, max_size=5),
)
def test_as_many_surface_forms_as_possible_have_a_word_of_their_own(
    sentence: Sentence, output: list[str]
) -> None:
    """Held against all ways of giving words to what is their form or their lemma."""
    analyser = ReferenceAnalyser(tokens_of(sentence), RANGES.empty_table(), None, None)
    forms, strings, words = analyser._guides.forms, analyser._strings, analyser._words
    surfaces, one = strings.numbers(output), np.zeros(1, np.int64)
    starts, kinds = np.array([0, len(output)]), np.zeros(len(output), np.uint8)
    pieces = Pieces(starts, kinds, surfaces, np.ones(len(output), np.int64))
    taken, own, *used = take_entries(pieces, one.astype(np.uint8), one, forms, strings.folded)
    known = words.analyses(np.unique(surfaces[taken < 0]))
    take_lemmas(pieces, taken, own, *used, one, forms, strings.folded, *known, words.lemmas)
    places = [*range(len(sentence)), *[-1] * len(output)]
    most = max(
        sum(
            place >= 0 and text in sentence[place][:2]
            for text, place in zip(output, order, strict=True)
        )
        for order in permutations(places, len(output))
    )
    having = [place for place in own.tolist() if place >= 0]
    assert len(having) == len({*having}) == most
    assert all(
        text in sentence[place][:2]
        for text, place in zip(output, own.tolist(), strict=True)
        if place >= 0
    )
