"""Histories: a planted regression is found where it is, and nothing else is; branches are drawn."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import zeta

from sr_tracker.queries.change.comparison import stored
from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.history import Chain, History, Line, Run, chains, history_rows
from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.functions.statistics import lord_levels
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.pages.drawings import Drawings
from sr_tracker.tracker.pages.report import _sections, development, newest, read_histories
from sr_tracker.tracker.pages.selected import ReportData
from sr_tracker.tracker.show.charts.change import BETTER, CHANCE, UNTESTED, WORSE, history_chart
from sr_tracker.tracker.show.charts.label_places import Point, beside_points
from sr_tracker.tracker.show.findings.history import BARS, history_document, sparkline
from sr_tracker.tracker.show.model import plain_text
from tests import building, commands
from tests.building import add_run, conllu
from tests.charts import check_specification, rows_of

TREEBANK, OTHER = "en_tiny-ud1.0-test", "en_other-ud1.0-test"
SENTENCES = 40
QUICK = Settings(replicates=200)
WORDS = (
    ("the", "DET", "det", 2),
    ("dog", "NOUN", "nsubj", 3),
    ("saw", "VERB", "root", 0),
    ("a", "DET", "det", 5),
    ("cat", "NOUN", "obj", 3),
    ("today", "ADV", "advmod", 3),
)
RIGHT = "the dog saw a cat today"
# Moving the last word to the front changes the distance of one edge only: that of advmod.
REGRESSED = "today the dog saw a cat"


def treebank_text() -> str:
    words = [(form, head, deprel, upos) for form, upos, deprel, head in WORDS]
    return conllu([words] * SENTENCES, texts=[RIGHT] * SENTENCES)


def submit(tracker: Tracker, run: str, wrong: int, **details: Any) -> str:
    """Load an iteration whose first sentences are wrong."""
    outputs = [REGRESSED] * wrong + [RIGHT] * (SENTENCES - wrong)
    return add_run(tracker, run, outputs, TREEBANK, campaign="C", **details)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five iterations: the third regresses on advmod, the fourth is a branch from the second."""
    path = tmp_path_factory.mktemp("history") / "campaign.duckdb"
    treebanks = dict.fromkeys((TREEBANK, OTHER), treebank_text())
    with building.campaign(path, treebanks, name="C") as tracker:
        day = datetime(2024, 5, 1, tzinfo=UTC)
        params: dict[str, Any] = {"[red]beam": 4, "seed": 1}
        submit(tracker, "ours", 8, params={"[red]beam": 1}, created_at=day)
        second = submit(tracker, "ours@2", 8, params=params, tags={"by": "ann"})
        third = submit(tracker, "ours@3", 36, params=params, tags={"by": "bo"})
        submit(tracker, "ours@4", 7, parent_submission_id=second)
        submit(tracker, "ours@5", 0, parent_submission_id=third)
        submit(tracker, "theirs", 3)
        submit(tracker, f"ours/{OTHER}", 3)
        first = submit(tracker, "moved", 8)
        submit(tracker, f"moved/{OTHER}@2", 0, parent_submission_id=first)
        tracker.score(metrics=["bleu", "dea"])
        for iteration in (1, 2):
            submit(tracker, f"unscored@{iteration}", 1)
    return path


@pytest.fixture
def database(campaign: Path) -> Iterator[Database]:
    with open_database(campaign, read_only=True) as database:
        yield database


def invoke(campaign: Path, *arguments: str) -> Result:
    words = ("--yes", "history", *arguments, "--replicates", "200")
    return commands.run(campaign, *words, code=None)


def test_steps_are_tested_at_once_and_as_each_alone(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    test = stored.family_changes
    monkeypatch.setattr(
        stored,
        "family_changes",
        lambda requests, how: calls.append(len(requests)) or test(requests, how),
    )
    together = history(database, "ours", settings=QUICK)
    assert calls == [4]
    monkeypatch.setattr(stored, "PAIRS_AT_ONCE", 1)
    alone = history(database, "ours", settings=QUICK)
    assert calls == [4, 1, 1, 1, 1]
    changes = [[rows.changes for rows in item.unstored] for item in (together, alone)]
    assert changes[0] == changes[1]
    assert len({row["p_value"] for of_step in changes[0] for row in of_step}) > 2


def names(line: Line) -> list[str]:
    return [measure.name for measure in line.measures]


# Sparklines


@given(st.lists(st.none() | st.floats(-1e6, 1e6), max_size=40))
def test_a_sparkline_has_a_letter_per_value_and_both_extremes(values: list[float | None]) -> None:
    line = sparkline(values)
    entries = [value for value in values if value is not None]
    assert len(line) == len(values)
    assert [letter == "·" for letter in line] == [value is None for value in values]
    if len(set(entries)) > 1:
        assert line[values.index(min(entries))] == BARS[0]
        assert line[values.index(max(entries))] == BARS[-1]
        order = sorted(zip(entries, (x for x in line if x != "·"), strict=True))
        assert [BARS.index(bar) for _, bar in order] == sorted(BARS.index(x) for _, x in order)


def test_sparklines_of_one_value_of_equal_ones_and_of_none() -> None:
    assert sparkline([0.5]) == "▄"
    assert sparkline([0.5, None, 0.5]) == "▄·▄"
    assert sparkline([None, None]) == "··"
    assert sparkline([]) == ""
    assert sparkline([0, 7, 3]) == "▁█▄"


# Lineage


def line_of(parents: Sequence[int | None]) -> Line:
    runs = [
        Run(
            submission_id=str(number),
            iteration=number,
            created_at=datetime(2024, 1, 1, tzinfo=UTC),
            parent_submission_id=None,
            previous_submission_id=None if parent is None else str(parent),
            chosen={},
            values={},
            changes={},
            relations=[],
        )
        for number, parent in enumerate(parents)
    ]
    return Line("C", TREEBANK, "shallow", runs, [])


def edges(chains: Sequence[Chain]) -> Iterator[tuple[str | None, str]]:
    stack: list[tuple[str | None, Chain]] = [(None, chain) for chain in chains]
    while stack:
        before, chain = stack.pop()
        for run in chain.runs:
            yield before, run.submission_id
            before = run.submission_id
        assert len(chain.branches) != 1
        stack += [(before, branch) for branch in chain.branches]


@given(st.lists(st.integers(0, 30), max_size=30))
def test_chains_hold_every_run_once_below_its_parent(numbers: list[int]) -> None:
    parents = [None, *(number % place for place, number in enumerate(numbers, start=1))]
    expected = [(None if p is None else str(p), str(n)) for n, p in enumerate(parents)]
    assert sorted(edges(chains(line_of(parents))), key=str) == sorted(expected, key=str)


def test_runs_without_branches_are_one_chain_however_long() -> None:
    (chain,) = chains(line_of([None, *range(4999)]))
    assert len(chain.runs) == 5000
    assert not chain.branches


def test_a_parent_elsewhere_begins_a_chain() -> None:
    assert [len(chain.runs) for chain in chains(line_of([None, 77, 1]))] == [1, 2]


# Histories


def test_only_the_planted_regression_is_significant(database: Database) -> None:
    lines = history(database, "ours", treebank=TREEBANK, settings=QUICK)
    (line,) = lines.lines
    moved = {run.iteration: [change.deprel for change in run.relations] for run in line.runs}
    assert moved == {1: [], 2: [], 3: ["advmod"], 4: [], 5: ["advmod"]}
    (change,) = line.runs[2].relations
    assert (change.new, change.base) == (pytest.approx(4 / 40), pytest.approx(32 / 40))
    assert change.is_worse
    of = {summary.measure.name: summary for summary in lines.summaries(line)}
    for measure in ("bleu", "dea", "dea[advmod]"):
        marked = [(run.iteration, c.is_worse) for run, c in of[measure].significant]
        assert marked == [(3, True), (5, False)], measure
    assert of["dea[advmod]"].best_iteration == 5
    assert "dea[det]" not in of


def test_a_line_may_be_held_to_one_error(database: Database) -> None:
    requests = {"treebank": TREEBANK, "measures": ["dea", "dea[*]"], "settings": QUICK}
    (of_steps,) = history(database, "ours", **requests).lines
    held = history(database, "ours", control="line", **requests)
    (line,) = held.lines
    steps = [run for run in line.runs if run.changes]
    assert len(steps) == 4
    assert [run.changes for run in line.runs] == [run.changes for run in of_steps.runs]
    for names in (
        ["dea"],
        [measure.name for measure in line.measures if measure.kind == "relation"],
    ):
        least = [min(run.changes[name].p_holm or 0 for name in names) for run in steps]
        levels = lord_levels(least, 0.05)
        assert levels[0] < 0.05 / 4
        for run, level in zip(steps, levels, strict=True):
            assert {run.alphas[name] for name in names} == {level}
            assert all(
                run.is_significant(name) == ((run.changes[name].p_holm or 0) < level)
                for name in names
            )
    rows = history_rows(held).to_pylist()
    assert {row["significant"] for row in rows} == {None, True, False}
    for row in rows:
        tested = row["p_holm"] is not None
        assert row["significant"] == (row["p_holm"] < row["alpha"] if tested else None)
    assert "LORD++" in " ".join(history_document(held).legend)


@given(st.lists(st.one_of(st.none(), st.floats(0, 0.1), st.just(1e-9)), max_size=30))
def test_levels_of_a_line_are_those_of_lord(p_values: list[float | None]) -> None:
    """Ramdas et al. 2017, section 3, with shares that fall as 1 / j^1.6 and half of alpha first."""
    levels = lord_levels(p_values, 0.05)
    tests = [(p, level) for p, level in zip(p_values, levels, strict=True) if p is not None]
    rejected = [number for number, (p, level) in enumerate(tests, start=1) if p < level]
    for number, (_, level) in enumerate(tests, start=1):
        before = [place for place in rejected if place < number]
        wealth = [(0, 0.025), *zip(before, [0.025, *[0.05] * len(before)], strict=False)]
        expected = sum(gain * (number - since) ** -1.6 / zeta(1.6) for since, gain in wealth)
        assert level == pytest.approx(expected, rel=1e-9)


def test_of_lines_without_change_few_have_a_mark_however_long() -> None:
    assert 0.0245 < sum(lord_levels([1.0] * 5000, 0.05)) < 0.025


def test_values_are_those_of_the_view_and_changes_their_differences(database: Database) -> None:
    wanted = ["dea", "bleu", "dea[*]"]
    (line,) = history(database, "ours", treebank=TREEBANK, measures=wanted, settings=QUICK).lines
    rows = database.connection.execute(
        "SELECT submission_id, measure, score FROM submission_measures "
        "WHERE measure IN ('dea', 'bleu') OR kind = 'relation'"
    ).fetchall()
    scores = {(submission, measure): score for submission, measure, score in rows}
    assert names(line)[:2] == ["dea", "bleu"]
    assert set(names(line)[2:]) == {f"dea[{deprel}]" for _, _, deprel, _ in WORDS} - {"dea[root]"}
    for run in line.runs:
        for measure in names(line):
            assert run.values[measure] == scores[run.submission_id, measure]
            if run.previous_submission_id:
                difference = (
                    scores[run.submission_id, measure] - scores[run.previous_submission_id, measure]
                )
                assert run.changes[measure].difference == pytest.approx(difference)


def test_runs_are_compared_with_their_parent_or_else_the_iteration_before(
    database: Database,
) -> None:
    (line,) = history(database, "ours", treebank=TREEBANK, tests="none").lines
    of = {run.submission_id: run.iteration for run in line.runs}
    assert [of.get(run.previous_submission_id or "") for run in line.runs] == [None, 1, 2, 2, 3]
    assert line.runs[1].chosen == {"[red]beam": (1, 4), "seed": (None, 1), "tag by": (None, "ann")}
    assert line.runs[2].chosen == {"tag by": ("ann", "bo")}


def test_tests_may_be_left_out(database: Database) -> None:
    for tests, tested in (("none", set()), ("relations", {"dea[advmod]"})):
        (line,) = history(
            database, "ours", treebank=TREEBANK, measures=["dea", "dea[advmod]"], tests=tests
        ).lines
        changes = line.runs[2].changes.values()
        assert {change.measure for change in changes if change.p_holm is not None} == tested
        assert all(change.difference is not None for change in changes)


def test_the_latest_iterations_are_followed_as_they_are_among_all(database: Database) -> None:
    for control in ("step", "line"):
        requests = {
            "treebank": TREEBANK,
            "measures": ["dea"],
            "settings": QUICK,
            "control": control,
        }
        whole = history(database, "ours", **requests)
        latest = history(database, "ours", last=2, **requests)
        for line, of_all in zip(latest.lines, whole.lines, strict=True):
            assert line.runs == of_all.runs[-2:]
        assert latest.notes == [f"of 5 iterations on {TREEBANK} the latest 2 are followed"]
        assert not whole.notes


def test_each_treebank_is_a_line_of_its_own(database: Database) -> None:
    lines = history(database, "ours", tests="none")
    assert [(line.treebank_id, len(line.runs)) for line in lines.lines] == [
        (OTHER, 1),
        (TREEBANK, 5),
    ]


def test_a_parent_on_another_treebank_is_not_compared_with(database: Database) -> None:
    (line,) = history(database, "moved", treebank=OTHER).lines
    assert line.runs[0].not_compared
    assert not line.runs[0].changes
    assert line.runs[0].values["dea"] == 1.0


def test_unknown_names_are_refused_with_what_there_is(database: Database) -> None:
    with pytest.raises(UnknownNameError):
        history(database, "nobody")
    with pytest.raises(UnknownNameError):
        history(database, "ours", treebank="nowhere")
    with pytest.raises(UnknownNameError, match=r"dea\[advmod\]"):
        history(database, "ours", measures=["dea[advmodd]"])


# The command


def test_csv_has_a_row_per_iteration_and_measure(campaign: Path) -> None:
    result = invoke(
        campaign,
        *("ours", "--treebank", TREEBANK, "--format", "csv"),
        *("--measure", "dea", "--measure", "dea[advmod]"),
    )
    assert result.exit_code == 0, result.output
    rows = [*csv.DictReader(io.StringIO(result.stdout))]
    assert [(row["iteration"], row["measure"]) for row in rows] == [
        (str(n), measure) for n in range(1, 6) for measure in ("dea", "dea[advmod]")
    ]
    assert [row["significant"] for row in rows[1::2]] == ["", "False", "True", "False", "True"]
    third = rows[5]
    assert float(third["low"]) <= float(third["change"]) <= float(third["high"]) < 0
    assert float(third["p_holm"]) < 0.001
    assert third["previous_iteration"] == "2"
    assert rows[0]["undefined_reason"] == "no run before"


def test_json_and_parquet_are_the_same_rows(campaign: Path, tmp_path: Path) -> None:
    options = ("ours", "--treebank", TREEBANK, "--tests", "none")
    rows = json.loads(invoke(campaign, *options, "--format", "json").stdout)
    file = tmp_path / "history.parquet"
    assert invoke(campaign, *options, "-o", str(file)).exit_code == 0
    read: pa.Table = pq.read_table(file)
    assert [row["score"] for row in rows] == read["score"].to_pylist()
    assert read["significant"].null_count == read.num_rows


def test_the_tables_mark_the_regression_and_draw_the_branches(campaign: Path) -> None:
    result = invoke(campaign, "ours", "--treebank", TREEBANK)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    (advmod,) = (line for line in lines if line.split()[:1] == ["DEA[advmod]"])
    figures, lines_and_marks = advmod.split()[1:5], advmod.split()[5:]
    assert figures == ["80.00", "100.00", "100.00", "@5"]
    assert lines_and_marks == ["▆▆▁▇█", "·≈↓≈↑", "@3↓", "@5↑"]
    assert any(line.split()[:3] == ["@3", "advmod", "−70.00"] for line in lines)
    assert any(line.endswith("@1 → @2") for line in lines)
    assert any("@3 → @5" in line for line in lines)
    assert "[red]beam 1→4" in result.stdout


def test_tables_go_to_a_file_as_well(campaign: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.txt"
    assert invoke(campaign, "ours", "--tests", "none", "-o", str(file)).exit_code == 0
    assert "@1 → @2" in file.read_text()


def test_a_chart_is_written_beside_the_table(campaign: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.svg"
    options = ("--treebank", TREEBANK, "--measure", "dea[advmod]", "--chart", str(file))
    result = invoke(campaign, "ours", *options)
    assert result.exit_code == 0
    assert "▆▆▁▇█" in result.stdout
    assert "@3" in file.read_text()


def test_a_history_as_it_stood_before_anything_was_made_is_unknown(campaign: Path) -> None:
    result = invoke(campaign, "ours", "--as-of", "2001-01-01")
    assert isinstance(result.exception, UnknownNameError)


def test_wrong_requests_end_before_anything_is_computed(campaign: Path, tmp_path: Path) -> None:
    for arguments in (
        ["ours", "--chart", str(tmp_path / "history.pdf")],
        ["nobody"],
        ["ours", "--measure", "nothing"],
    ):
        assert isinstance(invoke(campaign, *arguments).exception, InputError | UnknownNameError)


# Chart and report


def specification(chains: History) -> dict[str, Any]:
    chart = history_chart(history_rows(chains), "ours")
    check_specification(chart)
    return chart


def points_and_numbers(chains: History) -> tuple[dict[int, str], list[str]]:
    """What the chart says of each iteration's change, and the iterations it names."""
    datasets = rows_of(specification(chains))
    (points,) = (rows for rows in datasets if len(rows) == 5)
    named = [row["number"] for rows in datasets for row in rows if "number" in row]
    return {row["iteration"]: row["meaning"] for row in points}, sorted(named)


@pytest.fixture(scope="module")
def adverbs(campaign: Path) -> History:
    """The history of the relation that regresses."""
    with open_database(campaign, read_only=True) as database:
        return history(
            database, "ours", treebank=TREEBANK, measures=["dea[advmod]"], settings=QUICK
        )


def test_points_tell_significant_changes_chance_and_what_was_not_tested(
    database: Database, adverbs: History
) -> None:
    meanings, named = points_and_numbers(adverbs)
    assert meanings == {1: UNTESTED, 2: CHANCE, 3: WORSE, 4: CHANCE, 5: BETTER}
    assert named == ["@3", "@5"]
    untested = history(database, "ours", treebank=TREEBANK, measures=["dea"], tests="relations")
    meanings, named = points_and_numbers(untested)
    assert {*meanings.values()} == {UNTESTED}
    assert named == []


def test_the_three_marks_look_different_and_stand_in_a_legend(adverbs: History) -> None:
    (points,) = (
        layer["encoding"]
        for layer in specification(adverbs)["vconcat"][0]["concat"][0]["layer"]
        if "shape" in layer["encoding"]
    )
    looks = [points[channel]["scale"]["range"] for channel in ("stroke", "fill", "shape")]
    assert points["shape"]["scale"]["domain"] == [BETTER, WORSE, CHANCE, UNTESTED]
    assert len({*zip(*looks, strict=True)}) == 4
    assert all(points[channel]["legend"]["orient"] == "top" for channel in ("stroke", "fill"))


def test_the_terminal_tells_what_was_not_tested(campaign: Path) -> None:
    result = invoke(campaign, "ours", "--treebank", TREEBANK, "--tests", "relations")
    lines = result.stdout.splitlines()
    (dea,) = (line for line in lines if line.split()[:1] == ["DEA"])
    assert "·????" in dea
    assert "?: not tested" in result.stderr


def test_a_chart_of_one_iteration_or_of_nothing(database: Database) -> None:
    lines = history(database, "theirs")
    assert specification(lines)["vconcat"]
    with pytest.raises(InputError, match="nothing to draw"):
        history_chart(history_rows(lines).slice(0, 0), "theirs")


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 120)), max_size=15))
def test_texts_beside_points_cover_neither_points_nor_each_other(
    places: list[tuple[float, float]],
) -> None:
    points = [Point(f"@{n}", x, y, 4) for n, (x, y) in enumerate(places)]
    boxes = [box for box in beside_points(points, points, [], (300, 120), 10) if box]
    for number, box in enumerate(boxes):
        assert box.within(300, 120)
        assert not any(box.shared(other) for other in boxes[:number])
        for point in points:
            across, down = box.nearest(point)
            assert max(abs(across - point.x), abs(down - point.y)) >= 4 - 1e-9


def test_the_report_tells_the_iterations(database: Database) -> None:
    rows = database.connection.execute(
        "SELECT submission_id FROM submission WHERE system_id <> 'unscored' ORDER BY ALL"
    )
    histories = read_histories(database, [name for (name,) in rows.fetchall()])
    assert [(item.system_id, len(item.lines[0].runs)) for item in histories] == [("ours", 5)]
    section = development(histories, Drawings(None))
    figure, measures, *_, relations = section.blocks
    check_specification(dict(figure.specification))
    cells = {
        line.cells[0].text: [plain_text(cell.text) for cell in line.cells]
        for line in measures.lines
    }
    assert cells["DEA[advmod]"][-1] == "@3↓ @5↑"
    assert [plain_text(cell.text) for cell in relations.lines[0].cells] == ["@3", "advmod −70.00"]
    assert read_histories(database, [f"C/ours/{TREEBANK}"]) == []


def test_a_report_on_a_system_begins_with_its_newest_iteration(database: Database) -> None:
    """Against the run before, and against the best: not an average with a broken first one."""
    rows = database.connection.execute(
        "SELECT submission_id FROM submission WHERE system_id = 'ours' AND treebank_id = ? "
        "ORDER BY ALL",
        [TREEBANK],
    )
    submissions = [name for (name,) in rows.fetchall()]
    histories = read_histories(database, submissions)
    (table,) = newest(histories).blocks
    assert table.caption.endswith("@5 against @3")
    cells = {line.cells[0].text: [cell.text for cell in line.cells[1:]] for line in table.lines}
    line = histories[0].lines[0]
    values = [run.values["dea[advmod]"] for run in line.runs]
    now, before, change, best, best_at, behind = cells["DEA[advmod]"]
    assert (now, before) == (f"{100 * values[4]:.2f}", f"{100 * values[2]:.2f}")
    assert change.endswith("↑")
    assert (best, best_at, behind) == (f"{100 * max(values):.2f}", "@5", "0.00")
    report = ReportData(database, submissions)
    assert [row["iteration"] for row in report.averaged] == [5]
    assert report.who_counts == "newest iterations of teams' systems"
    assert _sections(database, report, Drawings(None))[0].anchor == "newest"


def test_what_is_not_scored_is_said_in_the_report(database: Database) -> None:
    submissions = [f"C/unscored/{TREEBANK}", f"C/unscored/{TREEBANK}@2"]
    section = development(read_histories(database, submissions), Drawings(None))
    assert "tracker score" in section.missing
