"""Several processes and threads at one database."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import DatabaseBusyError, ReadOnlyError
from sr_tracker.schema.iterations import list_submissions
from sr_tracker.tracker import submit as submitting
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.cli.context import Context
from sr_tracker.tracker.cli.ingest import submit as submit_command
from sr_tracker.tracker.submit import SubmitReport
from tests.building import written

if TYPE_CHECKING:
    from tests.faults.conftest import Run

pytestmark = pytest.mark.long
HOLDER = """
import sys, time
from sr_tracker.schema.database import open_database
database = open_database(sys.argv[1])
with database.transaction():
    database.connection.execute("INSERT INTO campaign VALUES ('HELD', 'HELD', 2026, NULL)")
    print("held", flush=True)
    sys.stdin.readline()
database.close()
"""


class Writer:
    """Another process in the middle of a write."""

    def __init__(self, database: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "held\n"

    def finish(self) -> None:
        """Let it commit and end."""
        self._process.communicate("go on\n")
        assert self._process.returncode == 0

    def kill(self) -> None:
        """End it before it has committed."""
        self._process.kill()
        self._process.communicate()


def campaigns(database: Path) -> list[str]:
    with open_database(database, read_only=True) as opened:
        rows = opened.connection.execute("SELECT campaign_id FROM campaign ORDER BY 1").fetchall()
    return [name for (name,) in rows]


def test_a_second_writer_and_a_reader_wait_and_then_name_the_first(
    scored: Path, tmp_path: Path, tracker: Run, manifest: Path
) -> None:
    database = written(tmp_path / "campaign.duckdb", scored.read_bytes())
    writer = Writer(database)
    try:
        with ThreadPoolExecutor() as pool:
            attempts = [("ingest", manifest), ("score", "--no-log"), ("show", "leaderboard")]
            start = time.monotonic()
            waiting = {"TRACKER_WAIT": "3"}
            for done in pool.map(
                lambda arguments: tracker(database, *arguments, environment=waiting), attempts
            ):
                assert done.returncode == 3
                assert f"process {writer.pid} " in done.stderr
                assert done.stderr.count("error:") == 1
                assert f"waiting up to 3 s for process {writer.pid} " in done.stderr
                assert len(done.stderr.splitlines()) == 4
                assert "Traceback" not in done.stderr
            assert time.monotonic() - start > 3
    finally:
        writer.kill()
    assert campaigns(database) == ["F26"]


def test_reading_in_python_waits_as_long_as_it_is_told(scored: Path, tmp_path: Path) -> None:
    database = written(tmp_path / "campaign.duckdb", scored.read_bytes())
    writer = Writer(database)
    results: list[str] = []
    try:
        with pytest.raises(DatabaseBusyError, match=f"process {writer.pid} "):
            connect(database, read_only=True, wait=0)
        threading.Timer(3, writer.finish).start()
        with connect(database, read_only=True, wait=60, say=results.append) as reader:
            assert reader.show("submission").num_rows == 6
            with pytest.raises(ReadOnlyError, match="for reading only"):
                reader.database.transaction().__enter__()
    finally:
        writer.kill()
    assert len(results) == 1


def test_a_submission_that_is_stored_is_told_though_the_file_is_taken_at_once(
    scored: Path, tmp_path: Path, manifest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = written(tmp_path / "campaign.duckdb", scored.read_bytes())
    outputs = manifest.parent / "alpha" / "en_one-2.txt"
    taken: list[Writer] = []
    log = submitting._logged

    def logged(*arguments: Any) -> SubmitReport:
        taken.append(Writer(database))
        return log(*arguments)

    monkeypatch.setattr(submitting, "_logged", logged)
    arguments = ["--system", "gamma", "--treebank", "en_one-ud1.0-test", "--campaign", "F26"]
    context = Context(database, False, False, wait=0.5)
    try:
        done = CliRunner().invoke(submit_command, [str(outputs), *arguments], obj=context)
    finally:
        for writer in taken:
            writer.kill()
    assert done.exit_code == 0, done.output
    assert "F26/gamma/en_one-ud1.0-test: submitted" in done.stdout
    assert "bleu" in done.stdout
    message = " ".join(done.stderr.split())
    assert "note: stored, but not logged to MLflow: the database is in use by process" in message
    with open_database(database, read_only=True) as opened:
        assert "F26/gamma/en_one-ud1.0-test" in list_submissions(opened, None)


def test_who_waits_long_enough_succeeds(scored: Path, tmp_path: Path, tracker: Run) -> None:
    database = written(tmp_path / "campaign.duckdb", scored.read_bytes())
    writer = Writer(database)
    with ThreadPoolExecutor() as pool:
        commands = [("score", "--no-log"), ("show", "coverage", "-f", "csv")]
        waiting = [pool.submit(tracker, database, *arguments) for arguments in commands]
        time.sleep(2)
        writer.finish()
        for item in waiting:
            done = item.result()
            assert done.returncode == 0, done.stderr
    assert campaigns(database) == ["F26", "HELD"]
    assert tracker(database, "check").returncode == 0


def test_ten_readers_at_once_read_the_same(scored: Path, tracker: Run) -> None:
    with ThreadPoolExecutor(4) as pool:
        values = list(
            pool.map(
                lambda _: tracker(scored, "show", "leaderboard", "-f", "csv").stdout, range(10)
            )
        )
    assert values[0].count("\n") == 7
    assert set(values) == {values[0]}


def test_readers_hold_off_a_writer_only_while_they_read(scored: Path, tmp_path: Path) -> None:
    database = written(tmp_path / "campaign.duckdb", scored.read_bytes())
    start = (
        "import sys, time; from sr_tracker.schema.database import open_database; "
        "open_database(sys.argv[1], read_only=True); print('open', flush=True); time.sleep(1.5)"
    )
    reader = subprocess.Popen(
        [sys.executable, "-c", start, str(database)], stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "open\n"
    with open_database(database, wait_seconds=30) as opened:
        opened.connection.execute("INSERT INTO campaign VALUES ('NEXT', 'NEXT', 2026, NULL)")
    reader.communicate()
    assert campaigns(database) == ["F26", "NEXT"]


def test_each_thread_with_a_cursor_of_its_own_reads(scored: Path) -> None:
    """One Tracker belongs to one thread; other threads read through cursors of its connection."""
    with open_database(scored, read_only=True) as database:
        cursors = [database.connection.cursor() for _ in range(4)]
        barrier = threading.Barrier(len(cursors))

        def read(number: int) -> list[tuple[object, ...]]:
            barrier.wait()
            return [
                row
                for _ in range(20)
                for row in cursors[number]
                .execute("SELECT * FROM leaderboard ORDER BY submission_id")
                .fetchall()
            ]

        with ThreadPoolExecutor(len(cursors)) as pool:
            values = list(pool.map(read, range(len(cursors))))
    assert len(values[0]) == 6 * 20
    assert all(rows == values[0] for rows in values)
