"""Outputs find their sentences, and the analyser the words that plain Python finds."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.analysers.placing import Pieces
from sr_tracker.ingest.analysers.reference import ReferenceAnalyser
from sr_tracker.ingest.analysers.taking import take_entries, take_lemmas
from sr_tracker.ingest.outputs.alignment import (
    align,
    check_belongs,
    closer_form,
    in_alphabetical_order,
    word_counts,
)
from sr_tracker.ingest.outputs.reading import OutputFile, read_outputs
from sr_tracker.ingest.treebanks.conllu import parse_conllu
from sr_tracker.ingest.treebanks.conllu_columns import conllu_tables, read_heads, surface_texts
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text
from tests.ingest.plain_reference import PlainAnalyser
from tests.ingest.test_analysers_reference import RANGES, Sentence, tokens_of

IDS = ["w-1", "w-2", None, "7"]


def outputs(ids: list[str] | None, texts: list[str | None] | None = None) -> OutputFile:
    texts = texts if texts is not None else ["x"] * len(ids or [])
    return OutputFile("f", ids, texts, list(range(1, 3 * len(texts), 3)))


def test_by_sent_id_in_any_order() -> None:
    assert align(outputs(["7", "w-1"]), "t", IDS) == [4, 1]


def test_by_number_where_no_id_is_known() -> None:
    assert align(outputs(["4", "1", "3"]), "t", IDS) == [4, 1, 3]


def test_by_number_from_0_where_all_are_there() -> None:
    assert align(outputs(["3", "0", "2", "1"]), "t", IDS) == [4, 1, 3, 2]


def test_by_position() -> None:
    assert align(outputs(None, ["a", None, "c", "d"]), "t", IDS) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("ids", "place", "message"),
    [
        (["w-1", "w-9"], ":4", "has no sentence 'w-9'"),
        (["w-1", "1", "2"], ":4", r"has no sentence '1' \(and 1 more\)"),
        (["1", "0"], ":4", "has no sentence '0'"),
        (["1", "5"], ":4", "has no sentence '5'"),
        (["1", "01"], ":4", "has no sentence '01'"),
        (["", "1"], ":1", "has no sentence ''"),
        (["w-2", "w-1", "w-2"], ":7", "two outputs, the first on line 1"),
        (["2", "1", "2"], ":7", "two outputs, the first on line 1"),
        ([], "", "holds no output"),
    ],
)
def test_ids_that_do_not_fit(ids: list[str], place: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        align(outputs(ids), "t", IDS)
    assert error.value.where == f"f{place}"


@pytest.mark.parametrize(("count", "last"), [(3, "x"), (5, "x"), (5, ""), (3, "")])
def test_too_few_and_too_many_lines(count: int, last: str) -> None:
    with pytest.raises(InputError, match=f"has {count} outputs, treebank 't' has 4") as error:
        align(outputs(None, [*["x"] * (count - 1), last]), "t", IDS)
    assert ("a line too many" in str(error.value.hint)) is (count == 5 and not last)


@given(order=st.permutations(range(1, 30)), numeric=st.booleans())
def test_any_order_of_ids_leads_to_the_same_sentences(order: list[int], numeric: bool) -> None:
    sent_ids: list[str | None] = [f"s{number}" for number in range(1, 30)]
    ids = [str(number) if numeric else f"s{number}" for number in order]
    assert align(outputs(ids), "t", sent_ids) == list(order)


def test_what_the_outputs_are_written_like() -> None:
    forms, raw = ["I do n't .", "a b"], ["I don't.", "a b"]
    assert _form(["I do n't .", "b a"], forms, raw) == "tokens"
    assert _form(["don't I.", "b a"], forms, raw) == "text"
    assert _form(["b", None], ["a b", "a"], ["a b", "a"]) == "text"
    # Tokenised outputs that lack words have as many as the raw text; their marks still stand alone.
    assert (
        _form(
            ["I do n't .", "do n't ."] * 2,
            ["I do n't go .", "I do n't go ."] * 2,
            ["I don't go."] * 4,
        )
        == "tokens"
    )
    assert _form(["go don't I."] * 2, ["I do n't go ."] * 2, ["I don't go."] * 2) == "text"
    # One output far off does not outvote two that are close.
    long_raw, long_forms = "x" + " y" * 50, "x ," + " y" * 50
    outputs = ["I don't.", "I don't.", " ".join("x" * 99)]
    assert (
        _form(outputs, ["I do n't .", "I do n't .", long_forms], ["I don't.", "I don't.", long_raw])
        == "text"
    )


def _form(texts: list[str | None], forms: list[str], raw: list[str]) -> str:
    return closer_form(word_counts(texts), word_counts(forms), word_counts(raw))


def _check(file: OutputFile, numbers: list[int], references: list[str]) -> None:
    check_belongs(file, numbers, in_alphabetical_order(references), "t")


def real_references(path: Path) -> tuple[list[str], list[str]]:
    file = parse_conllu(read_text(path), str(path))
    forms, texts = surface_texts(conllu_tables(file, read_heads(file)), len(file.lengths))
    arguments = [text or joined for text, joined in zip(file.texts, texts.to_pylist(), strict=True)]
    return forms.to_pylist(), arguments


@pytest.mark.parametrize(("folder", "expected"), [("tok", "tokens"), ("detok", "text")])
def test_form_of_the_real_submission(shared_data: Path, folder: str, expected: str) -> None:
    """The team's folders say which of its files are tokenised."""
    for path in sorted((shared_data / "sr19/dipinfo" / folder).glob("??_*.txt")):
        if "HIT" in path.name:
            continue
        forms, raw = real_references(shared_data / f"ud/2.3/{path.stem}-ud-test.conllu.gz")
        file = read_outputs(path)
        numbers = align(file, path.stem, [None] * len(raw))
        texts: list[str | None] = [None] * len(raw)
        for number, text in zip(numbers, file.texts, strict=True):
            texts[number - 1] = text
        assert _form(texts, forms, raw) == expected, path


@pytest.mark.parametrize(
    "treebank", ["en_ewt", "en_pud", "fr_partut", "ja_gsd", "zh_gsd", "ko_gsd", "ru_gsd"]
)
def test_foreign_and_shifted_files_are_refused_and_random_orders_are_not(
    shared_data: Path, treebank: str
) -> None:
    forms, raw = real_references(shared_data / f"ud/2.3/{treebank}-ud-test.conllu.gz")
    both = [f"{text} {words}" for text, words in zip(raw, forms, strict=True)]
    count = len(raw)
    numbers = list(range(1, count + 1))
    draw = random.Random(1)
    shuffled = [" ".join(draw.sample(words.split(), len(words.split()))) for words in forms]
    for own in (raw, forms, shuffled, [text.replace(" ", "") for text in shuffled]):
        _check(outputs(None, list(own)), numbers, both)
    for shift in (1, -1, 7, count // 2):
        moved = shuffled[shift:] + shuffled[:shift]
        with pytest.raises(InputError, match="do not resemble") as error:
            _check(outputs(None, list(moved)), numbers, both)
        assert (error.value.where or "").startswith("f:")
    # Shifted from the middle on, as a lost line does.
    half = count // 2
    with pytest.raises(InputError, match="do not resemble") as error:
        _check(outputs(None, [*raw[:half], *raw[half + 1 :], "end"]), numbers, both)
    line = int((error.value.where or "").removeprefix("f:"))
    assert line // 3 >= half - 150
    foreign = "en_pud" if treebank == "en_ewt" else "en_ewt"
    _, other = real_references(shared_data / f"ud/2.3/{foreign}-ud-test.conllu.gz")
    with pytest.raises(InputError, match="do not resemble"):
        _check(outputs(None, list(other[: min(count, 150)])), numbers, both)


def test_a_stretch_of_misplaced_outputs_is_found() -> None:
    references = [f"sentence number {number} about thing{number}" for number in range(2000)]
    numbers = list(range(1, 2001))
    moved = [*references[:900], *references[901:1101], references[900], *references[1101:]]
    _check(outputs(None, list(references)), numbers, references)
    with pytest.raises(InputError, match="do not resemble") as error:
        _check(outputs(None, list(moved)), numbers, references)
    assert error.value.where == f"f:{900 * 3 + 1}"


def test_small_files_and_poor_systems_are_not_refused() -> None:
    references = [f"sentence number {number} about thing{number}" for number in range(200)]
    numbers = list(range(1, 201))
    _check(outputs(None, ["?"] * 19), numbers[:19], references)
    poor: list[str | None] = [f"thing{n} the the" if n % 6 else "the the" for n in range(200)]
    _check(outputs(None, poor), numbers, references)
    _check(outputs(None, [None] * 200), numbers, references)


def test_outputs_in_another_script_are_refused() -> None:
    references = [f"sentence number {number}" for number in range(30)]
    with pytest.raises(InputError, match="do not resemble"):
        _check(outputs(None, ["не то"] * 30), list(range(1, 31)), references)


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
    arguments = (
        *(tokens_of(*treebank), _ranges(treebank, draw)),
        *(draw.choice([None, texts]), draw.choice([None, "en"])),
    )
    numbers = [draw.randint(1, len(treebank) + 1) for _ in range(12)]
    outputs = [
        _written(words[number - 1 : number][0], draw) if number <= len(words) else "a b"
        for number in numbers
    ]
    _check_same(arguments, numbers, outputs)


@pytest.mark.parametrize("length", [63, 64, 65, 130, 700])
def test_long_texts_are_aligned_alike(length: int) -> None:
    draw = random.Random(length)
    words = [draw.choice("abcdefgh") for _ in range(length)]
    outputs = [" ".join(draw.sample(words, length)), " ".join(words[1::2] + words[::3])]
    outputs += [_written(words, draw) for _ in range(4)]
    treebank: Sentence = [(word, word, "NOUN") for word in words]
    _check_same((tokens_of(treebank), RANGES.empty_table(), None, None), [1] * 6, outputs)


def _check_same(reference: tuple, numbers: list[int], outputs: list[str]) -> None:
    compiled, plain = ReferenceAnalyser(*reference), PlainAnalyser(*reference)
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
    taken = take_entries(pieces, one.astype(np.uint8), one, forms, strings.folded)
    analyses = words.analyses(np.unique(surfaces[taken.entries < 0]))
    take_lemmas(pieces, taken, one, forms, strings.folded, analyses, words.lemmas)
    places = [*range(len(sentence)), *[-1] * len(output)]
    most = max(
        sum(
            place >= 0 and text in sentence[place][:2]
            for text, place in zip(output, order, strict=True)
        )
        for order in permutations(places, len(output))
    )
    having = [place for place in taken.own.tolist() if place >= 0]
    assert len(having) == len({*having}) == most
    assert all(
        text in sentence[place][:2]
        for text, place in zip(output, taken.own.tolist(), strict=True)
        if place >= 0
    )
