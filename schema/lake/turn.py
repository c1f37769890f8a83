"""The turn of those that write to a lake, one at a time, of whom each says who it is."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import TypeVar

import duckdb

from ..errors import DatabaseBusyError
from ..statements import quoted
from ..waiting import Wait

_TURN = 0x5372747261636B65
"""The number of the lock that PostgreSQL gives one writer at a time."""
_NAME_BYTES = 63
"""As much as PostgreSQL takes of a program's name."""
_NOT_NOW = {
    "too many (clients|connections)|connection slots are reserved": (
        "a free connection to PostgreSQL",
        "PostgreSQL takes no more connections",
        "wait until others have finished (--wait SECONDS), or raise max_connections",
    ),
    "the database system is (starting up|in recovery|not (yet )?accepting|shutting down)": (
        "PostgreSQL to start",
        "PostgreSQL has not started yet",
        "wait until it has (--wait SECONDS); it recovers after one of its processes was killed",
    ),
}
"""By what PostgreSQL says where it takes no connection for a while: what is waited for, what is
wrong where it still takes none in the end, and what to do."""
_WORD = re.compile(r"[a-z][a-z-]*")
_HOLDER = f"""
SELECT pid, usename, application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND granted AND datname = current_database()
AND classid::bigint = {_TURN >> 32} AND objid::bigint = {_TURN & 0xFFFFFFFF}
"""  # noqa: S608

T = TypeVar("T")


@contextmanager
def in_turn(
    connection: duckdb.DuckDBPyConnection,
    catalog: str,
    where: str,
    wait_seconds: float,
    say: Callable[[str], None],
) -> Iterator[None]:
    """Do the block while a connection of its own holds PostgreSQL's lock.

    Others are told who has it, since when, and by what command. Raises DatabaseBusyError where the
    turn does not come in time.
    """
    wait = Wait(wait_seconds, say)
    with connection.cursor() as turn:
        turn.execute("BEGIN")
        try:
            while not _is_ours(turn, catalog, wait):
                if not wait.goes_on(lambda: _holder(connection, catalog)):
                    raise DatabaseBusyError(
                        f"the lake is being written to by {_holder(connection, catalog)}",
                        where=where,
                        hint="wait until they have finished (--wait SECONDS)",
                    )
            yield
        finally:
            with suppress(duckdb.Error):  # PostgreSQL is gone, and the turn with it
                turn.execute("ROLLBACK")


def _is_ours(turn: duckdb.DuckDBPyConnection, catalog: str, wait: Wait) -> bool:
    """Return whether the lock is now held by a transaction, which says whose it is."""

    def ask() -> bool:
        query = (
            f"SELECT pg_try_advisory_xact_lock({_TURN}) AS mine, "
            f"set_config('application_name', {quoted(_own_name())}, true) AS name"
        )
        try:
            rows = turn.execute(f"SELECT mine FROM {_query_of(catalog, query)}").fetchall()  # noqa: S608
        except duckdb.Error:
            with suppress(duckdb.Error):
                turn.execute("ROLLBACK")
            turn.execute("BEGIN")
            raise
        return rows == [(True,)]

    return when_connected(ask, wait)


def when_connected(action: Callable[[], T], wait: Wait) -> T:
    """Return what an action returns, tried again while PostgreSQL takes no connection for now.

    Raises DatabaseBusyError where it still takes none when the time is over.
    """
    while True:
        try:
            return action()
        except duckdb.Error as error:
            reasons = (why for words, why in _NOT_NOW.items() if re.search(words, str(error), re.I))
            awaited, message, hint = next(reasons, ("", "", ""))
            if not awaited:
                raise
            if not wait.goes_on(awaited):
                raise DatabaseBusyError(message, hint=hint) from None


def _holder(connection: duckdb.DuckDBPyConnection, catalog: str) -> str:
    """Return who has the lock: what it calls itself, or PostgreSQL's number of its connection."""
    with suppress(duckdb.Error):
        for process, user, name in connection.execute(
            f"SELECT pid, usename, application_name FROM {_query_of(catalog, _HOLDER)}"  # noqa: S608
        ).fetchall():
            return str(name or f"{user}, by the connection {process} of PostgreSQL")
    return "others"


def _query_of(catalog: str, query: str) -> str:
    return f"postgres_query({quoted(catalog)}, {quoted(query)})"


def _own_name() -> str:
    """Return what this process is called there: user, machine, process, time and command."""
    try:
        user = getuser()
    except (KeyError, OSError):  # a user without a name
        user = str(os.getuid()) if hasattr(os, "getuid") else "somebody"
    machine = socket.gethostname().partition(".")[0]
    who = f"{user[:10]}@{machine[:15]}, process {os.getpid()}"
    name = f"{who}, since {datetime.now(UTC):%H:%M:%S} UTC: {_command()}"
    return name.encode("ascii", "replace")[:_NAME_BYTES].decode()


def _command() -> str:
    """Return the first words of the command that runs, without options and their values."""
    words = [
        word
        for before, word in zip(sys.argv, sys.argv[1:], strict=False)
        if _WORD.fullmatch(word) and not before.startswith("-")
    ]
    return " ".join(words[:2]) or Path(sys.argv[0]).name
