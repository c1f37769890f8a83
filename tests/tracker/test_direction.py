"""Lower is better: everything that tells better from worse turns TER the right way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sacrebleu

from sr_tracker.queries.change.comparison.comparing import sentence_changes
from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.ranking import rank
from sr_tracker.queries.change.comparison.sides import pairing_of
from sr_tracker.queries.change.gate import check_gate
from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.change.significance.replicates import read_statistics
from sr_tracker.queries.change.thresholds import parse_threshold
from sr_tracker.queries.errors.examples import find_examples
from sr_tracker.queries.errors.jobs import run_analyses
from sr_tracker.queries.errors.mining import error_mining
from sr_tracker.queries.examination.metric_agreement import _williams_tests
from sr_tracker.queries.functions.metric_tests import Correlation
from sr_tracker.queries.metrics.formulas import formula_of, score_sums
from sr_tracker.queries.metrics.registry import direction, notes
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import resolve_submission
from sr_tracker.tracker.show.charts.scores import best_first
from sr_tracker.tracker.show.findings.ranking import BETTER, WORSE, marks
from tests.building import campaign, measure_changes
from tests.charts import records
from tests.tracker import story

FIRST, BETTER_ONE, WORSE_ONE = (f"C/ours/{story.TREEBANK}{n}" for n in ("", "@2", "@3"))
SETTINGS = Settings(replicates=200, sentence_metric="ter")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three iterations: the second is best, the third puts phrases elsewhere."""
    file = tmp_path_factory.mktemp("direction") / "campaign.duckdb"
    treebank = {story.TREEBANK: story.TREEBANK_FILE.read_text(encoding="utf-8")}
    outputs = {
        f"ours@{number}": story.outputs_of(iteration)
        for number, iteration in enumerate((2, story.REGRESSION - 1, story.REGRESSION), start=1)
    }
    metrics = ["bleu", "bleu_13a", "ter", "dea"]
    with campaign(file, treebank, outputs, name="C", scored=metrics) as tracker:
        run_analyses(tracker.database, [error_mining(metric="ter", quantile=0.3)])
    return file


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with open_database(path, read_only=True) as opened:
        yield opened


def ter_of(database: Database, submission: str) -> float:
    rows = database.connection.execute(
        "SELECT ter FROM leaderboard WHERE submission_id = ?", [submission]
    ).fetchall()
    return float(rows[0][0])


def texts(database: Database, submission: str) -> tuple[Sequence[str], Sequence[str]]:
    rows = database.connection.execute(
        "SELECT output.text, CASE reference_form WHEN 'tokens' THEN forms_text "
        "ELSE sentence.text END FROM output JOIN submission USING (submission_id) "
        "JOIN sentence USING (treebank_id, sentence_no) WHERE submission_id = ? "
        "ORDER BY sentence_no",
        [submission],
    ).fetchall()
    outputs, references = zip(*rows, strict=True)
    return outputs, references


def test_scores_of_submissions_and_outputs_are_sacrebleu_s(database: Database) -> None:
    for submission in (FIRST, BETTER_ONE, WORSE_ONE):
        outputs, references = texts(database, submission)
        (table_rows,) = database.connection.execute(
            "SELECT ter, bleu_13a FROM leaderboard WHERE submission_id = ?", [submission]
        ).fetchall()
        ter = sacrebleu.corpus_ter(outputs, [references]).score / 100
        bleu = sacrebleu.corpus_bleu(outputs, [references]).score / 100
        assert table_rows == (pytest.approx(ter, abs=1e-9), pytest.approx(bleu, abs=1e-9))
    rows = database.connection.execute(
        "SELECT ter, bleu_13a FROM output_scores WHERE submission_id = ? ORDER BY sentence_no",
        [WORSE_ONE],
    ).fetchall()
    expected = [
        (sacrebleu.sentence_ter(o, [r]).score / 100, sacrebleu.sentence_bleu(o, [r]).score / 100)
        for o, r in zip(outputs, references, strict=True)
    ]
    np.testing.assert_allclose(rows, expected, atol=1e-9)


def test_replicates_are_scored_as_the_submission_is(database: Database) -> None:
    for metric in ("ter", "bleu_13a"):
        rows = database.connection.execute(
            "SELECT submission_id, signature_id, score FROM submission_score WHERE metric = ? "
            "ORDER BY submission_id",
            [metric],
        ).fetchall()
        formula = formula_of(metric)
        _, counts = read_statistics(database, formula, rows[0][1], [row[0] for row in rows])
        computed = score_sums(database, formula, counts.sum(axis=1))
        np.testing.assert_allclose(computed, [row[2] for row in rows], atol=1e-12)


def test_a_fall_is_better(database: Database) -> None:
    assert ter_of(database, BETTER_ONE) < ter_of(database, WORSE_ONE) < ter_of(database, FIRST)
    (rose,) = measure_changes(pairing_of(database, WORSE_ONE, BETTER_ONE), ["ter"], SETTINGS)
    (fell,) = measure_changes(pairing_of(database, BETTER_ONE, FIRST), ["ter"], SETTINGS)
    assert rose.is_worse
    assert not fell.is_worse
    assert rose.better == fell.better == "lower"


def test_the_lowest_is_ranked_first(database: Database) -> None:
    ranking = rank(database, [WORSE_ONE, FIRST, BETTER_ONE], "ter", SETTINGS)
    assert [item.side.submission_id for item in ranking.ranked] == [BETTER_ONE, WORSE_ONE, FIRST]
    square = marks(ranking, SETTINGS.alpha)
    assert (square[0][2], square[2][0]) == (BETTER, WORSE)
    assert resolve_submission(database, "ours@best:ter") == BETTER_ONE
    (line,) = history(database, "ours", measures=["ter"], tests="none").lines
    assert line.measures[0].better == "lower"


def test_a_gate_fails_where_it_rises(database: Database) -> None:
    drop = [parse_threshold("max-drop", "ter=0.1")]
    assert check_gate(database, WORSE_ONE, BETTER_ONE, drop).failed
    assert check_gate(database, BETTER_ONE, WORSE_ONE, drop).passed
    with pytest.raises(InputError, match="lower is better"):
        check_gate(database, WORSE_ONE, BETTER_ONE, [parse_threshold("min", "ter=1")])


def test_sentences_gain_where_it_falls(database: Database) -> None:
    gained, lost = sentence_changes(pairing_of(database, WORSE_ONE, BETTER_ONE), SETTINGS)
    assert lost
    assert all(change.new_score > change.base_score for change in lost)
    assert all(change.new_score < change.base_score for change in gained)


def test_the_worst_outputs_have_most_edits_and_fail(database: Database) -> None:
    examples = find_examples(database, WORSE_ONE, "(root)", metric="ter", limit=3)
    scores = dict(
        database.connection.execute(
            "SELECT sentence_no, ter FROM output_scores WHERE submission_id = ?", [WORSE_ONE]
        ).fetchall()
    )
    worst = sorted(scores.values(), reverse=True)[:3]
    assert [scores[example.sentence_no] for example in examples.examples] == worst
    (mined,) = database.connection.execute(
        "SELECT threshold, failed FROM error_mining WHERE submission_id = ?", [WORSE_ONE]
    ).fetchall()
    assert mined[1] == sum(score >= mined[0] for score in scores.values())
    assert mined[1] < len(scores)


def test_the_metric_closest_to_people_may_have_a_negative_coefficient() -> None:
    people = np.array([0.9, 0.5, 0.4, -0.2, -0.8, -1.1])
    scores = np.array([-people + [0, 0.02, 0, -0.02, 0, 0.01], [0.1, 0.5, 0.3, 0.2, -0.4, 0.3]])
    computed = [Correlation(6, float(np.corrcoef(people, row)[0, 1]), 0.5, None) for row in scores]
    assert computed[0].coefficient is not None
    assert computed[0].coefficient < -0.9
    lower = _williams_tests(people, scores, computed, [-1, 1])
    turned = [replace(computed[0], coefficient=-computed[0].coefficient), computed[1]]
    assert lower[0] == (None, True)
    assert lower == _williams_tests(people, scores * [[-1], [1]], turned, [1, 1])
    assert _williams_tests(people, scores, computed, [1, 1])[1] == (None, True)


def test_what_has_to_stand_beside_scores() -> None:
    assert (direction("ter"), direction("bleu"), direction("adequacy_z")) == (-1, 1, 1)
    assert notes(["ter", "bleu_13a", "adequacy_z", "dea"]) == [
        "BLEU-13a: sacreBLEU's default (13a, mixed case)",
        "TER: lower is better",
    ]


def test_charts_have_the_lowest_first() -> None:
    rows = pd.DataFrame(
        {
            "submission_id": ["a", "b", "c"],
            "treebank_id": "t",
            "metric": "ter",
            "score": [0.5, 0.2, 0.3],
            "iteration": 1,
        }
    )
    assert best_first(records(rows), ["ter"]) == ["b", "c", "a"]
    assert best_first(records(rows.assign(metric="chrf")), ["chrf"]) == ["a", "c", "b"]
