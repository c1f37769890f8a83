"""English sentences with subordinate clauses, and the non-projective ones."""

from __future__ import annotations

from tests.sample.clauses_en import (
    attach_adverbial,
    marker,
    relative_pronoun,
)
from tests.sample.lexicon_en import (
    COLOURS,
    GIFTS,
    HISTORIES,
    KNOWN_FOR,
    NOUN,
    OCCASIONS,
    PERSON_ADJECTIVES,
    REASONS,
    Action,
    pairs,
)
from tests.sample.phrases_en import (
    Agreement,
    Participant,
    determiner,
    nonfinite,
    noun_phrase,
    pronoun,
    verb_group,
)
from tests.sample.plain_en import PlainSentences, Words, by_pronoun, plural_smell, quality_word
from tests.sample.trees import Phrase, Word, punctuation


class ComplexSentences(PlainSentences):
    """Draws sentences with subordinate clauses."""

    def subordinate(self, mark: str, phrase: Phrase, verb: Word, deprel: str = "advcl") -> Words:
        """A marked clause, attached to a verb."""
        link = marker(mark, phrase.head)
        return [link, *phrase.under(verb, deprel)]

    def around(self, clause: Phrase, adverbial_clause: Words) -> Words:
        """A main clause with an adverbial clause behind it, or before it with a comma."""
        if self.rng.random() < 0.5:
            return self.ended(Phrase([*clause.words, *adverbial_clause], clause.head))
        head = next(word for word in adverbial_clause if word.head is clause.head)
        comma = punctuation(",", head)
        return self.ended(Phrase([*adverbial_clause, comma, *clause.words], clause.head))

    def meanwhile(self) -> Words:
        """Anna peeled the potatoes while Tom was setting the table."""
        main = self.clauses.clause(self.action(), self.people.someone(), "past").declarative()
        other = self.clauses.clause(self.lasting_action(), self.people.someone(),
                                    "past progressive", with_place=False).declarative()  # fmt: skip
        return self.around(main, self.subordinate("while", other, main.head))

    def occasion(self) -> Words:
        """When the bell rang, Tom was reading a book."""
        rows = [row for row in pairs(OCCASIONS) if row[2:] in ([], [self.scene])]
        code, verb = self.rng.choice(rows)[:2]
        lemma, _, after = verb.partition("_")
        subject = noun_phrase(code.rstrip("+"), plural="+" in code, article="the")
        event = self.clauses.clause(
            Action(lemma, after or None, (), ()),
            Participant(subject, Agreement(number="Plur" if "+" in code else "Sing")),
            "past",
        ).declarative()
        main = self.clauses.clause(self.lasting_action(), self.people.anyone(), "past progressive")
        phrase = main.declarative()
        return self.around(phrase, self.subordinate("when", event, phrase.head))

    def reason(self) -> Words:
        """Emma opened the window because the kitchen was warm."""
        verb, target, link, circumstance = self.rng.choice(pairs(REASONS))
        is_place = " " in target
        action = Action(
            verb, None, () if is_place else (target + "!",), (target,) if is_place else ()
        )
        main = self.clauses.clause(action, self.people.anyone(), "past").declarative()
        code, quality = circumstance.split()
        if code == target:
            plural = Agreement(number="Plur")
            they = pronoun(plural, "Nom")
            state = self.copular(Phrase([they], they), plural, quality_word(quality), "Past")
        else:
            state = self.thing_is(code, quality, "Past")
        phrase = state.declarative()
        link_words = self.subordinate(link, phrase, main.head)
        return self.ended(Phrase([*main.words, *link_words], main.head))

    def participle(self) -> Words:
        """After washing the plates, Tom set the table."""
        subject = self.people.someone()
        first, then = self.lasting_action(), self.lasting_action()
        verb = nonfinite(first.verb, "Ger")
        complements = self.clauses.complements(first, verb, subject.agreement, with_place=False)
        main = self.clauses.clause(then, subject, "past").declarative()
        mark = self.rng.choice(("before", "after"))
        link = self.subordinate(mark, Phrase([verb, *complements], verb), main.head)
        return self.around(main, link)

    def report(self) -> Words:
        """Anna said that she would bake a cake."""
        subject = self.people.anyone()
        verb, tense = self.rng.choice(
            (("say", "past"), ("think", "past"), ("know", "past"), ("hear", "past"),
             ("hope", "present"), ("think", "present"), ("believe", "present"))
        )  # fmt: skip
        parts = self.clauses.clause(Action(verb, None, (), ()), subject, tense)
        same = verb not in ("hear", "know") and self.rng.random() < 0.4
        who = by_pronoun(subject.agreement) if same else self.people.someone()
        inner_tense = self.rng.choice(("past perfect", "would") if tense == "past" else ("will",))
        if verb in ("hear", "know"):
            inner_tense = "past perfect"
        action = self.action() if inner_tense == "past perfect" else self.intended_action()
        inner = self.clauses.clause(action, who, inner_tense).declarative()
        words = inner.under(parts.verb, "ccomp")
        if verb in ("know", "hear") or self.rng.random() < 0.7:
            words = [marker("that", inner.head), *words]
        parts.complements += words
        return self.ended(parts.declarative())

    def infinitive(self, agreement: Agreement, *, with_object: bool = True) -> Phrase:
        """An action as an infinitive with to."""
        action = self.intended_action()
        verb = nonfinite(action.verb, "Inf")
        after = self.clauses.complements(action, verb, agreement, with_object=with_object)
        return Phrase([marker("to", verb), verb, *after], verb)

    def plan(self) -> Words:
        """The farmer wanted to sell the eggs."""
        subject = self.people.anyone()
        verb = self.rng.choice(("want", "begin", "try", "hope", "decide", "promise", "have"))
        parts = self.clauses.clause(Action(verb, None, (), ()), subject, "past")
        parts.complements += self.infinitive(subject.agreement).under(parts.verb, "xcomp")
        return self.ended(parts.declarative())

    def request(self) -> Words:
        """My aunt asked Tom to carry the suitcase."""
        verb = self.rng.choice(("ask", "help"))
        parts = self.clauses.clause(Action(verb, None, (), ()), self.people.anyone(), "past")
        helper = self.people.someone()
        parts.complements += helper.phrase.under(parts.verb, "obj")
        parts.complements += self.infinitive(helper.agreement).under(parts.verb, "xcomp")
        return self.ended(parts.declarative())

    def relative(self, noun: Word, action: Action, tense: str, agreement: Agreement) -> Words:
        """A relative clause about a person who does something."""
        parts = self.clauses.clause(action, None, tense, agreement=agreement)
        parts.subject = [relative_pronoun("who", parts.verb, "nsubj")]
        return parts.declarative().under(noun, "acl:relcl")

    def subject_relative(self) -> Words:
        """The student who had lost the ticket waited on the platform."""
        person = self.people.professional()
        noun = person.phrase.head
        person.phrase.words += self.relative(noun, self.action(), "past perfect", person.agreement)
        clause = self.clauses.clause(self.rng.choice(self.activities), person, "past")
        return self.ended(clause.declarative())

    def object_relative(self) -> Words:
        """The apples that Anna picked were ripe."""
        action = next(a for a in self.unused if a.verb not in ("miss", "set", "cut"))
        codes = [c for c in action.objects if NOUN[c.rstrip("+!~")].adjectives and "~" not in c]
        code = self.rng.choice(codes)
        lemma, plural = code.rstrip("+!~"), "+" in code
        thing = noun_phrase(lemma, plural=plural, article="the")
        inner = self.clauses.clause(action, self.people.someone(), "past", with_object=False)
        inner.front = [relative_pronoun("that", inner.verb, "obj")]
        thing.words += inner.declarative().under(thing.head, "acl:relcl")
        agreement = Agreement(number="Plur" if plural else "Sing")
        quality = self.rng.choice(NOUN[lemma].adjectives)
        degrees = (None,) if quality in COLOURS else (None, "very", "rather")
        adverb = self.rng.choice(degrees)
        described = quality_word(quality)
        return self.ended(self.copular(thing, agreement, described, "Past", adverb).declarative())

    # Non-projective sentences

    def extraposed_thing(self) -> Words:
        """Tom bought a lamp at the market that had belonged to a sailor."""
        noun, verb, rest = self.rng.choice(pairs(HISTORIES))
        seen, places = self.rng.choice(
            (("buy", ("at the market", "last week")), ("find", ("in the shed", "on the shelf")),
             ("see", ("at the market", "in the shop")),
             ("discover", ("behind the stove", "in the shed")))
        )  # fmt: skip
        parts = self.clauses.clause(Action(seen, None, (), ()), self.people.anyone(), "past")
        thing = self.clauses.thing(noun, article="a")
        parts.complements = thing.under(parts.verb, "obj")
        parts.complements += attach_adverbial(self.rng.choice(places), parts.verb)
        told = self.clauses.clause(Action(verb, None, (), ()), None, "past")
        told.subject = [relative_pronoun("that", told.verb, "nsubj")]
        if rest.split()[0] in ("to", "of", "from"):
            told.complements = attach_adverbial(plural_smell(rest), told.verb)
        else:
            quality, shown = rest.split()
            shown_phrase = noun_phrase(shown, article="a", adjectives=(quality,))
            told.complements = shown_phrase.under(told.verb, "obj")
        parts.complements += told.declarative().under(thing.head, "acl:relcl")
        return self.ended(parts.declarative())

    def extraposed_person(self) -> Words:
        """Emma met a farmer on Friday who sells honey."""
        parts = self.clauses.clause(Action("meet", None, (), ()), self.people.anyone(), "past")
        profession, verb, made = self.rng.choice(pairs(KNOWN_FOR))
        adjectives = (self.rng.choice(PERSON_ADJECTIVES),) if self.rng.random() < 0.4 else ()
        person = noun_phrase(profession, article="a", adjectives=adjectives)
        parts.complements = person.under(parts.verb, "obj")
        when = self.rng.choice(("yesterday", "on Friday", "last week", "in the street"))
        parts.complements += attach_adverbial(when, parts.verb)
        object_ = self.rng.choice(made.split())
        known_for = Action(verb, None, (object_ + ("!" if verb == "play" else "~"),), ())
        tense = self.rng.choice(("past", "present"))
        parts.complements += self.relative(person.head, known_for, tense, Agreement())
        return self.ended(parts.declarative())

    def extraposed_visitor(self) -> Words:
        """A sailor came in who was carrying a box."""
        visitor = self.people.professional("a")
        agreement = visitor.agreement
        come = Action("come", self.rng.choice(("in", "by")), (), ())
        parts = self.clauses.clause(come, visitor, "past")
        auxiliaries, verb = verb_group("carry", "past progressive", agreement)
        carried = noun_phrase(self.rng.choice(("basket", "box", "ladder", "bag")), article="a")
        who = relative_pronoun("who", verb, "nsubj")
        told = Phrase([who, *auxiliaries, verb, *carried.under(verb, "obj")], verb)
        parts.complements += told.under(visitor.phrase.head, "acl:relcl")
        return self.ended(parts.declarative())

    def asked_thing(self, action: Action, verb: Word) -> Words:
        """The object of a verb as a question phrase: "what" or "which book"."""
        codes = [code for code in action.objects if "~" not in code]
        if self.rng.random() < 0.4 or not codes:
            what = Word("what", "what", "PRON", "WP", {"PronType": "Int"})
            return [what.under(verb, "obj")]
        code = self.rng.choice(codes)
        phrase = noun_phrase(code.rstrip("+!"), plural="+" in code)
        which = determiner("which", phrase.head)
        return [which, *phrase.under(verb, "obj")]

    def extraction(self) -> Words:
        """A question out of a subordinate clause, as in "Which book did Anna want to read?"."""
        action, subject = self.intended_action(), self.people.someone()
        if self.rng.random() < 0.6:
            matrix = Action(self.rng.choice(("want", "hope", "try", "promise")), None, (), ())
            parts = self.clauses.clause(matrix, subject, "past", support=True)
            verb = nonfinite(action.verb, "Inf")
            after = self.clauses.complements(action, verb, subject.agreement, with_object=False)
            inner = Phrase([marker("to", verb), verb, *after], verb)
            parts.complements = inner.under(parts.verb, "xcomp")
        else:
            matrix = Action(self.rng.choice(("think", "believe", "say")), None, (), ())
            parts = self.clauses.clause(matrix, subject, "present", support=True)
            inner = self.clauses.clause(
                action, self.people.someone(), "will", with_object=False
            ).declarative()
            parts.complements = inner.under(parts.verb, "ccomp")
        parts.front = self.asked_thing(action, inner.head)
        return self.ended(parts.inverted(), "?")

    def stranding(self) -> Words:
        """A stranded preposition, as in "Who did Emma lend the ladder to?"."""
        verb, things, preposition = self.rng.choice(pairs(GIFTS))
        giver = self.people.someone()
        parts = self.clauses.clause(Action(verb, None, (), ()), giver, "past", support=True)
        who = Word("who", "who", "PRON", "WP", {"PronType": "Int"}).under(parts.verb, "obl")
        parts.front = [who]
        thing = self.clauses.thing(self.rng.choice(things.split()), article="the")
        parts.complements = thing.under(parts.verb, "obj")
        stranded = Word(preposition, preposition, "ADP", "IN").under(who, "case")
        parts.complements.append(stranded)
        return self.ended(parts.inverted(), "?")
