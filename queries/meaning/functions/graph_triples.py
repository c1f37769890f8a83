"""The triples of a meaning graph in PENMAN notation, as they are compared.

The reader is strict and keeps no stack of calls, so that a graph may be nested as deeply as it
likes. Roles are normalised by penman's model of AMR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple, NoReturn, TypeAlias, get_args

from penman.models.amr import model

TopConvention: TypeAlias = Literal["none", "concept", "graded", "constant"]
TOP_CONVENTIONS: tuple[TopConvention, ...] = get_args(TopConvention)
TOP_ROLE = ":TOP"

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_ALIGNMENT = r"(?:~(?:[a-zA-Z]\.?)?[0-9]+(?:,[0-9]+)*)?"
_PIECE = re.compile(
    rf"""\s*(?:
        (?P<open>\()\s*(?P<variable>[^\s()":/~]*)
            (?:\s*(?P<slash>/)\s*(?P<concept>{_STRING}|(?!:)[^\s()"~]+)?{_ALIGNMENT})?
      | (?P<close>\))
      | (?P<role>:[^\s()":~]+){_ALIGNMENT}
            (?:\s*(?P<target>{_STRING}|(?![:/])[^\s()"~]+){_ALIGNMENT})?
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_NUMBERED = re.compile(r"([A-Za-z]+)[0-9]*")


class GraphError(ValueError):
    """A text that is no meaning graph: what is wrong, and where in the text."""

    def __init__(self, message: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class GraphTriples:
    """What a graph says, each triple once and in the order of the text.

    Constants and concepts are in lower case and without quotes; no relation is inverted.
    """

    variables: tuple[str, ...]
    instances: tuple[tuple[str, str], ...]  # variable, concept
    attributes: tuple[tuple[str, str, str], ...]  # variable, role, constant
    relations: tuple[tuple[str, str, str], ...]  # source, role, target
    top: str | None = None  # the first variable
    flag: str | None = None  # what is unusual about the graph
    graded_top: bool = False  # whether the top counts in part where another's concept is similar

    @property
    def count(self) -> int:
        """Number of different triples."""
        return len(self.instances) + len(self.attributes) + len(self.relations)


class _Edge(NamedTuple):
    source: str
    role: str
    target: str
    position: int


def read_triples(penman: str, *, top: TopConvention = "none") -> GraphTriples:
    """The triples of one graph in PENMAN notation; lines that start with # are skipped.

    `flag` names what is unusual but harmless: an empty graph, parts that are not connected, a
    node without a concept, a triple that stands there twice (it counts once).

    Raises GraphError, with line and column, for parentheses that do not match, a role without a
    target, a variable that is defined twice, or a target that looks like a variable (one letter
    with or without a number, or named as the graph names its variables) and is defined nowhere.
    """
    return with_top(_Reader(penman).read(), top)


def with_top(graph: GraphTriples, top: TopConvention) -> GraphTriples:
    """The graph with its top as an attribute, as `top` says.

    `concept`: the role :TOP with the concept of the top, as the smatch tool had it until 2020;
    `graded`: the same, but a similar concept counts in part, as the authors' program of S2match
    has it; `constant`: with the constant "top", as smatch has it since; `none`: not counted.
    """
    if top == "none" or graph.top is None:
        return graph
    value = "top" if top == "constant" else dict(graph.instances).get(graph.top)
    if value is None:
        return graph
    attributes = (*graph.attributes, (graph.top, TOP_ROLE, value))
    return replace(graph, attributes=attributes, graded_top=top == "graded")


class _Reader:
    """Reads one text; what it has found so far."""

    def __init__(self, text: str) -> None:
        self.text = _COMMENT.sub(lambda comment: " " * len(comment.group()), text)
        self.concepts: dict[str, str | None] = {}
        self.edges: list[_Edge] = []  # to nodes
        self.atoms: list[_Edge] = []  # to constants, or to variables named again
        self.open: list[tuple[str, int]] = []
        self.role: tuple[str, int] | None = None  # waits for its target
        self.roots = 0

    def read(self) -> GraphTriples:
        position = 0
        while True:
            piece = _PIECE.match(self.text, position)
            if piece is None:
                self._unreadable(position)
            if piece["role"]:
                self._read_role(piece)
            elif piece["close"]:
                self._close(piece.start("close"))
            elif piece["open"]:
                self._read_node(piece)
            else:
                break
            position = piece.end()
        if self.open:
            self._fail("this parenthesis is never closed", self.open[-1][1])
        return self._triples()

    def _read_role(self, piece: re.Match[str]) -> None:
        self._need_no_role()
        if not self.open:
            self._fail("a role outside of all parentheses", piece.start("role"))
        if piece["target"]:
            source = self.open[-1][0]
            self.atoms.append(_Edge(source, piece["role"], piece["target"], piece.start("target")))
        else:
            self.role = (piece["role"], piece.start("role"))

    def _read_node(self, piece: re.Match[str]) -> None:
        variable, position = piece["variable"], piece.start("open")
        if not variable:
            if (
                self.open
                or self.concepts
                or piece["slash"]
                or self.text[piece.end() :].strip() != ")"
            ):
                self._fail("a node without a variable", position)
            self.open.append(("", position))
            return
        if variable in self.concepts:
            self._fail(f"the variable {variable} is defined twice", position)
        if self.open:
            if self.role is None:
                self._fail("a node without a role before it", position)
            self.edges.append(_Edge(self.open[-1][0], self.role[0], variable, position))
            self.role = None
        else:
            self.roots += 1
        self.concepts[variable] = _constant(piece["concept"]) if piece["concept"] else None
        self.open.append((variable, position))

    def _close(self, position: int) -> None:
        self._need_no_role()
        if not self.open:
            self._fail("this parenthesis closes nothing", position)
        self.open.pop()

    def _need_no_role(self) -> None:
        if self.role is not None:
            self._fail(f"the role {self.role[0]} has no target", self.role[1])

    def _unreadable(self, position: int) -> NoReturn:
        position += len(self.text[position:]) - len(self.text[position:].lstrip())
        character = self.text[position]
        if character == '"':
            self._fail(
                "a quotation mark that is never closed, or stands in a wrong place", position
            )
        self._fail(f"expected a role or a parenthesis, found {character!r}", position)

    def _fail(self, message: str, position: int) -> NoReturn:
        before = self.text[:position]
        line = before.count("\n") + 1
        raise GraphError(message, line=line, column=position - (before.rfind("\n") + 1) + 1)

    def _triples(self) -> GraphTriples:
        prefixes = {_letters(variable) for variable in self.concepts} - {None}
        attributes: list[tuple[str, str, str]] = []
        relations = [_directed(edge) for edge in self.edges]
        for atom in self.atoms:
            if atom.target in self.concepts:
                relations.append(_directed(atom))
            elif _is_variable(atom.target, prefixes):
                self._fail(f"the variable {atom.target} is defined nowhere", atom.position)
            else:
                role = canonical_role(atom.role)[0]
                attributes.append((atom.source, role, _constant(atom.target)))
        instances = [(name, concept) for name, concept in self.concepts.items() if concept]
        unique_attributes = tuple(dict.fromkeys(attributes))
        unique_relations = tuple(dict.fromkeys(relations))
        repeated = len(attributes) + len(relations) - len(unique_attributes) - len(unique_relations)
        flags = {
            "empty graph": not self.concepts,
            "not connected": self.roots > 1 and not _connected(self.concepts, relations),
            "node without a concept": len(instances) < len(self.concepts),
            "repeated triple": repeated > 0,
        }
        return GraphTriples(
            variables=tuple(self.concepts),
            instances=tuple(instances),
            attributes=unique_attributes,
            relations=unique_relations,
            top=next(iter(self.concepts), None),
            flag="; ".join(flag for flag, holds in flags.items() if holds) or None,
        )


@lru_cache(maxsize=4096)
def canonical_role(role: str) -> tuple[str, bool, str]:
    """The role as attributes have it; whether it runs backwards as a relation, and its name then.

    Case is ignored. `:domain` is the inverse of `:mod`, and `:mod` is what is kept.
    """
    role = role.lower()
    if role.startswith(":arg"):
        role = ":ARG" + role[4:]
    role = model.canonicalize_role(role)
    if role == ":domain":
        return role, True, ":mod"
    if model.is_role_inverted(role):
        return role, True, model.invert_role(role)
    return role, False, role


def _directed(edge: _Edge) -> tuple[str, str, str]:
    _, backwards, role = canonical_role(edge.role)
    if backwards:
        return edge.target, role, edge.source
    return edge.source, role, edge.target


def _constant(text: str) -> str:
    if text.startswith('"'):
        text = text[1:-1]
    return text.lower()


def _letters(name: str) -> str | None:
    match = _NUMBERED.fullmatch(name)
    return match[1] if match else None


def _is_variable(target: str, prefixes: set[str | None]) -> bool:
    letters = _letters(target)
    if letters is None or not target.isascii():
        return False
    return (len(letters) == 1 and letters.islower()) or (letters != target and letters in prefixes)


def _connected(variables: dict[str, str | None], relations: list[tuple[str, str, str]]) -> bool:
    neighbours: dict[str, list[str]] = {variable: [] for variable in variables}
    for source, _, target in relations:
        neighbours[source].append(target)
        neighbours[target].append(source)
    waiting = [next(iter(variables))]
    reached = set(waiting)
    while waiting:
        for neighbour in neighbours[waiting.pop()]:
            if neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    return len(reached) == len(variables)
