"""Source texts, documents and domains: from files to sentences, as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sr_tracker.queries.catalog import run_audits
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker, connect

SOURCES = "Ein Hund.\nEine\u2028Katze.\n\n"
DOCUMENTS = "news\td1\nnews\td1\nsocial\td 2\n"
ROWS = [
    (1, "Ein Hund.", "d1", "news"),
    (2, "Eine\u2028Katze.", "d1", "news"),
    (3, None, "d 2", "social"),
]


@pytest.fixture
def db(tmp_path: Path) -> Tracker:
    (tmp_path / "refs.txt").write_text("A dog.\nA cat.\nA mouse.\n")
    (tmp_path / "src.txt").write_text(SOURCES)
    (tmp_path / "de-en.docs").write_text(DOCUMENTS)
    return connect(tmp_path / "campaign.duckdb", create=True)


def load(db: Tracker, folder: Path, **how: object) -> bool:
    return db.ingest_references(folder / "refs.txt", treebank="three", language="en", **how)[1]  # type: ignore[arg-type]


def rows(db: Tracker) -> list[tuple[object, ...]]:
    query = "SELECT sentence_no, source_text, document_id, domain FROM sentence_source ORDER BY ALL"
    return [tuple(row.values()) for row in db.sql(query).to_pylist()]


def test_files_of_lines(db: Tracker, tmp_path: Path) -> None:
    given = {"sources": tmp_path / "src.txt", "documents": tmp_path / "de-en.docs"}
    assert load(db, tmp_path, **given)
    assert rows(db) == ROWS
    assert not load(db, tmp_path, **given)
    assert not load(db, tmp_path)
    db.submit(["A dog.", "", "No."], system="ours", treebank="three", log=False)
    query = "SELECT document_id, domain FROM sentence_scores WHERE sentence_no = 3"
    assert db.sql(query).to_pylist() == [{"document_id": "d 2", "domain": "social"}]
    with db.reading() as database:
        assert all(not found.violations for found in run_audits(database))


def test_other_content_replaces_both(db: Tracker, tmp_path: Path) -> None:
    load(db, tmp_path, sources=tmp_path / "src.txt", documents=tmp_path / "de-en.docs")
    with pytest.raises(InputError, match="other sources or documents already"):
        load(db, tmp_path, sources=tmp_path / "src.txt")
    assert rows(db) == ROWS
    assert load(db, tmp_path, sources=tmp_path / "src.txt", replace=True)
    assert rows(db) == [(*row[:2], None, None) for row in ROWS[:2]]


def test_a_table_with_ids(db: Tracker, tmp_path: Path) -> None:
    (tmp_path / "refs.csv").write_text("sent_id,text\na,A dog.\nb,A cat.\n")
    table = tmp_path / "behind.tsv"
    table.write_text("sent_id\tsource\tdocument\tdomain\nb\tEine Katze.\td\t\na\tEin Hund.\t\tx\n")
    db.ingest_references(tmp_path / "refs.csv", treebank="two", sources=table, documents=table)
    assert rows(db) == [(1, "Ein Hund.", None, "x"), (2, "Eine Katze.", "d", None)]


def test_a_treebank_with_trees(db: Tracker, tmp_path: Path) -> None:
    row = "1\tDogs\tdog\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "en_one.conllu").write_text(f"# sent_id = a\n# text = Dogs\n{row}")
    (tmp_path / "src.txt").write_text("Hunde\n")
    db.ingest_treebank(tmp_path / "en_one.conllu", sources=tmp_path / "src.txt")
    assert rows(db) == [(1, "Hunde", None, None)]
    row = row.replace("Dogs", "Cats")
    (tmp_path / "en_one.conllu").write_text(f"# sent_id = a\n# text = Cats\n{row}")
    db.ingest_treebank(tmp_path / "en_one.conllu", replace=True)
    assert rows(db) == []
    assert db.ingest_treebank(tmp_path / "en_one.conllu", sources=tmp_path / "src.txt")[1]
    assert rows(db) == [(1, "Hunde", None, None)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("src.txt", "one\ntwo\n", "the file has 2 lines, 'three' has 3 sentences"),
        ("src.csv", "sent_id,source\n9,x\n", "'three' has no sentence '9'"),
        ("src.csv", "sent_id,source\n1,x\n1,y\n", "sentence '1' stands twice, the first on line 2"),
        ("src.csv", "sent_id,other\n1,x\n", "there is no column 'source'"),
        ("x.docs", "news\td\nnews\nnews\td\n", "x.docs:2"),
        ("x.docs", "news\td\n", "the file has 1 line"),
        ("x.docs", "news\td\n\t\nnews\td\n", "the line is not a domain, a tab and a document"),
        ("x.docs", "", "the file has 0 lines"),
    ],
)
def test_what_does_not_fit_leaves_nothing(
    db: Tracker, tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    option = "documents" if name.endswith(".docs") else "sources"
    with pytest.raises(InputError) as caught:
        load(db, tmp_path, **{option: tmp_path / name})
    assert message in str(caught.value)
    assert db.show("treebank").num_rows == 0


def test_they_go_with_their_treebank(db: Tracker, tmp_path: Path) -> None:
    load(db, tmp_path, sources=tmp_path / "src.txt", documents=tmp_path / "de-en.docs")
    db.remove("treebank", "three")
    assert rows(db) == []
    assert load(db, tmp_path, sources=tmp_path / "src.txt")
