"""Outputs that are explained: their scores, their graphs line by line, and what differs in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from ...schema.brief import Brief
from .differences import INSTANCE, Kind, Triple
from .findings import Finding
from .functions.graph_triples import TOP_ROLE, canonical_role

STEP = 3
_ALIGNMENT = re.compile(r"~(?:[a-zA-Z]\.?)?[0-9]+(?:,[0-9]+)*$")


@dataclass(frozen=True)
class Piece:
    """A part of a line, with what became of its triple; None where it is matched or none."""

    text: str
    kind: Kind | None = None


@dataclass(frozen=True)
class Line:
    """A line of a graph: an edge and the node or constant that it leads to."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The line as it is in PENMAN notation."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def kind(self) -> Kind | None:
        """What became of its triples: missing or extra if one is, else changed if one is."""
        kinds = [piece.kind for piece in self.pieces if piece.kind]
        return next((kind for kind in kinds if kind != "changed"), kinds[0] if kinds else None)


def lay_out(penman: str, kinds: Mapping[Triple, Kind]) -> list[Line]:
    """Return the lines of a graph; ``kinds`` says what became of triples that are not matched."""
    import penman as notation

    tree = notation.parse(penman)
    variables = {variable for variable, _ in tree.nodes()}
    lines: list[list[Piece]] = []
    _add_node(lines, tree.node, [], 0, _Marks(kinds, variables, tree.node[0]))
    return [Line((*pieces,)) for pieces in lines]


@dataclass(frozen=True)
class _Marks:
    """What became of the triples that are written in a graph."""

    kinds: Mapping[Triple, Kind]
    variables: set[str]
    top: str

    def concept(self, variable: str, concept: str) -> Kind | None:
        """Return the kind of a node's concept, for the top of the graph that of either triple."""
        kind = self.kinds.get((variable, INSTANCE, _value(concept)))
        if kind is None and variable == self.top:
            tops = (triple for triple in self.kinds if triple[1] == TOP_ROLE)
            return next((self.kinds[triple] for triple in tops), None)
        return kind

    def edge(self, source: str, role: str, target: str) -> Kind | None:
        """Return the kind of an edge as it is written, perhaps inverted."""
        name, backwards, relation = canonical_role(role)
        if target not in self.variables:
            return self.kinds.get((source, name, _value(target)))
        ends = (target, source) if backwards else (source, target)
        return self.kinds.get((ends[0], relation, ends[1]))


def _add_node(
    lines: list[list[Piece]], node: Any, before: list[Piece], depth: int, marks: _Marks
) -> None:
    variable, branches = node
    concept = next((_plain(target) for role, target in branches if role == "/"), None)
    opening = Piece(f"({variable}" if concept is None else f"({variable} / ")
    pieces = [] if concept is None else [Piece(concept, marks.concept(variable, concept))]
    lines.append([*before, opening, *pieces])
    for role, target in _edges(branches):
        indent = Piece(" " * STEP * (depth + 1))
        inside = not isinstance(target, str)
        end = target[0] if inside else target
        kind = marks.edge(variable, role, end)
        if inside:
            head = [indent, Piece(role, kind), Piece(" ")]
            _add_node(lines, target, head, depth + 1, marks)
        else:
            lines.append([indent, Piece(f"{role} {target}", kind)])
    lines[-1].append(Piece(")"))


def _edges(branches: Any) -> Iterator[tuple[str, Any]]:
    for role, target in branches:
        if role != "/" and target is not None:
            yield _plain(role), _plain(target) if isinstance(target, str) else target


def _plain(text: str) -> str:
    """Return a role, concept or constant without the word it is aligned to."""
    return _ALIGNMENT.sub("", text)


def _value(text: str) -> str:
    """Return a concept or constant as triples have it."""
    return (text[1:-1] if text.startswith('"') else text).lower()


By: TypeAlias = Literal["meaning", "form"]
BY: tuple[By, ...] = get_args(By)


@dataclass(frozen=True)
class Unmatched:
    """A triple that is missing, extra or changed, with concepts in place of variables."""

    kind: str
    triple: str
    instead: str | None = None
    """What the output has in its place, where it is changed."""


@dataclass(frozen=True)
class Side:
    """What a submission made of a sentence, and how its graph differs from the gold graph."""

    submission_id: str
    output: str | None
    f1: float | None
    precision: float | None
    recall: float | None
    accepted: bool | None
    """Whether the output is as well-formed as the reference; None where that is not known."""
    quality: float | None
    """The estimated quality of the parse, 0 to 1."""
    flag: str | None
    """What is unusual about the graph, or why there is none."""
    status: str
    """How far the alignment is proved to be the best."""
    penman: str | None
    summary: str
    """In a sentence, what of the meaning is lost, added or changed."""
    findings: Sequence[Finding]
    unmatched: Sequence[Unmatched]
    gold_lines: Sequence[Line]
    """The gold graph, its triples marked that this output lacks or changes."""
    lines: Sequence[Line]
    """The output's graph; empty where there is none."""


@dataclass(frozen=True)
class Explained:
    """A sentence and what one or two submissions made of it."""

    sentence_no: int
    sent_id: str | None
    reference: str | None
    """None where the treebank hides its text."""
    gold_graph: str
    sides: Sequence[Side]


@dataclass(frozen=True, repr=False)
class Explanations(Brief):
    """The most telling outputs of a submission, or of two."""

    submissions: Sequence[str]
    treebank_id: str
    parser: str
    top: str
    mode: str
    model: str | None
    """The language model that judged the form; None where none did."""
    signature_id: str
    by: By
    named: bool
    """Whether the sentences were asked for, not chosen."""
    sentences: int
    """Sentences that were compared."""
    without_graph: int
    """Those of them for which an output has no graph."""
    explained: Sequence[Explained]
