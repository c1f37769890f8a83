"""Rules learned from treebanks: those of a plain reading of the paper; edited, kept, exchanged."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.tracker.plain_rules as plain
from schema.errors import InputError, TrackerError, UnknownNameError
from tracker.api import Tracker, connect
from tracker.grammar.extraction import ExtractionSettings, extract_rules
from tracker.grammar.rule_file import export_peer_rules, export_rules, import_rules
from tracker.grammar.rule_sets import resolve_rule_set

SAMPLE = Path(__file__).parents[2] / "tracker" / "demo" / "sample" / "treebanks"
LOW = ExtractionSettings(minimum_words=20, minimum_divergence=0.3)


@pytest.fixture(scope="module")
def empty() -> Tracker:
    return connect(None)


def read(text: str) -> list[plain.Sentence]:
    sentences = []
    for block in text.strip().split("\n\n"):
        columns = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
        sentences.append(
            [
                plain.Word(
                    column[3],
                    {
                        name: frozenset(values.split(","))
                        for name, values in (
                            pair.split("=") for pair in column[5].split("|") if "=" in pair
                        )
                    },
                    int(column[6]),
                    column[7],
                )
                for column in columns
                if column[0].isdigit()
            ]
        )
    return sentences


def learned(tracker: Tracker, rule_set_id: str, kind: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = tracker.show(
        "grammar_rule", where=f"rule_set_id = '{rule_set_id}' AND kind = '{kind}'"
    ).to_pylist()
    return rows


def compare(
    tracker: Tracker, path: Path, text: str, pairs: int, settings: ExtractionSettings
) -> int:
    """Hold what is learned from a file against the plain reading; return the number of rules."""
    sentences = read(text)
    agreement = plain.agreement_rules(sentences, pairs, 0.9, 0.8)
    arguments = plain.argument_rules(
        sentences, ("Case", "VerbForm"), settings.minimum_words, settings.minimum_divergence, 0.1
    )
    treebank, _ = tracker.ingest_treebank(path, treebank=path.name, replace=True)
    if not agreement and not arguments:
        with pytest.raises(InputError, match="no rule is frequent"):
            extract_rules(tracker.database, treebank, settings)
        return 0
    name = extract_rules(tracker.database, treebank, settings).rule_set_id
    own = {row["rule"]: row for row in learned(tracker, name, "agreement")}
    assert {rule: (row["support"], row["strength"]) for rule, row in own.items()} == agreement
    own = {row["rule"]: row for row in learned(tracker, name, "argument_structure")}
    assert set(own) == set(arguments)
    for rule, (allowed, words, divergence) in arguments.items():
        assert own[rule]["allowed_values"] == allowed
        assert own[rule]["support"] == words
        assert own[rule]["strength"] == pytest.approx(divergence, abs=1e-12)
    return len(agreement) + len(arguments)


@pytest.mark.parametrize("language", ["de", "en"])
def test_rules_of_the_sample_are_those_of_a_plain_reading(empty: Tracker, language: str) -> None:
    path = SAMPLE / f"{language}_sample-ud-train.conllu"
    assert compare(empty, path, path.read_text(encoding="utf-8"), 10, LOW) > 5


def test_rules_of_a_real_treebank_are_those_of_a_plain_reading(
    empty: Tracker, shared_data: Path
) -> None:
    path = shared_data / "lambre" / "sud-french-gsd" / "fr_gsd-sud-dev.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        assert compare(empty, path, file.read(), 20, ExtractionSettings()) == 18


WORDS = st.tuples(
    st.sampled_from(["NOUN", "VERB"]),
    st.sampled_from(["_", "Case=Acc", "Case=Acc,Nom", "Case=Nom|VerbForm=Fin", "VerbForm=Inf"]),
    st.sampled_from(["obj", "nsubj:pass", "conj"]),
)


@settings(deadline=None, max_examples=12)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=4), min_size=2, max_size=6))
def test_rules_of_any_treebank_are_those_of_a_plain_reading(
    empty: Tracker,
    tmp_path_factory: pytest.TempPathFactory,
    drawn: list[list[tuple[str, str, str]]],
) -> None:
    lines = []
    for sentence in drawn:
        for number, (upos, feats, deprel) in enumerate(sentence, start=1):
            head, relation = (number - 1, deprel) if number > 1 else (0, "root")
            lines.append(f"{number}\tw{number}\tw\t{upos}\t_\t{feats}\t{head}\t{relation}\t_\t_")
        lines.append("")
    text = "\n".join(lines) + "\n"
    path = tmp_path_factory.mktemp("drawn") / "en_drawn-ud-test.conllu"
    path.write_text(text, encoding="utf-8")
    low = ExtractionSettings(minimum_pairs=0, minimum_words=1, minimum_divergence=0.1)
    compare(empty, path, text, 0, low)


@pytest.fixture(scope="module")
def german() -> Tracker:
    tracker = connect(None)
    tracker.ingest_treebank(SAMPLE / "de_sample-ud-train.conllu", treebank="de")
    extract_rules(tracker.database, "de", LOW, name="german")
    return tracker


def test_german_rules_read_like_grammar(german: Tracker) -> None:
    rules = {row["rule"] for row in learned(german, "german", "agreement")}
    assert {f"det-DET-NOUN:{feature}" for feature in ("Case", "Gender", "Number")} <= rules
    arguments = {
        row["rule"]: row["allowed_values"]
        for row in learned(german, "german", "argument_structure")
    }
    assert arguments["nsubj-NOUN-VERB:Case@dependent"] == ["Nom"]
    assert arguments["obj-NOUN-VERB:Case@dependent"] == ["Acc"]


def test_word_order_is_learned_when_it_is_asked_for(german: Tracker) -> None:
    stored = extract_rules(
        german.database, "de", ExtractionSettings(kinds=["word_order"]), name="order"
    )
    rows = {row["rule"]: row for row in learned(german, stored.rule_set_id, "word_order")}
    assert rows["det-DET-NOUN:order"]["allowed_values"] == ["before"]
    assert rows["det-DET-NOUN:order"]["strength"] == 1.0


def test_examples_keep_or_break_the_rule(german: Tracker) -> None:
    rows = german.sql(
        "SELECT satisfied, count(*) AS n, max(example_no) AS last FROM grammar_rule_example "
        "WHERE rule_set_id = 'german' AND rule = 'det-DET-NOUN:Case' GROUP BY satisfied"
    ).to_pylist()
    assert {row["satisfied"]: row["n"] for row in rows}[True] == 10
    text = export_rules(german.database, "german", examples=2)
    assert "#   + " in text
    assert "Case=Nom < " in text


def test_a_file_comes_back_as_it_went(german: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "german.tsv"
    path.write_text(export_rules(german.database, "german"), encoding="utf-8")
    again = import_rules(german.database, path)
    assert (again.rule_set_id, again.changed) == ("german", False)


def test_an_edited_file_is_the_next_version(german: Tracker, tmp_path: Path) -> None:
    path = tmp_path / "edited.tsv"
    lines = export_rules(german.database, "german", examples=0).splitlines()
    header = next(n for n, line in enumerate(lines) if line.startswith("kind"))
    cells = lines[header + 1].split("\t")
    cells[7] = "sometimes"
    cells[-1] = "not with mass nouns"
    path.write_text("\n".join([*lines[: header + 1], "\t".join(cells)]) + "\n", encoding="utf-8")
    stored = import_rules(german.database, path, name="edited")
    first = import_rules(german.database, path, name="edited")
    assert (stored.rule_set_id, stored.changed, first.changed) == ("edited", True, False)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    second = import_rules(german.database, path, name="edited")
    assert second.rule_set_id == "edited@2"
    assert resolve_rule_set(german.database, "edited") == "edited@2"
    assert resolve_rule_set(german.database, "edited@1") == "edited"
    (row,) = german.show("grammar_rule", where="rule_set_id = 'edited'").to_pylist()
    assert (row["annotation"], row["note"]) == ("sometimes", "not with mass nouns")
    (shown,) = german.show("rule_sets", where="rule_set_id = 'edited'").to_pylist()
    assert (shown["sometimes"], shown["always"], shown["parent_rule_set_id"]) == (1, 0, "german")


def test_lines_of_the_published_format_are_read_and_written(
    german: Tracker, tmp_path: Path
) -> None:
    path = tmp_path / "de.txt"
    lines = [
        "de\tpratapa-etal-2021\tagreement\tdet-DET-NOUN\tCase",
        "de\tpratapa-etal-2021\targstruct\tsubj-PRON-VERB\tCase\tAcc;Nom\t-",
        "de\tpratapa-etal-2021\targstruct\tcomp:obl@x-ADP-VERB\tVerbForm\tInf\tFin",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    stored = import_rules(german.database, path)
    assert (stored.rule_set_id, stored.rules) == ("de-pratapa-etal-2021", 4)
    rows = learned(german, stored.rule_set_id, "argument_structure")
    assert {(row["rule"], *row["allowed_values"]) for row in rows} == {
        ("subj-PRON-VERB:Case@dependent", "Acc", "Nom"),
        ("comp:obl@x-ADP-VERB:VerbForm@dependent", "Inf"),
        ("comp:obl@x-ADP-VERB:VerbForm@head", "Fin"),
    }
    written = export_peer_rules(german.database, stored.rule_set_id).splitlines()
    assert {line.split("\t", 2)[2] for line in written} == {
        line.split("\t", 2)[2] for line in lines
    }


HEADER = "kind\tdeprel\tdependent_upos\thead_upos\tfeature\tbearer\tallowed_values\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "there is no rule"),
        (HEADER, "there is no rule"),
        ("kind\tcolour\n", "'colour' is no column"),
        (HEADER + "agreement\tdet\tDET\n", ":2"),
        (HEADER + "harmony\tdet\tDET\tNOUN\tCase\t\t\n", "'harmony' is no kind of rule"),
        (HEADER + "agreement\tdet\tDET\tNOUN\t\t\t\n", "has no feature"),
        (HEADER + "agreement\tdet\tDET\tNOUN\tCase\t\tNom\n", "every value"),
        (HEADER + "agreement\tdet\tDET\tNOUN\tCase\thead\t\n", "has no bearer"),
        (HEADER + "argument_structure\tobj\tNOUN\tVERB\tCase\tverb\tAcc\n", "'verb' is no bearer"),
        (HEADER + "argument_structure\tobj\tNOUN\tVERB\tCase\thead\t\n", "allows some values"),
        (HEADER + "word_order\tdet\tDET\tNOUN\torder\t\tleft\n", "'left' is no order"),
        (HEADER + "agreement\tdet\tDET\tNOUN\tCase\t\t\n" * 2, "twice"),
        ("de\tx\tagreement\tdet-DET-NOUN\tCase\nde\tx\targstruct\ta-B-C\tCase\n", ":2"),
        ("de\tx\tagreement\tdet\tCase\n", "'det' is no link type"),
    ],
)
def test_broken_rule_files_are_refused(
    german: Tracker, tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "rules.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(TrackerError) as caught:
        import_rules(german.database, path, name="broken")
    assert message in str(caught.value)
    assert "rules.tsv" in str(caught.value)


def test_what_does_not_exist_is_named(german: Tracker) -> None:
    with pytest.raises(UnknownNameError, match="no rule set 'french'"):
        resolve_rule_set(german.database, "french")
    with pytest.raises(UnknownNameError, match="no treebank 'fr'"):
        extract_rules(german.database, "fr")
    with pytest.raises(InputError, match="cannot be the name"):
        extract_rules(german.database, "de", name="a b")
    with pytest.raises(InputError, match="no share"):
        extract_rules(german.database, "de", ExtractionSettings(coverage=0))
