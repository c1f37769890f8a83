"""A lake in several hands: of other versions, of roles that may only read, of who was killed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from getpass import getuser
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import sr_tracker
from sr_tracker.queries.lake import Maker, cut, publish, work
from sr_tracker.queries.lake.maintenance import maintain
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.database import say_nothing
from sr_tracker.schema.errors import DatabaseBusyError, DatabaseUnavailableError
from sr_tracker.schema.folders import HeldFolder
from sr_tracker.schema.lake import opening
from sr_tracker.schema.lake.opening import newest_snapshot, open_lake
from sr_tracker.schema.lake.turn import when_connected
from sr_tracker.schema.waiting import TELL_AFTER_SECONDS, Wait
from sr_tracker.tracker.cli import cli
from sr_tracker.tracker.lake.workers import compute_of

OTHERS = "0.0.9"


def given_by_another_version(lake: LakeAddress) -> None:
    """Let a lake's views be told as those of another version."""
    with open_lake(lake) as database, database.transaction() as connection:
        connection.execute(f"UPDATE catalog SET sha256 = 'other', tool = '{OTHERS}'")


def as_postgres(lake: LakeAddress, statement: str) -> None:
    """Run a statement on the catalog's server."""
    words = lake.catalog.removeprefix("postgres:")
    with closing(duckdb.connect()) as connection:
        opening._load(connection, opening._EXTENSIONS)
        connection.execute(f"ATTACH '{words}' AS own (TYPE postgres)")
        connection.execute("CALL postgres_execute('own', ?)", [statement])


def files_of(lake: LakeAddress) -> list[Path]:
    assert lake.folder is not None
    return sorted(Path(lake.folder).rglob("*.parquet"))


def test_who_reads_writes_nothing_and_who_writes_has_the_version_of_the_lake(
    sample_file: Path, lake: LakeAddress
) -> None:
    publish(sample_file, lake)
    board = sr_tracker.connect(lake).show("leaderboard")
    given_by_another_version(lake)
    before = newest_snapshot(lake)
    sayings: list[str] = []
    reader = sr_tracker.connect(lake, say=sayings.append)
    assert reader.show("leaderboard").equals(board)
    assert newest_snapshot(lake) == before
    assert sayings
    assert all(OTHERS in saying and TOOL_VERSION in saying for saying in sayings)
    with pytest.raises(DatabaseUnavailableError, match=f"{OTHERS}, and this is {TOOL_VERSION}"):
        publish(sample_file, lake)
    assert newest_snapshot(lake) == before
    upgraded = CliRunner().invoke(cli, ["-d", f"ducklake:{lake.catalog}", "lake", "upgrade"])
    assert upgraded.exit_code == 0, upgraded.output
    assert f"the lake is one of sr-tracker {TOOL_VERSION} (before: {OTHERS})" in upgraded.output
    assert publish(sample_file, lake).rows == {}


def test_a_worker_of_another_version_is_refused_before_it_reads(
    sample_file: Path, lake: LakeAddress
) -> None:
    publish(sample_file, lake)
    with sr_tracker.connect(lake).reading() as database:
        steps = cut(database, lake, sr_tracker.connect(lake).select())
    batch = steps[0][0]
    before = newest_snapshot(lake)
    for maker in (Maker(tool=OTHERS), Maker(catalog="0123456789abcdef")):
        with pytest.raises(DatabaseUnavailableError) as caught:
            work(replace(batch, maker=maker), compute_of("score"))
        assert str(maker) in caught.value.message
        assert str(Maker()) in caught.value.message
    assert newest_snapshot(lake) == before


def test_a_role_that_may_read_reads_and_is_refused_before_files_are_written(
    sample_file: Path, lake: LakeAddress
) -> None:
    publish(sample_file, lake)
    as_postgres(lake, "CREATE ROLE reader LOGIN")
    as_postgres(lake, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    catalog = lake.catalog.replace("user=postgres", "user=reader")
    assert catalog != lake.catalog
    reader = LakeAddress(catalog, lake.data_path)
    files = files_of(lake)
    assert sr_tracker.connect(reader).show("leaderboard").num_rows > 0
    with pytest.raises(DatabaseUnavailableError, match="this role may read the lake"):
        publish(sample_file, reader)
    assert files_of(lake) == files


def test_who_waits_for_the_turn_is_told_who_has_it(lake: LakeAddress) -> None:
    open_lake(lake).close()
    sayings: list[str] = []
    with (
        open_lake(lake) as holder,
        open_lake(lake, wait_seconds=TELL_AFTER_SECONDS + 2, say=sayings.append) as waiting,
        holder.turn(),
        pytest.raises(DatabaseBusyError) as caught,
        waiting.turn(),
    ):
        pass
    who = rf"{getuser()[:10]}@\S+, process {os.getpid()}, since \d\d:\d\d:\d\d UTC: "
    assert re.search(f"written to by {who}", caught.value.message), caught.value.message
    (saying,) = sayings
    assert re.search(f"waiting up to 4 s for {who}", saying), saying


def test_who_finds_no_connection_free_waits_for_one(lake: LakeAddress) -> None:
    open_lake(lake).close()
    as_postgres(lake, "CREATE ROLE guest LOGIN CONNECTION LIMIT 0")
    as_postgres(lake, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    guest = LakeAddress(lake.catalog.replace("user=postgres", "user=guest"), lake.data_path)
    try:
        with pytest.raises(DatabaseBusyError, match="takes no more connections"):
            open_lake(guest, read_only=True, wait_seconds=0.5)
        with ThreadPoolExecutor(1) as pool:
            opened = pool.submit(open_lake, guest, read_only=True, wait_seconds=60)
            time.sleep(0.5)
            assert not opened.done()
            as_postgres(lake, "ALTER ROLE guest CONNECTION LIMIT -1")
            opened.result().close()
    finally:
        as_postgres(lake, "DROP OWNED BY guest")
        as_postgres(lake, "DROP ROLE guest")


def test_a_server_that_recovers_is_waited_for() -> None:
    """PostgreSQL takes no connection for a moment after one of its processes was killed."""
    recovering = duckdb.IOException("FATAL:  the database system is in recovery mode")
    answers = [recovering, recovering, "connected"]

    def connect() -> str:
        answer = answers.pop(0)
        if isinstance(answer, duckdb.Error):
            raise answer
        return answer

    assert when_connected(connect, Wait(60, say_nothing)) == "connected"
    answers[:] = [recovering]
    with pytest.raises(DatabaseBusyError, match="has not started yet"):
        when_connected(connect, Wait(0, say_nothing))


def test_folders_of_processes_that_were_killed_go_and_those_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    making = (
        "import time\nfrom sr_tracker.schema.folders import HeldFolder\n"
        "folder = HeldFolder('work')\nprint(folder.name, flush=True)\ntime.sleep(600)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", making],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    left = Path(process.stdout.readline().strip())
    an_hour_ago = time.time() - 3600
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "file").mkdir(parents=True)
    link = tmp_path / "sr-tracker-work-link"
    link.symlink_to(elsewhere)
    os.utime(left, (an_hour_ago, an_hour_ago))
    HeldFolder("work").cleanup()
    assert left.exists()
    process.kill()
    process.wait()
    HeldFolder("other").cleanup()
    assert left.exists()
    own = HeldFolder("work")
    assert not left.exists()
    assert (elsewhere / "file").exists()
    own.cleanup()
    assert not Path(own.name).exists()


def test_files_of_commits_that_never_were_go_a_day_later(
    sample_file: Path, lake: LakeAddress
) -> None:
    publish(sample_file, lake)
    (folder, *_) = {file.parent for file in files_of(lake)}
    abandoned, under_way = folder / "abandoned.parquet", folder / "under-way.parquet"
    for file in (abandoned, under_way):
        file.write_bytes(files_of(lake)[0].read_bytes())
    two_days_ago = time.time() - 2 * 86_400
    os.utime(abandoned, (two_days_ago, two_days_ago))
    with open_lake(lake, say=say_nothing) as database:
        assert maintain(database, keep_days=0, dry_run=True).orphans == 1
        assert abandoned.exists()
        assert maintain(database, keep_days=0).orphans == 1
    assert not abandoned.exists()
    assert under_way.exists()
    assert sr_tracker.connect(lake).check() == []
