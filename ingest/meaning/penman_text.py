"""The text of a meaning graph in PENMAN notation: whether it is sound, how large, and what is odd.

Stricter than the usual readers, which pass over a closing parenthesis too many, a variable defined
twice or never, a node without a concept and a role without a value; every place is told by line.
Constants may hold '/' and ':' without quotes, as in 1/3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...schema.errors import InputError

# Programs that call themselves for every level of a graph fail some hundreds of levels down.
MAX_DEPTH = 200
LARGE_GRAPH = 1000
_PIECES = r"""(?P<comment>\#.*)
    |(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    |(?P<open>\()
    |(?P<close>\))
    |(?P<slash>/)
    |(?P<role>:[^\s"()/:~]+)
    |(?P<symbol>SYMBOL)
    |(?P<alignment>~(?:[a-zA-Z]\.?)?[0-9]+(?:,[0-9]+)*)
    |(?P<other>\S)"""
_VARIABLE_TOKEN = re.compile(_PIECES.replace("SYMBOL", r'[^\s"()/:~]+'), re.VERBOSE)
_TOKEN = re.compile(_PIECES.replace("SYMBOL", r'[^\s"()/:~][^\s"()~]*'), re.VERBOSE)
_VARIABLE = re.compile(r"([A-Za-z]+)[0-9]*")
# What CAMR writes where it finds no relation or no concept.
_NO_RELATION = ":null_edge"
_NO_CONCEPT = "null_tag"
_FOLLOWERS = {
    "start": ("open",),
    "open": ("symbol",),
    "variable": ("slash",),
    "slash": ("symbol", "string"),
    "value": ("role", "close", "alignment"),
    "aligned value": ("role", "close"),
    "role": ("symbol", "string", "open", "alignment"),
    "aligned role": ("symbol", "string", "open"),
    "close": ("role", "close"),
}

Where = Callable[[int], str]
"""Turns the number of a line, counted from 0, into file:line."""


@dataclass(frozen=True)
class Token:
    """A piece of a graph's text, with the number of its line."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Edge:
    """What a role says of a node: ``value`` is a variable or a constant."""

    source: str
    role: str
    value: str
    line: int


@dataclass
class GraphText:
    """The content of one graph as it is written: no role is turned round."""

    concepts: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """Where each variable is defined."""
    edges: list[Edge] = field(default_factory=list)


def tokens_of(numbered_lines: Iterable[tuple[int, str]]) -> Iterator[Token]:
    """Return the tokens of a graph's lines, which are given with their numbers."""
    kind = "start"
    for number, text in numbered_lines:
        place = 0
        while match := (_VARIABLE_TOKEN if kind == "open" else _TOKEN).search(text, place):
            kind = str(match.lastgroup)
            place = match.end()
            yield Token(kind, match.group(), number)


def parse_graph(tokens: Sequence[Token], where: Where) -> GraphText:
    """Return the graph of tokens whose parentheses are balanced at the end, and not before.

    Raises InputError (file:line) for nodes without variable or concept, roles without a value,
    variables defined twice or never, and nodes nested too deep.
    """
    graph = GraphText()
    nodes: list[str] = []
    role = ""
    before = Token("start", "", 0)
    for token in tokens:
        if token.kind not in _FOLLOWERS[before.kind]:
            raise _misplaced(before, token, where)
        kind = token.kind
        if kind == "alignment":
            kind = f"aligned {before.kind}"
        elif kind == "close":
            nodes.pop()
        elif kind == "role":
            role = token.text
        elif before.kind == "open":
            kind = "variable"
            _define(graph, token, where)
            if nodes:
                graph.edges.append(Edge(nodes[-1], role, token.text, token.line))
            nodes.append(token.text)
        elif before.kind == "slash":
            kind = "value"
            graph.concepts[nodes[-1]] = token.text
        elif kind in ("symbol", "string"):
            kind = "value"
            graph.edges.append(Edge(nodes[-1], role, token.text, token.line))
        if len(nodes) > MAX_DEPTH:
            message = f"nodes are nested more than {MAX_DEPTH} deep"
            raise _error(message, where(token.line), "split the graph")
        before = Token(kind, token.text, token.line)
    _check_defined(graph, where)
    return graph


def _define(graph: GraphText, variable: Token, where: Where) -> None:
    if variable.text in graph.lines:
        first = where(graph.lines[variable.text]).rpartition(":")[2]
        raise _error(
            f"variable '{variable.text}' is defined twice, first on line {first}",
            where(variable.line),
            "give each node a variable of its own; a node's second mention is its variable alone, "
            "without parentheses and concept",
        )
    graph.lines[variable.text] = variable.line


def _check_defined(graph: GraphText, where: Where) -> None:
    """Check that no constant looks like a variable: one letter, or named like the graph's own."""
    stems = {match[1] for match in map(_VARIABLE.fullmatch, graph.concepts) if match}
    for edge in graph.edges:
        shape = _VARIABLE.fullmatch(edge.value)
        if shape is None or edge.value in graph.concepts:
            continue
        letters = shape[1]
        numbered = letters != edge.value and letters in stems
        if numbered or (len(letters) == 1 and letters.islower()):
            raise _error(
                f"variable '{edge.value}' is not defined",
                where(edge.line),
                "define it in one node of the graph; put quotes around a constant",
            )


def _misplaced(before: Token, token: Token, where: Where) -> InputError:
    place = where(token.line)
    if token.kind in ("other", "alignment"):
        quote = token.text == '"'
        hint = "a text in quotes ends on its line" if quote else "put the value in quotes"
        return _error(f"'{token.text}' cannot stand here", place, hint)
    if before.kind == "open":
        empty = token.kind == "close"
        what = "the node '()' is empty" if empty else f"a node begins with '{token.text}'"
        return _error(what, place, "write (variable / concept)")
    if before.kind in ("variable", "slash"):
        named = before.kind == "variable"
        what = f"node '{before.text}' has no concept" if named else "no concept follows '/'"
        hint = "write (variable / concept); a node's second mention is its variable alone"
        return _error(what, where(before.line), f"{hint}, without parentheses")
    if before.kind in ("role", "aligned role"):
        hint = "a node, a variable or a constant follows a role"
        return _error(f"role '{before.text}' has no value", where(before.line), hint)
    what = "a node" if token.kind == "open" else f"'{token.text}'"
    return _error(
        f"{what} without a role before it",
        place,
        "each begins with a role such as :ARG0; is a parenthesis missing, or a value to be quoted?",
    )


def size_of(graph: GraphText) -> tuple[int, int, str | None]:
    """Return a graph's nodes, its triples without the top, and what is unusual about it.

    Triples are counted as they are compared: without regard to case and quotes, inverted roles
    turned round as the AMR model of the penman library has it, ``:domain`` as inverted ``:mod``,
    each once.
    """
    triples = [_triple(graph, edge) for edge in graph.edges]
    different = len(set(triples))
    roles = [edge.role.removesuffix("-of") for edge in graph.edges]
    nodes = len(graph.concepts)
    counts = [
        ("triples written twice", len(triples) - different),
        ("edges without a role (null_edge)", roles.count(_NO_RELATION)),
        ("nodes without a concept (null_tag)", [*graph.concepts.values()].count(_NO_CONCEPT)),
        ("inverted roles of constants", sum(_is_inverted_constant(graph, e) for e in graph.edges)),
        ("nodes", nodes if nodes >= LARGE_GRAPH else 0),
    ]
    flags = [f"{what}: {count}" for what, count in counts if count]
    return nodes, nodes + different, "; ".join(flags) or None


def _triple(graph: GraphText, edge: Edge) -> tuple[str, str, str]:
    from penman.models.amr import model

    role = edge.role.lower()
    role = model.canonicalize_role(f":ARG{role[4:]}" if role.startswith(":arg") else role)
    if edge.value not in graph.concepts:
        value = edge.value[1:-1] if edge.value.startswith('"') else edge.value
        return (edge.source, role, f'"{value.lower()}')  # no variable begins so
    if role == ":domain":
        return (edge.value, ":mod", edge.source)
    if model.is_role_inverted(role):
        return (edge.value, model.invert_role(role), edge.source)
    return (edge.source, role, edge.value)


def _is_inverted_constant(graph: GraphText, edge: Edge) -> bool:
    from penman.models.amr import model

    return edge.value not in graph.concepts and model.is_role_inverted(edge.role)


def _error(message: str, where: str, hint: str) -> InputError:
    return InputError(message, where=where, hint=hint)
