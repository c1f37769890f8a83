"""German sentences with subordinate clauses, and the non-projective ones."""

from __future__ import annotations

from tests.sample.clauses_de import (
    Clause,
    behind_comma,
    marked,
)
from tests.sample.lexicon_de import (
    COLOURS,
    HISTORIES,
    INVOLUNTARY_VERBS,
    KNOWN_FOR,
    MOMENTARY_VERBS,
    NOUN,
    OCCASIONS,
    PERSON_ADJECTIVES,
    REASONS,
    Action,
    pairs,
)
from tests.sample.phrases_de import (
    Agreement,
    Participant,
    adverbial,
    coded_phrase,
    infinitive_with_zu,
    noun_phrase,
    pronoun_participant,
    relative_pronoun,
)
from tests.sample.plain_de import PlainSentences, Words, quality_word
from tests.sample.trees import Phrase, Word, punctuation


class ComplexSentences(PlainSentences):
    """Draws sentences with subordinate clauses."""

    def meanwhile(self) -> Words:
        """Während Anna die Suppe kochte, deckte Paul den Tisch."""
        other = self.clauses.clause(
            self.action(INVOLUNTARY_VERBS), self.people.someone(), "preterite",
            verb_final=True, with_place=False,
        )  # fmt: skip
        main = self.clauses.clause(
            self.action(INVOLUNTARY_VERBS), self.people.someone(), "preterite"
        )
        return self.around(main, marked("während", other.verb_final()))

    def around(self, main: Clause, clause: Phrase) -> Words:
        """A main clause with an adverbial clause behind it, or as its first constituent."""
        if self.rng.random() < 0.5:
            main.afterfield = behind_comma(clause, main.verb, "advcl")
            return self.ended(main.main())
        comma = punctuation(",", clause.head)
        main.time, rest = [*clause.under(main.verb, "advcl"), comma], main.time
        main.dative = [*rest, *main.dative]
        return self.ended(main.main("time"))

    def occasion(self) -> Words:
        """Als der Regen aufhörte, pflückten die Kinder gerade Äpfel."""
        rows = [row for row in pairs(OCCASIONS) if row[2:] in ([], [self.scene])]
        code, verb = self.rng.choice(rows)[:2]
        plural = "+" in code
        subject = noun_phrase(code.rstrip("+"), "n", plural=plural, kind="der")
        event = self.clauses.clause(
            Action(verb.replace("|", ""), (), ()),
            Participant(subject, Agreement(number="Plur" if plural else "Sing")),
            "preterite",
            verb_final=True,
        )
        main = self.clauses.clause(
            self.action(INVOLUNTARY_VERBS), self.people.anyone(), "preterite", with_place=False
        )
        main.time = [Word("gerade", "gerade", "ADV", "ADV").under(main.verb, "advmod")]
        return self.around(main, marked("als", event.verb_final()))

    def reason(self) -> Words:
        """Emma machte das Fenster auf, weil die Küche warm war."""
        verb, target, circumstance = self.rng.choice(pairs(REASONS))
        is_place = ":" in target
        action = Action(verb.replace("|", ""), () if is_place else (target,),
                        (target,) if is_place else ())  # fmt: skip
        tense = self.rng.choice(("preterite", "perfect"))
        main = self.clauses.clause(action, self.people.anyone(), tense)
        code, quality = circumstance.split()
        state = self.thing_is(code, quality, "Past")
        return self.around(main, marked("weil", state.verb_final()))

    def afterwards(self) -> Words:
        """Nachdem Paul die Teller gespült hatte, las er die Zeitung."""
        subject = self.people.someone()
        first, then = self.action(INVOLUNTARY_VERBS), self.action(INVOLUNTARY_VERBS)
        before = self.clauses.clause(
            first, subject, "pluperfect", verb_final=True, with_place=False
        )
        main = self.clauses.clause(then, pronoun_participant(subject.agreement), "preterite")
        clause = marked("nachdem", before.verb_final())
        comma = punctuation(",", clause.head)
        main.dative, main.time = main.time, [*clause.under(main.verb, "advcl"), comma]
        return self.ended(main.main("time"))

    def report(self) -> Words:
        """Anna sagte, dass sie einen Kuchen backen wollte."""
        subject = self.people.anyone()
        verb, tense = self.rng.choice(
            (("sagen", "preterite"), ("erzählen", "preterite"), ("wissen", "preterite"),
             ("hören", "preterite"), ("glauben", "present"), ("hoffen", "present"))
        )  # fmt: skip
        main = self.clauses.clause(Action(verb, (), ()), subject, tense)
        same = verb not in ("hören", "wissen") and self.rng.random() < 0.4
        who = pronoun_participant(subject.agreement) if same else self.people.someone()
        inner_tense = "future" if tense == "present" else self.rng.choice(("pluperfect", "wollen"))
        excluded = INVOLUNTARY_VERBS if inner_tense != "pluperfect" else set()
        inner = self.clauses.clause(self.action(excluded), who, inner_tense, verb_final=True)
        main.afterfield = behind_comma(marked("dass", inner.verb_final()), main.verb, "ccomp")
        return self.ended(main.main())

    def zu_clause(
        self, action: Action, agreement: Agreement, *, with_object: bool = True
    ) -> Clause:
        """An action as an infinitive with zu."""
        phrase = infinitive_with_zu(action.verb)
        parts = Clause(phrase.head, phrase.head, phrase.words)
        self.clauses.complete(parts, action, agreement, with_object=with_object)
        return parts

    def plan(self) -> Words:
        """Der Bauer versuchte, die Eier zu verkaufen."""
        subject = self.people.anyone()
        action = self.intended_action()
        verbs = ("versuchen", "versprechen", "beginnen", "anfangen")
        verb = self.rng.choice(verbs[:2] if action.verb in MOMENTARY_VERBS else verbs)
        tense = self.rng.choice(("preterite", "perfect"))
        main = self.clauses.clause(Action(verb, (), ()), subject, tense)
        inner = self.zu_clause(action, subject.agreement)
        words = [*inner.time, *inner.dative]
        place = inner.place if inner.place_before_object else []
        words += [*place, *inner.object, *([] if place else inner.place), *inner.bracket]
        main.afterfield = behind_comma(Phrase(words, inner.verb), main.verb, "xcomp")
        return self.ended(main.main())

    def relative(self, noun: Word, parts: Clause, case: str, deprel: str) -> Words:
        """A relative clause behind its comma, attached to a noun."""
        which = relative_pronoun(noun, case).under(parts.verb, deprel)
        phrase = parts.verb_final()
        return behind_comma(Phrase([which, *phrase.words], parts.verb), noun, "acl:relcl")

    def subject_relative(self) -> Words:
        """Der Student, der den Zug verpasst hatte, wartete auf dem Bahnsteig."""
        person = self.people.professional()
        noun = person.phrase.head
        inner = self.clauses.clause(
            self.action(), None, "pluperfect", verb_final=True, agreement=person.agreement,
            with_place=False,
        )  # fmt: skip
        clause = self.relative(noun, inner, "n", "nsubj")
        person.phrase.words += [*clause, punctuation(",", inner.verb)]
        main = self.clauses.clause(self.rng.choice(self.activities), person, "preterite")
        return self.ended(main.main())

    def object_relative(self) -> Words:
        """Die Äpfel, die Anna gepflückt hatte, waren reif."""
        action = next(a for a in self.unused if self.described(a) and a.verb not in ("essen",))
        code = self.rng.choice(self.described(action))
        lemma, plural = code.rstrip("+!~"), "+" in code
        thing = noun_phrase(lemma, "n", plural=plural, kind="der")
        inner = self.clauses.clause(
            action, self.people.someone(), "pluperfect", verb_final=True, with_object=False
        )
        thing.words += self.relative(thing.head, inner, "a", "obj")
        thing.words.append(punctuation(",", inner.verb))
        agreement = Agreement(number="Plur" if plural else "Sing")
        quality = self.rng.choice(NOUN[lemma].adjectives)
        degrees = (None,) if quality in COLOURS else (None, "sehr", "ziemlich")
        adverb = self.rng.choice(degrees)
        described = quality_word(quality)
        return self.ended(self.copular(thing, agreement, described, "Past", adverb).main())

    def described(self, action: Action) -> list[str]:
        """The objects of an action that adjectives are known for."""
        return [c for c in action.objects if "~" not in c and NOUN[c.rstrip("+!")].adjectives]

    # Non-projective sentences

    def extraposed_object(self) -> Words:
        """Anna hat den Brief gelesen, den Paul geschrieben hatte."""
        reading, making = self.rng.choice(
            (("lesen", "schreiben"), ("essen", "backen"), ("finden", "verlieren"),
             ("abholen", "reparieren"), ("aufhängen", "zeichnen"), ("streichen", "bauen"))
        )  # fmt: skip
        code = {"schreiben": "Brief Gedicht Geschichte", "backen": "Kuchen Brot",
                "verlieren": "Schlüssel Handschuh Schirm", "reparieren": "Fahrrad Uhr Radio",
                "zeichnen": "Bild Karte", "bauen": "Regal Boot Tisch"}[making]  # fmt: skip
        tense = self.rng.choice(("perfect", "perfect", "wollen"))
        tense = "perfect" if reading == "finden" else tense
        main = self.clauses.clause(Action(reading, (), ()), self.people.anyone(), tense)
        thing = self.clauses.thing(self.rng.choice(code.split()), kind="der")
        main.object = thing.under(main.verb, "obj")
        if tense == "perfect":
            self.clauses.add_time(main, tense, 0.4)
        inner = self.clauses.clause(
            Action(making, (), ()), self.people.someone(), "pluperfect", verb_final=True
        )
        main.afterfield = self.relative(thing.head, inner, "a", "obj")
        return self.ended(main.main(self.clauses.front(main)))

    def extraposed_thing(self) -> Words:
        """Paul hat auf dem Markt eine Lampe gekauft, die einem Matrosen gehörte."""
        noun, verb, rest = self.rng.choice(pairs(HISTORIES))
        seen, place = self.rng.choice(
            (("kaufen", "auf:d:Markt"), ("finden", "in:d:Schuppen"), ("entdecken", "hinter:d:Herd"),
             ("sehen", "auf:d:Markt"))
        )  # fmt: skip
        main = self.clauses.clause(Action(seen, (), ()), self.people.anyone(), "perfect")
        thing = self.clauses.thing(noun, kind="ein")
        main.object = thing.under(main.verb, "obj")
        self.clauses.add_place(main, place)
        inner = self.clauses.clause(Action(verb, (), ()), None, "preterite", verb_final=True)
        parts = rest.split(":")
        if parts[0] in ("a", "d"):
            what = coded_phrase(parts)
            inner.object = what.under(inner.verb, "obj" if parts[0] == "a" else "obl:arg")
        else:
            phrase, deprel = adverbial(rest)
            inner.place = phrase.under(inner.verb, deprel)
        main.afterfield = self.relative(thing.head, inner, "n", "nsubj")
        return self.ended(main.main())

    def extraposed_person(self) -> Words:
        """Emma hat gestern eine Bäuerin getroffen, die Honig verkauft."""
        profession, verb, made = self.rng.choice(pairs(KNOWN_FOR))
        main = self.clauses.clause(Action("treffen", (), ()), self.people.anyone(), "perfect")
        adjectives = (self.rng.choice(PERSON_ADJECTIVES),) if self.rng.random() < 0.4 else ()
        person = noun_phrase(profession, "a", kind="ein", adjectives=adjectives)
        main.object = person.under(main.verb, "obj")
        self.clauses.add_time(main, "perfect", 0.7)
        inner = self.clauses.clause(
            Action(verb, (self.rng.choice(made.split()),), ()), None, "present", verb_final=True
        )
        main.afterfield = self.relative(person.head, inner, "n", "nsubj")
        return self.ended(main.main(self.clauses.front(main)))

    def fronted_object(self) -> Words:
        """Den alten Zaun begann Paul gestern zu streichen."""
        action = self.intended_action()
        subject = self.people.someone()
        begun = action.verb not in MOMENTARY_VERBS and self.rng.random() < 0.5
        verb = "beginnen" if begun else "versuchen"
        main = self.clauses.clause(Action(verb, (), ()), subject, "preterite")
        inner = self.zu_clause(action, subject.agreement, with_object=False)
        code = self.rng.choice(action.objects)
        kind = None if "~" in code else "der"
        thing = self.clauses.thing(code, kind=kind)
        main.object = thing.under(inner.verb, "obj")
        self.clauses.add_time(main, "preterite", 0.6)
        inside = [] if main.time else inner.time
        main.place = [*inside, *inner.place, *inner.bracket]
        inner.verb.under(main.verb, "xcomp")
        return self.ended(main.main("object"))
