"""The tables and figures of Pratapa et al. 2021, of the sample and of real treebanks."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest

import sr_tracker
from sr_tracker.tracker.papers.parts import papers
from tests.building import campaign
from tests.conftest import SAMPLE
from tests.papers_reference import SAMPLE as SAMPLE_NAME
from tests.papers_reference import results

TRAIN = "en_sample-ud1.0-train"
M2 = """S a dogs sleeps
A 1 2|||R:NOUN:FORM|||dog|||REQUIRED|||-NONE-|||0
A 0 1|||U:DET||||||REQUIRED|||-NONE-|||0

S dogs sleep
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture(scope="module")
def graded(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with rules of grammar, learned and half of them looked at, and scores by them."""
    path = tmp_path_factory.mktemp("graded") / "graded.duckdb"
    path.write_bytes(sample_file.read_bytes())
    with sr_tracker.connect(path) as tracker:
        file = SAMPLE / "treebanks" / "en_sample-ud-train.conllu"
        tracker.ingest_treebank(file, version="1.0")
        tracker.grammar.extract(TRAIN, {"minimum_words": 20, "minimum_divergence": 0.3}, name="en")
        tracker.grammar.score("en", treebank="en_sample")
        lines = tracker.grammar.export("en", examples=0).splitlines()
        at = next(place for place, line in enumerate(lines) if line.startswith("kind"))
        column = lines[at].split("\t").index("annotation")
        for place in range(at + 1, len(lines)):
            cells = lines[place].split("\t")
            cells[column] = "always" if place % 2 else "sometimes"
            lines[place] = "\t".join(cells)
        edited = path.with_name("edited.tsv")
        edited.write_text("\n".join(lines) + "\n")
        tracker.grammar.import_(edited, name="edited")
    return path


def test_distributions_behind_a_rule_are_those_of_the_treebank(graded: Path) -> None:
    """Shares and divergence against a plain reading of the stored trees (section 3.2)."""
    with sr_tracker.connect(graded) as tracker:
        rows = tracker.show("grammar_rule_values", where="name = 'en'").to_pylist()
        rules = tracker.show("newest_grammar_rules", where="name = 'en'").to_pylist()
        words = tracker.sql(
            f"SELECT sentence_no, token_no, head, deprel, upos, feats FROM token "
            f"WHERE treebank_id = '{TRAIN}' AND upos IS NOT NULL"
        ).to_pylist()
    by_place = {(word["sentence_no"], word["token_no"]): word for word in words}

    def value(word: dict[str, str], feature: str) -> str | None:
        pairs = dict(pair.split("=") for pair in (word["feats"] or "").split("|") if pair)
        return pairs.get(feature)

    prescribed = [rule for rule in rules if rule["kind"] == "argument_structure"]
    assert prescribed
    assert {row["rule"] for row in rows} == {rule["rule"] for rule in prescribed}
    for rule in prescribed:
        of_rule = [row for row in rows if row["rule"] == rule["rule"]]
        upos = rule[f"{rule['bearer']}_upos"]
        everywhere = [value(word, rule["feature"]) for word in words if word["upos"] == upos]
        here = []
        for word in words:
            head = by_place.get((word["sentence_no"], word["head"]))
            if head is None or word["deprel"] != rule["deprel"]:
                continue
            if (word["upos"], head["upos"]) == (rule["dependent_upos"], rule["head_upos"]):
                here.append(value(word if rule["bearer"] == "dependent" else head, rule["feature"]))
        everywhere, here = ([one for one in part if one] for part in (everywhere, here))
        divergence = 0.0
        for row in of_rule:
            share = here.count(row["value"]) / len(here)
            global_share = everywhere.count(row["value"]) / len(everywhere)
            assert row["share"] == pytest.approx(share)
            assert row["global_share"] == pytest.approx(global_share)
            divergence += share * log(share / global_share) if share else 0.0
        assert {row["value"] for row in of_rule} == {*everywhere}
        assert rule["strength"] == pytest.approx(divergence)


def test_the_papers_tables_and_figures_are_made(graded: Path, tmp_path: Path) -> None:
    corrections, scores = tmp_path / "learners.m2", tmp_path / "scores.csv"
    corrections.write_text(M2)
    scores.write_text(
        "sentence,annotator,variant,metric,score\n"
        + "".join(
            f"1,0,{variant},perplexity,{score}\n2,0,{variant},perplexity,9\n"
            for variant, score in (("source", 5), ("morph", 4), ("rest", 6), ("target", 3))
        )
    )
    inputs = {"corrections": str(corrections), "scores": str(scores), "lower": "perplexity"}
    with sr_tracker.connect(graded) as tracker:
        made = {
            part.part.name: part
            for part in tracker.reproduce(
                "pratapa2021", out=tmp_path, counting="all", inputs=inputs, treebank="en_sample"
            )
        }
        rules = tracker.show("newest_grammar_rules").to_pylist()
    assert [*made] == [part.name for part in papers()["pratapa2021"].parts]
    rows_by_kind = {row["kind"]: row for row in made["table-1"].rows.to_pylist()}
    annotated = [rule for rule in rules if rule["annotation"]]
    assert {sum(row[name] for row in rows_by_kind.values()) for name in ("always",)} == {
        sum(rule["annotation"] == "always" for rule in annotated)
    }
    (learned,) = made["table-8"].rows.to_pylist()
    assert learned["treebank"] == "en_sample"
    assert learned["agreement"] + learned["argument_structure"] == len(
        [rule for rule in rules if rule["name"] == "en"]
    )
    accuracies = {
        (row["worse"], row["better"]): row["accuracy"]
        for row in made["table-4-de"].rows.to_pylist()
    }
    assert accuracies == {
        ("source", "target"): 1.0,
        ("source", "morph"): 1.0,
        ("source", "rest"): 0.0,
        ("morph", "target"): 1.0,
        ("rest", "target"): 1.0,
    }
    assert "--with rules=" in made["table-2-de"].reason
    with sr_tracker.connect(graded) as tracker:
        tables = tracker.reproduce("pratapa2021", tables=["4"], out=None)
    assert [part.part.name for part in tables] == ["table-4-de", "table-4-ru"]
    assert "no system has a score of grammar" in made["table-5"].reason  # outputs without trees
    drawn = json.loads((tmp_path / "pratapa2021" / "figure-2-en.json").read_text())
    shares = [row["share"] for row in drawn["concat"][0]["data"]["values"]]
    assert np.sum(shares) == pytest.approx(2)  # in such dependencies, and everywhere


def test_greek_rules_are_as_many_as_in_table_8(shared_data: Path, tmp_path: Path) -> None:
    """Pratapa et al. 2021, Table 8, of UD 2.5 converted to SUD: without a tolerance."""
    with campaign(tmp_path / "real.duckdb") as tracker:
        file = shared_data / "ud" / "2.5" / "el_gdt-ud-train.conllu.gz"
        tracker.ingest_treebank(file, version="2.5")
        settings = {"preset": "pratapa2021"}
        tracker.grammar.extract("el_gdt-ud2.5-train", settings, name="el", scheme="sud")
    with sr_tracker.connect(tmp_path / "real.duckdb") as tracker:
        (table,) = tracker.reproduce("pratapa2021", tables=["8"], out=None)
    assert {row["value"]: row["here"] for row in table.compared} == {
        "agreement": 11,
        "argument_structure": 12,
    }
    (written,) = [
        row
        for row in results()
        if (row["paper"], row["part"]) == ("pratapa2021", "table-8") and row["data"] != SAMPLE_NAME
    ]
    assert (table.equal, len(table.compared)) == (int(written["equal"]), int(written["published"]))
