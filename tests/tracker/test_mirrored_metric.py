"""A metric and its negative, of which lower is better, say the same everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from sr_tracker.queries.change.comparison.comparing import rankings
from sr_tracker.queries.change.comparison.model import Settings as ComparisonSettings
from sr_tracker.queries.change.significance import Settings as SignificanceSettings
from sr_tracker.queries.errors import Settings
from sr_tracker.queries.examination.planning.comparing import ordered_sentences
from sr_tracker.tracker.api.tracker import Tracker, connect
from tests.building import conllu

TREEBANK = "en_mirror-ud1.0-test"
SYSTEMS = ("weak", "fair", "fine", "best")
ITEMS = 24
RUNS = [f"C/{system}/{TREEBANK}" for system in SYSTEMS]
FIRST, SECOND = RUNS[1], f"{RUNS[1]}@2"
FEW = ComparisonSettings(replicates=200)


@pytest.fixture(scope="module")
def tracker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tracker]:
    """Four systems and a second run of one, judged by people and scored by gain = -cost."""
    folder = tmp_path_factory.mktemp("mirrored")
    rng = np.random.default_rng(5)
    words = [[("Ann", 2, "nsubj"), ("ran", 0, "root")] for _ in range(ITEMS)]
    for sentence in words[1::3]:
        sentence.append(("off", 2, "advmod"))
    (folder / f"{TREEBANK}.conllu").write_text(conllu(words))
    quality = {
        run: place + rng.normal(0, 1.2, ITEMS)
        for place, run in zip((0, 1, 2, 3, 1.6), [*RUNS, SECOND], strict=True)
    }
    judged = ["annotator,system,sent_id,criterion,score,error_spans"]
    scores = {"gain": ["submission,sent_id,score"], "cost": ["submission,sent_id,score"]}
    for run, values in quality.items():
        for number, value in enumerate(values, start=1):
            score = round(value + rng.normal(0, 0.8), 1)
            scores["gain"].append(f"{run},s{number},{score}")
            scores["cost"].append(f"{run},s{number},{-score}")
            if run != SECOND:
                grave = [{"start_character": 0, "end_character": 3, "severity": "major"}]
                cell = json.dumps(grave if value < 1 else []).replace('"', '""')
                system = run.split("/")[1]
                judged.append(f'w,{system},s{number},esa,{round(50 + 5 * value)},"{cell}"')
    with connect(folder / "c.duckdb", create=True) as db, db.writing():
        db.ingest_treebank(folder / f"{TREEBANK}.conllu", campaign="C")
        for run in (*RUNS, SECOND):
            file = folder / "outputs.txt"
            file.write_text("".join(" ".join(w[0] for w in word) + "\n" for word in words))
            db.ingest_submission(
                file,
                system=run.split("/")[1],
                treebank=TREEBANK,
                campaign="C",
                iteration=2 if run == SECOND else 1,
            )
        (folder / "judged.csv").write_text("\n".join(judged))
        db.ingest_judgements(folder / "judged.csv", campaign="C", treebank_id=TREEBANK)
        for name, lines in scores.items():
            (folder / f"{name}.csv").write_text("\n".join(lines))
            better = "higher" if name == "gain" else "lower"
            db.ingest_metric_scores(folder / f"{name}.csv", name=name, better=better)
        db.human(campaign="C")
        db.metrics(campaign="C")
        db.significance(SignificanceSettings(replicates=200))
        for name in scores:
            db.analyse(Settings(metric=name, minimum_support=2, labels=("deprel",)))
        yield db


def same(rows: list[dict[str, Any]], column: str = "metric") -> None:
    """Assert that there are rows of both metrics, which say the same."""
    both: dict[str, list[dict[str, Any]]] = {"gain": [], "cost": []}
    for row in sorted(rows, key=repr):
        rest = {name: value for name, value in row.items() if name != column}
        both.setdefault(row[column], []).append(rest)
    assert both["gain"]
    assert both["gain"] == [
        {
            name: pytest.approx(value) if isinstance(value, float) else value
            for name, value in row.items()
        }
        for row in both["cost"]
    ]


def test_missed_errors(tracker: Tracker) -> None:
    same(tracker.errors("metric").to_pylist())
    same(tracker.show("missed_errors").to_pylist())
    missed = [row for row in tracker.errors("metric").to_pylist() if row["about"] == "all"]
    assert 0 < missed[0]["hits"] < missed[0]["units"]


def test_agreement_with_people(tracker: Tracker) -> None:
    rows = tracker.show("metric_leaderboard").to_pylist()
    names = [
        name for name in rows[0] if name not in ("better", "signature_id", "evaluated_at", "label")
    ]
    same([{name: row[name] for name in names} for row in rows])


def test_examination(tracker: Tracker) -> None:
    gain, cost = (tracker.examine(name, replicates=100) for name in ("gain", "cost"))
    for table in ("agreement", "systems", "lengths"):
        rows = [
            {**row, "metric": name}
            for name, item in (("gain", gain), ("cost", cost))
            for row in getattr(item, table).to_pylist()
        ]
        same(rows)
    slope = [item.calibration.to_pylist()[0]["slope"] for item in (gain, cost)]
    assert slope[0] == pytest.approx(slope[1])


def test_comparison_and_gate(tracker: Tracker) -> None:
    gain, cost = (
        tracker.compare(SECOND, FIRST, metrics=[name], sentence_metric=name, replicates=200)
        for name in ("gain", "cost")
    )
    one, other = gain.metrics[0], cost.metrics[0]
    assert (one.is_worse, other.is_worse) == (False, False)
    assert (one.difference, one.low, one.high, one.p_value) == pytest.approx(
        (-other.difference, -other.high, -other.low, other.p_value)
    )
    for name in ("gained", "lost"):
        numbers = [[entry.sentence_no for entry in getattr(item, name)] for item in (gain, cost)]
        assert numbers[0] == numbers[1] != []
    patterns = [
        [(pattern.measure, pattern.new, pattern.base, pattern.p_value) for pattern in item.patterns]
        for item in (gain, cost)
    ]
    assert patterns[0] == [(name.replace("cost", "gain"), *rest) for name, *rest in patterns[1]]
    for name in ("gain", "cost"):
        assert not tracker.gate(FIRST, SECOND, max_drop={name: 0.1}).passed
        assert tracker.gate(SECOND, FIRST, max_drop={name: 0.1}).passed


def test_order(tracker: Tracker) -> None:
    for name in ("gain", "cost"):
        assert tracker.resolve(f"fair@best:{name}", treebank=TREEBANK) == SECOND
        (line,) = tracker.history("fair", measures=[name], tests="none").lines
        (change,) = [run.changes[name] for run in line.runs if run.changes]
        assert not change.is_worse
    for name in ("gain", "cost"):
        settings = ComparisonSettings(metrics=[name], replicates=200)
        (computed,) = rankings(tracker.database, RUNS, settings).rankings
        assert [item.side.submission_id for item in computed.ranked] == RUNS[::-1]
    with tracker.reading() as database:
        for strategy in ("variance", "disagreement"):
            sentences = ordered_sentences(
                database, strategy, TREEBANK, RUNS, range(1, ITEMS + 1), np.random.default_rng(1)
            )
            assert len({*sentences}) == ITEMS


def test_intervals_and_tests_of_runs(tracker: Tracker) -> None:
    rows = tracker.sql(
        "SELECT submission_id, metric, score, low, high FROM score_interval "
        "WHERE metric IN ('gain', 'cost') ORDER BY ALL"
    ).to_pylist()
    ends = {
        (row["submission_id"], row["metric"]): (row["score"], row["low"], row["high"])
        for row in rows
    }
    for run in (*RUNS, SECOND):
        score, low, high = ends[run, "cost"]
        assert ends[run, "gain"] == pytest.approx((-score, -high, -low))


def test_patterns_of_outputs_that_fail(tracker: Tracker) -> None:
    same(
        tracker.sql(
            "SELECT suspicion.* EXCLUDE (signature_id), metric FROM suspicion "
            "JOIN error_mining USING (signature_id, submission_id)"
        ).to_pylist()
    )
