"""Meanings → sentences: as one would say it, and clumsily."""

from __future__ import annotations

from dataclasses import replace

from tests.sample.graph_meanings import Event, Meaning, Person, Thing
from tests.sample.graph_words import CITIES, PLACES


def fluent_sentence(meaning: Meaning) -> str:
    """Return a meaning as a sentence that one would write."""
    return _finished(_clause(meaning, []))


def clumsy_sentence(meaning: Meaning) -> str:
    """Return a meaning as a sentence that says it all, in an order nobody would choose."""
    return _finished(_clumsy(meaning, []))


def _finished(words: str) -> str:
    words = " ".join(words.split())
    return f"{words[:1].upper()}{words[1:]}."


def _clause(event: Event, known: list[Person]) -> str:
    """Return a clause; ``known`` are the people that were mentioned, and grows."""
    subject = _person(event.agent, known)
    verb = f"did not {event.verb.lemma}" if event.negated else event.verb.past
    clause = f"{subject} {verb} {_rest(event, known)}"
    if event.reason is not None:
        clause = f"{clause} because {_clause(event.reason, known)}"
    return clause


def _rest(event: Event, known: list[Person]) -> str:
    """Return what follows the verb."""
    return f"{_complement(event, known)} {_receiver(event, known)} {_setting(event)}"


def _complement(event: Event, known: list[Person]) -> str:
    patient = event.patient
    if isinstance(patient, Person):
        return _person(patient, known, case="object")
    if isinstance(patient, Thing):
        return _thing(patient, known)
    if patient is None:
        return ""
    if patient.agent == event.agent:
        negation = "not " if patient.negated else ""
        return f"{negation}to {patient.verb.lemma} {_rest(patient, known)}"
    return f"that {_clause(patient, known)}"


def _receiver(event: Event, known: list[Person]) -> str:
    if event.recipient is None:
        return ""
    return f"to {_person(event.recipient, known, case='object')}"


def _setting(event: Event) -> str:
    return f"{event.manner} {_place(event.place)} {event.time}"


def _place(place: str) -> str:
    if not place:
        return ""
    return f"in {place}" if place in CITIES else f"{PLACES[place]} the {place}"


def _person(person: Person, known: list[Person], *, case: str = "subject") -> str:
    """Return a name at first mention, a pronoun after that unless it could be someone else."""
    others = [other for other in known if other != person and other.gender == person.gender]
    if person in known and not others:
        return _pronoun(person, case)
    if person not in known:
        known.append(person)
    name = " ".join(person.name) or f"the {person.profession}"
    return f"{name} 's" if case == "possessive" else name


def _pronoun(person: Person, case: str) -> str:
    forms = {"subject": "she he", "object": "her him", "possessive": "her his"}[case].split()
    return forms[person.gender == "Masc"]


def _thing(thing: Thing, known: list[Person]) -> str:
    article = "the"
    if thing.owner is not None:
        article = _person(thing.owner, known, case="possessive").replace(" 's", "'s")
    phrase = f"{article} {thing.adjective} {thing.noun}"
    if thing.known_by is not None:
        phrase = f"{phrase} that {_clause(thing.known_by, known)}"
    return phrase


def _clumsy(event: Event, known: list[Person]) -> str:
    if event.reason is not None:
        effect = replace(event, reason=None)
        because = _clumsy(event.reason, known)
        return f"because {because} , therefore {_clumsy(effect, known)}"
    negation = "not" if event.negated else ""
    agent = _named(event.agent)
    setting = f"{event.time} {_place(event.place)}"
    patient = event.patient
    if isinstance(patient, Event):
        if patient.agent == event.agent:
            inner = "not" if patient.negated else ""
            what = f"{inner} the {_clumsy_thing(patient)} to {patient.verb.lemma}"
            within = f"{_setting(patient)} {what}"
            return f"{within} {agent} {negation} {event.verb.past}"
        return f"that {_clumsy(patient, known)} , by {agent} {negation} {event.verb.participle} was"
    what = _named(patient) if isinstance(patient, Person) else f"the {_clumsy_thing(event)}"
    receiver = f"to {_named(event.recipient)}" if event.recipient else ""
    by = f"{receiver} {what} was by {agent}"
    return f"{setting} {by} {negation} {event.manner} {event.verb.participle}"


def _clumsy_thing(event: Event) -> str:
    thing = event.patient
    if not isinstance(thing, Thing):
        return ""
    owner = f"of {_named(thing.owner)}" if thing.owner else ""
    known_by = ""
    if thing.known_by is not None and thing.known_by.recipient is not None:
        before = thing.known_by
        known_by = (
            f"that to {_named(thing.known_by.recipient)} was {before.verb.participle} "
            f"by {_named(before.agent)}"
        )
    return f"{thing.noun} {thing.adjective} {owner} {known_by}"


def _named(person: Person) -> str:
    return " ".join(person.name) or f"the {person.profession}"
