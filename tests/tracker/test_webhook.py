"""Verdicts told besides: what a webhook is sent, that it fails nothing, and pages to click on."""

from __future__ import annotations

import html
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

import sr_tracker
from tests.building import written
from tests.commands import exit_code, run

REFERENCES = [f"number {n} is the sum of {n} and nothing else at all" for n in range(12)]
SECRET = "T0KEN"  # noqa: S105


class Receiving(http.server.BaseHTTPRequestHandler):
    """Keeps what it is sent; the end of the path is the status that it answers."""

    received: list[tuple[str, dict[str, Any]]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.path, json.loads(body)))
        status = self.path.rpartition("/")[2]
        self.send_response(int(status) if status.isdigit() else 200)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hook() -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    """The address of a webhook, and what it was sent."""
    handler = type("Handler", (Receiving,), {"received": []})
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{SECRET}", handler.received
        server.shutdown()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """References, and outputs of which the second are worse."""
    monkeypatch.delenv("TRACKER_EXPLORER", raising=False)
    written(tmp_path / "references.txt", "\n".join(REFERENCES) + "\n")
    written(tmp_path / "1.txt", "\n".join(REFERENCES) + "\n")
    written(tmp_path / "2.txt", "\n".join(text[::-1] for text in REFERENCES) + "\n")
    return tmp_path


def submit(files: Path, outputs: str, *options: str) -> str:
    arguments = ("--system", "a<b>&c", "--references", files / "references.txt", "--no-log")
    result = run(files / "a.duckdb", "submit", files / outputs, *arguments, *options)
    return result.stdout + result.stderr


def test_a_webhook_is_sent_the_verdict_and_the_text_that_tools_show(
    files: Path, hook: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, received = hook
    shown = submit(files, "1.txt", "--webhook", address)
    assert "look: tracker --database " in shown
    assert "serve --open 'local/a<b>&c/references'" in shown
    monkeypatch.setenv("TRACKER_WEBHOOK", address)
    monkeypatch.setenv("TRACKER_EXPLORER", "http://127.0.0.1:8127")
    shown = submit(files, "2.txt")
    page = "http://127.0.0.1:8127/submission/local/a%3Cb%3E%26c/references@2"
    assert f"look: {page}\n" in shown
    assert SECRET not in shown
    (_, first), (path, second) = received
    assert path == f"/{SECRET}"
    assert (first["base"], first["outcome"], first["address"]) == (None, None, None)
    assert second["event"] == "submit"
    assert second["submission"], second["base"] == first["submission"]
    assert second["outcome"] == "worse"
    lines = second["text"].split("\n")
    assert lines == ["local/a&lt;b&gt;&amp;c/references@2", *lines[1:-1], page]
    assert lines[1:-1] == [html.escape(line, quote=False) for line in second["verdict"]]
    with sr_tracker.connect(files / "a.duckdb") as db:
        change = db.compare("a<b>&c@2", "a<b>&c@1").metrics[0]
    (bleu,) = (change for change in second["changes"] if change["measure"] == "bleu")
    assert bleu["difference"] == pytest.approx(change.difference)
    assert bleu["p_holm"] == pytest.approx(change.p_holm)


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_webhook_that_refuses_fails_nothing_and_is_followed_nowhere(
    files: Path, hook: tuple[str, Any], status: int
) -> None:
    address, received = hook
    shown = submit(files, "1.txt", "--webhook", f"{address}/{status}")
    assert f"note: the webhook was not told: 127.0.0.1 answers HTTP {status}\n" in shown
    assert SECRET not in shown
    assert [path for path, _ in received] == [f"/{SECRET}/{status}"]


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (f"http://127.0.0.1:1/{SECRET}", "127.0.0.1 is not reached: Connection refused"),
        (f"{SECRET}", "it is no address of http or https"),
        (f"file:///{SECRET}", "it is no address of http or https"),
        (f"http://[{SECRET}", "it is no address of http or https"),
        (f"http://127.0.0.1/{SECRET} x\n", "127.0.0.1 is not reached: InvalidURL"),
        (f"http://user:{SECRET}@127.0.0.1/", "127.0.0.1 is not reached: InvalidURL"),
    ],
)
def test_what_is_no_webhook_is_a_note_without_its_secret(
    files: Path, address: str, reason: str
) -> None:
    shown = submit(files, "1.txt", "--webhook", address)
    assert f"note: the webhook was not told: {reason}\n" in shown
    assert SECRET not in shown


def test_a_gate_tells_what_it_found_and_fails_as_without(
    files: Path, hook: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, received = hook
    submit(files, "1.txt")
    submit(files, "2.txt")
    monkeypatch.setenv("TRACKER_EXPLORER", "/sr-tracker")
    arguments = (
        "gate",
        "a<b>&c@2",
        "--base",
        "a<b>&c@1",
        "--max-drop",
        "bleu=1",
        "--significant",
    )
    result = run(files / "a.duckdb", *arguments, "--webhook", address, code=None)
    assert exit_code(result) == 1
    ((_, content),) = received
    assert (content["event"], content["passed"], content["address"]) == ("gate", False, None)
    assert content["text"].startswith(
        "❌ The gate fails by 1 threshold: a&lt;b&gt;&amp;c@2 against "
    )
    assert content["thresholds"][0]["verdict"] == "failed"
    own = json.loads(run(files / "a.duckdb", *arguments, "--json", "-", code=None).stdout)
    assert {name: content[name] for name in own} == own


def test_serve_opens_the_page_of_a_submission(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    submit(files, "1.txt")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    for words in (["--open"], ["--open", "a<b>&c"], []):
        run(files / "a.duckdb", "serve", "--port", "0", *words)
    first, second = (address.partition("//127.0.0.1:")[2].partition("/") for address in opened)
    assert first[2] == ""
    assert second[2] == "submission/local/a%3Cb%3E%26c/references"
    result = run(files / "a.duckdb", "serve", "--port", "0", "--open", "nobody@3", code=2)
    assert "there is no submission 'nobody'" in str(result.exception)
