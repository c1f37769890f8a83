"""References without trees, their files, sources and documents, and judged test sets."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.campaigns.loading import ingest_campaign
from sr_tracker.ingest.campaigns.manifest import read_manifest
from sr_tracker.ingest.judgements.loading import JudgementFile, ingest_judgements
from sr_tracker.ingest.names import name_treebank
from sr_tracker.ingest.outputs.submissions import Run, ingest_submission
from sr_tracker.ingest.treebanks.references import ingest_references
from sr_tracker.queries.catalog import install, run_audits
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker, connect

LINES = ["Üks lause.", "Teine lause on siin.", "", "Neljas."]
Counts = Callable[[], dict[str, int]]


def load(database: Database, path: Path, name: str = "nt18-enet", **options: object) -> bool:
    return ingest_references(
        database,
        path,
        name_treebank(path, treebank_id=name, language="xx", scheme="text"),
        **options,  # type: ignore[arg-type]
    )


def written(folder: Path, content: bytes | str, name: str = "refs.et") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fetched(database: Database, query: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = database.connection.execute(query).fetchall()
    return rows


def texts(database: Database) -> list[tuple[object, ...]]:
    return fetched(database, "SELECT sentence_no, sent_id, text FROM sentence ORDER BY sentence_no")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("refs.et", "\n".join(LINES).encode()),
        ("refs.txt", b"\xef\xbb\xbf" + "\r\n".join(LINES).encode() + b"\r\n"),
        ("refs.et.gz", gzip.compress(("\n".join(LINES) + "\n").encode())),
    ],
    ids=["plain", "windows", "compressed"],
)
def test_one_sentence_a_line(database: Database, tmp_path: Path, name: str, content: bytes) -> None:
    assert load(database, written(tmp_path, content, name), campaign_id="WMT18")
    assert texts(database) == [(n, str(n), line) for n, line in enumerate(LINES, start=1)]
    treebank = "SELECT language, scheme, hidden_text, sentences, tokens, source FROM treebank"
    assert fetched(database, treebank) == [("xx", "text", False, 4, 0, name)]
    assert fetched(database, "FROM campaign_treebank") == [("WMT18", "nt18-enet")]
    assert not load(database, tmp_path / name)


@given(lines=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\ufeff#"))))
def test_every_line_comes_back(database: Database, tmp_path: Path, lines: list[str]) -> None:
    path = written(tmp_path, "".join(f"{line}\n" for line in lines))
    database.connection.execute("DELETE FROM treebank; DELETE FROM sentence; DELETE FROM ingestion")
    expected = [line if line.strip() else "" for line in lines]
    if not any(expected):
        with pytest.raises(InputError, match="holds no sentence"):
            load(database, path)
        return
    load(database, path)
    assert [text for _, _, text in texts(database)] == expected


def test_ids_of_a_table_name_the_sentences(database: Database, tmp_path: Path) -> None:
    load(database, written(tmp_path, "id,text\nd-2,Teine.\nd-1,Üks.\n", "refs.csv"))
    assert texts(database) == [(1, "d-2", "Teine."), (2, "d-1", "Üks.")]
    twice = written(tmp_path, "id,text\na,Üks.\na,Kaks.\n", "twice.csv")
    with pytest.raises(InputError, match="two sentences are 'a', the first on line 2") as raised:
        load(database, twice, "other")
    assert raised.value.where == f"{twice}:3"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        ("", "refs.et", "holds no sentence"),
        ("\n \n", "refs.et", "holds no sentence"),
        ("1\tx\n", "refs.conllu", "is a treebank"),
        (b"\xff\n", "refs.et", "not valid UTF-8"),
    ],
)
def test_files_that_are_none(
    database: Database, row_counts: Counts, tmp_path: Path, content: bytes, name: str, message: str
) -> None:
    before = row_counts()
    with pytest.raises(InputError, match=message):
        load(database, written(tmp_path, content, name))
    assert row_counts() == before


def test_other_content_needs_replace_and_no_submission(database: Database, tmp_path: Path) -> None:
    load(database, written(tmp_path, "Üks.\nKaks.\n"))
    other = written(tmp_path, "Üks.\nTeine.\n", "other.et")
    with pytest.raises(InputError, match="already loaded with other content"):
        load(database, other)
    assert load(database, other, replace=True)
    assert texts(database)[1] == (2, "2", "Teine.")
    run = Run(campaign_id="C", system_id="neurotolge.ee.5399", treebank_id="nt18-enet")
    outputs = written(tmp_path, "Üks\nKaks\n", "out.txt")
    ingest_submission(database, outputs, run, analyser_factory(database, "reference"))
    with pytest.raises(InputError, match="1 submission of it"):
        load(database, tmp_path / "refs.et", replace=True)


JUDGED = """annotator,hit,system,treebank,sent_id,criterion,score
ann,h,S1,nt18-enet,3,adequacy,80
ann,h,S1,nt18-enet,1,adequacy,40
bob,h,S2,nt18-enet,3,adequacy,60
"""
JUDGEMENTS = (
    "SELECT annotator_id, sent_id, raw_score, text FROM judgement "
    "JOIN sentence USING (treebank_id, sentence_no) ORDER BY judgement_no"
)


@pytest.fixture
def judged(database: Database, tmp_path: Path) -> Path:
    """Judgements of a test set that is known from them alone."""
    install(database)
    path = written(tmp_path, JUDGED, "judged.csv")
    ingest_judgements(database, path, JudgementFile({}, campaign_id="WMT18", register=True))
    return path


def test_a_judged_test_set_gets_its_texts(database: Database, judged: Path, tmp_path: Path) -> None:
    assert [row[:3] for row in texts(database)] == [(1, "3", None), (2, "1", None)]
    assert load(database, written(tmp_path, "A a.\nB b.\nC c.\nD d.\n"))
    assert texts(database) == [
        (1, "1", "A a."),
        (2, "2", "B b."),
        (3, "3", "C c."),
        (4, "4", "D d."),
    ]
    assert fetched(database, JUDGEMENTS) == [
        ("ann", "3", 80, "C c."),
        ("ann", "1", 40, "A a."),
        ("bob", "3", 60, "C c."),
    ]
    outputs = (
        "SELECT submission_id, list(sentence_no ORDER BY sentence_no) FROM output GROUP BY ALL"
    )
    assert sorted(fetched(database, outputs)) == [
        ("WMT18/S1/nt18-enet", [1, 2, 3, 4]),
        ("WMT18/S2/nt18-enet", [1, 2, 3, 4]),
    ]
    assert run_audits(database) == []


def test_judged_submissions_get_their_outputs(
    database: Database, judged: Path, tmp_path: Path
) -> None:
    load(database, written(tmp_path, "A a.\nB b.\nC c.\n"))
    outputs = written(tmp_path, "A x.\nB x.\nC x.\n", "S1.txt")
    run = Run(campaign_id="WMT18", system_id="S1", treebank_id="nt18-enet")
    factory = analyser_factory(database, "reference")
    with pytest.raises(InputError, match="other content or analysis"):
        ingest_submission(database, outputs, run, factory)
    ingest_submission(database, outputs, run, factory, replace=True)
    assert fetched(
        database,
        "SELECT output.text, raw_score FROM judgement "
        "JOIN output USING (submission_id, sentence_no) ORDER BY judgement_no",
    ) == [("C x.", 80), ("A x.", 40), (None, 60)]
    assert run_audits(database) == []


def test_judgements_after_the_references_find_their_lines(
    database: Database, tmp_path: Path
) -> None:
    install(database)
    load(database, written(tmp_path, "A a.\nB b.\nC c.\n"))
    path = written(tmp_path, JUDGED, "judged.csv")
    options = JudgementFile({}, campaign_id="WMT18", register=True)
    report = ingest_judgements(database, path, options)
    assert report.registered == ["WMT18/S1/nt18-enet", "WMT18/S2/nt18-enet"]
    assert [row[3] for row in fetched(database, JUDGEMENTS)] == ["C c.", "A a.", "C c."]
    more = written(tmp_path, JUDGED.replace(",3,", ",9,"), "more.csv")
    with pytest.raises(InputError, match="the references of 'nt18-enet' have no sentence '9'"):
        ingest_judgements(database, more, options)
    assert len(texts(database)) == 3
    assert run_audits(database) == []


def test_judged_sentences_that_are_not_in_the_file(
    database: Database, judged: Path, row_counts: Counts, tmp_path: Path
) -> None:
    before = row_counts()
    with pytest.raises(InputError, match="the file has no sentence '3', which 'nt18-enet' has"):
        load(database, written(tmp_path, "A.\nB.\n"))
    assert row_counts() == before


def test_references_in_a_manifest(database: Database, tmp_path: Path) -> None:
    install(database)
    for name in ("nt18-enet", "nt18-enfi"):
        written(tmp_path, "A a.\nB b.\n", f"{name}.ref")
    written(tmp_path, "A a.\nB c.\n", "S1.txt")
    manifest = written(
        tmp_path,
        '[campaign]\nid = "WMT18"\n[[references]]\npath = "{treebank}.ref"\n'
        '[[references]]\npath = "nt18-enfi.ref"\nid = "finnish"\nlanguage = "xx"\n'
        '[[submissions]]\npath = "{system}.txt"\ntreebank = "xx"\n',
        "campaign.toml",
    )
    factory = analyser_factory(database, "reference")
    report = ingest_campaign(database, read_manifest(manifest), factory)
    assert (report.files, report.treebanks, report.unchanged) == (4, 3, 0)
    assert [submission.submission_id for submission in report.submissions] == ["WMT18/S1/finnish"]
    names = "SELECT treebank_id FROM campaign_treebank ORDER BY 1"
    assert fetched(database, names) == [("finnish",), ("nt18-enet",), ("nt18-enfi",)]
    again = ingest_campaign(database, read_manifest(manifest), factory)
    assert (again.treebanks, again.unchanged) == (0, 4)
    broken = written(tmp_path, '[campaign]\nid = "C"\n[[references]]\nid = "x"\n', "broken.toml")
    with pytest.raises(InputError, match="lacks the key 'path'"):
        read_manifest(broken)


def test_names(tmp_path: Path) -> None:
    name = name_treebank(tmp_path / "newstest2018-enet-ref.et.gz", scheme="text")
    assert (name.treebank_id, name.scheme) == ("newstest2018-enet-ref", "text")
    assert name_treebank(tmp_path / "en_ewt-ud-test.conllu").scheme == "ud"


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


def load_three(db: Tracker, folder: Path, **how: object) -> bool:
    return db.ingest_references(folder / "refs.txt", treebank="three", language="en", **how)[1]  # type: ignore[arg-type]


def rows(db: Tracker) -> list[tuple[object, ...]]:
    query = "SELECT sentence_no, source_text, document_id, domain FROM sentence_source ORDER BY ALL"
    return [tuple(row.values()) for row in db.sql(query).to_pylist()]


def test_files_of_lines(db: Tracker, tmp_path: Path) -> None:
    arguments = {"sources": tmp_path / "src.txt", "documents": tmp_path / "de-en.docs"}
    assert load_three(db, tmp_path, **arguments)
    assert rows(db) == ROWS
    assert not load_three(db, tmp_path, **arguments)
    assert not load_three(db, tmp_path)
    db.submit(["A dog.", "", "No."], system="ours", treebank="three", log=False)
    query = "SELECT document_id, domain FROM output_scores WHERE sentence_no = 3"
    assert db.sql(query).to_pylist() == [{"document_id": "d 2", "domain": "social"}]
    with db.reading() as database:
        assert all(not audit.violations for audit in run_audits(database))


def test_other_content_replaces_both(db: Tracker, tmp_path: Path) -> None:
    load_three(db, tmp_path, sources=tmp_path / "src.txt", documents=tmp_path / "de-en.docs")
    with pytest.raises(InputError, match="other sources or documents already"):
        load_three(db, tmp_path, sources=tmp_path / "src.txt")
    assert rows(db) == ROWS
    assert load_three(db, tmp_path, sources=tmp_path / "src.txt", replace=True)
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
        ("src.jsonl", '{"id": 1, "source": ["x", "y"]}\n', "a sentence has several sources"),
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
        load_three(db, tmp_path, **{option: tmp_path / name})
    assert message in str(caught.value)
    assert db.show("treebank").num_rows == 0


def test_they_go_with_their_treebank(db: Tracker, tmp_path: Path) -> None:
    load_three(db, tmp_path, sources=tmp_path / "src.txt", documents=tmp_path / "de-en.docs")
    db.remove("treebank", "three")
    assert rows(db) == []
    assert load_three(db, tmp_path, sources=tmp_path / "src.txt")
