"""Inputs of a shallow track: SR'19's own, node by node; what they hide; what they refuse."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sr_tracker.ingest.tasks.inputs import check_numbering, linear_places, shallow_inputs
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text

TREE = """\
# sent_id = a
# text = Don't go, dogs, cats and birds!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\tSpaceAfter=No
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\t_
4\t,\t,\tPUNCT\t,\t_\t3\tpunct\t_\t_
5\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t3\tvocative\t_\t_
6\tcats\tcat\tNOUN\tNNS\tNumber=Plur\t5\tconj\t_\t_
7\tand\tand\tCCONJ\tCC\t_\t8\tcc\t_\t_
8\tbirds\tbird\tNOUN\tNNS\tNumber=Plur\t5\tconj\t_\t_
9\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
LIN = {",": "+1", "!": "+2", "cat": "+1", "bird": "+2"}


def sentences(text: str) -> list[list[list[str]]]:
    blocks = [block for block in text.split("\n\n") if block.strip()]
    return [[line.split("\t") for line in block.split("\n") if line[0] != "#"] for block in blocks]


def paths(words: list[list[str]]) -> Counter[tuple[tuple[str, ...], ...]]:
    """Return what each word and all words above it are: equal for equal unordered trees."""
    by_id = {word[0]: word for word in words}
    found: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for word in words:
        path, here = [], word
        while True:
            path.append((*here[1:6], *here[7:]))
            if here[6] == "0":
                break
            here = by_id[here[6]]
        found[tuple(path)] += 1
    return found


@pytest.mark.parametrize(
    ("treebank", "count", "words"),
    [
        ("en_ewt", 2077, 25096),
        ("en_partut", 153, 3408),
        ("en_pud", 1000, 21176),
        ("fr_partut", 110, 2604),
        ("zh_gsd", 500, 12012),
    ],
)
def test_inputs_are_those_of_sr19(shared_data: Path, treebank: str, count: int, words: int) -> None:
    """Every sentence has SR'19's nodes, features, places and relations; the order is another."""
    source = shared_data / f"ud/2.3/{treebank}-ud-test.conllu.gz"
    made = shallow_inputs(read_text(source), treebank, seed=1)
    official = shared_data / f"sr19/T1/{treebank}-ud-test.conllu.gz"
    theirs = sentences(read_text(official))
    ours = sentences(made.conllu)
    assert (made.sentences, made.words) == (len(theirs), sum(map(len, theirs))) == (count, words)
    differing = [
        number
        for number, (our, their) in enumerate(zip(ours, theirs, strict=True), start=1)
        if paths(our) != paths(their)
    ]
    assert differing == []
    assert any(our != their for our, their in zip(ours, theirs, strict=True))


def test_forms_and_places_are_hidden() -> None:
    made = shallow_inputs(TREE, "tree", seed=1)
    assert "Don't" not in made.conllu
    assert "#" not in made.conllu
    (words,) = sentences(made.conllu)
    assert [word[0] for word in words] == [str(number) for number in range(1, 10)]
    assert all((word[2], word[8], word[9]) == ("_", "_", "_") for word in words)
    heads = {word[1]: words[int(word[6]) - 1][1] for word in words if word[6] != "0"}
    assert heads == {
        "do": "go", "not": "go", ",": "go", "dog": "go", "!": "go",
        "cat": "dog", "bird": "dog", "and": "bird",
    }  # fmt: skip
    given = {word[1]: word[5] for word in words}
    for lemma, feats in given.items():
        assert ("lin=" in feats) == (lemma in LIN)
        if lemma in LIN:
            assert feats.split("|")[0] == f"lin={LIN[lemma]}"
    assert given["bird"] == "lin=+2|Number=Plur"
    assert given["and"] == "_"


def test_places_count_from_the_head_and_lone_conjuncts_have_none() -> None:
    deprels = pa.array(["compound", "punct", "root", "conj", "compound:prt", "conj", "cc"])
    above = np.array([2, 2, -1, 2, 3, 4, 5])
    assert linear_places(deprels, above).tolist() == [-2, -1, 0, 0, 1, 0, 0]


def test_the_order_follows_from_seed_and_content() -> None:
    many = "".join(TREE.replace("= a", f"= a{number}") for number in range(5))
    first = shallow_inputs(many, "tree", seed=1).conllu
    assert shallow_inputs(many, "other name", seed=1).conllu == first
    assert shallow_inputs(many, "tree", seed=2).conllu != first
    assert len({*first.split("\n\n")}) > 2  # equal sentences are ordered unlike


def test_every_place_is_as_likely() -> None:
    """The first word of 2,000 sentences of nine: chi-square with 8 degrees, 0.1 % is 26.1."""
    many = "".join(TREE.replace("= a", f"= a{number}") for number in range(2000))
    places = [
        next(int(word[0]) for word in sentence if word[1] == "do")
        for sentence in sentences(shallow_inputs(many, "tree", seed=7).conllu)
    ]
    counts = np.bincount(places, minlength=10)[1:]
    assert ((counts - 2000 / 9) ** 2 / (2000 / 9)).sum() < 26.1


def test_original_ids() -> None:
    (words,) = sentences(shallow_inputs(TREE, "tree", seed=1, original_ids=True).conllu)
    given = {word[1]: word[5] for word in words}
    assert given["and"] == "original_id=7"
    assert given["bird"] == "lin=+2|original_id=8|Number=Plur"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no sentences"),
        ("1\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", "no lemmas"),
        ("1\tdog\tdog\tNOUN\t_\t_\t_\troot\t_\t_\n\n", "no HEAD"),
        ("1\tdog\tdog\n", "3 columns"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        shallow_inputs(text, "tree", seed=1)


def test_sent_ids_that_are_other_numbers_are_refused() -> None:
    check_numbering(["1", "2", "s3", None, "0002", "276"], "tree")
    with pytest.raises(InputError, match="'1' of sentence 2"):
        check_numbering(["2a", "1"], "tree")
