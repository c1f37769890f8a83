"""Outputs checked by grammar rules: counts, scores of segments and corpora, and who takes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sr_tracker.ingest.grammar.rule_files import import_rules
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.significance import run_significance
from sr_tracker.queries.grammar.scoring import (
    score_grammar,
    score_pending_grammar,
    score_references,
)
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests import building, commands
from tests.building import written

HEADER = "kind\tdeprel\tdependent_upos\thead_upos\tfeature\tbearer\tallowed_values"
RULES = [
    "agreement\tsubj\tPRON\tAUX\tNumber\t\t",
    "agreement\tsubj\tPRON\tAUX\tPerson\t\t",
    "agreement\tmod\tADJ\tNOUN\tCase\t\t",
    "agreement\tmod\tADJ\tNOUN\tGender\t\t",
    "agreement\tmod\tADJ\tNOUN\tNumber\t\t",
    "argument_structure\tsubj\tPRON\tAUX\tCase\tdependent\tNom",
    "argument_structure\tcomp:obj\tNOUN\tVERB\tCase\tdependent\tAcc",
]
Word = tuple[str, str, str, int, str]
"""Form, part of speech, features, head and relation."""
GOOD: list[Word] = [
    ("Ich", "PRON", "Case=Nom|Number=Sing|Person=1", 2, "subj"),
    ("werde", "AUX", "Number=Sing|Person=1", 0, "root"),
    ("lange", "ADJ", "Case=Acc|Gender=Neut|Number=Plur", 4, "mod"),
    ("Bücher", "NOUN", "Case=Acc|Gender=Neut|Number=Plur", 5, "comp:obj"),
    ("lesen", "VERB", "VerbForm=Inf", 2, "comp:aux"),
]
BAD = [
    GOOD[0],
    ("werden", "AUX", "Number=Plur|Person=1", 0, "root"),
    ("langer", "ADJ", "Case=Gen|Gender=Neut|Number=Plur", 4, "mod"),
    *GOOD[3:],
]
NONE: list[Word] = [("Ja", "INTJ", "_", 0, "root")]


def conllu(sentences: Sequence[Sequence[Word]]) -> str:
    trees = [
        [
            (form, head, deprel, upos, feats, form.lower())
            for form, upos, feats, head, deprel in sentence
        ]
        for sentence in sentences
    ]
    return building.conllu(
        trees, texts=[" ".join(word[0] for word in sentence) for sentence in sentences]
    )


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Tracker:
    folder = tmp_path_factory.mktemp("grammar")
    tracker = connect(None)
    references = [GOOD, GOOD, NONE]
    (folder / "de_test-sud-test.conllu").write_text(conllu(references), encoding="utf-8")
    tracker.ingest_treebank(folder / "de_test-sud-test.conllu", treebank="de", scheme="sud")
    for system, outputs in {"good": references, "bad": [BAD, GOOD, NONE]}.items():
        (folder / f"{system}.conllu").write_text(conllu(outputs), encoding="utf-8")
        tracker.ingest_submission(folder / f"{system}.conllu", system=system, treebank="de")
    (folder / "rules.tsv").write_text("\n".join([HEADER, *RULES]) + "\n", encoding="utf-8")
    import_rules(tracker.database, folder / "rules.tsv", name="german", language="de")
    tracker.score(metrics=["bleu"])
    report = score_grammar(tracker.database, "german")
    assert (report.submissions, report.unparsed) == (2, [])
    return tracker


def output_scores(tracker: Tracker, system: str, metric: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = tracker.database.connection.execute(
        "SELECT score, undefined_reason FROM sentence_score WHERE metric = ? "
        "AND submission_id = ? ORDER BY sentence_no",
        [metric, f"local/{system}/de"],
    ).fetchall()
    return rows


def test_the_papers_example(tracker: Tracker) -> None:
    """Pratapa et al. 2021, section 2: sentence S.2 of Figure 1 scores 5/7 = 0.71."""
    assert output_scores(tracker, "bad", "grammar")[0][0] == pytest.approx(5 / 7)
    assert output_scores(tracker, "bad", "grammar_agreement")[0][0] == pytest.approx(3 / 5)
    assert output_scores(tracker, "bad", "grammar_argument")[0][0] == 1.0
    assert output_scores(tracker, "good", "grammar")[0][0] == 1.0


def test_a_sentence_without_a_rule_has_no_score(tracker: Tracker) -> None:
    assert output_scores(tracker, "good", "grammar")[2] == (None, "no rule applies")
    (row,) = tracker.show("grammar_scores", where="system_id = 'good'").to_pylist()
    assert row["sentences"] == 2
    assert row["untouched"] == pytest.approx(1 / 3)


def test_a_corpus_score_accumulates_before_the_mean(tracker: Tracker) -> None:
    (row,) = tracker.show("grammar_scores", where="system_id = 'bad'").to_pylist()
    assert row["grammar"] == pytest.approx((0.5 + 1 + 0.5 + 1 + 1 + 1 + 1) / 7)
    assert row["grammar_agreement"] == pytest.approx((0.5 + 1 + 0.5 + 1 + 1) / 5)
    assert row["grammar_argument"] == 1.0
    rules = tracker.show("grammar_by_rule", where="system_id = 'bad'").to_pylist()
    broken = {rule["rule"]: rule["satisfied"] for rule in rules if rule["violated"]}
    assert broken == {"subj-PRON-AUX:Number": 0.5, "mod-ADJ-NOUN:Case": 0.5}


def test_rules_are_measures_like_all_others(tracker: Tracker) -> None:
    rows = tracker.show(
        "submission_measures", where="system_id = 'bad' AND kind IN ('grammar rule', 'metric')"
    ).to_pylist()
    score_by_measure = {row["measure"]: row["score"] for row in rows}
    assert score_by_measure["grammar[mod-ADJ-NOUN:Case]"] == 0.5
    assert score_by_measure["grammar_argument"] == 1.0


def test_intervals_and_tests_take_the_scores(tracker: Tracker) -> None:
    run_significance(tracker.database)
    rows = tracker.show("measure_changes", where="measure = 'grammar'").to_pylist()
    (row,) = rows
    scores = {r["system_id"]: r["grammar"] for r in tracker.show("grammar_scores").to_pylist()}
    assert row["difference"] == pytest.approx(scores["bad"] - scores["good"])
    (interval,) = tracker.show(
        "metric_intervals", where="metric = 'grammar' AND submission_id = 'local/bad/de'"
    ).to_pylist()
    assert interval["score"] == pytest.approx(scores["bad"])


def test_references_are_checked_too(tracker: Tracker) -> None:
    assert score_references(tracker.database, "german", "de") == 1.0
    assert score_references(tracker.database, "german", "de") == 1.0
    (row,) = tracker.show("grammar_of_references").to_pylist()
    assert (row["applicable"], row["violated"]) == (14, 0)


def test_the_same_again_changes_nothing_and_audits_stay_silent(tracker: Tracker) -> None:
    before = tracker.sql("SELECT count(*) AS n FROM rule_check").to_pylist()
    report = score_grammar(tracker.database, "german")
    assert (report.submissions, report.unchanged) == (0, 2)
    assert tracker.sql("SELECT count(*) AS n FROM rule_check").to_pylist() == before
    assert run_audits(tracker.database) == []


def test_another_way_of_counting_is_another_signature(tmp_path: Path) -> None:
    bare = [(form, upos, "_", head, deprel) for form, upos, _, head, deprel in GOOD]
    (tmp_path / "de_test-sud-test.conllu").write_text(conllu([GOOD, GOOD]), encoding="utf-8")
    (tmp_path / "bare.conllu").write_text(conllu([BAD, bare]), encoding="utf-8")
    (tmp_path / "rules.tsv").write_text("\n".join([HEADER, *RULES]) + "\n", encoding="utf-8")
    (tmp_path / "plain.txt").write_text("Ich werde Bücher\nlange Bücher lesen\n", encoding="utf-8")
    with connect(None) as tracker:
        tracker.ingest_treebank(tmp_path / "de_test-sud-test.conllu", treebank="de", scheme="sud")
        tracker.ingest_submission(tmp_path / "bare.conllu", system="bare", treebank="de")
        import_rules(tracker.database, tmp_path / "rules.tsv", name="german")
        score_grammar(tracker.database, "german")
        (by_links,) = tracker.show("grammar_scores").to_pylist()
        score_grammar(tracker.database, "german", applicable="bearing")
        assert tracker.show("grammar_scores").to_pylist() == [by_links]
        score_grammar(tracker.database, "german", applicable="bearing", elect=True)
        (by_bearing,) = tracker.show("grammar_scores").to_pylist()
        assert by_links["grammar"] == pytest.approx((0.5 + 0.5 + 5) / 7)
        assert by_bearing["grammar"] == pytest.approx((0 + 0 + 5) / 7)
        assert by_links["signature"] != by_bearing["signature"]
        rows = tracker.sql("SELECT count(*) AS n FROM submission_score").to_pylist()
        assert rows == [{"n": 6}]
        submitted = tracker.ingest_submission(tmp_path / "plain.txt", system="plain", treebank="de")
        assert score_pending_grammar(tracker.database, [submitted.submission_id]) == 1
        (plain,) = tracker.show("grammar_scores", where="system_id = 'plain'").to_pylist()
        assert plain["grammar"] is None
        assert plain["undefined_reason"] == "the outputs have no trees with parts of speech"
        assert "applicable:bearing" in plain["signature"]


FEATURES = st.sampled_from(["_", "Case=Acc", "Case=Acc,Nom", "Case=Nom|Number=Sing", "Number=Plur"])
WORDS = st.tuples(st.sampled_from(["ADJ", "NOUN"]), FEATURES, st.sampled_from(["mod", "comp:obj"]))
DRAWN_RULES = [
    "agreement\tmod\tADJ\tNOUN\tCase\t\t",
    "agreement\tmod\tNOUN\tNOUN\tNumber\t\t",
    "argument_structure\tcomp:obj\tNOUN\tADJ\tCase\tdependent\tAcc",
    "argument_structure\tcomp:obj\tNOUN\tADJ\tCase\thead\tGen,Nom",
    "word_order\tmod\tADJ\tNOUN\torder\t\tbefore",
]


def checked(words: Sequence[Word], rule: str) -> tuple[int, int, int]:
    """Return links, bearing and violated of a rule in a sentence, counted by hand."""
    kind, deprel, dependent_upos, head_upos, feature, bearer, allowed = rule.split("\t")
    links = bearing = violated = 0
    for number, (_, upos, feats, head, relation) in enumerate(words, start=1):
        if head == 0 or (relation, upos, words[head - 1][1]) != (
            *(deprel, dependent_upos, head_upos),
        ):
            continue
        links += 1
        own, other = values_of(feats, feature), values_of(words[head - 1][2], feature)
        if kind == "word_order":
            bears, breaks = True, ("before" if number < head else "after") != allowed
        elif kind == "agreement":
            bears = bool(own and other)
            breaks = bears and not own & other
        else:
            borne = own if bearer == "dependent" else other
            bears = bool(borne)
            breaks = bears and not borne & set(allowed.split(","))
        bearing += bears
        violated += breaks
    return links, bearing, violated


def values_of(feats: str, feature: str) -> set[str]:
    pairs = dict(pair.split("=") for pair in feats.split("|") if "=" in pair)
    return set(pairs[feature].split(",")) if feature in pairs else set()


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tracker, Path]:
    folder = tmp_path_factory.mktemp("drawn")
    tracker = connect(None)
    (folder / "rules.tsv").write_text("\n".join([HEADER, *DRAWN_RULES]) + "\n", encoding="utf-8")
    import_rules(tracker.database, folder / "rules.tsv", name="drawn")
    return tracker, folder


@settings(max_examples=12)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=4), st.randoms())
def test_counts_are_those_counted_by_hand(
    drawn: tuple[Tracker, Path], words: list[list[tuple[str, str, str]]], draw: object
) -> None:
    tracker, folder = drawn
    shuffle = draw.randrange  # type: ignore[attr-defined]
    sentences = []
    for sentence in words:
        root = shuffle(len(sentence))
        sentences.append(
            [
                (f"w{n}", upos, feats, 0 if n == root else root + 1, "root" if n == root else rel)
                for n, (upos, feats, rel) in enumerate(sentence)
            ]
        )
    path = written(folder / "de_drawn-sud-test.conllu", conllu(sentences))
    treebank, _ = tracker.ingest_treebank(path, treebank="drawn", scheme="sud", replace=True)
    score_references(tracker.database, "drawn", treebank)
    rows = tracker.sql(
        "SELECT sentence_no, deprel, rule, links, bearing, violated FROM reference_rule_check "
        "JOIN grammar_rule USING (rule)"
    ).to_pylist()
    own = {(r["sentence_no"], r["rule"]): (r["links"], r["bearing"], r["violated"]) for r in rows}
    by_hand = {}
    for number, sentence in enumerate(sentences, start=1):
        for rule in DRAWN_RULES:
            _, deprel, dependent, head, feature, bearer, _ = rule.split("\t")
            key = f"{deprel}-{dependent}-{head}:{feature}" + (f"@{bearer}" if bearer else "")
            computed = checked(sentence, rule)
            if computed[0]:
                by_hand[number, key] = computed
    assert own == by_hand


def test_the_command_line_learns_edits_and_scores(tracker: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "campaign.duckdb"
    (tmp_path / "de_test-sud-test.conllu").write_text(conllu([GOOD] * 8), encoding="utf-8")
    (tmp_path / "bad.conllu").write_text(conllu([BAD] * 8), encoding="utf-8")

    def run(*arguments: object) -> str:
        return commands.run(path, *arguments).output

    run("ingest", "treebank", tmp_path / "de_test-sud-test.conllu", "--scheme", "sud")
    run("ingest", "submission", tmp_path / "bad.conllu", "--system", "bad", "--treebank",
        "de_test-sud-test")  # fmt: skip
    result = run("grammar", "extract", "de_test-sud-test", "--name", "german", "--kind",
                 "agreement", "--coverage", "1")  # fmt: skip
    assert "german: stored, 5 rules" in result
    run("grammar", "export", "german", "-o", tmp_path / "german.tsv")
    assert "nothing new" in run("grammar", "import", tmp_path / "german.tsv")
    assert "det" not in run("grammar", "rules", "german", "--format", "csv")
    assert "1 submission checked by german" in run("grammar", "score", "--rules", "german")
    shown = run("show", "grammar_scores", "--format", "csv")
    assert "0.6" in shown
    assert "100.00" in run(
        "grammar", "score", "--rules", "german", "--references", "--treebank", "de_test-sud-test"
    )


def test_what_cannot_be_scored_is_said(tracker: Tracker) -> None:
    with pytest.raises(UnknownNameError, match="no rule set 'french'"):
        score_grammar(tracker.database, "french")
    with pytest.raises(UnknownNameError, match="no submission"):
        score_grammar(tracker.database, "german", ["local/none/de"])
    with pytest.raises(InputError, match="'never' is no way of counting"):
        score_grammar(tracker.database, "german", applicable="never")
    with pytest.raises(UnknownNameError, match="no treebank"):
        score_references(tracker.database, "german", "fr")
