"""A metric whose scores were computed elsewhere is wherever metrics are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker import Tracker, connect
from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.change.gate import check_gate
from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.change.thresholds import parse_threshold
from sr_tracker.queries.errors import Settings
from sr_tracker.queries.metrics.registry import metrics, set_external_metrics, usual_metrics
from sr_tracker.tracker.experiments.results import read_numbers
from sr_tracker.tracker.pages.report import write_report
from sr_tracker.tracker.show.charts.drawing import (
    long_name,
    ordered_measures,
    short_name,
)
from tests.building import campaign, load, written
from tests.tracker.explorer_server import explorer
from tests.tracker.test_metric_everywhere import six_wrong_and_none

TREEBANK = "en_tiny-ud1.0-test"
TEXTS = [
    f"{name} {verb} ."
    for name in ("Ann", "Bob", "Eve", "Kim", "Lea")
    for verb in ("runs", "sleeps", "sings", "eats")
]
BASE, NEW = f"local/ours/{TREEBANK}", f"local/ours/{TREEBANK}@2"
JUDGE = {
    BASE: [0.2 + place / 100 for place in range(20)],
    NEW: [0.6 + place / 50 for place in range(20)],
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("external") / "external.duckdb"
    rows = [
        (submission, f"s{number}", score)
        for submission, scores in JUDGE.items()
        for number, score in enumerate(scores, start=1)
    ]
    with campaign(path, *six_wrong_and_none(TEXTS), scored=["bleu", "dea"]) as tracker:
        judge = [("submission", "sent_id", "score"), *rows]
        details = {"name": "My-Judge", "version": "3", "model": "a/b", "reference": "src"}
        (stored,) = load(tracker.ingest_metric_scores, judge, "judge.csv", **details)
        assert (stored.metric, stored.submissions, stored.sentences) == ("my_judge", 2, 40)
        errors = ("ours\t70.5",)
        file = "TER-refA.sys.score"
        (stored,) = load(tracker.ingest_metric_scores, errors, file, better="lower")
        assert (stored.metric, stored.submissions) == ("external_ter", 1)
    return path


@pytest.fixture
def tracker(file: Path) -> Iterator[Tracker]:
    with connect(file) as db, db.writing():
        yield db


def test_views_have_its_columns(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT my_judge, external_ter, ter FROM leaderboard ORDER BY iteration"
    ).to_pylist()
    assert [row["my_judge"] for row in rows] == pytest.approx([0.295, 0.79])
    assert [(row["external_ter"], row["ter"]) for row in rows] == [(70.5, None), (None, None)]
    (change,) = tracker.sql(
        "SELECT my_judge_change AS change FROM submission_history WHERE iteration = 2"
    ).to_pylist()
    assert change["change"] == pytest.approx(0.495)
    rows = tracker.sql(
        f"SELECT my_judge FROM output_scores WHERE submission_id = '{NEW}' ORDER BY sentence_no"
    ).to_pylist()
    assert [row["my_judge"] for row in rows] == JUDGE[NEW]
    rows = tracker.sql("SELECT * FROM metrics WHERE metric IN ('my_judge', 'external_ter')")
    assert [(row["label"], row["better"], row["unit"]) for row in rows.to_pylist()] == [
        ("TER ↓", "lower", "units"),
        ("My-Judge", "higher", "units"),
    ]
    (table_rows,) = tracker.sql(
        "SELECT comment FROM duckdb_columns() "
        "WHERE table_name = 'leaderboard' AND column_name = 'my_judge'"
    ).to_pylist()
    assert table_rows == {"comment": "My-Judge, computed elsewhere"}


def test_its_signature_says_how_it_was_made(tracker: Tracker) -> None:
    (row,) = tracker.sql(
        "SELECT DISTINCT signature FROM submission_metrics WHERE metric = 'my_judge'"
    ).to_pylist()
    assert row["signature"].startswith(
        "my_judge|input:src|model:a/b|level:external|tok:none|metric-version:3|treebank:en_tiny"
    )


def test_it_is_compared(tracker: Tracker) -> None:
    comparison = tracker.compare(NEW, BASE)
    (change,) = (metric for metric in comparison.metrics if metric.measure == "my_judge")
    assert change.difference == pytest.approx(0.495)
    assert change.p_value is not None
    assert change.p_value < 0.05
    assert tracker.compare(NEW, BASE, sentence_metric="my_judge").gained


def test_it_is_followed_and_gated(tracker: Tracker) -> None:
    followed = history(tracker.database, "ours", measures=["my_judge"])
    assert [measure.name for line in followed.lines for measure in line.measures] == ["my_judge"]
    drop = parse_threshold("max-drop", "my_judge=0.4")
    assert [
        verdict.change.measure for verdict in check_gate(tracker.database, BASE, NEW, [drop]).failed
    ] == ["my_judge"]
    drop = parse_threshold("max-drop", "my_judge=0.5")
    assert not check_gate(tracker.database, BASE, NEW, [drop]).failed


def test_its_intervals_are_means_of_sentences(tracker: Tracker) -> None:
    tracker.significance(SignificanceSettings(replicates=200))
    rows = tracker.sql(
        "SELECT score, low, high FROM score_interval WHERE metric = 'my_judge' ORDER BY score"
    ).to_pylist()
    assert [row["score"] for row in rows] == pytest.approx([0.295, 0.79])
    assert all(row["low"] < row["score"] < row["high"] for row in rows)
    (row,) = tracker.sql(
        "SELECT undefined_reason FROM score_interval WHERE metric = 'external_ter'"
    ).to_pylist()
    assert row["undefined_reason"]
    assert run_audits(tracker.database) == []


def test_errors_are_mined_and_correlated_by_it(tracker: Tracker) -> None:
    tracker.analyse(Settings(metric="my_judge", minimum_support=2, labels=("deprel",)))
    (mined,) = tracker.sql(
        f"SELECT DISTINCT metric, failed FROM error_mining WHERE submission_id = '{BASE}' "
        "AND metric = 'my_judge'"
    ).to_pylist()
    assert mined == {"metric": "my_judge", "failed": 5}
    rows = tracker.sql(
        "SELECT count(*) AS n FROM correlation WHERE 'my_judge' IN (measure, other_measure)"
    )
    assert rows.to_pylist()[0]["n"] > 0
    assert tracker.examples(BASE, "nsubj", metric="my_judge", labels="deprel")


def test_it_is_logged_drawn_and_written(tracker: Tracker, tmp_path: Path) -> None:
    assert read_numbers(tracker.database, [NEW])[NEW].others["my_judge"] == pytest.approx(0.79)
    assert short_name("my_judge") == "My-Judge"
    assert long_name("external_ter") == "TER (TER ↓)"
    assert ordered_measures(["adequacy_z", "my_judge", "bleu"]) == [
        "bleu",
        "my_judge",
        "adequacy_z",
    ]
    write_report(tracker.database, [BASE, NEW], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "My-Judge, computed elsewhere" in page


def test_it_cannot_be_scored_but_others_can(tracker: Tracker) -> None:
    with pytest.raises(Exception, match="computed elsewhere"):
        tracker.score(metrics=["my_judge"])
    assert tracker.score(metrics=["bleu"]).scores == 0
    assert tracker.rescore().outdated == []


def test_the_explorer_shows_it(file: Path) -> None:
    set_external_metrics(())
    with explorer(file) as ask:
        assert "My-Judge" in ask("/leaderboard").plain + ask(f"/submission/{NEW}").plain
        assert "my_judge" in ask("/names.json").text
        answer = ask(f"/leaderboard?treebank={TREEBANK}&sort=my_judge")
        assert answer.status == 200


def test_pages_show_sentences_by_it_where_nothing_else_is_scored(tmp_path: Path) -> None:
    (tmp_path / "refs.csv").write_text("sent_id,text\n1,A dog.\n2,A cat.\n")
    with connect(tmp_path / "judged.duckdb", create=True) as db, db.writing():
        db.ingest_references(tmp_path / "refs.csv", treebank="two", language="en")
        for system, text in (("a", "A log.\nA cat.\n"), ("b", "A dog.\nA mat.\n")):
            (tmp_path / f"{system}.txt").write_text(text)
            outputs = tmp_path / f"{system}.txt"
            db.ingest_submission(outputs, system=system, treebank="two", campaign="C")
        (tmp_path / "a.csv").write_text(
            "submission,sent_id,score\nC/a/two,1,0.25\nC/a/two,2,0.75\n"
            "C/b/two,1,0.875\nC/b/two,2,0.5\n"
        )
        db.ingest_metric_scores(tmp_path / "a.csv", name="judge")
        (gained,) = db.compare("C/b/two", "C/a/two").gained
        assert (gained.sentence_no, gained.new_score) == (1, 0.875)
    with explorer(tmp_path / "judged.duckdb") as ask:
        for address, shown in (
            ("/", "0.6875"),
            ("/leaderboard", '<option value="judge" selected>'),
            ("/submission/C/a/two", "Worst sentences by judge"),
            ("/compare?new=C/b/two&base=C/a/two", "By judge b@1 is better on 1 and worse on 1"),
            ("/tested?new=C/b/two&base=C/a/two", "metric=judge"),
            ("/system/a", '<option value="judge" selected>'),
            ("/sentences/C/a/two", "0.250"),
            ("/sentence/two/2", "0.750"),
        ):
            assert shown in ask(address).plain, address


def test_metrics_are_those_of_the_database_at_work(file: Path, tmp_path: Path) -> None:
    with connect(None) as other, connect(file) as db:
        db.show("leaderboard")
        assert {"my_judge", "external_ter"} <= {*metrics()}
        assert usual_metrics()[-2:] == ["external_ter", "my_judge"]
        assert "my_judge" not in other.show("leaderboard").column_names
        assert "my_judge" not in metrics()
        assert "my_judge" in db.show("leaderboard").column_names
        assert "my_judge" in metrics()
        with db.reading():
            other.show("leaderboard")
            assert "my_judge" not in metrics()


def test_columns_go_with_the_last_scores(file: Path, tmp_path: Path) -> None:
    copy = written(tmp_path / "copy.duckdb", file.read_bytes())
    with connect(copy) as db:
        db.remove("submission", BASE)
        columns = db.show("leaderboard").column_names
        assert "my_judge" in columns
        assert "external_ter" not in columns
        db.remove("system", "ours")
        assert "my_judge" not in db.show("leaderboard").column_names


@pytest.mark.long
def test_a_lake_has_it_too(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb_extension_ducklake")
    lake = f"ducklake:{tmp_path / 'lake.ducklake'}"
    (tmp_path / "Other-src.sys.score").write_text("ours\t3\n")
    with connect(file) as db:
        db.publish(lake, data_path=str(tmp_path / "data"))
    with connect(lake) as shared:
        (stored,) = shared.ingest_metric_scores(tmp_path / "Other-src.sys.score")
        assert (stored.metric, stored.submissions) == ("other", 1)
        rows = shared.sql("SELECT my_judge, other FROM leaderboard ORDER BY iteration").to_pylist()
    assert rows[0] == {"my_judge": pytest.approx(0.295), "other": 3.0}
    with connect(tmp_path / "new.duckdb", create=True) as fetched:
        fetched.fetch(lake)
        assert "other" in fetched.show("leaderboard").column_names
