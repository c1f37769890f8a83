from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow as pa
import pytest
from conllu import parse
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.baselines import BASELINES, realise
from sr_tracker.tracker.baselines.learned import read_trees, shuffled
from tests.ingest.test_analysers_reference import TOKENS
from tests.tracker.test_sample import SAMPLE

SCHEMA = TOKENS.append(pa.field("head", pa.int32()))


def tokens(sentences: list[list[tuple[str, str, int, str]]]) -> pa.Table:
    """A token table of sentences given as (form, upos, head, deprel)."""
    rows = [
        dict(zip(SCHEMA.names, (s, t, form, form.lower(), upos, deprel, head), strict=True))
        for s, sentence in enumerate(sentences, start=1)
        for t, (form, upos, head, deprel) in enumerate(sentence, start=1)
    ]
    return pa.Table.from_pylist(rows, SCHEMA)


def from_conllu(path: Path) -> pa.Table:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    return tokens(
        [
            [(w["form"], w["upos"], w["head"], w["deprel"]) for w in s if isinstance(w["id"], int)]
            for s in parse(text)
        ]
    )


def bleu(outputs: pa.Table, reference: pa.Table) -> float:
    hypotheses = [text.lower().split() for text in outputs.column("text").to_pylist()]
    references = [[text.lower().split()] for text in reference.column("text").to_pylist()]
    return float(
        corpus_bleu(references, hypotheses, smoothing_function=SmoothingFunction().method2)
    )


def scores(test: pa.Table, train: pa.Table) -> dict[str, float]:
    reference = realise("reference", test)
    return {name: bleu(realise(name, test, train=train, seed=1), reference) for name in BASELINES}


@pytest.mark.parametrize("language", ["en", "de"])
def test_quality_rises_from_random_to_reference_on_the_sample(language: str) -> None:
    test, train = (
        from_conllu(SAMPLE / "treebanks" / f"{language}_sample-ud-{split}.conllu")
        for split in ("test", "train")
    )
    computed = scores(test, train)
    assert computed["random"] < 0.1
    assert (
        computed["random"] < computed["head-direction"] <= computed["ngram"] < computed["reference"]
    )
    assert computed["reference"] == pytest.approx(1.0)


@pytest.mark.parametrize("corpus", ["fr_partut", "en_partut"])
def test_quality_rises_on_real_treebanks(shared_data: Path, corpus: str) -> None:
    folder = shared_data / "ud" / "2.3"
    computed = scores(
        from_conllu(folder / f"{corpus}-ud-test.conllu.gz"),
        from_conllu(folder / f"{corpus}-ud-train.conllu.gz"),
    )
    assert (
        computed["random"] < computed["head-direction"] <= computed["ngram"] < computed["reference"]
    )


def test_a_learned_order_is_reproduced() -> None:
    sentence = [
        ("The", "DET", 2, "det"),
        ("cat", "NOUN", 3, "nsubj"),
        ("sees", "VERB", 0, "root"),
        ("a", "DET", 5, "det"),
        ("bird", "NOUN", 3, "obj"),
        (".", "PUNCT", 3, "punct"),
    ]
    table = tokens([sentence])
    for name in ("head-direction", "ngram"):
        for seed in range(10):
            text = realise(name, table, train=table, seed=seed).column("text").to_pylist()
            assert text == ["The cat sees a bird ."]


def test_what_is_not_in_training_falls_back_to_the_relation() -> None:
    train = tokens([[("to", "ADP", 2, "case"), ("town", "NOUN", 0, "root")]])
    test = tokens([[("Rome", "PROPN", 0, "root"), ("in", "X", 1, "case")]])
    text = realise("head-direction", test, train=train).column("text").to_pylist()
    assert text == ["in Rome"]


trees = st.integers(1, 14).flatmap(
    lambda size: st.tuples(
        st.permutations(range(size)),
        st.tuples(*[st.integers(0, max(index - 1, 0)) for index in range(size)]),
        st.lists(st.sampled_from(["NOUN", "VERB", "DET"]), min_size=size, max_size=size),
    )
)


Drawn = tuple[list[int], tuple[int, ...], list[str]]


def any_tree(drawn: Drawn) -> pa.Table:
    """A tree in a random, mostly non-projective order: node i hangs under an earlier node."""
    order, parents, tags = drawn
    place = {node: position for position, node in enumerate(order, start=1)}
    words = []
    for position, node in enumerate(order):
        head = 0 if node == 0 else place[parents[node]]
        words.append((f"w{position}", tags[node], head, f"r{node % 3}"))
    return tokens([words])


@given(trees, trees, st.integers(0, 5))
def test_every_word_is_used_once_and_subtrees_stay_together(
    drawn: Drawn, learned: Drawn, seed: int
) -> None:
    test, train = any_tree(drawn), any_tree(learned)
    forms = test.column("form").to_pylist()
    heads = test.column("head").to_pylist()
    for name in BASELINES:
        once = realise(name, test, train=train, seed=seed)
        assert once.equals(realise(name, test, train=train, seed=seed))
        words = once.column("text").to_pylist()[0].split()
        assert sorted(words) == sorted(forms)
        if name in ("head-direction", "ngram"):
            place = {int(word[1:]) + 1: index for index, word in enumerate(words)}
            for node in place:
                span = {place[n] for n in place if dominates(heads, node, n)}
                assert max(span) - min(span) + 1 == len(span)


def dominates(heads: list[int], ancestor: int, node: int) -> bool:
    while node not in (0, ancestor):
        node = heads[node - 1]
    return node == ancestor


def test_the_order_of_the_test_sentence_does_not_leak() -> None:
    # Every word is alike to the models, so that only chance decides: over many sentences the
    # outputs must agree with the original order no more often than shuffled words do.
    flat = [("head", "VERB", 0, "root"), *[(f"w{i}", "NOUN", 1, "dep") for i in range(6)]]
    other = [(f"x{form}", tag, head, deprel) for form, tag, head, deprel in flat]
    test, train = tokens([flat] * 300), tokens([other])
    for name in ("random", "head-direction", "ngram"):
        rest = 0
        for text in realise(name, test, train=train, seed=3).column("text").to_pylist():
            place = {word: index for index, word in enumerate(text.split())}
            rest += sum(place[f"w{i}"] < place[f"w{i + 1}"] for i in range(5))
        assert 0.44 < rest / 1500 < 0.56


def test_shuffling_keeps_the_tree() -> None:
    sentence = [(f"w{i}", "X", i, f"r{i}") for i in range(8)]
    (tree,) = read_trees(tokens([sentence]))
    mixed = shuffled(tree, 5)
    assert mixed.forms != tree.forms
    for index, form in enumerate(mixed.forms):
        head = mixed.heads[index]
        before = "" if head == -1 else mixed.forms[head]
        number = int(form[1:])
        assert before == ("" if number == 0 else f"w{number - 1}")
        assert mixed.deprels[index] == f"r{number}"


def test_rows_may_come_in_any_order_and_roots_be_several() -> None:
    table = tokens(
        [
            [("a", "X", 0, "root"), ("b", "X", 0, "root"), ("c", "X", 2, "dep")],
            [("d", "X", 0, "root")],
        ]
    )
    order = list(range(table.num_rows))
    random.Random(1).shuffle(order)
    for name in BASELINES:
        expected = realise(name, table, train=table)
        assert realise(name, table.take(order), train=table).equals(expected)
        assert expected.column("sentence_no").to_pylist() == [1, 2]


def test_wide_and_deep_sentences() -> None:
    wide = [("head", "VERB", 0, "root"), *[(f"w{i}", "NOUN", 1, "dep") for i in range(60)]]
    deep = [(f"w{i}", "NOUN", i, "dep") for i in range(1500)]
    table = tokens([wide, deep])
    for name in BASELINES:
        texts = realise(name, table, train=table).column("text").to_pylist()
        assert [len(text.split()) for text in texts] == [61, 1500]


def test_output_types_and_emptiness() -> None:
    result = realise("random", tokens([[("a", "X", 0, "root")]]))
    assert result.schema == pa.schema([("sentence_no", pa.int32()), ("text", pa.string())])
    assert realise("random", tokens([])).num_rows == 0


def test_an_unknown_name_lists_the_names() -> None:
    with pytest.raises(UnknownNameError) as raised:
        realise("magic", tokens([]))
    assert all(name in str(raised.value) for name in BASELINES)


@pytest.mark.parametrize("name", ["head-direction", "ngram"])
@pytest.mark.parametrize("train", [None, tokens([])])
def test_learning_without_training_data_is_refused(name: str, train: pa.Table | None) -> None:
    with pytest.raises(InputError, match="training") as raised:
        realise(name, tokens([]), train=train)
    assert raised.value.hint


def test_heads_that_make_no_tree_are_refused() -> None:
    with pytest.raises(InputError, match="head 7"):
        realise("random", tokens([[("a", "X", 7, "dep")]]))
    with pytest.raises(InputError, match="circle"):
        realise("random", tokens([[("a", "X", 2, "dep"), ("b", "X", 1, "dep")]]))
