"""The German grammar of the sample: how often each construction is drawn; questions, requests."""

from __future__ import annotations

from collections.abc import Callable

from tests.sample.clauses_de import (
    marked,
    verb_forms,
)
from tests.sample.complex_de import ComplexSentences
from tests.sample.lexicon_de import (
    MOMENTARY_VERBS,
    PERSON_STATES,
    SCENE_PROFESSIONS,
    actions,
)
from tests.sample.phrases_de import (
    Agreement,
    determiner,
    noun_phrase,
    pronoun_participant,
)
from tests.sample.plain_de import Words, quality_word
from tests.sample.trees import Phrase, Word, punctuation

SCENES = tuple(SCENE_PROFESSIONS)


class GermanGrammar(ComplexSentences):
    """Draws sentences of one scene."""

    def sentence(self) -> Words:
        """A sentence, by a construction drawn at random."""
        constructions, weights = zip(*self.weighted_constructions(), strict=True)
        construct: Callable[[], Words] = self.rng.choices(constructions, weights)[0]
        words = construct()
        for word in words:
            if word.upos == "PUNCT":
                word.xpos = {",": "$,", "„": "$(", "“": "$("}.get(word.form, "$.")
        return words

    def weighted_constructions(self) -> list[tuple[Callable[[], Words], float]]:
        """Every construction with how often it is drawn."""
        return [
            (self.statement, 24), (self.activity, 8), (self.gift, 8), (self.state, 6),
            (self.profession, 3), (self.passive, 6), (self.meanwhile, 6), (self.occasion, 5),
            (self.reason, 6), (self.afterwards, 4), (self.report, 7), (self.plan, 6),
            (self.subject_relative, 4), (self.object_relative, 4), (self.extraposed_object, 4),
            (self.extraposed_thing, 3), (self.extraposed_person, 3), (self.fronted_object, 4),
            (self.polar_question, 3), (self.question, 4), (self.joined_actions, 6),
            (self.joined_clauses, 6), (self.existence, 4), (self.instruction, 3),
            (self.speech, 3), (self.condition, 3), (self.gapping, 2.5), (self.comparison, 2),
            (self.apposition, 3), (self.owned_thing, 4),
        ]  # fmt: skip

    def polar_question(self) -> Words:
        """A yes-no question, as in "Hat Anna das Brot gekauft?"."""
        tense = self.rng.choice(("perfect", "perfect", "future"))
        parts = self.clauses.clause(self.intended_action(), self.people.someone(), tense)
        return self.ended(parts.verb_first(), "?")

    def question(self) -> Words:
        """A question with wer, was, wo or welch-, as in "Welches Buch las Anna?"."""
        action = self.action()
        tense = self.rng.choice(("perfect", "perfect", "preterite"))
        kind = self.rng.choice(("wer", "wo", "welch", "was"))
        # An animal or a person would be asked for by "wen", a goal by "wohin".
        if action.verb in ("füttern", "abholen") or (kind == "wo" and ":a:" in action.places[0]):
            kind = "wer"
        if kind == "wo" and action.verb in MOMENTARY_VERBS:
            kind = "was"
        if kind == "wer":
            parts = self.clauses.clause(action, None, tense)
            who = Word("wer", "wer", "PRON", "PWS", {"Case": "Nom", "PronType": "Int"})
            parts.subject = [who.under(parts.verb, "nsubj")]
            return self.ended(parts.main(), "?")
        parts = self.clauses.clause(action, self.people.someone(), tense,
                                    with_object=kind == "wo", with_place=kind != "wo")  # fmt: skip
        phrase = parts.verb_first()
        codes = [code for code in action.objects if "~" not in code]
        if kind == "wo":
            asked = [
                Word("wo", "wo", "ADV", "PWAV", {"PronType": "Int"}).under(parts.verb, "advmod")
            ]
        elif kind == "was" or not codes:
            what = Word("was", "was", "PRON", "PWS", {"Case": "Acc", "PronType": "Int"})
            asked = [what.under(parts.verb, "obj")]
        else:
            code = self.rng.choice(codes)
            thing = noun_phrase(code.rstrip("+!"), "a", plural="+" in code)
            which = determiner("welch", thing.head, "a")
            asked = [which, *thing.under(parts.verb, "obj")]
        return self.ended(Phrase([*asked, *phrase.words], parts.verb), "?")

    def instruction(self) -> Words:
        """A polite request, as in "Spülen Sie bitte die Teller!"."""
        parts = self.clauses.clause(
            self.intended_action(), None, "present", agreement=Agreement(number="Plur")
        )
        parts.finite.feats = {"Mood": "Imp", "Number": "Plur", "Person": "3", "VerbForm": "Fin"}
        feats = {
            "Case": "Nom",
            "Number": "Plur",
            "Person": "3",
            "Polite": "Form",
            "PronType": "Prs",
        }
        you = Word("Sie", "Sie", "PRON", "PPER", feats).under(parts.verb, "nsubj")
        please = Word("bitte", "bitte", "ADV", "ADV").under(parts.verb, "advmod")
        parts.subject = [you, please]
        for word in parts.object:
            if word.deprel == "det:poss":
                word.form = word.form.capitalize()
                word.feats["Polite"] = "Form"
        return self.ended(parts.verb_first(), self.rng.choice(".!"))

    def speech(self) -> Words:
        """„Ich backe einen Kuchen“, sagte Anna."""
        speaker = self.people.someone()
        agreement = self.rng.choice((Agreement("1"), Agreement("1", "Plur")))
        me = pronoun_participant(agreement)
        if self.rng.random() < 0.5:
            said = self.clauses.clause(self.intended_action(), me, "future").main()
        else:
            quality = quality_word(self.rng.choice(PERSON_STATES))
            said = self.copular(me.phrase, agreement, quality, "Pres").main()
        verb, _, _ = verb_forms("sagen", "preterite", speaker.agreement)
        opening = punctuation("„", said.head, glued_right=True)
        closing = [punctuation("“", said.head), punctuation(",", said.head)]
        inner = said.under(verb, "ccomp")
        words = [opening, *inner, *closing, verb, *speaker.phrase.under(verb, "nsubj")]
        return self.ended(Phrase(words, verb))

    def condition(self) -> Words:
        """Wenn das Wetter schön ist, wird Paul den Rasen mähen."""
        outdoors = self.rng.choice(actions("garden") + actions("lake"))
        main = self.clauses.clause(outdoors, self.people.anyone(), "future")
        state = self.thing_is("Wetter", self.rng.choice(("schön", "gut")), "Pres")
        return self.around(main, marked("wenn", state.verb_final()))
