"""A time limit on what a database connection executes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import duckdb

GRACE_SECONDS = 5.0
_BETWEEN_INTERRUPTS = 0.1


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
