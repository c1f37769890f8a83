"""The page of a system over its iterations, and what may be changed on pages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import sr_tracker
from sr_tracker.ingest.undo import tags_of
from sr_tracker.tracker.explorer.editing import Editor
from sr_tracker.tracker.show.charts.change import BETTER, UNTESTED, WORSE
from tests.charts import rows_of
from tests.tracker.explorer_server import Answer, Ask, explorer

TREEBANK = "en_tiny-ud-test"
WORDS = (
    *("1\tDogs\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_", "2\tnever\tnever\tADV\t_\t_\t3\tadvmod\t_\t_"),
    *("3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_", "4\tnow\tnow\tADV\t_\t_\t3\tadvmod\t_\t_"),
)
SENTENCES = 40
RIGHT, WRONG = "Dogs never bark now", "now Dogs bark never"
HOLDER = """
import sys, duckdb
with duckdb.connect(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three iterations: the second is worse than the first, and the third better than both."""
    folder = tmp_path_factory.mktemp("system")
    head = "# sent_id = s{}\n# text = Dogs never bark now"
    sentences = ["\n".join([head.format(n), *WORDS, ""]) for n in range(SENTENCES)]
    treebank = folder / f"{TREEBANK}.conllu"
    treebank.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    path = folder / "campaign.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(treebank)
        for n, right in enumerate([30, 10, SENTENCES]):
            tracker.submit(
                [RIGHT] * right + [WRONG] * (SENTENCES - right),
                system="ours",
                treebank=TREEBANK,
                params={"beam": str(n)},
                log=False,
            )
    return path


@pytest.fixture(scope="module")
def ask(campaign: Path) -> Iterator[Ask]:
    with explorer(campaign) as asking:
        yield asking


def outcomes(page: Answer) -> list[str]:
    """What the chart says of each run."""
    (chart,) = page.charts()
    return [row["meaning"] for row in rows_of(chart)[0]]


def test_the_latest_run_is_held_against_the_one_before_and_the_best(ask: Ask) -> None:
    page = ask("/system/ours")
    assert "The latest is @3" in page.text
    assert "since @2" in page.text
    assert "none is better" in page.text
    tested = [lead for lead in page.leads() if lead.startswith("/tested")]
    assert len(tested) == 2
    assert 'class="verdict"' in ask(tested[0]).text


def test_a_chart_shows_which_changes_are_more_than_chance(ask: Ask) -> None:
    assert outcomes(ask("/system/ours")) == [UNTESTED, WORSE, BETTER]
    tested = ask("/runs/ours")
    assert 'id="chart"' in tested.text
    assert outcomes(tested) == [UNTESTED, WORSE, BETTER]


def test_a_change_whose_test_is_not_stored_has_no_mark(campaign: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(campaign, tmp_path / "copy.duckdb"))
    with duckdb.connect(path) as connection:
        connection.execute("DELETE FROM change WHERE submission_id LIKE '%@2'")
        connection.execute("DELETE FROM comparison WHERE submission_id LIKE '%@2'")
    with explorer(path) as ask:
        assert outcomes(ask("/system/ours")) == [UNTESTED, UNTESTED, BETTER]


def test_params_that_were_chosen_differently_are_told(ask: Ask, campaign: Path) -> None:
    (query,) = (query for query in ask("/system/ours").queries() if "AS now" in query)
    with sr_tracker.connect(campaign, read_only=True) as tracker:
        rows = tracker.sql(query).to_pylist()
    computed = [(row["submission_id"][-2:], row["name"], row["before"], row["now"]) for row in rows]
    assert computed == [("@3", "beam", "1", "2"), ("@2", "beam", "0", "1")]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/system/our", "nearest: ours"),
        ("/system/ours?measure=blue", "nearest: bleu"),
        ("/system/ours?line=nowhere", "no runs on 'nowhere'"),
        ("/runs/ours?line=nowhere", "no runs on 'nowhere'"),
    ],
)
def test_what_is_not_there_is_said(ask: Ask, address: str, message: str) -> None:
    answer = ask(address)
    assert (answer.status, message in answer.plain) == (404, True)


@pytest.fixture
def written(campaign: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(campaign, tmp_path / "written.duckdb"))


def form(page: Answer, **fields: str) -> dict[str, str]:
    """What the page's form sends, with these fields."""
    token = re.search(r'name="token" value="([^"]+)"', page.text)
    assert token
    of = {"token": token[1], "kind": "system", "target": "ours", "back": "/system/ours"}
    return {**of, **fields}


def tags(path: Path, kind: str = "system", target: str = "ours") -> dict[str, str]:
    with sr_tracker.connect(path, read_only=True) as tracker, tracker.reading() as database:
        return tags_of(database, kind, target)


def test_notes_and_tags_are_changed_in_the_file_and_seen_at_once(written: Path) -> None:
    with sr_tracker.connect(written, read_only=True) as tracker:
        latest = tracker.resolve("ours@3")
    with explorer(written, editor=Editor(written, wait=5)) as ask:
        page = ask("/system/ours")
        done = ask.post("/edit", form(page, deed="note", value="the beam <helps>"))
        assert (done.status, done.headers["Location"]) == (303, "/system/ours")
        assert "the beam &lt;helps&gt;" in ask("/system/ours").text
        ask.post("/edit", form(page, deed="tag", name="paper", value="INLG 2024"))
        assert tags(written) == {"note": "the beam <helps>", "paper": "INLG 2024"}
        ask.post("/edit", form(page, deed="untag", name="note"))
        run = {"kind": "submission", "target": latest, "back": f"/submission/{latest}"}
        ask.post("/edit", form(page, deed="note", value="best so far", **run))
        assert "best so far" in ask(f"/submission/{latest}").text
    assert tags(written) == {"paper": "INLG 2024"}
    assert tags(written, "submission", latest)["note"] == "best so far"


def test_pages_are_read_only_unless_told(ask: Ask) -> None:
    page = ask("/system/ours").text
    assert 'method="post"' not in page
    assert 'name="token"' not in page
    assert ask.post("/edit", {"deed": "note"}).status == 404


@pytest.mark.parametrize(
    ("changed", "status", "message"),
    [
        ({"token": "guessed"}, 403, "did not come from a page of this server"),
        ({"token": ""}, 403, "did not come from a page of this server"),
        ({"deed": "drop"}, 400, "'drop' cannot be done here"),
        ({"kind": "table"}, 400, "'table' has no notes and tags"),
        ({"target": "nobody"}, 404, "nobody"),
        ({"deed": "tag", "name": " "}, 400, "has no name"),
        ({"deed": "untag", "name": "unknown"}, 404, "unknown"),
        ({"value": "x" * 200_000}, 413, "too long"),
    ],
)
def test_what_must_not_be_changed_is_not(
    written: Path, changed: dict[str, str], status: int, message: str
) -> None:
    with explorer(written, editor=Editor(written, wait=5)) as ask:
        page = ask("/system/ours")
        answer = ask.post("/edit", form(page, **{"deed": "note", "value": "mine", **changed}))
        assert (answer.status, message in answer.plain) == (status, True), answer.text
        assert ask("/edit").status == 405
    assert tags(written) == {}


def test_a_change_leads_back_to_this_server_alone(written: Path) -> None:
    with explorer(written, editor=Editor(written, wait=5)) as ask:
        page = ask("/system/ours")
        for back in ("//attacker.example", "https://attacker.example", "/\\attacker.example"):
            answer = ask.post("/edit", form(page, deed="note", value=back, back=back))
            assert answer.headers["Location"] == "/"


def test_a_file_that_is_held_is_said_and_nothing_changed(written: Path) -> None:
    with explorer(written, editor=Editor(written, wait=0.2)) as ask:
        page = ask("/system/ours")
        command = [sys.executable, "-c", HOLDER, str(written)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, **pipes) as holder:  # type: ignore[call-overload]
            assert holder.stdout.readline().strip() == b"held"
            answer = ask.post("/edit", form(page, deed="note", value="too early"))
            assert "ours" in ask("/system/ours?measure=chrf").text
            holder.stdin.close()
        assert (answer.status, "nothing was changed" in answer.text) == (503, True)
        assert ask.post("/edit", form(page, deed="note", value="now")).status == 303
    assert tags(written) == {"note": "now"}
