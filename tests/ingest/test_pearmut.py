"""What Pearmut 1.1.6 wrote: outputs side by side, sliders, attention checks and a reset.

The file is what its dashboard downloads of two campaigns whose users a script was.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import written

DOWNLOAD = Path(__file__).parent / "pearmut-1.1.6.json"
CESA, XSTS = LOGS = json.loads(DOWNLOAD.read_text(encoding="utf-8"))
HOW: dict[str, Any] = {
    "campaign": "C",
    "treebank_id": "t",
    "layout": "pearmut",
    "register": True,
    "language_pair": CESA,
}


def rows(tracker: Tracker, columns: str, *, order: str = "ALL") -> list[tuple[Any, ...]]:
    query = f"SELECT {columns} FROM judgement ORDER BY {order}"
    return [tuple(row.values()) for row in tracker.sql(query).to_pylist()]


def test_outputs_side_by_side(tracker: Tracker) -> None:
    report = tracker.ingest_judgements(DOWNLOAD, **HOW)
    assert any("6 entries outside the tasks" in warning for warning in report.warnings)
    scores = defaultdict(list)
    for entry in LOGS[CESA]:
        if isinstance(entry.get("item_i"), int):
            for segment, models in zip(entry["item"], entry["annotation"], strict=True):
                for model, annotation in models.items():
                    scores[model, segment["item_id"]].append(annotation["score"])
    assert report.new == sum(map(len, scores.values())) == 24
    assert {*rows(tracker, "criterion, kind")} == {("cesa", "ordinary")}
    # Tasks that were shown again with other models are HITs of their own.
    hits = {(task, model) for task, model in rows(tracker, "hit_id, submission_id")}
    assert {model[2] for task, model in hits if task == "0"} == {"B", "C"}
    assert {model[2] for task, model in hits if task == "0/2"} == {"A", "C"}
    tracker.human("C", annotators="all", ranked_by="raw")
    means = tracker.sql(
        "SELECT system_id, raw_mean, assessments FROM human_leaderboard WHERE annotators = 'all'"
    ).to_pylist()
    assert {row["system_id"]: row["assessments"] for row in means} == {"A": 6, "B": 8, "C": 10}
    for row in means:
        of_items = [
            mean(score) for (model, _), score in scores.items() if model == row["system_id"]
        ]
        assert row["raw_mean"] == pytest.approx(mean(of_items))
    assert tracker.ingest_judgements(DOWNLOAD, **HOW).unchanged == 24


def test_special_tokens_have_no_place(tracker: Tracker, tmp_path: Path) -> None:
    """They are counted on behind the text's last character."""
    text = "Ein Text."
    places = [(0, 2), (8, 8), (9, 9)]
    spans = [
        {"start_i": start, "end_i": end, "severity": "major", "category": None}
        for start, end in places
    ]
    entry = {
        "user_id": "u",
        "item_i": 0,
        "item": [{"item_id": "1", "tgt": {"A": text}}],
        "annotation": [{"A": {"score": 5, "error_spans": spans}}],
    }
    tracker.ingest_judgements(written(tmp_path / "log.jsonl", json.dumps(entry)), **HOW)
    ((criterion, table_rows),) = rows(tracker, "criterion, error_spans")
    assert criterion == "esa"  # nothing stands beside it
    assert [(span["start_character"], span["end_character"]) for span in table_rows] == [
        *((0, 3), (8, 9), (None, None)),
    ]


def test_what_is_done_again_replaces_what_it_shows(tracker: Tracker, tmp_path: Path) -> None:
    entries = [entry for entry in LOGS[CESA] if entry.get("item_i") == 0]
    assert len(entries) == 2
    both = json.loads(json.dumps(entries[1]))
    for segment, models, first in zip(
        both["item"], both["annotation"], entries[0]["annotation"], strict=True
    ):
        segment["tgt"]["B"] = "Ausgabe"
        models["B"] = {**first["B"], "score": 11}
    log = written(tmp_path / "log.jsonl", map(json.dumps, [*entries, both]))
    assert tracker.ingest_judgements(log, **HOW).new == 6
    table_rows = rows(tracker, "hit_id, submission_id[3:3] AS model, raw_score")
    assert {row[0] for row in table_rows} == {"0"}
    assert [row[2] for row in table_rows if row[1] == "B"] == [11, 11]


def test_a_reset_is_of_all_that_a_user_did(tracker: Tracker, tmp_path: Path) -> None:
    entries = [entry for entry in LOGS[CESA] if isinstance(entry.get("item_i"), int)]
    reset = {"user_id": "ann", "annotation": "__RESET__"}
    other = {**entries[0], "user_id": "eve"}
    log = written(tmp_path / "log.jsonl", map(json.dumps, [*entries, other, reset, entries[-1]]))
    assert tracker.ingest_judgements(log, **HOW).new == 8
    assert {*rows(tracker, "annotator_id, hit_id")} == {("eve", "0"), ("ann", "2")}


def test_sliders_are_criteria(tracker: Tracker, tmp_path: Path) -> None:
    how = {**HOW, "language_pair": XSTS}
    assert tracker.ingest_judgements(DOWNLOAD, **how).new == 24
    assert {*rows(tracker, "criterion")} == {("overall",)}
    assert tracker.ingest_judgements(DOWNLOAD, **how, criterion="xsts").new == 24
    entries = json.loads(json.dumps(LOGS[XSTS]))
    for entry in entries:
        for models in entry["annotation"]:
            for annotation in models.values():
                annotation["sliders"]["Well-formed?"] = 5
    log = written(tmp_path / "log.jsonl", map(json.dumps, entries))
    with pytest.raises(InputError, match="cannot be the criterion of ratings by 2 sliders"):
        tracker.ingest_judgements(log, **how, criterion="xsts")
    assert tracker.ingest_judgements(log, **how).new == 24
    names = {name for (name,) in rows(tracker, "criterion")}
    assert names == {"overall", "xsts", "well_formed"}


def test_one_of_several_campaigns_is_named(tracker: Tracker, tmp_path: Path) -> None:
    for pair, message in (
        (None, "2 campaigns, each of a test set"),
        ("fra", "2 campaigns, 'fra' names 0 of them"),
        ("e", "2 campaigns, 'e' names 2 of them"),
    ):
        with pytest.raises(InputError, match=message) as caught:
            tracker.ingest_judgements(DOWNLOAD, **{**HOW, "language_pair": pair})
        assert "eng_Latn---deu_Latn, xsts en-de" in str(caught.value.hint)
    assert not rows(tracker, "*")
    assert tracker.ingest_judgements(DOWNLOAD, **{**HOW, "language_pair": "deu"}).new == 24
    alone = written(tmp_path / "one.json", json.dumps({CESA: LOGS[CESA], "none yet": []}))
    assert tracker.ingest_judgements(alone, **{**HOW, "language_pair": None}).unchanged == 24


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ({"score": "high"}, "'high' is no score"),
        ({"score": None, "sliders": {"Overall": True}}, "'True' is no score"),
        ({"score": None, "sliders": [3]}, "sliders are no object"),
        ({"score": float("nan")}, "'nan' is no score"),
        ({"score": 101}, "outside 0 to 100"),
        ({"score": 5, "error_spans": [{"start_i": 3, "end_i": 1}]}, "from 3 to 1"),
    ],
)
def test_broken_annotations(
    tracker: Tracker, tmp_path: Path, annotation: dict[str, Any], message: str
) -> None:
    entry = {
        "user_id": "u",
        "item_i": 0,
        "item": [{"item_id": "1", "tgt": {"A": "Ein Text."}}],
        "annotation": [{"A": annotation}],
    }
    sound = {**entry, "annotation": [{"A": {"score": 5}}], "item_i": 1}
    log = written(tmp_path / "log.jsonl", map(json.dumps, [sound, entry]))
    with pytest.raises(InputError, match=message) as caught:
        tracker.ingest_judgements(log, **HOW)
    assert str(caught.value.where).endswith("log.jsonl:2")
    assert not rows(tracker, "*")
