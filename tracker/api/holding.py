"""How long a method holds the file of its database: while it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

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


def _holding(method: Method, *, read_only: bool) -> Method:
    @wraps(method)
    def held(owner: Any, *given: Any, **named: Any) -> Any:
        with owner.database.opened(read_only=read_only):
            return method(owner, *given, **named)

    return cast("Method", held)
