"""The report in a real browser: it works by mouse and keyboard and asks for nothing else."""

from __future__ import annotations

import pytest

from sr_tracker.queries.errors import Settings
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.pages.report import write_report
from tests.tracker import browser as browsers
from tests.tracker import test_report as reports

SORTS = "#relations table.sortable"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on two systems, one of them named after a script."""
    folder = tmp_path_factory.mktemp("browser")
    with connect(None) as tracker:
        reports.load(tracker)
        tracker.score()
        tracker.analyse(Settings(minimum_support=2))
        names = reports.ids(tracker.database)
        title = reports.SCRIPT + "<img src=//example.org/x>"
        write_report(tracker.database, names, folder / "report.html", title=title)
    return (folder / "report.html").as_uri()


def column(browser: browsers.Browser, number: int) -> list[str]:
    found: list[str] = browser.run(
        f"[...document.querySelector('{SORTS}').tBodies[0].rows]"
        f".map(row => row.cells[{number}].textContent)"
    )
    return found


@pytest.mark.parametrize("width", [1400, 480])
@pytest.mark.parametrize("dark", [False, True])
def test_it_is_quiet_and_fits(browser: browsers.Browser, page: str, width: int, dark: bool) -> None:
    browser.open(page, width=width, dark=dark)
    assert browser.complaints() == []
    assert browser.requests() == [page]
    assert browser.run("document.documentElement.scrollWidth") <= width
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(23, 25, 28)" if dark else "rgb(251, 250, 248)")
    assert browser.run("document.querySelectorAll('script').length") == 1
    assert browser.run("document.querySelectorAll('img').length") == 0


def test_the_policy_refuses_what_the_page_did_not_bring(
    browser: browsers.Browser, page: str
) -> None:
    browser.open(page)
    browser.run(
        "document.body.append(Object.assign(document.createElement('script'), "
        "{textContent: 'window.intruder = 1'}), Object.assign(new Image(), "
        "{src: 'https://example.org/x.png'}))"
    )
    assert browser.run("window.intruder") is None
    assert len(browser.complaints()) >= 1


def test_tables_sort_numbers_by_mouse_and_texts_by_keyboard(
    browser: browsers.Browser, page: str
) -> None:
    browser.open(page)
    browser.run(f"document.querySelectorAll('{SORTS} th button')[1].click()")
    edges = [int(text) for text in column(browser, 1)]
    assert len(set(edges)) > 1
    assert edges == sorted(edges, reverse=True)
    sorts = f"[...document.querySelectorAll('{SORTS} th')].map(th => th.ariaSort)"
    assert browser.run(sorts)[:2] == ["none", "descending"]
    browser.run(f"document.querySelectorAll('{SORTS} th button')[1].click()")
    assert [int(text) for text in column(browser, 1)] == sorted(edges)
    browser.run(f"document.querySelectorAll('{SORTS} th button')[0].focus()")
    browser.press("Enter", 13)
    names = column(browser, 0)
    assert names == sorted(names)
    assert browser.run(sorts)[:2] == ["ascending", "none"]


def test_a_link_opens_what_is_folded_or_cut(browser: browsers.Browser, page: str) -> None:
    browser.open(page)
    cut = browser.run("document.querySelector('#sentences tr.cut').id")
    browser.run(f"location.hash = '#{cut}'; window.dispatchEvent(new Event('hashchange'))")
    assert browser.run(f"document.getElementById('{cut}').checkVisibility()")
    browser.run("location.hash = '#p2-2'; window.dispatchEvent(new Event('hashchange'))")
    assert browser.run("document.getElementById('p2-2').open")
    assert browser.run("document.getElementById('p2-2').checkVisibility()")
    assert not browser.run("document.getElementById('p1-1').checkVisibility()")


def test_sentences_are_found_by_their_words(browser: browsers.Browser, page: str) -> None:
    browser.open(page)
    rows = "document.querySelectorAll('#sentences tbody tr:not(.filtered)').length"
    before = browser.run(rows)
    browser.run(
        "const box = document.querySelector('#sentences input'); box.value = '<B>&'; "
        "box.dispatchEvent(new Event('input'))"
    )
    assert 0 < browser.run(rows) < before


def test_light_and_dark_may_be_chosen(browser: browsers.Browser, page: str) -> None:
    browser.open(page)
    theme = "document.documentElement.dataset.theme"
    assert browser.run("document.getElementById('theme').textContent") == "Dark"
    browser.run("document.getElementById('theme').click()")
    assert browser.run(theme) == "dark"
    assert browser.run("document.getElementById('theme').textContent") == "Light"
    browser.open(page + "#light", dark=True)
    assert browser.run(theme) == "light"
