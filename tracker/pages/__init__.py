"""The pages, each a function from a database and what was asked to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ..api.tracker import Tracker
from ..show.model import Page

Asked: TypeAlias = Mapping[str, str]
"""The parts of the path by name, and the state that the address holds: what it holds several
times is told line by line."""
PageMaker: TypeAlias = Callable[[Tracker, Asked], Page]


def asked_of(state: Iterable[tuple[str, str]], path: Mapping[str, object]) -> dict[str, str]:
    """Return what is asked by the state of an address and the parts of its path."""
    told: dict[str, list[str]] = {}
    for name, value in state:
        told.setdefault(name, []).append(value)
    return {
        **{name: "\n".join(values) for name, values in told.items()},
        **{name: str(value) for name, value in path.items()},
    }
