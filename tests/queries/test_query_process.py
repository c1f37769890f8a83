"""A stranger's SQL in a process of its own: answers, errors, deadlines that hold, files."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import BoundedSemaphore

import duckdb
import pyarrow.parquet as pq
import pytest

from sr_tracker.queries import query_process
from sr_tracker.queries.formats import csv_text, json_text
from sr_tracker.queries.limits import lock_down
from sr_tracker.queries.query_process import Waiting, run_file, run_query
from sr_tracker.queries.reading import Result, read_sql
from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import DatabaseBusyError, DatabaseUnavailableError, QueryError
from tests.building import outputs_and_secrets

BUSY_SECONDS = 120.0
"""What a busy machine may take to start and to end a process."""
RUNAWAY = [
    "SELECT * FROM (SELECT unnest(range(100000000)) AS i) ORDER BY random()",
    "SELECT list_reduce(range(30000000), lambda x, y: x + y)",
    "SELECT repeat('a', 2000000000)",
    "SELECT length(repeat('a', 2000000000)) FROM range(10)",
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT max(a) FROM r",
    "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT * FROM r",
    "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000))",
    "SELECT md5(repeat('a', 500000000 + i)) FROM range(100) AS t(i)",
    "SELECT list(i) FROM range(100000000000000) AS t(i)",
    "SELECT a.* FROM output a, output b, output c, output d, output e ORDER BY a.text || b.text",
    "SELECT sum(character_edits(a.text, b.text)) FROM output a, output b, output c, output d",
    "SELECT list(repeat('x', 1000) || i) FROM range(100000000) AS t(i)",
]
REACHING = [
    "FROM read_csv('/etc/passwd')",
    "FROM '{folder}/secret.csv'",
    "COPY output TO '{folder}/stolen.csv'",
    "ATTACH '{folder}/other.duckdb'",
    "INSTALL httpfs",
    "SET enable_external_access = true",
    "PRAGMA enable_external_access = true",
    "SELECT getenv('HOME')",
    "FROM glob('/*')",
    "SELECT 1; SELECT 2",
    "SELECT 1; DELETE FROM output",
    "EXPLAIN ANALYZE COPY output TO '{folder}/stolen.csv'",
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with outputs, and files beside it to be stolen."""
    return outputs_and_secrets(tmp_path_factory.mktemp("query_process"))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the processes that are started."""
    results: list[int] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: object, **how: object) -> None:
            super().__init__(*arguments, **how)  # type: ignore[call-overload]
            results.append(self.pid)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    return results


def state(folder: Path) -> dict[str, bytes | None]:
    return {item.name: item.read_bytes() if item.is_file() else None for item in folder.iterdir()}


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
        content = Path(f"/proc/{process}/stat").read_text()
    except ProcessLookupError:
        return True
    except FileNotFoundError:  # not on this system
        return False
    return content.rpartition(")")[2].split()[0] == "Z"


def expect_stop(file: Path, query: str, message: str) -> None:
    start = time.monotonic()
    with pytest.raises(QueryError, match=message):
        run_query(file, query, rows=100, seconds=1.0, patience=60.0)
    assert time.monotonic() - start < 1.0 + BUSY_SECONDS


def test_an_answer_is_what_the_tracker_itself_reads(file: Path) -> None:
    query = "SELECT sentence_no, text, [1.5, NULL] AS l, 1::HUGEINT AS h, DATE '2026-01-02' AS d"
    query += " FROM output ORDER BY 1"
    rows = run_query(file, query, rows=7, seconds=30.0)
    with open_database(file, read_only=True) as database:
        lock_down(database)
        expected = read_sql(database, query, rows=7)
    assert rows.truncated
    assert rows == Result(expected.rows, True)
    whole = run_query(file, "FROM output", rows=200, seconds=30.0)
    assert (whole.rows.num_rows, whole.truncated) == (200, False)


@pytest.mark.parametrize("query", ["SELECT nothing FROM output", "DELETE FROM output", "\ud800"])
def test_errors_are_those_of_the_command(file: Path, query: str) -> None:
    with open_database(file, read_only=True) as database:
        lock_down(database)
        with pytest.raises(QueryError) as expected:
            read_sql(database, query)
    with pytest.raises(QueryError) as caught:
        run_query(file, query, rows=10, seconds=30.0)
    assert str(caught.value) == str(expected.value)


def test_a_file_that_cannot_be_read_is_told(file: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="no such database"):
        run_query(tmp_path / "none.duckdb", "SELECT 1", rows=1, seconds=30.0)
    assert not [*tmp_path.iterdir()]
    with open_database(file), pytest.raises(DatabaseBusyError, match="in use by process"):
        run_query(file, "SELECT 1", rows=1, seconds=30.0, patience=0.2)


def test_a_file_is_read_whose_views_another_program_installed(file: Path, tmp_path: Path) -> None:
    """To install its own the process would have to write to what the explorer holds open."""
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(file.read_bytes())
    with duckdb.connect(str(copy)) as connection:
        connection.execute("UPDATE catalog SET sha256 = 'of the program as it was'")
    with open_database(copy, read_only=True):
        rows = run_query(copy, "SELECT sha256 FROM catalog", rows=1, seconds=BUSY_SECONDS)
    assert rows.rows.to_pylist() == [{"sha256": "of the program as it was"}]


@pytest.mark.parametrize("query", [RUNAWAY[0], RUNAWAY[4]])
def test_what_does_not_end_is_killed(file: Path, started: list[int], query: str) -> None:
    before = state(file.parent)
    expect_stop(file, query, "stopped after 1 seconds")
    assert [is_gone(process) for process in started] == [True]
    assert state(file.parent) == before


def test_a_process_that_waits_answers_one_query_and_leaves_another_waiting(
    file: Path, started: list[int]
) -> None:
    waiting = Waiting()
    waiting.prepare(file)
    wait_for(lambda: waiting._spare is not None)
    result = waiting.run(file, "SELECT pi() AS p", rows=1, seconds=BUSY_SECONDS)
    assert result.rows.num_rows == 1
    wait_for(lambda: len(started) == 2 and is_gone(started[0]))
    assert not is_gone(started[1])
    with pytest.raises(QueryError, match="stopped after 1 seconds"):
        waiting.run(file, RUNAWAY[4], rows=1, seconds=1.0)
    wait_for(lambda: len(started) == 3 and is_gone(started[1]))
    wait_for(lambda: waiting._spare is not None)
    os.kill(started[2], signal.SIGKILL)
    wait_for(lambda: waiting._spare is None)
    again = waiting.run(file, "SELECT 1 AS a", rows=1, seconds=BUSY_SECONDS)
    assert again.rows.to_pylist() == [{"a": 1}]
    waiting.close()
    waiting.prepare(file)
    wait_for(lambda: all(map(is_gone, started)))


def test_a_process_waits_for_queries_on_one_file(
    file: Path, tmp_path: Path, started: list[int]
) -> None:
    other = tmp_path / "other.duckdb"
    other.write_bytes(file.read_bytes())
    waiting = Waiting()
    waiting.prepare(file)
    wait_for(lambda: waiting._spare is not None)
    with duckdb.connect(str(other)) as connection:
        connection.execute("DELETE FROM output WHERE sentence_no > 3")
    result = waiting.run(other, "FROM output", rows=9, seconds=BUSY_SECONDS)
    assert result.rows.num_rows == 3
    assert is_gone(started[0])
    waiting.close()


def test_an_answer_has_a_size(file: Path) -> None:
    with pytest.raises(QueryError, match="larger than 64 MB"):
        run_query(file, "SELECT repeat('ab', 1000000) FROM range(100)", rows=100, seconds=120.0)


def test_a_process_that_fails_is_an_error(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(broken))
    with pytest.raises(QueryError, match="exit code 3"):
        run_query(file, "SELECT 1" + " " * 1_000_000, rows=1, seconds=30.0)


def test_one_too_many_waits_or_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_process, "_free", BoundedSemaphore(1))
    with ThreadPoolExecutor() as pool:
        first = pool.submit(run_query, file, RUNAWAY[4], rows=1, seconds=2.0)
        while query_process._free.acquire(blocking=False):
            query_process._free.release()
            time.sleep(0.01)
        with pytest.raises(QueryError, match="queries are running"):
            run_query(file, "SELECT 1", rows=1, seconds=30.0, patience=0.1)
        rows = run_query(file, "SELECT 1 AS a", rows=1, seconds=30.0, patience=60.0)
        assert rows.rows.to_pylist() == [{"a": 1}]
        with pytest.raises(QueryError, match="stopped after 2 seconds"):
            first.result()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process ends by its own alarm")
def test_it_ends_with_its_parent(file: Path) -> None:
    program = (
        "import subprocess, sys\n"
        "from sr_tracker.queries import query_process\n"
        "class Noted(subprocess.Popen):\n"
        "    def __init__(self, *a, **k):\n"
        "        super().__init__(*a, **k)\n"
        "        print(self.pid, flush=True)\n"
        "subprocess.Popen = Noted\n"
        "received = query_process._received\n"
        "def asked(pipe, seconds, most):\n"
        "    print('asked', flush=True)\n"
        "    return received(pipe, seconds, most)\n"
        "query_process._received = asked\n"
        "query_process.run_query(sys.argv[1], sys.argv[2], rows=1, seconds=600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file), RUNAWAY[4]], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert parent.stdout.readline() == b"asked\n"
        assert not is_gone(child)
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: is_gone(child))


def wait_for(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + BUSY_SECONDS
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.long
@pytest.mark.parametrize("query", RUNAWAY)
def test_no_query_outlives_its_deadline(file: Path, started: list[int], query: str) -> None:
    before = state(file.parent)
    expect_stop(file, query, r"stopped after 1 seconds|[Mm]emory|larger than 64 MB")
    assert all(map(is_gone, started))
    assert state(file.parent) == before


@pytest.mark.long
@pytest.mark.parametrize("query", REACHING)
def test_no_query_reaches_a_file(file: Path, query: str) -> None:
    before = state(file.parent)
    with pytest.raises(QueryError) as caught:
        run_query(file, query.format(folder=file.parent), rows=100, seconds=30.0)
    assert "hidden" not in str(caught.value)
    assert state(file.parent) == before


@pytest.mark.long
def test_hostile_queries_at_once_keep_no_other_from_its_answer(
    file: Path, started: list[int]
) -> None:
    hostile = RUNAWAY[: query_process.PROCESSES - 1]
    with ThreadPoolExecutor() as pool:
        running = [pool.submit(run_query, file, entry, rows=1, seconds=5.0) for entry in hostile]
        wait_for(lambda: len(started) == len(hostile))
        start = time.monotonic()
        for _ in range(3):
            assert run_query(file, "SELECT 1", rows=1, seconds=30.0).rows.num_rows == 1
        assert time.monotonic() - start < BUSY_SECONDS
        for item in running:
            with pytest.raises(QueryError):
                item.result()
    assert all(map(is_gone, started))


LONG = 3000
ENUM = f"SELECT ('{'a' * LONG}')::ENUM ('{'a' * LONG}') AS letters"
"""A text that stands in an answer of Arrow once, and in a file as often as there are rows."""


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_an_answer_is_bounded_before_it_grows(file: Path, kind: str) -> None:
    columns = ", ".join(f"letters AS c{number}" for number in range(40))
    query = f"SELECT {columns} FROM ({ENUM}), range(2000)"
    with pytest.raises(QueryError, match="larger than 64 MB"):
        run_file(file, query, kind, rows=10**6, seconds=BUSY_SECONDS)
    with pytest.raises(QueryError, match="larger than 8 MB"):
        run_query(file, query, rows=10**6, seconds=BUSY_SECONDS, most=8 * 10**6)


def test_a_file_is_what_its_rows_are(file: Path) -> None:
    query = "SELECT i AS n, 'x' || i AS t, [i, NULL] AS l FROM range(25000) AS r(i)"
    rows = run_query(file, query, rows=10**6, seconds=BUSY_SECONDS).rows
    written = {
        kind: run_file(file, query, kind, rows=10**6, seconds=BUSY_SECONDS)
        for kind in ("csv", "json", "parquet")
    }
    cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
    assert written["csv"].decode() == csv_text(rows.column_names, cells)
    assert written["json"].decode() == json_text(rows.to_pylist())
    assert pq.read_table(io.BytesIO(written["parquet"])).equals(rows)
    assert run_file(file, f"{query} LIMIT 0", "json", rows=9, seconds=BUSY_SECONDS) == b"[]\n"
    assert run_file(file, f"{query} LIMIT 0", "csv", rows=9, seconds=BUSY_SECONDS) == b"n,t,l\n"


def test_texts_of_enums_stand_in_rows_as_often_as_they_are_used(file: Path) -> None:
    query = (
        "SELECT 'b'::ENUM ('a', 'b') AS e, ['a'::ENUM ('a', 'b')] AS l, {'k': 'a'::ENUM ('a')} AS s"
    )
    rows = run_query(file, query, rows=9, seconds=BUSY_SECONDS).rows
    assert rows.to_pylist() == [{"e": "b", "l": ["a"], "s": {"k": "a"}}]
    assert not any("dictionary" in str(field.type) for field in rows.schema)
