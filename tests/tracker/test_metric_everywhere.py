"""A metric of another package, one function and one statement, is wherever metrics are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from scipy.stats import beta

from sr_tracker import Tracker
from sr_tracker.queries import catalog
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.comparison.comparing import compare
from sr_tracker.queries.change.gate import check_gate
from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.thresholds import parse_threshold
from sr_tracker.queries.exploring import listing
from sr_tracker.queries.functions.sql_function import SqlFunction
from sr_tracker.queries.metrics import Formula, Metric, Parts, packages, registry
from sr_tracker.queries.metrics.metric import STATISTICS
from sr_tracker.tracker.experiments.results import read_numbers
from sr_tracker.tracker.pages.report import write_report
from sr_tracker.tracker.show.charts.drawing import long_name, ordered_measures, short_name
from sr_tracker.tracker.show.findings.comparison import comparison_document
from sr_tracker.tracker.show.html import page as html_page
from tests.building import Word, campaign, conllu
from tests.queries.test_metrics import SCORES

TREEBANK = "en_tiny-ud1.0-test"
TEXTS = [f"{name} {verb} ." for name in ("Ann", "Bob", "Eve", "Kim") for verb in ("runs", "sleeps")]


def tree(text: str) -> list[Word]:
    return list(zip(text.split(), (2, 0, 2), ("nsubj", "root", "punct"), strict=True))


def six_wrong_and_none(texts: list[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """A treebank of texts, and two runs: six outputs of the first begin otherwise."""
    wrong = [f"X{text}" for text in texts[:6]] + texts[6:]
    return {TREEBANK: conllu(map(tree, texts), texts=texts)}, {"ours": wrong, "ours@2": texts}


def first_letters(outputs: Any, references: Any) -> Any:
    first = [pc.utf8_slice_codeunits(column, 0, 1) for column in (outputs, references)]
    equal = pc.equal(*first).cast(pa.int32()).cast(pa.float64()).to_pylist()
    return pa.array([[value, 1.0] for value in equal], pa.list_(pa.float64()))


MINE = Metric(
    name="first_letter",
    description="share of outputs that begin as their reference",
    version="1",
    text_level="text",
    statement="""
        INSERT INTO statistic_match
        SELECT signature_id, submission_id, sentence_no, first_letters(output_text, reference_text)
        FROM text_pair JOIN pending USING (submission_id);
        INSERT INTO part_match
        SELECT signature_id, submission_id, sentence_no, left(reference_text, 1), statistics
        FROM statistic_match JOIN pending USING (signature_id, submission_id)
        JOIN text_pair USING (submission_id, sentence_no);
    """
    + SCORES,
    functions=[SqlFunction("first_letters", first_letters, ["VARCHAR", "VARCHAR"], "DOUBLE[]")],
    label="First",
    title="first letters",
    meaning="share of outputs that begin as their reference, 0 to 1",
    lowest=0.0,
    highest=1.0,
    missing=0.0,
    formula=Formula(STATISTICS, "sums[1] / nullif(sums[2], 0)"),
    headline=True,
    parts=Parts("letter", "First letters", 2, "sums[1] / nullif(sums[2], 0)"),
)


class _Registered:
    name, value = "first_letter", "another.package:MINE"

    def load(self) -> Metric:
        return MINE


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    folder = tmp_path_factory.mktemp("mine")
    patch = pytest.MonkeyPatch()
    entry_points = packages.entry_points
    patch.setattr(packages, "entry_points", lambda: [*entry_points(), _Registered()])
    patch.setattr(catalog, "sha256", lambda: "of a catalog with this metric")
    forget = (
        registry.registered.cache_clear,
        registry._with_external.cache_clear,
        short_name.__globals__["_names_with"].cache_clear,
    )
    for cleared in forget:
        cleared()
    metrics = ["first_letter", "bleu", "dea"]
    with campaign(folder / "mine.duckdb", *six_wrong_and_none(TEXTS), scored=metrics) as computed:
        yield computed
    patch.undo()
    for cleared in forget:
        cleared()


def ids(tracker: Tracker) -> tuple[str, str]:
    return f"local/ours/{TREEBANK}", f"local/ours/{TREEBANK}@2"


def test_views_have_its_columns(tracker: Tracker) -> None:
    rows = tracker.sql("SELECT iteration, first_letter FROM leaderboard ORDER BY 1").to_pylist()
    assert rows == [{"iteration": 1, "first_letter": 0.25}, {"iteration": 2, "first_letter": 1.0}]
    (change,) = tracker.sql(
        "SELECT first_letter_change AS change FROM submission_history WHERE iteration = 2"
    ).to_pylist()
    assert change == {"change": 0.75}
    (wrong,) = tracker.sql(
        "SELECT count(*) AS wrong FROM output_scores WHERE first_letter = 0"
    ).to_pylist()
    assert wrong == {"wrong": 6}
    (table_rows,) = tracker.sql(
        "SELECT label, better, has_formula FROM metrics WHERE metric = 'first_letter'"
    ).to_pylist()
    assert table_rows == {"label": "First", "better": "higher", "has_formula": True}
    (comment,) = tracker.sql(
        "SELECT comment FROM duckdb_columns() "
        "WHERE table_name = 'leaderboard' AND column_name = 'first_letter'"
    ).to_pylist()
    assert comment == {"comment": MINE.meaning}


def test_its_parts_are_measures(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT measure, score, n FROM submission_measures "
        "WHERE kind = 'letter' AND iteration = 1 ORDER BY measure"
    ).to_pylist()
    assert rows == [
        {"measure": "first_letter[a]", "score": 0.0, "n": 2},
        {"measure": "first_letter[b]", "score": 0.0, "n": 2},
        {"measure": "first_letter[e]", "score": 0.0, "n": 2},
        {"measure": "first_letter[k]", "score": 1.0, "n": 2},
    ]


def test_it_is_compared_with_its_parts(tracker: Tracker) -> None:
    base, new = ids(tracker)
    comparison = compare(tracker.database, new, base)
    (change,) = (metric for metric in comparison.metrics if metric.measure == "first_letter")
    assert (change.base, change.new, change.undefined_reason) == (0.25, 1.0, None)
    assert change.p_value is not None
    parts = {part.measure: part for part in comparison.parts}
    assert parts["first_letter[a]"].difference == 1
    assert parts["first_letter[a]"].p_value is not None
    page = html_page(comparison_document(comparison))
    assert "First letters" in page
    assert "First[k]" in page


def test_it_is_followed_and_gated(tracker: Tracker) -> None:
    base, new = ids(tracker)
    followed = history(tracker.database, "ours", measures=["first_letter", "first_letter[*]"])
    names = {measure.name for line in followed.lines for measure in line.measures}
    assert names == {"first_letter", *(f"first_letter[{letter}]" for letter in "abek")}
    result = check_gate(
        tracker.database, base, new, [parse_threshold("max-drop", "first_letter[*]=2")]
    )
    assert [verdict.change.measure for verdict in result.failed] == [
        f"first_letter[{letter}]" for letter in "abe"
    ]


def test_its_intervals_are_of_its_own_formula(tracker: Tracker) -> None:
    tracker.significance(SignificanceSettings(replicates=200))
    rows = tracker.sql(
        "SELECT score, low, undefined_reason FROM score_interval "
        "WHERE metric = 'first_letter' ORDER BY score"
    ).to_pylist()
    assert [row["score"] for row in rows] == [0.25, 1.0]
    # Two and eight of eight sentences: an exact interval (Clopper and Pearson 1934).
    assert [row["low"] for row in rows] == pytest.approx([beta.ppf(0.025, 2, 7), 0.025 ** (1 / 8)])
    assert [row["undefined_reason"] for row in rows] == [None, None]
    assert run_audits(tracker.database) == []


def test_it_is_seen_at_first_sight_in_the_explorer(tracker: Tracker) -> None:
    def seen(name: str, **parameters: str | float | list[str] | None) -> list[dict[str, Any]]:
        return listing(tracker.database, name, **parameters).rows.to_pylist()

    _, new = ids(tracker)
    latest, _ = seen("listed_runs", system="ours", measure="dea", direction=1, rows=None)
    assert (latest["first_letter"], latest["first_letter_change"]) == (1.0, 0.75)
    sentence: dict[str, Any] = {
        "treebank": TREEBANK,
        "sentence_no": 1,
        "system": "ours",
        "submissions": [],
    }
    outputs = seen("listed_outputs", **sentence, metric="dea", rows=None)
    assert [output["first_letter"] for output in outputs] == [0.0, 1.0]
    buckets = seen("listed_buckets", submissions=[new])
    assert {bucket["first_letter"] for bucket in buckets} == {1.0}
    assert {bucket["sentences"] for bucket in buckets if bucket["feature"] == "length"} == {8}


def test_it_is_logged_drawn_and_written(tracker: Tracker, tmp_path: Path) -> None:
    _, new = ids(tracker)
    numbers = read_numbers(tracker.database, [new])[new]
    logged = {**numbers.metrics, **numbers.others}
    assert logged["first_letter"] == 1.0
    assert logged["first_letter[a]"] == 1.0
    assert short_name("first_letter") == "First"
    assert long_name("first_letter") == "first letters (First)"
    assert ordered_measures(["adequacy_z", "first_letter"]) == ["first_letter", "adequacy_z"]
    write_report(tracker.database, [*ids(tracker)], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "First" in page
    assert MINE.meaning in page
