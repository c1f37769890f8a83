"""The explorer, asked as browsers ask it: every page, what it leads to, and who may ask."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, unquote, urljoin, urlsplit
from urllib.request import urlopen

import duckdb
import pyarrow.parquet as pq
import pytest

import sr_tracker
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.explorer import site
from sr_tracker.tracker.explorer.app import Program
from sr_tracker.tracker.pages.drawings import runs_chart
from sr_tracker.tracker.show.charts.change import WIDTH
from sr_tracker.tracker.show.html import page
from sr_tracker.tracker.show.model import Chart, Document, Section
from tests.charts import rows_of
from tests.tracker.browser import Browser
from tests.tracker.explorer_server import LONG, Ask, explorer
from tests.tracker.in_process import RUN, run_text
from tests.tracker.mlflow_server import Server

OURS = "SAMPLE24/ngram/en_sample-ud1.0-test"
BASE = "SAMPLE23/random/en_sample-ud1.0-test"
COMPARISON = f"/compare?new={OURS}&base={BASE}"
SENTENCE = "/sentence/en_sample-ud1.0-test/1"


@pytest.fixture
def small_campaign(tmp_path: Path) -> Path:
    """Two iterations on a treebank of two sentences."""
    treebank = tmp_path / "en_tiny-ud-test.conllu"
    words = "1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
    sentences = [f"# sent_id = s{n}\n# text = Dogs bark\n{words}" for n in (1, 2)]
    treebank.write_text("\n".join(sentences) + "\n", encoding="utf-8")
    path = tmp_path / "small.duckdb"
    with sr_tracker.connect(path, create=True) as tracker, tracker.writing():
        tracker.ingest_treebank(treebank)
        for outputs in (["bark dogs", "dogs"], ["dogs bark", "bark"]):
            tracker.submit(outputs, system="ours", treebank="en_tiny-ud-test", log=False)
    return path


def kind_of(address: str) -> str:
    """Return what kind of page an address is of: its first part, and what state it has."""
    parts = urlsplit(address)
    return f"{parts.path.split('/')[1]}?{'&'.join(sorted(parse_qs(parts.query)))}"


def test_a_server_whose_program_is_upgraded_says_so(small_campaign: Path, tmp_path: Path) -> None:
    """Statements and templates are read when they are needed: the new would run with old code."""
    statement = tmp_path / "queries" / "sql" / "listed.sql"
    statement.parent.mkdir(parents=True)
    statement.write_text("SELECT 1")
    with explorer(small_campaign, program=Program(tmp_path, looked_every=0)) as ask:
        assert ask("/").status == 200
        (tmp_path / "queries" / "compiled.nbi").write_text("what is compiled is no part of it")
        assert ask("/").status == 200
        statement.write_text("SELECT 1, 2")
        answer = ask("/")
        assert (answer.status, "start it again" in answer.text) == (503, True)
        statement.write_text("SELECT 1")
        assert ask("/").status == 503, "what was read meanwhile is not known"


@pytest.mark.parametrize(
    ("address", "one"),
    [
        ("/view/edge_match", True),
        (f"/view/edge_match?system={OURS.split('/')[1]}", True),
        ("/view/dea_by_relation", False),
        ("/view/leaderboard?campaign=&treebank=&system=", False),
    ],
)
def test_a_view_begins_with_the_rows_of_one_run_where_these_are_enough(
    ask: Ask, sample_file: Path, address: str, one: bool
) -> None:
    """Its query is that of these rows, and gives them in the campaign's own file too."""
    answer = ask(address)
    (query,) = answer.queries()
    assert one == ("submission_id = " in query)
    with duckdb.connect(sample_file, read_only=True) as connection:
        rows = connection.sql(query).fetchall()
    assert rows
    assert answer.text.count("<tr") == len(rows) + 1


@pytest.mark.parametrize("of_a_kind", [2, pytest.param(100, marks=pytest.mark.long)])
def test_every_page_that_a_page_leads_to_answers(ask: Ask, of_a_kind: int) -> None:
    """At most so many addresses of each kind of page are asked for, and values of each choice."""
    starts = ("/", f"/submission/{OURS}", COMPARISON)
    waiting = [(kind_of(address), address) for address in starts]
    seen, visited = {*waiting}, Counter[str]()
    while waiting:
        kind, address = waiting.pop(0)
        visited[kind] += 1
        if visited[kind] > of_a_kind:
            continue
        answer = ask(address)
        assert answer.status == 200, (address, answer.text[-500:])
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        results = {}
        for lead in answer.leads():
            assert lead.startswith("/"), f"{address} leads out of the explorer: {lead}"
            whole = urljoin(address, lead).partition("#")[0]
            results[kind_of(whole), whole] = whole
        page = kind_of(address).partition("?")[0]
        for name, value, lead in answer.choices():
            results[f"{page} by {name}", value] = lead
        waiting += [(result[0], lead) for result, lead in results.items() if result not in seen]
        seen |= {*results}
    pages = {kind.partition("?")[0] for kind in visited}
    assert pages >= {"leaderboard", "system", "submission", "sentence", "sentences"}
    assert pages >= {"examples", "views", "view", "sql", "words", "missed", "compare by metric"}


def test_four_clicks_lead_from_the_leaderboard_to_a_broken_sentence(ask: Ask) -> None:
    address = "/leaderboard"
    for wanted in (f"/submission/{OURS}", "/missed/", "/sentence/"):
        address = next(lead for lead in ask(address).leads() if lead.startswith(wanted))
    page = ask(address).text
    assert "What was generated" in page
    assert re.search("edges found; (missed|misplaced): ", page)


def test_each_table_is_the_answer_of_the_query_it_shows(ask: Ask, sample_file: Path) -> None:
    with duckdb.connect(str(sample_file), read_only=True) as connection:
        for page in (
            "/",
            "/leaderboard",
            f"/submission/{OURS}",
            "/sentence/en_sample-ud1.0-test/3",
        ):
            answer = ask(page)
            queries = [parse_qs(urlsplit(lead).query) for lead in answer.leads() if "/sql?" in lead]
            assert queries, page
            tables = answer.text.split('<div class="table"')[1:]
            shown = [part.count("<tr") - 1 for part in tables if "/sql?" in part]
            rows = [len(connection.execute(query["query"][0]).fetchall()) for query in queries]
            assert rows == shown, page


def test_rows_leave_as_files(ask: Ask) -> None:
    query = "query=SELECT+metric,+label+FROM+metrics+ORDER+BY+metric"
    rows = json.loads(ask(f"/rows.json?{query}").text)
    assert {"metric": "dea", "label": "DEA"} in rows
    assert ask(f"/rows.csv?{query}").text.splitlines()[0] == "metric,label"
    assert pq.read_table(BytesIO(ask(f"/rows.parquet?{query}").content)).to_pylist() == rows


def test_sql_that_is_wrong_or_writes_is_told_so(ask: Ask) -> None:
    assert "DROP is not allowed" in ask("/sql?query=DROP+TABLE+output").text
    assert ask("/rows.csv?query=SELECT+nothing").status == 400


@pytest.mark.parametrize(
    ("address", "status", "message"),
    [
        ("/submission/SAMPLE24/ngrm/en_sample-ud1.0-test", 404, "nearest: "),
        ("/system/ngrm", 404, "nearest: ngram"),
        ("/view/leaderbord", 404, "nearest: leaderboard"),
        ("/sentence/en_sample-ud1.0-test/99999", 404, "no sentence 99999"),
        (f"/sentences/{OURS}?start=x", 400, "'x' is no place to start at"),
        (f"{SENTENCE}?submission=ngrm", 404, "nearest: ngram"),
        (f"{SENTENCE}?submission={OURS.replace('en_', 'de_')}", 404, "no output for sentence 1"),
        (f"{SENTENCE}?submission={OURS}&base=nobody", 404, "nobody"),
        (f"{SENTENCE}?submission={OURS}&pattern=(((", 400, "pattern"),
        (f"{SENTENCE}?submission={OURS}&order=nonsense", 200, "What was generated"),
        (f"{SENTENCE}?submission={OURS}&system=nobody", 200, "No submission has an output"),
        (f"{SENTENCE}?submission={OURS}&change=lost&base={BASE}&metric=nonsense", 404, "nonsense"),
        (f"/submission/{OURS}?base=nobody", 404, "submission"),
        (f"/submission/{OURS}?metric=blue", 404, "nearest: bleu"),
        (f"/examples/{OURS}?pattern=(((", 400, ""),
        ("/compare", 404, ""),
        (f"/compare?new={OURS}", 404, ""),
        (f"/compare?new={OURS}&base={OURS}", 400, "is not compared with itself"),
        (f"{COMPARISON}&a=high", 400, "'high' is no range of scores"),
        (f"{COMPARISON}&a=1.2.3..2", 400, "is no range of scores"),
        (f"{COMPARISON}&metric=blue", 404, "nearest: bleu"),
        ("/leaderboard?sort=blue", 404, "nearest: bleu"),
        ("/leaderboard?sort=params", 404, "params"),
        ("/leaderboard?sort=smatch", 404, "smatch"),
        ("/leaderboard?sort=bleu&order=sideways", 400, "'sideways' is no order"),
        ("/leaderboard?campaign=SAMPLE99", 404, "SAMPLE99"),
        ("/leaderboard?find=nobody", 200, "There is no submission"),
        ("/leaderboard?find=';+DROP+TABLE+output;+--", 200, "There is no submission"),
        ("/relation/nonsense", 404, "no reference has an edge"),
        ("/relation/%3Cscript%3E", 404, "<script>"),
        ("/pattern", 400, "pattern"),
        ("/pattern?pattern=(((", 400, "pattern"),
        ("/search?words=x&kind=nonsense", 404, "text, lemma, relation, pattern"),
        ("/search?words=%28%28&kind=pattern", 400, "pattern"),
        ("/search?words=%25_%27&kind=lemma", 200, "No reference and no output contains this text"),
        ("/search?words=%E2%80%AE", 200, "No reference and no output contains this text"),
        ("/search?words=%00", 400, "NUL"),
        ("/nowhere", 404, "there is no such page"),
        ("/nowhere", 404, 'aria-label="Pages"'),
        ("/years?measure=zz", 200, "does not understand 'measure'"),
        ("/years?part=zz", 404, "no part of the page about years 'zz'"),
        ("/people?part=zz", 404, "human-rankings"),
        ("/people?campaign=zz", 404, "campaign 'zz'"),
        ("/words?part=zz", 404, "columns"),
    ],
)
def test_what_is_not_there_is_said(ask: Ask, address: str, status: int, message: str) -> None:
    answer = ask(address)
    assert (answer.status, message in answer.plain) == (status, True), answer.text[-900:]
    assert "Traceback" not in answer.text
    assert "<script>" not in answer.text


def test_a_page_understands_what_forms_and_lists_ask(ask: Ask) -> None:
    sentence = f"/sentence/en_sample-ud1.0-test/1?submission={OURS}"
    for address in (
        "/years?kind=team",
        "/leaderboard?find=a&sort=bleu&runs=all",
        f"{sentence}&base=SAMPLE23/random/en_sample-ud1.0-test&change=most&metric=bleu&a=..1&b=0..",
        f"{sentence}&relation=nsubj",
        f"{sentence}&order=dea",
    ):
        assert "does not understand" not in ask(address).text


def test_names_and_texts_from_outside_are_escaped(copy: Path) -> None:
    hostile = "<script>alert(1)</script>"
    with sr_tracker.connect(copy) as tracker, tracker.writing() as database:
        database.connection.execute("UPDATE output SET text = ? WHERE sentence_no = 1", [hostile])
        tracker.rename("system", "ngram", "<img>")
    with explorer(copy) as ask:
        for page in (
            "/",
            "/leaderboard",
            "/sentence/en_sample-ud1.0-test/1",
            "/search?words=alert",
        ):
            text = ask(page).text
            assert hostile not in text
            assert "<img" not in text
        assert html.escape(hostile) in ask("/search?words=alert").text


def test_other_hosts_names_are_refused(ask: Ask) -> None:
    assert ask("/", Host="attacker.example").status == 400


def test_pages_stay_below_the_address_they_are_mounted_at(sample_file: Path) -> None:
    with explorer(sample_file, place="/below") as ask:
        for page in ("/below/", f"/below/submission/{OURS}", "/below/submission/unknown"):
            leads = ask(page).leads()
            assert leads
            assert all(lead.startswith("/below/") for lead in leads), page
        assert ask("/below/style.css").status == 200
        points = re.findall(r'"href": "([^"]+)"', ask("/below/years").text)
        assert points
        assert all(point.startswith("/below/submission/") for point in points)


@pytest.mark.long
def test_the_explorer_is_an_application_of_mlflow_and_finds_its_runs(
    copy: Path, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACKER_DATABASE", str(copy))
        server = Server(tmp_path, "--app-name", "sr-tracker")
        server.start()
    try:
        for page in ("/sr-tracker/leaderboard", "/", "/health"):
            with urlopen(f"{server.uri}{page}", timeout=LONG) as answer:  # noqa: S310
                assert answer.status == 200
        logged = sr_tracker.connect(copy).log(submission=OURS, tracking_uri=server.uri)
        leads = f"{server.uri}/sr-tracker/run/{OURS}"
        with urlopen(leads, timeout=LONG) as answer:  # noqa: S310
            assert answer.url == logged.address
    finally:
        server.stop()


def test_other_machines_bring_the_token(sample_file: Path) -> None:
    with explorer(sample_file, "secret") as ask:
        assert ask("/").status == ask("/?token=wrong").status == 403
        welcome = ask("/leaderboard?token=secret&campaign=SAMPLE24")
        assert (welcome.status, "secret" in welcome.headers["Location"]) == (307, False)
        cookie = welcome.headers["Set-Cookie"].partition(";")[0]
        assert ask("/leaderboard", Cookie=cookie).status == 200


@pytest.mark.parametrize("content", [None, b"", b"not a database" * 1000])
def test_pages_say_that_the_database_is_gone_or_none_until_it_is_back(
    copy: Path, content: bytes | None
) -> None:
    addresses = ("/", "/sql", "/sql?query=FROM+campaign", "/rows.csv?query=FROM+campaign")
    with explorer(copy) as ask:
        assert [ask(address).status for address in addresses] == [200] * 4
        aside = copy.rename(copy.with_name("aside.duckdb"))
        if content is not None:
            copy.write_bytes(content)
        end = time.monotonic() + LONG
        while ask("/").status == 200:  # one that was asked meanwhile has the older copy
            assert time.monotonic() < end
        for address in addresses:
            answer = ask(address)
            assert answer.status == 503
            assert "The database cannot be read" in answer.text
            assert str(copy) in answer.text
            assert "Traceback" not in answer.text
        aside.replace(copy)
        while ask("/").status != 200:
            assert time.monotonic() < end


def test_pages_answer_while_the_file_is_written_and_follow_it(copy: Path) -> None:
    with explorer(copy) as ask:
        with sr_tracker.connect(copy) as tracker, tracker.writing():
            tracker.rename("system", "ngram", "renamed")
            assert "/system/ngram" in ask("/leaderboard").text
        deadline = time.monotonic() + LONG
        while "/system/renamed" not in ask("/leaderboard").text:
            assert time.monotonic() < deadline


def chart_of_runs(scores: list[float | None]) -> list[Chart]:
    """A chart of runs, each compared with the one before."""
    names = [None, *(f"<b>'\"@{n}" for n in range(1, len(scores) + 1))]
    runs = [
        {
            **dict.fromkeys(("campaign_id", "treebank_id", "track"), ""),
            "iteration": n,
            "submission_id": names[n],
            "previous_submission_id": names[n - 1],
            "score": score,
        }
        for n, score in enumerate(scores, start=1)
    ]
    return runs_chart("runs", "bleu", runs)


def test_a_chart_has_gaps_where_nothing_is_known() -> None:
    (drawn,) = chart_of_runs([0.1, 0.2, None, 0.4])
    points, *_ = rows_of(drawn.specification)
    assert [point["iteration"] for point in points] == [1, 2, 4]
    assert [point["previous_score"] for point in points] == [None, 10.0, None]
    assert drawn.alternative == "BLEU-lc of 4 runs, from 10.00 to 40.00"
    assert not chart_of_runs([None])


def test_rows_of_a_chart_are_escaped_on_a_page_that_holds_what_draws_it() -> None:
    charts = chart_of_runs([0.5])
    document = Document("", "", [Section("", "", "", "", charts)])
    content, _, script = page(document, "https://there").partition("<script>")
    assert "<b>" not in content
    ((chart, *others),) = [re.findall(r"data-chart='([^']+)'", content)]
    assert not others
    ((point, *_), *_) = rows_of(json.loads(chart))
    assert point["href"] == "https://there/submission/%3Cb%3E%27%22@1"
    ((plain, *_), *_) = rows_of(charts[0].specification)
    assert {**point, "href": ""} == {**plain, "href": ""}
    assert "href" not in page(document).partition("data-chart='")[2].partition('"encoding"')[0]
    assert "vegaEmbed" in script
    assert len(page(Document("", "", []))) < len(script) / 5


def test_points_of_runs_can_be_pressed_by_a_finger_and_do_not_overlap() -> None:
    for many, wide in ((9, 32.0), (100, 3.0)):
        (drawn,) = chart_of_runs([n / many for n in range(many)])
        *_, area = drawn.specification["layer"]
        assert area["mark"]["size"] == wide**2
        assert area["encoding"]["href"]["condition"]["field"] == "href"
        assert wide * many <= WIDTH


def test_cells_are_for_readers(ask: Ask) -> None:
    cells = re.findall(
        r"<td[^>]*>([^<]*)</td>", ask("/").text + ask("/people?part=annotators").text
    )
    assert any(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", cell) for cell in cells)
    assert {"yes", "no"} <= {*cells}
    assert not {"True", "False", "[]"} & {*cells}


def test_years_are_drawn_with_the_runs_that_were_best(ask: Ask) -> None:
    page = ask("/years")
    drawn = next(chart for chart in page.charts() if chart["title"] == "en")
    rows = [row for some in rows_of(drawn) for row in some]
    assert f"/submission/{OURS}" in {row.get("href") for row in rows if row.get("what") == "best"}
    assert f"/submission/{OURS}" in page.leads()
    # Best and median, on the same test set, a family.
    assert [row["comparable"] for row in rows if "next_year" in row] == [True] * 3


@pytest.mark.parametrize(
    ("page", "part", "message"),
    [
        ("/people?campaign=SAMPLE24", "human-rankings", "z mean"),
        ("/people?campaign=SAMPLE24", "metric-agreements", "coefficient"),
        ("/years?kind=team", "chrf", "chrF over the years"),
        ("/years?kind=team", "test-sets", "Scores of two years are comparable"),
        ("/words", "columns", "adequacy_z"),
    ],
)
def test_a_long_page_is_an_overview_whose_parts_unfold(
    ask: Ask, page: str, part: str, message: str
) -> None:
    overview = ask(page)
    leads = [lead for lead in overview.leads() if lead.endswith(f"part={part}")]
    alone = ask(leads[0]).plain
    assert len(leads) == 1
    assert f'<details class="examples" id="{part}">' in overview.text
    assert (message in overview.plain, message in alone) == (False, True)
    assert len(re.findall("<section", alone)) == 1


def test_people_s_best_are_those_of_their_first_cluster(ask: Ask, sample_file: Path) -> None:
    query = next(q for q in ask("/people").queries() if "judged_overview" in q)
    with sr_tracker.connect(sample_file, read_only=True) as tracker:
        ranked = tracker.sql("FROM human_leaderboard WHERE chosen").to_pylist()
        overview = tracker.sql(query).to_pylist()
    assert overview
    for row in overview:
        keys = ("campaign_id", "treebank_id", "criterion")
        judged = [other for other in ranked if all(other[key] == row[key] for key in keys)]
        systems = [other for other in judged if other["system_kind"] != "human"]
        first = min(other["cluster"] for other in systems)
        best = {
            other["system_id"] + (f"@{other['iteration']}" if other["iteration"] > 1 else "")
            for other in systems
            if other["cluster"] == first
        }
        assert {*row["best"].split(", ")} == best
        assert row["systems"] == len({other["system_id"] for other in systems})
        assert row["assessments"] == sum(other["assessments"] for other in judged)


def test_a_site_is_the_pages_as_files_that_lead_to_each_other(
    small_campaign: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    with sr_tracker.connect(small_campaign, read_only=True) as tracker:
        pages = tracker.site(folder)
        assert tracker.site(folder) == pages
    files = {str(path.relative_to(folder)) for path in folder.rglob("*.html")}
    assert len(files) == pages
    assert {"index.html", "leaderboard.html", "words.html"} <= files
    for file in files:
        page = (folder / file).read_text(encoding="utf-8")
        assert "<form" not in page
        for lead in re.findall(r'(?:href|src)="([^"#]+)', page):
            target = (folder / file).parent / unquote(html.unescape(lead))
            assert target.is_file(), f"{file} leads to {lead}"


def test_a_site_has_examples_of_some_patterns_of_each_submission(tmp_path: Path) -> None:
    with sr_tracker.connect(None) as tracker:
        made = site._Site(tracker, tmp_path, {}, sql=False)
    links = [
        f'<a href="/examples/C/{system}/t?pattern=({number})">({number})</a>'
        for number in range(60)
        for system in ("one", "two")
    ]
    for text in ("".join(links), "".join(reversed(links))):
        shown, leads = made.relative(text, "index.html")
        assert len(leads) == shown.count("<a ") == 100
        assert all(f"({number})" in shown for number in range(60)), "others are plain text"
        assert {lead.partition("?")[2] for lead in leads} == {f"pattern=({n})" for n in range(50)}


def test_charts_of_a_site_lead_to_its_files(
    small_campaign: Path, tmp_path: Path, browser: Browser
) -> None:
    with sr_tracker.connect(small_campaign, read_only=True) as tracker:
        tracker.site(tmp_path / "site")
    browser.open((tmp_path / "site" / "system" / "ours.html").as_uri())
    browser.until("Boolean(document.querySelector('#chart svg')?.ariaLabel)")
    browser.click("#chart .layer_5_marks path:last-of-type")
    browser.until("/submission.*ours.*html$/.test(location.pathname)")


def test_what_draws_charts_is_kept_by_browsers_and_no_page_is(ask: Ask) -> None:
    assert ask("/charts.js").headers["Cache-Control"] == "max-age=86400"
    assert {ask(page).headers["Cache-Control"] for page in ("/", "/script.js")} == {"no-store"}


def test_a_site_replaces_nothing_else(small_campaign: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "thesis.tex").touch()
    with (
        sr_tracker.connect(small_campaign, read_only=True) as tracker,
        pytest.raises(InputError, match="something other than a site"),
    ):
        tracker.site(taken)
    assert [path.name for path in taken.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--host", "nowhere"], 2, "'nowhere' is no address to listen at"),
        (["--host", "192.0.2.1"], 2, "nothing can listen at 192.0.2.1"),
    ],
)
def test_serve_says_where_it_cannot_listen(
    monkeypatch: pytest.MonkeyPatch,
    sample_file: Path,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    done = run_text(monkeypatch, "-d", sample_file, "serve", *arguments)
    assert (done.code, message in done.stderr) == (code, True), done.stderr


@pytest.mark.long
def test_serve_ends_by_ctrl_c_and_leaves_nothing_behind(sample_file: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, "-d", str(sample_file), "serve", "--port", "0"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stderr is not None
        assert "serving" in server.stderr.readline()
        assert [*tmp_path.iterdir()]
        server.send_signal(signal.SIGINT)
        assert server.wait(LONG) == 130
        assert "Traceback" not in server.stderr.read()
    assert not [*tmp_path.iterdir()]
