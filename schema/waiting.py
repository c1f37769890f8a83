"""Waiting for a file that another process holds; who waits to write is let in before new readers.

Any number of readers share a file: without a turn of its own, a writer would wait for a moment in
which none of them reads. While it waits, a file ``.NAME.waiting`` lies beside the database; while a
reader does, ``.NAME.asking``.

Whether the log of changes beside a database, ``NAME.wal``, was lost or is damaged is told here as
well: while a database is open for writing, the file itself says that changes are missing, and the
first change in the log that nothing is. Packing the log into the file, by whomever, makes that true
of the file; a file without its log keeps saying what it lacks.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from .engine import out_of_memory
from .errors import (
    DatabaseBusyError,
    DatabaseUnavailableError,
    first_line,
    is_want_of_memory,
    remedy,
)


def log_of(file: Path) -> Path:
    """Return where the changes of a database lie until they are packed into its file."""
    return file.with_name(f"{file.name}.wal")


def begin_changes(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Let the file itself say that changes are missing, and its log that they are not.

    A file ``.NAME.opening`` lies there between both, so that an end in between is no loss. What
    only breaks off in between, by a signal or for want of room, leaves none where it can.
    """
    opening = _opening(file)
    opening.touch()
    try:
        connection.execute("UPDATE change_log SET missing = true")
    except duckdb.Error:
        opening.unlink(missing_ok=True)
        raise
    except BaseException:
        _complete(connection, opening)
        raise
    try:
        connection.execute("CHECKPOINT")
    finally:
        _complete(connection, opening)


def _complete(connection: duckdb.DuckDBPyConnection, opening: Path) -> None:
    connection.execute("UPDATE change_log SET missing = false")
    opening.unlink(missing_ok=True)


def check_changes(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Raise DatabaseUnavailableError where the file lacks changes that were written."""
    (missing,) = connection.execute("SELECT max(missing) FROM change_log").fetchone() or (False,)
    if missing and not _opening(file).exists():
        raise damaged_log(
            file,
            "the changes written last are missing (or the file was copied in the first moment of a "
            "command that wrote: then copy it again)",
        )


def damaged_log(file: Path, what: str) -> DatabaseUnavailableError:
    """Return the error for a log that was lost or cannot be read, with the ways out."""
    log = log_of(file)
    return DatabaseUnavailableError(
        f"the log of the database's changes was lost or is damaged: {what}",
        where=str(log),
        hint=f"put {log.name} back beside {file.name}, or both from one copy; "
        "'tracker keep check --accept-loss' goes on without these changes: run again what was "
        "interrupted, it completes what is missing",
    )


def set_log_aside(file: Path, open_once: Callable[[], None]) -> None:
    """Rename the log to ``NAME.wal.damaged`` where it cannot be read."""
    log = log_of(file)
    with suppress(FileNotFoundError):
        before = log.stat().st_size
        try:
            open_once()
        except DatabaseUnavailableError as error:
            if error.where != str(log):
                raise
        if log.exists() and log.stat().st_size == before:
            log.replace(log.with_name(f"{log.name}.damaged"))


def _opening(file: Path) -> Path:
    return file.with_name(f".{file.name}.opening")


TELL_AFTER_SECONDS = 2.0
STAND_BACK_SECONDS = 2.0
"""How long a reader lets writers in before it, at most, and at most half of its own time."""
_POLL_SECONDS = 0.05
_FRESH_SECONDS = 1.0
"""A sign that is older was left by a process that was killed."""
_OURS = ("with a different configuration", "Unique file handle conflict")
_TAKEN = ("Conflicting lock", *_OURS)
"""What DuckDB says where another process, or this one, has the file open otherwise."""
_NO_LOCKS = "Could not set lock"
"""What it says where that is not the reason: who waited would wait for nobody."""
_DAMAGE = re.compile(
    "Corrupt|does not match|deserialize|Invalid WAL|invalid row|no default database set"
)
"""What DuckDB says where the content of a log is not what was written."""
_MAKER = slice(52, 84)
"""Where in a file the version of the DuckDB that made it is."""
_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")


class Wait:
    """How long to wait for a file, and whom to tell; leaving its block takes the sign away."""

    def __init__(self, seconds: float, say: Callable[[str], None]) -> None:
        self._start = time.monotonic()
        self._seconds = seconds
        self._say = say
        self._reported = False
        self._sign: Path | None = None

    def __enter__(self) -> Wait:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sign is not None:
            self._sign.unlink(missing_ok=True)
            self._sign = None

    def stand_back(self, file: Path) -> None:
        """Sleep, as a reader, while a writer waits."""
        limit = min(STAND_BACK_SECONDS, self._seconds / 2)
        while self._waited() < limit and _is_fresh(_sign_of(file, writes=True)):
            time.sleep(_POLL_SECONDS)

    def goes_on(
        self, holder: str | Callable[[], str], file: Path | None = None, *, writes: bool = False
    ) -> bool:
        """Sleep a little and return True, or return False when the time is over.

        ``holder`` says who is waited for, or finds it out once it is to be said, ``file`` which
        file is, and ``writes`` for what.
        """
        waited = self._waited()
        if waited >= self._seconds:
            return False
        if waited > TELL_AFTER_SECONDS and not self._reported:
            self._reported = True
            name = holder if isinstance(holder, str) else holder()
            self._say(f"waiting up to {self._seconds:g} s for {name}")
        if file is not None:
            with suppress(OSError):  # a folder that takes no files: then it waits without a turn
                self._sign = _sign_of(file, writes=writes)
                self._sign.touch()
        time.sleep(min(_POLL_SECONDS, self._seconds - waited))
        return True

    def _waited(self) -> float:
        return time.monotonic() - self._start


def is_awaited(file: Path) -> bool:
    """Return whether somebody says that they wait for a file."""
    return any(_is_fresh(_sign_of(file, writes=writes)) for writes in (True, False))


def _sign_of(file: Path, *, writes: bool) -> Path:
    return file.with_name(f".{file.name}.{'waiting' if writes else 'asking'}")


def _is_fresh(sign: Path) -> bool:
    try:
        return abs(time.time() - sign.stat().st_mtime) < _FRESH_SECONDS
    except OSError:
        return False


def open_in_turn(
    open_once: Callable[[], duckdb.DuckDBPyConnection], file: Path, wait: Wait, *, read_only: bool
) -> duckdb.DuckDBPyConnection:
    """Return what ``open_once`` returns, once nobody holds the file otherwise.

    Raises DatabaseBusyError where somebody still does when the time is over,
    DatabaseUnavailableError where it cannot be opened at all.
    """
    while True:
        if read_only:
            wait.stand_back(file)
        try:
            return open_once()
        except duckdb.Error as error:
            busy = any(message in str(error) for message in _TAKEN)
            if busy and wait.goes_on(
                f"{_holder(error)}, which has {file} open", file, writes=not read_only
            ):
                continue
            raise (_busy(error, file) if busy else unavailable(error, file)) from error


def unavailable(error: duckdb.Error, file: Path | None) -> DatabaseUnavailableError:
    """Return the error for a file that cannot be opened, with what can be done.

    A log is damaged only where DuckDB found that in its content: memory, the disk and its limits
    end the reading of a sound one too.
    """
    if is_want_of_memory(error):
        return out_of_memory(error, file)
    reason = first_line(error).rpartition("because of error: ")[2]
    if file is not None and "WAL file" in reason and _DAMAGE.search(reason):
        return damaged_log(file, reason)
    hint = "check the file's permissions and that it is a DuckDB database"
    if file is not None and "newer version of DuckDB" in str(error):
        reason = (
            f"DuckDB {_maker(file)} made it, whose storage DuckDB {duckdb.__version__} cannot read"
        )
        hint = "'pip install --upgrade duckdb' installs one that reads it"
    elif _NO_LOCKS in reason:
        hint = "its file system takes no locks, which keep writers apart: move it to another disk"
    elif "WAL file" in reason:
        hint = "keep it and its log (.wal) together as they are, and try again"
    return DatabaseUnavailableError(
        f"the database cannot be opened: {reason}",
        where=str(file),
        hint=remedy(error) or hint,
    )


def _maker(file: Path) -> str:
    """Return the version of the DuckDB that made a file, as its first block has it."""
    with file.open("rb") as stream:
        return stream.read(_MAKER.stop)[_MAKER].rstrip(b"\0").decode("ascii", "replace").lstrip("v")


def _holder(error: duckdb.Error) -> str:
    if any(message in str(error) for message in _OURS):
        return "this process"
    holder = _HOLDER.search(str(error))
    return f"process {holder['pid']} ({holder['program']})" if holder else "another process"


def _busy(error: duckdb.Error, file: Path | None) -> DatabaseBusyError:
    return DatabaseBusyError(
        f"the database is in use by {_holder(error)}",
        where=str(file),
        hint="wait until it has finished (--wait SECONDS), or stop it; readers and one writer "
        "exclude each other",
    )
