"""ROUGE: equal to rouge-score's, sentence by sentence and of whole submissions."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sr_tracker.queries.functions.rouge import rouge_statistics, rouge_statistics_of_several
from sr_tracker.tracker.api.tracker import Tracker
from tests.building import campaign, load

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is missing")
TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
NAMES = ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
words = st.lists(
    st.sampled_from(["a", "b", "c2", "D", "é", "İx", "\n", "-", "K", "e"]), max_size=14
)
texts = words.map(" ".join)


def f_scores(row: Sequence[int]) -> list[float]:
    triples = [row[place : place + 3] for place in range(0, 12, 3)]
    return [2 * shared / max(output + reference, 1) for shared, output, reference in triples]


def oracle(reference: str | Sequence[str], output: str) -> list[float]:
    scorer = rouge_scorer.RougeScorer(list(TYPES))
    call = scorer.score if isinstance(reference, str) else scorer.score_multi
    scores = call(reference, output)
    return [scores[name].fmeasure for name in TYPES]


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_counts_give_the_f_scores_of_rouge_score(rows: list[tuple[str, str]]) -> None:
    outputs, references = zip(*rows, strict=True)
    statistics = rouge_statistics(pa.array(outputs), pa.array(references)).to_pylist()
    for row, output, reference in zip(statistics, outputs, references, strict=True):
        assert f_scores(row) == pytest.approx(oracle(reference, output), abs=1e-12)


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_of_several_references_each_type_takes_its_best(output: str, references: list[str]) -> None:
    column = pa.array([references], pa.list_(pa.string()))
    (row,) = rouge_statistics_of_several(pa.array([output]), column).to_pylist()
    assert f_scores(row) == pytest.approx(oracle(references, output), abs=1e-12)


def test_counts_by_hand() -> None:
    # shared, output, reference of single words, pairs, subsequence, lines
    statistics = rouge_statistics(
        pa.array(["the cat sat\non mats", None, "x"]), pa.array(["on mats\nthe cat", "a", None])
    )
    assert statistics.to_pylist() == [[4, 5, 4, 2, 4, 3, 2, 5, 4, 4, 5, 4], None, None]


REFERENCES = ["The cat sat on the mat.", "un café", "Ничего", "one two three four", "x"] * 6
OUTPUTS = ["On the mat a cat sat!", "le café", "Ничего", "four three two one", ""] * 6


def of_submissions(tracker: Tracker) -> dict[tuple[str, str], tuple[float | None, int, str | None]]:
    rows = tracker.sql(
        "SELECT submission_id, metric, score, sentences, undefined_reason FROM submission_score "
        "WHERE starts_with(metric, 'rouge')"
    ).to_pylist()
    return {(one, metric): tuple(rest) for one, metric, *rest in (row.values() for row in rows)}


def test_submissions_have_the_mean_of_their_sentences() -> None:
    with campaign(
        None, references={"five": REFERENCES}, outputs={"ours": OUTPUTS, "ours@2": REFERENCES}
    ) as tracker:
        tracker.score()
        assert not of_submissions(tracker)
        tracker.score(metrics=NAMES, submissions=["ours@1"])
        scores = of_submissions(tracker)
        with_words = [n for n, text in enumerate(REFERENCES) if text != "Ничего"]
        rows = [oracle(REFERENCES[n], OUTPUTS[n]) for n in with_words]
        for name, column in zip(NAMES, zip(*rows, strict=True), strict=True):
            assert scores["local/ours/five", name] == (pytest.approx(sum(column) / 24), 24, None)
        sentences = tracker.sql(
            "SELECT metric, sentence_no, score, undefined_reason FROM sentence_score "
            "WHERE starts_with(metric, 'rouge') ORDER BY ALL"
        ).to_pylist()
        assert {row["undefined_reason"] for row in sentences if row["score"] is None} == {REASON}
        of_l = [row["score"] for row in sentences if row["metric"] == "rouge_l"]
        assert [of_l[n] for n in with_words] == pytest.approx([row[2] for row in rows])

        # What was scored on request once is scored from then on, and compared.
        tracker.score()
        assert of_submissions(tracker)["local/ours/five@2", "rouge_2"] == (
            pytest.approx(3 / 4),  # "x" has no pair of words
            24,
            None,
        )
        changes = tracker.compare("ours@2", "ours@1").metrics
        tested = {change.measure: change for change in changes if change.measure in NAMES}
        assert {*tested} == {*NAMES}
        for place, name in enumerate(NAMES):
            mean = sum(row[place] for row in rows) / 24
            change = tested[name]
            wanted = 3 / 4 if name == "rouge_2" else 1
            assert change.difference == pytest.approx(wanted - mean)
            assert change.low < change.difference < change.high


REASON = "the reference has no words of the letters a to z and digits"


def test_without_latin_letters_there_is_no_score_but_a_reason() -> None:
    with campaign(
        None, references={"two": ["Ничего", "да"]}, outputs={"ours": ["Ничего", "нет"]}
    ) as tracker:
        tracker.score(metrics=["rouge_l"])
        reason = REASON.replace("reference has", "references have")
        assert of_submissions(tracker) == {
            ("local/ours/two", name): (None, 0, reason) for name in ("rouge_1", "rouge_l")
        }


def test_several_references_are_used() -> None:
    with campaign(None, references={"one": ["a b c d"]}, outputs={"ours": ["d e f"]}) as tracker:
        load(tracker.ingest_references, ["d e x"], "refB.txt", treebank="one", alternative="refB")
        tracker.score(metrics=["rouge_1", "rouge_2"])
        scores = of_submissions(tracker)
        assert scores["local/ours/one", "rouge_1"][0] == pytest.approx(2 / 3)
        assert scores["local/ours/one", "rouge_2"][0] == pytest.approx(1 / 2)
