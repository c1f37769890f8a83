"""The reference analyser: words, lemmas and punctuation found with the help of the reference."""

from __future__ import annotations

import random
import sys
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.analysers import (
    ANALYSIS_SCHEMA,
    Analyser,
    characters_tag,
    create_analyser,
    is_punctuation,
    lexicon,
)
from sr_tracker.ingest.analysers.reference import ReferenceAnalyser
from sr_tracker.ingest.analysers.segmentation import segment
from tests.ingest.accuracy import measure_accuracy

TOKENS = pa.schema(
    [
        ("sentence_no", pa.int32()),
        ("token_no", pa.int32()),
        ("form", pa.string()),
        ("lemma", pa.string()),
        ("upos", pa.string()),
        ("deprel", pa.string()),
    ]
)
RANGES = pa.schema(
    [
        ("sentence_no", pa.int32()),
        ("first_token_no", pa.int32()),
        ("last_token_no", pa.int32()),
        ("form", pa.string()),
    ]
)
Sentence = list[tuple[str, str | None, str]]  # form, lemma, upos


def tokens_of(*sentences: Sentence) -> pa.Table:
    rows = [
        (number, token_no, form, lemma, upos, "punct" if upos == "PUNCT" else "dep")
        for number, sentence in enumerate(sentences, start=1)
        for token_no, (form, lemma, upos) in enumerate(sentence, start=1)
    ]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in TOKENS]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, TOKENS, strict=True)]
    return pa.table(arrays, schema=TOKENS)


def analyser_of(
    *sentences: Sentence,
    ranges: list[tuple[int, int, int, str]] | None = None,
    language: str | None = None,
) -> Analyser:
    names = RANGES.names
    rows = [dict(zip(names, row, strict=True)) for row in ranges or []]
    return create_analyser(
        "reference",
        tokens=tokens_of(*sentences),
        multiword_tokens=pa.Table.from_pylist(rows, schema=RANGES),
        language=language,
        model=None,
    )


def analyse(analyser: Analyser, text: str, sentence_no: int = 1) -> list[dict[str, object]]:
    table = analyser.analyse(pa.array([sentence_no], pa.int32()), pa.array([text], pa.string()))
    assert table.schema.equals(ANALYSIS_SCHEMA)
    table.validate(full=True)
    rows: list[dict[str, object]] = table.to_pylist()
    return rows


def pairs(rows: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["form"], row["lemma"]) for row in rows]


SAW = [
    ("I", "I", "PRON"),
    ("saw", "see", "VERB"),
    ("the", "the", "DET"),
    ("saw", "saw", "NOUN"),
    (",", ",", "PUNCT"),
    ("Bill", "Bill", "PROPN"),
    ("'s", "be", "AUX"),
    (".", ".", "PUNCT"),
]


def test_repeated_forms_take_their_own_lemmas_in_order() -> None:
    rows = analyse(analyser_of(SAW), "I saw the saw, Bill's.")
    assert pairs(rows) == [(form, lemma) for form, lemma, _ in SAW]
    assert [row["upos"] for row in rows] == [upos for *_, upos in SAW]
    assert [row["position"] for row in rows] == [1, 2, 3, 4, None, 5, 6, None]
    assert [row["token_no"] for row in rows] == list(range(1, 9))
    assert {row[name] for row in rows for name in ("xpos", "feats", "head", "deprel")} == {None}


def test_same_case_goes_first_and_other_case_still_matches() -> None:
    sentence = [("Will", "Will", "PROPN"), ("will", "will", "AUX"), ("go", "go", "VERB")]
    assert pairs(analyse(analyser_of(sentence), "will Will GO")) == [
        ("will", "will"),
        ("Will", "Will"),
        ("GO", "go"),
    ]
    assert [row["upos"] for row in analyse(analyser_of(sentence), "will will")] == ["AUX", "PROPN"]


def test_words_in_the_order_of_the_reference_keep_their_readings() -> None:
    sentence = [("A", "A", "NOUN"), ("a", "to", "ADP"), ("b", "b", "X"), ("a", "the", "DET")]
    rows = analyse(analyser_of([*sentence, ("c", "c", "X")]), "x b a c A a")
    assert [row["lemma"] for row in rows] == ["x", "b", "the", "c", "A", "to"]


def test_an_uninflected_lemma_takes_the_word_that_is_still_free() -> None:
    sentence = [("Mice", "Mouse", "NOUN"), ("were", "be", "AUX"), ("eating", "eat", "VERB")]
    rows = analyse(analyser_of(sentence), "mouse be eat")
    assert [(row["form"], row["lemma"], row["upos"]) for row in rows] == [
        ("mouse", "Mouse", "NOUN"),
        ("be", "be", "AUX"),
        ("eat", "eat", "VERB"),
    ]


def test_a_form_that_is_a_lemma_too_leaves_its_word_where_it_is_the_only_one() -> None:
    sentence = [("saw", "see", "VERB"), ("saws", "saw", "NOUN"), ("is", "be", "AUX")]
    analyser = analyser_of([*sentence, ("seen", "see", "VERB")])
    for text in ("saw see be see", "be see see saw", "see be saw see"):
        assert [row["lemma"] for row in analyse(analyser, text)] == text.split()
    # A form alone stays a form, and a form that comes too often is a lemma that is still free.
    assert [row["lemma"] for row in analyse(analyser, "saw is")] == ["see", "be"]
    assert [row["lemma"] for row in analyse(analyser, "saw is saw")] == ["see", "be", "saw"]


def test_lemmas_as_outputs_are_read_in_their_order() -> None:
    # Hebrew writes words together (habayit, "the house"), and its lemmas are others' forms.
    sentence = [
        ("b", "a", "X"),
        ("a", "b", "X"),
        ("c", "cd", "X"),
        ("d", "d", "X"),
        ("cd", "e", "X"),
    ]
    analyser = analyser_of(sentence, ranges=[(1, 3, 4, "cd")])
    assert [row["lemma"] for row in analyse(analyser, "a b cd d e")] == ["a", "b", "cd", "d", "e"]


def test_another_inflection_is_traced_to_the_reference_word() -> None:
    sentence = [("HOUSES", "HOUSE", "NOUN"), ("went", "go", "VERB")]
    rows = analyse(analyser_of(sentence, language="en"), "house goes")
    assert [(row["lemma"], row["upos"]) for row in rows] == [("HOUSE", "NOUN"), ("go", "VERB")]


def test_lexicon_then_simplemma_then_lowercase() -> None:
    other = [("Wolves", "wolf", "NOUN"), ("wolves", "wolf", "NOUN"), ("WOLVES", "W.", "PROPN")]
    analyser = analyser_of([("a", "a", "DET")], other, language="en")
    rows = analyse(analyser, "wOLVES children Blorgs")
    assert [row["lemma"] for row in rows] == ["wolf", "child", "blorgs"]
    assert [row["upos"] for row in rows] == ["NOUN", None, None]
    unknown_language = analyser_of([("a", "a", "DET")], language="xx")
    assert [row["lemma"] for row in analyse(unknown_language, "Children")] == ["children"]


@pytest.mark.parametrize("left", [None, b"", b"half of a dictionary", b"abellugues\tabellugar\n"])
def test_a_dictionary_is_kept_unpacked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left: bytes | None
) -> None:
    """What is damaged or not there is unpacked anew; where nothing may be kept, each time."""
    unpack = lexicon.KeptDictionaries.get_dictionary.__wrapped__
    monkeypatch.setattr(lexicon, "CACHE", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    unpacked = unpack("ast")
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert unpack("ast") == unpacked
    (files,) = tmp_path.iterdir()
    if left is not None:
        files.write_bytes(left)
    assert set(unpack("ast")) == set(unpacked)
    assert files.read_bytes() != left
    lemmas = unpack("ast")
    for word in ("", "\0", "\u10ff", "abellugues\tabellugar", *islice(unpacked, 0, None, 100)):
        assert lemmas.get(word) == unpacked.get(word)
    files.rename(tmp_path.parent / files.name)
    with pytest.raises(ValueError, match="ast"):
        unpack("../ast")
    monkeypatch.setattr(lexicon, "CACHE", tmp_path / "missing")
    assert unpack("ast") == unpacked


def test_lexicon_ties_do_not_depend_on_the_order_of_the_treebank() -> None:
    first = [("bear", "bear", "NOUN")]
    second = [("bear", "bear", "VERB")]
    for sentences in ([first, second], [second, first]):
        rows = analyse(analyser_of(*sentences), "bear", sentence_no=9)
        assert [row["upos"] for row in rows] == ["NOUN"]


FRENCH = [
    ("La", "le", "DET"),
    ("fin", "fin", "NOUN"),
    ("de", "de", "ADP"),
    ("le", "le", "DET"),
    ("match", "match", "NOUN"),
    (".", ".", "PUNCT"),
]


@pytest.mark.parametrize("text", ["la fin du match.", "La fin Du match ."])
def test_a_contraction_is_split_into_its_words(text: str) -> None:
    analyser = analyser_of(FRENCH, ranges=[(1, 3, 4, "du")])
    lemmas = [row["lemma"] for row in analyse(analyser, text)]
    assert lemmas == ["le", "fin", "de", "le", "match", "."]


def test_contraction_words_written_apart_and_contractions_of_other_sentences() -> None:
    analyser = analyser_of(FRENCH, [("match", "match", "NOUN")], ranges=[(1, 3, 4, "du")])
    assert [row["form"] for row in analyse(analyser, "fin de le match")] == [
        "fin",
        "de",
        "le",
        "match",
    ]
    assert pairs(analyse(analyser, "du match,", sentence_no=2))[:3] == [
        ("de", "de"),
        ("le", "le"),
        ("match", "match"),
    ]


def test_detached_clitics_are_cut_as_the_treebank_cuts_them() -> None:
    sentence = [("do", "do", "AUX"), ("n't", "not", "PART"), ("go", "go", "VERB")]
    analyser = analyser_of(sentence, [("does", "do", "AUX")])
    assert pairs(analyse(analyser, "don't go")) == [("do", "do"), ("n't", "not"), ("go", "go")]
    assert pairs(analyse(analyser, "Don’t")) == [("Do", "do"), ("n’t", "not")]
    assert pairs(analyse(analyser, "doesn't", sentence_no=2)) == [("does", "do"), ("n't", "not")]


def test_words_written_together_are_learned_where_the_treebank_says_so() -> None:
    sentence = [("can", "can", "AUX"), ("not", "not", "PART"), ("go", "go", "VERB")]
    tokens = tokens_of(sentence, [("stay", "stay", "VERB")])
    space_after = pa.array([False, True, True, True])
    for table, expected in [
        (tokens, ["cannot", "stay"]),
        (tokens.append_column("space_after", space_after), ["can", "not", "stay"]),
    ]:
        analyser = create_analyser(
            "reference",
            tokens=table,
            multiword_tokens=RANGES.empty_table(),
            language=None,
            model=None,
        )
        assert [row["form"] for row in analyse(analyser, "cannot stay", 2)] == expected


def test_words_that_an_output_glues_are_one_word_however_it_is_written() -> None:
    """Neighbours of the reference, and what it writes as a multiword token, in words and text."""
    spanish = [("estaba", "estar", "AUX"), ("en", "en", "ADP"), ("de", "de", "ADP")]
    tokens = tokens_of([*spanish, ("el", "el", "DET"), ("bar", "bar", "NOUN")])
    ranges = pa.Table.from_pylist(
        [dict(zip(RANGES.names, (1, 3, 4, "del"), strict=True))], schema=RANGES
    )
    analyser = create_analyser(
        "reference", tokens=tokens, multiword_tokens=ranges, language=None, model=None
    )
    for text, expected in [
        ("estabaen de el bar", ["estabaen", "de", "el", "bar"]),
        ("estabaen del bar", ["estabaen", "de", "el", "bar"]),
        ("estaba ende el bar", ["estaba", "ende", "el", "bar"]),
        ("estaba en delbar", ["estaba", "en", "delbar"]),
        ("estaba en de elbar", ["estaba", "en", "de", "elbar"]),
        ("estaba, en del bar", ["estaba", ",", "en", "de", "el", "bar"]),
    ]:
        assert [row["form"] for row in analyse(analyser, text)] == expected


def test_text_without_blanks_is_cut_by_the_sentence_before_the_treebank() -> None:
    sentence = [
        ("日", "日", "NOUN"),
        ("本", "本", "NOUN"),
        ("語", "語", "NOUN"),
        ("。", "。", "PUNCT"),
    ]
    other = [("日本", "日本", "PROPN"), ("2004", "2004", "NUM")]
    analyser = analyser_of(sentence, other)
    assert [row["form"] for row in analyse(analyser, "本日語。")] == ["本", "日", "語", "。"]
    assert [row["form"] for row in analyse(analyser, "2004日本ABC語", 2)] == [
        "2004",
        "日本",
        "ABC",
        "語",
    ]


def test_reference_forms_with_blanks_stay_whole() -> None:
    sentence = [("20 000", "20000", "NUM"), (": )", ":)", "SYM"), (".", ".", "PUNCT")]
    analyser = analyser_of(sentence)
    expected = [("20 000", "20000"), (": )", ":)"), (".", ".")]
    assert pairs(analyse(analyser, "20 000 : ) .")) == expected
    assert pairs(analyse(analyser, ": ) 20\u00a0000.")) == [expected[1], expected[0], expected[2]]
    assert [row["form"] for row in analyse(analyser, "120 000")] == ["120", "000"]


def test_dirt_of_real_outputs() -> None:
    rows = analyse(analyser_of([("a", "a", "DET")]), "# $ 5% -- a")
    assert [(row["form"], row["position"], row["upos"]) for row in rows] == [
        ("#", None, "PUNCT"),
        ("$", 1, "SYM"),
        ("5", 2, "NUM"),
        ("%", None, "PUNCT"),
        ("--", None, "PUNCT"),
        ("a", 3, "DET"),
    ]


def test_the_relation_decides_what_is_punctuation() -> None:
    tokens = tokens_of([("%", "%", "SYM"), ("-", "-", "PUNCT")])
    tokens = tokens.set_column(5, "deprel", pa.array(["obj", "case"]))
    analyser = create_analyser(
        "reference", tokens=tokens, multiword_tokens=RANGES.empty_table(), language=None, model=None
    )
    assert [row["position"] for row in analyse(analyser, "% -")] == [1, 2]
    assert is_punctuation("x", "NOUN", "punct:sub")
    assert is_punctuation("x", "PUNCT", None)
    assert not is_punctuation(".", "SYM", None)
    assert is_punctuation("``", None, None)
    assert characters_tag("€") == "SYM"
    assert characters_tag("3/4") == "NUM"
    assert characters_tag("a.") is None


@pytest.mark.parametrize("text", ["", " ", "\t\n\u3000"])
def test_blank_text_gives_no_rows(text: str) -> None:
    assert analyse(analyser_of(SAW), text) == []


def test_no_outputs_give_an_empty_table() -> None:
    table = analyser_of(SAW).analyse(pa.array([], pa.int32()), pa.array([], pa.string()))
    assert table.num_rows == 0
    assert table.schema.equals(ANALYSIS_SCHEMA)


def test_the_form_stands_for_a_lemma_that_is_missing() -> None:
    sentence: Sentence = [("Houses", None, "NOUN"), ("house", None, "NOUN")]
    rows = analyse(analyser_of(sentence, language="en"), "Houses house houses mice")
    assert [row["lemma"] for row in rows] == ["Houses", "house", "Houses", "mice"]
    analyser = analyser_of([*sentence, ("a", "a", "DET")], language="en")
    assert pairs(analyse(analyser, "Houses mice")) == [("Houses", "Houses"), ("mice", "mouse")]


def test_the_version_names_the_lemmatiser() -> None:
    analyser = analyser_of(SAW)
    assert analyser.name == "reference"
    assert analyser.version.startswith("reference/3+simplemma-")


words = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1, max_size=6)
sentences = st.lists(st.tuples(words, words, st.sampled_from(["NOUN", "VERB"])), min_size=1)


@given(sentences, st.randoms())
def test_any_order_of_the_reference_words_gives_them_back(
    sentence: Sentence, rng: random.Random
) -> None:
    shuffled = sentence.copy()
    rng.shuffle(shuffled)
    rows = analyse(analyser_of(sentence), " ".join(form for form, *_ in shuffled))
    assert sorted((r["form"], r["lemma"], r["upos"]) for r in rows) == sorted(sentence)
    assert [row["form"] for row in rows] == [form for form, *_ in shuffled]
    assert [row["position"] for row in rows] == list(range(1, len(rows) + 1))


@settings(max_examples=300)
@given(sentences, st.text(st.characters(exclude_categories=["Cs", "Co", "Cn"])))
def test_no_character_of_a_text_is_lost(sentence: Sentence, text: str) -> None:
    forms = [str(row["form"]) for row in analyse(analyser_of(sentence), text)]
    assert "".join(forms) == "".join(text.split())
    assert all(forms)


@given(st.text(min_size=1).filter(lambda text: not any(map(str.isspace, text))))
def test_segments_make_up_the_text(text: str) -> None:
    parts = segment(text, lambda form: 1.0 if len(form) == 2 else None, "-", {"'s", "n't"}, 4, 4)
    assert "".join(parts) == text
    assert all(parts)


@pytest.mark.parametrize("piece", ["漢字之", "!", "!?-", "a1", "don't", "a-", "a.b", "ab@", "1,"])
def test_long_text_without_blanks_is_cut_in_linear_time(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    analyser = analyser_of([("do", "do", "AUX"), ("n't", "not", "PART"), ("漢字", "漢字", "NOUN")])
    assert "".join(str(row["form"]) for row in analyse(analyser, text)) == text


@given(
    st.text(st.sampled_from("aAé'’19.-,:!?@漢字の "), max_size=16),
    st.dictionaries(
        st.text("aé'19-!漢", min_size=1, max_size=5), st.sampled_from([1.0, 2.25, 2.5])
    ),
)
def test_words_farther_apart_than_the_longest_known_need_no_look(
    text: str, words: dict[str, float]
) -> None:
    text = "".join(text.split()) or "a"
    longest = max((len(word) for word in words if "漢" in word), default=1)
    reach = max(map(len, words), default=1)
    parts = segment(text, words.get, "-", set(), longest, reach)
    assert parts == segment(text, words.get, "-", set(), longest, len(text))


def test_accuracy_counts() -> None:
    gold = tokens_of([("Mice", "mouse", "NOUN"), ("ran", "run", "VERB"), (".", None, "PUNCT")])
    analyser = analyser_of([("mice", "MOUSE", "NOUN"), ("ran", "run", "VERB")])
    accuracy = measure_accuracy(analyser, pa.array([1], pa.int32()), pa.array(["mice ran!"]), gold)
    assert accuracy.token_f1 == pytest.approx(2 * 2 / (3 + 3))
    assert accuracy.lemma_accuracy == pytest.approx(1 / 2)
    nothing = measure_accuracy(analyser, pa.array([7], pa.int32()), pa.array([""]), gold)
    assert nothing.token_f1 is None
    assert nothing.lemma_accuracy is None


@settings(deadline=None)
@given(
    st.lists(st.none() | st.text(alphabet="aB. -'\u00e9\u3042\u00a0\n", max_size=12), max_size=6)
)
def test_without_words_of_references_nothing_is_compiled_and_words_are_the_same(
    texts: list[str | None],
) -> None:
    analyser = analyser_of(language="en")
    assert isinstance(analyser, ReferenceAnalyser)
    numbers, outputs = pa.array(range(len(texts)), pa.int32()), pa.array(texts, pa.string())
    assert analyser._guides.without_words
    alone = analyser.analyse(numbers, outputs)
    analyser._guides.without_words = False
    assert alone.equals(analyser.analyse(numbers, outputs))
