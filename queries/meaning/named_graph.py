"""A meaning graph whose nodes can be called by names or concepts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sr_tracker.queries.functions.graph_triples import GraphTriples
from sr_tracker.queries.meaning.differences import Triple, without_sense

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
