"""From judgements to rankings: hand-worked cases, and other programs' results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics import interval_distance
from nltk.metrics.agreement import AnnotationTask

from sr_tracker.queries.catalog import audits, open_installed
from sr_tracker.queries.functions.metric_tests import draws_of_items
from sr_tracker.queries.people import evaluate
from sr_tracker.queries.people.annotators import paired_p_values
from sr_tracker.queries.people.human_scores import HumanSettings
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, UnknownNameError
from tests import commands
from tests.conftest import empty
from tests.planting import planted

FIELDS = ("annotator_id", "hit_id", "submission_id", "sentence_no", "kind", "raw_score")
OUTPUT = ["submission_id", "sentence_no"]
TABLES = ("annotator_quality", "standardisation", "human_ranking", "annotator_agreement")
Row = tuple[str, str | None, str | None, int, str, float]
# Two annotators, two systems, two sentences. The careful one rates degraded copies lower.
CAREFUL: list[Row] = [
    ("careful", "h1", "C/A", 1, "ordinary", 90),
    ("careful", "h1", "C/A", 2, "ordinary", 80),
    ("careful", "h1", "C/B", 1, "ordinary", 50),
    ("careful", "h1", "C/B", 2, "ordinary", 60),
    ("careful", "h1", "C/A", 1, "repeat", 86),
    ("careful", "h1", "C/A", 2, "degraded", 20),
    ("careful", "h1", "C/B", 1, "degraded", 5),
    ("careful", "h1", "C/B", 2, "degraded", 10),
    ("careful", "h1", None, 1, "reference", 100),
]
CARELESS: list[Row] = [
    ("careless", "h2", "C/A", 1, "ordinary", 10),
    ("careless", "h2", "C/B", 1, "ordinary", 90),
    ("careless", "h2", "C/A", 1, "degraded", 40),
    ("careless", "h2", "C/B", 1, "degraded", 70),
]


def fill(
    database: Database, rows: Sequence[Row], campaign: str = "C", criterion: str = "adequacy"
) -> None:
    """Add judgements of a campaign, and the submissions they name."""
    connection = database.connection
    connection.register(
        "judged", pa.Table.from_pylist([dict(zip(FIELDS, row, strict=True)) for row in rows])
    )
    connection.execute(
        "INSERT INTO campaign SELECT ?, ?, 2020, NULL "
        "WHERE ? NOT IN (SELECT campaign_id FROM campaign)",
        [campaign] * 3,
    )
    connection.execute(
        "INSERT INTO treebank "
        "SELECT 't', 'en', NULL, 'text', NULL, NULL, [], NULL, true, 9, 0, 'x', 'x' "
        "WHERE NOT EXISTS (FROM treebank)"
    )
    connection.execute(
        "INSERT INTO sentence BY NAME SELECT DISTINCT 't' AS treebank_id, sentence_no, "
        "false AS text_given, [] AS comments, 0 AS line_no FROM judged "
        "ANTI JOIN sentence USING (sentence_no)"
    )
    connection.execute(
        "INSERT INTO judgement BY NAME SELECT *, ? AS campaign_id, ? AS criterion, "
        "'t' AS treebank_id, (row_number() OVER () + "
        "(SELECT count(*) FROM judgement WHERE campaign_id = ?))::INTEGER AS judgement_no "
        "FROM judged",
        [campaign, criterion, campaign],
    )
    connection.execute(
        "INSERT INTO submission SELECT DISTINCT submission_id, ?, split_part(submission_id, '/', "
        "2), 't', 'x', 1, NULL, now(), 'text', 'x', '{}', '{}', 'x', 'x' FROM judged "
        "WHERE submission_id IS NOT NULL "
        "AND submission_id NOT IN (SELECT submission_id FROM submission)",
        [campaign],
    )
    connection.unregister("judged")


def rows_of(database: Database, query: str) -> list[tuple[Any, ...]]:
    return database.connection.execute(query).fetchall()


def test_hand_worked_scores(database: Database) -> None:
    """The mean of the careful one's nine scores is 501 / 9, degraded and reference included."""
    fill(database, CAREFUL)
    report = evaluate(database)
    assert report.campaigns[0].chosen == {"adequacy": "passing"}
    scores = [row[-1] for row in CAREFUL]
    mean = 501 / 9
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / 8)
    rows = rows_of(database, "FROM human_score ORDER BY submission_id, sentence_no")
    assert [row[:3] for row in rows] == [
        ("C/A", 1, "adequacy"),
        ("C/A", 2, "adequacy"),
        ("C/B", 1, "adequacy"),
        ("C/B", 2, "adequacy"),
    ]
    assert [row[4:] for row in rows] == [
        (88, 2, "judgements"),
        (80, 1, "judgements"),
        (50, 1, "judgements"),
        (60, 1, "judgements"),
    ]
    z_scores = [(raw - mean) / deviation for raw in (88, 80, 50, 60)]
    assert [row[3] for row in rows] == pytest.approx(z_scores, abs=1e-12)
    ranking = rows_of(
        database,
        "SELECT place, submission_id, raw_mean, z_mean, sentences, assessments, annotators "
        "FROM human_leaderboard WHERE chosen",
    )
    assert ranking == [
        (1, "C/A", 84, pytest.approx(sum(z_scores[:2]) / 2), 2, 3, "passing"),
        (2, "C/B", 55, pytest.approx(sum(z_scores[2:]) / 2), 2, 2, "passing"),
    ]


def test_population_deviation(database: Database) -> None:
    fill(database, CAREFUL)
    evaluate(database, settings=HumanSettings(deviation="population"))
    deviation = float(np.std([row[-1] for row in CAREFUL]))
    (rows,) = rows_of(
        database, "SELECT z_score FROM human_score WHERE submission_id = 'C/B' AND sentence_no = 1"
    )
    assert rows == (pytest.approx((50 - 501 / 9) / deviation),)
    (stored,) = rows_of(
        database, "SELECT deviation, signature, judgements FROM human_score_settings"
    )
    assert stored[0] == "population"
    assert "deviation:population|within:campaign" in stored[1]
    assert stored[2] == 5


def test_failed_annotators_do_not_count(database: Database) -> None:
    fill(database, CAREFUL + CARELESS)
    report = evaluate(database)
    assert any("1 of 2 annotators passed" in note for note in report.notes)
    (careful, careless) = rows_of(
        database,
        "SELECT passed, reason, degraded_pairs, degraded_difference, repeat_pairs, "
        "repeat_difference, references_judged, reference_mean FROM annotators",
    )
    assert careful == (True, None, 3, pytest.approx((60 + 45 + 50) / 3), 1, 4, 1, 100)
    assert careless[:4] == (False, "degraded copies are not rated lower", 2, -5)
    assert rows_of(
        database, "SELECT DISTINCT tested_annotators, passed_annotators, pass_rate FROM annotators"
    ) == [(2, 1, 0.5)]
    places = "SELECT annotators, system_id, raw_mean, chosen FROM human_leaderboard"
    assert set(rows_of(database, places)) == {
        ("all", "A", (186 / 3 + 80) / 2, False),
        ("all", "B", (70 + 60) / 2, False),
        ("passing", "A", 84, True),
        ("passing", "B", 55, True),
    }
    evaluate(database, settings=HumanSettings(annotators="all"))
    assert rows_of(database, "SELECT sum(judgements) FROM human_score") == [(7,)]


def test_nobody_passed(database: Database) -> None:
    fill(database, CARELESS)
    assert evaluate(database).campaigns[0].chosen == {"adequacy": "all"}
    before = rows_of(database, "FROM human_ranking")
    with pytest.raises(InputError, match="no annotator passed quality control on adequacy"):
        evaluate(database, settings=HumanSettings(annotators="passing"))
    assert rows_of(database, "FROM human_ranking") == before


def test_without_control_items(database: Database) -> None:
    fill(database, [row for row in CAREFUL + CARELESS if row[4] == "ordinary"])
    report = evaluate(database)
    assert report.campaigns[0].chosen == {"adequacy": "all"}
    assert any("no quality control" in note for note in report.notes)
    assert set(rows_of(database, "SELECT passed, reason FROM annotators")) == {
        (None, "no degraded copies")
    }
    assert rows_of(database, "SELECT DISTINCT pass_rate FROM annotators") == [(None,)]


def test_scores_that_do_not_vary_have_no_z(database: Database) -> None:
    """Such an annotator counts in raw means; one with a single judgement as well."""
    same: list[Row] = [("same", "h", "C/A", number, "ordinary", 70) for number in (1, 2)]
    once: list[Row] = [("once", "h", "C/B", 3, "ordinary", 30)]
    fill(database, [*CAREFUL, *same, *once])
    report = evaluate(database, settings=HumanSettings(annotators="all"))
    assert any(
        "annotators whose ratings do not vary, without z-scores: 2" in note for note in report.notes
    )
    reasons = dict(rows_of(database, "SELECT annotator_id, reason FROM annotators"))
    assert reasons["same"] == "all scores are the same; no degraded copies"
    assert reasons["once"] == "one judgement only; no degraded copies"
    scores = rows_of(
        database, "SELECT sentence_no, raw_mean, z_score FROM human_score ORDER BY ALL"
    )
    assert scores[-1] == (3, 30, None)
    assert (1, (90 + 86 + 70) / 3) in [score[:2] for score in scores]
    assert run_audit(database) == []


def test_the_other_choice_of_annotators_is_told_where_it_changes_the_ranking(
    database: Database,
) -> None:
    """The careful one prefers A, four whom no degraded copy tests find that B is better.

    By all the systems are told apart, and B is first; by those who passed A is, in one cluster.
    """
    many: list[Row] = [
        (who, f"{who}{sentence}", f"C/{system}", sentence, "ordinary", score + sentence)
        for who in ("p", "q", "r", "s")
        for sentence in range(1, 10)
        for system, score in (("A", 20), ("B", 80))
    ]
    fill(database, [*CAREFUL, *many])
    (note,) = (note for note in evaluate(database).notes if "changes the ranking" in note)
    assert note == (
        "C, adequacy: whose judgements count changes the ranking of t: 1 cluster by those who "
        "passed (5 judgements), as chosen; 2 clusters by all (77 judgements) ('--annotators all'); "
        "2 of 2 systems have another place"
    )
    places = dict(
        rows_of(
            database,
            "SELECT annotators, system_id FROM human_leaderboard WHERE place = 1 ORDER BY 1",
        )
    )
    assert places == {"all": "B", "passing": "A"}
    report = evaluate(database, settings=HumanSettings(annotators="all"))
    (note,) = (note for note in report.notes if "changes the ranking" in note)
    assert "2 clusters by all (77 judgements), as chosen; 1 cluster by those who passed" in note
    assert "('--annotators passing')" in note


def test_a_choice_that_changes_nothing_is_not_told(database: Database) -> None:
    fill(database, CAREFUL)
    assert not any("changes the ranking" in note for note in evaluate(database).notes)


def test_unvaried_ratings_may_count_as_average(database: Database) -> None:
    """0 where an annotator's ratings do not vary (WebNLG 2020); the signature says which.

    a's 0 and 100 have the population z-scores -1 and 1; same's 70 counts as 0 beside them.
    """
    rows: list[Row] = [
        ("a", "h", "C/A", 1, "ordinary", 100),
        ("a", "h", "C/B", 1, "ordinary", 0),
        ("same", "h", "C/A", 1, "ordinary", 70),
        ("same", "h", "C/B", 2, "ordinary", 70),
    ]
    fill(database, rows)
    scores = "SELECT submission_id, sentence_no, z_score FROM human_score ORDER BY ALL"
    made = "SELECT deviation, unvaried, signature FROM human_score_settings"
    evaluate(database, settings=HumanSettings(deviation="population"))
    assert rows_of(database, scores) == [("C/A", 1, 1), ("C/B", 1, -1), ("C/B", 2, None)]
    ((*table_rows, signature),) = rows_of(database, made)
    assert table_rows == ["population", "null"]
    assert "|deviation:population|" in signature
    assert "|unvaried:null|" in signature
    report = evaluate(database, settings=HumanSettings(deviation="population", unvaried="zero"))
    assert rows_of(database, scores) == [("C/A", 1, 0.5), ("C/B", 1, -1), ("C/B", 2, 0)]
    ranking = "SELECT submission_id, z_mean FROM human_leaderboard WHERE chosen ORDER BY place"
    assert rows_of(database, ranking) == [("C/A", 0.5), ("C/B", -0.5)]
    ((*table_rows, signature),) = rows_of(database, made)
    assert table_rows == ["population", "zero"]
    assert "|unvaried:zero|" in signature
    assert any("ratings do not vary, counted as 0: 1" in note for note in report.notes)
    assert run_audit(database) == []


def test_equal_ratings_have_equal_scores(database: Database) -> None:
    """To the last bit: once or thrice, alone or as the mean of others, first or last.

    Sentence 1 of A is rated 70 once, 2 three times, 3 as 60 and 80, 4 of B as 80, 70 and 60 in
    another order. Sentences 5 and 6 are rated alike by two, who came in another order, and 7 twice
    as often by each.
    """
    rating: list[tuple[str, str, int, float]] = [
        *(("a", "C/A", 1, score) for score in (70,)),
        *(("a", "C/A", 2, score) for score in (70, 70, 70)),
        *(("a", "C/A", 3, score) for score in (60, 80)),
        *(("a", "C/B", 4, score) for score in (80, 70, 60)),
        *(("a", "C/B", 5, score) for score in (10, 37, 93)),
        *(("b", "C/B", 5, score) for score in (20, 41, 71)),
        *(("b", "C/A", 6, score) for score in (71, 20, 41)),
        *(("a", "C/A", 6, score) for score in (93, 10, 37)),
        *(("a", "C/A", 7, score) for score in (93, 10, 37, 37, 10, 93)),
        *(("b", "C/A", 7, score) for score in (41, 20, 71, 71, 20, 41)),
    ]
    fill(
        database,
        [
            (who, f"h{number}", submission, sentence, "ordinary", score)
            for number, (who, submission, sentence, score) in enumerate(rating)
        ],
    )
    evaluate(database)
    scores = dict(rows_of(database, "SELECT sentence_no, z_score FROM human_score"))
    assert len({scores[number] for number in (1, 2, 3, 4)}) == 1
    assert len({scores[number] for number in (5, 6, 7)}) == 1
    assert run_audit(database) == []
    database.connection.execute(
        "UPDATE human_score SET z_score = z_score * (1 + 2e-16) WHERE sentence_no = 2"
    )
    ((fault, *about),) = run_audit(database)
    assert fault == "equal ratings by one annotator with different z-scores"
    assert about == ["C", "adequacy", "a"]


@settings(max_examples=8)
@given(st.randoms(use_true_random=False))
def test_the_order_of_judgements_does_not_matter(in_memory: Database, random: Random) -> None:
    rows: list[Row] = [
        (who, f"h{number}", submission, sentence, "ordinary", random.randint(0, 100))
        for number, (who, submission, sentence) in enumerate(
            [(w, s, n) for w in "abc" for s in ("C/A", "C/B") for n in (1, 2, 2, 3)]
        )
    ]
    results = []
    for given_rows in (rows, random.sample(rows, len(rows))):
        empty(in_memory)
        fill(in_memory, given_rows)
        evaluate(in_memory)
        tables = (
            "SELECT submission_id, sentence_no, z_score, raw_mean FROM human_score ORDER BY ALL"
        )
        ranking = "SELECT submission_id, z_mean, raw_mean FROM human_ranking ORDER BY ALL"
        results.append((rows_of(in_memory, tables), rows_of(in_memory, ranking)))
    assert results[0] == results[1]


def test_original_in_the_same_hit_comes_first(database: Database) -> None:
    rows: list[Row] = [
        ("a", "h1", "C/A", 1, "ordinary", 80),
        ("a", "h2", "C/A", 1, "ordinary", 40),
        ("a", "h2", "C/A", 1, "degraded", 10),
        ("a", "h3", "C/A", 1, "degraded", 20),
        ("a", "h3", "C/A", 2, "degraded", 20),
    ]
    fill(database, rows)
    report = evaluate(database)
    (table_rows,) = rows_of(database, "SELECT degraded_pairs, degraded_difference FROM annotators")
    assert table_rows == (2, ((40 - 10) + (60 - 20)) / 2)
    assert any("without an original by the same annotator: 1" in note for note in report.notes)


def test_treebanks_apart(database: Database) -> None:
    fill(database, [("a", None, "C/A", 1, "ordinary", 10), ("a", None, "C/A", 2, "ordinary", 20)])
    other = [("a", None, "D/A", 1, "ordinary", 80.0), ("a", None, "D/A", 2, "ordinary", 90.0)]
    fill(database, other)
    database.connection.execute(
        "UPDATE submission SET treebank_id = 'u' WHERE submission_id = 'D/A'"
    )
    database.connection.execute(
        "UPDATE judgement SET treebank_id = 'u' WHERE submission_id = 'D/A'"
    )
    database.connection.execute(
        "INSERT INTO treebank SELECT * REPLACE ('u' AS treebank_id) FROM treebank; "
        "INSERT INTO sentence SELECT * REPLACE ('u' AS treebank_id) FROM sentence"
    )
    evaluate(database, settings=HumanSettings(within="treebank"))
    half = math.sqrt(0.5)
    scores = "SELECT z_score FROM human_score ORDER BY submission_id, sentence_no"
    expected = [-half, half, -half, half]
    assert [z for (z,) in rows_of(database, scores)] == pytest.approx(expected)


@st.composite
def judgements(draw: st.DrawFn) -> list[Row]:
    """Judgements by up to four people of up to three systems and four sentences."""
    keys = st.tuples(
        st.sampled_from(["a", "b", "c", "d"]),
        st.sampled_from(["h1", "h2", None]),
        st.sampled_from(["C/A", "C/B", "C/E"]),
        st.integers(1, 4),
        st.sampled_from(["ordinary", "ordinary", "repeat", "degraded"]),
        st.integers(0, 1000).map(lambda score: score / 10),
    )
    return draw(st.lists(keys, min_size=1, max_size=40))


@settings(max_examples=8)
@given(judgements(), st.sampled_from(["sample", "population"]))
def test_rankings_against_pandas(in_memory: Database, rows: list[Row], deviation: str) -> None:
    empty(in_memory)
    fill(in_memory, rows)
    evaluate(in_memory, settings=HumanSettings(annotators="all", deviation=deviation))
    data = pd.DataFrame(rows, columns=pd.Index(FIELDS))
    scores = data.groupby("annotator_id").raw_score
    spread = scores.transform("std", ddof=int(deviation == "sample"))
    varied = scores.transform("nunique") > 1
    data["z"] = ((data.raw_score - scores.transform("mean")) / spread).where(varied)
    counted = data[data.kind.isin(["ordinary", "repeat"])]
    sentences = counted.groupby(["submission_id", "sentence_no"])[["raw_score", "z"]].mean()
    expected = sentences.groupby("submission_id").mean()
    table_rows = rows_of(
        in_memory,
        "SELECT submission_id, raw_mean, coalesce(z_mean, 'nan') FROM human_ranking "
        "WHERE annotators = 'all' ORDER BY submission_id",
    )
    assert [row[0] for row in table_rows] == list(expected.index)
    np.testing.assert_allclose(
        np.array([row[1:] for row in table_rows], np.float64).reshape(-1, 2),
        expected,
        rtol=1e-9,
        atol=1e-9,
    )


@settings(max_examples=8)
@given(judgements())
def test_agreements_against_nltk_and_scipy(in_memory: Database, rows: list[Row]) -> None:
    empty(in_memory)
    fill(in_memory, rows)
    evaluate(in_memory, settings=HumanSettings(annotators="all"))
    table_rows = dict(
        rows_of(
            in_memory,
            "SELECT kind, coalesce(agreement, 'nan') FROM agreement_of_annotators "
            "WHERE annotators = 'all'",
        )
    )
    data = pd.DataFrame(rows, columns=pd.Index(FIELDS))
    assert table_rows["alpha"] == pytest.approx(_alpha(data), abs=1e-9, nan_ok=True)
    assert table_rows["intra"] == pytest.approx(_intra(data), abs=1e-6, nan_ok=True)


def _alpha(data: pd.DataFrame) -> float:
    ratings = data[data.kind == "ordinary"].groupby([*OUTPUT, "annotator_id"], as_index=False)
    means = ratings.raw_score.mean()
    several = means[means.groupby(OUTPUT).raw_score.transform("size") > 1]
    if several.raw_score.nunique() < 2:
        return math.nan
    outputs = zip(several.submission_id, several.sentence_no, strict=True)
    triples = zip(several.annotator_id, outputs, several.raw_score, strict=True)
    return float(AnnotationTask(list(triples), distance=interval_distance).alpha())


def _intra(data: pd.DataFrame) -> float:
    data = data.assign(hit_id=data.hit_id.fillna("none"))
    ordinary = data[data.kind == "ordinary"]
    who = ["annotator_id", *OUTPUT]
    anywhere = ordinary.groupby(who, as_index=False).raw_score.mean()
    there = ordinary.groupby([*who, "hit_id"], as_index=False).raw_score.mean()
    pairs = data[data.kind == "repeat"].merge(anywhere, on=who, suffixes=("", "_anywhere"))
    pairs = pairs.merge(there, how="left", on=[*who, "hit_id"], suffixes=("", "_there"))
    pairs["original"] = pairs.raw_score_there.fillna(pairs.raw_score_anywhere)
    coefficients = [
        scipy.stats.pearsonr(hit.raw_score, hit.original).statistic
        for _, hit in pairs.groupby(["annotator_id", "hit_id"])
        if len(hit) > 2 and min(hit.raw_score.nunique(), hit.original.nunique()) > 1
    ]
    return float(np.mean(coefficients)) if coefficients else math.nan


def _alpha_of_pairs(outputs: Sequence[np.ndarray]) -> float:
    """Return alpha by its definition: squared differences within outputs, and between any two."""
    values = np.concatenate(outputs)
    observed = sum(np.square(x[:, None] - x).sum() / (len(x) - 1) for x in outputs) / len(values)
    expected = np.square(values[:, None] - values).sum() / len(values) / (len(values) - 1)
    return float(1 - observed / expected)


def _by_z(value: float, drawn: Any, units: int) -> list[float]:
    """Return the interval by t of Fisher's z, from values of resampled units."""
    z = np.log((1 + np.array(drawn)) / (1 - np.array(drawn))) / 2
    error = z.std() * math.sqrt(units / (units - 1))
    ends = scipy.stats.t(units - 1, math.atanh(value), error).interval(0.95)
    return [math.tanh(end) for end in ends]


def agreement_row(database: Database, kind: str) -> dict[str, Any]:
    (row,) = database.connection.execute(
        "FROM agreement_of_annotators WHERE annotators = 'all' AND kind = ?", [kind]
    ).to_arrow_table().to_pylist()  # fmt: skip
    return row


def test_the_interval_of_alpha_is_that_of_resampled_documents(database: Database) -> None:
    rng = np.random.default_rng(2)
    good = np.repeat(rng.normal(0, 8, (2, 12)), 3, axis=1) + rng.normal(0, 8, (2, 36))
    ratings = np.clip(50 + good + rng.normal(0, 6, (3, 2, 36)), 0, 100)
    ratings[2, 0, ::2] = np.nan  # some outputs have two ratings, some one
    ratings[1, 0, ::4] = np.nan
    rows: list[Row] = [
        (f"a{a}", "h", f"C/{'AB'[s]}", n + 1, "ordinary", float(ratings[a, s, n]))
        for a, s, n in np.argwhere(np.isfinite(ratings))
    ]
    fill(database, rows)
    database.connection.execute(
        "UPDATE sentence SET newdoc = sentence_no::VARCHAR WHERE sentence_no % 3 = 1"
    )
    evaluate(database)
    outputs = [
        [ratings[:, s, n][np.isfinite(ratings[:, s, n])] for s in (0, 1) for n in (d, d + 1, d + 2)]
        for d in range(0, 36, 3)
    ]
    several = [[item for item in of_document if len(item) > 1] for of_document in outputs]
    drawn = [
        _alpha_of_pairs([x for d, count in enumerate(times) for x in several[d] * count])
        for times in draws_of_items(12, 1000, 12345).astype(int)
    ]
    row = agreement_row(database, "alpha")
    assert row["agreement"] == pytest.approx(_alpha_of_pairs([x for d in several for x in d]))
    assert [row["low"], row["high"]] == pytest.approx(_by_z(row["agreement"], drawn, 12))
    assert row["low"] < row["agreement"] < row["high"]
    assert (row["resampling_unit"], row["clusters"], row["no_interval"]) == ("document", 12, None)


@pytest.mark.parametrize(("annotators", "unit"), [(10, "annotator"), (9, "HIT")])
def test_the_interval_within_annotators(database: Database, annotators: int, unit: str) -> None:
    """An annotator's HITs go together; of nine annotators the 18 HITs are resampled."""
    rng = np.random.default_rng(2)
    rows: list[Row] = [
        (f"a{a}", f"h{a}{h}", "C/A", n, kind, float(rng.integers(0, 100)))
        for a in range(annotators)
        for h in range(2)
        for n in range(4 * h + 1, 4 * h + 5)
        for kind in ("ordinary", "repeat")
    ]
    fill(database, rows)
    evaluate(database)
    r = [
        scipy.stats.pearsonr([x[5] for x in hit[::2]], [x[5] for x in hit[1::2]]).statistic
        for hit in (rows[at : at + 8] for at in range(0, len(rows), 8))
    ]
    units = np.reshape(r, (annotators, 2) if unit == "annotator" else (-1, 1)).mean(axis=1)
    drawn = draws_of_items(len(units), 1000, 12345) @ units / len(units)
    row = agreement_row(database, "intra")
    assert row["agreement"] == pytest.approx(np.mean(r))
    assert [row["low"], row["high"]] == pytest.approx(_by_z(np.mean(r), drawn, len(units)))
    assert (row["resampling_unit"], row["clusters"]) == (unit, len(units))


def test_few_sentences_have_no_interval_of_agreement(database: Database) -> None:
    fill(database, CAREFUL + CARELESS)
    evaluate(database)
    alpha, intra = (agreement_row(database, kind) for kind in ("alpha", "intra"))
    assert (alpha["low"], alpha["no_interval"]) == (None, "fewer than 10 sentences")
    assert (intra["low"], intra["no_interval"]) == (None, intra["undefined_reason"])
    assert (alpha["clusters"], intra["clusters"]) == (1, None)


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=20))
def test_paired_test_against_scipy(differences: list[int]) -> None:
    values = np.array(differences, np.float64)
    if len(set(differences)) == 1:
        expected = math.nan if differences[0] == 0 else float(differences[0] < 0)
    else:
        expected = scipy.stats.ttest_1samp(values, 0, alternative="greater").pvalue
    computed = paired_p_values(
        np.array([float(len(values))]),
        values.mean(keepdims=True),
        values.std(ddof=1, keepdims=True),
    )
    assert computed[0] == pytest.approx(expected, rel=1e-9, nan_ok=True)


def test_degraded_copies_rated_alike_fail(database: Database) -> None:
    kinds = ("ordinary", "degraded")
    fill(database, [("a", "h", "C/A", n, kind, 10.0 * n) for n in (1, 2) for kind in kinds])
    evaluate(database)
    rows = rows_of(database, "SELECT passed, degraded_p_value, reason FROM annotators")
    assert rows == [(False, None, "degraded copies are not rated lower")]


def test_threshold_decides_who_passes(database: Database) -> None:
    fill(database, CAREFUL)
    evaluate(database, settings=HumanSettings(threshold=0.001))
    (rows,) = rows_of(database, "SELECT passed, degraded_p_value, reason FROM annotators")
    p_value = scipy.stats.ttest_rel([80, 50, 60], [20, 5, 10], alternative="greater").pvalue
    reason = "degraded copies are not rated significantly lower"
    assert rows == (False, pytest.approx(p_value), reason)


@pytest.mark.parametrize(
    "wrong",
    [{"deviation": "x"}, {"annotators": "x"}, {"within": "x"}, {"unvaried": "x"}, {"threshold": 0}],
)
def test_wrong_settings(database: Database, wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        evaluate(database, settings=HumanSettings(**wrong))


def test_again_changes_nothing(database: Database) -> None:
    """Nor does the number of threads; only the time of what changed is new."""
    fill(database, CAREFUL + CARELESS)
    evaluate(database)
    tables = (*TABLES, "human_score", "human_comparison")
    before = {table: rows_of(database, f"FROM {table}") for table in tables}
    database.connection.execute("SET threads = 1")
    evaluate(database)
    database.connection.execute("RESET threads")
    assert {table: rows_of(database, f"FROM {table}") for table in tables} == before


def test_fewer_judgements_leave_nothing_behind(database: Database) -> None:
    fill(database, CAREFUL + CARELESS)
    evaluate(database)
    up_to_date = "SELECT up_to_date FROM human_score_settings"
    assert rows_of(database, up_to_date) == [(True,)]
    database.connection.execute("DELETE FROM judgement WHERE submission_id = 'C/B'")
    assert rows_of(database, up_to_date) == [(False,)]
    evaluate(database)
    assert rows_of(database, up_to_date) == [(True,)]
    for table in ("human_score", "human_ranking"):
        assert rows_of(database, f"SELECT DISTINCT submission_id FROM {table}") == [("C/A",)]
    assert rows_of(database, "SELECT DISTINCT annotators FROM human_ranking") == [("all",)]


def test_scores_from_files_are_not_overwritten(database: Database) -> None:
    fill(database, CAREFUL)
    database.connection.execute(
        "INSERT INTO human_score VALUES ('C/A', 1, 'adequacy', 1, 1, 1, 'scores.csv'), "
        "('C/A', 1, 'fluency', 1, 1, 1, 'scores.csv'), "
        "('D/A', 1, 'adequacy', 1, 1, 1, 'scores.csv')"
    )
    report = evaluate(database)
    assert report.notes[-1].startswith("C, adequacy: scores of outputs stay those of 'scores.csv'")
    assert rows_of(database, "SELECT DISTINCT source FROM human_score") == [("scores.csv",)]
    assert rows_of(database, "SELECT DISTINCT criterion FROM human_ranking") == [("adequacy",)]
    evaluate(database, settings=HumanSettings(replace=True))
    assert rows_of(
        database, "SELECT submission_id, criterion FROM human_score WHERE source = 'scores.csv'"
    ) == [("C/A", "fluency"), ("D/A", "adequacy")]
    assert len(rows_of(database, "FROM human_score")) == 6
    evaluate(database)


def test_one_campaign_and_one_criterion(database: Database) -> None:
    fill(database, CAREFUL)
    fill(database, CAREFUL, criterion="fluency")
    fill(database, [(*row[:2], row[2] and f"D{row[2][1:]}", *row[3:]) for row in CAREFUL], "D")
    report = evaluate(database)
    assert report.notes[-1].startswith("z-scores of different campaigns are not comparable")
    only = HumanSettings(criterion="Fluency", deviation="population")
    assert len(evaluate(database, "C", only).campaigns) == 1
    stored = "SELECT campaign_id, criterion, deviation FROM human_score_settings"
    assert rows_of(database, stored) == [
        ("C", "adequacy", "sample"),
        ("C", "fluency", "population"),
        ("D", "adequacy", "sample"),
    ]
    counts = "SELECT count(*) FROM human_ranking GROUP BY campaign_id, criterion"
    assert rows_of(database, counts) == [(4,)] * 3
    with pytest.raises(UnknownNameError, match="no campaign 'E'"):
        evaluate(database, "E")
    with pytest.raises(UnknownNameError, match="no criterion 'humour'"):
        evaluate(database, settings=HumanSettings(criterion="humour"))


def run_audit(database: Database) -> list[Any]:
    (audit,) = (file for file in audits() if file.name == "human_evaluation")
    return rows_of(database, audit.text)


def test_planted_faults_are_found(healthy: Database) -> None:
    for fault in planted("people"):
        fault.check(healthy)
        assert run_audit(healthy) == []


@pytest.fixture(scope="module")
def healthy() -> Iterator[Database]:
    with open_installed(None) as opened:
        fill(opened, CAREFUL + CARELESS)
        evaluate(opened)
        yield opened


def test_command(tmp_path: Path) -> None:
    path = tmp_path / "c.duckdb"
    with open_database(path) as opened:
        fill(opened, CAREFUL + CARELESS)
    result = commands.run(path, "human", "--campaign", "C", "--format", "csv")
    header, first, second = result.stdout.splitlines()
    assert header.startswith("campaign_id,treebank_id,criterion,system_id,iteration,score,place")
    assert first.startswith("C,t,adequacy,A,1,0.777")
    assert ",B," in second
    assert "1 of 2 annotators passed" in result.stderr
    assert "failed: careless (C, adequacy): degraded copies are not rated lower" in result.stderr
