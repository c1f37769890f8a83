"""Corpora of corrected errors: read strictly, corrected in four ways, and what metrics see."""

from __future__ import annotations

import csv
import gzip
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.grammar.plain_gec as plain
from sr_tracker.ingest.grammar.corrected_corpus import parse_texts, read_corpus, read_parse
from sr_tracker.ingest.grammar.rule_files import import_rules
from sr_tracker.ingest.scores.elsewhere import read_scores
from sr_tracker.queries.grammar.correction import (
    VARIANTS,
    accept,
    apply_edits,
    identify_errors,
    morphology_types,
    score_variants,
    type_rows,
    variant_rows,
)
from sr_tracker.schema.errors import InputError, TrackerError, UnknownNameError
from sr_tracker.schema.grammar import M2File, Parse
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import commands
from tests.building import written

FORM = frozenset({"FORM"})
RULES = "\n".join(
    [
        "xx\trules\tagreement\tmod-ADJ-NOUN\tNumber",
        "xx\trules\tagreement\tmod-ADJ-NOUN\tCase",
        "xx\trules\tagreement\tmod-NOUN-ADJ\tNumber",
        "xx\trules\targstruct\tobj-NOUN-VERB\tCase\tAcc\t-",
        "xx\trules\targstruct\tobj-NOUN-VERB\tVerbForm\t-\tFin",
    ]
)


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    """A database with a rule set 'rules'."""
    path = written(tmp_path_factory.mktemp("rules") / "rules.txt", RULES + "\n")
    tracker = connect(None)
    import_rules(tracker.database, path, name="rules", language="xx", scheme="sud")
    return tracker


def m2(folder: Path, text: str, name: str = "a.m2") -> M2File:
    path = written(folder / name, text)
    return read_corpus(path)


def edit(start: int, end: int, kind: str, correction: str, annotator: int = 0) -> str:
    return f"A {start} {end}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{annotator}\n"


def noop(annotator: int = 0) -> str:
    return edit(-1, -1, "noop", "-NONE-", annotator)


def word(number: int, form: str, upos: str, feats: str, head: int, deprel: str) -> str:
    return f"{number}\t{form}\t_\t{upos}\t_\t{feats or '_'}\t{head}\t{deprel}\t_\t_\n"


def parsed(folder: Path, text: str, file: M2File) -> Parse:
    path = written(folder / "parsed.conllu", text)
    return read_parse(path, file)


# Reading


def test_sentences_edits_and_annotators(tmp_path: Path) -> None:
    text = "S # 0002\n" + noop(0) + noop(1) + "\nS a b  \n" + edit(1, 2, "FORM", "c d||e", 1) + "\n"
    text += "S c\n\n\n"
    path = written(tmp_path / "a.m2.gz", gzip.compress(text.encode()))
    file = read_corpus(path)
    assert [sentence.tokens for sentence in file.sentences] == [("#", "0002"), ("a", "b"), ("c",)]
    assert [sorted(sentence.annotators) for sentence in file.sentences] == [[0, 1], [1], [0, 1]]
    assert list(file.annotators) == [0, 1]
    (edits,) = file.sentences[1].edits
    assert (edits.start, edits.end, edits.type, edits.correction) == (1, 2, "FORM", ("c", "d"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "no sentences"),
        ("\n\n", None, "no sentences"),
        ("S a\nB b\n", 2, "neither a sentence"),
        ("Satz\n", 1, "neither a sentence"),
        (edit(0, 1, "X", "b"), 1, "belongs to no sentence"),
        ("S a\n\n" + noop(), 3, "belongs to no sentence"),
        ("S a\nS b\n", 2, "second sentence"),
        ("S \n", 1, "one blank each"),
        ("S a  b\n", 1, "one blank each"),
        ("S a\tb\n", 1, "one blank each"),
        ("S a\nA 0 1|||X|||b\n", 2, "no edit"),
        ("S a\nA 0|||X|||b|||REQUIRED|||-NONE-|||0\n", 2, "no edit"),
        ("S a\n" + edit(0, 2, "X", "b"), 2, "goes beyond"),
        ("S a\n" + edit(1, 0, "X", "b"), 2, "goes beyond"),
        ("S a\n" + edit(-1, -1, "X", "b"), 2, "noop"),
        ("S a\n" + edit(0, 1, "noop", "b"), 2, "noop"),
        ("S a\nA 0 1|||X|||b|||REQUIRED|||-NONE-|||x\n", 2, "no annotator"),
        ("S a\n" + noop() + edit(0, 1, "X", "b"), 3, "says noop"),
        ("S a b\n" + edit(0, 2, "X", "c") + edit(1, 2, "X", "d"), 3, "overlaps"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        m2(tmp_path, text)
    place = tmp_path / "a.m2"
    assert caught.value.where == (f"{place}:{line}" if line else str(place))


def test_edits_of_several_annotators_may_overlap(tmp_path: Path) -> None:
    file = m2(tmp_path, "S a b\n" + edit(0, 2, "X", "c", 0) + edit(1, 2, "X", "d", 1))
    assert len(file.sentences[0].edits) == 2


# Types and variants


def test_types_by_preset_and_pattern(tmp_path: Path) -> None:
    edits = edit(0, 1, "R:DET:FORM", "x") + edit(1, 1, "M:DET", "y") + edit(1, 3, "R:MORPH", "z")
    file = m2(tmp_path, "S a b c\n" + edits)
    assert morphology_types(file, ["falko-merlin"]) == {"R:DET:FORM"}
    assert morphology_types(file, ["falko-merlin", "R:MORPH"]) == {"R:DET:FORM", "R:MORPH"}
    with pytest.raises(UnknownNameError, match="'ua-gec'") as caught:
        morphology_types(file, ["ua-gec"])
    assert "R:DET:FORM" in str(caught.value.hint)
    rows = type_rows(file, frozenset({"R:MORPH"})).to_pylist()
    assert [(r["type"], r["morphology"], r["tokens"], r["insertions"]) for r in rows] == [
        ("M:DET", False, 0, 1),
        ("R:DET:FORM", False, 1, 0),
        ("R:MORPH", True, 2, 0),
    ]


def test_types_of_rulec_gec_are_the_papers_choice(tmp_path: Path) -> None:
    """Appendix A.3: case, number, gender, person, aspect, voice, tense, other, and word form."""
    wrong = {
        "Сущ.:Падеж": ("книги", "книгу"),
        "Прил.:Род": ("новый", "новую"),
        "Глагол:Число/Лицо": ("читаю", "читает"),
        "Глагол:Вид": ("читать", "прочитать"),
        "Лексика:морф.": ("читальную", "читаемую"),
        "Предлог": ("в", "на"),
        "Орфография": ("столь", "столе"),
    }
    source = " ".join(old for old, _ in wrong.values())
    edits = (edit(n, n + 1, kind, new) for n, (kind, (_, new)) in enumerate(wrong.items()))
    file = m2(tmp_path, f"S {source}\n" + "".join(edits))
    types = morphology_types(file, ["rulec-gec"])
    assert types == set(wrong) - {"Предлог", "Орфография"}
    (row,) = (row for row in variant_rows(file, types).to_pylist() if row["variant"] == "rest")
    assert row["text"] == "книги новый читаю читать читальную на столе"


def test_the_four_variants(tmp_path: Path) -> None:
    edits = edit(0, 0, "OTHER", "so ,") + edit(0, 0, "OTHER", "nun") + edit(0, 1, "FORM", "eine")
    edits += edit(1, 2, "OTHER", "") + edit(2, 3, "UNK", "-NONE-") + noop(1)
    rows = variant_rows(m2(tmp_path, "S ein sehr Frau\n" + edits), FORM).to_pylist()
    computed = {(row["annotator"], row["variant"]): row["text"] for row in rows}
    assert computed == {
        (0, "source"): "ein sehr Frau",
        (0, "target"): "so , nun eine Frau",
        (0, "morph"): "eine sehr Frau",
        (0, "rest"): "so , nun ein Frau",
        **{(1, variant): "ein sehr Frau" for variant in VARIANTS},
    }


@st.composite
def corrected_sentences(draw: st.DrawFn) -> tuple[str, list[str]]:
    """An M2 sentence, and its target: kept tokens, and edits between or over them."""
    source: list[str] = ["start"]
    target: list[str] = ["start"]
    lines = []
    for old, new, kind in draw(
        st.lists(
            st.tuples(
                st.lists(st.sampled_from("abc"), max_size=2),
                st.none() | st.lists(st.sampled_from(["x", "y\u00a0y"]), max_size=2),
                st.sampled_from(["FORM", "OTHER"]),
            ),
            max_size=6,
        )
    ):
        start = len(source)
        source += old
        target += old if new is None else new
        if new is not None:
            lines.append(edit(start, len(source), kind, " ".join(new)))
    lines = (
        draw(st.permutations(lines))
        if len({x.split("|")[0] for x in lines}) == len(lines)
        else lines
    )
    return f"S {' '.join(source)}\n{''.join(lines)}\n", target


@given(corrected_sentences())
def test_edits_make_the_target_in_whatever_order_they_stand(
    tmp_path: Path, drawn: tuple[str, list[str]]
) -> None:
    text, target = drawn
    file = m2(tmp_path, text)
    rows = {row["variant"]: row["text"] for row in variant_rows(file, FORM).to_pylist()}
    assert rows["target"] == " ".join(target)
    assert rows["source"] == text.split("\n")[0][2:]
    everything = frozenset({"FORM", "OTHER"})
    all_morphology = {r["variant"]: r["text"] for r in variant_rows(file, everything).to_pylist()}
    assert all_morphology["morph"] == rows["target"]
    assert all_morphology["rest"] == rows["source"]


def test_no_edit_leaves_tokens_alone() -> None:
    assert apply_edits(("a", "b"), []) == ["a", "b"]


# Algorithm 1


def identified(tracker: Tracker, file: M2File, parse: Parse) -> dict[tuple[str, str], Any]:
    rows = identify_errors(tracker.database, "rules", file, parse, FORM).to_pylist()
    return {(row["annotator"], row["rules"]): row for row in rows}


# alte Männer sehen Hund: the first link breaks Number and Case, the third breaks Case (Dat).
TREE = (
    word(1, "alte", "ADJ", "Case=Acc|Number=Sing", 2, "mod")
    + word(2, "Männer", "NOUN", "Case=Nom|Number=Plur", 3, "subj")
    + word(3, "sehen", "VERB", "VerbForm=Fin", 0, "root")
    + word(4, "Hund", "NOUN", "Case=Dat|Number=Sing", 3, "obj")
    + "\n"
)


@pytest.mark.parametrize(
    ("gold", "agreement", "argument", "everything"),
    [
        # Nothing is in error: each broken link is half a false positive at either end.
        ((), (0, 1.0, 0), (0, 1.0, 0), (0, 2.0, 0)),
        # The adjective: found; its noun is no false positive, as the adjective is in error.
        ((1,), (1, 0.0, 0), (0, 1.0, 1), (1, 1.0, 0)),
        # Both ends of one link: two true positives.
        ((1, 2), (2, 0.0, 0), (0, 1.0, 2), (2, 1.0, 0)),
        # The verb: the link to its object finds it, agreement does not.
        ((3,), (0, 1.0, 1), (1, 0.0, 0), (1, 1.0, 0)),
        ((2, 4), (1, 0.0, 1), (1, 0.0, 1), (2, 0.0, 0)),
    ],
)
def test_algorithm_1_counted_by_hand(
    tracker: Tracker,
    tmp_path: Path,
    gold: tuple[int, ...],
    agreement: tuple[int, float, int],
    argument: tuple[int, float, int],
    everything: tuple[int, float, int],
) -> None:
    edits = "".join(edit(token - 1, token, "FORM", "x") for token in gold)
    file = m2(tmp_path, "S alte Männer sehen Hund\n" + edits + edit(2, 2, "FORM", "insertion"))
    computed = identified(tracker, file, parsed(tmp_path, TREE, file))
    for kind, expected in zip(
        ("agreement", "argument_structure", "all"), (agreement, argument, everything), strict=True
    ):
        row = computed["0", kind]
        tp, fp, fn = expected
        assert (row["tp"], row["fp"], row["fn"]) == expected
        assert row["precision"] == (tp / (tp + fp) if tp + fp else None)
        assert row["recall"] == (tp / (tp + fn) if tp + fn else None)
        assert (row["reason"] is None) == (None not in (row["precision"], row["recall"]))


def test_each_rule_counts_for_itself(tracker: Tracker, tmp_path: Path) -> None:
    file = m2(tmp_path, "S alte Männer sehen Hund\n" + edit(0, 1, "FORM", "x"))
    parse = parsed(tmp_path, TREE, file)
    rows = identify_errors(tracker.database, "rules", file, parse, FORM, by="rule").to_pylist()
    assert {row["rules"]: (row["tp"], row["fp"], row["fn"]) for row in rows} == {
        "mod-ADJ-NOUN:Case": (1, 0.0, 0),
        "mod-ADJ-NOUN:Number": (1, 0.0, 0),
        "mod-NOUN-ADJ:Number": (0, 0.0, 1),
        "obj-NOUN-VERB:Case@dependent": (0, 1.0, 1),
        "obj-NOUN-VERB:VerbForm@head": (0, 0.0, 1),
    }
    assert {row["tokens"] for row in rows} == {4}


def test_annotators_and_any_of_them(tracker: Tracker, tmp_path: Path) -> None:
    text = "S alte Männer sehen Hund\n" + edit(0, 1, "FORM", "x", 0) + edit(3, 4, "FORM", "x", 1)
    file = m2(tmp_path, text + "\nS alte Männer sehen Hund\n" + edit(0, 1, "OTHER", "x", 1))
    computed = identified(tracker, file, parsed(tmp_path, TREE * 2, file))
    counts = {name: tuple(computed[name, "all"][x] for x in ("tp", "fp", "fn")) for name in "01"}
    # Annotator 0 has no line for the second sentence: it does not count for them.
    assert counts == {"0": (1, 1.0, 0), "1": (1, 3.0, 0)}
    assert [computed[name, "all"]["sentences"] for name in ("0", "1", "any")] == [1, 2, 2]
    row = computed["any", "all"]
    assert (row["tp"], row["fp"], row["fn"]) == (2, 2.0, 0)


def test_words_of_a_multiword_token_are_its_token(tracker: Tracker, tmp_path: Path) -> None:
    tree = (
        word(1, "schön", "ADJ", "Number=Sing", 3, "mod")
        + "2-3\tvomHaus\t_\t_\t_\t_\t_\t_\t_\t_\n"
        + word(2, "vom", "ADJ", "Number=Sing", 3, "mod")
        + word(3, "Haus", "NOUN", "Number=Plur", 0, "root")
        + "\n"
    )
    file = m2(tmp_path, "S schön vomHaus\n" + edit(1, 2, "FORM", "x"))
    row = identified(tracker, file, parsed(tmp_path, tree, file))["0", "all"]
    # The link inside the token has one end only; the other link is found at both.
    assert (row["tp"], row["fp"], row["fn"]) == (1, 0.0, 0)


@st.composite
def documents(draw: st.DrawFn) -> list[plain.Sentence]:
    document = []
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 6))
        numbers = st.sets(st.integers(1, length))
        heads = [0, *(draw(st.integers(1, number - 1)) for number in range(2, length + 1))]
        broken = {token for token in draw(numbers) if heads[token - 1]}
        document.append(plain.Sentence(heads, broken, draw(numbers)))
    return document


@settings(max_examples=12)
@given(documents())
def test_algorithm_1_is_that_of_a_plain_reading(
    tracker: Tracker, tmp_path: Path, document: list[plain.Sentence]
) -> None:
    text, trees = "", ""
    for sentence in document:
        text += "S " + " ".join("w" for _ in sentence.heads) + "\n"
        text += "".join(edit(token - 1, token, "FORM", "x") for token in sorted(sentence.gold))
        text += "\n"
        depth = [0]
        for token, head in enumerate(sentence.heads, start=1):
            depth.append(depth[head] + 1 if head else 0)
            # Parts of speech alternate downwards, so that every link has a rule; a broken link
            # turns the number of the words below it around.
            turned = 0
            up = token
            while up:
                turned += up in sentence.broken
                up = sentence.heads[up - 1]
            upos = ("NOUN", "ADJ")[depth[-1] % 2]
            number = ("Sing", "Plur")[turned % 2]
            trees += word(token, "w", upos, f"Number={number}", head, "mod" if head else "root")
        trees += "\n"
    file = m2(tmp_path, text)
    row = identified(tracker, file, parsed(tmp_path, trees, file))["0", "agreement"]
    assert (row["tp"], row["fp"], row["fn"]) == plain.counts(document)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (TREE * 2, None, "2 sentences are not the 1"),
        (
            TREE.replace(word(4, "Hund", "NOUN", "Case=Dat|Number=Sing", 3, "obj"), ""),
            1,
            "3 tokens",
        ),
        (TREE.replace("Hund", "Hunde"), 1, "'Hunde' is not 'Hund'"),
        (TREE.replace("ADJ", "_").replace("NOUN", "_").replace("VERB", "_"), None, "no word has"),
    ],
)
def test_other_parses_are_refused(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    file = m2(tmp_path, "S alte Männer sehen Hund\n")
    with pytest.raises(InputError, match=message) as caught:
        parsed(tmp_path, text, file)
    place = tmp_path / "parsed.conllu"
    assert caught.value.where == (f"{place}:{line}" if line else str(place))


# Acceptability


def scores_file(path: Path, rows: list[dict[str, object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_strict_inequality_over_pairs_that_differ(tracker: Tracker, tmp_path: Path) -> None:
    one = edit(0, 1, "FORM", "x") + edit(1, 2, "OTHER", "y")
    file = m2(
        tmp_path, f"S a b\n{one}\nS a b\n{edit(0, 1, 'FORM', 'x')}\nS a b\n{noop()}\nS a b\n{one}"
    )
    variants = variant_rows(file, FORM)
    # Sentence 1: every correction helps; 2: a tie; 3 has no pair; 4 has no score for its target.
    helped = {"source": 3.0, "morph": 2.0, "rest": 2.5, "target": 1.0}
    rows: list[dict[str, object]] = [
        {
            "sentence": row["sentence"],
            "variant": row["variant"],
            "metric": "perplexity",
            "score": {
                1: helped[row["variant"]],
                4: None if row["variant"] == "target" else helped[row["variant"]],
            }.get(row["sentence"], 2.0),
        }
        for row in variants.to_pylist()
    ]
    scores = read_scores(scores_file(tmp_path / "ppl.csv", rows), variants)
    result = accept(tracker.database, variants, [scores], ["perplexity"]).to_pylist()
    computed = {
        (row["worse"], row["better"]): [
            row[x] for x in ("pairs", "correct", "wrong", "ties", "unscored")
        ]
        for row in result
    }
    assert computed == {
        ("source", "target"): [3, 1, 0, 1, 1],
        ("source", "morph"): [3, 2, 0, 1, 0],
        ("source", "rest"): [2, 2, 0, 0, 0],
        ("morph", "target"): [2, 1, 0, 0, 1],
        ("rest", "target"): [3, 1, 0, 1, 1],
    }
    assert result[0]["accuracy"] == pytest.approx(1 / 3)
    other_way = accept(tracker.database, variants, [scores]).to_pylist()
    assert [(row["correct"], row["wrong"]) for row in other_way] == [
        *((0, 1), (0, 2), (0, 2), (0, 1), (0, 1))
    ]


def test_no_pair_no_accuracy(tracker: Tracker, tmp_path: Path) -> None:
    variants = variant_rows(m2(tmp_path, "S a\n"), FORM)
    rows = variants.append_column("metric", pa.array(["m"] * 4)).append_column(
        "score", pa.array([1.0] * 4)
    )
    result = accept(tracker.database, variants, [rows.select([0, 1, 2, 4, 5])]).to_pylist()
    assert {(row["pairs"], row["accuracy"], row["reason"]) for row in result} == {
        (0, None, "no pair differs")
    }
    with pytest.raises(UnknownNameError, match="perplexity"):
        accept(tracker.database, variants, [rows.select([0, 1, 2, 4, 5])], ["perplexity"])
    with pytest.raises(InputError, match="given twice"):
        accept(tracker.database, variants, [rows.select([0, 1, 2, 4, 5])] * 2)


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        ({"sentence": "2"}, 2, "no variant 'source' of sentence 2"),
        ({"sentence": "one"}, 2, "not the number of a sentence"),
        ({"variant": "corrected"}, 2, "no variant 'corrected'"),
        ({"variant": "target"}, 3, "stands twice, the first on line 2"),
        ({"score": "high"}, 2, "'high' is not a score"),
        ({"score": "nan"}, 2, "'nan' is not a score"),
        ({"metric": ""}, 2, "no metric"),
        ({"metric": "other"}, None, "lacks a row"),
    ],
)
def test_bad_scores_are_named(
    tmp_path: Path, change: dict[str, str], line: int | None, message: str
) -> None:
    variants = variant_rows(m2(tmp_path, "S a\n"), FORM)
    rows: list[dict[str, object]] = [
        {"sentence": 1, "variant": variant, "metric": "m", "score": 1} for variant in VARIANTS
    ]
    rows[0] |= change
    path = scores_file(tmp_path / "scores.csv", rows)
    with pytest.raises(InputError, match=message) as caught:
        read_scores(path, variants)
    assert caught.value.where == (f"{path}:{line}" if line else str(path))


def test_scores_of_several_annotators_say_whose(tmp_path: Path) -> None:
    variants = variant_rows(m2(tmp_path, "S a\n" + noop(0) + noop(1)), FORM)
    rows: list[dict[str, object]] = [
        {"sentence": 1, "variant": variant, "metric": "m", "score": 1} for variant in VARIANTS
    ]
    with pytest.raises(InputError, match="annotator"):
        read_scores(scores_file(tmp_path / "scores.csv", rows), variants)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A parser that knows one sentence, and that it may be wrong."""
    pytest.importorskip("ufal.udpipe")
    from sr_tracker.ingest.grammar.training import TrainingSettings, train_udpipe

    folder = tmp_path_factory.mktemp("model")
    right = TREE.replace("alte", "alten").replace("Case=Acc|Number=Sing", "Case=Nom|Number=Plur")
    (folder / "train.conllu").write_text((TREE + right) * 4, encoding="utf-8")
    small = "hidden_layer=10;embedding_form=10;embedding_upostag=5;embedding_feats=5"
    settings = TrainingSettings(4, tokeniser="none", tagger="use_lemma=0", parser=small)
    return written(folder / "tiny.udpipe", train_udpipe([folder / "train.conllu"], None, settings))


def test_grammar_prefers_what_keeps_the_rules(
    tracker: Tracker, tmp_path: Path, model: Path
) -> None:
    text = "S alte Männer sehen Hund\n" + edit(0, 1, "FORM", "alten") + "\nS alte\n"
    variants = variant_rows(m2(tmp_path, text + edit(0, 1, "OTHER", "")), FORM)
    parse = partial(parse_texts, analyser="udpipe", model=model)
    scores = score_variants(tracker.database, "rules", variants, parse)
    computed = {
        (row["sentence"], row["variant"], row["metric"]): row["score"] for row in scores.to_pylist()
    }
    # Two rules of agreement, two of argument structure, of which one is broken in either variant.
    assert computed[1, "source", "grammar"] == pytest.approx((0 + 0 + 0 + 1) / 4)
    assert computed[1, "target", "grammar"] == pytest.approx((1 + 1 + 0 + 1) / 4)
    assert computed[1, "source", "grammar_agreement"] == 0
    assert (
        computed[1, "source", "grammar_argument"]
        == computed[1, "target", "grammar_argument"]
        == 0.5
    )
    assert computed[2, "source", "grammar"] is None
    assert computed[2, "target", "grammar"] is None
    rows = accept(tracker.database, variants, [scores]).to_pylist()
    first = {row["metric"]: row for row in reversed(rows) if row["better"] == "target"}
    assert first["grammar"]["worse"] == "source"
    assert (first["grammar"]["pairs"], first["grammar"]["unscored"]) == (2, 1)
    morph = {r["metric"]: r["accuracy"] for r in rows if r["better"] == "morph"}
    assert morph == {"grammar": 1.0, "grammar_agreement": 1.0, "grammar_argument": 0.0}


def test_parsers_keep_tokens(model: Path) -> None:
    parse = parse_texts([["alte", "Männer."], [], ["#", "0002", "sehen"]], "udpipe", model)
    units = parse.units.to_pylist()
    assert [(row["sentence_no"], row["unit"]) for row in units] == [
        *((1, 1), (1, 2)),
        *((3, 1), (3, 2), (3, 3)),
    ]
    with pytest.raises(InputError, match="no model of stanza"):
        parse_texts([["a"]], "stanza", model)
    with pytest.raises(TrackerError, match="does not keep"):
        parse_texts([["a"]], "spacy", model)


# MultiGED's labels


def labelled(file: M2File) -> str:
    """The tokens of a corpus with c and i, as MultiGED 2023 has them."""
    blocks = []
    for sentence in file.sentences:
        wrong = {place for item in sentence.edits for place in range(item.start, item.end)}
        blocks.append(
            "\n".join(
                f"{token}\t{'i' if place in wrong else 'c'}"
                for place, token in enumerate(sentence.tokens)
            )
        )
    return "\n\n".join(blocks) + "\n\n"


def test_labels_find_what_edits_of_every_type_find(tracker: Tracker, tmp_path: Path) -> None:
    edits = edit(0, 1, "FORM", "alten") + edit(2, 4, "ORDER", "Hund sehen")
    file = m2(tmp_path, "S alte Männer sehen Hund\n" + edits + "\nS alte Männer sehen Hund\n")
    labels = m2(tmp_path, labelled(file), "xx-corpus_dev.tsv")
    assert (labels.annotators, labels.corrected) == ([0], False)
    assert [sentence.tokens for sentence in labels.sentences] == [
        sentence.tokens for sentence in file.sentences
    ]
    assert [[item.start for item in sentence.edits] for sentence in labels.sentences] == [
        *([0, 2, 3], [])
    ]
    parse = parsed(tmp_path, TREE + TREE, file)
    computed = [
        identify_errors(tracker.database, "rules", corpus, parse, morphology_types(corpus, wanted))
        for corpus, wanted in ((file, ["*"]), (labels, []), (labels, ["i"]))
    ]
    assert computed[0] == computed[1] == computed[2]
    assert computed[0]["corrected"].to_pylist() == [3, 3, 3]
    (row,) = type_rows(labels, morphology_types(labels, [])).to_pylist()
    assert (row["type"], row["edits"], row["tokens"], row["insertions"]) == ("i", 3, 3, 0)
    with pytest.raises(InputError, match="not what would be right"):
        variant_rows(labels, frozenset({"i"}))
    with pytest.raises(InputError, match="the error types of morphology"):
        morphology_types(file, [])
    with pytest.raises(UnknownNameError, match="no edit has a type that 'FORM' stands for"):
        morphology_types(labels, ["FORM"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\tc\nb\n", 2),
        ("a\tc\n\nb\tx\n", 3),
        ("a\tc\n\tc\n", 2),
        ("a\tc\ti\n", 1),
        ("Token\tLabel\na\tc\n", 1),
        ("a\tC\n", 1),
    ],
)
def test_bad_labels_are_named(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(InputError, match="no token with a label") as refused:
        m2(tmp_path, text, "a.tsv")
    assert str(refused.value.where) == f"{tmp_path / 'a.tsv'}:{line}"


TOKENS = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1)


@given(st.lists(st.lists(st.tuples(TOKENS, st.sampled_from("ci")), min_size=1), min_size=1))
def test_labels_come_back_as_they_went(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[list[tuple[str, str]]]
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    text = "\n\n".join("\n".join("\t".join(pair) for pair in block) for block in drawn) + "\n"
    file = m2(folder, text, "a.tsv")
    assert labelled(file).strip("\n") == text.strip("\n")


# Command line and real files


def test_commands(tmp_path: Path) -> None:
    rules = written(tmp_path / "rules.txt", RULES + "\n")
    database = tmp_path / "campaign.duckdb"
    with connect(database, create=True) as tracker, tracker.writing():
        import_rules(tracker.database, rules, name="rules", language="xx", scheme="sud")
    file = written(tmp_path / "a.m2", "S alte Männer sehen Hund\n" + edit(0, 1, "FORM", "alten"))
    trees = written(tmp_path / "parsed.conllu", TREE)

    def run(*arguments: str) -> list[dict[str, Any]]:
        words = (arguments[0], file, "-m", "FORM", *arguments[1:])
        return commands.rows(database, "--quiet", "--yes", "grammar", "gec", *words)

    assert run("types")[0]["edits"] == 1
    result = run("identify", "--rules", "rules", "--parsed", str(trees))
    assert {row["rules"]: row["tp"] for row in result} == {
        "agreement": 1,
        "argument_structure": 0,
        "all": 1,
    }
    variants = run("variants")
    scores = scores_file(
        tmp_path / "scores.csv",
        [row | {"metric": "length", "score": len(row["text"])} for row in variants],
    )
    assert run("accept", "--scores", str(scores))[0]["accuracy"] == 1.0
    assert run("accept", "--scores", str(scores), "--lower-is-better", "length")[0]["correct"] == 0
    with pytest.raises(InputError, match="need trees"):
        run("identify", "--rules", "rules")
    with pytest.raises(InputError, match="on trees"):
        run("accept", "--rules", "rules")


@pytest.mark.parametrize(
    ("name", "preset", "sentences", "edits", "noops", "morphology", "annotators"),
    [
        # Counted with grep: lines that start with 'S ', with 'A ', and by type.
        ("fm-dev", "falko-merlin", 2503, 6385, 533, 1515, [0]),
        ("uk-gec-only.test", "ua-gec", 2862, 5745, 2971, 744, [0, 1]),
    ],
)
def test_real_files(
    shared_data: Path,
    tmp_path: Path,
    name: str,
    preset: str,
    sentences: int,
    edits: int,
    noops: int,
    morphology: int,
    annotators: list[int],
) -> None:
    file = read_corpus(shared_data / "lambre" / "gec" / f"{name}.m2.gz")
    types = morphology_types(file, [preset])
    computed = [edit for sentence in file.sentences for edit in sentence.edits]
    assert (len(file.sentences), len(computed)) == (sentences, edits)
    assert sum(edit.type in types for edit in computed) == morphology
    assert list(file.annotators) == annotators
    # Every sentence has a line of every annotator; those without a correction are noop.
    correcting = {
        (sentence.line, edit.annotator) for sentence in file.sentences for edit in sentence.edits
    }
    assert len(annotators) * sentences - len(correcting) == noops
    (tmp_path / "labels.tsv").write_text(labelled(file), encoding="utf-8")
    labels = read_corpus(tmp_path / "labels.tsv")
    assert [sentence.tokens for sentence in labels.sentences] == [
        sentence.tokens for sentence in file.sentences
    ]
    documents = sum(sentence.tokens[0] == "#" for sentence in file.sentences)
    assert documents == {"fm-dev": 0, "uk-gec-only.test": 172}[name]
