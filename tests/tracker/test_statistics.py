"""Rank correlations against scipy, and their reasons where they are undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from queries.catalog import install
from schema.database import Database, open_database
from tracker.statistics import COMPLEXITIES, correlations, spearman

values = st.one_of(
    st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, allow_nan=False), st.just(float("nan"))
)


@given(st.lists(st.tuples(values, values), min_size=0, max_size=40))
def test_spearman_is_scipys(pairs: list[tuple[float, float]]) -> None:
    first, second = (np.array([pair[side] for pair in pairs], float) for side in (0, 1))
    found = spearman(first, second)
    both = ~(np.isnan(first) | np.isnan(second))
    x, y = first[both], second[both]
    assert found.n == len(x)
    if len(x) < 3 or len(set(x)) == 1 or len(set(y)) == 1:
        assert found.rho is None
        assert found.undefined_reason
        return
    assert found.undefined_reason is None
    assert found.rho == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_what_is_constant_or_too_few_says_so() -> None:
    numbers = np.array([1.0, 2.0, 3.0])
    assert "fewer than 3" in str(spearman(numbers[:2], numbers[:2]).undefined_reason)
    assert "score is the same" in str(spearman(np.ones(3), numbers).undefined_reason)
    assert "complexity is the same" in str(spearman(numbers, np.ones(3)).undefined_reason)
    assert spearman(numbers, -numbers).rho == -1.0


@pytest.fixture
def database() -> Database:
    """Two submissions to one treebank of 30 sentences, one of them judged and not scored."""
    database = open_database(None)
    install(database)
    connection = database.connection
    connection.execute("SELECT setseed(0.5)")
    connection.execute(
        "INSERT INTO submission SELECT 'C/' || name || '/tb', 'C', name, 'tb', 'shallow', 1, NULL, "
        "now(), 'text', 'conllu', '{}', '{}', 'f', name FROM unnest(['a', 'b']) AS t(name)"
    )
    connection.execute(
        "INSERT INTO sentence_complexity SELECT 'tb', i, unnest(['standard', 'tacl2021']), i % 4, "
        "i % 7 + 1, CASE WHEN i > 5 THEN random() END, random(), random(), 0.5, true, NULL "
        "FROM range(1, 31) AS t(i)"
    )
    connection.execute(
        "INSERT INTO sentence_score SELECT unnest(['new', 'old', 'derived']), 'C/a/tb', i, "
        "unnest(['bleu', 'bleu', 'nist4']), CASE WHEN i <> 9 THEN round(random(), 1) END, NULL "
        "FROM range(1, 31) AS t(i)"
    )
    connection.execute(
        "INSERT INTO scoring VALUES "
        "('C/a/tb', 'bleu', 'old', 'x', '0', TIMESTAMPTZ '2020-01-01 00:00:00+00'), "
        "('C/a/tb', 'bleu', 'new', 'x', '0', TIMESTAMPTZ '2021-01-01 00:00:00+00'), "
        "('C/a/tb', 'nist4', 'derived', 'x', '0', TIMESTAMPTZ '2021-01-01 00:00:00+00')"
    )
    connection.execute(
        "INSERT INTO human_score SELECT 'C/b/tb', i, 'adequacy', random(), NULL, 1, 'f' "
        "FROM range(1, 13) AS t(i)"
    )
    return database


def test_correlations_of_a_database(database: Database) -> None:
    found = {
        (row["submission_id"], row["metric"], row["complexity"]): row
        for row in correlations(database).to_pylist()
    }
    assert set(found) == {
        *(("C/a/tb", "bleu", complexity) for complexity in COMPLEXITIES),
        *(("C/b/tb", "adequacy_z", complexity) for complexity in COMPLEXITIES),
    }
    for (submission_id, metric, complexity), row in found.items():
        source = (
            "SELECT sentence_no, score AS value FROM sentence_score WHERE signature_id = 'new'"
            if metric == "bleu"
            else "SELECT sentence_no, z_score AS value FROM human_score"
        )
        pairs = database.connection.execute(
            f"SELECT value, {complexity} FROM ({source}) JOIN sentence_complexity "
            "USING (sentence_no) WHERE convention = 'standard' AND value IS NOT NULL "
            f"AND {complexity} IS NOT NULL"
        ).fetchall()
        assert row["n"] == len(pairs), (submission_id, metric, complexity)
        if complexity == "arity":
            assert row["rho"] is None
            assert row["undefined_reason"] == "the complexity is the same for every sentence"
        else:
            x, y = zip(*pairs, strict=True)
            assert row["rho"] == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
            assert row["undefined_reason"] is None
    assert found["C/a/tb", "bleu", "length"]["n"] == 29
    assert found["C/a/tb", "bleu", "mdd"]["n"] == 24
    assert found["C/b/tb", "adequacy_z", "mdd"]["n"] == 7


def test_correlations_of_some_submissions(database: Database) -> None:
    assert set(correlations(database, ["C/b/tb"])["submission_id"].to_pylist()) == {"C/b/tb"}
    nothing = correlations(database, [])
    assert nothing.num_rows == 0
    assert nothing.column_names == correlations(database).column_names


def test_a_correlation_does_not_depend_on_what_else_is_asked_for(database: Database) -> None:
    names = sorted(f"C/s{number}/tb" for number in range(12))
    connection = database.connection
    connection.execute(
        "INSERT INTO submission SELECT 'C/s' || n || '/tb', 'C', 's' || n, 'tb', 'shallow', 1, "
        "NULL, now(), 'text', 'conllu', '{}', '{}', 'f', 's' || n FROM range(12) AS t(n)"
    )
    connection.execute(
        "INSERT INTO human_score SELECT 'C/s' || n || '/tb', i, 'c' || c, random(), NULL, 1, 'f' "
        "FROM range(12) AS t(n), range(9) AS k(c), range(1, 31) AS r(i)"
    )
    together = correlations(database, names).to_pylist()
    alone = [row for name in names for row in correlations(database, [name]).to_pylist()]
    assert together == alone
    pairs = connection.execute(
        "SELECT z_score, length FROM human_score JOIN sentence_complexity USING (sentence_no) "
        "WHERE submission_id = 'C/s7/tb' AND criterion = 'c4' AND convention = 'standard'"
    ).fetchall()
    key = {"submission_id": "C/s7/tb", "metric": "c4_z", "complexity": "length"}
    (row,) = (row for row in together if key.items() <= row.items())
    assert row["rho"] == pytest.approx(spearmanr(*zip(*pairs, strict=True)).statistic, abs=1e-12)
