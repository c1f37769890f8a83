"""How long a method holds the file of its database: while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sr_tracker.queries.catalog import heed
from sr_tracker.schema.sharing import SharedDatabase

if TYPE_CHECKING:
    from sr_tracker.schema.database import Database
    from sr_tracker.tracker.api import Tracker

Method = TypeVar("Method", bound=Callable[..., Any])


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
    return _holding(method, read_only=True)


def writes(method: Method) -> Method:
    """Return a method of what has a database, with the file open for writing while it runs."""
    return _holding(method, read_only=False)


@contextmanager
def holding(database: Database, *, read_only: bool) -> Iterator[None]:
    """Hold a database for a block, in which the metrics there are, are its own."""
    with database.opened(read_only=read_only):
        if not isinstance(database, SharedDatabase):  # opening a file heeds them
            heed(database)
        yield


def _holding(method: Method, *, read_only: bool) -> Method:
    @wraps(method)
    def held(owner: Any, *given: Any, **named: Any) -> Any:
        with holding(owner.database, read_only=read_only):
            return method(owner, *given, **named)

    return cast("Method", held)
