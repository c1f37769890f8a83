"""Telling whether the log of changes beside a database, ``NAME.wal``, was lost or is damaged.

While a database is open for writing, the file itself says that changes are missing, and the first
change in the log that nothing is. Packing the log into the file, by whomever, makes that true of
the file; a file without its log keeps saying what it lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from .errors import DatabaseUnavailableError


def log_of(file: Path) -> Path:
    """Return where the changes of a database lie until they are packed into its file."""
    return file.with_name(f"{file.name}.wal")


def begin(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Let the file itself say that changes are missing, and its log that they are not.

    A file ``NAME.opening`` lies there between both, so that an end in between is no loss.
    """
    opening = _opening(file)
    opening.touch()
    connection.execute("UPDATE change_log SET missing = true")
    connection.execute("CHECKPOINT")
    connection.execute("UPDATE change_log SET missing = false")
    opening.unlink(missing_ok=True)


def check(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Raise DatabaseUnavailableError where the file lacks changes that were written."""
    (missing,) = connection.execute("SELECT max(missing) FROM change_log").fetchone() or (False,)
    if missing and not _opening(file).exists():
        raise damaged(file, "the changes written last are missing")


def damaged(file: Path, what: str) -> DatabaseUnavailableError:
    """Return the error for a log that was lost or cannot be read, with the ways out."""
    log = log_of(file)
    return DatabaseUnavailableError(
        f"the log of the database's changes was lost or is damaged: {what}",
        where=str(log),
        hint=f"put {log.name} back beside {file.name}, or both from one copy; "
        "'tracker check --accept-loss' goes on without these changes: run again what was "
        "interrupted, it completes what is missing",
    )


def set_aside(file: Path, open_once: Callable[[], None]) -> None:
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
