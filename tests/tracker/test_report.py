"""Reports: what the page says, that text from outside stays text, and that bytes do not change."""

from __future__ import annotations

import html.parser
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.errors import Settings
from sr_tracker.queries.numbers import number, probability
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.iterations import add_name
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages import people
from sr_tracker.tracker.pages.mined import pieces
from sr_tracker.tracker.pages.report import write_report
from sr_tracker.tracker.show.model import Column, Table
from sr_tracker.tracker.show.tables import table
from tests import building, commands
from tests.building import conllu
from tests.conftest import empty

TREEBANK = "en_tiny-ud1.0-test"
SCRIPT = "<script>alert(1)</script>"
MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
WORDS = (
    ("the", "DET", "det"),
    ("dog", "NOUN", "nsubj"),
    ("saw", "VERB", "root"),
    ("a", "DET", "det"),
    ("cat", "NOUN", "obj"),
    ("today", "ADV", "advmod"),
)
HEADS = (2, 3, 0, 5, 3, 3)
SENTENCES = 24


def treebank_text() -> str:
    """Sentences of five or six words: every second one has an adverb."""
    words = [(form, h, rel, tag) for (form, tag, rel), h in zip(WORDS, HEADS, strict=True)]
    sentences = [words[: 6 if n % 2 else 5] for n in range(1, SENTENCES + 1)]
    return conllu(
        sentences, texts=[" ".join(form for form, *_ in sentence) for sentence in sentences]
    )


def outputs(seed: int) -> str:
    """Sentences with an adverb are shuffled, the others as they should be; one is HTML."""
    rng = random.Random(seed)
    lines = []
    for n in range(1, SENTENCES + 1):
        words = [word for word, _, _ in WORDS[: 6 if n % 2 else 5]]
        if n % 2:
            rng.shuffle(words)
        lines.append(" ".join([*words, *([SCRIPT, "<b>&"] if n == 3 else [])]))
    return "\n".join(lines) + "\n"


def load(tracker: Tracker) -> None:
    building.load(tracker.ingest_treebank, treebank_text(), f"{TREEBANK}.conllu", campaign="C")
    for seed, system in enumerate((SCRIPT.replace("/", ""), "plain")):
        building.add_run(tracker, system, outputs(seed), TREEBANK, campaign="C")


@pytest.fixture
def loaded(in_memory: Database) -> Tracker:
    """The campaign in a database in memory, not scored."""
    empty(in_memory)
    load(Tracker(in_memory))
    return Tracker(in_memory)


def judge(tracker: Tracker) -> None:
    """Two annotators rate every output of both systems, the plain one higher."""
    tracker.database.connection.execute(
        "INSERT INTO judgement SELECT 'C', row_number() OVER items, annotator, 'h', "
        "row_number() OVER items, submission_id, treebank_id, sentence_no, 'fluency', 'ordinary', "
        "40 + sentence_no % 7 + 30 * (system_id = 'plain')::INTEGER + length(annotator), "
        "NULL, NULL "
        "FROM submission JOIN output USING (submission_id), "
        "(VALUES ('ann'), ('bert')) AS annotators (annotator) "
        "WINDOW items AS (ORDER BY annotator, submission_id, sentence_no)"
    )
    tracker.human()


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scored and analysed campaign of two systems, one of them named after a script."""
    path = tmp_path_factory.mktemp("report") / "campaign.duckdb"
    with building.campaign(path) as tracker:
        load(tracker)
        tracker.score()
        judge(tracker)
        tracker.analyse(Settings(minimum_support=2))
        tracker.significance()
    return path


@pytest.fixture
def database(campaign: Path) -> Iterator[Database]:
    with open_database(campaign, read_only=True) as database:
        yield database


class Page(html.parser.HTMLParser):
    """The elements, ids, links and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, name: str) -> list[str]:
        return [value for attribute, value in self.attributes if attribute == name]


def ids(database: Database) -> list[str]:
    rows = database.connection.execute("SELECT submission_id FROM submission ORDER BY ALL")
    return [name for (name,) in rows.fetchall()]


@pytest.fixture(scope="module")
def page(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of one submission."""
    output = tmp_path_factory.mktemp("page") / "report.html"
    with open_database(campaign, read_only=True) as database:
        write_report(database, ["C/plain/" + TREEBANK], output, made=MADE)
    return output.read_text(encoding="utf-8")


def test_numbers_are_shown_as_people_write_them() -> None:
    assert number(-0.0004) == "0.000"
    assert number(-0.25, 2) == "−0.25"
    assert number(12345) == "12,345"
    assert number(None) == "–"
    assert probability(0.0001) == "< 0.001"
    assert probability(0.04) == "0.040"


def test_cells_are_sorted_by_what_they_mean() -> None:
    columns = {
        "projective": Column("projective"),
        "p": Column("p", "probability"),
        "share": Column("share", bar=True),
        "reason": Column("reason", "text"),
    }
    rows = [
        {"projective": 1528, "p": 0.0001, "share": 1.2, "reason": None},
        {"projective": None, "p": 0.5, "share": -0.5, "reason": None},
    ]
    computed = table("caption", columns, rows)
    assert [column.name for column in computed.columns] == ["projective", "p", "share"]
    assert [[cell.text for cell in line.cells] for line in computed.lines] == [
        ["1,528", "< 0.001", "1.200"],
        ["–", "0.500", "−0.500"],
    ]
    assert [line.cells[0].sort for line in computed.lines] == [1528, None]
    assert [line.cells[2].share for line in computed.lines] == [1, 0]


@given(st.lists(st.text("ab.", min_size=1, max_size=3), max_size=8), st.data())
def test_pieces_are_the_text_and_mark_the_words(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    matched = data.draw(st.sets(st.integers(1, max(1, len(words)))))
    parts = pieces(text, words, matched)
    assert "".join(piece for piece, _ in parts) == text
    wanted = [word for number, word in enumerate(words, start=1) if number in matched]
    assert [piece for piece, marked in parts if marked] == wanted


def test_parts_of_contractions_are_not_marked_elsewhere() -> None:
    parts = pieces("Je vais au parc à pied", ["Je", "vais", "à", "le", "parc", "à"], {3, 5})
    assert [piece for piece, marked in parts if marked] == ["parc"]


def test_every_section_is_there_with_how_to_read_it(page: str) -> None:
    headings = re.findall(r"<h2>([^<]+)</h2>\s*<p class=\"reading\">([^<]+)</p>", page)
    assert [name for name, _ in headings] == [
        "Leaderboard",
        "Accuracy by dependency relation",
        "What people say",
        "Metrics against people",
        "Is the difference more than chance?",
        "Correlations",
        "Projective and non-projective sentences",
        "Word-order freedom",
        "Suspicious patterns",
        "Suspicion trees",
        "Worst sentences",
        "How it was computed",
    ]
    assert all(len(reading) > 60 for _, reading in headings)
    assert "Submission report" in page


@pytest.fixture(scope="module")
def written(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the command wrote the page of all submissions, its charts and ``told``."""
    folder = tmp_path_factory.mktemp("written")
    arguments = ["-o", folder / "page.html", "--png", folder / "png"]
    (folder / "told").write_text(commands.run(campaign, "report", "C", *arguments).output)
    return folder


def test_the_command_writes_the_page_and_its_charts(written: Path) -> None:
    text = (written / "page.html").read_text(encoding="utf-8")
    assert "<h1>C</h1>" in text
    assert "Campaign report" in text
    ranking = re.search(r"<caption>Ranking: .*?</table>", text, re.DOTALL)
    assert ranking is not None
    assert re.findall(r"C/([^/]+)/", ranking.group())[0] == "plain"
    assert "Pairs: BLEU-lc" in text
    charts = [*(written / "png").iterdir()]
    assert {path.name for path in charts} >= {
        *("dea-by-relation.png", "correlations.png", "patterns-deprel.png"),
        *(f"people-{TREEBANK}-fluency.png", f"intervals-bleu-{TREEBANK}.png"),
    }
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in charts)
    message = f"{written / 'page.html'}: 2 submissions, {len(charts)} charts in {written / 'png'}"
    assert message in (written / "told").read_text()


def test_text_from_outside_stays_text(written: Path) -> None:
    computed = Page((written / "page.html").read_text(encoding="utf-8"))
    assert computed.elements.count("script") == 1
    assert "b" in computed.elements
    assert SCRIPT in computed.text
    assert SCRIPT.replace("/", "") in computed.text
    assert "<b>&" in computed.text


def test_what_is_not_there_is_said(page: str) -> None:
    missing = re.findall(r'<p class="missing">([^<]+)</p>', page)
    assert missing == ["Nothing to show: too few non-projective sentences in these treebanks."]


def test_without_scores_and_then_analyses_the_page_says_how_to_get_them(
    loaded: Tracker, tmp_path: Path
) -> None:
    def written() -> tuple[str, list[str]]:
        names = ids(loaded.database)
        write_report(loaded.database, names, tmp_path / "r.html", title=SCRIPT, made=MADE)
        text = (tmp_path / "r.html").read_text()
        return text, re.findall(r'<p class="missing">([^<]+)</p>', text)

    text, missing = written()
    assert Page(text).text.count(SCRIPT) >= 2
    assert Page(text).elements.count("script") == 1
    assert len(missing) == 10
    assert text.count("tracker score") >= 2
    loaded.score(metrics=["bleu", "dea"])
    text, missing = written()
    wanted = [
        "tracker human",
        "tracker human",
        "tracker why significance",
        *["tracker analyse"] * 4,
    ]
    assert len(missing) == len(wanted)
    for item, needed in zip(missing, wanted, strict=True):
        assert needed in item
    assert "Human scores: none are loaded" in text


def test_the_adverb_is_suspicious_and_its_sentences_are_shown(page: str) -> None:
    shown = re.search(r'<details class="examples" id="p1-1".*?</details>', page, re.DOTALL)
    assert shown is not None
    assert "advmod" in shown[0]
    assert "<mark>today</mark>" in shown[0]


def test_every_link_has_its_target(page: str) -> None:
    computed = Page(page)
    targets = computed.values("id")
    assert len(targets) == len(set(targets))
    links = computed.values("href")
    assert len(links) > 30
    assert {link for link in links if not link.startswith("#")} == set()
    assert {link[1:] for link in links} <= set(targets)


def test_relations_show_the_accuracy_of_the_view(page: str, database: Database) -> None:
    rows = database.connection.execute(
        "SELECT deprel, edges, dea FROM dea_by_relation WHERE system_id = 'plain' "
        "ORDER BY dea, deprel"
    ).fetchall()
    section = page[page.index('<section id="relations">') : page.index('<section id="people">')]
    shown = re.findall(r"<tr><th scope=row>(\w+)</th>.*?>([\d,]+)</td>.*?>([\d.]+)</td>", section)
    assert shown == [(deprel, str(edges), f"{100 * dea:.2f}") for deprel, edges, dea in rows]


def test_nothing_is_fetched_and_no_other_script_runs(page: str) -> None:
    computed = Page(page)
    assert computed.elements.count("script") == 1
    assert not set(computed.elements) & {"link", "img", "iframe", "object", "embed", "base", "form"}
    assert not [name for name, _ in computed.attributes if name == "src" or name.startswith("on")]
    content = page.partition("<script>")[0]  # what draws charts names addresses, but asks for none
    assert "@import" not in content
    assert set(re.findall(r"https?://[^\s\"'<]+", content)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    policy = next(value for name, value in computed.attributes if value.startswith("default-src"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_the_same_database_gives_the_same_bytes_apart_from_the_date(
    page: str, database: Database, tmp_path: Path
) -> None:
    later = datetime(2027, 1, 1, tzinfo=UTC)
    write_report(database, ["C/plain/" + TREEBANK], tmp_path / "later.html", made=later)
    assert page.count("2026-01-02 03:04") == 2
    again = page.replace("2026-01-02 03:04", "2027-01-01 00:00")
    assert again == (tmp_path / "later.html").read_text()


def test_a_name_is_a_submission_a_system_or_a_campaign(database: Database) -> None:
    assert add_name(database, "C", {}) == {"campaign": "C"}
    assert add_name(database, "plain", {"treebank": "t"}) == {"treebank": "t", "system": "plain"}
    with pytest.raises(UnknownNameError, match="'nobody'"):
        add_name(database, "nobody", {})
    with pytest.raises(InputError, match="two systems"):
        add_name(database, "plain", {"system": "other"})


def test_an_ambiguous_name_is_refused(loaded: Tracker, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(outputs(3))
    loaded.ingest_submission(tmp_path / "out.txt", system="C", treebank=TREEBANK, campaign="C")
    with pytest.raises(InputError, match="a system and of a campaign") as raised:
        add_name(loaded.database, "C", {})
    assert raised.value.hint == "say which: --system C or --campaign C"


def test_a_page_that_cannot_be_written_is_an_error(database: Database, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        write_report(database, ids(database), tmp_path / "missing" / "report.html")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot make the folder"):
        write_report(database, ids(database), tmp_path / "r.html", png=tmp_path / "file" / "x")


def test_scores_that_are_undefined_everywhere_have_a_table_but_no_picture() -> None:
    """References without words, such as those of meaning graphs, have no DEA."""
    values = {"metric": "dea", "treebank_id": "t", "submission_id": "s", "sentences": 0}
    undefined = dict.fromkeys(("score", "low", "high", "replicates"))
    data: Any = SimpleNamespace(intervals=[{**values, **undefined}], metric_changes=[])
    drawings: Any = None
    (block,) = people.significance(data, drawings).blocks
    assert isinstance(block, Table)
