"""Trials of one submission, such as seeds and samples: loaded, scored, compared, removed."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import sr_tracker
from sr_tracker.queries.catalog import view_files
from sr_tracker.queries.change.comparison.trials import Trials, estimate
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.keys import links
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import WORDS, random_sentences, written
from tests.tracker.in_process import run_text

SENTENCES = 40
INTERNAL = {
    *("scored_run", "mean_score", "current_scoring", "output_count", "output_token"),
    *("edge_match", "measure_state"),
}
"""Views for other views, which have rows of trials too."""
TEXTS = [" ".join(words) for words in random_sentences(SENTENCES, 1)]


def noisy(share: float, seed: int) -> list[str]:
    """The references, some share of their words replaced at random."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(word if rng.random() > share else rng.choice(WORDS) for word in text.split())
        for text in TEXTS
    ]


SEEDS = [noisy(share, seed) for seed, share in enumerate((0.2, 0.25, 0.3), start=1)]
BETTER = [noisy(share, seed) for seed, share in enumerate((0.05, 0.06, 0.07), start=11)]


@pytest.fixture
def db(tracker: Tracker, tmp_path: Path) -> Tracker:
    """A campaign with a test set of plain text."""
    references = written(tmp_path / "set.txt", TEXTS)
    tracker.ingest_references(references, treebank="set", language="en")
    return tracker


def submitted(db: Tracker, outputs: Any, system: str = "ours", **how: Any) -> Any:
    """What comes of submitting outputs."""
    return db.submit(outputs, system=system, treebank="set", analyse=False, log=False, **how)


def stored(db: Tracker) -> list[tuple[Any, ...]]:
    """The texts of all outputs by what they are stored under."""
    query = "SELECT submission_id, list(text ORDER BY sentence_no) FROM output GROUP BY ALL"
    return sorted(db.database.connection.execute(query).fetchall())


def value(db: Tracker, query: str) -> Any:
    """What a query of one value gives."""
    return db.sql(query).to_pydict().popitem()[1][0]


def trial_scores(db: Tracker, metric: str, submission: str = "local/ours/set") -> list[float]:
    """The scores of a submission's trials by a metric."""
    rows = db.show("trial_scores", submission=submission).to_pylist()
    return [
        row["score"]
        for row in sorted(rows, key=lambda row: row["trial_no"])
        if row["metric"] == metric
    ]


def test_the_score_is_the_mean_of_what_each_trial_alone_would_have(db: Tracker) -> None:
    submitted(db, SEEDS)
    alone = [submitted(db, texts, f"seed{n}").scores for n, texts in enumerate(SEEDS)]
    rows = {row["metric"]: row for row in db.show("submission_metrics", system="ours").to_pylist()}
    for metric in ("bleu", "chrf", "ter", "nist", "dist"):
        scores = [one[metric] for one in alone]
        assert trial_scores(db, metric) == pytest.approx(scores)
        assert rows[metric]["score"] == pytest.approx(fmean(scores))
        assert rows[metric]["trial_sd"] == pytest.approx(stdev(scores))
        assert rows[metric]["trials"] == 3
    (leader,) = db.show("leaderboard", system="ours").to_pylist()
    assert leader["bleu"] == pytest.approx(fmean(one["bleu"] for one in alone))


def test_trials_are_no_submissions(db: Tracker) -> None:
    report = submitted(db, SEEDS)
    assert report.trials == 3
    assert submitted(db, BETTER).submission_id == "local/ours/set@2"
    assert not submitted(db, SEEDS).new
    ids = {"local/ours/set", "local/ours/set@2"}
    assert {row["submission_id"] for row in db.show("submission_overview").to_pylist()} == ids
    assert len(stored(db)) == 6
    for name in (file.name for file in view_files() if file.name not in INTERNAL):
        table = db.sql(f"FROM {name}")
        for column in {"submission_id", "base_submission_id"} & {*table.column_names}:
            assert not any("#" in str(one) for one in table[column].to_pylist()), name
    with pytest.raises(UnknownNameError):
        db.compare("local/ours/set#2", "ours@1")
    assert not db.check()


@pytest.mark.parametrize(
    "kind", ["lists", "dictionary", "frame", "files", "names", "jsonl", "cells", "column"]
)
def test_trials_come_in_any_form(db: Tracker, tmp_path: Path, kind: str) -> None:
    ids = [str(number) for number in range(1, SENTENCES + 1)]
    by_sentence = [list(texts) for texts in zip(*SEEDS, strict=True)]
    files = [written(tmp_path / f"seed{n}.txt", texts) for n, texts in enumerate(SEEDS, start=1)]
    lists = [
        json.dumps({"id": i, "text": texts}) for i, texts in zip(ids, by_sentence, strict=True)
    ]
    cells = ["text", *(json.dumps(texts) for texts in by_sentence)]
    rows = ["id,trial,text"]
    rows += [
        f"{i},{seed},{text}"
        for seed, texts in enumerate(SEEDS)
        for i, text in zip(ids, texts, strict=True)
    ]
    outputs = {
        "lists": SEEDS,
        "dictionary": dict(zip(ids, by_sentence, strict=True)),
        "frame": pd.DataFrame({"id": ids, "text": by_sentence}),
        "files": files,
        "names": [*map(str, files)],
        "jsonl": written(tmp_path / "lists.jsonl", lists),
        "cells": written(tmp_path / "lists.tsv", cells),
        "column": written(tmp_path / "long.csv", rows),
    }[kind]
    assert submitted(db, outputs).trials == 3
    names = ["local/ours/set", "local/ours/set#2", "local/ours/set#3"]
    assert stored(db) == [*zip(names, SEEDS, strict=True)]


def test_a_sentence_may_have_fewer_outputs_which_is_said(db: Tracker) -> None:
    ids = [str(number) for number in range(1, SENTENCES + 1)]
    by_sentence = [[*texts] for texts in zip(*SEEDS, strict=True)]
    by_sentence[4] = by_sentence[4][:1]
    report = submitted(db, dict(zip(ids, by_sentence, strict=True)))
    assert [texts[4] for _, texts in stored(db)] == [SEEDS[0][4], None, None]
    assert any("1 sentence without an output in some of 3 trials" in note for note in report.notes)


def test_equal_trials_are_told_and_one_file_twice_is_refused(db: Tracker, tmp_path: Path) -> None:
    report = submitted(db, [SEEDS[0], SEEDS[1], SEEDS[0]])
    assert any("trials 1 and 3 have the same outputs" in note for note in report.notes)
    file = written(tmp_path / "seed.txt", SEEDS[1])
    with pytest.raises(InputError, match=r"seed\.txt is given twice"):
        submitted(db, [file, tmp_path / "." / "seed.txt"])


def test_one_trial_that_does_not_fit_stores_nothing(db: Tracker) -> None:
    for bad in (SEEDS[1][:-1], [None] * SENTENCES, {"nobody": "a"}, [3] * SENTENCES):
        with pytest.raises(InputError):
            submitted(db, [SEEDS[0], bad])
    assert stored(db) == []


def test_replacing_renaming_and_removing_take_trials_along(db: Tracker) -> None:
    submitted(db, SEEDS)
    submitted(db, BETTER[:2], iteration=1, replace=True)
    assert [texts for _, texts in stored(db)] == BETTER[:2]
    db.rename("submission", "ours@1", "@4")
    assert [name for name, _ in stored(db)] == ["local/ours/set@4", "local/ours/set@4#2"]
    assert len(trial_scores(db, "bleu", "local/ours/set@4")) == 2
    db.remove("submission", "ours@4")
    for reference in links():
        if reference.kind == "submission":
            assert value(db, f"SELECT count(*) FROM {reference.table}") == 0, reference.table
    assert value(db, "SELECT count(*) FROM scoring WHERE metric <> 'treebank_analysis'") == 0


def test_the_test_is_that_of_sentences_and_trials(db: Tracker) -> None:
    submitted(db, SEEDS)
    change = {c.measure: c for c in submitted(db, BETTER).comparison.metrics}["dist"]
    query = (
        "SELECT list(score ORDER BY sentence_no) AS s FROM sentence_score WHERE metric = 'dist' "
        "GROUP BY submission_id ORDER BY submission_id"
    )
    scores = np.array(db.sql(query)["s"].to_pylist())
    base, new = scores[:3], scores[3:]
    difference = new.mean(axis=0) - base.mean(axis=0)
    parts = [(difference.var(ddof=1) / SENTENCES, SENTENCES - 1)]
    parts += [(side.mean(axis=1).var(ddof=1) / 3, 2) for side in (new, base)]
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / n for part, n in parts)
    half = stats.t.ppf(0.975, freedom) * sqrt(variance)
    assert change.difference == pytest.approx(difference.mean())
    assert change.low == pytest.approx(difference.mean() - half, abs=0.1 * half)
    assert change.high == pytest.approx(difference.mean() + half, abs=0.1 * half)
    p_value = 2 * stats.t.sf(abs(difference.mean()) / sqrt(variance), freedom)
    assert np.log10(change.p_value) == pytest.approx(np.log10(p_value), abs=0.2)
    assert change.trial_sd == pytest.approx(new.mean(axis=1).std(ddof=1))
    assert (change.trials, change.base_trials) == (3, 3)


def simulated(rng: np.random.Generator, trials: int, between: float) -> tuple[Trials, float]:
    """A submission of 60 sentences whose true score is 0, and the share of it that is its own."""
    scores = rng.normal(0, 0.3, 60) + rng.normal(0, between, (trials, 1))
    scores = scores + rng.normal(0, 0.3, (trials, 60))
    weights = rng.multinomial(60, np.full(60, 1 / 60), 200) / 60
    return Trials(scores.mean(axis=1), weights @ scores.T), 0.0


@pytest.mark.parametrize(("trials", "other"), [(2, 2), (3, 3), (5, 5), (5, 1)])
def test_intervals_hold_the_true_difference_whether_trials_vary_or_not(
    trials: int, other: int
) -> None:
    rng = np.random.default_rng(trials)
    for between in (0.0, 0.1, 0.3):
        held = sentences = 0
        for _ in range(400):
            (new, _), (base, _) = (simulated(rng, n, between) for n in (trials, other))
            result = estimate(new, base, 60, 0.95)
            held += result.low <= 0 <= result.high
            sentences += result.sentence_p_value < 0.05
        assert held >= 0.91 * 400
        if between == 0.3:  # the test that knows nothing of trials finds far too much
            assert sentences > 0.4 * 400


def test_a_difference_that_is_one_of_seeds_is_said_to_be(db: Tracker) -> None:
    submitted(db, [noisy(0.1, 1), noisy(0.5, 2)])
    report = submitted(db, [noisy(0.05, 3), noisy(0.25, 4)])
    (text, *_) = report.comparison.verdict
    assert report.comparison.outcome == "chance"
    assert "Means of 2 trials of ours@2 and 2 trials of ours@1; sd between trials: " in text
    assert "Over sentences alone BLEU-lc would differ by more than chance" in text
    (row,) = db.show("verdicts").to_pylist()
    assert row["verdict"] == text


def test_trials_compare_with_a_single_run(db: Tracker) -> None:
    submitted(db, SEEDS[0])
    report = submitted(db, BETTER)
    (text, *_) = report.comparison.verdict
    assert report.comparison.outcome == "better"
    assert "Means of 3 trials of ours@2 and 1 trial of ours@1" in text
    assert "ours@1 is taken to vary as much." in text
    change = report.comparison.metrics[0]
    spread = stdev(trial_scores(db, "bleu", "local/ours/set@2"))
    assert (change.trial_sd, change.base_trial_sd) == (pytest.approx(spread), None)


def test_rankings_intervals_and_gates_know_trials(db: Tracker) -> None:
    for name, outputs in (("a", SEEDS), ("b", BETTER), ("c", SEEDS[1])):
        submitted(db, outputs, name)
    (ranking,) = db.compare("a", "b", "c").rankings
    assert ranking.ranked[0].side.system_id == "b"
    assert "trials" in ranking.test
    assert {r.undefined_reason for r in ranking.ranked} == {None}
    db.significance()
    rows = {
        row["submission_id"]: row
        for row in db.show("metric_intervals").to_pylist()
        if row["metric"] == "bleu"
    }
    row = rows["local/a/set"]
    assert row["score"] == pytest.approx(fmean(trial_scores(db, "bleu", "local/a/set")))
    assert row["low"] < row["score"] < row["high"]
    assert not db.check()
    assert db.gate("b", "a", max_drop={"bleu": 0.5}, significant=True).passed
    assert not db.gate("a", "b", max_drop={"bleu": 0.5}, significant=True).passed


def log(path: Path, passed: list[list[bool]], model: str = "m") -> Path:
    """A log of Inspect with an epoch for each value of a sample."""
    letters = {True: "C", False: "I"}
    samples = [
        {
            "id": number,
            "epoch": epoch,
            "input": f"question {number}",
            "target": "yes",
            "output": {"completion": f"answer {epoch}"},
            "scores": {"match": {"value": letters[right]}},
        }
        for number, of_sample in enumerate(passed, start=1)
        for epoch, right in enumerate(of_sample, start=1)
    ]
    content = {"version": 2, "eval": {"task": "quiz", "model": model}, "samples": samples}
    return written(path, json.dumps(content))


def test_pass_at_k_is_what_drawing_all_sets_of_trials_gives(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    chances = rng.random((15, 1))
    passed = (rng.random((15, 5)) < chances).tolist()
    passed[3] = passed[3][:2]
    with sr_tracker.connect(None) as db:
        db.ingest_log(log(tmp_path / "log.json", passed))
        rows = {row["k"]: row for row in db.show("pass_at_k").to_pylist()}
        flaky = db.show("flaky_sentences").to_pylist()
        assert not db.check()
    assert [*rows] == [1, 2, 3, 4, 5]
    for k, row in rows.items():
        some = [trials for trials in passed if len(trials) >= k]
        drawn = [[*combinations(trials, k)] for trials in some]
        one = fmean(fmean(any(chosen) for chosen in sets) for sets in drawn)
        whole = fmean(fmean(all(chosen) for chosen in sets) for sets in drawn)
        assert row["sentences"] == len(some)
        assert row["pass_at_k"] == pytest.approx(one)
        assert row["pass_all_k"] == pytest.approx(whole)
        formula = fmean(1 - comb(len(t) - sum(t), k) / comb(len(t), k) for t in some)
        assert row["pass_at_k"] == pytest.approx(formula)
        assert row["pass_at_k_low"] <= row["pass_at_k"] <= row["pass_at_k_high"]
        assert row["pass_all_k_low"] <= row["pass_all_k"] <= row["pass_all_k_high"]
    flips = {n for n, trials in enumerate(passed, start=1) if 0 < sum(trials) < len(trials)}
    assert {row["sentence_no"] for row in flaky if row["metric"] == "match"} == flips
    worst = next(row for row in flaky if row["metric"] == "match")
    trials = passed[worst["sentence_no"] - 1]
    assert worst["passed"] == sum(trials)
    assert worst["sd"] == pytest.approx(stdev(map(float, trials)))


def test_scores_from_outside_may_be_of_trials(db: Tracker, tmp_path: Path) -> None:
    submitted(db, SEEDS)
    rng = np.random.default_rng(5)
    scores = rng.random((3, SENTENCES))
    names = ["local/ours/set", "local/ours/set#2", "local/ours/set#3"]
    rows = ["submission,sent_id,metric,score"]
    rows += [
        f"{name},{number},comet,{score}"
        for name, of_trial in zip(names, scores, strict=True)
        for number, score in enumerate(of_trial, start=1)
    ]
    db.ingest_metric_scores(written(tmp_path / "comet.csv", rows))
    assert trial_scores(db, "comet") == pytest.approx(scores.mean(axis=1))
    assert value(db, "SELECT comet FROM leaderboard") == pytest.approx(scores.mean())
    rows[1] = rows[1].replace("local/ours/set,", "local/ours/set#4,")
    with pytest.raises(UnknownNameError, match="has no trial '4'"):
        db.ingest_metric_scores(written(tmp_path / "comet.csv", rows))


def test_the_command_takes_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [str(written(tmp_path / f"seed{n}.txt", texts)) for n, texts in enumerate(SEEDS)]
    references = written(tmp_path / "references.txt", TEXTS)
    database = tmp_path / "campaign.duckdb"
    how = ["--system", "mt", "--references", references, "--no-log", "--no-analyse"]
    done = run_text(monkeypatch, "-d", database, "submit", *files, *how)
    assert (done.code, "40 of 40 sentences, 3 trials" in done.stdout) == (0, True)
    done = run_text(monkeypatch, "-d", database, "submit", files[0], files[0], *how)
    assert (done.code, "is given twice" in done.stderr) == (2, True)
