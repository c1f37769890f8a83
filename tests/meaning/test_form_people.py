"""Form against people: what both accept, and which of two outputs both prefer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from sr_tracker.queries.meaning.form.scoring import score_form
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import campaign
from tests.meaning.test_form import Stub

SENTENCES = 50
SYSTEMS = ("one", "other", "third")
CRITERIA = ("fluency", "grammaticality")
RANDOM = np.random.default_rng(7)
RATINGS = RANDOM.integers(2, 7, (len(SYSTEMS), SENTENCES, len(CRITERIA))) / 2
"""Means of two ratings from 1 to 3."""
RATINGS[0, 0], RATINGS[1, 0] = 1, 3
PROBABILITIES = RANDOM.choice([0.2, 0.3, 0.4, 0.44, 0.5], (len(SYSTEMS), SENTENCES))
REFERENCE = 0.5
ACCEPTED = PROBABILITIES / (PROBABILITIES + REFERENCE) >= 0.45
# Of the third system one output was not judged, and one has no probability.
UNJUDGED, UNKNOWN = 3, 4


@pytest.fixture(scope="module")
def tracker() -> Iterator[Tracker]:
    """Three systems that people rated, and a language model."""
    texts = {name: [f"{name} {n} ." for n in range(SENTENCES)] for name in SYSTEMS}
    entries = {
        text: probability
        for name, row in zip(SYSTEMS, PROBABILITIES.tolist(), strict=True)
        for text, probability in zip(texts[name], row, strict=True)
    }
    entries |= {f"reference {n} .": REFERENCE for n in range(SENTENCES)}
    entries[texts["third"][UNKNOWN]] = None
    people = [("submission", "sent_id", "criterion", "raw_mean")]
    people += [
        (f"local/{name}/test", n + 1, criterion, RATINGS[place, n, column])
        for place, name in enumerate(SYSTEMS)
        for n in range(SENTENCES)
        for column, criterion in enumerate(CRITERIA)
        if (name, n) != ("third", UNJUDGED)
    ]
    references = {"test": [f"reference {n} ." for n in range(SENTENCES)]}
    with campaign(None, references=references, outputs=texts, people=people) as tracker:
        score_form(tracker.database, Stub(entries))
        yield tracker


def test_the_preference_for_each_output_is_its_share_of_both_probabilities(
    tracker: Tracker,
) -> None:
    """The prefScore of footnote 6: what is 0.45 or more is accepted, with the paper's tolerance."""
    rows = tracker.show("form_of_sentences").to_pylist()
    assert len(rows) == PROBABILITIES.size
    for row in rows:
        place, number = SYSTEMS.index(row["system_id"]), row["sentence_no"] - 1
        if (row["system_id"], number) == ("third", UNKNOWN):
            assert (row["preference"], row["accepted"]) == (None, None)
            assert row["undefined_reason"] == "the text is too long"
            continue
        probability = PROBABILITIES[place, number]
        assert row["preference"] == pytest.approx(probability / (probability + REFERENCE))
        assert row["accepted"] == ACCEPTED[place, number]
        assert row["sent_id"] == str(row["sentence_no"])


def test_f1_is_that_of_what_both_accept(tracker: Tracker) -> None:
    rows = {
        (row["criterion"], row["texts"]): row for row in tracker.show("form_and_people").to_pylist()
    }
    assert rows.keys() == {(c, texts) for c in CRITERIA for texts in ("all", "poor or perfect")}
    compared = np.ones_like(ACCEPTED)
    compared[2, [UNJUDGED, UNKNOWN]] = False
    for column, criterion in enumerate(CRITERIA):
        for texts in ("all", "poor or perfect"):
            ends = np.isin(RATINGS, (1, 3)).all(axis=2)
            taken = compared & (ends if texts != "all" else True)
            model, people = ACCEPTED[taken], RATINGS[..., column][taken] >= 2
            row = rows[criterion, texts]
            precision, recall = people[model].mean(), model[people].mean()
            assert (row["outputs"], row["accepted"]) == (taken.sum(), model.sum())
            assert (row["lowest"], row["highest"], row["undefined_reason"]) == (1, 3, None)
            assert (row["precision"], row["recall"]) == pytest.approx((precision, recall))
            assert row["f1"] == pytest.approx(scipy.stats.hmean([precision, recall]))
            assert row["f1_of_all"] == pytest.approx(scipy.stats.hmean([people.mean(), 1]))


def test_preferences_are_tested_as_those_of_pairs(tracker: Tracker) -> None:
    rows = tracker.show("form_preferences", where="criterion = 'fluency'").to_pylist()
    assert len(rows) == 3
    for row in rows:
        one, other = (
            SYSTEMS.index(row[name].split("/")[1])
            for name in ("submission_id", "base_submission_id")
        )
        of_model = np.sign(PROBABILITIES[one] - PROBABILITIES[other])
        of_people = np.sign(RATINGS[one, :, 0] - RATINGS[other, :, 0])
        there = np.ones(SENTENCES, bool)
        there[[UNJUDGED, UNKNOWN]] = 2 not in (one, other)
        both = of_model * of_people * there
        pairs, agreed = (both != 0).sum(), (both > 0).sum()
        assert (row["pairs"], row["agreed"], row["ties"]) == (pairs, agreed, there.sum() - pairs)
        assert row["agreement"] == pytest.approx(agreed / pairs)
        assert row["p_value"] == pytest.approx(scipy.stats.binomtest(agreed, pairs).pvalue)


def test_who_agrees_in_42_of_50_pairs_does_so_by_no_chance(tracker: Tracker) -> None:
    """Section 5.2: p < .000001 by the one-sided test; the two-sided is twice that."""
    ((p_value,),) = tracker.database.connection.execute("SELECT mcnemar_exact(42, 8)").fetchall()
    assert p_value == pytest.approx(scipy.stats.binomtest(42, 50).pvalue)
    assert p_value / 2 < 0.000001


def test_real_ratings_are_held_against_an_ngram_model(shared_data: Path) -> None:
    """The Finnish texts that Fan & Gardent 2020 had rated, by a model of other Finnish texts."""
    folder = shared_data / "amr" / "amr2text-human"
    content = [
        [json.loads(line) for line in (folder / f"amr.fi.{name}.jsonl").open(encoding="utf-8")]
        for name in ("generated", "metrics")
    ]
    texts = [row["summary"]["text"] for row in content[0]]
    references = [row["references"][0]["text"] for row in content[0]]
    people = [("submission", "sent_id", "criterion", "raw_mean")]
    ratings = [np.mean(row["metrics"]["human"]["overall_fluency"]) for row in content[1]]
    people += [("local/amr/fi", n, "fluency", rating) for n, rating in enumerate(ratings, start=1)]
    with campaign(
        None, references={"fi": references}, outputs={"amr": texts}, people=people, language="fi"
    ) as tracker:
        tracker.ingest_treebank(
            shared_data / "ud" / "2.5" / "fi_tdt-ud-dev.conllu.gz", treebank="dev", language="fi"
        )
        tracker.form.score("ngram", train_on="dev", treebank="fi")
        (whole, *_) = tracker.show("form_and_people", where="texts = 'all'").to_pylist()
        accepted = tracker.sql(
            "SELECT sentence_no, score FROM sentence_score WHERE metric = 'form' ORDER BY ALL"
        ).to_pylist()
    assert whole["outputs"] == len(texts) == 50
    both = [row["score"] == 1 for row in accepted] & (
        np.array(ratings) >= (min(ratings) + max(ratings)) / 2
    )
    assert whole["accepted_by_both"] == both.sum()
    assert 0 < whole["f1"] <= 1
