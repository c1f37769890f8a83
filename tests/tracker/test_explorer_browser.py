"""The explorer and the report in a real browser: by mouse, by keyboard, at any width, and heard."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest

from sr_tracker.queries.errors import Settings
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.pages.report import write_report
from tests.tracker import browser as browsers
from tests.tracker import test_report as reports
from tests.tracker.browser import Browser
from tests.tracker.explorer_server import Ask

TREEBANK = "en_sample-ud1.0-test"
OURS = f"SAMPLE24/ngram/{TREEBANK}"
BASE = f"SAMPLE23/random/{TREEBANK}"
WIDTHS = (360, 1280, 2560)
PAGES = (
    "/leaderboard",
    f"/submission/{OURS}",
    f"/compare?new={OURS}&base={BASE}",
    f"/sentence/{TREEBANK}/12?submission={OURS}&base={BASE}",
    "/sql?query=" + quote("FROM leaderboard"),
)
MORE_PAGES = (
    "/",
    "/system/ngram",
    f"/sentences/{OURS}",
    f"/missed/{OURS}?relation=obj",
    f"/examples/{OURS}?pattern=(obj)",
    "/relation/nsubj",
    "/pattern?pattern=(obj)",
    "/search?words=anna",
    "/people",
    "/years",
    "/views",
    "/view/leaderboard",
    "/tables",
    "/words",
    "/submission/nobody",
)
HEARD = ("link", "button", "textbox", "searchbox", "combobox", "listbox", "radio", "image")
HEADINGS = "[...document.querySelectorAll('h1,h2,h3,h4')].map(each => Number(each.tagName[1]))"
FOCUS = "document.activeElement.getAttribute('href')"


def quiet(browser: Browser, ask: Ask) -> None:
    """Assert that nothing was logged, and nothing asked of anybody else."""
    assert browser.complaints() == []
    strangers = [request for request in browser.requests() if not request.startswith(ask.address)]
    assert [stranger for stranger in strangers if stranger != "about:blank"] == []


def test_the_mouse_leads_from_the_leaderboard_to_a_broken_sentence(
    browser: Browser, ask: Ask
) -> None:
    browser.open(f"{ask.address}/leaderboard", width=1280)
    browser.click(f'main a[href="/submission/{OURS}"]')
    browser.until("location.pathname.startsWith('/submission/')")
    browser.click("#relations a[href^='/missed/']")
    browser.until("location.pathname.startsWith('/missed/')")
    browser.click("main a[href^='/sentence/']")
    browser.until("document.querySelector('#tree svg .edge') !== null")
    assert browser.run("document.querySelectorAll('#tree .missed, #tree .misplaced').length") > 0
    browser.click(".beside-links a[href^='/sentence/']")
    browser.until("document.querySelector('.beside-links')?.textContent.includes('2 of ')")
    assert "relation=" in browser.run("location.search")
    quiet(browser, ask)


def test_the_keyboard_leads_there_as_well(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/leaderboard", width=1280)
    browser.press("Tab", 9)
    assert browser.run("document.activeElement.className") == "skip"
    browser.press("Enter", 13)
    for wanted in (f"/submission/{OURS}", "/missed/", "/sentence/"):
        browser.until("document.readyState === 'complete'")
        before = browser.run("location.pathname")
        browser.tab_to(f"({FOCUS} ?? '').startsWith('{wanted}')")
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") != "none"
        browser.press("Enter", 13)
        browser.until(f"location.pathname !== '{before}'")
    browser.until("document.querySelector('#tree svg .edge') !== null")
    browser.until(
        "(() => { const box = document.querySelector('#tree .scroll'); "
        "return (box.tabIndex === 0) === (box.scrollWidth > box.clientWidth); })()"
    )
    quiet(browser, ask)


def test_a_head_sorts_by_mouse_and_by_keyboard(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/submission/{OURS}", width=1280)
    heads = "[...document.querySelectorAll('#relations th')]"
    place = browser.run(f"{heads}.findIndex(head => head.textContent.startsWith('edges'))")
    values = (
        "[...document.querySelector('#relations table').tBodies[0].rows]"
        f".map(row => Number(row.cells[{place}].dataset.sort ?? 'NaN')).filter(n => !isNaN(n))"
    )
    browser.click(f"#relations th:nth-child({place + 1}) button")
    result = browser.run(values)
    assert result == sorted(result, reverse=True)
    assert len(set(result)) > 2
    browser.press("Enter", 13)
    assert browser.run(values) == sorted(result)
    assert browser.run(f"{heads}[{place}].ariaSort") == "ascending"


def test_a_chart_is_drawn_tells_what_a_point_is_and_leads_there(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/years", width=1280)
    place = "document.querySelector('[data-chart]')"
    browser.until(f"Boolean({place}.querySelector('svg')?.ariaLabel)")
    assert browser.run(f"{place}.querySelector('svg').getBoundingClientRect().width") > 400
    best = "row => row.what === 'best' && row.year === 2024"
    x, y = browser.run(
        f"(() => {{ const rows = JSON.parse({place}.dataset.chart).layer.at(-1).data.values; "
        f"const marks = {place}.querySelectorAll('.layer_4_marks path'); "
        f"const box = marks[rows.findIndex({best})].getBoundingClientRect(); "
        "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    browser.until("Boolean(document.querySelector('#vg-tooltip-element.visible'))")
    result = browser.run("document.querySelector('#vg-tooltip-element').innerText")
    assert "2024" in result
    assert "undefined" not in result
    quiet(browser, ask)
    for kind in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    browser.until("location.pathname.startsWith('/submission/')")


def test_names_are_offered_while_sql_is_typed(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/sql", width=1280)
    browser.click("textarea")
    browser.write("SELECT * FROM output_")
    browser.until("!document.getElementById('names').hidden")
    options = "[...document.querySelectorAll('#names b')].map(each => each.textContent)"
    offered = browser.run(options)
    assert {"output_scores", "output_token"} <= {*offered}
    for _ in range(offered.index("output_scores")):
        browser.press("ArrowDown", 40)
    browser.press("Enter", 13)
    browser.write(" WHERE ad")
    browser.until("!document.getElementById('names').hidden")
    assert browser.run(options) == ["adequacy_z"]
    browser.press("Escape", 27)
    assert browser.run("document.getElementById('names').hidden")
    browser.write("equacy_z > 1")
    browser.press("Enter", 13, control=True)
    browser.until("location.search.includes('query=')")
    browser.until("document.querySelector('#rows') !== null")
    assert (
        browser.run("document.querySelector('textarea').value")
        == "SELECT * FROM output_scores WHERE adequacy_z > 1"
    )
    quiet(browser, ask)


def test_a_wide_table_keeps_its_first_column(browser: Browser, ask: Ask) -> None:
    browser.open(f"{ask.address}/submission/{OURS}", width=400)
    scrolled = (
        "(() => { const box = [...document.querySelectorAll('.scroll')]"
        ".find(each => each.scrollWidth > each.clientWidth + 80); box.scrollLeft = 80; "
        "const left = place => Math.round(place.getBoundingClientRect().left - "
        "box.getBoundingClientRect().left); const [first, second] = box.querySelector('tr').cells; "
        "return [box.scrollLeft, box.tabIndex, left(first), left(second) < first.offsetWidth]; })()"
    )
    assert browser.run(scrolled) == [80, 0, 0, True]


def test_sql_is_coloured_kept_for_later_and_has_an_address(browser: Browser, ask: Ask) -> None:
    query = "SELECT '<b>it''s</b>', 12 AS n -- SELECT"
    browser.call("Storage.clearDataForOrigin", origin=ask.address, storageTypes="local_storage")
    browser.open(f"{ask.address}/sql?{urlencode({'query': query, 'name': '<i>mine'})}", width=1280)
    browser.until("document.querySelector('#rows') !== null")
    spans = "[...document.querySelectorAll('.painted span')].map(s => s.className + s.textContent)"
    assert browser.run(spans) == [
        *("keywordSELECT", "string'<b>it''s</b>'", "number12", "keywordAS", "comment-- SELECT"),
    ]
    assert browser.run("document.querySelector('.painted').textContent") == f"{query}\n "
    assert browser.run("document.querySelector('.earlier').hidden")
    browser.run("window.isFormer = true; document.querySelector('form.choice').requestSubmit()")
    browser.until("!window.isFormer && document.querySelector('.earlier')?.hidden === false")
    browser.run("document.querySelector('textarea').value = 'SELECT 2'")
    browser.run("document.querySelector('.earlier li button').click()")
    assert browser.run("document.querySelector('textarea').value") == query
    assert browser.run("document.querySelector('.earlier li').textContent") == "<i>mine"
    browser.run("document.querySelector('textarea').value = 'SELECT 3'")
    browser.run("[...document.querySelectorAll('form.choice > button')].at(-1).click()")
    browser.until("document.querySelector('form.choice [role=status]').textContent !== ''")
    state = parse_qs(urlsplit(browser.run("location.href")).query)
    assert state == {"query": ["SELECT 3"], "name": ["<i>mine"]}
    browser.run("localStorage.setItem('sr-tracker queries', '{broken')")
    browser.open(f"{ask.address}/sql", width=1280)
    assert browser.run("document.querySelector('.earlier').hidden")
    quiet(browser, ask)


@pytest.mark.parametrize(
    "page", [*PAGES, *(pytest.param(page, marks=pytest.mark.long) for page in MORE_PAGES)]
)
def test_a_page_is_quiet_fits_any_width_and_can_be_heard(
    browser: Browser, ask: Ask, page: str
) -> None:
    browser.open(f"{ask.address}{page}", width=1280)
    if page != "/submission/nobody":  # where the browser itself logs the status
        quiet(browser, ask)
    for width in WIDTHS:
        browser.look(width=width)
        assert browser.run("document.documentElement.scrollWidth") <= width
    browser.look(width=1280, dark=True)
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(23, 25, 28)"
    silent = [role for role, name in browser.names() if role in HEARD and not name.strip()]
    assert silent == []
    unnamed = "[...document.querySelectorAll('svg')].filter(each => !each.ariaLabel).length"
    assert browser.run(unnamed) == 0
    within = "document.querySelectorAll('svg[role=img] a, summary a, thead button:empty').length"
    assert browser.run(within) == 0
    levels = browser.run(HEADINGS)
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert browser.run("document.documentElement.lang") == "en"


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
    result: list[str] = browser.run(
        f"[...document.querySelector('{SORTS}').tBodies[0].rows]"
        f".map(row => row.cells[{number}].textContent)"
    )
    return result


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
