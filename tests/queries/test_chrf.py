from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from sr_tracker.queries.functions.chrf import chrf_statistics
from sr_tracker.schema.errors import InputError

MACROS = Path(__file__).resolve().parents[2] / "queries" / "macros"

texts = st.text(alphabet="aAb é𝒜.\t", max_size=20)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for path in sorted(MACROS.glob("*.sql")):
            connection.execute(path.read_text(encoding="utf-8"))
        yield connection


def statistics(rows: list[tuple[str, str]]) -> pa.Array:
    return chrf_statistics(
        pa.array([output for output, _ in rows], type=pa.string()),
        pa.array([reference for _, reference in rows], type=pa.string()),
    )


@settings(deadline=None)
@given(pairs)
def test_scores_are_sacrebleu_s(
    database: duckdb.DuckDBPyConnection, rows: list[tuple[str, str]]
) -> None:
    metric = CHRF()
    database.register("scored", pa.table({"s": statistics(rows)}))
    sentences = [row[0] for row in database.execute("SELECT chrf(s) FROM scored").fetchall()]
    assert sentences == pytest.approx(
        [metric.sentence_score(output, [reference]).score / 100 for output, reference in rows],
        abs=1e-9,
    )
    corpus = metric.corpus_score(
        [output for output, _ in rows], [[reference for _, reference in rows]]
    )
    (score,) = database.execute("SELECT chrf(element_sums(s, 18)) FROM scored").fetchall()
    assert score == (pytest.approx(corpus.score / 100, abs=1e-9),)


def test_statistics_are_counts_per_order() -> None:
    (row,) = statistics([("ab a", "ab B")]).to_pylist()
    assert row == [3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_missing_rows_slices_and_chunks() -> None:
    outputs = pa.array(["x", "a", None, "", None])
    references = pa.array(["x", None, "a", "a", None])
    missing = chrf_statistics(outputs, references)
    assert missing.is_null().to_pylist() == [False, True, True, False, True]
    assert chrf_statistics(outputs[1:], references[1:]).equals(missing[1:])
    chunked = pa.chunked_array([outputs[:3], outputs[3:]])
    assert chrf_statistics(chunked, references).equals(missing)
    empty = pa.array([], type=pa.string())
    assert len(chrf_statistics(empty, empty)) == 0


def test_null_has_no_score(database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute("SELECT chrf(NULL::INTEGER[])").fetchall() == [(None,)]


def test_columns_of_different_lengths() -> None:
    with pytest.raises(InputError, match="2 and 1"):
        chrf_statistics(pa.array(["a", "b"]), pa.array(["a"]))


def test_in_duckdb(database: duckdb.DuckDBPyConnection) -> None:
    database.create_function(
        "chrf_statistics",
        chrf_statistics,
        ["VARCHAR", "VARCHAR"],
        "INTEGER[]",
        type="arrow",
        null_handling="special",
    )
    row = database.execute(
        """
        WITH t AS (SELECT if(i % 7 = 0, NULL, 'text ' || i) AS o FROM range(5000) AS t(i))
        SELECT count(*), count(s), min(chrf(s)), max(chrf(s))
        FROM (SELECT chrf_statistics(o, o) AS s FROM t)
        """
    ).fetchone()
    assert row == (5000, 4285, 1.0, 1.0)
