"""A real MLflow server for tests."""

from __future__ import annotations

import http.server
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(answers: type[http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server that answers so, on loopback, in a thread of this process."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


class Server:
    """An MLflow server on loopback that can be stopped and started."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.uri = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Start the server without waiting for it."""
        command = [
            *(sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1"),
            *("--port", str(self.port), "--workers", "1"),
            *("--backend-store-uri", f"sqlite:///{self._folder / 'server.db'}"),
            *("--artifacts-destination", str(self._folder / "artifacts")),
            *self._options,
        ]
        log = (self._folder / "server.log").open("ab")
        self._process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true"},
            cwd=self._folder,
            start_new_session=True,
        )
        log.close()

    def start(self) -> None:
        """Start the server, unless it has begun to, and wait until it answers."""
        if self._process is None:
            self.begin()
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and self._process and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.uri}/health", timeout=5).close()  # noqa: S310
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.2)
            else:
                return
        text = (self._folder / "server.log").read_text(errors="replace")
        raise RuntimeError(f"the MLflow server did not start:\n{text[-2000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the server and all it started."""
        if self._process is not None:
            os.killpg(self._process.pid, how)
            self._process.wait(timeout=120)
            self._process = None
