"""Pages of campaigns with many runs: the first rows, and all of them where the address asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

import sr_tracker
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages import PageMaker, lists, made
from sr_tracker.tracker.pages.comparison import compare
from sr_tracker.tracker.pages.home import home
from sr_tracker.tracker.pages.leaderboard import leaderboard
from sr_tracker.tracker.pages.sentence import sentence
from sr_tracker.tracker.pages.submission import submission
from sr_tracker.tracker.pages.system import system
from sr_tracker.tracker.show.html import served
from sr_tracker.tracker.show.model import Page, Table
from tests.building import written

RUNS, BEST = 14, 5
REFERENCE = "The old dogs never bark at night"
OTHERS = ("second", "third")


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """Fourteen iterations of a system, the fifth is best; two other systems have a run each."""
    folder = tmp_path_factory.mktemp("large")
    references = written(folder / "refs.txt", f"{REFERENCE}\n" * 2)
    with sr_tracker.connect(folder / "campaign.duckdb", create=True) as tracker:
        with tracker.writing():
            tracker.ingest_references(references, language="en")
            for n in range(1, RUNS + 1):
                words = "The old dogs never bark" if n == RUNS else f"The old dogs bark {'x' * n}"
                text = REFERENCE if n == BEST else words
                outputs = written(folder / f"ours{n}.txt", f"{text}\n" * 2)
                tracker.ingest_submission(outputs, system="ours", treebank="refs", iteration=n)
            for name in OTHERS:
                outputs = written(folder / f"{name}.txt", f"{name} dogs bark\n{REFERENCE}\n")
                tracker.ingest_submission(outputs, system=name, treebank="refs")
            tracker.score(metrics=["bleu", "chrf"])
        with tracker.reading() as database:
            yield Tracker(database)


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_ROWS", 3)


def shown(maker: PageMaker, tracker: Tracker, state: Mapping[str, str]) -> tuple[Page, str]:
    page = made(maker, tracker, state)
    return page, served(page, lists.SITE, tracker.sql("SELECT now() AS now")["now"][0].as_py())


def iterations(text: str) -> list[int]:
    """The runs of ours that tables lead to, in their order."""
    tables = "".join(re.findall(r"<tbody>.*?</tbody>", text, re.DOTALL))
    matches = re.findall(r'href="/submission/local/ours/refs(?:@(\d+))?"', tables)
    return [int(number or 1) for number in matches]


@pytest.mark.usefixtures("few_rows")
def test_a_system_shows_its_newest_runs_and_the_best_and_leads_to_all(tracker: Tracker) -> None:
    page, text = shown(system, tracker, {"system": "ours", "measure": "bleu"})
    assert iterations(text) == [14, 13, 12, BEST]
    assert f"the best is @{BEST}" in text
    assert f"{RUNS} model runs" in (page.document.lead or "")
    assert f"4 of {RUNS} runs are listed" in text
    (leads,) = re.findall(r'href="(/system/ours\?[^"]*rows=all[^"]*)"', text)
    assert "measure=bleu" in leads
    _, every = shown(system, tracker, {"system": "ours", "measure": "bleu", "rows": "all"})
    assert iterations(every) == [*range(RUNS, 0, -1)]
    assert "are listed" not in every


@pytest.mark.usefixtures("few_rows")
def test_changes_of_the_runs_that_are_shown_are_those_of_all(tracker: Tracker) -> None:
    changes = []
    for state in ({}, {"rows": "all"}):
        page, _ = shown(system, tracker, {"system": "ours", "measure": "bleu", **state})
        (section,) = [one for one in page.document.sections if one.anchor == "runs"]
        (table,) = [block for block in section.blocks if isinstance(block, Table)]
        changes.append({str(line.cells[0].text): line.cells for line in table.lines})
    few, every = changes
    assert few == {name: every[name] for name in few}
    assert len(few) == 4


@pytest.mark.usefixtures("few_rows")
def test_a_leaderboard_shows_the_best_of_each_test_set(tracker: Tracker) -> None:
    state = {"runs": "all", "sort": "bleu"}
    page, text = shown(leaderboard, tracker, state)
    expected = tracker.sql(
        "SELECT submission_id FROM leaderboard ORDER BY bleu DESC NULLS LAST, submission_id"
    )["submission_id"].to_pylist()
    table = text[text.index("<tbody>") : text.index("</tbody>")]
    names = re.findall(r'<a href="/submission/([^"]+)"', table)
    assert names == expected[:10]
    assert "10 of 16 submissions are listed" in text
    assert page.document.lead == "16 submissions"
    (leads,) = re.findall(r'href="(/leaderboard\?[^"]*rows=all[^"]*)"', text)
    assert {"runs=all", "sort=bleu"} <= {*leads.partition("?")[2].split("&amp;")}
    _, every = shown(leaderboard, tracker, {**state, "rows": "all"})
    table = every[every.index("<tbody>") : every.index("</tbody>")]
    assert re.findall(r'<a href="/submission/([^"]+)"', table) == expected
    with pytest.raises(InputError, match="'some' is no choice of rows"):
        made(leaderboard, tracker, {"rows": "some"})


@pytest.mark.usefixtures("few_rows")
def test_a_sentence_shows_each_systems_newest_output_first_and_what_is_named(
    tracker: Tracker,
) -> None:
    where = {"treebank": "refs", "sentence_no": "1"}
    _, text = shown(sentence, tracker, where)
    assert iterations(text) == [14]
    assert {*re.findall(r'href="/submission/local/(\w+)/refs"', text)} >= {*OTHERS}
    assert "3 of 16 outputs are listed" in text
    _, text = shown(sentence, tracker, {**where, "submission": f"ours@{BEST}"})
    assert iterations(text) == [BEST, 14]
    _, text = shown(sentence, tracker, {**where, "rows": "all"})
    assert iterations(text) == [*range(1, RUNS + 1)]
    with pytest.raises(UnknownNameError, match="ours@99"):
        made(sentence, tracker, {**where, "submission": "ours@99"})


def test_choices_hold_the_newest_runs_and_what_is_chosen(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sr_tracker.tracker.pages import comparison
    from sr_tracker.tracker.pages import submission as of_submission

    for module in (comparison, of_submission):
        monkeypatch.setattr(module, "PAGE_ROWS", 2)
    newest, first = "local/ours/refs@14", "local/ours/refs"
    page, _ = shown(submission, tracker, {"submission": newest, "base": first})
    (base,) = [field for field in page.forms[0].fields if field.name == "base"]
    ours = [f"local/ours/refs@{n}" for n in (13, 12)]
    others = [f"local/{name}/refs" for name in OTHERS]
    assert [name for name, _ in base.options or ()] == [first, *ours, *others]
    page, _ = shown(compare, tracker, {"new": newest, "base": first, "other": f"{first}@3"})
    (beside,) = [field for field in page.forms[0].fields if field.name == "other"]
    assert [name for name, _ in beside.options or ()] == [f"{first}@3", *ours, *others]


def test_home_draws_the_last_runs_and_names_the_best_of_all(
    tracker: Tracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sr_tracker.tracker.pages import home as of_home

    monkeypatch.setattr(of_home, "POINTS", 3)
    _, text = shown(home, tracker, {})
    assert f"of the last 3 of {RUNS} runs" in text
    (line,) = re.findall(
        r"<tr[^>]*>(?:(?!</tr>).)*/system/ours(?:(?!</tr>).)*</tr>", text, re.DOTALL
    )
    assert f"@{BEST}<" in line
    scores = {
        row["iteration"]: row["bleu"]
        for row in tracker.sql(
            "SELECT iteration, bleu FROM leaderboard WHERE system_id = 'ours'"
        ).to_pylist()
    }
    came = 100 * (scores[RUNS] - scores[1])
    assert came > 1
    assert f">{came:+.2f}<" in line
