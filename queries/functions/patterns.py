"""The notation of subtree patterns: ``(conj (advmod advmod))``, and requests of Grew (grew.fr).

A request names nodes and edges: ``pattern { H -[1=advcl]-> N1; N1 -[1=nsubj]-> N2 }`` is the
pattern ``(advcl (nsubj))``. Different nodes are different words in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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


NODE_FEATURES = ("lemma", "upos", "xpos")
"""Attributes of words, in the order in which labels join them, before the relation."""
EDGE_ATTRIBUTES = ("deprel", "relation")
"""The universal relation (``1=nmod``), and the relation with its subtype (``nmod:poss``)."""
_REQUEST = re.compile(r"\s*(?:pattern|match)\s*\{(.*)\}\s*", re.DOTALL)
_BEGINS = re.compile(r"\s*(?:pattern|match|with|without|global)\s*\{")
_NAME = r"[A-Za-z_][\w$']*"
_EDGE = re.compile(rf"(?:{_NAME}\s*:\s*)?({_NAME})\s*-(?:\[([^\[\]]*)\]-)?>\s*({_NAME})")
_NODE = re.compile(rf"({_NAME})\s*\[(.*)\]", re.DOTALL)
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_CLAUSE = re.compile(rf"(?:{_QUOTED}|[^;\"])+")
_PART = re.compile(rf"(?:{_QUOTED}|[^,\"])+")
_FEATURE = re.compile(rf"(\w+)\s*=\s*({_QUOTED}|[^\s\"|*<>=/]+)")
_RELATION = re.compile(r"[\w:@./$-]+")
_UNIVERSAL = re.compile(r"\s*1\s*=\s*([^\s,|]+)\s*(?:,\s*deep\s*=\s*([^\s,|]+)\s*)?")
_DEEP = re.compile(r"^([^:@]+)@([^:@]+)$")
"""What SUD has behind a relation, such as mod@relcl, which Grew keeps apart."""
_GREW_HINT = (
    "what translates is one tree of words with lemma, upos or xpos and edges -[1=nsubj]->, "
    "-[nmod:poss]-> or ->, such as pattern { V [upos=VERB]; V -> S; S [upos=NOUN] }"
)


def is_request(text: str) -> bool:
    """Return whether a text is meant as a Grew request rather than a pattern."""
    return _BEGINS.match(text) is not None


def grew_request(pattern: Pattern, labels: str) -> str | None:
    """Return a pattern whose nodes have these labels as a Grew request.

    Returns None where Grew has no such request: for relations that are missing or of odd letters,
    and for labels with both kinds of relation. Trees of patterns are without punctuation, which
    makes no difference to patterns without it; lemmas of patterns are in lower case.
    """
    attributes = labels.split(SEPARATOR)
    clauses: list[str] = []
    related = [name for name in attributes if name in EDGE_ATTRIBUTES]
    if len(related) > 1:
        return None
    nodes = list(_numbered(pattern))
    for number, above, node in nodes:
        values = dict(zip(attributes, split_label(node.label), strict=True))
        features = [
            f"{name}={_quoted(value)}" if value is not None else f"!{name}"
            for name, value in values.items()
            if name in NODE_FEATURES
        ]
        if features:
            clauses.append(f"N{number} [{', '.join(features)}]")
        head = f"N{above}" if above else "H"
        if related:
            value = values[related[0]]
            if value is None or not _RELATION.fullmatch(value):
                return None
            edge = _DEEP.sub(r"\1, deep=\2", value)
            edge = f"1={edge}" if related == ["deprel"] else value
            clauses.append(f"{head} -[{edge}]-> N{number}")
        elif above:
            clauses.append(f"{head} -> N{number}")
    return f"pattern {{ {'; '.join(clauses)} }}"


def parse_request(text: str) -> tuple[Pattern, str]:
    """Return the pattern that a Grew request stands for, and what its nodes are labelled with.

    Raises InputError for requests that are no tree, or ask for what patterns cannot say.
    """
    whole = _REQUEST.fullmatch(text)
    if whole is None or re.sub(_QUOTED, "", whole[1]).count("}"):
        raise _refused("one 'pattern { … }' is taken, without others behind it", text)
    request = _Request(text)
    for clause in _CLAUSE.findall(whole[1]):
        if clause.strip():
            request.add(clause.strip())
    return request.pattern()


@dataclass
class _Request:
    """The nodes and edges of a request."""

    text: str
    nodes: dict[str, dict[str, str | None]] = field(default_factory=dict)
    heads: dict[str, str] = field(default_factory=dict)

    def add(self, clause: str) -> None:
        edge, node = _EDGE.fullmatch(clause), _NODE.fullmatch(clause)
        if edge:
            self._add_edge(edge[1], edge[2], edge[3], clause)
        elif node:
            values = self.nodes.setdefault(node[1], {})
            for part in filter(str.strip, _PART.findall(node[2])):
                name, value = self._feature(part.strip(), clause)
                if values.setdefault(name, value) != value:
                    raise _refused(f"'{name}' has two values", clause)
        else:
            raise _refused("this clause does not translate", clause)

    def _feature(self, part: str, clause: str) -> tuple[str, str | None]:
        if part.startswith("!") and part[1:].strip() in NODE_FEATURES:
            return part[1:].strip(), None
        match = _FEATURE.fullmatch(part)
        if match is None or match[1] not in NODE_FEATURES:
            raise _refused(f"'{part}' does not translate", clause)
        value = _unquoted(match[2])
        return match[1], value.lower() if match[1] == "lemma" else value

    def _add_edge(self, head: str, label: str | None, word: str, clause: str) -> None:
        if word in self.heads or word == head:
            raise _refused(f"'{word}' has two heads, or is its own", clause)
        self.heads[word] = head
        self.nodes.setdefault(head, {})
        values = self.nodes.setdefault(word, {})
        if label is None:
            return
        universal = _UNIVERSAL.fullmatch(label)
        relation = _unquoted(universal[1]) if universal else label.strip()
        relation += f"@{universal[2]}" if universal and universal[2] else ""
        if not _RELATION.fullmatch(relation):
            raise _refused(f"the relation '{label}' does not translate", clause)
        values["deprel" if universal else "relation"] = relation

    def pattern(self) -> tuple[Pattern, str]:
        below: dict[str, list[str]] = {}
        for word, head in self.heads.items():
            below.setdefault(head, []).append(word)
        tops = [word for word in self.nodes if word not in self.heads]
        if len(tops) != 1:
            raise _refused(f"the request has {len(tops) or 'no'} words without a head", self.text)
        (top,) = tops
        related = any({*EDGE_ATTRIBUTES} & {*values} for values in self.nodes.values())
        if related and not self.nodes[top] and len(below[top]) == 1:
            del self.nodes[top]
            (top,) = below[top]
        attributes_there = {name for values in self.nodes.values() for name in values}
        attributes = [
            name for name in (*NODE_FEATURES, *EDGE_ATTRIBUTES) if name in attributes_there
        ]
        for word, values in self.nodes.items():
            missing = [name for name in attributes if name not in values]
            if missing:
                raise _refused(
                    f"'{word}' has no {missing[0]}, though another word has: patterns label all "
                    "words alike",
                    self.text,
                )
        if not attributes:
            raise _refused("the request has no conditions on its words", self.text)
        text = self._text(top, below, attributes, 1)
        return parse_pattern(f"({text})"), SEPARATOR.join(attributes)

    def _text(
        self, word: str, below: dict[str, list[str]], attributes: list[str], depth: int
    ) -> str:
        if depth > MAXIMUM_DEPTH:
            raise _refused(f"deeper than {MAXIMUM_DEPTH} words", self.text)
        label = node_label(self.nodes[word][name] for name in attributes)
        inside = [self._text(child, below, attributes, depth + 1) for child in below.get(word, [])]
        return f"{label} ({' '.join(inside)})" if inside else label


def _numbered(pattern: Pattern) -> Iterator[tuple[int, int, Pattern]]:
    """Yield each node's number from 1, that of the node above it (0 for none), and the node."""
    pending = [(0, pattern)]
    number = 0
    while pending:
        above, node = pending.pop(0)
        number += 1
        yield number, above, node
        pending.extend((number, child) for child in node.children)


def _quoted(value: str) -> str:
    if re.fullmatch(r"[A-Za-z]\w*", value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value


def _refused(message: str, where: str) -> InputError:
    return InputError(message, where=f"Grew request: {where.strip()}", hint=_GREW_HINT)
