"""Words and predicates of the sample's meaning graphs."""

from __future__ import annotations

from dataclasses import dataclass

from tests.sample.lexicon_en import NAMES, NOUNS, SURNAMES

__all__ = ["NAMES", "SURNAMES"]


@dataclass(frozen=True)
class Verb:
    """A predicate: its frame, and the forms of the verb."""

    frame: str
    lemma: str
    past: str
    participle: str
    objects: tuple[str, ...] = ()
    """Things it may be done to; none where it is done to a person or is about an event."""


def _verbs(lines: str) -> tuple[Verb, ...]:
    verbs = []
    for line in lines.strip().splitlines():
        frame, past, participle, *objects = line.split()
        verbs.append(Verb(frame, frame[:-3], past, participle, (*objects,)))
    return tuple(verbs)


ACTIONS = _verbs("""
repair-01 repaired repaired bicycle clock chair radio
paint-02 painted painted fence bench door boat
read-01 read read book letter story newspaper
bake-01 baked baked cake bread pie
carry-01 carried carried basket box bag suitcase
open-01 opened opened window jar box door
find-01 found found key umbrella ticket glove
lose-02 lost lost ticket umbrella key book
buy-01 bought bought lamp basket bread ticket
wash-01 washed washed plate cup pot window
draw-01 drew drawn map picture horse
clean-01 cleaned cleaned brush window shed
""")
MEETINGS = _verbs("""
help-01 helped helped
meet-03 met met
thank-01 thanked thanked
visit-01 visited visited
hear-01 heard heard
see-01 saw seen
""")
TRANSFERS = _verbs("""
give-01 gave given book key map letter
send-01 sent sent letter picture parcel
lend-01 lent lent ladder bicycle novel
show-01 showed shown picture boat map
""")
INTENTIONS = _verbs("""
want-01 wanted wanted
try-01 tried tried
hope-01 hoped hoped
decide-01 decided decided
promise-01 promised promised
""")
BELIEFS = _verbs("""
say-01 said said
believe-01 believed believed
know-01 knew known
""")
LASTING = tuple(verb for verb in ACTIONS if verb.lemma in ("find", "lose", "carry"))
"""What one may do to anything that somebody gave or showed to someone."""
NEGATED_WITHIN = ("decide", "promise")
"""Verbs that one may follow by an infinitive with "not"."""

PLACES = {
    "garden": "in", "workshop": "in", "kitchen": "in", "library": "in", "station": "at",
    "market": "at", "bridge": "near", "shed": "behind",
}  # fmt: skip
CITIES = ("Vienna", "Lisbon", "Oslo", "Dublin")
TIMES = ("yesterday", "today")
MANNERS = {"slowly": "slow", "quietly": "quiet", "quickly": "quick", "happily": "happy"}
ADJECTIVES = {
    entry.split()[0]: tuple(entry.split()[2:])
    for entry in NOUNS.split(";")
    if len(entry.split()) > 2
}
