"""Results that are small to print: their fields in one line, collections as how many they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from typing import Any

_LONGEST = 60
"""Characters of a text, or of a short collection, that are shown."""
_FEW = 3


_html: Callable[[Any], str] | None = None
_text: Callable[[Any], str] = repr


def show_results(html: Callable[[Any], str], text: Callable[[Any], str]) -> None:
    """Let these make HTML and text of results; what shows them says so when it is loaded."""
    global _html, _text
    _html, _text = html, text


class Brief:
    """A dataclass (with ``repr=False``) whose ``repr`` is one line, however much it holds.

    Notebooks show it as HTML, and ``print`` as its command does, where what makes that is loaded.
    """

    def __str__(self) -> str:
        return _text(self)

    def _repr_html_(self) -> str | None:
        """Return the result as HTML for a notebook; None lets it show the line."""
        return None if _html is None else _html(self)

    def __repr__(self) -> str:
        shown = (
            f"{part.name}={brief(getattr(self, part.name))}"
            for part in fields(self)  # type: ignore[arg-type]
            if part.repr and getattr(self, part.name) not in (None, (), [], {})
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def brief(value: Any) -> str:
    """Return a value in a few words: texts cut, collections as how many they hold."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if is_dataclass(value) and not isinstance(value, type):
        first = fields(value)[0].name
        return f"{type(value).__name__}({first}={brief(getattr(value, first))})"
    if isinstance(value, Mapping | Sequence | Set) and not isinstance(value, str | bytes):
        plain = repr(value)
        if len(value) <= _FEW and len(plain) <= _LONGEST:
            return plain
        return f"<{len(value)} {_kind(value)}>"
    if hasattr(value, "num_rows"):
        return f"<table of {plural(value.num_rows, 'row')}>"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _kind(values: Mapping[Any, Any] | Sequence[Any] | Set[Any]) -> str:
    """Return what a collection holds."""
    first = next(iter(values.values() if isinstance(values, Mapping) else values))
    return type(first).__name__ if is_dataclass(first) else "values"


def plural(count: int, noun: str) -> str:
    """Return a count of things: 1 row, 1,204 rows, 2 analyses."""
    nouns = f"{noun[:-2]}es" if noun.endswith("sis") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else nouns}"


def listed(names: Sequence[object], most: int = 10, between: str = ", ") -> str:
    """Return names with commas between them, of more than ``most`` how many there are beside."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{between.join(map(str, names[:most]))}{more}"
