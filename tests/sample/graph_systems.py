"""What two invented systems make of meanings, and what a noisy parser makes of sentences."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from tests.sample.graph_building import Graph
from tests.sample.graph_meanings import Event, Meaning, Person, Thing
from tests.sample.graph_words import CITIES

LITERAL, FLUENT = "literal", "fluent"
SYSTEMS = {
    LITERAL: ("sample", "team", "says it all, in an order nobody would choose"),
    FLUENT: ("sample", "team", "well-formed sentences that lose negations and swap who did it"),
}
PARSERS = {"attentive/1.0": 0.02, "hasty/1.0": 0.1}
"""Parsers of the sample, each with the share of edges and concepts that it gets wrong."""

_SENSE = re.compile(r"-0(\d)$")
_LOSABLE = (":mod", ":time", ":manner", ":location", ":polarity")
_OTHER_ROLES = {":ARG0": ":ARG2", ":ARG1": ":ARG2", ":ARG2": ":ARG1", ":poss": ":ARG1-of"}


def understood(meaning: Meaning, rng: random.Random) -> Meaning:
    """Return what the fluent system makes of a meaning: often something else."""
    event = _changed(meaning, rng)
    if isinstance(event.patient, Event):
        event = replace(event, patient=_changed(event.patient, rng))
    if event.reason is not None:
        event = replace(event, reason=_changed(event.reason, rng))
    return event


def parsed(graph: Graph, rng: random.Random, noise: float) -> tuple[Graph, float]:
    """Return a graph as a parser gives it that is often wrong, and an estimate of its quality."""
    found = Graph(list(graph.concepts))
    mistakes = 0
    for node, concept in enumerate(graph.concepts):
        sense = _SENSE.search(concept)
        if sense and rng.random() < 2 * noise:
            found.concepts[node] = f"{concept[:-1]}{int(sense[1]) % 3 + 1}"
            mistakes += 1
    reached: set[int] = set()
    for source, role, target in graph.edges:
        mistaken = rng.random() < noise
        if mistaken and role in _LOSABLE:
            mistakes += 1
            continue
        if mistaken and target in reached and isinstance(target, int):
            # Somebody who is mentioned again is taken for someone else.
            target = found.add(graph.concepts[target])
            mistakes += 1
        elif mistaken and role in _OTHER_ROLES:
            role = _OTHER_ROLES[role]
            mistakes += 1
        if isinstance(target, int):
            reached.add(target)
        found.edges.append((source, role, target))
    size = len(graph.concepts) + len(graph.edges)
    quality = 1 - mistakes / size - abs(rng.gauss(0, 0.02))
    return found, round(min(max(quality, 0.0), 1.0), 2)


def _changed(event: Event, rng: random.Random) -> Event:
    if event.negated and rng.random() < 0.6:
        event = replace(event, negated=False)
    if rng.random() < 0.4:
        event = _swapped(event)
    if event.place in CITIES and rng.random() < 0.4:
        event = replace(event, place=rng.choice([city for city in CITIES if city != event.place]))
    if event.manner and rng.random() < 0.5:
        event = replace(event, manner="")
    if event.time and rng.random() < 0.3:
        event = replace(event, time="")
    if isinstance(event.patient, Thing) and event.patient.adjective and rng.random() < 0.3:
        event = replace(event, patient=replace(event.patient, adjective=""))
    return event


def _swapped(event: Event) -> Event:
    """Return an event with its people in each other's place, where it has two."""
    if isinstance(event.patient, Person):
        return replace(event, agent=event.patient, patient=event.agent)
    if event.recipient is not None:
        return replace(event, agent=event.recipient, recipient=event.agent)
    return event
