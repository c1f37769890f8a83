"""What the database engine may take of the machine: memory and threads, and who may change that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from .errors import OutOfMemoryError
from .statements import quoted

if TYPE_CHECKING:
    import duckdb

    from .database import Database

_SHARE = 0.6
"""Share for the engine of what the process may have; Python, Arrow and libraries need the rest."""
_SHARE_OF_ADDRESSES = 0.4
"""The same where addresses are limited: threads and allocators reserve more than they use."""
_LEAST = 64 * 2**20
_SPILLING = 512 * 10**6
"""Memory for statements over all rows of many campaigns, whose rows take turns in it."""
LEAST_ADDRESSES = 112 * 2**20
"""Free addresses that DuckDB and threads need: where one cannot start, the process is ended."""
_CGROUPS = Path("/sys/fs/cgroup")
# The log of recent changes may grow to this size before they are packed into the tables: packing
# after every few files costs more than loading them. Progress is told by us, not by DuckDB.
_SETTINGS = "SET checkpoint_threshold = '256MB'; SET enable_progress_bar = false"
CONFIGURING = RLock()
"""Held while settings are looked at and changed: threads that have one file open share them."""


def configured(file: str, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Return a connection to a file that takes no more than the process may have.

    Raises OutOfMemoryError where that is too little to begin with.
    """
    import duckdb

    check_addresses(LEAST_ADDRESSES, Path(file))
    connection = duckdb.connect(file, read_only=read_only)
    with CONFIGURING:
        if not is_locked(connection):
            connection.execute(_SETTINGS)
            _limit_to_own_cores(connection)
            limit_memory(connection)
    return connection


def is_locked(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether settings can no longer be changed: this process has the file open guarded."""
    setting = connection.execute("SELECT current_setting('lock_configuration')").fetchall()
    return setting == [(True,)]


def limit_threads(database: Database, threads: int) -> None:
    """Let statements take so many threads; settings that are locked stay as they are."""
    with CONFIGURING:
        if is_locked(database.connection):
            return
        database.set_up(lambda connection: connection.execute(f"SET threads = {threads:d}"))


@contextmanager
def one_thread(database: Database) -> Iterator[None]:
    """Let the block's statements, small ones, take one thread: others wait busily for its work."""
    (threads,) = database.connection.execute("SELECT current_setting('threads')").fetchone() or (1,)
    if threads == 1:
        yield
        return
    limit_threads(database, 1)
    try:
        yield
    finally:
        limit_threads(database, threads)


def own_cores() -> int:
    """Return how many cores the process may run on: a job has a few of a cluster machine's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limit_to_own_cores(connection: duckdb.DuckDBPyConnection) -> None:
    """Have no more threads than own cores: DuckDB counts the machine's; they would wait, busily."""
    cores = own_cores()
    if cores < (os.cpu_count() or 1):
        connection.execute(f"SET threads = least(current_setting('threads'), {cores:d})")


def limit_memory(connection: duckdb.DuckDBPyConnection) -> None:
    """Give the engine a share of the memory that the process may have, where that is limited.

    Beyond that it writes to a folder beside the database. Without a limit its own rule stays,
    most of the machine's memory.
    """
    limit = engine_memory()
    if limit is not None:
        connection.execute(f"SET memory_limit = '{limit // 1024} KiB'")


def spill(database: Database, folder: str) -> None:
    """Let statements take half a gigabyte of memory at most, and of a folder what they need."""
    memory = min(_SPILLING, engine_memory() or _SPILLING)
    database.connection.execute(
        f"SET memory_limit = '{memory} B'; SET temp_directory = {quoted(folder)}; "
        "SET preserve_insertion_order = false"
    )


def engine_memory() -> int | None:
    """Return the bytes the engine may take, None where neither cgroup nor ulimit sets a limit."""
    limits = [int(_SHARE * size) for size in _cgroup_limits(Path("/proc/self/cgroup"), _CGROUPS)]
    limits += [int(_SHARE_OF_ADDRESSES * size) for size in _free_addresses()]
    return max(_LEAST, min(limits)) if limits else None


def check_addresses(least: int, path: Path | None) -> None:
    """Raise OutOfMemoryError where the process may have fewer further addresses, in bytes."""
    free = min(_free_addresses(), default=least)
    if free < least:
        what = f"{free // 2**20} MB of addresses are free, {least // 2**20} MB are needed"
        raise out_of_memory(MemoryError(what), path)


def out_of_memory(error: BaseException, path: Path | None) -> OutOfMemoryError:
    """Return the error that tells the user so."""
    reason = next(iter(str(error).strip().splitlines()), "")
    return OutOfMemoryError(
        "this process may not have as much memory as it needs" + (f": {reason}" if reason else ""),
        where=str(path or "memory"),
        hint="give it more (ulimit -v, the container's limit), or work on fewer at once, such as "
        "--submission; what was complete is kept",
    )


def _cgroup_limits(membership: Path, root: Path) -> Iterator[int]:
    """Yield the limits of the process's control groups, of both versions, where there are any."""
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            top, name = root, "memory.max"
        elif "memory" in controllers.split(","):
            top, name = root / "memory", "memory.limit_in_bytes"
        else:
            continue
        group = top / path.strip("/")
        for folder in (group, *group.parents):
            if top not in (folder, *folder.parents):
                break
            try:
                limit = int((folder / name).read_text())
            except (OSError, ValueError):  # no such group within a container, or "max"
                continue
            if limit < machine:
                yield limit


def _free_addresses() -> Iterator[int]:
    """Yield what is free of the address space and of the data that ``ulimit`` allows."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    page = os.sysconf("SC_PAGE_SIZE")
    for kind, column in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
        limit, _ = resource.getrlimit(kind)
        if limit != resource.RLIM_INFINITY:
            taken = 0
            with suppress(OSError, ValueError, IndexError):
                taken = int(Path("/proc/self/statm").read_text().split()[column]) * page
            yield max(0, limit - taken)
