"""Whether the program's own files are still those that a server was started with.

Statements, templates and some modules are read when they are first needed. After an upgrade a
server would run new statements from old code: it says so instead, until it is started again.
"""

from __future__ import annotations

import time
from pathlib import Path

CHANGED = (
    "sr-tracker was changed on disk since this server was started, and would mix the old with the "
    "new: end the server and start it again (tracker serve, or mlflow server)\n"
)
_FOLDERS = ("schema", "ingest", "queries", "tracker")
_READ = {".py", ".sql", ".html", ".css", ".js", ".toml", ".json"}


class Program:
    """The files as they were at first, looked at now and then."""

    def __init__(self, root: Path | None = None, *, looked_every: float = 5.0) -> None:
        """Look at the files below ``root``, at most once in so many seconds."""
        root = root or Path(__file__).resolve().parents[2]
        paths = (path for folder in _FOLDERS for path in (root / folder).rglob("*"))
        self._files = [path for path in paths if path.suffix in _READ]
        self._every = looked_every
        self._first = self._state()
        self._looked, self._changed = time.monotonic(), False

    def changed(self) -> bool:
        """Return whether a file is another one, or gone."""
        if not self._changed and time.monotonic() - self._looked >= self._every:
            self._changed, self._looked = self._state() != self._first, time.monotonic()
        return self._changed

    def _state(self) -> list[tuple[int, int] | None]:
        return [*map(_state, self._files)]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_mtime_ns, stat.st_size
