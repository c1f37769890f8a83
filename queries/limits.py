"""What a connection may reach and take: files, memory, time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb

from ..schema.database import Database
from ..schema.engine import CONFIGURING, engine_memory, is_locked
from ..schema.errors import QueryError
from ..schema.statements import quoted

GRACE_SECONDS = 5.0
BYTES_LIMIT = 2 * 10**9
"""Of memory that the engine takes, and of a result."""
_OUT_OF_REACH = (
    "enable_external_access = false",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "python_enable_replacements = false",
)
_BETWEEN_INTERRUPTS = 0.1


def keep_within(database: Database) -> None:
    """Keep the connection's SQL from files, network, extensions and Python's variables."""
    with CONFIGURING:
        if is_locked(database.connection):
            return
        if database.folders:
            folders = ", ".join(quoted(folder) for folder in database.folders)
            database.connection.execute(f"SET allowed_directories = [{folders}]")
        for setting in _OUT_OF_REACH:
            database.connection.execute(f"SET {setting}")


def _bounds() -> dict[str, str]:
    """Return settings: what memory cannot hold goes to a folder beside the database, to a limit."""
    memory = min(BYTES_LIMIT, engine_memory() or BYTES_LIMIT)
    return {"memory_limit": f"{memory} B", "max_temp_directory_size": "4GB"}


def lock_down(database: Database) -> None:
    """Guard a connection against accidents: files, network, settings, memory without end."""
    with CONFIGURING:
        if is_locked(database.connection):
            return
        keep_within(database)
        for name, value in _bounds().items():
            database.connection.execute(f"SET {name} = '{value}'")
        database.connection.execute("SET lock_configuration = true")


@contextmanager
def bounded(database: Database) -> Iterator[None]:
    """Give the block's statements the memory that ``lock_down`` gives, and then the former again.

    A connection that is locked down has these limits already.
    """
    connection = database.connection
    if is_locked(connection):
        yield
        return
    former = {
        name: connection.execute("SELECT current_setting(?)", [name]).fetchall()[0][0]
        for name in _bounds()
    }
    try:
        for name, value in _bounds().items():
            connection.execute(f"SET {name} = '{value}'")
        yield
    finally:
        for name, value in former.items():
            of_disk = "%" in value
            connection.execute(f"RESET {name}" if of_disk else f"SET {name} = '{value}'")


def check_size(size: int) -> None:
    """Raise QueryError for a result of so many bytes where that is too much."""
    if size > BYTES_LIMIT:
        raise QueryError(
            f"the result is larger than {BYTES_LIMIT / 10**9:g} GB",
            hint="ask for fewer rows or columns, or for sums of them",
        )


@contextmanager
def time_limit(
    connection: duckdb.DuckDBPyConnection,
    seconds: float | None,
    give_up: Callable[[], None] | None = None,
    struck: threading.Event | None = None,
) -> Iterator[None]:
    """Interrupt the connection's statements when the block has taken ``seconds``; None: never.

    ``struck`` is set then: what the block raises may name the interrupt, or what it broke.

    DuckDB forgets an interrupt that comes before a statement begins, so it is repeated until the
    block ends. A single function call, such as one over a huge string, heeds none: ``give_up``, if
    given, is called in another thread where the block has not ended GRACE_SECONDS later.
    """
    if seconds is None:
        yield
        return
    ended = threading.Event()
    events = (ended, struck or threading.Event())
    watcher = threading.Thread(
        target=_watch, args=(connection, seconds, *events, give_up), daemon=True
    )
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _watch(
    connection: duckdb.DuckDBPyConnection,
    seconds: float,
    ended: threading.Event,
    struck: threading.Event,
    give_up: Callable[[], None] | None,
) -> None:
    if ended.wait(seconds):
        return
    struck.set()
    interrupts = 0
    while not ended.is_set():
        connection.interrupt()
        interrupts += 1
        if give_up is not None and interrupts * _BETWEEN_INTERRUPTS > GRACE_SECONDS:
            give_up()
            return
        ended.wait(_BETWEEN_INTERRUPTS)
