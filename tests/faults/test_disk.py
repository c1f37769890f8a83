"""A full disk, what may not be written, and files that vanish."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

from sr_tracker.ingest.analysers import analyser_factory
from sr_tracker.ingest.campaigns.loading import ingest_campaign
from sr_tracker.ingest.campaigns.manifest import read_manifest
from sr_tracker.queries.catalog import open_installed
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.errors import InputError, TrackerError
from sr_tracker.tracker.api.tracker import Tracker
from sr_tracker.tracker.experiments.store import open_store

if TYPE_CHECKING:
    from tests.faults.conftest import Contents, Run

pytestmark = pytest.mark.long
ENOUGH = "128m"


def mount(*arguments: str) -> None:
    """Mount something; skip the test where that is not possible."""
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"there is no mount: {error}")
    if done.returncode:
        pytest.skip(f"mounting is not allowed: {done.stderr.strip()}")


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A folder for a test to mount something on, which is taken away afterwards."""
    folder = tmp_path / "mounted"
    folder.mkdir()
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)


def is_one_message(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a command failed for want of the disk and said so once."""
    return (
        done.returncode in (2, 3)
        and done.stderr.count("error:") == 1
        and "Traceback" not in done.stderr
        and len(done.stderr.split("error:")[1].splitlines()) <= 4
    )


@pytest.mark.parametrize("megabytes", [1, 6])
def test_a_full_disk_stops_with_a_message_and_keeps_what_is_complete(
    mounted: Path,
    manifest: Path,
    scored: Path,
    quick: Run,
    contents_of: Callable[[Path], Contents],
    megabytes: int,
) -> None:
    mount("-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(mounted))
    database = mounted / "campaign.duckdb"
    commands = [("ingest", manifest), ("score", "--no-log")]
    for arguments in commands:
        done = quick(database, *arguments)
        if done.returncode:
            break
    assert is_one_message(done), done.stderr
    mount("-o", f"remount,size={ENOUGH}", str(mounted))
    if database.exists():
        checked = quick(database, "check")
        assert (checked.returncode, checked.stderr) == (0, "")
    for arguments in commands:
        done = quick(database, *arguments)
        assert done.returncode == 0, done.stderr
    assert contents_of(database) == contents_of(scored)


@pytest.mark.parametrize("left", [None, b""])
def test_a_full_disk_lets_no_database_be_made_and_the_next_command_makes_it(
    mounted: Path, manifest: Path, quick: Run, left: bytes | None
) -> None:
    mount("-t", "tmpfs", "-o", "size=200k", "tmpfs", str(mounted))
    database = mounted / "campaign.duckdb"
    if left is not None:
        database.write_bytes(left)
    done = quick(database, "ingest", manifest)
    assert done.returncode == 3
    assert is_one_message(done), done.stderr
    assert "make room" in done.stderr
    assert [file.stat().st_size for file in mounted.iterdir()] == [0] * (left is not None)
    mount("-o", f"remount,size={ENOUGH}", str(mounted))
    done = quick(database, "show", "leaderboard")
    assert done.returncode == 3
    assert "ingest a campaign" in done.stderr or "load the campaign" in done.stderr
    assert quick(database, "ingest", manifest).returncode == 0
    assert quick(database, "check").returncode == 0


def test_a_full_disk_stops_logging_and_the_next_one_completes_it(
    mounted: Path, scored: Path, quick: Run
) -> None:
    room = scored.stat().st_size + 1_600_000
    mount("-t", "tmpfs", "-o", f"size={room}", "tmpfs", str(mounted))
    database = shutil.copy(scored, mounted / "campaign.duckdb")
    (mounted / "filler").write_bytes(bytes(1_200_000))
    done = quick(database, "share", "log")
    assert is_one_message(done), done.stderr
    assert done.returncode == 3
    (mounted / "filler").unlink()
    mount("-o", f"remount,size={ENOUGH}", str(mounted))
    done = quick(database, "share", "log")
    assert done.returncode == 0, done.stderr
    assert "0 runs logged, 6 unchanged" in quick(database, "share", "log").stderr


def test_a_full_disk_while_runs_are_logged_is_one_message(
    mounted: Path, scored: Path, quick: Run
) -> None:
    mount("-t", "tmpfs", "-o", f"size={ENOUGH}", "tmpfs", str(mounted))
    database = shutil.copy(scored, mounted / "campaign.duckdb")
    with open_store(Database(database, duckdb.connect()), None):
        pass
    taken = shutil.disk_usage(mounted).used
    mount("-o", f"remount,size={taken + 150_000}", str(mounted))
    done = quick(database, "share", "log")
    assert done.returncode == 3
    assert is_one_message(done), done.stderr
    assert "disk is full" in done.stderr or "No space left" in done.stderr
    assert "mlflow.db" in done.stderr


def test_a_full_folder_for_temporary_files_is_named(
    mounted: Path, scored: Path, tmp_path: Path, tracker: Run
) -> None:
    mount("-t", "tmpfs", "-o", "size=16k", "tmpfs", str(mounted))
    database = shutil.copy(scored, tmp_path / "campaign.duckdb")
    with open_store(Database(database, duckdb.connect()), None) as store:
        # MLflow itself is to bring the files to a place that is told without a scheme.
        store.client.create_experiment("F26", str(tmp_path / "elsewhere"))
    done = tracker(database, "share", "log", environment={"TMPDIR": str(mounted)})
    assert done.returncode == 3
    assert is_one_message(done), done.stderr
    assert "temporary files cannot be written" in done.stderr
    assert f"where: {mounted}" in done.stderr


@pytest.mark.parametrize("command", ["export", "show"])
def test_a_full_disk_leaves_no_half_a_result(
    mounted: Path, scored: Path, quick: Run, command: str
) -> None:
    mount("-t", "tmpfs", "-o", "size=60k", "tmpfs", str(mounted))
    target = mounted / ("folder" if command == "export" else "tokens.csv")
    arguments = {
        "export": ["share", "export", target],
        "show": ["show", "output_token", "-o", target],
    }
    done = quick(scored, *arguments[command])
    assert is_one_message(done), done.stderr
    assert command == "export" or not target.exists()


def test_a_folder_that_may_not_be_written_is_read(
    mounted: Path, manifest: Path, scored: Path, quick: Run
) -> None:
    database = shutil.copy(scored, mounted / "campaign.duckdb")
    mount("--bind", str(mounted), str(mounted))
    mount("-o", "remount,ro,bind", str(mounted))
    for arguments in (("show", "leaderboard"), ("sql", "FROM coverage"), ("check",)):
        done = quick(database, *arguments)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    for arguments in (
        ("ingest", manifest),
        ("score", "--no-log"),
        (
            "share",
            "log",
        ),
    ):
        done = quick(database, *arguments)
        assert done.returncode == 3
        assert is_one_message(done), done.stderr
    done = quick(mounted / "new.duckdb", "ingest", manifest)
    assert is_one_message(done), done.stderr
    done = quick(database, "share", "export", mounted / "parquet")
    assert is_one_message(done), done.stderr


def test_a_file_that_may_not_be_written_is_read(
    mounted: Path, tmp_path: Path, scored: Path, manifest: Path, quick: Run
) -> None:
    database = mounted / "campaign.duckdb"
    shutil.copy(scored, database)
    mount("--bind", str(database), str(database))
    try:
        mount("-o", "remount,ro,bind", str(database))
        assert quick(database, "show", "leaderboard").returncode == 0
        done = quick(database, "ingest", manifest)
        assert done.returncode == 3
        assert is_one_message(done), done.stderr
    finally:
        subprocess.run(["umount", str(database)], check=True)


def test_a_database_that_is_removed_under_way_can_be_made_again(
    tmp_path: Path,
    manifest: Path,
    scored: Path,
    quick: Run,
    contents_of: Callable[[Path], Contents],
) -> None:
    path = tmp_path / "campaign.duckdb"
    with open_installed(path) as database:
        opened = Tracker(database)
        loaded = read_manifest(manifest)
        for number, treebank in enumerate(loaded.treebanks):
            opened.ingest_treebank(treebank.path, campaign="F26")
            if number == 0:
                path.unlink()
    for arguments in (("ingest", manifest), ("score", "--no-log"), ("check",)):
        done = quick(path, *arguments)
        assert done.returncode == 0, done.stderr
    assert contents_of(path) == contents_of(scored)


def test_an_input_file_that_vanishes_is_named_and_what_is_loaded_stays(
    tmp_path: Path, manifest: Path, scored: Path, contents_of: Callable[[Path], Contents]
) -> None:
    folder = shutil.copytree(manifest.parent, tmp_path / "inputs")
    loaded = read_manifest(folder / manifest.name)
    gone = loaded.submissions[3].path
    content = gone.read_text()
    gone.unlink()
    path = tmp_path / "campaign.duckdb"
    with open_installed(path) as database:
        analyser = analyser_factory(database, "reference")
        with pytest.raises(InputError, match="does not exist") as caught:
            ingest_campaign(database, loaded, analyser)
        assert caught.value.where == str(gone)
        before = database.connection.execute("SELECT count(*) FROM submission").fetchall()
        assert before[0][0] > 0
        gone.write_text(content)
        report = ingest_campaign(database, loaded, analyser)
        assert report.unchanged == before[0][0] + len(loaded.treebanks)
        opened = Tracker(database)
        opened.ingest_campaign(folder / manifest.name)
        opened.score()
    assert contents_of(path) == contents_of(scored)


def test_a_folder_that_vanishes_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    with open_database(folder / "campaign.duckdb") as database:
        shutil.rmtree(folder)
        database.connection.execute("SELECT 1")
    with pytest.raises(TrackerError):
        open_database(folder / "campaign.duckdb")
