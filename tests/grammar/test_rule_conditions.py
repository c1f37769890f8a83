"""Rules under conditions: leaves of published decision trees, and rules of single lemmas."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from sr_tracker.ingest.grammar.rule_files import export_peer_rules, export_rules, import_rules
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.grammar.extraction import ExtractionSettings, extract_rules
from sr_tracker.queries.grammar.scoring import score_references
from sr_tracker.queries.grammar.violations import find_violations, rule_text
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.grammar.rule_sets import conditions_of
from sr_tracker.tracker.api.tracker import Tracker, connect

LEAVES = """\
wordorder | subject-verb | before | NA | NA | 27 | 28
wordorder | subject-verb | before | deppos_NOUN | depheadpos_PUNCT ### headrelrel_conj | 4 | 4
wordorder | object-verb | after | NA | depdeppos_ADJ | 20 | 20
wordorder | adjective-noun | before | depfeat_Case_Gen ### headfeat_NOUN_Number_Sing | NA | 3 | 3
wordorder | noun-adposition | after | headlemma_в | depdeppos_ADJ | 13 | 13
wordorder | numeral-noun | before | NA | neighborhood_год | 2 | 3
casemarking | NOUN | Loc | headlemma_в ### deprel_comp:obj | NA | 7 | 8
casemarking | NOUN | Gen | headpos_NOUN | agreerel_mod ### agree_conj | 10 | 13
casemarking | NOUN | Nom | deprel_subj | headrelrel_VERB_subj_conj | 13 | 14
casemarking | NOUN | Gen | NA | headpos_ADP ### headheadlemma_и ### headrelrel_NOUN_mod | 18 | 64
casemarking | PROPN | Nom | deprel_subj | NA | 3 | 3
casemarking | PROPN | Gen | headmatch_True_Number | depdeprel_flat | 6 | 6
casemarking | ADJ | Nom | agree_mod_NOUN_subj | NA | 2 | 2
casemarking | ADJ | Gen | headfeatrel_mod_Case_Gen | depheadlemma_этот ### depdeplemma_и | 5 | 5
agreement | gender-ADJ | req-agree | headrelrel_comp:obj | neighborhood_в | 5 | 5
agreement | number-NOUN | req-agree | NA | deprel_conj ### headfeat_VERB_subj_Number_Plur | 40 | 48
agreement | number-PROPN | req-agree | headmatch_True | NA | 5 | 6
"""
"""Task, what the tree is about, label, features that hold, features that do not; kept and all."""
HEADER = "kind\tdeprel\tdependent_upos\thead_upos\tfeature\tbearer\tallowed_values\tconditions\n"
TREE = """\
1\tSie\tsie\tPRON\t_\tCase=Nom|Number=Sing\t2\tsubj\t_\t_
2\tlegt\tlegen\tVERB\t_\tNumber=Sing\t0\troot\t_\t_
3\tdas\tder\tDET\t_\tCase=Acc|Number=Sing\t4\tdet\t_\t_
4\tBuch\tBuch\tNOUN\t_\tCase=Acc|Number=Sing\t2\tcomp:obj\t_\t_
5\tauf\tauf\tADP\t_\t_\t2\tudep\t_\t_
6\tTischen\tTisch\tNOUN\t_\tCase=Dat|Number=Plur\t5\tcomp:obj\t_\t_
7\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def leaf_line(*values: str, examples: str = "10") -> str:
    return "\t".join(("ru", "chaudhary-etal-2021", *values, examples)) + "\n"


def checked(tracker: Tracker) -> dict[str, tuple[int, int]]:
    """Links that keep each rule, and all whose words bear the feature."""
    rows = tracker.sql(
        "SELECT rule, sum(bearing)::INTEGER AS n, sum(violated)::INTEGER AS broken "
        "FROM reference_rule_check GROUP BY rule"
    ).to_pylist()
    return {row["rule"]: (row["n"] - row["broken"], row["n"]) for row in rows}


def test_leaves_apply_where_the_authors_tool_applies_them(
    shared_data: Path, tmp_path: Path
) -> None:
    """Counted by lambre 2.0.2 leaf by leaf, its comparison of agreeing values set right."""
    tracker = connect(None)
    path = shared_data / "lambre" / "parsed" / "ru.conllu"
    tracker.ingest_treebank(path, treebank="ru", language="ru", scheme="sud")
    for *values, item, links in (line.split(" | ") for line in LEAVES.splitlines()):
        file = tmp_path / "leaf.txt"
        file.write_text(leaf_line(*values), encoding="utf-8")
        stored = import_rules(tracker.database, file, name="leaf")
        tracker.database.connection.execute("DELETE FROM reference_rule_check")
        score = score_references(tracker.database, stored.rule_set_id, "ru", applicable="bearing")
        assert [*checked(tracker).values()] == [(int(item), int(links))], values
        assert score == pytest.approx(int(item) / int(links))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("head.lemma=auf", True),
        ("head.lemma=in", False),
        ("not head.lemma=auf", False),
        ("lemma=tisch", True),
        ("Number=Plur", True),
        ("head.head.lemma=legen & head.deprel=udep", True),
        ("not head.head.lemma=legen & head.deprel=mod", True),
        ("not head.head.lemma=legen & head.deprel=udep", False),
        ("head.head.Number=Sing", True),
        ("near.lemma=buch", True),
        ("near.lemma=sie", False),
        ("near.lemma=der", True),
        ("near.upos=PUNCT", True),
        ("other.lemma=tisch", False),
        ("child.upos=DET", False),
        ("agrees=Number", False),
        ("near.agrees=Number", True),
        ("deprel=comp:obj; not upos=VERB; head.upos=ADP", True),
    ],
)
def test_conditions_by_hand(tmp_path: Path, condition: str, holds: bool) -> None:
    """The rule is about Tischen, the noun below auf."""
    tracker = connect(None)
    (tmp_path / "de.conllu").write_text(TREE, encoding="utf-8")
    tracker.ingest_treebank(tmp_path / "de.conllu", treebank="de", language="de", scheme="sud")
    rule = f"argument_structure\tcomp:*\tNOUN/PROPN\tADP\tCase\tdependent\tAcc\t{condition}\n"
    (tmp_path / "rules.tsv").write_text(HEADER + rule, encoding="utf-8")
    import_rules(tracker.database, tmp_path / "rules.tsv", name="rules", language="de")
    score_references(tracker.database, "rules", "de")
    assert [*checked(tracker).values()] == ([(0, 1)] if holds else [])
    assert run_audits(tracker.database) == []


def test_rules_about_any_head_apply_to_roots_where_the_dependent_bears_the_feature(
    tmp_path: Path,
) -> None:
    tracker = connect(None)
    tree = TREE.replace("2\tlegt\tlegen\tVERB\t_\tNumber=Sing", "2\tlegt\tx\tNOUN\t_\tCase=Nom")
    (tmp_path / "de.conllu").write_text(tree, encoding="utf-8")
    tracker.ingest_treebank(tmp_path / "de.conllu", treebank="de", language="de", scheme="sud")
    rules = "argument_structure\t*\tNOUN\t*\tCase\tdependent\tAcc,Dat\t\n"
    rules += "argument_structure\t*\tNOUN\t*\tNumber\thead\tSing\t\n"
    rules += "word_order\t*\tNOUN\t*\torder\t\tafter\t\n"
    (tmp_path / "rules.tsv").write_text(HEADER + rules, encoding="utf-8")
    import_rules(tracker.database, tmp_path / "rules.tsv", name="rules", language="de")
    score_references(tracker.database, "rules", "de")
    assert checked(tracker) == {
        "*-NOUN-*:Case@dependent": (2, 3),
        "*-NOUN-*:order": (2, 2),
    } | {"*-NOUN-*:Number@head": (0, 0)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (leaf_line("wordorder", "verb-subject", "before", "NA", "NA"), "'verb-subject' is no word"),
        (leaf_line("wordorder", "subject-verb", "left", "NA", "NA"), "'left' is no word order"),
        (leaf_line("agreement", "gender-NOUN", "chance-agree", "NA", "NA"), "no agreement"),
        (leaf_line("agreement", "gender", "req-agree", "NA", "NA"), "no agreement"),
        (leaf_line("casemarking", "NOUN", "Acc", "wiki_city", "NA"), "'wiki_city'"),
        (leaf_line("casemarking", "NOUN", "Acc", "NA", "headrelrel_"), "'headrelrel_'"),
        (leaf_line("casemarking", "NOUN", "Acc", "NA", "NA", examples="ten"), "'ten' is no number"),
        ("ru\tx\tcasemarking\tNOUN\tAcc\tNA\tNA\n", "no leaf of a decision tree"),
        (leaf_line("casemarking", "NOUN", "Acc", "NA", "NA"), "twice"),
    ],
)
def test_broken_leaves_are_refused_at_their_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "ru.txt"
    path.write_text(leaf_line("casemarking", "NOUN", "Acc", "NA", "NA") + line, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        import_rules(connect(None).database, path)
    assert message == "twice" or caught.value.where == f"{path}:2"


def test_conditions_come_back_as_they_went_and_stand_in_words(tmp_path: Path) -> None:
    tracker = connect(None)
    path = tmp_path / "ru.txt"
    values = ("NA", "headlemma_a;b%&c ### headfeat_VERB_subj_Number_Plur")
    path.write_text(leaf_line("casemarking", "NOUN", "Acc/Nom", *values), encoding="utf-8")
    first = import_rules(tracker.database, path)
    text = export_rules(tracker.database, first.rule_set_id)
    (tmp_path / "again.tsv").write_text(text, encoding="utf-8")
    again = import_rules(tracker.database, tmp_path / "again.tsv")
    assert (again.rule_set_id, again.changed) == ("ru-chaudhary-etal-2021", False)
    assert export_peer_rules(tracker.database, first.rule_set_id).strip() == ""
    (row,) = tracker.show("newest_grammar_rules").to_pylist()
    assert row["conditions"] == [
        "not head.lemma=a%3Bb%25%26c",
        "not head.upos=VERB & deprel=subj & head.Number=Plur",
    ]
    assert row["rule"] == f"*-NOUN-*:Case@dependent if {'; '.join(row['conditions'])}"
    for wrong in ("head.lemma", "not", "lemma=a &", "tail.lemma=a", "a b=c"):
        with pytest.raises(ValueError, match=wrong):
            conditions_of(f"upos=X; {wrong}")


def prepositions(lemma: str, case: str, times: int) -> str:
    return (
        f"1\tx\t{lemma}\tADP\t_\t_\t0\troot\t_\t_\n"
        f"2\ty\ty\tNOUN\t_\tCase={case}\t1\tcomp:obj\t_\t_\n\n"
    ) * times


def test_rules_of_single_lemmas_are_those_that_say_something_else(tmp_path: Path) -> None:
    """Für takes the accusative, mit the dative, in both of them: that the general rule says."""
    tracker = connect(None)
    text = prepositions("für", "Acc", 30) + prepositions("Mit", "Dat", 30)
    text += prepositions("in", "Acc", 20) + prepositions("in", "Dat", 20)
    text += prepositions("seit", "Dat", 9)
    text += "1\ty\ty\tNOUN\t_\tCase=Nom\t0\troot\t_\t_\n\n" * 300
    (tmp_path / "de.conllu").write_text(text, encoding="utf-8")
    tracker.ingest_treebank(tmp_path / "de.conllu", treebank="de", language="de", scheme="sud")
    low = ExtractionSettings(minimum_words=10, lemmas=["head"])
    stored = extract_rules(tracker.database, "de", low, name="lexical")
    rows = {row["rule"]: row for row in tracker.show("newest_grammar_rules").to_pylist()}
    link = "comp:obj-NOUN-ADP:Case@dependent"
    assert {rule: row["allowed_values"] for rule, row in rows.items()} == {
        link: ["Acc", "Dat"],
        f"{link} if head.lemma=für": ["Acc"],
        f"{link} if head.lemma=mit": ["Dat"],
    }
    lexical = rows[f"{link} if head.lemma=mit"]
    assert (lexical["support"], lexical["strength"]) == (30, pytest.approx(math.log(409 / 59)))
    assert stored.rules == 3
    plain = ExtractionSettings(minimum_words=10)
    assert extract_rules(tracker.database, "de", plain, name="plain").rules == 1
    wrong = prepositions("für", "Dat", 1) + prepositions("in", "Dat", 1)
    (tmp_path / "out.conllu").write_text(wrong, encoding="utf-8")
    tracker.ingest_treebank(tmp_path / "out.conllu", treebank="out", language="de", scheme="sud")
    tracker.ingest_submission(tmp_path / "out.conllu", system="slip", treebank="out")
    tracker.grammar.score("lexical")
    broken = find_violations(tracker.database, "local/slip/out")
    (worst,) = broken.worst
    assert (broken.score, worst.rule) == (0.5, f"{link} if head.lemma=für")
    assert rule_text(worst) == ("NOUN as comp:obj of ADP where head.lemma=für: its Case is Acc")
    with pytest.raises(InputError, match="'verb' is no word whose lemmas have rules"):
        extract_rules(tracker.database, "de", ExtractionSettings(lemmas=["verb"]))


def test_agreement_of_a_lemma_is_a_rule_where_the_others_do_not_agree(tmp_path: Path) -> None:
    """Only 'this' agrees with its noun; what agrees anyway, and was cut, is no rule of a lemma."""

    def pairs(relation: str, lemma: str, number: str, times: int) -> str:
        return (
            f"1\tx\t{lemma}\tDET\t_\tNumber={number}\t2\t{relation}\t_\t_\n"
            "2\ty\ty\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n\n"
        ) * times

    text = pairs("det", "this", "Plur", 12) + pairs("det", "every", "Sing", 12)
    text += pairs("mod", "such", "Plur", 60) + pairs("appos", "such", "Plur", 8)
    (tmp_path / "en.conllu").write_text(text, encoding="utf-8")
    tracker = connect(None)
    tracker.ingest_treebank(tmp_path / "en.conllu", treebank="en", language="en", scheme="sud")
    low = ExtractionSettings(minimum_pairs=5, coverage=0.5, lemmas=["dependent"])
    extract_rules(tracker.database, "en", low, name="en")
    assert {row["rule"] for row in tracker.show("newest_grammar_rules").to_pylist()} == {
        "mod-DET-NOUN:Number",
        "det-DET-NOUN:Number if lemma=this",
    }
