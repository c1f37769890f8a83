"""Meanings → meaning graphs in PENMAN notation."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from tests.sample.graph_meanings import Event, Meaning, Person, Thing
from tests.sample.graph_words import CITIES, MANNERS

INDENT = "    "


@dataclass
class Graph:
    """Nodes by number, 0 the root; edges to nodes or to constants, as they are written."""

    concepts: list[str] = field(default_factory=list)
    edges: list[tuple[int, str, int | str]] = field(default_factory=list)

    def add(self, concept: str) -> int:
        """Add a node and return its number."""
        self.concepts.append(concept)
        return len(self.concepts) - 1

    def penman(self) -> str:
        """Return the graph in PENMAN notation, an edge on each line."""
        names = _variables(self)
        written: set[int] = set()

        def write(node: int, depth: int) -> str:
            if node in written:
                return names[node]
            written.add(node)
            lines = [f"({names[node]} / {self.concepts[node]}"]
            for source, role, target in self.edges:
                if source == node:
                    value = target if isinstance(target, str) else write(target, depth + 1)
                    lines.append(f"{INDENT * (depth + 1)}{role} {value}")
            return "\n".join(lines) + ")"

        return write(0, 0)


def build_graph(meaning: Meaning) -> Graph:
    """Return the graph of a meaning; somebody who is mentioned twice is one node."""
    graph = Graph()
    people: dict[Person, int] = {}
    _add_event(graph, meaning, people)
    return graph


def _variables(graph: Graph) -> list[str]:
    seen: Counter[str] = Counter()
    names = []
    for concept in graph.concepts:
        letter = concept[0]
        seen[letter] += 1
        names.append(letter if seen[letter] == 1 else f"{letter}{seen[letter]}")
    return names


def _add_event(graph: Graph, event: Event, people: dict[Person, int]) -> int:
    if event.reason is not None:
        cause = graph.add("cause-01")
        for role, part in ((":ARG0", event.reason), (":ARG1", event)):
            whole = replace(part, reason=None)
            graph.edges.append((cause, role, _add_event(graph, whole, people)))
        return cause
    node = graph.add(event.verb.frame)
    if event.negated:
        graph.edges.append((node, ":polarity", "-"))
    graph.edges.append((node, ":ARG0", _add_person(graph, event.agent, people)))
    if isinstance(event.patient, Person):
        graph.edges.append((node, ":ARG1", _add_person(graph, event.patient, people)))
    elif isinstance(event.patient, Thing):
        graph.edges.append((node, ":ARG1", _add_thing(graph, event.patient, people)))
    elif event.patient is not None:
        graph.edges.append((node, ":ARG1", _add_event(graph, event.patient, people)))
    if event.recipient is not None:
        graph.edges.append((node, ":ARG2", _add_person(graph, event.recipient, people)))
    if event.manner:
        graph.edges.append((node, ":manner", graph.add(MANNERS[event.manner])))
    if event.place:
        graph.edges.append((node, ":location", _add_place(graph, event.place)))
    if event.time:
        graph.edges.append((node, ":time", graph.add(event.time)))
    return node


def _add_person(graph: Graph, person: Person, people: dict[Person, int]) -> int:
    if person not in people:
        people[person] = graph.add(person.profession or "person")
        if person.name:
            _add_name(graph, people[person], "-", person.name)
    return people[person]


def _add_thing(graph: Graph, thing: Thing, people: dict[Person, int]) -> int:
    node = graph.add(thing.noun)
    if thing.adjective:
        graph.edges.append((node, ":mod", graph.add(thing.adjective)))
    if thing.owner is not None:
        graph.edges.append((node, ":poss", _add_person(graph, thing.owner, people)))
    if thing.known_by is not None:
        graph.edges.append((node, ":ARG1-of", _add_event(graph, thing.known_by, people)))
    return node


def _add_place(graph: Graph, place: str) -> int:
    if place not in CITIES:
        return graph.add(place)
    node = graph.add("city")
    _add_name(graph, node, f'"{place}"', (place,))
    return node


def _add_name(graph: Graph, node: int, wiki: str, words: tuple[str, ...]) -> None:
    graph.edges.append((node, ":wiki", wiki))
    name = graph.add("name")
    graph.edges.append((node, ":name", name))
    for number, word in enumerate(words, start=1):
        graph.edges.append((name, f":op{number}", f'"{word}"'))
