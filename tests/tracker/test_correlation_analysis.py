"""Correlations, projectivity and entropy of submissions, as they are stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, mannwhitneyu, pearsonr, spearmanr
from statsmodels.stats.multitest import multipletests

from sr_tracker.queries.catalog import run_audits
from sr_tracker.queries.errors.correlations import correlation, entropy, projectivity
from sr_tracker.queries.errors.jobs import COMPLEXITIES, CORRELATED, run_analyses
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from sr_tracker.schema.statements import rows_of as rows
from tests.building import campaign, written
from tests.commands import run
from tests.planting import planted

ORACLES: dict[str, Callable[..., Any]] = {
    "spearman": spearmanr,
    "pearson": pearsonr,
    "kendall": lambda x, y: kendalltau(x, y, method="asymptotic"),
}
METRICS = (
    *("bleu", "bleu_13a", "bleu_lemma", "chrf", "chrf_plusplus", "dea", "dist"),
    *("dist_pooled", "nist", "ter"),
)
HUMAN = ("adequacy_z", "fluency_z")
ANALYSES = (
    *(correlation(method) for method in ORACLES),
    projectivity(),
    projectivity(minimum_share=0.2),
    entropy(),
)
STATISTICS = ("correlation", "projectivity_test")


@pytest.fixture(scope="module")
def analysed_file(scored_year: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a year of the sample campaign: two treebanks, two systems, human scores."""
    path = written(tmp_path_factory.mktemp("sample") / "sample.duckdb", scored_year.read_bytes())
    with open_database(path) as database:
        run_analyses(database, ANALYSES)
    return path


@pytest.fixture(scope="module")
def sample(analysed_file: Path) -> Iterator[Database]:
    with open_database(analysed_file, read_only=True) as database:
        yield database


@pytest.fixture
def changeable(analysed_file: Path, tmp_path: Path) -> Iterator[Database]:
    copy = written(tmp_path / "copy.duckdb", analysed_file.read_bytes())
    with open_database(copy) as database:
        yield database


def measured(database: Database, submission_id: str) -> dict[str, dict[int, float]]:
    """The values of every measure by sentence, straight from the tables."""
    values: dict[str, dict[int, float]] = defaultdict(dict)
    scores = database.connection.execute(
        "SELECT metric, sentence_no, score FROM sentence_score WHERE submission_id = $id "
        "UNION ALL SELECT criterion || '_z', sentence_no, z_score FROM human_score "
        "WHERE submission_id = $id",
        {"id": submission_id},
    ).fetchall()
    for measure, sentence_no, value in scores:
        if value is not None:
            values[measure][sentence_no] = value
    for row in rows(
        database,
        "FROM sentence_complexity SEMI JOIN (FROM submission WHERE submission_id = $id) "
        "USING (treebank_id) WHERE convention = 'standard'",
        id=submission_id,
    ):
        for name in (*COMPLEXITIES, "projective"):
            if row[name] is not None:
                values[name][row["sentence_no"]] = row[name]
    return values


def submissions(database: Database) -> list[str]:
    cursor = database.connection.execute("SELECT submission_id FROM submission ORDER BY ALL")
    return [submission_id for (submission_id,) in cursor.fetchall()]


def test_every_pair_of_measures_is_there_once(sample: Database) -> None:
    pairs = [*combinations((*METRICS, *HUMAN, *COMPLEXITIES), 2)]
    for submission_id in submissions(sample):
        for method in ORACLES:
            table_rows = rows(
                sample,
                "SELECT measure, other_measure FROM measure_correlations WHERE submission_id = $id "
                "AND method = $method AND unit = 'sentence'",
                id=submission_id,
                method=method,
            )
            assert len(table_rows) == len(pairs) == 153
            assert {(row["measure"], row["other_measure"]) for row in table_rows} == set(pairs)


@pytest.mark.parametrize("method", ORACLES)
def test_correlations_are_scipys(sample: Database, method: str) -> None:
    for submission_id in submissions(sample)[:2]:
        values = measured(sample, submission_id)
        query = (
            "FROM measure_correlations "
            "WHERE submission_id = $id AND method = $name AND unit = 'sentence'"
        )
        for row in rows(sample, query, id=submission_id, name=method):
            x, y = values[row["measure"]], values[row["other_measure"]]
            both = sorted(x.keys() & y.keys())
            pair = np.array([[x[no] for no in both], [y[no] for no in both]])
            expected = ORACLES[method](*pair.round(12))  # what differs by rounding is a tie
            assert row["n"] == len(both)
            assert row["undefined_reason"] is None
            assert row["coefficient"] == pytest.approx(expected.statistic, abs=1e-12)
            assert row["p_value"] == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)


def test_p_values_are_corrected_over_a_submission(sample: Database) -> None:
    for submission_id in submissions(sample):
        table_rows = rows(
            sample,
            "FROM measure_correlations WHERE submission_id = $id AND method = 'spearman' "
            "AND unit = 'sentence'",
            id=submission_id,
        )
        requests = [
            row for row in table_rows if {row["measure"], row["other_measure"]} <= {*CORRELATED}
        ]
        assert len(requests) == 45
        expected = multipletests([row["p_value"] for row in requests], method="holm")[1]
        assert [row["p_holm"] for row in requests] == pytest.approx(expected, rel=1e-12, abs=0)
        assert any(row["p_value"] < 0.05 <= row["p_holm"] for row in requests)
        assert {(row["family"], row["family_size"]) for row in requests} == {("asked", 45)}
        others = [row for row in table_rows if row not in requests]
        assert all(row["p_holm"] == row["p_value"] for row in others)
        assert {(row["family"], row["family_size"]) for row in others} == {("exploratory", 1)}


def test_the_family_is_what_was_asked_for(changeable: Database) -> None:
    family = ["chrf", "dea", "mdd"]
    run_analyses(changeable, [correlation(family=family)])
    table_rows = rows(
        changeable, "FROM measure_correlations WHERE method = 'spearman' AND family = 'asked'"
    )
    pairs = {
        (row["measure"], row["other_measure"]) for row in table_rows if row["unit"] == "sentence"
    }
    assert pairs == {*combinations(family, 2)}
    of_sentences = [row for row in table_rows if row["unit"] == "sentence"]
    assert all("family:chrf,dea,mdd" in row["signature"] for row in of_sentences)


def test_an_unknown_measure_of_the_family_is_refused(changeable: Database) -> None:
    with pytest.raises(UnknownNameError, match="bleurgh"):
        run_analyses(changeable, [correlation(family=["bleurgh", "dea"])])


def test_medians_over_submissions(sample: Database) -> None:
    by_pair = defaultdict(list)
    for row in rows(sample, "FROM measure_correlations WHERE coefficient IS NOT NULL"):
        key = row["method"], row["unit"], row["measure"], row["other_measure"]
        by_pair[key].append((row["coefficient"], row["p_holm"]))
    medians = rows(sample, "FROM correlation_medians")
    assert len(medians) == len(by_pair)
    for row in medians:
        values = np.array(by_pair[row["method"], row["unit"], row["measure"], row["other_measure"]])
        assert row["submissions"] == len(values) == 4
        assert row["coefficient_median"] == pytest.approx(np.median(values[:, 0]), abs=1e-12)
        assert row["coefficient_mean"] == pytest.approx(values[:, 0].mean(), abs=1e-12)
        assert row["significant"] == (values[:, 1] < 0.05).mean()


def test_projectivity_is_scipys(sample: Database) -> None:
    table_rows = rows(sample, "FROM projectivity_effects")
    assert {(row["submission_id"], row["metric"]) for row in table_rows} == {
        (submission_id, metric)
        for submission_id in submissions(sample)
        for metric in (*METRICS, *HUMAN)
    }
    for row in table_rows:
        values = measured(sample, row["submission_id"])
        groups: dict[bool, list[float]] = {True: [], False: []}
        for sentence_no, value in values[row["metric"]].items():
            if sentence_no in values["projective"]:
                groups[bool(values["projective"][sentence_no])].append(value)
        pair = [np.round(groups[projective], 12) for projective in (True, False)]
        expected = mannwhitneyu(*pair, method="asymptotic")
        sizes = len(groups[True]), len(groups[False])
        assert (row["projective"], row["non_projective"]) == sizes
        assert row["projective_median"] == np.median(groups[True])
        assert row["non_projective_median"] == np.median(groups[False])
        assert (row["u"], row["p_value"]) == (expected.statistic, expected.pvalue)
        biserial = 2 * expected.statistic / (sizes[0] * sizes[1]) - 1
        assert row["rank_biserial"] == pytest.approx(biserial, abs=1e-12)
        assert (row["year"], row["campaign_id"]) == (2024, "SAMPLE24")


def test_few_non_projective_sentences_are_not_tested(sample: Database) -> None:
    tested = dict(
        sample.connection.execute(
            "SELECT settings, count(DISTINCT projectivity_test.submission_id) FROM analysis "
            "LEFT JOIN projectivity_test USING (signature_id, submission_id) "
            "WHERE analysis = 'projectivity' GROUP BY settings"
        ).fetchall()
    )
    assert tested == {
        "minimum_share:0.05|convention:standard": 4,
        "minimum_share:0.2|convention:standard": 0,
    }
    analysed = sample.connection.execute(
        "SELECT count(*) FROM analysis WHERE settings LIKE 'minimum_share:0.2|%'"
    )
    assert analysed.fetchone() == (4,)


def test_the_share_itself_is_not_enough(changeable: Database) -> None:
    ((share,),) = changeable.connection.execute(
        "SELECT avg((NOT projective)::INTEGER) FROM sentence_complexity "
        "WHERE convention = 'standard' AND treebank_id LIKE 'en%'"
    ).fetchall()
    for minimum, expected in ((share, 0), (share - 1e-9, 2 * len((*METRICS, *HUMAN)))):
        changeable.connection.execute("DELETE FROM projectivity_test")
        changeable.connection.execute("DELETE FROM analysis")
        run_analyses(changeable, [projectivity(minimum)])
        table_rows = rows(changeable, "FROM projectivity_effects WHERE treebank_id LIKE 'en%'")
        assert len(table_rows) == expected


def test_a_group_without_scores_says_so(changeable: Database) -> None:
    changeable.connection.execute(
        "DELETE FROM human_score USING sentence_complexity AS c, submission AS s "
        "WHERE s.submission_id = human_score.submission_id AND c.treebank_id = s.treebank_id "
        "AND c.sentence_no = human_score.sentence_no AND convention = 'standard' "
        "AND projective = (criterion = 'fluency')"
    )
    run_analyses(changeable, [projectivity()])
    reasons = {
        "adequacy_z": "no non-projective sentence has a score",
        "fluency_z": "no projective sentence has a score",
    }
    for row in rows(changeable, "FROM projectivity_effects WHERE metric LIKE '%_z'"):
        assert row["undefined_reason"] == reasons[row["metric"]]
        assert row["u"] is row["p_value"] is row["rank_biserial"] is None
        assert (row["projective_median"] is None) == (row["projective"] == 0)
        assert (row["non_projective_median"] is None) == (row["non_projective"] == 0)
    assert run_audits(changeable) == []


def test_undefined_correlations_say_why(changeable: Database) -> None:
    connection = changeable.connection
    connection.execute("UPDATE sentence_score SET score = 0.5 WHERE metric = 'bleu'")
    connection.execute("UPDATE sentence_score SET score = NULL WHERE metric = 'nist'")
    connection.execute(
        "DELETE FROM human_score WHERE criterion = 'fluency' AND (submission_id, sentence_no) "
        "NOT IN (SELECT (submission_id, sentence_no) FROM human_score WHERE criterion = 'fluency' "
        "QUALIFY row_number() OVER (PARTITION BY submission_id ORDER BY sentence_no) < 3)"
    )
    run_analyses(changeable, [correlation()])
    computed = {
        (row["measure"], row["other_measure"]): row
        for row in rows(
            changeable,
            "FROM measure_correlations WHERE submission_id = $id AND method = 'spearman' "
            "AND unit = 'sentence'",
            id=submissions(changeable)[0],
        )
    }
    undefined = {pair for pair, row in computed.items() if row["coefficient"] is None}
    assert undefined == {
        pair for pair in computed if {"bleu", "nist", "fluency_z"}.intersection(pair)
    }
    for pair in undefined:
        assert computed[pair]["p_value"] is computed[pair]["p_holm"] is None
    assert computed["bleu", "length"]["undefined_reason"] == "bleu is the same in all 120 sentences"
    assert computed["nist", "length"]["undefined_reason"] == "fewer than 3 sentences have both"
    assert (computed["nist", "length"]["n"], computed["fluency_z", "length"]["n"]) == (0, 2)
    assert computed["bleu", "fluency_z"]["undefined_reason"] == "fewer than 3 sentences have both"
    others = [
        row for pair, row in computed.items() if pair not in undefined and {*pair} <= {*CORRELATED}
    ]
    expected = multipletests([row["p_value"] for row in others], method="holm")[1]
    assert [row["p_holm"] for row in others] == pytest.approx(expected, rel=1e-12, abs=0)


def test_entropy_goes_with_accuracy(sample: Database) -> None:
    for submission_id in submissions(sample):
        pairs = sample.connection.execute(
            "SELECT entropy, dea FROM entropy_dea WHERE submission_id = ?", [submission_id]
        ).fetchall()
        (row,) = rows(
            sample,
            "FROM measure_correlations WHERE submission_id = $id AND unit = 'relation'",
            id=submission_id,
        )
        expected = spearmanr(*zip(*pairs, strict=True))
        assert (row["measure"], row["other_measure"], row["n"]) == ("entropy", "dea", len(pairs))
        assert row["coefficient"] == pytest.approx(expected.statistic, abs=1e-12)
        assert row["p_value"] == row["p_holm"] == pytest.approx(expected.pvalue, rel=1e-9)


def test_without_accuracy_entropy_goes_with_nothing(changeable: Database) -> None:
    changeable.connection.execute("DELETE FROM edge_outcome")
    changeable.connection.execute("DELETE FROM correlation")
    changeable.connection.execute("DELETE FROM analysis")
    run_analyses(changeable, [entropy()])
    table_rows = rows(
        changeable, "SELECT n, coefficient, undefined_reason FROM measure_correlations"
    )
    reason = "fewer than 3 relations have both"
    assert table_rows == 4 * [{"n": 0, "coefficient": None, "undefined_reason": reason}]


def test_batches_and_threads_change_nothing(changeable: Database) -> None:
    connection = changeable.connection
    before = {table: set(connection.execute(f"FROM {table}").fetchall()) for table in STATISTICS}
    for table in (*STATISTICS, "analysis"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("SET threads = 1")
    for submission_id in reversed(submissions(changeable)):
        run_analyses(changeable, ANALYSES, submissions=[submission_id])
    for table in STATISTICS:
        assert set(connection.execute(f"FROM {table}").fetchall()) == before[table]


def test_analysing_again_changes_nothing_but_new_scores_do(changeable: Database) -> None:
    assert run_analyses(changeable, ANALYSES).analyses == 0
    submission_id = submissions(changeable)[1]
    changeable.connection.execute(
        "INSERT INTO human_score SELECT submission_id, sentence_no, 'tone', sentence_no % 7, NULL, "
        "NULL, 'f' FROM output WHERE submission_id = ?",
        [submission_id],
    )
    assert run_analyses(changeable, ANALYSES).submissions == 1
    table_rows = rows(
        changeable,
        "FROM measure_correlations "
        "WHERE method = 'spearman' AND 'tone_z' IN (measure, other_measure)",
    )
    assert {row["submission_id"] for row in table_rows} == {submission_id}
    assert len(table_rows) == len((*METRICS, *HUMAN, *COMPLEXITIES))
    assert run_audits(changeable) == []


def test_projectivity_of_several_settings_shows_once(changeable: Database) -> None:
    before = rows(changeable, "FROM projectivity_effects ORDER BY submission_id, metric")
    run_analyses(changeable, [projectivity(minimum_share=0)])
    after = rows(changeable, "FROM projectivity_effects ORDER BY submission_id, metric")
    for row in (*before, *after):
        del row["signature"]
    assert after == before


def test_settings_that_cannot_be() -> None:
    with pytest.raises(InputError, match="'covariance' is no correlation method"):
        correlation("covariance")
    for share in (-0.1, 5.0, float("nan")):
        with pytest.raises(InputError, match="no share"):
            projectivity(minimum_share=share)


def test_healthy_analyses_have_no_findings(sample: Database) -> None:
    assert run_audits(sample) == []


def test_planted_faults_are_found(changeable: Database) -> None:
    for fault in planted("correlations"):
        fault.check(changeable)


def test_correlations_over_systems_are_told_in_rows_and_what_they_share_once(
    tmp_path: Path,
) -> None:
    references = ["the dog barks loudly today", "a cat sleeps here", "birds sing at dawn"]
    outputs = {
        "good": references,
        "fair": ["the dog barks today", "a cat sleeps", "birds sing at dawn"],
        "poor": ["dog the loud", "cat", "sing"],
    }
    path = tmp_path / "c.duckdb"
    with campaign(path, references={"en_toy": references}, outputs=outputs, scored=True):
        pass
    many = run(path, "why", "correlate", "--against", "chrf")
    heads, _, *lines = many.stdout.splitlines()
    assert {"measure", "systems", "coefficient", "p_value"} <= {*heads.split()}
    assert len([line for line in lines if " 3 " in line]) == len(lines) > 4
    few = run(path, "why", "correlate", "--against", "chrf", "--measure", "bleu")
    assert "p bleu" in few.stdout.splitlines()[0]
    with campaign(path, references={"en_other": references}, outputs={}) as tracker:
        for system in ("good", "fair"):
            tracker.submit(outputs[system], system=system, treebank="en_other", log=False)
    notes = run(path, "why", "correlate", "--against", "chrf").stderr.splitlines()
    (note,) = [note for note in notes if "fewer than 3" in note]
    assert note.startswith("en_other: fewer than 3 systems have both: no correlation of chrf with ")
    assert note.count(",") > 3
