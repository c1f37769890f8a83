"""XSTS: medians of annotators, and scores calibrated by a test set that all of them judged."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from statistics import mean, median
from typing import Any

import pytest

from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import load

HEADER = ("annotator", "hit", "item", "system", "treebank", "sent_id", "criterion", "score")
ANNOTATORS = ("a", "b", "c", "d")


def judgements(
    treebank: str, systems: Sequence[str], shift: dict[str, int], seed: int
) -> list[Any]:
    """Ratings of twelve sentences by each annotator, who is as lenient as the shift says."""
    rng = random.Random(seed)
    return [
        (who, treebank, f"{n}:{system}", system, treebank, n, "xsts", max(1, min(5, score)))
        for system in systems
        for n in range(1, 13)
        for who in shift
        for score in [rng.randint(2, 4) + shift[who]]
    ]


ROWS = judgements("t", ("A", "B"), {"a": 0, "b": 1, "c": -1, "d": 0}, 1)
COMMON = judgements("common", ("M",), {"a": 0, "b": 1, "c": -1}, 2)


@pytest.fixture
def tracker(tracker: Tracker) -> Tracker:
    for rows in (ROWS, COMMON):
        how = {"campaign": "C", "register": True}
        load(tracker.ingest_judgements, [HEADER, *rows], "judgements.csv", **how)
    return tracker


def means(tracker: Tracker, column: str = "raw_mean") -> dict[str, float]:
    rows = tracker.sql(
        f"SELECT system_id, {column} AS mean FROM human_leaderboard WHERE annotators = 'all'"
    ).to_pylist()
    return {row["system_id"]: row["mean"] for row in rows}


def averages(average: Any, below: dict[str, float]) -> dict[str, float]:
    """Each system's mean of its sentences' averages, by hand."""
    by_item = defaultdict(list)
    for who, _, _, system, _, n, _, score in [*ROWS, *COMMON]:
        if who in below:
            by_item[system, n].append(score + below[who])
    return {
        system: mean(average(scores) for (name, _), scores in by_item.items() if name == system)
        for system in ("A", "B", "M")
    }


def test_medians_of_annotators_are_averaged(tracker: Tracker) -> None:
    notes = tracker.human("C").notes
    assert not any("scale of 0 to 100" in note for note in notes)
    nobody_moved = dict.fromkeys(ANNOTATORS, 0.0)
    assert means(tracker) == pytest.approx(averages(median, nobody_moved))
    tracker.human("C", average="mean")
    assert means(tracker) == pytest.approx(averages(mean, nobody_moved))
    assert averages(mean, nobody_moved) != pytest.approx(averages(median, nobody_moved))


def test_calibrated_scores(tracker: Tracker) -> None:
    """Everybody's mean rating of the common outputs becomes the same; who judged none is out."""
    tracker.human("C")
    before = means(tracker, "z_mean")
    report = tracker.human("C", calibration="common", average="mean")
    (note,) = [note for note in report.notes if "calibration" in note]
    assert note == "C, xsts: 1 annotator judged nothing of the calibration set and do not count: d"
    of_item = defaultdict(list)
    for who, _, _, _, _, n, _, score in COMMON:
        of_item[n].append((who, score))
    own = {
        who: mean(score for items in of_item.values() for name, score in items if name == who)
        for who in "abc"
    }
    below = {who: mean(own.values()) - own[who] for who in own}
    assert means(tracker) == pytest.approx(averages(mean, below))
    assert below["b"] < 0 < below["c"]
    (row,) = tracker.sql("SELECT signature FROM human_score_settings").to_pylist()
    assert "|calibration:common|" in row["signature"]
    # z-scores stay what they were: each annotator's own mean moves with the ratings.
    tracker.human("C", calibration="common")
    after = means(tracker, "z_mean")
    assert {*after} == {*before}
    assert after["M"] == pytest.approx(before["M"])


def test_what_cannot_be_calibrated(tracker: Tracker) -> None:
    with pytest.raises(UnknownNameError, match="no treebank 'commons'"):
        tracker.human("C", calibration="commons")
    rows = [(*row[:6], "other", row[7]) for row in ROWS]
    load(tracker.ingest_judgements, [HEADER, *rows], "other.csv", campaign="C")
    with pytest.raises(InputError, match="nobody judged anything of the calibration set"):
        tracker.human("C", criterion="other", calibration="common")
    with pytest.raises(InputError, match="'mode' is no average of judgements"):
        tracker.human("C", average="mode")


@pytest.mark.parametrize("score", [0, 6, 100])
def test_ratings_are_1_to_5(tracker: Tracker, score: float) -> None:
    row = ("e", "h", "x", "A", "t", 1, "xsts", score)
    with pytest.raises(InputError, match=f"the score {score:g} on xsts is none of 1 to 5"):
        load(tracker.ingest_judgements, [HEADER, row], "wrong.csv", campaign="C")
