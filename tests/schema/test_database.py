"""Opening, upgrading and sharing a database file."""

from __future__ import annotations

import os
import platform
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import duckdb
import pytest
from sqlmodel import select

from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.engine import one_thread
from sr_tracker.schema.errors import DatabaseBusyError, DatabaseUnavailableError
from sr_tracker.schema.files import part_of
from sr_tracker.schema.sharing import unreachable_when_lost
from sr_tracker.schema.tables.campaign import Campaign, Submission, Treebank
from sr_tracker.schema.tables.score import NgramMatch
from sr_tracker.schema.waiting import Wait, begin_changes, open_in_turn

HOLDER = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.close()
"""


@contextmanager
def held(path: Path, seconds: float) -> Iterator[int]:
    """Another process that holds the file; gives its PID."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), str(seconds)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        yield holder.pid
    finally:
        holder.kill()
        holder.communicate()


def campaigns(database: Database) -> list[str]:
    rows = database.connection.execute("SELECT campaign_id FROM campaign ORDER BY 1").fetchall()
    return [campaign_id for (campaign_id,) in rows]


def add_campaign(database: Database, campaign_id: str) -> None:
    database.connection.execute("INSERT INTO campaign VALUES (?, ?, 2026, NULL)", [campaign_id] * 2)


# Files that are not ours


@pytest.mark.parametrize(
    "made_by",
    [
        "CREATE TABLE flights (a INTEGER)",
        "CREATE VIEW flights AS SELECT 1 AS a",
        "CREATE SCHEMA other; CREATE TABLE other.flights (a INTEGER)",
        "CREATE TABLE schema_version (version VARCHAR)",
        "CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (99)",
        "CREATE TABLE schema_version (version INTEGER, name DATE, tool DATE, applied_at DATE)",
    ],
)
@pytest.mark.parametrize("read_only", [False, True])
def test_database_of_another_program_is_refused_and_left_alone(
    tmp_path: Path, made_by: str, read_only: bool
) -> None:
    path = tmp_path / "foreign.duckdb"
    connection = duckdb.connect(str(path))
    connection.execute(made_by)
    connection.close()
    content = path.read_bytes()
    with pytest.raises(DatabaseUnavailableError, match="not made by the tracker") as caught:
        open_database(path, read_only=read_only)
    assert caught.value.where == str(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("read_only", [False, True])
def test_file_that_is_no_database_is_refused(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "text.duckdb"
    content = b"not a database" * 1000
    path.write_bytes(content)
    with pytest.raises(DatabaseUnavailableError, match="cannot be opened"):
        open_database(path, read_only=read_only)
    assert path.read_bytes() == content


def test_a_file_of_a_newer_duckdb_is_named_as_one(tmp_path: Path) -> None:
    path = tmp_path / "newer.duckdb"
    open_database(path).close()
    content = bytearray(path.read_bytes())
    content[12:20] = (2**32).to_bytes(8, "little")  # of the storage
    content[52:84] = b"v9.8.7".ljust(32, b"\0")
    checksum = 5381
    for (word,) in struct.iter_unpack("<Q", content[8:4096]):
        checksum ^= word * 0xBF58476D1CE4E5B9 % 2**64
    content[:8] = checksum.to_bytes(8, "little")
    path.write_bytes(content)
    with pytest.raises(DatabaseUnavailableError, match=r"DuckDB 9\.8\.7 made it") as caught:
        open_database(path)
    assert f"DuckDB {duckdb.__version__} cannot read" in str(caught.value)
    assert "pip install --upgrade duckdb" in caught.value.hint
    assert path.read_bytes() == content


def test_a_new_file_is_one_that_every_duckdb_since_1_0_reads(tmp_path: Path) -> None:
    path = tmp_path / "new.duckdb"
    open_database(path).close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE more AS SELECT 1 AS a")
    with duckdb.connect(str(path), read_only=True) as connection:
        tags = connection.execute("SELECT tags FROM duckdb_databases() WHERE NOT internal")
        assert tags.fetchall() == [({"storage_version": "v1.0.0+"},)]
    assert int.from_bytes(path.read_bytes()[12:20], "little") == 64  # what DuckDB 1.0 wrote


@pytest.mark.parametrize("length", [100, 4096, 10_000, 200_000, -100])
def test_truncated_database_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "cut.duckdb"
    open_database(path).close()
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DatabaseUnavailableError):
        open_database(path)


def test_overwritten_bytes_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rotten.duckdb"
    open_database(path).close()
    content = bytearray(path.read_bytes())
    for position in range(0, len(content), 1000):
        content[position] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(DatabaseUnavailableError):
        open_database(path)


def test_an_empty_file_is_not_read_and_made_anew_by_writing(tmp_path: Path) -> None:
    path = tmp_path / "empty.duckdb"
    path.touch()
    for how in ({"read_only": True}, {"create": False}):
        with pytest.raises(DatabaseUnavailableError, match="empty file"):
            open_database(path, **how)
        assert path.stat().st_size == 0
    with open_database(path) as database:
        add_campaign(database, "SR19")
    with open_database(path, read_only=True) as database:
        assert campaigns(database) == ["SR19"]
    assert [file.name for file in tmp_path.iterdir()] == ["empty.duckdb"]


def test_nothing_is_made_unless_told(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="no such database") as caught:
        open_database(tmp_path / "typo.duckdb", create=False)
    assert "create=True" in str(caught.value.hint)
    assert not list(tmp_path.iterdir())


def test_of_several_that_make_a_database_at_once_none_loses_what_it_writes(tmp_path: Path) -> None:
    path = tmp_path / "new.duckdb"
    adding = (
        "import sys; from sr_tracker.schema.database import open_database\n"
        "with open_database(sys.argv[1], wait_seconds=600) as database:\n"
        "    database.connection.execute("
        '"INSERT INTO campaign VALUES ($1, $1, 2026, NULL)", [sys.argv[2]])'
    )
    writers = [subprocess.Popen([sys.executable, "-c", adding, path, name]) for name in "ABC"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    with open_database(path, read_only=True) as database:
        assert campaigns(database) == ["A", "B", "C"]
    assert [file.name for file in tmp_path.iterdir()] == ["new.duckdb"]


# The log of changes


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that has a campaign and left another one to its log."""
    path = tmp_path_factory.mktemp("killed") / "c.duckdb"
    with open_database(path) as database:
        add_campaign(database, "PACKED")
    ended = (
        "import os, sys; from sr_tracker.schema.database import open_database\n"
        "database = open_database(sys.argv[1])\n"
        "database.connection.execute("
        "\"INSERT INTO campaign VALUES ('LOGGED', 'LOGGED', 2026, NULL)\")\n"
        "os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", ended, path], check=False).returncode == 9
    assert path.with_name("c.duckdb.wal").stat().st_size > 0
    return path.parent


@pytest.fixture
def logged(killed: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of that database, and its log."""
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "c.duckdb", tmp_path / "c.duckdb.wal"


def test_what_was_written_is_in_the_file_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "closed.duckdb"
    database = open_database(path)
    other = database.connection.cursor()
    add_campaign(database, "SR19")
    database.close()
    assert not path.with_name("closed.duckdb.wal").exists()
    other.close()
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("FROM change_log").fetchall() == [(False,)]


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "lost": lambda _: None,
    "empty": lambda _: b"",
    "other content": lambda _: b"not a log" * 100,
    "cut at its start": lambda log: log[:10],
    "overwritten": lambda log: log[:-60] + bytes(60),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_lost_or_damaged_log_is_told_until_it_is_back_or_given_up(
    logged: tuple[Path, Path], tmp_path: Path, damage: str
) -> None:
    path, log = logged
    content = log.read_bytes()
    changed = DAMAGES[damage](content)
    log.unlink()
    if changed is not None:
        log.write_bytes(changed)
    for read_only in (True, False, True):
        with pytest.raises(DatabaseUnavailableError, match="log of the database's chang") as caught:
            open_database(path, read_only=read_only)
        assert caught.value.where == str(log)
        assert "--accept-loss" in str(caught.value.hint)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / path.name).write_bytes(path.read_bytes())
    (copy / log.name).write_bytes(content)
    with open_database(copy / path.name, read_only=True) as database:
        assert campaigns(database) == ["LOGGED", "PACKED"]
    with open_database(path, accept_loss=True) as database:
        assert campaigns(database) == ["PACKED"]
    with open_database(path, read_only=True) as database:
        assert campaigns(database) == ["PACKED"]
    rest = log.with_name("c.duckdb.wal.damaged")
    assert (rest.read_bytes() if rest.exists() else None) == (changed or None)


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("Out of Memory Error: Allocation failure", "ulimit -v"),
        ("could not allocate block: Cannot allocate memory", "ulimit -v"),
        ('Could not write file "c.duckdb": File too large', "ulimit -f"),
        ('Could not write file "c.duckdb": No space left on device', "make room"),
        ('Could not read from file "c.duckdb.wal": Input/output error', "check it"),
        ("Failed to read WAL of version 9", "together as they are"),
    ],
)
def test_a_log_that_was_not_read_is_not_therefore_damaged(
    logged: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, reason: str, remedy: str
) -> None:
    path, log = logged
    content = log.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise duckdb.IOException(f'IO Error: Failure while replaying WAL file "{log}": {reason}')

    for accept_loss in (False, True):
        with monkeypatch.context() as patched:
            patched.setattr(duckdb, "connect", fail)
            with pytest.raises(DatabaseUnavailableError) as refused:
                open_database(path, accept_loss=accept_loss)
        assert refused.value.exit_code == 3
        assert remedy in str(refused.value)
        assert "--accept-loss" not in str(refused.value)
        assert "permissions" not in str(refused.value)
        assert log.read_bytes() == content
    with open_database(path) as database:
        assert campaigns(database) == ["LOGGED", "PACKED"]


def test_a_log_that_another_program_packed_is_not_missing(logged: tuple[Path, Path]) -> None:
    path, _ = logged
    duckdb.connect(str(path)).close()
    with open_database(path, read_only=True) as database:
        assert campaigns(database) == ["LOGGED", "PACKED"]


@pytest.mark.parametrize("statement", ["CHECKPOINT", "UPDATE change_log SET missing = false"])
def test_an_end_before_the_log_begins_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    path = tmp_path / "c.duckdb"
    with open_database(path) as database:
        add_campaign(database, "PACKED")
    ended = (
        "import os, sys, duckdb; from sr_tracker.schema.waiting import begin_changes\n"
        "from pathlib import Path\n"
        "class Ending:\n"
        "    def __init__(self, path): self.real = duckdb.connect(path)\n"
        "    def execute(self, text):\n"
        "        if text == sys.argv[2]: os._exit(9)\n"
        "        self.real.execute(text)\n"
        "begin_changes(Ending(sys.argv[1]), Path(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-c", ended, path, statement], check=False)
    assert done.returncode == 9
    for read_only in (True, False, True):
        with open_database(path, read_only=read_only) as database:
            assert campaigns(database) == ["PACKED"]


@pytest.mark.parametrize("statement", ["SET missing = true", "CHECKPOINT", "SET missing = false"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, duckdb.IOException])
def test_what_breaks_off_before_the_log_begins_leaves_no_file(
    tmp_path: Path, statement: str, error: type[BaseException]
) -> None:
    path = tmp_path / "c.duckdb"
    with open_database(path) as database:
        add_campaign(database, "PACKED")
    connection = duckdb.connect(str(path))
    broken_off = []

    class Ending:
        def execute(self, text: str) -> None:
            is_first = text.endswith(statement) and not broken_off
            if is_first and error is duckdb.IOException:
                broken_off.append(text)
                raise error("No space left on device")
            connection.execute(text)
            if is_first:
                broken_off.append(text)
                raise error

    with pytest.raises(error):
        begin_changes(cast("duckdb.DuckDBPyConnection", Ending()), path)
    connection.close()
    for read_only in (True, False):
        with open_database(path, read_only=read_only) as database:
            assert campaigns(database) == ["PACKED"]
    assert [file.name for file in tmp_path.iterdir()] == ["c.duckdb"]


def test_what_a_killed_creation_left_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But nothing of a process on another machine, whose numbers say nothing here, for a day."""
    path = tmp_path / "[c].duckdb"
    name = "from sr_tracker.schema.files import *; print(part_of(Path(sys.argv[1])).name)"
    ended = subprocess.run(
        [sys.executable, "-c", name, str(path)], capture_output=True, text=True, check=True
    ).stdout.strip()
    own = part_of(path)
    start = own.name.removesuffix(".part").rpartition("-")[2]
    monkeypatch.setattr(platform, "node", lambda: "another machine")
    elsewhere = ended.replace(own.name.split(".")[3], part_of(path).name.split(".")[3])
    monkeypatch.undo()
    left = [
        *(ended, f"{ended}.wal", own.name.replace(f"-{start}.", f"-{int(start) - 1}.")),
        f"{elsewhere}.forgotten",
    ]
    others = [own.name, elsewhere, f".other{ended}", f".{path.name}.mine.part"]
    for file in (*left, *others):
        (tmp_path / file).write_bytes(b"unfinished")
    os.utime(tmp_path / left[-1], (0, 0))
    part_of(path)
    assert {file.name for file in tmp_path.iterdir()} == {*others}


def test_a_log_without_its_database_is_kept(logged: tuple[Path, Path]) -> None:
    path, log = logged
    content = log.read_bytes()
    path.unlink()
    with pytest.raises(DatabaseUnavailableError, match="belongs to is not there"):
        open_database(path)
    assert log.read_bytes() == content


def test_reading_needs_a_file(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="no such database"):
        open_database(tmp_path / "missing.duckdb", read_only=True)
    assert not list(tmp_path.iterdir())


def test_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="folder"):
        open_database(tmp_path)


def test_a_file_system_without_locks_is_told_at_once(tmp_path: Path) -> None:
    """Nobody has the file open: to wait for them would be in vain."""
    reasons: list[str] = []

    def open_once() -> duckdb.DuckDBPyConnection:
        raise duckdb.IOException('IO Error: Could not set lock on file "c": No locks available.')

    with (
        Wait(60.0, reasons.append) as wait,
        pytest.raises(DatabaseUnavailableError, match="No locks available") as raised,
    ):
        open_in_turn(open_once, tmp_path / "c.duckdb", wait, read_only=False)
    assert not isinstance(raised.value, DatabaseBusyError)
    assert "takes no locks" in str(raised.value)
    assert not wait._waited() > 30
    assert not reasons


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailableError, match="does not exist") as caught:
        open_database(tmp_path / "missing" / "new.duckdb")
    assert caught.value.where == str(tmp_path / "missing")


# Other processes


@pytest.mark.parametrize("read_only", [False, True])
def test_busy_database_names_the_process_that_holds_it(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "busy.duckdb"
    open_database(path).close()
    with held(path, 3600) as pid:
        start = time.monotonic()
        with pytest.raises(DatabaseBusyError, match=rf"process {pid} ") as caught:
            open_database(path, read_only=read_only, wait_seconds=0.4)
        assert time.monotonic() - start >= 0.4
    assert caught.value.exit_code == 3
    assert caught.value.where == str(path)


def test_database_that_is_busy_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "busy.duckdb"
    open_database(path).close()
    with held(path, 0.5), open_database(path, wait_seconds=600) as database:
        assert campaigns(database) == []


def test_failed_opening_gives_the_file_free(tmp_path: Path) -> None:
    path = tmp_path / "foreign.duckdb"
    connection = duckdb.connect(str(path))
    connection.execute("CREATE TABLE flights (a INTEGER)")
    connection.close()
    with pytest.raises(DatabaseUnavailableError):
        open_database(path)
    with held(path, 0):
        pass


def test_reading_and_writing_exclude_changes(tmp_path: Path) -> None:
    path = tmp_path / "read.duckdb"
    open_database(path).close()
    with (
        open_database(path, read_only=True) as database,
        pytest.raises(duckdb.InvalidInputException, match="read-only"),
    ):
        add_campaign(database, "SR19")


# Transactions and sessions


@pytest.fixture
def memory() -> Iterator[Database]:
    with open_database(None) as database:
        yield database


def test_transaction_takes_effect_as_a_whole(memory: Database) -> None:
    with memory.transaction():
        add_campaign(memory, "A")
        add_campaign(memory, "B")
    assert campaigns(memory) == ["A", "B"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_transaction_that_fails_leaves_nothing(
    memory: Database, error: type[BaseException]
) -> None:
    def fail() -> None:
        with memory.transaction():
            add_campaign(memory, "A")
            raise error

    with pytest.raises(error):
        fail()
    assert campaigns(memory) == []
    with memory.transaction():
        add_campaign(memory, "B")
    assert campaigns(memory) == ["B"]


def test_inner_transaction_is_part_of_the_outer_one(memory: Database) -> None:
    def fail() -> None:
        with memory.transaction():
            with memory.transaction():
                add_campaign(memory, "A")
            raise ValueError("outer")

    with pytest.raises(ValueError, match="outer"):
        fail()
    assert campaigns(memory) == []


def test_commit_that_fails_tells_its_own_reason(memory: Database) -> None:
    other = memory.connection.cursor()

    def conflict() -> None:
        with memory.transaction():
            add_campaign(memory, "A")
            other.execute("INSERT INTO campaign VALUES ('A', 'other', NULL, NULL)")

    with pytest.raises(duckdb.TransactionException, match="duplicate key"):
        conflict()
    with memory.transaction():
        add_campaign(memory, "B")
    assert campaigns(memory) == ["A", "B"]


def test_session_round_trips_objects(memory: Database) -> None:
    created_at = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
    with memory.session() as session:
        session.add(
            Treebank(
                treebank_id="en_x-ud2.3-test",
                scheme="ud",
                excluded_relations=["orphan", "it's"],
                hidden_text=False,
                sentences=1,
                tokens=2,
                source="x.conllu",
                sha256="0",
            )
        )
        session.add(
            Submission(
                submission_id="SR19/IMS/en_x",
                campaign_id="SR19",
                system_id="IMS",
                treebank_id="en_x-ud2.3-test",
                track="shallow",
                iteration=1,
                created_at=created_at,
                reference_form="text",
                analysis="reference/1",
                params={"beam": 5, "name": "ü"},
                source="x.txt",
                sha256="0",
            )
        )
        session.add(
            NgramMatch(
                signature_id="0",
                submission_id="SR19/IMS/en_x",
                sentence_no=1,
                output_length=2,
                reference_length=2,
                matches=[2, 1, 0, 0],
                totals=[2, 1, 0, 0],
            )
        )
        session.commit()
    with memory.session() as session:
        treebank = session.exec(select(Treebank)).one()
        submission = session.exec(select(Submission)).one()
        matches = session.exec(select(NgramMatch)).one()
    assert treebank.excluded_relations == ["orphan", "it's"]
    assert (submission.params, submission.tags) == ({"beam": 5, "name": "ü"}, {})
    assert submission.created_at == created_at
    assert (matches.matches, matches.information) == ([2, 1, 0, 0], None)
    stored = memory.connection.execute("SELECT params ->> 'beam' FROM submission").fetchone()
    assert stored == ("5",)


def test_session_sees_what_is_committed_and_nothing_else(memory: Database) -> None:
    add_campaign(memory, "A")
    with memory.transaction():
        add_campaign(memory, "B")
        with memory.session() as session:
            assert [campaign.campaign_id for campaign in session.exec(select(Campaign))] == ["A"]
    with memory.session() as session:
        computed = session.exec(select(Campaign).where(Campaign.campaign_id == "B")).one()
        computed.year = 1999
        session.add(computed)
        session.commit()
    assert memory.connection.execute(
        "SELECT year FROM campaign WHERE campaign_id = 'B'"
    ).fetchone() == (1999,)


def test_session_that_is_not_committed_changes_nothing(memory: Database) -> None:
    with memory.session() as session:
        session.add(Campaign(campaign_id="A", name="A"))
        session.flush()
    assert campaigns(memory) == []


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no choice of cores here")
def test_no_more_threads_than_cores_of_the_process(tmp_path: Path) -> None:
    script = (
        "import os, sys; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from sr_tracker.schema.database import open_database\n"
        "connection = open_database(sys.argv[1]).connection\n"
        "print(connection.execute(\"SELECT current_setting('threads')\").fetchall())"
    )
    output = subprocess.check_output(
        [sys.executable, "-c", script, str(tmp_path / "campaign.duckdb")], text=True
    )
    assert output == "[(1,)]\n"


def test_one_thread_for_a_block(tmp_path: Path) -> None:
    def threads(database: Database) -> int:
        row = database.connection.execute("SELECT current_setting('threads')").fetchone()
        assert row is not None
        return int(row[0])

    with open_database(tmp_path / "campaign.duckdb") as database:
        database.connection.execute("SET threads = 3")
        with one_thread(database):
            assert threads(database) == 1
        assert threads(database) == 3


def test_a_lake_that_was_lost_between_two_reads_is_said_to_be_lost() -> None:
    words = "Failed to get files from DuckLake: Current transaction is aborted (please ROLLBACK)"
    lost = pytest.raises(DatabaseUnavailableError, match="the lake was lost")
    with lost, unreachable_when_lost(LakeAddress("postgres:dbname=lake")):
        raise duckdb.TransactionException(words)
