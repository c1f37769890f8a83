"""The first page: the newest verdicts, how systems go, what needs attention, and what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages import home
from sr_tracker.tracker.pages.submission import submission
from sr_tracker.tracker.show.model import Brought, Card, Document, Section, Table, plain_text
from tests.conftest import Filled
from tests.tracker.browser import Browser
from tests.tracker.explorer_server import Ask, explorer

WORDS = ("cat", "dog", "bird", "horse", "cow", "fox", "hen", "pig", "owl", "bee")
REFERENCES = [f"the {one} sees the {other} today" for one in WORDS for other in WORDS]
BROKEN = [" ".join(reversed(line.split())) for line in REFERENCES]


@pytest.fixture
def campaign(filled: Filled, tmp_path: Path) -> Path:
    """Three runs of a system: broken, all right, and half broken with an output missing."""

    def fill(tracker: Tracker) -> None:
        (tmp_path / "ref.txt").write_text("\n".join(REFERENCES))
        half: list[str | None] = [*REFERENCES[:50], *BROKEN[50:99], None]
        for outputs in (BROKEN, REFERENCES, half):
            submit(tracker, outputs, references=tmp_path / "ref.txt")

    filled("home", fill)
    return tmp_path / "campaign.duckdb"


def submit(tracker: Tracker, outputs: Any, **options: Any) -> None:
    tracker.submit(outputs, system="ours", analyse=False, log=False, **options)


def sections(path: Path) -> dict[str, Section]:
    with sr_tracker.connect(path, create=True) as tracker, tracker.reading():
        document = home.home(tracker, {}).document
    return {section.anchor: section for section in document.sections}


def titles(section: Section) -> list[str]:
    return [plain_text(block.title) for block in section.blocks if isinstance(block, Card)]


def test_the_newest_verdict_stands_first_and_leads_to_its_sentences(campaign: Path) -> None:
    first, second = (b for b in sections(campaign)["verdicts"].blocks if isinstance(b, Card))
    with sr_tracker.connect(campaign) as tracker:
        verdicts = tracker.show("verdicts", columns="verdict", order="iteration")["verdict"]
    assert [plain_text(second.title), plain_text(first.title)] == verdicts.to_pylist()
    assert plain_text(first.title).startswith("ours@3 is worse than ours@2 by BLEU-lc −")
    assert (first.tone, second.tone) == ("worse", "better")
    assert [span.address for span in first.title] == [  # type: ignore[union-attr]
        "/compare?new=local/ours/ref@3&base=local/ours/ref@2"
    ]


def test_what_needs_attention_is_about_the_newest_runs(campaign: Path) -> None:
    reasons = titles(sections(campaign)["attention"])
    assert reasons == [
        "local/ours/ref@3 has outputs for 99 of 100 sentences",
        "local/ours/ref@3 is worse than the run before",
    ]
    with sr_tracker.connect(campaign) as tracker:
        submit(tracker, [*REFERENCES[:99], BROKEN[99]])
        with tracker.writing():
            unsaid = "DELETE FROM comparison WHERE submission_id LIKE '%@4'"
            tracker.database.connection.execute(unsaid)
    assert titles(sections(campaign)["attention"]) == [
        "local/ours/ref@4 was not compared with the run before"
    ]


def test_systems_are_followed_by_their_primary_metric(campaign: Path) -> None:
    def line() -> list[Any]:
        (table,) = (b for b in sections(campaign)["systems"].blocks if isinstance(b, Table))
        (row,) = table.lines
        return [*row.cells]

    cells = line()
    assert [plain_text(cell.text) for cell in cells[:3]] == ["ours", "ref", "BLEU-lc"]
    assert [tone for _, tone in cells[3].sparkline.points] == ["", "better", "worse"]
    assert [share for share, _ in cells[3].sparkline.points][:2] == [0.0, 1.0]
    assert cells[7].text == "@2"
    with sr_tracker.connect(campaign) as tracker:
        tracker.primary("ter", campaign="local")
    cells = line()
    assert plain_text(cells[2].text) == "TER"
    assert cells[7].text == "@2", "less is better"


def test_audits_are_brought_and_say_what_should_not_exist(campaign: Path) -> None:
    (brought,) = (b for b in sections(campaign)["attention"].blocks if isinstance(b, Brought))
    assert brought.address == "/audits"

    def audited() -> Section:
        with sr_tracker.connect(campaign) as tracker, tracker.reading():
            (section,) = home.audits(tracker, {}).document.sections
        return section

    assert audited().missing == "Every audit passes."
    with sr_tracker.connect(campaign) as tracker, tracker.writing():
        tracker.database.connection.execute("DELETE FROM sentence WHERE sentence_no = 7")
    assert {"outputs", "treebank_counts", "reference_lemmas_sentence_no"} < {*titles(audited())}


def test_an_empty_database_says_what_to_do(tmp_path: Path) -> None:
    parts = sections(tmp_path / "empty.duckdb")
    assert "tracker submit" in parts["verdicts"].missing
    assert parts["attention"].missing
    assert parts["systems"].missing


def test_a_submission_has_its_change_on_its_tiles(campaign: Path) -> None:
    with sr_tracker.connect(campaign) as tracker, tracker.reading():
        document: Document = submission(tracker, {"submission": "local/ours/ref@3"}).document
    first, *others = document.figures
    assert (first.name, first.tone, first.folded) == ("BLEU-lc", "worse", False)
    assert first.change.startswith("−")
    assert {figure.folded for figure in others} == {True}
    assert document.tone == "worse"
    anchors = [section.anchor for section in document.sections]
    assert anchors[0] == "changed"


def test_an_open_page_says_when_something_was_written(campaign: Path, browser: Browser) -> None:
    with explorer(campaign) as ask:
        taken = ask("/taken").text
        assert taken in ask("/").text
        browser.open(f"{ask.address}/", width=1280)
        # The page asks at once, not only after its ten seconds.
        browser.run("setTimeout = ((before) => (f) => before(f, 1))(setTimeout)")
        with sr_tracker.connect(campaign) as tracker:
            submit(tracker, [*REFERENCES[:99], BROKEN[99]])
        browser.until("document.querySelector('.news') !== null")
        assert ask("/taken").text != taken
        browser.click(".news a")
        browser.until("document.querySelector('#verdicts')?.textContent.includes('ours@4')")


def test_keys_lead_where_the_help_says(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/sentence/en_sample-ud1.0-test/12", width=1280)
    type_key(browser, "?")
    assert browser.run("document.querySelector('dialog.keys').open")
    assert browser.run("document.querySelectorAll('dialog.keys dt').length") == 6
    browser.click("dialog.keys button")
    browser.until("document.querySelector('dialog') === null")
    type_key(browser, "j")
    browser.until("location.pathname.endsWith('/13') && document.readyState === 'complete'")
    type_key(browser, "k")
    browser.until("location.pathname.endsWith('/12') && document.readyState === 'complete'")
    type_key(browser, "/")
    assert browser.run("document.activeElement.name") == "words"
    type_key(browser, "h")
    assert browser.run("location.pathname").endswith("/12"), "a letter that is typed leads nowhere"


def type_key(browser: Browser, key: str) -> None:
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key)
