"""What the sample's sentences with meaning graphs say: who does what to whom."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TypeAlias

from tests.sample.graph_words import (
    ACTIONS,
    ADJECTIVES,
    BELIEFS,
    CITIES,
    INTENTIONS,
    LASTING,
    MANNERS,
    MEETINGS,
    NAMES,
    NEGATED_WITHIN,
    PLACES,
    SURNAMES,
    TIMES,
    TRANSFERS,
    Verb,
)
from tests.sample.lexicon_en import PROFESSIONS


@dataclass(frozen=True)
class Person:
    """Somebody with a name, or with a profession."""

    gender: str
    name: tuple[str, ...] = ()
    profession: str = ""


@dataclass(frozen=True)
class Thing:
    """Something, which may be somebody's, or what something was done to."""

    noun: str
    adjective: str = ""
    owner: Person | None = None
    known_by: Event | None = None
    """The event of a relative clause; it has no patient of its own."""


@dataclass(frozen=True)
class Event:
    """Somebody does something, or does not."""

    verb: Verb
    agent: Person
    patient: Thing | Person | Event | None = None
    recipient: Person | None = None
    negated: bool = False
    place: str = ""
    """A noun of PLACES or a city."""
    time: str = ""
    manner: str = ""
    reason: Event | None = None


Meaning: TypeAlias = Event
KINDS = ("action", "meeting", "transfer", "intention", "belief", "reason", "relative")


def draw_meanings(rng: random.Random, count: int) -> list[Meaning]:
    """Return different meanings, every kind about as often."""
    found: dict[Meaning, None] = {}
    while len(found) < count:
        found[draw_meaning(rng, KINDS[len(found) % len(KINDS)])] = None
    return [*found]


def draw_meaning(rng: random.Random, kind: str) -> Meaning:
    """Return a meaning of a kind."""
    people = draw_people(rng)
    if kind == "meeting":
        return _placed(
            rng, Event(rng.choice(MEETINGS), people[0], people[1], negated=_may(rng, 0.4))
        )
    if kind == "transfer":
        verb = rng.choice(TRANSFERS)
        thing = _thing(rng, verb, people[0])
        negated = _may(rng, 0.35)
        return Event(verb, people[0], thing, people[1], negated, time=_time(rng))
    if kind == "intention":
        verb = rng.choice(INTENTIONS)
        within = verb.lemma in NEGATED_WITHIN and _may(rng, 0.6)
        action = _action(rng, people[0], negated=within)
        return Event(verb, people[0], action, negated=not within and _may(rng, 0.4))
    if kind == "belief":
        action = _action(rng, people[1], negated=_may(rng, 0.5))
        return Event(rng.choice(BELIEFS), people[0], action)
    if kind == "reason":
        cause = _action(rng, people[1], negated=_may(rng, 0.5))
        effect = Event(rng.choice(MEETINGS), people[0], people[1], negated=_may(rng, 0.3))
        return replace(effect, reason=cause)
    if kind == "relative":
        verb = rng.choice(LASTING)
        before = Event(rng.choice(TRANSFERS), people[1], None, people[2])
        thing = Thing(rng.choice(before.verb.objects), known_by=before)
        return Event(verb, people[0], thing, negated=_may(rng, 0.3), time=_time(rng))
    return _action(rng, people[0], negated=_may(rng, 0.35))


def draw_people(rng: random.Random) -> list[Person]:
    """Return three different people, one of them with a profession."""
    names = rng.sample(sorted(NAMES), 2)
    people = []
    for name in names:
        surname = (rng.choice(SURNAMES),) if _may(rng, 0.4) else ()
        people.append(Person(NAMES[name], (name, *surname)))
    people.append(Person(rng.choice(("Fem", "Masc")), profession=rng.choice(PROFESSIONS)))
    rng.shuffle(people)
    return people


def _action(rng: random.Random, agent: Person, *, negated: bool) -> Event:
    verb = rng.choice(ACTIONS)
    return _placed(rng, Event(verb, agent, _thing(rng, verb, agent), negated=negated))


def _thing(rng: random.Random, verb: Verb, person: Person) -> Thing:
    noun = rng.choice(verb.objects)
    adjectives = ADJECTIVES.get(noun, ())
    adjective = rng.choice(adjectives) if adjectives and _may(rng, 0.6) else ""
    return Thing(noun, adjective, person if _may(rng, 0.35) else None)


def _placed(rng: random.Random, event: Event) -> Event:
    """Return an event that perhaps has a place, a time and a manner."""
    place = rng.choice(sorted(PLACES)) if _may(rng, 0.4) else ""
    if not place and _may(rng, 0.4):
        place = rng.choice(CITIES)
    manner = rng.choice(sorted(MANNERS)) if _may(rng, 0.25) else ""
    return replace(event, place=place, time=_time(rng), manner=manner)


def _time(rng: random.Random) -> str:
    return rng.choice(TIMES) if _may(rng, 0.4) else ""


def _may(rng: random.Random, probability: float) -> bool:
    return rng.random() < probability
