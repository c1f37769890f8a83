"""``tracker why plot``: what is drawn of which submissions, and what is said where nothing is."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import sr_tracker
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.files import write_file
from sr_tracker.tracker.api.sharing import CHARTS
from sr_tracker.tracker.show.charts.selected import KINDS, Choice, draw_selected
from tests import commands
from tests.building import made_of, written

Plot = Callable[..., Result]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which the systems a and b were analysed, and c was not."""
    return made_of(Path(__file__).with_name("plot.sql"), tmp_path_factory.mktemp("plot"))


@pytest.fixture
def run(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plot:
    """Run the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: commands.run(campaign, "why", "plot", *arguments, code=None)


def texts(path: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]+)</text>", Path(path).read_text(encoding="utf-8"))


def test_the_kinds_are_those_that_can_be_drawn() -> None:
    assert tuple(KINDS) == tuple(CHARTS)


def test_without_a_file_the_chart_is_named_after_its_kind(run: Plot) -> None:
    done = run("patterns", "--submission", "C/a/tb")
    assert done.exit_code == 0
    assert done.stderr == "patterns.png written\n"
    assert done.stdout == ""
    assert Path("patterns.png").read_bytes().startswith(b"\x89PNG")


def test_one_submission_shows_its_own_and_several_their_medians(run: Plot) -> None:
    assert run("correlations", "--system", "a", "-o", "one.svg").exit_code == 0
    assert texts("one.svg").count("0.25*") == 3
    assert run("correlations", "--campaign", "C", "-o", "all.svg").exit_code == 0
    assert texts("all.svg").count("0.50") == 3
    assert "campaign C · 2 submissions" in texts("all.svg")


def test_metrics_choose_what_correlations_show(run: Plot) -> None:
    assert run("correlations", "--system", "a", "--metric", "dea", "-o", "one.svg").exit_code == 0
    assert texts("one.svg").count("0.25*") == 1


def test_the_newest_mining_is_drawn_and_coverage_counts_the_selected(run: Plot) -> None:
    assert run("patterns", "--language", "en", "-o", "all.svg").exit_code == 0
    shown = texts("all.svg")
    assert shown.count("50% (1)") == 2
    assert {"(conj)", "(det)"} <= set(shown)
    assert "(old)" not in shown


def test_projectivity_and_suspicion_trees_are_drawn(run: Plot) -> None:
    assert run("projectivity", "-o", "chart.svg").exit_code == 0
    assert "C/a/tb" in texts("chart.svg")
    assert run("suspicion-tree", "--submission", "C/a/tb", "-o", "chart.html").exit_code == 0
    page = Path("chart.html").read_text(encoding="utf-8")
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)
    assert "split on (conj)" in page


@pytest.mark.parametrize(
    ("arguments", "error", "message", "hint"),
    [
        ("dea", UnknownNameError, "no accuracy", "tracker score"),
        ("entropy", UnknownNameError, "no accuracy", "tracker score"),
        ("correlations --system c", UnknownNameError, "no correlation", "tracker analyse"),
        ("correlations --method kendall", UnknownNameError, "by kendall", "--method kendall"),
        ("correlations --metric no", UnknownNameError, "no metric 'no'", "bleu"),
        ("projectivity --system b", UnknownNameError, "no projectivity", "--minimum-share"),
        ("patterns --labels upos", UnknownNameError, "of upos by bleu", "tracker analyse"),
        ("suspicion-tree --system c", UnknownNameError, "no suspicion tree", "tracker analyse"),
        ("suspicion-tree", InputError, "one submission's", "--submission"),
        ("dea --system nobody", UnknownNameError, "no system 'nobody'", "show"),
        ("dea --labels upos", InputError, "--labels does not apply", "patterns"),
        ("entropy --metric bleu", InputError, "--metric does not apply", "correlations"),
        ("dea -o chart.jpg", InputError, "'.jpg'", ".png"),
    ],
)
def test_what_cannot_be_drawn_is_said_with_what_to_do(
    run: Plot, arguments: str, error: type[InputError], message: str, hint: str
) -> None:
    done = run(*arguments.split())
    assert isinstance(done.exception, error)
    assert message in done.exception.message
    assert hint in (done.exception.hint or "")
    assert not list(Path().iterdir())


def test_what_names_no_chart_or_file_is_said(campaign: Path) -> None:
    tracker = sr_tracker.connect(campaign)
    with pytest.raises(UnknownNameError, match="no kind of chart 'deas'"):
        tracker.plot("deas", "dea.svg")
    with pytest.raises(InputError, match="cannot write: Is a directory"):
        write_file(Path(), b"")


def test_a_chart_shows_itself_and_is_written_where_it_is_asked_for(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tracker = sr_tracker.connect(campaign)
    chart = tracker.plot("patterns", submission="C/a/tb")
    assert not list(tmp_path.iterdir())
    assert chart._repr_mimebundle_()["text/html"].startswith("<div><svg")
    assert chart.path is None
    with pytest.raises(InputError, match="not written"):
        os.fspath(chart)
    assert chart.save("one.json") == Path("one.json")
    assert json.loads(Path("one.json").read_text()) == chart.spec
    written_one = tracker.plot("patterns", "two.svg", submission="C/a/tb")
    assert Path(written_one) == Path("two.svg")
    assert Path("two.svg").read_text(encoding="utf-8") in chart._repr_html_()


def test_a_mining_that_found_nothing_says_why(campaign: Path, tmp_path: Path) -> None:
    copy = written(tmp_path / "copy.duckdb", campaign.read_bytes())
    with open_database(copy) as database:
        database.connection.execute("UPDATE error_mining SET undefined_reason = 'all failed'")
        with pytest.raises(UnknownNameError) as raised:
            draw_selected(database, "patterns", ["C/a/tb"], "title", Choice())
    assert raised.value.where == "all failed"
