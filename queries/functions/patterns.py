"""The notation of subtree patterns, such as ``(conj (advmod advmod))``: writing and reading it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...schema.errors import InputError

MISSING = "_"
SEPARATOR = "~"
MAXIMUM_DEPTH = 100

_SPECIAL = frozenset("()~\\")
_HINT = "write a pattern as (conj (advmod advmod)); put \\ before a blank, ( ) ~ or \\ in a label"


@dataclass(frozen=True)
class Pattern:
    """A labelled tree whose siblings are in no order."""

    label: str
    """The escaped label of its root."""
    children: tuple[Pattern, ...] = ()
    """Sorted by their text."""

    @property
    def text(self) -> str:
        """The canonical text, with outer parentheses."""
        return f"({self._node_text()})"

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return 1 + sum(child.nodes for child in self.children)

    def _node_text(self) -> str:
        return node_text(self.label, [child._node_text() for child in self.children])

    def __str__(self) -> str:
        return self.text


def escape_label(value: str | None) -> str:
    r"""Return one attribute's value as it stands in a label.

    Blanks, parentheses, ``~`` and ``\`` get a ``\`` before them; a missing or empty value is
    ``_``, and the value ``_`` itself is ``\_``.
    """
    if not value:
        return MISSING
    if value == MISSING:
        return f"\\{MISSING}"
    return "".join(f"\\{letter}" if _is_special(letter) else letter for letter in value)


def node_label(values: Iterable[str | None]) -> str:
    """Return the label of a node from the values of its attributes, joined with ``~``."""
    return SEPARATOR.join(escape_label(value) for value in values)


def split_label(label: str) -> list[str | None]:
    """Return the values that an escaped label joins; see ``node_label``."""
    values = re.findall(r"((?:\\.|[^~\\])+)", label, re.DOTALL)
    return [
        None if value == MISSING else re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
        for value in values
    ]


def node_text(label: str, children: Iterable[str]) -> str:
    """Return a node's canonical text, without outer parentheses, from its children's."""
    inside = " ".join(sorted(children))
    return f"{label} ({inside})" if inside else label


def parse_pattern(text: str) -> Pattern:
    """Return the pattern that ``text`` stands for; the order of siblings makes no difference.

    Raises InputError, which says where and what is wrong.
    """
    reader = _Reader(text)
    reader.take("(", "a pattern begins with '('")
    pattern = reader.node(depth=1)
    reader.take(")", "expected ')', or '(' and children")
    if reader.position < len(text):
        raise reader.error("nothing may follow the pattern")
    return pattern


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._skip_blanks()

    def node(self, depth: int) -> Pattern:
        if depth > MAXIMUM_DEPTH:
            raise self.error(f"deeper than {MAXIMUM_DEPTH} nodes")
        label = self._label()
        children: list[Pattern] = []
        if self._next() == "(":
            self.take("(", "")
            while not children or self._next() not in ("", ")"):
                children.append(self.node(depth + 1))
            self.take(")", "missing ')'")
        return Pattern(label, tuple(sorted(children, key=Pattern._node_text)))

    def take(self, character: str, otherwise: str) -> None:
        if self._next() != character:
            raise self.error(otherwise)
        self.position += 1
        self._skip_blanks()

    def error(self, problem: str) -> InputError:
        where = f"position {self.position + 1} of the pattern {self.text}"
        return InputError(problem, where=where, hint=_HINT)

    def _label(self) -> str:
        """Read one label and return it as `node_label` writes it."""
        values = [self._value()]
        while self._next() == SEPARATOR:
            self.position += 1
            values.append(self._value())
        self._skip_blanks()
        return node_label(values)

    def _value(self) -> str | None:
        start = self.position
        letters: list[str] = []
        while self._next() and not (_is_special(self._next()) and self._next() != "\\"):
            if self._next() == "\\":
                self.position += 1
                if not self._next():
                    raise self.error("nothing follows the '\\'")
            letters.append(self._next())
            self.position += 1
        if not letters:
            raise self.error("expected a label")
        return None if self.text[start : self.position] == MISSING else "".join(letters)

    def _next(self) -> str:
        return self.text[self.position : self.position + 1]

    def _skip_blanks(self) -> None:
        while self._next().isspace():
            self.position += 1


def _is_special(letter: str) -> bool:
    return letter in _SPECIAL or letter.isspace()
