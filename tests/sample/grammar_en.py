"""The English grammar of the sample: how often each construction is drawn; questions, requests."""

from __future__ import annotations

from collections.abc import Callable

from tests.sample.complex_en import ComplexSentences
from tests.sample.lexicon_en import (
    PERSON_STATES,
    SCENE_PROFESSIONS,
    actions,
)
from tests.sample.phrases_en import (
    Agreement,
    verb_group,
)
from tests.sample.plain_en import Words, by_pronoun, quality_word
from tests.sample.trees import Phrase, Word, punctuation

SCENES = tuple(SCENE_PROFESSIONS)


class EnglishGrammar(ComplexSentences):
    """Draws sentences of one scene."""

    def sentence(self) -> Words:
        """A sentence, by a construction drawn at random."""
        constructions, weights = zip(*self.weighted_constructions(), strict=True)
        construct: Callable[[], Words] = self.rng.choices(constructions, weights)[0]
        return construct()

    def weighted_constructions(self) -> list[tuple[Callable[[], Words], float]]:
        """Every construction with how often it is drawn."""
        return [
            (self.statement, 20), (self.activity, 8), (self.gift, 8), (self.state, 6),
            (self.profession, 3), (self.passive, 6), (self.meanwhile, 6), (self.occasion, 5),
            (self.reason, 5), (self.participle, 4), (self.report, 7), (self.plan, 6),
            (self.request, 4), (self.subject_relative, 4), (self.object_relative, 5),
            (self.extraposed_thing, 4), (self.extraposed_person, 4), (self.extraposed_visitor, 1),
            (self.extraction, 3), (self.stranding, 2), (self.polar_question, 3),
            (self.question, 3), (self.joined_actions, 6), (self.joined_clauses, 6),
            (self.existence, 4), (self.instruction, 3), (self.speech, 3), (self.condition, 3),
            (self.gapping, 2.5), (self.comparison, 2), (self.apposition, 3),
        ]  # fmt: skip

    def polar_question(self) -> Words:
        """A yes-no question, as in "Did Anna buy bread at the market?"."""
        tense = self.rng.choice(("past", "will", "present perfect", "can"))
        who = by_pronoun(Agreement("2")) if self.rng.random() < 0.3 else self.people.someone()
        parts = self.clauses.clause(self.intended_action(), who, tense, support=True)
        if tense == "past":
            self.clauses.add_time(parts, tense, 0.3)
            parts.complements, parts.front = [*parts.complements, *parts.front[:-1]], []
        return self.ended(parts.inverted(), "?")

    def question(self) -> Words:
        """A question with who, what, where or which, as in "Where did Tom find the key?"."""
        action = self.action()
        kind = self.rng.choice(("who", "where", "what"))
        if kind == "who":
            parts = self.clauses.clause(action, None, "past")
            who = Word("who", "who", "PRON", "WP", {"PronType": "Int"})
            parts.subject = [who.under(parts.verb, "nsubj")]
            return self.ended(parts.declarative(), "?")
        parts = self.clauses.clause(
            action, self.people.someone(), "past", support=True,
            with_object=kind == "where", with_place=kind == "what",
        )  # fmt: skip
        if kind == "what":
            parts.front = self.asked_thing(action, parts.verb)
        else:
            where = Word("where", "where", "ADV", "WRB", {"PronType": "Int"})
            parts.front = [where.under(parts.verb, "advmod")]
        return self.ended(parts.inverted(), "?")

    def instruction(self) -> Words:
        """Please wash the plates."""
        action = self.intended_action()
        verb = Word(action.verb, action.verb, "VERB", "VB", {"Mood": "Imp", "VerbForm": "Fin"})
        after = self.clauses.complements(action, verb, Agreement("2"))
        please = Word("please", "please", "INTJ", "UH").under(verb, "discourse")
        return self.ended(Phrase([please, verb, *after], verb), self.rng.choice(".!"))

    def speech(self) -> Words:
        """Direct speech: "I will bake a cake," said Anna."""
        speaker = self.people.someone()
        agreement = self.rng.choice((Agreement("1"), Agreement("1", "Plur")))
        if self.rng.random() < 0.5:
            said = self.clauses.clause(
                self.intended_action(), by_pronoun(agreement), "will"
            ).declarative()
        else:
            quality = quality_word(self.rng.choice(PERSON_STATES))
            me = by_pronoun(agreement)
            said = self.copular(me.phrase, agreement, quality, "Pres").declarative()
        _, verb = verb_group("say", "past", speaker.agreement)
        inner = said.under(verb, "ccomp")
        words = [
            punctuation('"', said.head, glued_right=True),
            *inner,
            punctuation(",", said.head),
            punctuation('"', said.head),
            verb,
            *speaker.phrase.under(verb, "nsubj"),
        ]
        return self.ended(Phrase(words, verb))

    def condition(self) -> Words:
        """If the weather is good, we will plant the roses."""
        outdoors = self.rng.choice(actions("garden") + actions("lake"))
        main = self.clauses.clause(outdoors, self.people.anyone(), "will").declarative()
        state = self.thing_is("weather", self.rng.choice(("good", "fine")), "Pres")
        words = self.subordinate("if", state.declarative(), main.head)
        return self.around(main, words)
