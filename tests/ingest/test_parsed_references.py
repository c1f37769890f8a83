"""Test sets of plain text that get the trees of a parser, and lose them again."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sr_tracker.ingest.analysers import AnalysedWord, analysis_table
from sr_tracker.ingest.treebanks.parsed_references import forget_parsed, parse_references
from sr_tracker.queries.analyses import analyse_treebanks, pending_treebanks
from sr_tracker.queries.catalog import run_audits
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import add_references, load, written
from tests.conftest import Filled

REFERENCES = ["The dog saw a cat. It ran.", "Cats sleep.", "", "Dogs chase cats"]
OUTPUTS = ["The dog saw cat a. It ran.", "Cats sleep.", None, "cats chase Dogs"]


class Parser:
    """Words hung each from the one before; two sentences in a text have two roots."""

    name = "toy"

    def __init__(self, version: str = "toy/1", *, heads: bool = True) -> None:
        self.version = version
        self.heads = heads

    def analyse(self, sentence_nos: pa.Array, texts: pa.Array) -> pa.Table:
        analysed = []
        for number, text in zip(sentence_nos.to_pylist(), texts.to_pylist(), strict=True):
            words: list[AnalysedWord] = []
            start = 0
            for form in text.replace(".", " .").split():
                root = len(words) == start
                words.append(
                    AnalysedWord(
                        form=form,
                        lemma=form.lower(),
                        upos="PUNCT" if form == "." else "X",
                        xpos=None,
                        feats=None,
                        head=(0 if root else len(words)) if self.heads else None,
                        deprel="root" if root else "punct" if form == "." else "dep",
                    )
                )
                start = len(words) if form == "." else start
            analysed.append((number, words))
        return analysis_table(analysed)


@pytest.fixture
def db(filled: Filled) -> Tracker:
    def fill(db: Tracker) -> None:
        add_references(db, "four", REFERENCES, language="en")
        db.submit(OUTPUTS, system="ours", treebank="four", log=False, accept_mismatch=True)
        rows = [("system", "sent_id", "score"), ("ours", 1, 0.5), ("ours", 2, 0.7)]
        load(db.ingest_metric_scores, rows, "comet.csv", name="comet", treebank="four")

    return filled("parsed", fill)


def parse(db: Tracker, parser: Parser | None = None, **how: bool) -> object:
    with db.writing() as database:
        done = parse_references(database, "four", parser or Parser(), **how)
        analyse_treebanks(database, pending_treebanks(database))
    db.score()
    return done


def scores(db: Tracker) -> dict[str, float | None]:
    query = (
        "SELECT metric, score FROM submission_score "
        "SEMI JOIN current_scoring USING (submission_id, metric, signature_id) ORDER BY metric"
    )
    return {row["metric"]: row["score"] for row in db.sql(query).to_pylist()}


def audited(db: Tracker) -> list[object]:
    with db.reading() as database:
        return [*run_audits(database)]


def test_references_and_outputs_get_trees(db: Tracker) -> None:
    before = scores(db)
    assert before["dea"] is None
    assert before["comet"] == pytest.approx(0.6)
    done = parse(db)
    assert (done.analysis, done.tokens, done.changed) == ("toy/1", 15, True)  # type: ignore[attr-defined]
    assert done.submissions == ["local/ours/four"]  # type: ignore[attr-defined]
    after = scores(db)
    # Edges without punctuation: dog, saw, a, cat, It (the second of two roots), ran; sleep; chase,
    # cats. Found are dog, saw, ran, sleep, and It five words behind The.
    assert after["dea"] == pytest.approx(5 / 9)
    text = {"bleu", "bleu_13a", "chrf", "ter", "dist", "nist", "comet"}
    assert {name: after[name] for name in text} == {name: before[name] for name in text}
    signatures = db.sql(
        "SELECT text_level, count(*) FILTER "
        "(WHERE contains(signature, 'references-version:toy/1')) AS told "
        "FROM signature GROUP BY ALL ORDER BY 1"
    ).to_pylist()
    assert {row["text_level"]: row["told"] for row in signatures} == {
        "edges": 2,
        "lemmas": 1,
        "text": 0,
        "external": 0,
    }
    assert audited(db) == []
    assert db.analyse().analyses
    tokens = (
        "SELECT form, head, deprel, space_after FROM token WHERE sentence_no = 1 ORDER BY token_no"
    )
    rows = [tuple(row.values()) for row in db.sql(tokens).to_pylist()]
    assert rows[4:7] == [
        ("cat", 4, "dep", False),
        (".", 5, "punct", True),
        ("It", 1, "parataxis", True),
    ]
    assert db.show("sentence_complexity").num_rows == 2 * 3
    again = parse(db)
    assert (again.changed, again.submissions) == (False, [])  # type: ignore[attr-defined]
    assert db.score().scores == 0


def test_another_model_and_none(db: Tracker) -> None:
    before = scores(db)
    parse(db)
    db.analyse()
    with pytest.raises(InputError, match="has trees already, of toy/1"):
        parse(db, Parser("toy/2"))
    parse(db, Parser("toy/2"), replace=True)
    assert db.show("treebank").to_pylist()[0]["parsed_by"] == "toy/2"
    assert audited(db) == []
    with db.writing() as database:
        assert forget_parsed(database, "four").changed
        assert not forget_parsed(database, "four").changed
    db.score()
    assert scores(db) == before
    assert db.show("token").num_rows == 0
    assert audited(db) == []


def test_outputs_may_stay_as_they_are(db: Tracker) -> None:
    done = parse(db, outputs=False)
    assert done.submissions == []  # type: ignore[attr-defined]
    assert db.show("submission").to_pylist()[0]["analysis"].startswith("reference/")
    assert scores(db)["dea"] is not None


def test_outputs_loaded_again_with_the_parser_are_known(db: Tracker, tmp_path: Path) -> None:
    parse(db)
    (tmp_path / "out.txt").write_text("".join(f"{text or ''}\n" for text in OUTPUTS))
    with db.writing() as database:
        from sr_tracker.ingest.outputs.submissions import Run, ingest_submission

        run = Run("local", "ours", "four", accept_mismatch=True)
        done = ingest_submission(database, tmp_path / "out.txt", run, lambda _: Parser())
    assert not done.changed


def test_what_cannot_be_parsed_is_refused(db: Tracker, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not parse"):
        parse(db, Parser(heads=False))
    (tmp_path / "en_one-ud-test.conllu").write_text("1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    db.ingest_treebank(tmp_path / "en_one-ud-test.conllu")
    with db.writing() as database:
        with pytest.raises(InputError, match="no test set of plain text"):
            parse_references(database, "en_one", Parser())
        with pytest.raises(InputError, match="no test set of plain text"):
            forget_parsed(database, "en_one")
        with pytest.raises(UnknownNameError):
            parse_references(database, "fuor", Parser())
    with pytest.raises(InputError, match="learns from trees"):
        db.parse("four", analyser="reference")
    with pytest.raises(InputError):
        db.parse("four", model=written(tmp_path / "refs.txt", REFERENCES))
    assert db.show("token").num_rows == 1
