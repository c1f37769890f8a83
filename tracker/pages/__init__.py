"""The pages: each is a function from a database and a request to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ..api.tracker import Tracker
from ..show.model import Page

Request: TypeAlias = Mapping[str, str]
"""The parts of the path by name, and the state that the address holds; a name that stands there
several times has its values line by line."""
PageMaker: TypeAlias = Callable[[Tracker, Request], Page]


def request_of(state: Iterable[tuple[str, str]], path: Mapping[str, object]) -> dict[str, str]:
    """Return the request that the state of an address and the parts of its path make."""
    values_of: dict[str, list[str]] = {}
    for name, value in state:
        values_of.setdefault(name, []).append(value)
    return {
        **{name: "\n".join(values) for name, values in values_of.items()},
        **{name: str(value) for name, value in path.items()},
    }
