"""Submissions as CoNLL-U with outcomes in MISC: against the conllu package, and read back."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import conllu
import pytest
from udtools.validator import Validator

import sr_tracker
from sr_tracker.ingest.grammar.rule_files import import_rules
from sr_tracker.ingest.treebanks.conllu import parse_conllu
from sr_tracker.queries.grammar.scoring import score_grammar
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker import export
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests.grammar.test_grammar_scoring import conllu as sentences_of
from tests.grammar.test_grammar_worst import BAD, GOOD, RULES, rules_file
from tests.tracker.in_process import run_text

SAMPLE = "SAMPLE24/ngram/en_sample-ud1.0-test"
MULTIWORD = """\
# newdoc id = d
# sent_id = fr-1
# text = Elle parle du temps.
1\tElle\til\tPRON\t_\t_\t2\tnsubj\t2:nsubj|2.1:nsubj\t_
2\tparle\tparler\tVERB\t_\t_\t0\troot\t0:root\t_
2.1\tparle\tparler\tVERB\t_\t_\t_\t_\t2:conj\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t5:case\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t5:det\t_
5\ttemps\ttemps\tNOUN\t_\t_\t2\tobl\t2:obl\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

"""


def misc(text: str) -> dict[tuple[str, int], dict[str, str | None]]:
    """Return what the conllu package reads in MISC, by sent_id and word."""
    return {
        (sentence.metadata["sent_id"], token["id"]): token["misc"] or {}
        for sentence in conllu.parse(text)
        for token in sentence
        if isinstance(token["id"], int)
    }


@pytest.fixture
def sample(sample_file: Path) -> Iterator[Tracker]:
    with connect(sample_file) as tracker:
        yield tracker


def test_edges_on_the_references(sample: Tracker, tmp_path: Path) -> None:
    """Found as the view edge_match has it; misplaced where the output has both lemmas."""
    file, plain = tmp_path / "out.conllu", tmp_path / "plain.conllu"
    assert sample.export(file, submission=SAMPLE) == 120
    sample.export(plain, treebank="en_sample")
    requests = {"where": f"submission_id = '{SAMPLE}'"}
    sent_ids = sample.show("sentence", treebank="en_sample")["sent_id"].to_pylist()
    words: dict[int, Counter[str]] = {}
    for row in sample.show("output_token", **requests).to_pylist():
        words.setdefault(row["sentence_no"], Counter())[row["lemma"].lower()] += 1
    edges = {
        (row["sentence_no"], row["token_no"]): (row["lemma"], row["head_lemma"])
        for row in sample.show("reference_edge", treebank="en_sample").to_pylist()
    }
    expected = {}
    for row in sample.show("edge_match", **requests).to_pylist():
        own, above = edges[row["sentence_no"], row["token_no"]]
        there = words[row["sentence_no"]]
        both = own in there and there[above] > (own == above)
        state = "found" if row["found"] else "misplaced" if both else "missed"
        expected[sent_ids[row["sentence_no"] - 1], row["token_no"]] = state
    text = file.read_text()
    computed = {place: str(pairs["Edge"]) for place, pairs in misc(text).items() if "Edge" in pairs}
    assert computed == expected
    assert {*expected.values()} == {"found", "misplaced"}
    ours, theirs = parse_conllu(text, "f"), parse_conllu(plain.read_text(), "f")
    assert ours.sent_ids == theirs.sent_ids
    for name in ("form", "lemma", "upos", "feats", "head", "deprel", "deps"):
        assert ours.words[name].equals(theirs.words[name])


def invalid(file: Path, *, level: int) -> set[str]:
    """What Universal Dependencies' own validator says of a file, but for DEPS that are missing."""
    with Path(os.devnull).open("w") as nowhere:
        validator = Validator(lang="ud", level=level, output=nowhere, max_store=100)
        state = validator.validate_files([str(file)])
    passed_over = {"edeps-missing", "edeps-only-sometimes"}
    return {item.testid for item in state.error_tracker if item.is_error()} - passed_over


def test_what_is_written_is_valid_and_loads(sample: Tracker, tmp_path: Path) -> None:
    for trees in ("reference", "output"):
        file = tmp_path / f"en_{trees}-ud1.0-test.conllu"
        sample.export(file, submission=SAMPLE, trees=trees)
        assert invalid(file, level=2 if trees == "reference" else 1) == set()
    with connect(None) as db:
        db.ingest_treebank(tmp_path / "en_reference-ud1.0-test.conllu")
        db.ingest_submission(
            tmp_path / "en_output-ud1.0-test.conllu", system="s", treebank="en_reference"
        )
        again = [text.replace(" ", "") for text in db.show("output")["text"].to_pylist()]
    texts = sample.show("output", where=f"submission_id = '{SAMPLE}'")["text"].to_pylist()
    assert again == [text.replace(" ", "") for text in texts]


def test_multiword_tokens_empty_nodes_and_marked_errors(tmp_path: Path) -> None:
    (tmp_path / "fr_a-ud1.0-test.conllu").write_text(MULTIWORD)
    (tmp_path / "ours.conllu").write_text(
        MULTIWORD.replace("Elle\til", "Il\tlui").replace("Elle", "Il")
    )
    spans = [
        {"start_character": 9, "end_character": 11, "severity": "major", "category": "a/b|c d"},
        {"start_character": 0, "end_character": 2, "severity": "minor"},
        {"start_character": None, "end_character": None, "severity": "major"},
    ]
    judged = {"annotator": "w", "system": "ours", "sent_id": "fr-1", "criterion": "esa"}
    judged |= {"score": 50, "error_spans": json.dumps(spans)}
    (tmp_path / "judged.jsonl").write_text(json.dumps(judged))
    with connect(None) as db:
        db.ingest_treebank(tmp_path / "fr_a-ud1.0-test.conllu")
        db.ingest_submission(tmp_path / "ours.conllu", campaign="C", system="ours", treebank="fr_a")
        db.ingest_judgements(tmp_path / "judged.jsonl", campaign="C", treebank_id="fr_a-ud1.0-test")
        db.score(metrics=["dea"])
        db.export(tmp_path / "reference.conllu.gz", submission="ours")
        db.export(tmp_path / "output.conllu", submission="ours", trees="output")
    reference = gzip.decompress((tmp_path / "reference.conllu.gz").read_bytes()).decode()
    lines = reference.split("\n")
    assert lines[:3] == MULTIWORD.split("\n")[:3]
    assert "# output = Il parle du temps." in lines
    assert "# error = major:a/b_c_d 9-11 du" in lines
    assert "2.1\tparle\tparler\tVERB\t_\t_\t_\t_\t2:conj\t_" in lines
    assert "5\ttemps\ttemps\tNOUN\t_\t_\t2\tobl\t2:obl\tSpaceAfter=No|Edge=found" in lines
    assert "1\tElle\til\tPRON\t_\t_\t2\tnsubj\t2:nsubj|2.1:nsubj\tEdge=missed" in lines
    output = (tmp_path / "output.conllu").read_text()
    assert "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n" in output
    assert "# error = major\n" in output
    computed = misc(output)
    assert computed["fr-1", 1] == {"Error": "minor"}
    assert computed["fr-1", 3] == computed["fr-1", 4] == {"Error": "major:a/b_c_d"}
    assert computed["fr-1", 5] == {"SpaceAfter": "No"}
    assert invalid(tmp_path / "output.conllu", level=1) == set()


def test_broken_rules_on_the_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "BATCH", 2)
    (tmp_path / "de_a-sud-test.conllu").write_text(sentences_of([GOOD] * 5))
    (tmp_path / "bad.conllu").write_text(sentences_of([GOOD, BAD, GOOD, GOOD, BAD]))
    with connect(tmp_path / "c.duckdb", create=True) as db, db.writing():
        db.ingest_treebank(tmp_path / "de_a-sud-test.conllu", treebank="de", scheme="sud")
        db.ingest_submission(tmp_path / "bad.conllu", system="bad", treebank="de")
        import_rules(db.database, rules_file(tmp_path, "german", RULES))
        file = tmp_path / "out.conllu"
        assert db.export(file, submission="bad", trees="output") == 5
        assert not any("Rules" in pairs for pairs in misc(file.read_text()).values())
        score_grammar(db.database, "german", ["local/bad/de"])
        db.export(file, submission="bad", trees="output")
    broken = {place: pairs["Rules"] for place, pairs in misc(file.read_text()).items() if pairs}
    ids = [sentence.metadata["sent_id"] for sentence in conllu.parse(file.read_text())]
    assert broken == {
        (ids[number], word): rules
        for number in (1, 4)
        for word, rules in ((1, "subj-PRON-AUX:Number"), (3, "mod-ADJ-NOUN:Case"))
    }


def test_odd_outputs_stay_on_their_lines(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a b\nc d\ne f\n")
    with connect(None) as db:
        db.ingest_references(tmp_path / "r.txt", treebank="r", language="en")
        db.submit(
            ["a\nb\t# x", None, "  \u2028e\x85f _"],
            system="s", treebank="r", analyse=False, log=False, accept_mismatch=True,
        )  # fmt: skip
        assert db.export(tmp_path / "o.conllu", submission="s", trees="output") == 2
        with pytest.raises(InputError, match="no words"):
            db.export(tmp_path / "r.conllu", submission="s")
    file = parse_conllu((tmp_path / "o.conllu").read_text(), "o")
    assert file.texts == ["a b # x", "e f _"]


def test_what_is_refused(
    sample_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = ("--database", sample_file, "share", "export", tmp_path / "x.conllu", "--submission")
    assert run_text(monkeypatch, *start, "nobody").code == 2
    assert run_text(monkeypatch, *start, SAMPLE, "--treebank", "de_sample").code == 2
    assert run_text(monkeypatch, *start[:-1], "--campaign", "SAMPLE25").code == 2
    assert run_text(monkeypatch, *start[:-1], "--trees", "output").code == 2
    assert not [*tmp_path.iterdir()]
    with (
        sr_tracker.connect(sample_file) as db,
        pytest.raises(InputError, match="no format or file is named"),
    ):
        db.export(tmp_path / "x", submission=SAMPLE, trees="both")
