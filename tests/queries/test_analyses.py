"""What is computed once per treebank: once, completely, and as its functions say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import sr_tracker.queries.analyses
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.treebanks.loading import ingest_treebank
from sr_tracker.queries.analyses import TABLES, analyse_treebanks, pending_treebanks
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement
from tests.queries.conftest import conllu

Sentences = list[list[tuple[str, str, int, str]]]


@pytest.fixture
def load(database: Database, tmp_path: Path) -> Callable[..., None]:
    def load(treebank_id: str, sentences: Sentences, *, replace: bool = False) -> None:
        path = tmp_path / f"{treebank_id}.conllu"
        path.write_text(conllu(sentences))
        ingest_treebank(database, path, name_treebank(path), replace=replace)

    return load


def contents(database: Database) -> dict[str, list[tuple[object, ...]]]:
    return {
        table: database.connection.execute(f"FROM {table} ORDER BY ALL").fetchall()
        for table in TABLES
    }


def test_treebank_is_analysed_once(database: Database, load: Callable[..., None]) -> None:
    load("en_a-ud1.0-test", [[("A", "a", 0, "root")]])
    load("en_b-ud1.0-test", [[("B", "b", 0, "root")]])
    assert pending_treebanks(database) == ["en_a-ud1.0-test", "en_b-ud1.0-test"]
    analyse_treebanks(database, ["en_b-ud1.0-test"])
    assert pending_treebanks(database) == ["en_a-ud1.0-test"]
    analyse_treebanks(database, pending_treebanks(database))
    assert pending_treebanks(database) == []
    before = contents(database)
    analyse_treebanks(database, [])
    assert contents(database) == before


def test_new_version_of_the_analyses_replaces_the_old_one(
    database: Database, load: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    load("en_a-ud1.0-test", [[("A", "a", 2, "nsubj"), ("B", "b", 0, "root")]])
    analyse_treebanks(database, pending_treebanks(database))
    before = contents(database)
    monkeypatch.setattr(sr_tracker.queries.analyses, "ANALYSIS_VERSION", "treebank_analysis-next")
    assert pending_treebanks(database) == ["en_a-ud1.0-test"]
    analyse_treebanks(database, pending_treebanks(database))
    assert contents(database) == before


def test_replaced_treebank_is_analysed_again(database: Database, load: Callable[..., None]) -> None:
    load("en_a-ud1.0-test", [[("A", "a", 0, "root")]])
    analyse_treebanks(database, pending_treebanks(database))
    load("en_a-ud1.0-test", [[("C", "c", 0, "root")]], replace=True)
    assert not any(contents(database).values())
    assert pending_treebanks(database) == ["en_a-ud1.0-test"]
    analyse_treebanks(database, pending_treebanks(database))
    assert contents(database)["reference_lemmas"] == [("en_a-ud1.0-test", 1, ["c"])]


def test_interrupted_analysis_leaves_nothing(
    database: Database, load: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    load("en_a-ud1.0-test", [[("A", "a", 0, "root")]])

    def interrupted(name: str) -> str:
        if name == "analyse_edges":
            raise KeyboardInterrupt
        return statement(name)

    with monkeypatch.context() as patch:
        patch.setattr(sr_tracker.queries.analyses, "statement", interrupted)
        with pytest.raises(KeyboardInterrupt):
            analyse_treebanks(database, pending_treebanks(database))
    assert not any(contents(database).values())
    analyse_treebanks(database, pending_treebanks(database))
    without_edges = [table for table in TABLES if not table.startswith("reference_edge")]
    assert all(contents(database)[table] for table in without_edges)


def test_edges_skip_punctuation_and_drop_subtypes(
    database: Database, load: Callable[..., None]
) -> None:
    words = [
        ("Dogs", "Dog", 3, "nsubj:pass"),
        (",", ",", 3, "punct"),
        ("Run", "run", 0, "root"),
        ("(", "(", 3, "punct:left"),
        ("fast", "_", 4, "advmod"),
    ]
    load("en_a-ud1.0-test", [words])
    analyse_treebanks(database, pending_treebanks(database))
    edges = database.connection.execute(
        "SELECT token_no, head_token_no, deprel, lemma, head_lemma, upos, distance "
        "FROM reference_edge ORDER BY token_no"
    ).fetchall()
    assert edges == [
        (1, 3, "nsubj", "dog", "run", "X", -1),
        (5, 3, "advmod", "fast", "run", "X", 1),
    ]
    assert contents(database)["reference_lemmas"] == [
        ("en_a-ud1.0-test", 1, ["dog", "run", "fast"])
    ]


def test_hidden_text_leaves_trees_but_no_text(
    database: Database, load: Callable[..., None]
) -> None:
    load("en_a-ud1.0-test", [[("_", "a", 2, "nsubj"), ("_", "b", 0, "root")]])
    analyse_treebanks(database, pending_treebanks(database))
    stored = contents(database)
    assert len(stored["sentence_complexity"]) == 2
    assert len(stored["reference_edge"]) == 1
    assert stored["reference_lemmas"] == []
