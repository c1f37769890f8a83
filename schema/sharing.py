"""A database file that is held for one operation at a time, never for a session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import cast

import duckdb

from .address import LakeAddress, Place
from .database import Database
from .errors import DatabaseUnavailableError, ReadOnlyError, first_line
from .waiting import is_awaited

HELD_SECONDS, MOST_HELD_SECONDS = 2.0, 10.0
"""An operation that holds the file for longer gives way between two batches.

The former where somebody says that they wait: to pack what was written and to open the file again
takes long. Not everybody can say so: a program of others, or who may not write beside the file.
"""
_PAUSE_SECONDS = 0.1
"""Long enough for whoever waits to find the file free."""


class SharedDatabase(Database):
    """A database whose file is free between operations; those within one share it.

    Threads that have one of these take turns.
    """

    def __init__(self, place: Place, open_file: Callable[[Place, bool], Database]) -> None:
        """Open nothing yet: ``open_file`` does, for reading only (True) or for writing as well."""
        super().__init__(place if isinstance(place, Path) else None, None)
        self.place = place
        self._open_file = open_file
        self._opened: Database | None = None
        self._lock = RLock()
        self._since = 0.0
        self._steps: list[Callable[[duckdb.DuckDBPyConnection], object]] = []
        self.most_seconds: float | None = None
        """The longest that opening the file may wait for others now; None for what is usual."""

    @property
    def where(self) -> str:
        """What messages call it: its path, or its address."""
        return str(self.place)

    @contextmanager
    def opened(self, *, read_only: bool) -> Iterator[None]:
        """Hold the file for the block, an operation.

        Raises ReadOnlyError for one that writes within one that reads, what opening raises, and
        DatabaseUnavailableError where a lake is lost meanwhile.
        """
        with self._lock:
            if self._connection is None:
                with unreachable_when_lost(self.place):
                    self._take(read_only)
                    try:
                        yield
                    finally:
                        self._steps.clear()
                        self.close()
            elif self.read_only and not read_only:
                raise ReadOnlyError(
                    "this writes, and the file is open for reading only",
                    where=self.where,
                    hint="do it outside of the block that reads, or hold the file by db.writing()",
                )
            else:
                yield

    @contextmanager
    def hurrying(self, seconds: float) -> Iterator[None]:
        """Let operations of the block wait for others no longer than so many seconds."""
        with self._lock:
            self.most_seconds = seconds
            try:
                yield
            finally:
                self.most_seconds = None

    @contextmanager
    def at(self, place: Place) -> Iterator[None]:
        """Let operations of the block find the database in another place, such as its own past."""
        with self._lock:
            own, self.place = self.place, place
            try:
                yield
            finally:
                self.place = own

    def give_way(self) -> None:
        """Let others have the file for a moment, where it has been held for long."""
        awaited = not isinstance(self.place, Path) or is_awaited(self.place)
        most = HELD_SECONDS if awaited else MOST_HELD_SECONDS
        if self._in_transaction or time.monotonic() - self._since < most:
            return
        read_only = self.read_only
        self.close()
        time.sleep(_PAUSE_SECONDS)
        self._take(read_only)
        for step in self._steps:
            step(self.connection)

    def check_within(self, query: str) -> None:
        """Raise QueryError for what reaches beyond the database, as the open one does."""
        self._held.check_within(query)

    def set_up(self, step: Callable[[duckdb.DuckDBPyConnection], object]) -> None:
        """Do something to the connection, and to those that follow it in the operation."""
        step(self.connection)
        self._steps.append(step)

    def _take(self, read_only: bool) -> None:
        self._opened = file = self._open_file(self.place, read_only)
        self._connection, self.read_only = file.connection, file.read_only
        self.folders = file.folders
        self.comments_on_view_columns = file.comments_on_view_columns
        self._since = time.monotonic()

    def close(self) -> None:
        """Give the file free, where an operation has it at present."""
        if self._opened is not None:
            try:
                self._opened.close()
            finally:
                self._opened = self._connection = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Do the block when nobody else writes."""
        with self._held.turn():
            yield

    def _fence(self) -> None:
        self._held._fence()

    def _refusal(self, error: BaseException) -> DatabaseUnavailableError | None:
        return self._held._refusal(error)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return another connection to the same database."""
        return self._held.cursor()

    @property
    def _held(self) -> Database:
        """The database that is open. Raises InputError where it is not."""
        if self._opened is None:
            self.connection  # noqa: B018
        return cast("Database", self._opened)


_LOST = (
    *("server closed the connection", "Failed to execute query", "no connection to the server"),
    *("fetch from an unsuccessful query result", "from DuckLake: Current transaction is aborted"),
)
"""What is said where PostgreSQL ends within a statement; the last two where DuckLake goes on."""


@contextmanager
def unreachable_when_lost(place: Place) -> Iterator[None]:
    """Raise DatabaseUnavailableError where the lake of a place is lost within the block."""
    try:
        yield
    except duckdb.Error as error:
        gone = isinstance(
            error, duckdb.IOException | duckdb.HTTPException | duckdb.ConnectionException
        )
        if not isinstance(place, LakeAddress) or not (
            gone or any(sign in str(error) for sign in _LOST)
        ):
            raise
        raise DatabaseUnavailableError(
            f"the lake was lost: {first_line(error)}",
            where=str(place),
            hint="what was committed before is whole; do it again when the lake is back, that "
            "goes on",
        ) from error
