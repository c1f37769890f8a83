"""The file of a database is held for one operation: many readers and writers share it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sr_tracker.schema.database import open_database
from sr_tracker.schema.errors import DatabaseBusyError, InputError, ReadOnlyError
from sr_tracker.schema.sharing import HELD_SECONDS, SharedDatabase
from sr_tracker.tracker.api.tracker import connect
from sr_tracker.tracker.explorer.snapshot import Snapshots
from tests.tracker import story

ONE_STATE = (
    "SELECT count(*) AS runs, count(DISTINCT sha256) AS different, "
    "(SELECT count(DISTINCT submission_id) FROM output) AS loaded FROM submission"
)
"""Three numbers that are one in every state."""
READER = """
import json, os, subprocess, sys, time, urllib.error, urllib.parse, urllib.request
import sr_tracker
path, end, way, query = sys.argv[1:]
main = "from sr_tracker.tracker.cli import main; main()"
tracker = [sys.executable, "-c", main, "--database", path, "--wait", "600"]

def ask_python(db):
    with db.reading():
        (found,) = db.sql(query).to_pylist()
        assert db.show("leaderboard").num_rows == found["runs"], found
    return found

def ask_command(*given):
    return json.loads(subprocess.run([*tracker, *given], capture_output=True, check=True).stdout)

def page_of(address):
    try:
        return urllib.request.urlopen(address).read()
    except urllib.error.HTTPError as error:
        raise AssertionError(address, error.read().decode()[-800:]) from error

def ask_explorer(address):
    for page in ("", "leaderboard", "search?text=a"):
        page_of(address + page)
    asked = urllib.parse.urlencode({"query": query})
    return json.loads(page_of(f"{address}rows.json?{asked}"))[0]

server = None
if way == "explorer":
    serve = [*tracker, "serve", "--port", "0"]
    server = subprocess.Popen(serve, stderr=subprocess.PIPE, text=True)
    line = next(line for line in server.stderr if "serving" in line)
    address = line.split(" at ")[1].split()[0]
    ask = lambda: ask_explorer(address)
elif way == "show":
    ask = lambda: {"runs": len(ask_command("show", "leaderboard", "-f", "json"))}
elif way == "sql":
    ask = lambda: ask_command("sql", query, "-f", "json")[0]
else:
    db = sr_tracker.connect(path, wait=600, read_only=way == "read-only")
    ask = lambda: ask_python(db)
longest, answers, before = 0.0, 0, 0
try:
    while not answers or not os.path.exists(end):
        start = time.monotonic()
        found = ask()
        longest = max(longest, time.monotonic() - start)
        assert len({*found.values()}) == 1, found
        assert found["runs"] >= before, (before, found)
        before = found["runs"]
        answers += 1
        time.sleep(1)
finally:
    if server is not None:
        server.kill()
        server.wait()
print(answers, longest)
"""
WRITER = """
import json, sys, time
import sr_tracker
path, until, system = sys.argv[1], float(sys.argv[2]), sys.argv[3]
texts = json.load(sys.stdin)
longest, runs = 0.0, 0
db = sr_tracker.connect(path, wait=600)
while runs < 2 or time.time() < until:
    runs += 1
    start = time.monotonic()
    report = db.submit(
        [f"{text} {system} {runs}" for text in texts], system=system, treebank="en_few",
        analyse=False, log=False, accept_mismatch=True,
    )
    longest = max(longest, time.monotonic() - start)
    assert report.new, report
print(runs, longest)
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of a treebank of twelve sentences."""
    folder = tmp_path_factory.mktemp("holding")
    blocks = story.TREEBANK_FILE.read_text(encoding="utf-8").strip().split("\n\n")[:12]
    (folder / "few.conllu").write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    with connect(folder / "campaign.duckdb", create=True) as db:
        db.ingest_treebank(folder / "few.conllu", treebank="en_few", language="en")
    return folder / "campaign.duckdb"


@pytest.fixture
def file(empty: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "campaign.duckdb"
    copy.write_bytes(empty.read_bytes())
    return copy


def started(script: str, *arguments: object, text: str = "") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.close()
    process.stdin = None
    return process


def ended(process: subprocess.Popen[str]) -> tuple[int, float]:
    """How many operations a process has done, and how long the longest took."""
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    done, longest = printed.splitlines()[-1].split()
    return int(done), float(longest)


def together(file: Path, seconds: float, ways: Sequence[str]) -> dict[str, Any]:
    """Let two teams submit in turns while others read, each its way; return what they have done."""
    end = file.parent.parent / f"{file.parent.name}.end"
    until = time.time() + seconds
    texts = json.dumps(story.outputs_of(1)[:12])
    writers = [started(WRITER, file, until, name, given=texts) for name in ("one", "two")]
    reading = [started(READER, file, end, way, ONE_STATE) for way in ways]
    written = [ended(process) for process in writers]
    end.touch()
    read = [ended(process) for process in reading]
    with connect(file, read_only=True) as db:
        assert db.show("submission").num_rows == sum(runs for runs, _ in written)
        assert db.check() == []
    assert sorted(item.name for item in file.parent.iterdir()) == [file.name]
    return {
        "submitted": [runs for runs, _ in written],
        "answers": [answers for answers, _ in read],
        "longest submit": max(longest for _, longest in written),
        "longest answer": {
            way: max(longest for item, (_, longest) in zip(ways, read, strict=True) if item == way)
            for way in ways
        },
    }


@pytest.mark.long
def test_readers_and_writers_share_a_file(file: Path) -> None:
    done = together(file, 0, ["session", "explorer"])
    assert done["submitted"] == [2, 2]


def test_teams_submit_while_others_look(file: Path) -> None:
    """The short form of what follows, in one process: nothing fails, nothing is lost."""
    texts = story.outputs_of(1)[:12]
    ended = threading.Event()

    def submit(system: str, run: int) -> bool:
        return (
            connect(file, wait=60)
            .submit(
                [f"{text} {system} {run}" for text in texts],
                system=system,
                treebank="en_few",
                analyse=False,
                log=False,
                accept_mismatch=True,
            )
            .new
        )

    def look(seen: Callable[[], Any]) -> list[int]:
        results: list[int] = []
        while not ended.is_set() or not results:
            (state,) = seen().to_pylist()
            assert len({*state.values()}) == 1, state
            results.append(state["runs"])
            ended.wait(0.05)
        return [*results, seen().to_pylist()[0]["runs"]]

    with (
        connect(file, wait=60, read_only=True) as db,
        closing(Snapshots(file, wait=60)) as snapshots,
        ThreadPoolExecutor(2) as pool,
    ):

        def explored() -> Any:
            snapshots.taken()
            with snapshots.reading() as tracker:
                return tracker.sql(ONE_STATE)

        looking = [pool.submit(look, seen) for seen in (lambda: db.sql(ONE_STATE), explored)]
        try:
            assert all(submit(system, run) for run in range(2) for system in ("one", "two"))
            snapshots.renew()
        finally:
            ended.set()
        for item in (entry.result() for entry in looking):
            assert item == sorted(item)
            assert item[-1] == 4


def test_a_query_keeps_the_copy_that_it_has_to_open(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(file) as db, closing(Snapshots(file, wait=0)) as snapshots:
        results: list[Path] = []

        def run(path: Path, *text: object, **named: object) -> str:
            db.tag("treebank", "en_few", {"a": "b"})
            snapshots.renew()
            results.append(path)
            assert path.exists(), "it was the newest copy when the query was asked"
            return "answered"

        monkeypatch.setattr(snapshots, "_waiting", SimpleNamespace(run=run, close=lambda: None))
        assert snapshots.query("SELECT 1", rows=1, seconds=1.0) == "answered"
        assert not results[0].exists()


@pytest.mark.long
def test_eight_readers_and_two_writers_share_a_file_for_two_minutes(file: Path) -> None:
    """The explorer, notebooks, a command's table and SQL, while two teams submit in turns."""
    ways = ["explorer", "read-only", "session", "show", "sql"]
    done = together(file, 120, [*ways, "explorer", "session", "sql"])
    sys.stdout.write(f"{done}\n")
    assert min(done["submitted"]) >= 2, done
    assert min(done["answers"]) > 3, done


def test_an_open_session_keeps_nobody_out(file: Path) -> None:
    with connect(file) as one, connect(file) as two:
        one.submit(story.outputs_of(1)[:12], system="ours", treebank="en_few", log=False)
        assert two.show("submission").num_rows == 1
        with open_database(file, wait_seconds=0) as other:
            other.connection.execute("UPDATE system SET team = 'we'")
        assert one.sql("SELECT team FROM system").to_pylist() == [{"team": "we"}]


def test_methods_within_a_block_share_one_state(file: Path) -> None:
    with connect(file, wait=0) as one, connect(file, wait=0) as two:
        with one.reading() as database:
            assert one.show("treebank").num_rows == 1
            assert two.show("treebank").num_rows == 1
            with pytest.raises(DatabaseBusyError, match="this process"):
                two.tag("treebank", "en_few", {"a": "b"})
            with pytest.raises(ReadOnlyError, match="open for reading only"):
                one.tag("treebank", "en_few", {"a": "b"})
        with pytest.raises(InputError, match="open only inside a block"):
            database.connection.execute("FROM treebank")
        with one.writing():
            one.tag("treebank", "en_few", {"a": "b"})
            assert one.show("tag").num_rows == 1
        assert two.show("tag").num_rows == 1


def test_who_only_reads_writes_nothing(file: Path) -> None:
    before = file.read_bytes()
    with connect(file, read_only=True) as db:
        with pytest.raises(ReadOnlyError, match="open for reading only"):
            db.score()
        assert db.show("treebank").num_rows == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("sign", "age", "times"), [("waiting", 0, 4), ("asking", 0, 4), ("asking", 60, 1)]
)
def test_a_long_operation_gives_way_to_who_waits_between_its_batches(
    file: Path, monkeypatch: pytest.MonkeyPatch, sign: str, age: int, times: int
) -> None:
    """A sign that is old was left by a process that was killed."""
    with connect(file) as db:
        for number in (1, 2):
            outputs = story.outputs_of(number)[:12]
            db.ingest_submission(_written(file, outputs), system=f"s{number}", treebank="en_few")
    monkeypatch.setattr("sr_tracker.queries.metrics.scoring.OUTPUTS_PER_THREAD", 1)
    monkeypatch.setattr("sr_tracker.schema.sharing.HELD_SECONDS", 0)
    monkeypatch.setattr("sr_tracker.schema.waiting._FRESH_SECONDS", 30)
    waiting = file.with_name(f".{file.name}.{sign}")
    opened: list[bool] = []
    take = SharedDatabase._take

    def counted(database: SharedDatabase, read_only: bool) -> None:
        opened.append(read_only)
        take(database, read_only)

    monkeypatch.setattr(SharedDatabase, "_take", counted)
    with connect(file) as db:
        opened.clear()
        waiting.touch()
        os.utime(waiting, (time.time() - age,) * 2)
        report = db.score(metrics=["bleu", "chrf", "dea"])
        assert report.scores == 6
        assert opened == [False] * times
        assert db.check() == []
    assert HELD_SECONDS > 0


def test_a_writer_that_waits_is_let_in_before_new_readers(file: Path) -> None:
    """Readers that follow each other without a gap do not keep a writer out."""
    ends = threading.Event()

    def read_again_and_again() -> None:
        while not ends.is_set():
            with open_database(file, read_only=True):
                time.sleep(0.4)

    script = (
        "import sys; from sr_tracker.schema.database import open_database; "
        "open_database(sys.argv[1], wait_seconds=600).close(); print(1, 1)"
    )
    readers = [threading.Thread(target=read_again_and_again) for _ in range(3)]
    try:
        for reader in readers:
            reader.start()
            time.sleep(0.13)
        assert ended(started(script, file))
    finally:
        ends.set()
        for reader in readers:
            reader.join()


def _written(file: Path, outputs: Sequence[str]) -> Path:
    path = file.with_name("outputs.txt")
    path.write_text("\n".join(outputs) + "\n", encoding="utf-8")
    return path
