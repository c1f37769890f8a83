"""Inputs of shallow and deep tracks: published figures, small trees, and real ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.tasks.deep import deep_inputs, deepening
from sr_tracker.ingest.tasks.inputs import check_numbering, linear_places, shallow_inputs
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.files import read_text


def conllu(*rows: str) -> str:
    """Return a sentence of rows 'lemma UPOS FEATS head relation'."""
    lines = [row.split() for row in rows]
    words = [
        f"{number}\t{lemma}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{relation}\t_\t_"
        for number, (lemma, upos, feats, head, relation) in enumerate(lines, start=1)
    ]
    return "\n".join(words) + "\n\n"


FIGURE = conllu(
    "the DET Definite=Def|PronType=Art 2 det",
    "third ADJ Degree=Pos 5 nsubj:pass",
    "be AUX Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin 5 aux",
    "be AUX VerbForm=Ger 5 aux:pass",
    "run VERB Tense=Past|VerbForm=Part|Voice=Pass 0 root",
    "by ADP _ 8 case",
    "the DET Definite=Def|PronType=Art 8 det",
    "head NOUN Number=Sing 5 obl",
    "of ADP _ 12 case",
    "a DET Definite=Ind|PronType=Art 12 det",
    "investment NOUN Number=Sing 12 compound",
    "firm NOUN Number=Sing 8 nmod",
    ". PUNCT _ 5 punct",
)


def deep(text: str, language: str = "en", **options: object) -> list[str]:
    """Return each node as 'lemma FEATS head's lemma label', in the alphabet's order."""
    decided = deepening(name_treebank(Path(f"{language}_x-ud1.0-test.conllu")), **options)  # type: ignore[arg-type]
    made = deep_inputs(text, "f", seed=1, decided=decided)
    words = [line.split("\t") for line in made.conllu.split("\n") if line]
    assert len(words) == made.words
    lemmas = {word[0]: word[1] for word in words}
    return sorted(f"{w[1]} {w[5]} {lemmas.get(w[6], '-')} {w[7]}" for w in words)


def test_the_figure_of_sr18() -> None:
    """Figure 3 of Mille et al. 2018, which lacks the definiteness of 'the third'."""
    assert deep(FIGURE) == [
        "firm Definiteness=Ind|Number=Sing head A2",
        "head Definiteness=Def|Number=Sing run A1",
        "investment Number=Sing firm AM",
        "run Aspect=Progr|Tense=Past - root",
        "third Definiteness=Def|Degree=Pos run A2",
    ]


def test_what_is_functional_is_the_languages_or_given() -> None:
    others = [line for line in deep(FIGURE, "de") if line.startswith(("by", "of", "head", "firm"))]
    assert others == [
        "by _ head A2INV",
        "firm Definiteness=Ind|Number=Sing head AM",
        "head Definiteness=Def|Number=Sing run AM",
        "of _ firm A2INV",
    ]
    assert deep(FIGURE, "de", markers={"nmod": ["of"], "agent": ["by"]}) == deep(FIGURE)
    assert "of _ firm A2INV" in deep(FIGURE, markers={"nmod": ["about"]})


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (  # arguments: the second object moves to the next slot, the marks of complements go
            ("he PRON _ 2 nsubj", "tell VERB VerbForm=Fin 0 root", "she PRON _ 2 obj",
             "that SCONJ _ 6 mark", "it PRON _ 6 nsubj", "rain VERB VerbForm=Fin 2 ccomp"),
            ["he _ tell A1", "it _ rain A1", "rain _ tell A3", "she _ tell A2", "tell _ - root"],
        ),
        (  # subordinators of adverbial clauses stay
            ("we PRON _ 2 nsubj", "go VERB VerbForm=Fin 0 root", "if SCONJ _ 5 mark",
             "they PRON _ 5 nsubj", "come VERB VerbForm=Fin 2 advcl"),
            ["come _ go AM", "go _ - root", "if _ come A2INV", "they _ come A1", "we _ go A1"],
        ),
        (  # the antecedent of a relative pronoun is the verb's argument
            ("dog NOUN _ 0 root", "that PRON PronType=Rel 3 nsubj", "bark VERB _ 1 acl:relcl",
             "cat NOUN _ 1 conj", "which PRON PronType=Rel 7 obj", "he PRON _ 7 nsubj",
             "see VERB _ 4 acl:relcl"),
            ["bark _ dog A1INV", "cat _ dog LIST", "dog _ - root", "he _ see A1",
             "see _ cat A2INV"],
        ),
        (  # auxiliaries: modal, perfect; support says nothing; a copula gives its tense
            ("I PRON _ 4 nsubj", "can AUX VerbForm=Fin 4 aux", "have AUX VerbForm=Inf 4 aux",
             "go VERB Tense=Past|VerbForm=Part 0 root", "I PRON _ 7 nsubj",
             "do AUX Mood=Ind|Tense=Past|VerbForm=Fin 7 aux", "stay VERB VerbForm=Inf 4 conj",
             "glad ADJ Degree=Pos 4 parataxis", "be AUX Tense=Pres|VerbForm=Fin 8 cop",
             "I PRON _ 8 nsubj"),
            ["I _ glad A1", "I _ go A1", "I _ stay A1", "glad Degree=Pos|Tense=Pres go AM",
             "go Aspect=Perf|Modal=can - root", "stay Tense=Past go LIST"],
        ),
        (  # a finite verb without arguments gets a dummy; a conjunct shares, an expletive is one
            ("run VERB Number=Sing|Person=3|VerbForm=Fin 0 root", "and CCONJ _ 3 cc",
             "hide VERB VerbForm=Fin 1 conj", "it PRON _ 5 expl",
             "snow VERB VerbForm=Fin 1 parataxis"),
            ["_ Number=Sing|Person=3 run A1", "and _ hide A2INV", "hide _ run LIST",
             "it _ snow DEP", "run _ - root", "snow _ run AM"],
        ),
        (  # what hangs on punctuation or on a fixed expression's words hangs above
            ("Anna PROPN Gender=Fem|Number=Sing 0 root", "( PUNCT _ 3 punct", ", PUNCT _ 1 punct",
             "Bell PROPN Number=Sing 1 flat", "big ADJ Gender=Fem|Number=Sing 3 amod",
             "of ADP _ 8 case", "all DET _ 6 fixed", "they PRON Case=Acc|Number=Plur 1 nmod"),
            ["Anna Gender=Fem|Number=Sing - root", "Bell Number=Sing Anna NAME",
             "all _ of DEP", "big _ Anna AM", "of _ they A2INV", "they Number=Plur Anna AM"],
        ),
    ],
)  # fmt: skip
def test_the_steps(rows: tuple[str, ...], expected: list[str]) -> None:
    assert deep(conllu(*rows)) == expected


def test_a_missing_subject_is_a_dummy_where_pronouns_are_dropped() -> None:
    text = conllu("ver VERB Number=Plur|Person=1|VerbForm=Fin 0 root", "casa NOUN _ 1 obj")
    assert deep(text, "es") == ["_ Number=Plur|Person=1 ver A1", "casa _ ver A2", "ver _ - root"]
    assert len(deep(text, "it")) == 2
    assert len(deep(text, "it", pro_drop=True)) == 3
    assert len(deep(text, "es", pro_drop=False)) == 2


def test_words_beyond_the_sixth_argument_are_modifiers() -> None:
    rows = ["go VERB _ 0 root", *(f"w{n} NOUN _ 1 obj" for n in range(1, 8))]
    labels = [line.split()[-1] for line in deep(conllu(*rows)) if line.startswith("w")]
    assert labels == ["A2", "A3", "A4", "A5", "A6", "AM", "AM"]


def test_original_ids_name_the_words_a_node_stands_for() -> None:
    decided = deepening(name_treebank(Path("en_x-ud1.0-test.conllu")))
    made = deep_inputs(FIGURE, "f", seed=1, original_ids=True, decided=decided)
    rows = [line.split("\t") for line in made.conllu.split("\n") if line]
    message = {row[1]: row[5].split("|")[0] for row in rows}
    assert message["firm"] == "original_id=12,9,10"
    assert message["run"] == "original_id=5,3,4,13"


@pytest.mark.parametrize(
    ("treebank", "words"),
    [
        ("ud/2.3/en_ewt-ud-test", 18317),
        ("ud/2.3/fr_partut-ud-test", 1709),
        ("ud/2.3/ja_gsd-ud-test", 8132),
        ("ud/2.5/uk_iu-ud-test", 13896),
    ],
)
def test_real_treebanks(shared_data: Path, treebank: str, words: int) -> None:
    """Every word is a node or stands with one, every tree has one root, slots are told once."""
    text = read_text(shared_data / f"{treebank}.conllu.gz")
    decided = deepening(name_treebank(Path(treebank)))
    made = deep_inputs(text, treebank, seed=1, original_ids=True, decided=decided)
    assert made.words == words
    sizes = [
        sum(line[0] != "#" and line.split("\t")[0].isdigit() for line in block.split("\n"))
        for block in text.strip().split("\n\n")
    ]
    blocks = made.conllu.strip().split("\n\n")
    assert len(blocks) == len(sizes) == made.sentences
    for block, size in zip(blocks, sizes, strict=True):
        rows = [line.split("\t") for line in block.split("\n")]
        message = [
            row[5].removeprefix("original_id=").split("|")[0]
            for row in rows
            if row[1] != "_" or "original_id" in row[5]
        ]
        assert sorted(int(word) for ids in message for word in ids.split(",")) == [
            *range(1, size + 1)
        ]
        assert [row[7] for row in rows if row[6] == "0"] == ["root"]
        slots = [(row[6], row[7]) for row in rows if row[7] in ("A1", "A2", "A3", "A4", "A5", "A6")]
        assert len({*slots}) == len(slots)


def test_a_chain_of_100_000_words() -> None:
    rows = [
        "a X _ 0 root",
        *(f"a X _ {n} {'punct' if n % 3 else 'fixed'}" for n in range(1, 100_000)),
    ]
    assert deep(conllu(*rows)) == ["a _ - root"]


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="SUD"):
        deepening(name_treebank(Path("fr_x-sud1.0-test.conllu")))
    with pytest.raises(InputError, match="'verbs'"):
        deepening(name_treebank(Path("en_x-ud1.0-test.conllu")), {"verbs": ["of"]})


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
    computed: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for word in words:
        path, here = [], word
        while True:
            path.append((*here[1:6], *here[7:]))
            if here[6] == "0":
                break
            here = by_id[here[6]]
        computed[tuple(path)] += 1
    return computed


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
    arguments = {word[1]: word[5] for word in words}
    for lemma, feats in arguments.items():
        assert ("lin=" in feats) == (lemma in LIN)
        if lemma in LIN:
            assert feats.split("|")[0] == f"lin={LIN[lemma]}"
    assert arguments["bird"] == "lin=+2|Number=Plur"
    assert arguments["and"] == "_"


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
    arguments = {word[1]: word[5] for word in words}
    assert arguments["and"] == "original_id=7"
    assert arguments["bird"] == "lin=+2|original_id=8|Number=Plur"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no sentences"),
        ("1\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", "no lemmas"),
        ("1\tdog\tdog\tNOUN\t_\t_\t_\troot\t_\t_\n\n", "no HEAD"),
        ("1\tdog\tdog\n", "3 columns"),
    ],
)
def test_inputs_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        shallow_inputs(text, "tree", seed=1)


def test_sent_ids_that_are_other_numbers_are_refused() -> None:
    check_numbering(["1", "2", "s3", None, "0002", "276"], "tree")
    with pytest.raises(InputError, match="'1' of sentence 2"):
        check_numbering(["2a", "1"], "tree")
