"""German sentences of one clause or several coordinated ones: one method per construction."""

from __future__ import annotations

import random

from tests.sample.clauses_de import (
    Clause,
    Clauses,
    attach_adverbial,
    behind_comma,
    verb_forms,
)
from tests.sample.lexicon_de import (
    EXISTENCE,
    GIFTS,
    INVOLUNTARY_VERBS,
    NOUN,
    PERSON_ADJECTIVES,
    PERSON_STATES,
    SCENE_PROFESSIONS,
    STATES,
    Action,
    actions,
    activities,
    pairs,
)
from tests.sample.phrases_de import (
    NUMERALS,
    Agreement,
    Participant,
    People,
    coordinated,
    finite,
    noun_phrase,
    participle,
    prepositional,
)
from tests.sample.trees import Phrase, Word, punctuation

NO_PASSIVE = {"verpassen", "vergessen", "verlieren", "finden", "lernen", "essen", "trinken"}
COMPARATIVES = {"groß": "größer", "alt": "älter", "jung": "jünger"}
Words = list[Word]


class PlainSentences:
    """Draws simple and coordinated sentences of one scene."""

    def __init__(self, rng: random.Random, scene: str) -> None:
        self.rng = rng
        self.scene = scene
        self.people = People(rng, tuple(SCENE_PROFESSIONS[scene].split()))
        self.clauses = Clauses(rng)
        self.unused = rng.sample(actions(scene), len(actions(scene)))
        self.activities = activities(scene)

    def action(self, excluded: frozenset[str] | set[str] = frozenset()) -> Action:
        """An action of the scene that the sentence has not used yet, by none of the verbs."""
        action = next(a for a in self.unused if a.verb not in excluded)
        self.unused.remove(action)
        return action

    def intended_action(self) -> Action:
        """An action that one may want, promise or ask for."""
        return self.action(INVOLUNTARY_VERBS)

    def ended(self, phrase: Phrase, mark: str = ".") -> Words:
        """The words with a final mark."""
        return [*phrase.words, punctuation(mark, phrase.head)]

    def statement(self) -> Words:
        """Gestern hat Anna die Kartoffeln geschält."""
        return self.ended(self.clauses.statement(self.action(), self.people.anyone()))

    def activity(self) -> Words:
        """Paul wartet auf dem Bahnsteig."""
        action = self.rng.choice(self.activities)
        return self.ended(self.clauses.statement(action, self.people.anyone()))

    def gift(self) -> Words:
        """Die Lehrerin hat dem Studenten ein Buch gegeben."""
        verb, things = self.rng.choice(pairs(GIFTS))
        giver, receiver = self.people.anyone(), self.people.someone("d")
        tense = self.rng.choice(("preterite", "perfect", "perfect", "future"))
        parts = self.clauses.clause(Action(verb, (), ()), giver, tense)
        given = self.clauses.thing(self.rng.choice(things.split()), giver.agreement)
        parts.dative = receiver.phrase.under(parts.verb, "iobj")
        parts.object = given.under(parts.verb, "obj")
        self.clauses.add_time(parts, tense, 0.3)
        return self.ended(parts.main(self.clauses.front(parts)))

    def copular(
        self, subject: Phrase, agreement: Agreement, predicate: Phrase, tense: str,
        adverb: str | None = None,
    ) -> Clause:  # fmt: skip
        """A clause with sein; its head is the predicate."""
        copula = finite("sein", tense, agreement, "AUX").under(predicate.head, "cop")
        words = (
            [Word(adverb, adverb, "ADV", "ADV").under(predicate.head, "advmod")] if adverb else []
        )
        parts = Clause(predicate.head, copula, [*words, *predicate.words])
        parts.subject = subject.under(predicate.head, "nsubj")
        return parts

    def thing_is(self, code: str, quality: str, tense: str, adverb: str | None = None) -> Clause:
        """A definite thing has a quality."""
        plural = "+" in code
        subject = noun_phrase(code.rstrip("+"), "n", plural=plural, kind="der")
        agreement = Agreement(number="Plur" if plural else "Sing")
        return self.copular(subject, agreement, quality_word(quality), tense, adverb)

    def state(self) -> Words:
        """Die Suppe war noch heiß."""
        tense = self.rng.choice(("Past", "Past", "Pres"))
        if self.rng.random() < 0.6:
            code, qualities = self.rng.choice(pairs(STATES))
            quality = self.rng.choice(qualities.split())
            fitting = quality in ("kalt", "heiß", "warm", "voll", "offen", "leer", "fertig")
            adverb = self.rng.choice((None, "noch", "schon")) if fitting else None
            adverb = "noch" if (quality, adverb) == ("neu", "schon") else adverb
            return self.ended(self.thing_is(code, quality, tense, adverb).main())
        person = self.people.anyone()
        quality = self.rng.choice(PERSON_STATES)
        adverb = self.rng.choice((None, "sehr"))
        parts = self.copular(person.phrase, person.agreement, quality_word(quality), tense, adverb)
        if tense == "Past" and self.rng.random() < 0.4:
            parts.time = attach_adverbial("gestern", parts.verb)
        return self.ended(parts.main())

    def profession(self) -> Words:
        """Lena ist eine junge Ärztin."""
        who = self.rng.choice((self.people.named, self.people.relative))()
        gender = who.agreement.gender
        lemmas = [lemma for lemma in self.people.professions
                  if NOUN[lemma].gender == gender and "Nachbar" not in lemma]  # fmt: skip
        lemma = (lemmas or [{"f": "Malerin", "m": "Maler"}[gender]])[0]
        adjectives = (self.rng.choice(PERSON_ADJECTIVES),) if self.rng.random() < 0.6 else ()
        what = noun_phrase(lemma, "n", kind="ein", adjectives=adjectives)
        return self.ended(self.copular(who.phrase, who.agreement, what, "Pres").main())

    def passive(self) -> Words:
        """Der Zaun wurde gestern von Paul gestrichen."""
        action = next(
            a for a in self.unused if a.verb not in NO_PASSIVE and "~" not in a.objects[0]
        )
        code = action.objects[0]
        thing = self.clauses.thing(code, kind="der", case="n")
        agreement = Agreement(number="Plur" if "+" in code else "Sing")
        verb = participle(action.verb)
        auxiliary = finite("werden", "Past", agreement, "AUX").under(verb, "aux:pass")
        parts = Clause(verb, auxiliary, [verb], subject=thing.under(verb, "nsubj:pass"))
        self.clauses.add_time(parts, "preterite")
        if self.rng.random() < 0.7:
            agent = prepositional("von", self.people.someone("d").phrase)
            parts.place = agent.under(verb, "obl:agent")
        return self.ended(
            parts.main(self.rng.choice(("subject", "time" if parts.time else "subject")))
        )

    def existence(self) -> Words:
        """Auf dem Tisch lag ein Brief."""
        verb, code, places = self.rng.choice(pairs(EXISTENCE))
        plural = "+" in code
        thing = noun_phrase(
            code.rstrip("+"), "n", plural=plural, kind=None if plural else "ein",
            numeral=self.rng.choice(NUMERALS) if plural else None,
        )  # fmt: skip
        agreement = Agreement(number="Plur" if plural else "Sing")
        parts = self.clauses.clause(
            Action(verb, (), tuple(places.split())),
            Participant(thing, agreement),
            self.rng.choice(("preterite", "present")),
        )
        return self.ended(parts.main("place"))

    def comparison(self) -> Words:
        """Karl ist größer als sein Bruder."""
        person = self.people.named()
        base = self.rng.choice(sorted(COMPARATIVES))
        quality = Word(COMPARATIVES[base], base, "ADJ", "ADJD", {"Degree": "Cmp"})
        other = noun_phrase(self.rng.choice(("Bruder", "Schwester", "Onkel", "Tante")), "n",
                            kind="sein", owner=person.agreement)  # fmt: skip
        than = Word("als", "als", "ADP", "KOKOM").under(other.head, "case")
        phrase = Phrase([quality, than, *other.under(quality, "obl")], quality)
        return self.ended(self.copular(person.phrase, person.agreement, phrase, "Pres").main())

    def apposition(self) -> Words:
        """Karl, ein junger Schreiner, reparierte das Dach."""
        person = self.people.named()
        gender = person.agreement.gender
        lemmas = [p for names in SCENE_PROFESSIONS.values() for p in names.split()
                  if NOUN[p].gender == gender and "Nachbar" not in p]  # fmt: skip
        adjectives = (self.rng.choice(PERSON_ADJECTIVES),) if self.rng.random() < 0.6 else ()
        what = noun_phrase(self.rng.choice(lemmas), "n", kind="ein", adjectives=adjectives)
        name_head = person.phrase.head
        person.phrase.words += [
            *behind_comma(what, name_head, "appos"),
            punctuation(",", what.head),
        ]
        parts = self.clauses.clause(self.action(), person, "preterite")
        return self.ended(parts.main())

    def owned_thing(self) -> Words:
        """Anna reparierte das Fahrrad des Nachbarn."""
        verb, thing = self.rng.choice(
            (("reparieren", "Fahrrad"), ("reparieren", "Dach"), ("suchen", "Schlüssel"),
             ("putzen", "Fenster+"), ("füttern", "Katze"), ("lesen", "Brief"),
             ("tragen", "Koffer"), ("streichen", "Zaun"), ("finden", "Schirm"))
        )  # fmt: skip
        verb = "finden" if verb == "suchen" else verb
        subject = self.people.anyone()
        tense = self.rng.choice(("preterite", "perfect"))
        parts = self.clauses.clause(Action(verb, (), ()), subject, tense)
        owned = noun_phrase(thing.rstrip("+"), "a", plural="+" in thing, kind="der")
        owner = self.people.professional("g")
        if owner.phrase.head.upos == "PROPN":
            owned.words = [*owner.phrase.under(owned.head, "nmod"), owned.head]
        else:
            owned.words += owner.phrase.under(owned.head, "nmod")
        parts.object = owned.under(parts.verb, "obj")
        self.clauses.add_time(parts, tense, 0.4)
        return self.ended(parts.main(self.clauses.front(parts)))

    def joined_actions(self) -> Words:
        """Paul spülte die Teller und deckte den Tisch."""
        subject = self.people.anyone()
        first = self.clauses.clause(self.action(), subject, "preterite", with_place=False).main()
        second = self.clauses.clause(self.action(), None, "preterite", agreement=subject.agreement)
        return self.ended(Phrase(coordinated(first, second.main()), first.head))

    def joined_clauses(self) -> Words:
        """Anna schrieb einen Brief, aber Paul las die Zeitung."""
        tense = self.rng.choice(("preterite", "perfect"))
        first = self.clauses.clause(self.action(), self.people.someone(), tense).main()
        second = self.clauses.clause(self.action(), self.people.someone(), tense).main()
        conjunction = self.rng.choice(("und", "aber"))
        words = coordinated(first, second, conjunction)
        if conjunction == "aber":
            words.insert(len(first.words), punctuation(",", second.head))
        return self.ended(Phrase(words, first.head))

    def gapping(self) -> Words:
        """Anna kaufte eine Lampe und Paul einen Korb: the second verb is an empty node."""
        action = next(a for a in self.unused if len(a.objects) > 1
                      and len(verb_forms(a.verb, "preterite", Agreement())[2]) == 0)  # fmt: skip
        codes = self.rng.sample(action.objects, 2)
        who, other = self.people.named(), self.people.named()
        verb, _, _ = verb_forms(action.verb, "preterite", who.agreement)
        silent, _, _ = verb_forms(action.verb, "preterite", other.agreement)
        silent.empty = True
        things = [self.clauses.thing(code) for code in codes]
        first = [*who.phrase.under(verb, "nsubj"), verb, *things[0].under(verb, "obj")]
        remnant = other.phrase.head
        other.phrase.under(verb, "conj")
        things[1].under(remnant, "orphan")
        link = Word("und", "und", "CCONJ", "KON").under(remnant, "cc")
        silent.enhanced, link.enhanced = [(verb, "conj")], [(silent, "cc")]
        remnant.enhanced = [(silent, "nsubj")]
        things[1].head.enhanced = [(silent, "obj")]
        second = [link, *other.phrase.words, silent, *things[1].words]
        return self.ended(Phrase([*first, *second], verb))


def quality_word(form: str) -> Phrase:
    """A predicative adjective."""
    word = Word(form, form, "ADJ", "ADJD", {"Degree": "Pos"})
    return Phrase([word], word)
