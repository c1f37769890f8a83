"""The triples in which two aligned meaning graphs differ, and what their nodes are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .functions.graph_triples import GraphTriples

INSTANCE = ":instance"
_SENSE = re.compile(r"-[0-9]{2,3}$")
Kind: TypeAlias = Literal["missing", "extra", "changed"]
Triple: TypeAlias = tuple[str, str, str]
"""Variable, role, and concept, constant or variable."""


@dataclass(frozen=True)
class Difference:
    """A triple that only one graph has, or that ends otherwise in the other."""

    kind: Kind
    gold: Triple | None = None
    """In the variables of the gold graph; None where it is extra."""
    output: Triple | None = None
    """In the variables of the output's graph; None where it is missing."""


def find_differences(
    output: GraphTriples, gold: GraphTriples, mapping: Mapping[str, str]
) -> list[Difference]:
    """Return what an alignment leaves unmatched: triples of the gold graph, then extra ones.

    ``mapping`` leads from variables of the output's graph to those of the gold graph. A triple is
    changed where the other graph has one with the same source and role, but another target or
    concept; each triple is paired once.
    """
    theirs = triples_of(gold)
    translated = _translated(output, mapping)
    matched = set(translated.values()) & set(theirs)
    left = {triple: there for triple, there in translated.items() if there not in matched}
    differences = []
    for triple in theirs:
        if triple in matched:
            continue
        instead = next((ours for ours, there in left.items() if there[:2] == triple[:2]), None)
        if instead is None:
            differences.append(Difference("missing", gold=triple))
        else:
            left.pop(instead)
            differences.append(Difference("changed", gold=triple, output=instead))
    return [*differences, *(Difference("extra", output=triple) for triple in left)]


def with_likely_pairs(
    mapping: Mapping[str, str], output: GraphTriples, gold: GraphTriples
) -> dict[str, str]:
    """Return an alignment with pairs of nodes besides that it leaves out, for they match nothing.

    Paired are nodes with the same concept in another sense, in the order of the texts.
    """
    pairs = dict(mapping)
    free = [(name, concept) for name, concept in gold.instances if name not in pairs.values()]
    for variable, concept in output.instances:
        if variable in pairs:
            continue
        same = [name for name, other in free if without_sense(other) == without_sense(concept)]
        if same:
            pairs[variable] = same[0]
            free = [(name, other) for name, other in free if name != same[0]]
    return pairs


def without_sense(concept: str) -> str:
    """Return a concept without the number of its sense."""
    return _SENSE.sub("", concept)


def triples_of(graph: GraphTriples) -> list[Triple]:
    """Return all triples of a graph, concepts as those of the role :instance."""
    concepts = [(variable, INSTANCE, concept) for variable, concept in graph.instances]
    return [*concepts, *graph.attributes, *graph.relations]


def _translated(
    graph: GraphTriples, mapping: Mapping[str, str]
) -> dict[Triple, tuple[str | None, str, str | None]]:
    """Return the triples in the variables of the gold graph; None for nodes it does not have."""
    by_triple: dict[Triple, tuple[str | None, str, str | None]] = {}
    for variable, concept in graph.instances:
        by_triple[variable, INSTANCE, concept] = mapping.get(variable), INSTANCE, concept
    for variable, role, value in graph.attributes:
        by_triple[variable, role, value] = mapping.get(variable), role, value
    for source, role, target in graph.relations:
        by_triple[source, role, target] = mapping.get(source), role, mapping.get(target)
    return by_triple


_QUOTED = re.compile(r'"([^"\\]+)"')


@dataclass(frozen=True)
class Named:
    """A graph whose nodes can be called by names or concepts."""

    triples: GraphTriples
    penman: str

    def called(self, variable: str) -> str:
        """Return what a node is called: its name, else its concept without sense."""
        return self._words(self.name_nodes(variable)) or without_sense(self.concept(variable))

    def described(self, variable: str) -> str:
        """Return the concept of a node, with the name that it has or is."""
        words = self._words({variable, *self.name_nodes(variable)})
        concept = self.concept(variable)
        return f'{concept} "{words}"' if words else concept

    def written(self, value: str) -> str:
        """Return a constant in the case that it has in the text."""
        quoted: list[str] = _QUOTED.findall(self.penman)
        return {word.lower(): word for word in quoted}.get(value, value)

    def is_negated(self, variable: str) -> bool:
        """Return whether a node has a polarity of its own."""
        return any(
            source == variable and role == ":polarity"
            for source, role, _ in self.triples.attributes
        )

    def concept(self, variable: str) -> str:
        """Return the concept of a node."""
        return dict(self.triples.instances).get(variable, variable)

    def _words(self, nodes: set[str]) -> str:
        """Return the words of names that nodes hold."""
        words = sorted(
            (role, value)
            for source, role, value in self.triples.attributes
            if source in nodes and role.startswith(":op")
        )
        return " ".join(self.written(value) for _, value in words)

    def name_nodes(self, variable: str) -> set[str]:
        """Return the nodes that hold the name of a node."""
        return {
            target
            for source, role, target in self.triples.relations
            if source == variable and role == ":name"
        }

    def parents(self, variable: str) -> list[Triple]:
        """Return the relations that lead to a node."""
        return [triple for triple in self.triples.relations if triple[2] == variable]

    def is_variable(self, text: str) -> bool:
        """Return whether a target is a node."""
        return text in self.triples.variables
