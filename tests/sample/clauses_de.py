"""German clauses: verb-second and verb-final order, separable prefixes, the verbal bracket."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.sample.lexicon_de import (
    FUTURE_TIMES,
    HABITUAL_TIMES,
    INVOLUNTARY_VERBS,
    NOUN,
    OWNABLE,
    PAST_TIMES,
    VERB,
    Action,
)
from tests.sample.phrases_de import (
    MODALS,
    NUMERALS,
    Agreement,
    Participant,
    adverbial,
    finite,
    infinitive,
    noun_phrase,
    participle,
)
from tests.sample.trees import Phrase, Word, punctuation

TENSES = ("preterite", "perfect", "present", "future", *MODALS)
TENSE_WEIGHTS = (32, 32, 14, 7, 4, 5, 6)
TIME_NOUNS = ("Abend", "Morgen")
STATIC_PREPOSITIONS = ("in", "an", "auf", "hinter", "neben", "unter")


@dataclass
class Clause:
    """A clause in parts, by the slots of the German sentence; `verb` is its head."""

    verb: Word
    finite: Word
    bracket: list[Word]  # particle, participle or infinitive
    subject: list[Word] = field(default_factory=list)
    time: list[Word] = field(default_factory=list)
    dative: list[Word] = field(default_factory=list)
    object: list[Word] = field(default_factory=list)
    negation: list[Word] = field(default_factory=list)
    place: list[Word] = field(default_factory=list)
    place_before_object: bool = False
    afterfield: list[Word] = field(default_factory=list)

    def _middle(self, front: str | None = None) -> list[Word]:
        place_slots = ["object", "negation", "place"]
        if self.place_before_object:
            place_slots = ["place", "object", "negation"]
        slots = ["subject", "time", "dative", *place_slots]
        return [word for slot in slots if slot != front for word in getattr(self, slot)]

    def main(self, front: str = "subject") -> Phrase:
        """Verb second: the slot named by `front` before the finite verb, the others after it."""
        words = [*getattr(self, front), self.finite, *self._middle(front), *self.bracket]
        return Phrase([*words, *self.afterfield], self.verb)

    def verb_first(self) -> Phrase:
        """The order of yes-no questions, and of what follows a fronted question word."""
        words = [self.finite, *self._middle(), *self.bracket, *self.afterfield]
        return Phrase(words, self.verb)

    def verb_final(self) -> Phrase:
        """The order of subordinate clauses."""
        words = [*self._middle(), *self.bracket, self.finite, *self.afterfield]
        return Phrase(words, self.verb)


def verb_forms(
    verb: str, tense: str, agreement: Agreement, *, verb_final: bool = False
) -> tuple[Word, Word, list[Word]]:
    """The finite word, the lexical verb (perhaps the same word) and the rest of the bracket."""
    if tense in ("present", "preterite"):
        word = finite(verb, "Pres" if tense == "present" else "Past", agreement)
        prefix = VERB[verb].prefix
        if prefix and verb_final:
            word.form = prefix + word.form
        elif prefix:
            particle = Word(prefix, prefix, "ADP", "PTKVZ").under(word, "compound:prt")
            return word, word, [particle]
        return word, word, []
    if tense in ("perfect", "pluperfect"):
        head = participle(verb)
        time = "Pres" if tense == "perfect" else "Past"
        auxiliary = finite(VERB[verb].auxiliary, time, agreement, "AUX")
    elif tense == "future":
        head, auxiliary = infinitive(verb), finite("werden", "Pres", agreement, "AUX")
    else:
        head, auxiliary = infinitive(verb), finite(tense, "Past", agreement, "AUX")
    return auxiliary.under(head, "aux"), head, [head]


class Clauses:
    """Builds clauses from actions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.mentioned: set[str] = set()

    def tense(self, action: Action) -> str:
        """The tense of a clause that stands alone."""
        if not action.objects:
            return self.rng.choice(("preterite", "preterite", "perfect", "present"))
        tense = self.rng.choices(TENSES, TENSE_WEIGHTS)[0]
        return "perfect" if action.verb in INVOLUNTARY_VERBS else tense

    def thing(
        self, code: str, owner: Agreement | None = None, kind: str | None = None, case: str = "a"
    ) -> Phrase:
        """A noun phrase for a thing: `+` plural, `!` always definite, `~` always bare."""
        lemma = code.rstrip("+!~")
        plural, entry = "+" in code, NOUN[lemma]
        self.mentioned.add(lemma)
        if "~" in code:
            return noun_phrase(lemma, case, plural=plural)
        adjectives: tuple[str, ...] = ()
        if entry.adjectives and self.rng.random() < 0.3:
            adjectives = (self.rng.choice(entry.adjectives),)
        draw = self.rng.random()
        if kind is None and "!" not in code:
            if owner is not None and lemma in OWNABLE and draw < 0.22:
                return noun_phrase(lemma, case, plural=plural, kind="sein", owner=owner,
                                   adjectives=adjectives)  # fmt: skip
            if plural and 0.6 < draw < 0.8:
                numeral = self.rng.choice(NUMERALS)
                return noun_phrase(lemma, case, plural=True, numeral=numeral, adjectives=adjectives)
            if draw >= 0.55:
                bare = plural or entry.plural is None
                return noun_phrase(lemma, case, plural=plural, kind=None if bare else "ein",
                                   adjectives=adjectives)  # fmt: skip
        return noun_phrase(lemma, case, plural=plural, kind=kind or "der", adjectives=adjectives)

    def clause(
        self,
        action: Action,
        subject: Participant | None,
        tense: str,
        *,
        verb_final: bool = False,
        negated: bool = False,
        agreement: Agreement | None = None,
        with_object: bool = True,
        with_place: bool = True,
    ) -> Clause:
        """A clause without time; without a subject for relative clauses and the like."""
        agreement = subject.agreement if subject else agreement or Agreement()
        word, verb, bracket = verb_forms(action.verb, tense, agreement, verb_final=verb_final)
        parts = Clause(verb, word, bracket)
        if subject:
            parts.subject = subject.phrase.under(verb, "nsubj")
        self.complete(parts, action, agreement, with_object=with_object, with_place=with_place,
                      negated=negated)  # fmt: skip
        return parts

    def complete(
        self,
        parts: Clause,
        action: Action,
        agreement: Agreement,
        *,
        with_object: bool = True,
        with_place: bool = True,
        negated: bool = False,
    ) -> None:
        """Fill object, negation and place of a clause."""
        if action.objects and with_object:
            new = [code for code in action.objects if code.rstrip("+!~") not in self.mentioned]
            code = self.rng.choice(new or action.objects)
            kind = None
            if negated:
                kind = "der" if code[-1] in "!~" or self.rng.random() < 0.5 else "kein"
            thing = self.thing(code.rstrip("~") if negated else code, agreement, kind=kind)
            parts.object = thing.under(parts.verb, "obj")
            if kind == "der":
                no = Word("nicht", "nicht", "PART", "PTKNEG", {"Polarity": "Neg"})
                parts.negation = [no.under(parts.verb, "advmod")]
        wanted = not negated and (not action.objects or self.rng.random() < 0.5)
        if action.places and with_place and wanted:
            self.add_place(parts, self.rng.choice(action.places))

    def add_place(self, parts: Clause, code: str) -> None:
        """Say where, in the slot that suits the adverbial and the object."""
        words = attach_adverbial(code, parts.verb)
        preposition, case, *_, noun = code.split(":")
        if noun in TIME_NOUNS:
            parts.time = words
            return
        parts.place = words
        static = case == "d" and preposition in STATIC_PREPOSITIONS
        definite = bool(parts.object) and parts.object[0].lemma == "der"
        parts.place_before_object = static and bool(parts.object) and not definite

    def add_time(self, parts: Clause, tense: str, probability: float = 0.5) -> None:
        """Say when, if nothing in the clause says so yet."""
        choices = {
            "preterite": PAST_TIMES,
            "perfect": PAST_TIMES,
            "present": HABITUAL_TIMES,
            "future": FUTURE_TIMES,
        }.get(tense, ())
        if choices and not parts.time and self.rng.random() < probability:
            parts.time = attach_adverbial(self.rng.choice(choices), parts.verb)

    def front(self, parts: Clause) -> str:
        """The slot that opens a main clause: mostly the subject, else time or place."""
        candidates = [slot for slot in ("time", "place") if getattr(parts, slot)]
        if candidates and self.rng.random() < 0.35:
            return self.rng.choice(candidates)
        return "subject"

    def statement(self, action: Action, subject: Participant) -> Phrase:
        """A main clause that stands alone, with a time that fits its tense."""
        tense = self.tense(action)
        negated = bool(action.objects) and tense != "present" and self.rng.random() < 0.12
        parts = self.clause(action, subject, tense, negated=negated)
        self.add_time(parts, tense)
        return parts.main(self.front(parts))


def attach_adverbial(code: str, verb: Word) -> list[Word]:
    """An adverbial from its code, attached to a verb."""
    phrase, deprel = adverbial(code)
    return phrase.under(verb, deprel)


def marked(conjunction: str, phrase: Phrase) -> Phrase:
    """A verb-final clause behind its conjunction."""
    link = Word(conjunction, conjunction, "SCONJ", "KOUS").under(phrase.head, "mark")
    return Phrase([link, *phrase.words], phrase.head)


def behind_comma(phrase: Phrase, head: Word, deprel: str) -> list[Word]:
    """A subordinate clause attached to a head, with the comma that goes before it."""
    return [punctuation(",", phrase.head), *phrase.under(head, deprel)]
