"""Who counts: ``show``, ``plot``, ``report`` and Python give one answer, by one option."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from sr_tracker.queries.counting import COUNTING, Counting, counted, who_counts
from sr_tracker.queries.reading import read_view
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import select_submissions
from sr_tracker.tracker.pages.report import _lead as lead
from sr_tracker.tracker.pages.selected import ReportData
from sr_tracker.tracker.show.charts.selected import AGGREGATED, Choice, draw_selected
from tests import commands
from tests.building import made_of
from tests.charts import rows_of

OBL: dict[Counting, dict[str, float]] = {
    "newest": {"C": 0.5, "D": 0.75, "all": 0.5},
    "iterations": {"C": 0.25, "D": 0.75, "all": 0.25},
    "all": {"C": (0 + 0.5 + 0.25 + 1) / 4, "D": 0.875, "all": (0 + 0.5 + 0.25 + 1 + 0.75 + 1) / 6},
}
"""Mean accuracy of obl over the submissions of a campaign, worked by hand."""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_of(Path(__file__).with_name("counting.sql"), tmp_path_factory.mktemp("counting"))


run = partial(commands.run, code=None)


@pytest.mark.parametrize("counting", COUNTING)
@pytest.mark.parametrize("name", ["C", "D", "all"])
def test_all_say_the_same(campaign: Path, counting: Counting, name: str) -> None:
    """The view, the mean of rows, both charts and the report: one figure."""
    wanted = pytest.approx(OBL[counting][name])
    with open_database(campaign, read_only=True) as database:
        filters = {"campaign": None if name == "all" else name}
        chosen = select_submissions(database, filters)
        macro = read_view(
            database, "dea_by_relation_macro", filters={"submission": chosen}, counting=counting
        ).to_pylist()
        assert next(row["dea"] for row in macro if row["deprel"] == "obl") == wanted
        condition = "true" if name == "all" else f"campaign_id = '{name}'"
        means = read_view(
            database, "dea_by_relation", by=["deprel"], where=condition, counting=counting
        ).to_pylist()
        assert next(row["dea_mean"] for row in means if row["deprel"] == "obl") == wanted
        report = ReportData(database, chosen, counting)
        assert next(row["dea"] for row in report.relations if row["deprel"] == "obl") == wanted
        entropy = [row["dea"] for row in report.entropy if row["deprel"] == "obl"]
        assert entropy == [wanted]
        for kind in ("dea", "entropy"):
            chart = draw_selected(database, kind, chosen, name, Choice(counting=counting))
            rows = [row for data in rows_of(chart) for row in data]
            points = pytest.approx(100 * OBL[counting][name])
            assert any(row.get("deprel") == "obl" and row["dea"] == points for row in rows)
            assert f"counted: {report.who_counts}" in chart["title"]["subtitle"]
        assert len(report.averaged) == len(report.submissions) or report.who_counts in lead(report)


def test_the_view_of_everything_is_that_of_all_submissions(campaign: Path) -> None:
    shown = run(campaign, "show", "dea_by_relation_macro", "--format", "csv")
    assert shown.stderr.startswith("counted: newest iterations of teams' systems")
    assert "obl,4,1,0.5" in shown.output
    others = run(campaign, "show", "dea_by_relation_macro", "--campaign", "D", "--format", "csv")
    assert "obl,4,1,0.75" in others.output


def test_means_by_system_leave_no_system_out(campaign: Path) -> None:
    """Each group is a selection of its own; only the human reference never counts."""
    with open_database(campaign, read_only=True) as database:
        rows = read_view(database, "leaderboard", by=["system_id"]).to_pylist()
        assert {row["system_id"]: row["rows"] for row in rows} == {"ours": 1, "base": 2}
        runs = read_view(database, "leaderboard", by=["system_id", "iteration"]).to_pylist()
        assert {(row["system_id"], row["iteration"]) for row in runs} == {
            *(("ours", 1), ("ours", 2), ("base", 1))
        }


def test_a_human_reference_alone_counts_only_when_asked(campaign: Path, tmp_path: Path) -> None:
    with open_database(campaign, read_only=True) as database:
        gold = select_submissions(database, {"system": "gold"})
        with pytest.raises(InputError, match="the human reference alone"):
            counted(database, gold)
        assert counted(database, gold, "all") == gold
    file = str(tmp_path / "a.svg")
    refused = run(campaign, "why", "plot", "dea", "--system", "gold", "-o", file)
    assert isinstance(refused.exception, InputError)
    assert "--who-counts all" in str(refused.exception.hint)
    drawn = run(
        campaign, "why", "plot", "dea", "--system", "gold", "-o", file, "--who-counts", "all"
    )
    assert drawn.exit_code == 0


def test_the_option_is_for_charts_that_aggregate(campaign: Path) -> None:
    refused = run(campaign, "why", "plot", "intervals", "--who-counts", "all")
    assert isinstance(refused.exception, InputError)
    assert ", ".join(AGGREGATED) in str(refused.exception.hint)


def test_who_counts_in_words() -> None:
    assert who_counts("newest", {"team"}) == "newest iterations of teams' systems"
    message = who_counts("all", {"human", "team", "baseline"})
    assert message == "all iterations of teams' systems, baselines and the human reference"
