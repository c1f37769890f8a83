"""Verdicts keep what they promise, within three standard errors of few runs: the quick form."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.validity.page import PAGE, STUDIES, observe, observed_outcomes, page
from tests.validity.simulation import Outcome, Promise, Study, batches, outcomes

ONE = Study(
    "one", "Theme", "data",
    {"p": Promise("it is wrong", 0.05, "at most", "`compare`")},
    lambda sentences, runs, seed: {"p": [0.0] * runs}, {60: 100}, (60, 10),
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_promises(study: Study) -> None:
    sentences, runs = study.quick
    observed = outcomes(study, sentences, [study.simulate(sentences, runs, 1)])
    assert observed
    broken = [
        f"{o.promise.question}: {o.observed:.3f}, {o.promise.sense} {o.promise.share}"
        for o in observed
        if not o.holds
    ]
    assert not broken


def test_a_promise_is_broken_beyond_three_standard_errors_of_it() -> None:
    """Of 100 runs at .05 the error is .0218: 11 wrong ones may be chance, 12 are not."""
    for wrong, holds in ((0, True), (11, True), (12, False)):
        (outcome,) = outcomes(ONE, 60, [{"p": [1.0] * wrong + [0.0] * (100 - wrong)}])
        assert outcome.holds == holds
        assert outcome.observed == wrong / 100


def test_coverage_may_be_more_and_not_less() -> None:
    least = Study(**{**vars(ONE), "promises": {"p": Promise("it holds", 0.95, "at least", "x")}})
    held = [
        outcomes(least, 60, [{"p": [1.0] * n + [0.0] * (100 - n)}])[0].holds for n in (100, 89, 88)
    ]
    assert held == [True, True, False]


def test_runs_without_a_verdict_do_not_count() -> None:
    (outcome,) = outcomes(ONE, 60, [{"p": [0.0, np.nan]}, {"p": [1.0]}])
    assert outcome.values == [0.0, 1.0]
    assert outcomes(ONE, 60, [{"p": [np.nan]}]) == []


def test_batches_are_all_runs() -> None:
    assert batches(120) == [50, 50, 20]


def test_cells_are_kept_as_they_are_observed(tmp_path: Path) -> None:
    (many,) = (study for study in STUDIES if study.name == "many")
    observe([replace(many, whole={200: 1})], tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["many-200.json"]
    (outcome,) = observed_outcomes(tmp_path)
    assert (outcome.name, outcome.values) == ("clear", [1.0])


def test_the_page_has_every_promise() -> None:
    """As it stands in the docs: each promise of each study in a row of its own."""
    text = PAGE.read_text(encoding="utf-8")
    for line in page([]).splitlines():
        assert not line.startswith("|") or line.split("| –")[0].rstrip() in text


def test_cells_tell_what_is_missed() -> None:
    study = STUDIES[0]
    name = next(iter(study.promises))
    text = page([Outcome(study, name, 60, [1.0] * 50 + [0.0] * 50)])
    assert "**.500 ± .050**" in text
    assert "**" not in page([replace(Outcome(study, name, 60, [0.0] * 100))]).split("##", 1)[1]
