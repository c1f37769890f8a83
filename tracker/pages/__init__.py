"""The pages: each is a function from a database and a request to a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from ..api.tracker import Tracker
from ..show.model import Page

Request: TypeAlias = Mapping[str, str]
"""The parts of the path by name, and the state that the address holds; a name that stands there
several times has its values line by line."""
PageMaker: TypeAlias = Callable[[Tracker, Request], Page]


class ReadRequest(dict[str, str]):
    """A request that knows what was read of it."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.unread = {*request}

    def __getitem__(self, name: str) -> str:
        """Return a value, which is read."""
        self.unread.discard(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value, or the default; either way it is read."""
        self.unread.discard(name)
        return super().get(name, default)


def made(maker: PageMaker, tracker: Tracker, request: Request) -> Page:
    """Return a page, which says what its address holds that it does not understand."""
    reading = ReadRequest(request)
    page = maker(tracker, reading)
    if not reading.unread:
        return page
    names = ", ".join(f"'{name}'" for name in sorted(reading.unread))
    note = f"This page does not understand {names}, which its address holds."
    lead = " ".join(filter(None, [page.document.lead, note]))
    return replace(page, document=replace(page.document, lead=lead))


def request_of(state: Iterable[tuple[str, str]], path: Mapping[str, object]) -> dict[str, str]:
    """Return the request that the state of an address and the parts of its path make."""
    values_of: dict[str, list[str]] = {}
    for name, value in state:
        values_of.setdefault(name, []).append(value)
    return {
        **{name: "\n".join(values) for name, values in values_of.items()},
        **{name: str(value) for name, value in path.items()},
    }
