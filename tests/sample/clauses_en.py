"""English clauses: an action, who does it, when and where, in declarative or inverted order."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.sample.lexicon_en import (
    FREQUENCIES,
    FUTURE_TIMES,
    HABITUAL_TIMES,
    INVOLUNTARY_VERBS,
    MOMENTARY_VERBS,
    NOUN,
    OWNABLE,
    PAST_TIMES,
    Action,
)
from tests.sample.phrases_en import (
    NUMERALS,
    Agreement,
    Participant,
    adverbial,
    noun_phrase,
    verb_group,
)
from tests.sample.trees import Phrase, Word, punctuation

# Adverbials among an action's places that say when: no second time beside them.
TIME_LIKE = ("in the evening", "in the morning", "after dinner")
CLAUSE_TENSES = ("past", "present", "present perfect", "past perfect", "past progressive",
                 "will", "can", "must", "should")  # fmt: skip
CLAUSE_TENSE_WEIGHTS = (46, 15, 6, 5, 8, 9, 4, 4, 3)


@dataclass
class Clause:
    """A clause in parts, so that it can be put in any order; the verb is its head."""

    verb: Word
    subject: list[Word]
    auxiliaries: list[Word]
    complements: list[Word]
    front: list[Word] = field(default_factory=list)

    def declarative(self) -> Phrase:
        """Subject first, after a fronted adverbial if there is one."""
        words = [*self.front, *self.subject, *self.auxiliaries, self.verb, *self.complements]
        return Phrase(words, self.verb)

    def inverted(self) -> Phrase:
        """The finite auxiliary before the subject."""
        first, rest = self.auxiliaries[:1], self.auxiliaries[1:]
        words = [*self.front, *first, *self.subject, *rest, self.verb, *self.complements]
        return Phrase(words, self.verb)


class Clauses:
    """Builds clauses from actions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.mentioned: set[str] = set()

    def tense(self, action: Action) -> str:
        """The tense of a clause that stands alone."""
        if not action.objects:
            return self.rng.choice(("past", "past", "present", "past progressive"))
        tense = self.rng.choices(CLAUSE_TENSES, CLAUSE_TENSE_WEIGHTS)[0]
        if action.verb in INVOLUNTARY_VERBS:
            return "past"
        return "past" if action.verb in MOMENTARY_VERBS and " " in tense else tense

    def thing(
        self, code: str, owner: Agreement | None = None, article: str | None = None
    ) -> Phrase:
        """A noun phrase for a thing: `+` plural, `!` always definite, `~` always bare."""
        lemma = code.rstrip("+!~")
        plural, entry = "+" in code, NOUN[lemma]
        self.mentioned.add(lemma)
        if "~" in code:
            return noun_phrase(lemma, plural=plural)
        adjectives: tuple[str, ...] = ()
        if entry.adjectives and self.rng.random() < 0.28:
            adjectives = (self.rng.choice(entry.adjectives),)
        if article or "!" in code:
            return noun_phrase(
                lemma, plural=plural, article=article or "the", adjectives=adjectives
            )
        kind = self.rng.random()
        if owner is not None and lemma in OWNABLE and kind < 0.25:
            return noun_phrase(lemma, plural=plural, owner=owner, adjectives=adjectives)
        if kind < 0.6:
            return noun_phrase(lemma, plural=plural, article="the", adjectives=adjectives)
        if plural and kind < 0.8:
            return noun_phrase(lemma, plural=True, numeral=self.rng.choice(NUMERALS))
        if plural or entry.plural is None:
            article = "some" if kind < 0.9 else None
            return noun_phrase(lemma, plural=plural, article=article, adjectives=adjectives)
        return noun_phrase(lemma, article="a", adjectives=adjectives)

    def clause(
        self,
        action: Action,
        subject: Participant | None,
        tense: str,
        *,
        negated: bool = False,
        adverb: str | None = None,
        support: bool = False,
        agreement: Agreement | None = None,
        with_object: bool = True,
        with_place: bool = True,
    ) -> Clause:
        """A clause without time; without a subject for relative clauses and the like."""
        agreement = subject.agreement if subject else agreement or Agreement()
        auxiliaries, verb = verb_group(
            action.verb, tense, agreement, negated=negated, adverb=adverb, support=support
        )
        parts = Clause(
            verb, subject.phrase.under(verb, "nsubj") if subject else [], auxiliaries, []
        )
        parts.complements = self.complements(
            action, verb, agreement, with_object=with_object, with_place=with_place
        )
        return parts

    def complements(
        self,
        action: Action,
        verb: Word,
        agreement: Agreement,
        *,
        with_object: bool = True,
        with_place: bool = True,
    ) -> list[Word]:
        """What follows the verb: particle, object and place."""
        words: list[Word] = []
        if action.particle:
            words.append(particle(action.particle, verb))
        if action.objects and with_object:
            new = [code for code in action.objects if code.rstrip("+!~") not in self.mentioned]
            code = self.rng.choice(new or action.objects)
            words += self.thing(code, agreement).under(verb, "obj")
        if action.places and with_place and (not action.objects or self.rng.random() < 0.5):
            words += attach_adverbial(self.rng.choice(action.places), verb)
        return words

    def statement(self, action: Action, subject: Participant) -> Clause:
        """A clause that stands alone, with a time that fits its tense."""
        tense = self.tense(action)
        adverb = None
        if tense == "present":
            adverb = self.rng.choice((*FREQUENCIES, None))
        elif tense.endswith(" perfect"):
            adverb = "already"
        negated = adverb is None and tense != "present" and self.rng.random() < 0.12
        parts = self.clause(action, subject, tense, negated=negated, adverb=adverb)
        if tense != "present":
            self.add_time(parts, tense)
        elif adverb is None:
            self.add_time(parts, tense, 1.0)
        return parts

    def add_time(self, parts: Clause, tense: str, probability: float = 0.45) -> None:
        """Say when, at the end or in front, if nothing in the clause says so yet."""
        text = " ".join(word.form for word in parts.complements)
        choices = {
            "past": PAST_TIMES,
            "past progressive": PAST_TIMES[:1],
            "present": HABITUAL_TIMES,
            "will": FUTURE_TIMES,
            "must": FUTURE_TIMES,
            "can": FUTURE_TIMES,
        }.get(tense, ())
        if not choices or self.rng.random() > probability or text.endswith(TIME_LIKE):
            return
        words = attach_adverbial(self.rng.choice(choices), parts.verb)
        if self.rng.random() < 0.35:
            parts.front = [*words, punctuation(",", parts.verb)]
        else:
            parts.complements += words


def particle(form: str, verb: Word) -> Word:
    """The particle of a phrasal verb."""
    return Word(form, form, "ADP", "RP").under(verb, "compound:prt")


def attach_adverbial(text: str, verb: Word) -> list[Word]:
    """An adverbial written out, attached to a verb."""
    phrase, deprel = adverbial(text)
    return phrase.under(verb, deprel)


def marker(form: str, verb: Word) -> Word:
    """A subordinating conjunction, or "to" before an infinitive."""
    if form == "to":
        return Word("to", "to", "PART", "TO").under(verb, "mark")
    if form == "when":
        return Word(form, form, "ADV", "WRB", {"PronType": "Int"}).under(verb, "advmod")
    return Word(form, form, "SCONJ", "IN").under(verb, "mark")


def relative_pronoun(form: str, verb: Word, deprel: str) -> Word:
    """A relative pronoun in its role within the relative clause."""
    xpos = "WP" if form == "who" else "WDT"
    return Word(form, form, "PRON", xpos, {"PronType": "Rel"}).under(verb, deprel)
