"""English sentences of one clause or several coordinated ones: one method per construction."""

from __future__ import annotations

import random

from tests.sample.clauses_en import (
    Clause,
    Clauses,
    attach_adverbial,
)
from tests.sample.lexicon_en import (
    EXISTENCE,
    GIFTS,
    INVOLUNTARY_VERBS,
    MOMENTARY_VERBS,
    NOUN,
    PERSON_STATES,
    SCENE_PROFESSIONS,
    STATES,
    Action,
    actions,
    activities,
    pairs,
)
from tests.sample.phrases_en import (
    NUMERALS,
    Agreement,
    Participant,
    People,
    coordinated,
    finite,
    nonfinite,
    noun_phrase,
    prepositional,
    pronoun,
    verb_group,
)
from tests.sample.trees import Phrase, Word, punctuation

NO_PASSIVE = {"miss", "forget", "lose", "find", "fly", "taste", "learn", "eat", "drink", "watch"}
COMPARATIVES = {"tall": "taller", "old": "older", "young": "younger"}
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

    def action(self) -> Action:
        """An action of the scene that the sentence has not used yet."""
        return self.unused.pop()

    def lasting_action(self) -> Action:
        """An action that takes its time."""
        return self.take(MOMENTARY_VERBS)

    def intended_action(self) -> Action:
        """An action that one may want, promise or ask for."""
        return self.take(INVOLUNTARY_VERBS)

    def take(self, excluded: set[str]) -> Action:
        """An unused action by none of the verbs."""
        action = next(a for a in self.unused if a.verb not in excluded)
        self.unused.remove(action)
        return action

    def ended(self, phrase: Phrase, mark: str = ".") -> Words:
        """The words with a final mark."""
        return [*phrase.words, punctuation(mark, phrase.head)]

    def statement(self) -> Words:
        """Anna peeled the potatoes yesterday."""
        return self.ended(self.clauses.statement(self.action(), self.people.anyone()).declarative())

    def activity(self) -> Words:
        """Tom is waiting on the platform."""
        action = self.rng.choice(self.activities)
        return self.ended(self.clauses.statement(action, self.people.anyone()).declarative())

    def gift(self) -> Words:
        """The teacher gave the children a book; or: gave a book to the children."""
        verb, things, preposition = self.rng.choice(pairs(GIFTS))
        thing = self.rng.choice(things.split())
        giver, receiver = self.people.anyone(), self.people.someone()
        action = Action(verb, None, (), ())
        tense = self.rng.choices(("past", "will", "present perfect"), (6, 2, 1))[0]
        parts = self.clauses.clause(action, giver, tense)
        given = self.clauses.thing(thing, giver.agreement)
        if self.rng.random() < 0.6:
            parts.complements += receiver.phrase.under(parts.verb, "iobj")
            parts.complements += given.under(parts.verb, "obj")
        else:
            parts.complements += given.under(parts.verb, "obj")
            receiving = prepositional(preposition, receiver.phrase)
            parts.complements += receiving.under(parts.verb, "obl")
        self.clauses.add_time(parts, tense, 0.3)
        return self.ended(parts.declarative())

    def copular(self, subject: Phrase, agreement: Agreement, predicate: Phrase, tense: str,
                adverb: str | None = None) -> Clause:  # fmt: skip
        """A clause with be; its head is the predicate."""
        copula = finite("be", tense, agreement, "AUX").under(predicate.head, "cop")
        words = (
            [Word(adverb, adverb, "ADV", "RB").under(predicate.head, "advmod")] if adverb else []
        )
        before = predicate.words[: predicate.words.index(predicate.head)]
        after = predicate.words[len(before) + 1 :]
        subject_words = subject.under(predicate.head, "nsubj")
        return Clause(predicate.head, subject_words, [copula, *words, *before], after)

    def thing_is(self, code: str, quality: str, tense: str, adverb: str | None = None) -> Clause:
        """A definite thing has a quality."""
        plural = "+" in code
        subject = noun_phrase(code.rstrip("+"), plural=plural, article="the")
        agreement = Agreement(number="Plur" if plural else "Sing")
        return self.copular(subject, agreement, quality_word(quality), tense, adverb)

    def state(self) -> Words:
        """The soup was still hot; the children were tired."""
        tense = self.rng.choice(("Past", "Past", "Pres"))
        adverb = self.rng.choice((None, "very", "still", "already", "too"))
        if self.rng.random() < 0.6:
            code, qualities = self.rng.choice(pairs(STATES))
            quality = self.rng.choice(qualities.split())
            adverb = adverb if quality in ("cold", "hot", "ready", "full", "quiet", "dry") else None
            adverb = (
                None if (quality in ("ready", "full") and adverb in ("very", "too")) else adverb
            )
            return self.ended(self.thing_is(code, quality, tense, adverb).declarative())
        person = self.people.anyone()
        quality = self.rng.choice(PERSON_STATES)
        adverb = self.rng.choice((None, "very")) if quality != "late" else None
        clause = self.copular(person.phrase, person.agreement, quality_word(quality), tense, adverb)
        if tense == "Past" and self.rng.random() < 0.4:
            clause.complements += attach_adverbial("yesterday", clause.verb)
        return self.ended(clause.declarative())

    def profession(self) -> Words:
        """Her uncle is a friendly baker."""
        who = self.rng.choice((self.people.named, self.people.relative))()
        what = self.people.professional("a").phrase
        if what.head.lemma == "neighbour":
            what = self.people.professional("a").phrase
        return self.ended(self.copular(who.phrase, who.agreement, what, "Pres").declarative())

    def passive(self) -> Words:
        """The fence was painted by Tom last week."""
        action = next(a for a in self.unused if a.verb not in NO_PASSIVE and not a.particle)
        code = self.rng.choice(action.objects).replace("~", "")
        agreement = Agreement(number="Plur" if "+" in code else "Sing")
        thing = self.clauses.thing(code, article="the")
        verb = nonfinite(action.verb, "Part")
        verb.feats["Voice"] = "Pass"
        auxiliary = finite("be", "Past", agreement, "AUX").under(verb, "aux:pass")
        parts = Clause(verb, thing.under(verb, "nsubj:pass"), [auxiliary], [])
        if self.rng.random() < 0.7:
            agent = prepositional("by", self.people.someone().phrase)
            parts.complements += agent.under(verb, "obl:agent")
        self.clauses.add_time(parts, "past")
        return self.ended(parts.declarative())

    def existence(self) -> Words:
        """There were three cups on the table."""
        code, places = self.rng.choice(pairs(EXISTENCE))
        plural = "+" in code
        thing = noun_phrase(
            code.rstrip("+"),
            plural=plural,
            article=None if plural else "a",
            numeral=self.rng.choice(NUMERALS) if plural else None,
        )
        agreement = Agreement(number="Plur" if plural else "Sing")
        verb = finite("be", self.rng.choice(("Past", "Pres")), agreement)
        there = Word("there", "there", "PRON", "EX").under(verb, "expl")
        place = attach_adverbial(self.rng.choice(places.split(", ")), verb)
        return self.ended(Phrase([there, verb, *thing.under(verb, "nsubj"), *place], verb))

    def comparison(self) -> Words:
        """Tom is taller than his brother."""
        person = self.people.named()
        base = self.rng.choice(sorted(COMPARATIVES))
        quality = Word(COMPARATIVES[base], base, "ADJ", "JJR", {"Degree": "Cmp"})
        other = noun_phrase(self.rng.choice(("brother", "sister", "uncle", "aunt")),
                            owner=person.agreement)  # fmt: skip
        than = prepositional("than", other).under(quality, "obl")
        clause = self.copular(person.phrase, person.agreement, Phrase([quality], quality), "Pres")
        clause.complements += than
        return self.ended(clause.declarative())

    def apposition(self) -> Words:
        """Henry, a young carpenter, repaired the roof."""
        person = self.people.named()
        what = self.people.professional("a").phrase
        commas = [punctuation(",", what.head) for _ in range(2)]
        inserted = [commas[0], *what.under(person.phrase.head, "appos"), commas[1]]
        person.phrase.words += inserted
        clause = self.clauses.clause(self.action(), person, "past")
        return self.ended(clause.declarative())

    def joined_actions(self) -> Words:
        """Tom washed the plates and set the table."""
        subject = self.people.anyone()
        first = self.clauses.clause(self.action(), subject, "past", with_place=False).declarative()
        second = self.clauses.clause(self.action(), None, "past", agreement=subject.agreement)
        return self.ended(Phrase(coordinated(first, second.declarative()), first.head))

    def joined_clauses(self) -> Words:
        """Anna wrote a letter, but Tom read the newspaper."""
        first = self.clauses.clause(self.action(), self.people.someone(), "past").declarative()
        second = self.clauses.clause(self.action(), self.people.someone(), "past").declarative()
        words = coordinated(first, second, self.rng.choice(("and", "but")))
        words.insert(len(first.words), punctuation(",", second.head))
        return self.ended(Phrase(words, first.head))

    def gapping(self) -> Words:
        """Anna bought a lamp, and Tom a clock: the second verb is an empty node."""
        action = next(a for a in self.unused if len(a.objects) > 1 and not a.particle)
        codes = self.rng.sample(action.objects, 2)
        who, other = self.people.named(), self.people.named()
        _, verb = verb_group(action.verb, "past", who.agreement)
        _, silent = verb_group(action.verb, "past", other.agreement)
        silent.empty = True
        things = [self.clauses.thing(code) for code in codes]
        first = [*who.phrase.under(verb, "nsubj"), verb, *things[0].under(verb, "obj")]
        remnant = other.phrase.head
        other.phrase.under(verb, "conj")
        things[1].under(remnant, "orphan")
        comma = punctuation(",", remnant)
        link = Word("and", "and", "CCONJ", "CC").under(remnant, "cc")
        silent.enhanced = [(verb, "conj")]
        remnant.enhanced = [(silent, "nsubj")]
        things[1].head.enhanced = [(silent, "obj")]
        comma.enhanced, link.enhanced = [(silent, "punct")], [(silent, "cc")]
        second = [comma, link, *other.phrase.words, silent, *things[1].words]
        return self.ended(Phrase([*first, *second], verb))


def quality_word(form: str) -> Phrase:
    """A predicative adjective."""
    word = Word(form, form, "ADJ", "JJ", {"Degree": "Pos"})
    return Phrase([word], word)


def by_pronoun(agreement: Agreement) -> Participant:
    """A participant referred to by a pronoun."""
    word = pronoun(agreement, "Nom")
    return Participant(Phrase([word], word), agreement)


def plural_smell(text: str) -> str:
    """An adverbial with the plural of a countable noun after "of"."""
    first, *rest = text.split()
    plural = NOUN[rest[-1]].plural if first == "of" and rest[-1] in NOUN else None
    return f"{first} {plural}" if plural else text
