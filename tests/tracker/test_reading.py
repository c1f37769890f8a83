"""What users' own SQL may do: attempts to break out, and queries that would never end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sr_tracker.queries.catalog import open_installed
from sr_tracker.queries.limits import lock_down
from sr_tracker.queries.reading import read_sql, read_view
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import QueryError, UnknownNameError
from sr_tracker.tracker.api.tracker import Tracker, connect
from sr_tracker.tracker.cli.context import Context
from tests.building import outputs_and_secrets

RUN = "from sr_tracker.tracker.cli import main; main()"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with outputs, and files beside it to be stolen."""
    return outputs_and_secrets(tmp_path_factory.mktemp("reading"))


@pytest.fixture(scope="module")
def locked(file: Path) -> Iterator[Database]:
    """The database as 'tracker sql' and 'tracker show' open it."""
    with open_database(file, read_only=True) as database:
        lock_down(database)
        yield database


@pytest.fixture
def fresh(file: Path) -> Iterator[Database]:
    """The same, for one test: a query that is broken off may leave the connection unusable."""
    with open_database(file, read_only=True) as database:
        lock_down(database)
        yield database


def state(folder: Path) -> dict[str, bytes]:
    return {item.name: item.read_bytes() for item in folder.iterdir()}


ATTEMPTS = [
    line.replace("\\n", "\n")
    for line in Path(__file__).with_name("attempts.txt").read_text(encoding="utf-8").splitlines()
]
"""Statements that write, or reach what is no part of the database, one a line."""


def test_a_column_that_there_is_not_is_told_with_the_nearest(database: Database) -> None:
    with pytest.raises(QueryError) as caught:
        read_view(database, "leaderboard", columns="systm_id, bleu")
    assert caught.value.message == "there is no column 'systm_id'"
    assert "nearest: system_id" in str(caught.value)


@pytest.mark.parametrize("query", ATTEMPTS)
def test_no_way_out(locked: Database, file: Path, query: str) -> None:
    before = state(file.parent)
    secret_frame = [1]  # a variable that a replacement scan could find
    with pytest.raises(QueryError) as caught:
        read_sql(locked, query.format(folder=file.parent))
    assert "hidden" not in str(caught.value).replace("/* hidden */", "")
    assert secret_frame == [1]
    assert state(file.parent) == before


def test_what_only_reads_is_allowed(locked: Database) -> None:
    for query in (
        "SELECT 1;",
        "SELECT 1 /* ; DELETE FROM output */",
        "SELECT ';' AS semicolon -- ; DELETE FROM output",
        "EXPLAIN SELECT 1",
        "DESCRIBE output",
        "SHOW TABLES",
        "SUMMARIZE output",
        "FROM output LIMIT 3",
        "VALUES (1)",
        "SELECT * FROM query('SELECT 1')",
    ):
        assert read_sql(locked, query).rows.num_rows, query


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM enable_logging(storage = 'file', storage_config = {{'path': '{log}'}})",
        "SELECT * FROM enable_profiling(save_location = '{log}/x.json')",
        "SELECT * FROM checkpoint()",
        "EXPLAIN ANALYZE CREATE TEMP TABLE x AS SELECT 1",
    ],
)
def test_what_has_effects_leaves_no_trace(file: Path, tmp_path: Path, query: str) -> None:
    """DuckDB lets table functions change settings; they reach no file, nor the next process."""
    file = Path(shutil.copy(file, tmp_path))
    before = state(tmp_path)
    log = tmp_path / "log"
    with open_database(file, read_only=True) as database:
        lock_down(database)
        for text in (query.format(log=log), "SELECT write_log('x')", "FROM output LIMIT 1"):
            with suppress(QueryError):
                read_sql(database, text)
    assert state(tmp_path) == before
    with open_database(file, read_only=True) as again:
        lock_down(again)
        assert read_sql(again, "SELECT count(*) AS n FROM output").rows.to_pylist() == [{"n": 200}]


@pytest.mark.parametrize("part", ["where", "order", "columns"])
def test_conditions_do_not_break_out_either(locked: Database, file: Path, part: str) -> None:
    before = state(file.parent)
    for text in (
        "1; DELETE FROM output",
        "true); DELETE FROM output; SELECT (1",
        "(SELECT content FROM read_text('secret.csv')) = 'x'",
        "1 FROM read_csv('secret.csv') --",
        "EXISTS (FROM glob('*'))",
        "getenv('HOME') = 'x'",
        *(")", "'", '"', "/*"),
    ):
        with pytest.raises(QueryError):
            read_view(locked, "output", **{part: f"({text})" if part == "order" else text})
    assert state(file.parent) == before


def test_a_comment_ends_with_its_condition(locked: Database) -> None:
    rows = read_view(locked, "output", where="sentence_no > 1 -- all", order="1 DESC --", limit=2)
    assert rows.num_rows == 2
    assert min(rows["sentence_no"].to_pylist()) > 1


def test_the_view_is_a_name(locked: Database) -> None:
    for view in ("output; DELETE FROM output", "duckdb_settings()", "read_text('x')", "nothing"):
        with pytest.raises(UnknownNameError):
            read_view(locked, view)


def test_a_tracker_that_may_write_does_not_write_by_reading() -> None:
    with open_installed(None) as database:
        database.connection.execute("INSERT INTO output VALUES ('s', 1, 'text')")
        for query in (
            "DELETE FROM output",
            "EXPLAIN ANALYZE DELETE FROM output",
            "EXPLAIN ANALYZE INSERT INTO campaign VALUES ('D', 'D', 1, NULL)",
        ):
            with pytest.raises(QueryError):
                Tracker(database).sql(query)
        assert Tracker(database).show("output").num_rows == 1
        assert Tracker(database).show("campaign").num_rows == 0
        database.connection.execute("INSERT INTO output VALUES ('s', 2, 'text')")


ENDLESS = [
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT max(a) FROM r",
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT * FROM r",
    "SELECT count(*) FROM output a, output b, output c, output d, output e, output f",
    "SELECT a.* FROM output a, output b, output c, output d, output e ORDER BY a.text || b.text",
    "SELECT i FROM range(100000000000000) AS t(i) WHERE hash(i) = 1",
    "SELECT list(i) FROM range(100000000000000) AS t(i)",
    "SELECT sum(character_edits(a.text, b.text)) FROM output a, output b, output c, output d",
]


@pytest.mark.parametrize("query", ENDLESS)
@pytest.mark.parametrize("rows", [1000, None])
def test_a_runaway_query_is_stopped(fresh: Database, query: str, rows: int | None) -> None:
    with pytest.raises(QueryError, match=r"stopped after 0\.2 seconds|[Mm]emory"):
        read_sql(fresh, query, rows=rows, seconds=0.2)
    assert read_sql(fresh, "SELECT 1 AS a").rows.to_pylist() == [{"a": 1}]


def test_memory_has_a_limit(fresh: Database) -> None:
    with pytest.raises(QueryError, match="Out of Memory"):
        read_sql(fresh, "SELECT list(repeat('x', 1000) || i) FROM range(100000000) AS t(i)")


@pytest.mark.long
def test_what_heeds_no_interrupt_ends_with_the_program(file: Path) -> None:
    endless = "levenshtein(repeat('a', 400000), repeat('b', 400000))"
    arguments = ["show", "campaign", "--where", f"{endless} = 1"]
    done = subprocess.run(
        [sys.executable, "-c", RUN, "-d", str(file), *arguments, "--seconds", "0.5"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert done.returncode == 2, done.stderr
    assert "stopped" in done.stderr
    assert "Traceback" not in done.stderr
    with open_database(file, read_only=True) as database:
        assert read_view(database, "output").num_rows == 200


def test_means_and_medians_by_columns() -> None:
    with open_installed(None) as database:
        database.connection.execute(
            "CREATE OR REPLACE VIEW human_means AS FROM (VALUES "
            "('a', 'x', 1.0::DOUBLE, 3), ('a', 'y', 2.0, 4), ('a', 'y', 6.0, 4), "
            "('b', 'x', NULL, 5)) "
            "AS t (annotator_id, criterion, z, n)"
        )
        rows = read_view(database, "human_means", by=["annotator_id"])
        assert rows.to_pylist() == [
            {"annotator_id": "a", "rows": 3, "z_mean": 3.0, "z_median": 2.0},
            {"annotator_id": "b", "rows": 1, "z_mean": None, "z_median": None},
        ]
        chosen = read_view(
            database, "human_means", by=["criterion"], where="n < 5", order="z_mean DESC", limit=1
        )
        assert chosen.to_pylist() == [{"criterion": "y", "rows": 2, "z_mean": 4.0, "z_median": 4.0}]
        with pytest.raises(UnknownNameError, match="no column 'system; DROP'"):
            read_view(database, "human_means", by=["system; DROP"])


def test_a_file_that_is_open_guarded_opens_again_in_the_same_process(tmp_path: Path) -> None:
    file = tmp_path / "twice.duckdb"
    with connect(file, create=True):
        pass
    context = Context(file, quiet=True, yes=True)
    with context.tracker().reading() as guarded, connect(file, read_only=True) as tracker:
        assert guarded.connection.execute("SELECT count(*) FROM treebank").fetchone() == (0,)
        assert tracker.sql("SELECT count(*) AS n FROM submission").to_pylist() == [{"n": 0}]
    with connect(file) as tracker:
        assert tracker.check() is not None
