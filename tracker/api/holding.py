"""How long a method holds the file of its database: while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from inspect import unwrap
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...queries.catalog import load_external_metrics
from ...schema.errors import ReadOnlyError
from ...schema.sharing import SharedDatabase

if TYPE_CHECKING:
    from ...schema.database import Database
    from .tracker import Tracker

Method = TypeVar("Method", bound=Callable[..., Any])
READING: set[Callable[..., Any]] = set()
"""Functions of methods that change nothing that was stored: who may only read may call them."""
WRITING: set[Callable[..., Any]] = set()
"""Functions of methods that change what is stored, and nothing else: organisers may call them."""
STORING_SECONDS = 5.0
"""How long to wait for others before what was computed for a reader is told without storing it."""


class Theme:
    """Methods of a tracker that are about one theme."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    @property
    def database(self) -> Database:
        """The tracker's database."""
        return self._tracker.database


def reads(method: Method) -> Method:
    """Return a method of what has a database, with the file open for reading while it runs."""
    return tells(_holding(method, read_only=True))


def tells(method: Method) -> Method:
    """Return a method that opens the file for itself, as one that readers may call.

    It stores at most what it computed for them, and goes on where that cannot be stored.
    """
    READING.add(unwrap(method))
    return method


def writes(method: Method) -> Method:
    """Return a method of what has a database, with the file open for writing while it runs."""
    return changes(_holding(method, read_only=False))


def changes(method: Method) -> Method:
    """Return a method that opens the file for itself, as one that changes what is stored."""
    WRITING.add(unwrap(method))
    return method


@contextmanager
def holding(database: Database, *, read_only: bool) -> Iterator[None]:
    """Hold a database for a block, in which the metrics there are, are its own."""
    with database.opened(read_only=read_only):
        if not isinstance(database, SharedDatabase):  # opening a file heeds them
            load_external_metrics(database)
        yield


@contextmanager
def storing(tracker: Tracker) -> Iterator[Database]:
    """Hold the file, for writing, for a block that keeps what was computed for a reader.

    It waits for others ``STORING_SECONDS`` at most. Raises ReadOnlyError where nothing can be
    written, or the past is looked at, DatabaseBusyError where others hold the file.
    """
    if tracker.looks_back:
        raise ReadOnlyError("the database is read as it stood then", hint=None)
    shared = tracker.database if isinstance(tracker.database, SharedDatabase) else None
    hurried = shared.hurrying(STORING_SECONDS) if shared else nullcontext()
    with hurried, holding(tracker.database, read_only=False):
        yield tracker.database


def _holding(method: Method, *, read_only: bool) -> Method:
    @wraps(method)
    def held(owner: Any, *values: Any, **named: Any) -> Any:
        with holding(owner.database, read_only=read_only):
            return method(owner, *values, **named)

    return cast("Method", held)
