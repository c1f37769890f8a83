"""The explorer over texts and names from outside that are hostile, or missing."""

from __future__ import annotations

import html
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote

import pytest

import sr_tracker
from sr_tracker.tracker.explorer import serving
from sr_tracker.tracker.explorer.editing import Editor
from sr_tracker.tracker.explorer.snapshot import Snapshots
from tests.building import Word, chain, conllu
from tests.tracker.browser import Browser, find_browser
from tests.tracker.explorer_server import explorer

SCRIPT, TURNED, LONG_WORD = "<script>alert(1)</script>", "a\u202eb", "w" * 3000
MANY = [f"word{n}" for n in range(1500)]
TREEBANK = "en_hostile-ud-test"
NAME = f"local/%3Cscript%3E/{TREEBANK}"


def tree(words: list[str], last: str = "a/b") -> list[Word]:
    """Words that depend on each other in a row, at last by a relation of that name."""
    return [*chain(words[:-1]), (words[-1], len(words) - 1, last)]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of a system called <script>, with texts of all kinds, and one that is missing."""
    folder = tmp_path_factory.mktemp("hostile")
    treebank = folder / f"{TREEBANK}.conllu"
    sentences = ([SCRIPT, TURNED, "'\"&"], [LONG_WORD, "x"], ["a", "b"], MANY)
    names = [f"<b>{n}" for n in range(len(sentences))]
    treebank.write_text(conllu(map(tree, sentences), names=names), encoding="utf-8")
    path = folder / "hostile.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(treebank)
        for outputs in (
            [f"{SCRIPT} {TURNED}", f"{LONG_WORD}y", "b a", " ".join(MANY[:90])],
            [TURNED, f"x {LONG_WORD}", None, " ".join(reversed(MANY))],
        ):
            tracker.submit(outputs, system="evil", treebank=TREEBANK, log=False, analyse=False)
        tracker.rename("system", "evil", "<script>")
    return path


def test_hostile_texts_and_names_are_escaped_on_every_kind_of_page(hostile: Path) -> None:
    pages = [
        "/",
        "/leaderboard",
        "/system/%3Cscript%3E",
        f"/submission/{NAME}@2",
        f"/compare?new={NAME}@2&base={NAME}",
        f"/sentences/{NAME}@2",
        f"/missed/{NAME}@2?relation=dep",
        *(f"/sentence/{TREEBANK}/{n}?submission={NAME}@2&base={NAME}" for n in range(1, 5)),
        "/relation/dep",
        "/relation/a/b",
        f"/missed/{NAME}@2?relation=a/b",
        "/search?words=alert",
        f"/search?words={'%3Cscript%3E'}&kind=lemma",
        "/sql?query=FROM+output",
        "/sql?query=FROM+output&name=%3Cscript%3E",
    ]
    with explorer(hostile) as ask:
        for page in pages:
            answer = ask(page)
            assert answer.status == 200, (page, answer.text[-500:])
            assert "<script>" not in answer.text
            assert "<b>0" not in answer.text
        many = ask(f"/sentence/{TREEBANK}/4").text
        assert "1,500 words are too many for a drawing" in many
        assert "<svg" not in many.partition('id="outputs"')[0]
        assert html.escape(SCRIPT) in ask(f"/sentence/{TREEBANK}/1").text
        assert "no output" in ask(f"/sentence/{TREEBANK}/3?submission={NAME}@2").text


def test_names_that_are_long_or_paths_stay_in_the_folder_of_a_site(tmp_path: Path) -> None:
    treebank = tmp_path / f"{TREEBANK}.conllu"
    treebank.write_text(conllu([tree(["a", "b"], "../../../outside")]), encoding="utf-8")
    site = tmp_path / "in" / "site"
    with sr_tracker.connect(tmp_path / "long.duckdb", create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(treebank)
        tracker.submit(["b a"], system="数据" * 33, treebank=TREEBANK, log=False, analyse=False)
        tracker.site(site)
    pages = [*site.rglob("*.html")]
    assert any(page.name == "outside.html" for page in pages)
    assert not [*tmp_path.glob("outside*"), *tmp_path.glob("in/outside*")]
    for page in pages:
        for lead in re.findall(r'(?:href|src)="([^"#]+)', page.read_text(encoding="utf-8")):
            assert (page.parent / unquote(html.unescape(lead))).is_file(), (page, lead)


def test_long_words_stay_on_the_page(hostile: Path, tmp_path: Path) -> None:
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium or Chrome is installed")
    with explorer(hostile) as ask, Browser(program, tmp_path) as browser:
        for page in ("/leaderboard", f"/sentence/{TREEBANK}/2", f"/sentences/{NAME}@2"):
            browser.open(f"{ask.address}{page}", width=360)
            assert browser.run("document.documentElement.scrollWidth") <= 360
            assert browser.complaints() == []
        browser.open(f"{ask.address}/system/%3Cscript%3E", width=1280)
        browser.until("Boolean(document.querySelector('#chart svg')?.ariaLabel)")
        area = "document.querySelector('#chart .layer_5_marks path')"
        x, y = browser.run(f"(box => [box.x + 9, box.y + 9])({area}.getBoundingClientRect())")
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        browser.until("Boolean(document.querySelector('#vg-tooltip-element.visible'))")
        assert "<script>" in browser.run("document.querySelector('#vg-tooltip-element').innerText")


def test_an_empty_database_has_pages(tmp_path: Path) -> None:
    path = tmp_path / "empty.duckdb"
    with sr_tracker.connect(path, create=True):
        pass
    pages = ("", "leaderboard", "people", "years", "views", "tables", "words", "search?words=x")
    with explorer(path) as ask:
        for page in (*pages, "view/leaderboard", "sql?query=FROM+leaderboard"):
            answer = ask(f"/{page}")
            assert answer.status == 200, (page, answer.text[-500:])
        for page in ("sentence/nowhere/1", "relation/nsubj", "system/nobody", "submission/nobody"):
            assert ask(f"/{page}").status == 404


def test_a_page_of_another_site_asks_nothing(hostile: Path) -> None:
    query = "SELECT%201%20AS%20one"
    with explorer(hostile) as ask:
        for address in (f"/sql?query={query}", f"/rows.csv?query={query}"):
            assert ask(address, **{"Sec-Fetch-Site": "cross-site"}).status == 403
            for site in ("none", "same-origin"):
                assert ask(address, **{"Sec-Fetch-Site": site}).status == 200
        assert ask("/sql", **{"Sec-Fetch-Site": "cross-site"}).status == 200


def test_statements_that_wait_hold_no_page(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them than there are threads for pages are under way, and a page comes."""
    ended, begun = threading.Event(), threading.Semaphore(0)

    def file(*_: object, **__: object) -> bytes:
        begun.release()
        ended.wait()
        return b"one\n1\n"

    monkeypatch.setattr(Snapshots, "file", file)
    with explorer(hostile) as ask, ThreadPoolExecutor(50) as pool:
        try:
            answers = [pool.submit(ask, "/rows.csv?query=x") for _ in range(50)]
            for _ in range(4):
                begun.acquire()
            assert ask("/leaderboard").status == 200
        finally:
            ended.set()
        assert {answer.result().status for answer in answers} == {200}


FORM = b"POST /edit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 400\r\n\r\n"
WHOLE = b"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize(
    ("whole", "begun"),
    [(b"", WHOLE[:-2]), (b"", FORM), (b"", FORM + b"q=1"), (WHOLE, b"GET / HT")],
)
def test_who_sends_half_a_request_is_hung_up_on(
    hostile: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    whole: bytes,
    begun: bytes,
) -> None:
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.2)
    editor = Editor(hostile, wait=60)
    with (
        explorer(hostile, editor=editor) as ask,
        socket.create_connection((ask.host, ask.port), 60) as half,
    ):
        half.sendall(whole)
        answer = half.recv(4096) if whole else b""
        half.sendall(begun)
        answer += b"".join(iter(lambda: half.recv(4096), b""))
        assert answer.endswith(b"</svg>" if whole else b"")
        assert ask("/").status == 200
    assert "Traceback" not in caplog.text
