"""SQL on a site: what a browser answers is what 'tracker sql' does, and reaches nothing else."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import duckdb
import pytest

from sr_tracker.queries import browser_copy
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.explorer import site
from tests.building import written
from tests.tracker.browser import Browser, find_browser

SCRIPT = '</script><img src=x onerror="document.title=1">'
ENDLESS = "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with odd names and outputs, and a system that only capitals tell from another."""
    folder = tmp_path_factory.mktemp("campaign")
    references = written(folder / "references.txt", "a dog barks\ntwo cats sleep\nbirds sing\n")
    with connect(folder / "c.duckdb", create=True) as tracker, tracker.writing():
        for system, outputs in {
            'the-"one"': ["a dog barks", SCRIPT, "birds"],
            'The-"One"': ["a dog", "'; DROP TABLE output; --", None],
            "con": ["a", "b", "c"],
        }.items():
            tracker.submit(outputs, system=system, references=references, log=False)
    return folder / "c.duckdb"


@pytest.fixture(scope="module")
def address(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of its site, below another, as Spaces are."""
    packages = (site._DUCKDB, site._ARROW)
    if not all(site._is_right(site._engine_file(*name), *name) for name in packages):
        pytest.skip(
            "DuckDB for browsers is not in the cache: 'tracker share site --sql' fetches it"
        )
    root = tmp_path_factory.mktemp("root")
    with connect(campaign, read_only=True) as tracker:
        tracker.site(root / "spaces" / "site", sql=True)
    serve = partial(QuietHandler, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/spaces/site"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium or Chrome is installed")
    with Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


CANCEL = (
    "[...document.querySelectorAll('form.choice button')]"
    ".find((button) => button.textContent === 'Cancel')"
)


def answer(browser: Browser, query: str) -> str:
    """What the page says of a query that is typed and run."""
    browser.run(f"document.querySelector('textarea').value = {query!r}")
    browser.run("document.querySelector('form.choice').requestSubmit()")
    browser.until(f"{CANCEL}.hidden")
    text: str = browser.run("document.querySelector('#rows').innerText")
    return text


def test_rows_are_those_of_the_command_line(campaign: Path, address: str, browser: Browser) -> None:
    queries = [
        "SELECT submission_id, sentence_no, output, chrf FROM output_scores ORDER BY ALL",
        "SELECT system_id, avg(chrf) AS mean, count(*) FROM leaderboard GROUP BY ALL ORDER BY ALL",
        "FROM campaign",
        "SELECT DATE '2020-02-03' AS d, -0.50::DECIMAL(9, 2) AS m, -2::HUGEINT AS n, [1, 2] AS l",
    ]
    rows = (
        "[...document.querySelectorAll('#rows tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    with connect(campaign, read_only=True) as tracker:
        for query in queries:
            browser.open("about:blank")
            # As browsers write it: the page puts the query into the address again.
            state = urlencode({"query": query, "name": "x"}, safe="*")
            browser.open(f"{address}/sql.html#{state}")
            browser.until("Boolean(document.querySelector('#rows td, #rows pre'))")
            table = tracker.sql(query)
            there = [
                [shown(value) for value in row]
                for row in zip(*(column.to_pylist() for column in table.columns), strict=True)
            ]
            assert browser.run(rows) == there
            heads = "[...document.querySelectorAll('#rows th')].map(c => c.innerText.trim())"
            assert browser.run(heads) == table.column_names
    assert browser.run("document.title") != "1"


def test_names_of_the_copy_are_offered_while_one_types(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    browser.open("about:blank")
    browser.open(f"{address}/sql.html")
    with urlopen(f"{address}/names.json") as answer:  # noqa: S310
        names = json.load(answer)
    with urlopen(f"{address}/sql/campaign.bin") as answer:  # noqa: S310
        (tmp_path / "copy.duckdb").write_bytes(gzip.decompress(answer.read()))
    with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as copy:
        tables = copy.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert {*names} - {name for (name,) in tables} == set()
    write = "const box = document.querySelector('textarea[name=query]'); box.focus(); "
    write += "box.value = 'FROM output_sc'; box.dispatchEvent(new Event('input')); "
    offered = "[...document.querySelectorAll('#names li')].map((item) => item.textContent)"
    browser.until(f"(() => {{ {write} return {offered}.length > 0; }})()")
    assert any(name.startswith("output_scores") for name in browser.run(offered))


def shown(value: object) -> str:
    """A value as the page shows it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}"
    return str(value).replace(" ", "") if isinstance(value, list) else str(value)


def test_a_query_reaches_the_copy_alone(address: str, browser: Browser) -> None:
    browser.open(f"{address}/sql.html")
    wrong = {
        "SELEKT 1": "syntax error at or near",
        "SELECT nothing FROM leaderboard": '"nothing" not found',
        "COPY leaderboard TO 'x.csv'": "disabled by configuration",
        f"ATTACH '{address}/sql/campaign.bin' AS other": "disabled by configuration",
        f"FROM read_text('{address}/index.html')": "disabled by configuration",
        "SET enable_external_access = true": "locked",
        "LOAD httpfs": "disabled",
        "DROP TABLE leaderboard": "read-only",
        "SELECT 1 AS answer": "1 row",
    }
    for query, message in wrong.items():
        assert message in answer(browser, query), query
    assert all(asked_for.startswith((address, "blob:")) for asked_for in browser.requests())


def test_an_endless_query_is_cancelled_and_the_next_one_answered(
    address: str, browser: Browser
) -> None:
    browser.open(f"{address}/sql.html")
    assert "1,000 rows (the first 1,000)" in answer(browser, "FROM range(100000000)")
    browser.run(f"document.querySelector('textarea').value = {ENDLESS!r}")
    browser.run("document.querySelector('form.choice').requestSubmit()")
    browser.until(f"!{CANCEL}.hidden")
    browser.run(f"{CANCEL}.click()")
    assert "the query was cancelled" in browser.run("document.querySelector('#rows').innerText")
    assert "42" in answer(browser, "SELECT 42 AS answer")


def test_tables_lead_to_their_query(address: str, browser: Browser) -> None:
    browser.open(f"{address}/leaderboard.html")
    lead = browser.run("document.querySelector('.sources a').href")
    assert lead.startswith(f"{address}/sql.html#query=")
    browser.run(f"location.href = {lead!r}")
    browser.until("Boolean(document.querySelector('#rows td, #rows pre'))")
    assert "rows" in browser.run("document.querySelector('#rows h2').innerText")


def test_a_copy_has_plain_tables_within_its_size(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(campaign, read_only=True) as tracker, tracker.reading() as database:
        assert browser_copy.write_browser_copy(database, tmp_path / "a's.duckdb") == []
        scores = tracker.show("output_scores", columns="submission_id, sentence_no, chrf")
        monkeypatch.setattr(browser_copy, "COPY_BYTES", 20_000)
        left_out = browser_copy.write_browser_copy(database, tmp_path / "small.duckdb")
    assert left_out
    assert "output_scores" not in left_out
    with duckdb.connect(str(tmp_path / "a's.duckdb"), read_only=True) as connection:
        kinds = connection.execute(
            "SELECT DISTINCT data_type FROM duckdb_columns() WHERE NOT internal"
        )
        assert not {kind for (kind,) in kinds.fetchall()} & {"JSON", "TIMESTAMP WITH TIME ZONE"}
        assert not connection.execute("FROM duckdb_views() WHERE NOT internal").fetchall()
        rows = connection.execute("SELECT submission_id, sentence_no, chrf FROM output_scores")
        assert sorted(rows.fetchall()) == sorted(tuple(row.values()) for row in scores.to_pylist())
    with duckdb.connect(str(tmp_path / "small.duckdb"), read_only=True) as connection:
        names = {
            name
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        }
    assert "output_scores" in names
    assert not names & {*left_out}


@pytest.mark.parametrize(
    ("npm", "message"),
    [
        (None, "npm is not installed"),
        ("echo no network >&2; exit 1", "npm failed: no network"),
        ("for name in duckdb-duckdb-wasm-1.32.0.tgz; do echo wrong > $name; done", "another file"),
    ],
)
def test_without_duckdb_for_browsers_nothing_is_written(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, npm: str | None, message: str
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    if npm:
        (programs / "npm").write_text(f"#!/bin/sh\n{npm}\n")
        (programs / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with connect(campaign, read_only=True) as tracker, pytest.raises(InputError, match=message):
        tracker.site(tmp_path / "site", sql=True)
    assert not (tmp_path / "site").exists()
    assert not [*(tmp_path / "cache" / "sr-tracker").iterdir()]


def test_names_that_capitals_tell_apart_and_devices_have_files_of_their_own(
    campaign: Path, tmp_path: Path
) -> None:
    with connect(campaign, read_only=True) as tracker:
        tracker.site(tmp_path / "site")
    files = [file.relative_to(tmp_path) for file in (tmp_path / "site").rglob("*.html")]
    assert len({str(file).lower() for file in files}) == len(files)
    systems = [file for file in files if file.name.lower().startswith("the-%22one%22")]
    assert len({file.name for file in systems if file.parent.name == "system"}) >= 2
    assert not [file for file in files if "con" in {part.partition(".")[0] for part in file.parts}]
    readme = (tmp_path / "site" / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(
        '---\ntitle: "Evaluation of local"\nsdk: static\napp_file: index.html\n'
    )
