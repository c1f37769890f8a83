"""Trees of UD as those of SUD: by hand, as trees, and by the rules that were published for SUD."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.grammar.extraction import ExtractionSettings, extract_rules
from sr_tracker.queries.grammar.scoring import score_grammar
from sr_tracker.queries.grammar.surface_syntax import Tree, surface_tree
from sr_tracker.queries.grammar.violations import find_violations
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.methods import settings_of
from sr_tracker.tracker.api.tracker import connect
from tests.building import written
from tests.grammar.test_grammar_scoring import BAD, GOOD, HEADER, NONE, RULES, Word, conllu

# Form, part of speech, head and relation in UD, head and relation in SUD.
SENTENCES = {
    "auxiliary (Pratapa et al. 2021, Figure 7)": """
        Ich PRON 5 nsubj 2 subj
        werde AUX 5 aux 0 root
        lange ADJ 4 amod 4 mod
        Bücher NOUN 5 obj 5 comp:obj
        lesen VERB 0 root 2 comp:aux""",
    "copula and adposition": """
        I PRON 3 nsubj 2 subj
        'm AUX 3 cop 0 root
        happy ADJ 0 root 2 comp:pred
        about ADP 5 case 3 udep
        this PRON 3 obl 4 comp:obj
        . PUNCT 3 punct 2 punct""",
    "subordinator before auxiliaries after the verb": """
        Sie PRON 2 nsubj 2 subj
        sagt VERB 0 root 0 root
        dass SCONJ 6 mark 2 comp:obj
        er PRON 6 nsubj:pass 8 subj@pass
        oft ADV 6 advmod 8 mod
        gesehen VERB 2 ccomp 7 comp:aux@pass
        worden AUX 6 aux:pass 8 comp:aux
        ist AUX 6 aux 3 comp:obj""",
    "conjuncts in a chain, a conjunct of the copula": """
        cats NOUN 0 root 0 root
        , PUNCT 3 punct 3 punct
        dogs NOUN 1 conj 1 conj
        and CCONJ 5 cc 5 cc
        mice NOUN 1 conj 3 conj
        from ADP 7 case 5 udep
        Rome PROPN 1 nmod 6 comp:obj""",
    "a verb beside a copula": """
        he PRON 3 nsubj 2 subj
        is AUX 3 cop 0 root
        old ADJ 0 root 2 comp:pred
        and CCONJ 5 cc 5 cc
        sleeps VERB 3 conj 2 conj""",
    "names, fixed expressions, relative clauses, control": """
        Rosa PROPN 4 nsubj 4 subj
        Maria PROPN 1 flat:name 1 flat@name
        Lopez PROPN 1 flat:name 2 flat@name
        wants VERB 0 root 0 root
        to PART 6 mark 4 comp:obj@x
        read VERB 4 xcomp 5 comp:obj
        books NOUN 6 obj 6 comp:obj
        that PRON 9 obj 9 comp:obj
        lie VERB 7 acl:relcl 7 mod@relcl
        as ADV 6 advmod 6 mod
        well ADV 10 fixed 10 unk@fixed
        as ADP 10 fixed 11 unk@fixed""",
    "an argument, an agent, an expletive": """
        it PRON 2 expl 2 comp@expl
        rains VERB 0 root 0 root
        on ADP 4 case 2 comp:obl
        us PRON 2 obl:arg 3 comp:obj
        by ADP 6 case 2 comp:obl@agent
        clouds NOUN 2 obl:agent 5 comp:obj""",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences_by_hand(name: str) -> None:
    rows = [line.split() for line in SENTENCES[name].strip().splitlines()]
    tree = Tree(
        upos=[row[1] for row in rows],
        verb_forms=["Fin" if row[1] in ("VERB", "AUX") else "" for row in rows],
        heads=[int(row[2]) - 1 for row in rows],
        relations=[row[3] for row in rows],
    )
    heads, relations = surface_tree(tree)
    converted = [
        (row[0], head + 1, name) for row, head, name in zip(rows, heads, relations, strict=True)
    ]
    assert converted == [(row[0], int(row[4]), row[5]) for row in rows]


RELATIONS = (
    "nsubj obj obl nmod amod case cop aux mark conj cc punct flat fixed acl expl orphan xcomp"
)
DRAWN = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.permutations(range(size)),
        st.lists(st.integers(0, 8), min_size=size, max_size=size),
        st.lists(st.sampled_from(RELATIONS.split()), min_size=size, max_size=size),
        st.lists(
            st.sampled_from(["NOUN", "VERB", "AUX", "ADP", "PUNCT"]), min_size=size, max_size=size
        ),
    )
)


@given(DRAWN)
def test_any_tree_becomes_a_tree(
    drawn: tuple[list[int], list[int], list[str], list[str]],
) -> None:
    order, chosen, relations, upos = drawn
    heads = [-1] * len(order)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[chosen[place] % place]
    relations = ["root" if head < 0 else name for head, name in zip(heads, relations, strict=True)]
    new_heads, new_relations = surface_tree(Tree(upos, [""] * len(upos), heads, relations))
    (root,) = (word for word, head in enumerate(new_heads) if head < 0)
    assert new_relations[root] == "root"
    assert not {"case", "cop", "aux", "mark", "nsubj", "obj", "amod"} & {*new_relations}
    for word in range(len(new_heads)):
        steps = 0
        while word >= 0:
            word, steps = new_heads[word], steps + 1
            assert steps <= len(new_heads)


PUBLISHED = """\
conj-NOUN-NOUN:Case
det-DET-NOUN:Case
det-DET-NOUN:Gender
det-DET-NOUN:Number
det-DET-PROPN:Case
det-DET-PROPN:Gender
det-DET-PROPN:Number
mod-ADJ-NOUN:Case
mod-ADJ-NOUN:Gender
mod-ADJ-NOUN:Number
subj-NOUN-VERB:Number
mod-NOUN-NOUN:Case@dependent Gen
subj-NOUN-VERB:Case@dependent Nom
subj-PROPN-VERB:Case@dependent Nom
mod-PRON-NOUN:Case@dependent Gen
subj@pass-NOUN-VERB:Case@dependent Nom
subj-NOUN-AUX:Case@dependent Nom
comp:pred-ADJ-AUX:Case@dependent Nom
subj-PRON-VERB:Case@dependent Nom
subj@pass-NOUN-AUX:Case@dependent Nom
subj-PRON-AUX:Case@dependent Nom
comp:pred-NOUN-AUX:Case@dependent Nom
comp:obj-PRON-VERB:Case@dependent Acc
"""
"""The rules of pratapa-etal-2021 for Greek, learned from SUD 2.5: 11 and 12 (Table 8)."""


def test_converted_greek_teaches_the_published_rules(shared_data: Path) -> None:
    path = shared_data / "ud" / "2.5" / "el_gdt-ud-train.conllu.gz"
    if not path.exists():
        pytest.skip("the Greek treebank is not there")
    tracker = connect(None)
    tracker.ingest_treebank(path, treebank="el", language="el", scheme="ud")
    settings = settings_of(ExtractionSettings, {"preset": "pratapa2021"})
    stored = extract_rules(tracker.database, "el", settings, scheme="sud")
    rows = tracker.show("newest_grammar_rules").to_pylist()
    rules = {" ".join([row["rule"], *(row["allowed_values"] or ())]) for row in rows}
    assert rules == {*PUBLISHED.splitlines()}
    assert {row["scheme"] for row in rows} == {"sud"}
    assert stored.rules == 23


def test_trees_of_sud_teach_no_rules_of_ud(tmp_path: Path) -> None:
    tracker = connect(None)
    path = written(tmp_path / "de_a-sud-train.conllu", conllu([GOOD]))
    tracker.ingest_treebank(path, treebank="de", scheme="sud")
    with pytest.raises(InputError, match="'de' is in SUD"):
        tracker.grammar.extract("de", scheme="ud")


def in_ud(sentence: list[Word]) -> list[Word]:
    """The sentence of Figure 1 as UD has it: the verb governs the subject and the auxiliary."""
    if len(sentence) < 5:
        return sentence
    subject, auxiliary, adjective, noun, verb = sentence
    return [
        (*subject[:3], 5, "nsubj"),
        (*auxiliary[:3], 5, "aux"),
        (*adjective[:3], 4, "amod"),
        (*noun[:3], 5, "obj"),
        (*verb[:3], 0, "root"),
    ]


def test_rules_of_sud_check_trees_of_ud_as_if_they_were_of_sud(tmp_path: Path) -> None:
    tracker = connect(None)
    scores: dict[str, dict[str, float]] = {}
    for scheme, sentences in {
        "sud": [BAD, GOOD, NONE],
        "ud": [in_ud(sentence) for sentence in (BAD, GOOD, NONE)],
    }.items():
        path = written(tmp_path / f"de_{scheme}-{scheme}-test.conllu", conllu(sentences))
        tracker.ingest_treebank(path, treebank=scheme, language="de", scheme=scheme)
        tracker.ingest_submission(path, system=f"in-{scheme}", treebank=scheme)
    (tmp_path / "rules.tsv").write_text("\n".join([HEADER, *RULES]) + "\n", encoding="utf-8")
    tracker.grammar.import_(tmp_path / "rules.tsv", name="german", language="de", scheme="sud")
    report = score_grammar(tracker.database, "german")
    assert (report.submissions, report.converted) == (2, ["local/in-ud/ud"])
    for row in tracker.show("grammar_by_rule").to_pylist():
        scores.setdefault(row["system_id"], {})[row["rule"]] = row["satisfied"]
    assert scores["in-ud"] == scores["in-sud"]
    assert scores["in-ud"]["subj-PRON-AUX:Number"] == 0.5
    signatures = tracker.sql(
        "SELECT submission_id, parameters ->> 'converted' AS converted FROM submission_score "
        "JOIN signature USING (signature_id, metric) WHERE metric = 'grammar' ORDER BY ALL"
    ).to_pylist()
    assert [row["converted"] for row in signatures] == [None, "ud-to-sud-1"]
    assert tracker.grammar.score_references("german", "ud") == tracker.grammar.score_references(
        "german", "sud"
    )
    broken = find_violations(tracker.database, "local/in-ud/ud", rules=["subj-PRON-AUX:Number"])
    (example,) = broken.worst[0].examples
    assert (example.dependent, example.head, example.deprel) == (1, 2, "subj")
