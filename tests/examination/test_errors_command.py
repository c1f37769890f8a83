"""``tracker examination errors``: every form of what annotators marked, and what may come in."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sr_tracker
from sr_tracker.tracker.examination.commands import DOCUMENT
from sr_tracker.tracker.examination.marked_errors import TITLES
from sr_tracker.tracker.experiments.results import read_numbers
from tests.tracker.explorer_server import explorer
from tests.tracker.in_process import run

HOSTILE = "<script>alert(1)</script>\u202e"
TEXTS = ["a dog barks", "e\u0301te\u0301 \U0001f415 \u202edog</mark>", "犬が吠える"]
SPANS = [
    [
        (2, 5, "major", HOSTILE, False),
        (4, 9, "minor", "style", False),
        (2, 2, "minor", None, False),
    ],
    [(0, 2, "critical", "style", False), (6, 7, "minor", None, False), (0, 5, "major", "x", True)],
    [(None, None, "major", "omission", False)],
]


def judged(folder: Path, rows: list[tuple[str, int, list[dict[str, object]]]]) -> Path:
    """Return a file of judgements with errors: system, sentence and errors."""
    lines = [
        json.dumps(
            {
                "annotator": "w",
                "system": system,
                "sent_id": str(number),
                "criterion": "mqm",
                "score": 0,
                "error_spans": json.dumps(spans),
            }
        )
        for system, number, spans in rows
    ]
    (folder / "judged.jsonl").write_text("\n".join(lines))
    return folder / "judged.jsonl"


def errors(
    spans: list[tuple[int | None, int | None, str, str | None, bool]],
) -> list[dict[str, object]]:
    fields = ("start_character", "end_character", "severity", "category", "on_source")
    return [dict(zip(fields, span, strict=True)) for span in spans]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("errors")
    (folder / "set.txt").write_text("a dog barks\nsummer dog\ndogs bark\n")
    with sr_tracker.connect(folder / "c.duckdb", create=True) as db, db.writing():
        db.ingest_references(folder / "set.txt", treebank="set", language="en")
        (folder / "other.txt").write_text("<i>a hound\nsummer\nbark\n")
        db.ingest_references(folder / "other.txt", treebank="set", alternative="refB")
        for system in ("good", "bad"):
            (folder / f"{system}.txt").write_text("\n".join(TEXTS))
            db.ingest_submission(
                folder / f"{system}.txt", campaign="C", system=system, treebank="set"
            )
        rows = [("bad", n, errors(spans)) for n, spans in enumerate(SPANS, start=1)]
        rows += [("good", n, []) for n in (1, 2, 3)]
        db.ingest_judgements(judged(folder, rows), campaign="C", treebank_id="set")
        db.score(metrics=["chrf"])
    return folder / "c.duckdb"


@pytest.mark.parametrize("form", ["table", "csv", "json", "html", "markdown", "latex"])
def test_every_format(monkeypatch: pytest.MonkeyPatch, path: Path, form: str) -> None:
    done = run(
        monkeypatch, "-d", str(path), "examination", "errors", "--by", "category", "--format", form
    )
    assert (done.code, b"style" in done.stdout) == (0, True)
    assert form != "table" or "\u202e" not in done.stdout.decode()
    assert form != "html" or b"<script>alert" not in done.stdout


def test_parquet_and_chart(monkeypatch: pytest.MonkeyPatch, path: Path, tmp_path: Path) -> None:
    out, chart = tmp_path / "e.parquet", tmp_path / "e.svg"
    done = run(
        *(monkeypatch, "-d", str(path), "examination", "errors", "--by", "severity"),
        *("-o", str(out), "--chart", str(chart)),
    )
    assert done.code == 0
    assert [row["name"] for row in pq.read_table(out).to_pylist()] == ["major", "minor", "critical"]
    assert "errors per 100 words" in chart.read_text()


def test_words_of_any_script(path: Path) -> None:
    """Three words, three between blanks, and five characters of Japanese."""
    with sr_tracker.connect(path) as db:
        (row,) = db.errors(system="bad").to_pylist()
    assert row["words"] == 3 + 3 + 5
    assert (row["critical"], row["major"], row["minor"]) == (1, 3, 3)


def test_the_document_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    message = run(monkeypatch, "-d", str(path), "examination", "errors").stdout.decode()
    for missing in ("Neither outputs nor references have trees", "analyse --only mining"):
        assert missing in message
    assert all(TITLES[by] in message for by in DOCUMENT)


def test_pages_and_report_show_errors(path: Path, tmp_path: Path) -> None:
    """Names of categories stand escaped; what has no errors marked has no such section."""
    with explorer(path) as ask:
        for name in ("submission/C/bad/set", "system/bad"):
            assert f'href="/errors/{name}"' in ask(f"/{name}").text
        pages = [ask("/errors/submission/C/bad/set").text, ask("/errors/system/bad").text]
    with sr_tracker.connect(path) as db:
        db.report(tmp_path / "report.html")
    for page in (*pages, (tmp_path / "report.html").read_text()):
        assert "Errors that people marked" in page
        assert "errors per 100 words" in page
        assert "&lt;script&gt;alert" in page
        assert "<script>alert" not in page


def test_a_sentence_has_its_other_references(path: Path) -> None:
    with explorer(path) as ask:
        page = ask("/sentence/set/1").text
    assert "reference refB" in page
    assert "&lt;i&gt;a hound" in page


def test_runs_show_errors_per_100_words(path: Path) -> None:
    with sr_tracker.connect(path) as db, db.reading() as database:
        numbers = read_numbers(database, ["C/bad/set", "C/good/set"])
    assert numbers["C/bad/set"].others["mqm_errors[critical]"] == pytest.approx(100 / 11)
    assert numbers["C/good/set"].others["mqm_errors"] == 0


def test_ten_thousand_marks(tmp_path: Path) -> None:
    """An output with 10,000 errors, overlapping all, is loaded, counted and drawn in time."""
    text = "ab " * 5000
    (tmp_path / "set.txt").write_text("ab\n")
    (tmp_path / "ours.txt").write_text(f"{text}\n")
    spans = errors(
        [(n, n + 5000, "minor" if n % 2 else "major", "x", False) for n in range(10_000)]
    )
    with sr_tracker.connect(tmp_path / "c.duckdb", create=True) as db, db.writing():
        db.ingest_references(tmp_path / "set.txt", treebank="set", language="en")
        db.ingest_submission(tmp_path / "ours.txt", campaign="C", system="ours", treebank="set")
        db.ingest_judgements(
            judged(tmp_path, [("ours", 1, spans)]), campaign="C", treebank_id="set"
        )
        (row,) = db.errors().to_pylist()
    assert (row["errors"], row["per_100_words"]) == (10_000, 200)
    with explorer(tmp_path / "c.duckdb") as ask:
        assert "Errors that annotators marked" in ask("/sentence/set/1").text


def test_weights_add_up_in_any_order(tmp_path: Path) -> None:
    """Ten errors of .1 weigh 1, which adding them one by one misses in the last digit."""
    (tmp_path / "set.txt").write_text("a dog barks\n")
    spans = [{**error, "weight": 0.1} for error in errors([(0, 1, "minor", "style", False)] * 10)]
    with sr_tracker.connect(tmp_path / "c.duckdb", create=True) as db, db.writing():
        db.ingest_references(tmp_path / "set.txt", treebank="set", language="en")
        db.ingest_submission(tmp_path / "set.txt", campaign="C", system="ours", treebank="set")
        db.ingest_judgements(
            judged(tmp_path, [("ours", 1, spans)]), campaign="C", treebank_id="set"
        )
        for by in ("system", "severity"):
            assert db.errors(by=by)["weight"].to_pylist() == [1.0]
        for view in ("error_rates", "error_span_counts"):
            weights = db.show(view, columns="weight")["weight"].to_pylist()
            assert {*weights} == {1.0}
    assert sum([0.1] * 10) != 1.0
