"""English words and phrases: noun phrases, adverbials and verb groups, with agreement."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.sample.lexicon_en import (
    DOUBLING_VERBS,
    IRREGULAR_VERBS,
    KIN,
    NAMES,
    NOUN,
    PERSON_ADJECTIVES,
    SURNAMES,
)
from tests.sample.trees import Phrase, Word

PRONOUNS = {
    # person, number, gender: nominative, accusative, possessive
    ("1", "Sing", ""): ("I", "me", "my"),
    ("1", "Plur", ""): ("we", "us", "our"),
    ("2", "Sing", ""): ("you", "you", "your"),
    ("3", "Sing", "Fem"): ("she", "her", "her"),
    ("3", "Sing", "Masc"): ("he", "him", "his"),
    ("3", "Sing", "Neut"): ("it", "it", "its"),
    ("3", "Plur", ""): ("they", "them", "their"),
}
NUMERALS = ("two", "three", "four")
ADVERBS = {"yesterday", "tomorrow"}
BE_PRESENT = {("1", "Sing"): "am", ("3", "Sing"): "is"}


@dataclass
class Agreement:
    """What a verb and the pronouns of its clause agree with."""

    person: str = "3"
    number: str = "Sing"
    gender: str = "Neut"

    def pronoun_forms(self) -> tuple[str, str, str]:
        """Nominative, accusative and possessive form."""
        gender = self.gender if (self.person, self.number) == ("3", "Sing") else ""
        return PRONOUNS[self.person, self.number, gender]


@dataclass
class Participant:
    """A noun phrase with its agreement; the phrase may be used in one place only."""

    phrase: Phrase
    agreement: Agreement


def determiner(form: str, noun: Word) -> Word:
    """An article, demonstrative or quantifier of a noun."""
    feats = {
        "the": {"Definite": "Def", "PronType": "Art"},
        "a": {"Definite": "Ind", "PronType": "Art"},
        "an": {"Definite": "Ind", "PronType": "Art"},
        "some": {"PronType": "Ind"},
        "every": {"PronType": "Tot"},
        "which": {"PronType": "Int"},
    }[form]
    lemma = "a" if form == "an" else form
    xpos = "WDT" if form == "which" else "DT"
    return Word(form, lemma, "DET", xpos, dict(feats)).under(noun, "det")


def article_for(word: Word) -> str:
    """The indefinite article as the next word's sound asks for."""
    return "an" if word.form[0] in "aeiou" else "a"


def adjective(form: str, noun: Word) -> Word:
    """An attributive adjective."""
    return Word(form, form, "ADJ", "JJ", {"Degree": "Pos"}).under(noun, "amod")


def common_noun(lemma: str, *, plural: bool = False) -> Word:
    """A common noun in the singular or plural."""
    entry = NOUN.get(lemma)
    form = (entry.plural if entry else None) if plural else lemma
    feats = {"Number": "Plur" if plural else "Sing"}
    return Word(form or lemma + "s", lemma, "NOUN", "NNS" if plural else "NN", feats)


def pronoun(agreement: Agreement, case: str) -> Word:
    """A personal pronoun; case is Nom, Acc or Gen (the possessive determiner)."""
    forms = agreement.pronoun_forms()
    feats = {"Number": agreement.number, "Person": agreement.person, "PronType": "Prs"}
    feats |= {"Poss": "Yes", "Case": "Gen"} if case == "Gen" else {"Case": case}
    if (agreement.person, agreement.number) == ("3", "Sing"):
        feats["Gender"] = agreement.gender
    form = forms[("Nom", "Acc", "Gen").index(case)]
    return Word(form, forms[2 if case == "Gen" else 0], "PRON", "PRP$" if case == "Gen" else "PRP",
                feats)  # fmt: skip


def noun_phrase(
    lemma: str,
    *,
    plural: bool = False,
    article: str | None = None,
    adjectives: tuple[str, ...] = (),
    owner: Agreement | None = None,
    numeral: str | None = None,
) -> Phrase:
    """A noun with an article ("a" adapts), a possessive pronoun or a numeral, and adjectives."""
    noun = common_noun(lemma, plural=plural)
    words = [adjective(form, noun) for form in adjectives]
    if numeral:
        feats = {"NumForm": "Word", "NumType": "Card"}
        words.insert(0, Word(numeral, numeral, "NUM", "CD", feats).under(noun, "nummod"))
    if owner is not None:
        words.insert(0, pronoun(owner, "Gen").under(noun, "nmod:poss"))
    elif article == "a":
        words.insert(0, determiner(article_for((words or [noun])[0]), noun))
    elif article is not None:
        words.insert(0, determiner(article, noun))
    return Phrase([*words, noun], noun)


def name(form: str, surname: str | None = None) -> Phrase:
    """A first name, with a surname if given."""
    first = Word(form, form, "PROPN", "NNP", {"Number": "Sing"})
    words = [first]
    if surname:
        last = Word(surname, surname, "PROPN", "NNP", {"Number": "Sing"})
        words.append(last.under(first, "flat"))
    return Phrase(words, first)


def preposition(form: str, head: Word) -> Word:
    """A preposition before (or stranded from) its noun."""
    return Word(form, form, "ADP", "IN").under(head, "case")


def adverbial(text: str) -> tuple[Phrase, str]:
    """An adverbial written out, such as "in the garden", with the relation it bears to a verb."""
    words = text.split()
    if text in ADVERBS:
        adverb = Word(text, text, "ADV", "RB")
        return Phrase([adverb], adverb), "advmod"
    if words[0] in ("last", "next", "this", "every"):
        noun = common_noun(words[1])
        modifier = (
            adjective(words[0], noun)
            if words[0] in ("last", "next")
            else Word(words[0], words[0], "DET", "DT",
                      {"PronType": "Tot"} if words[0] == "every"
                      else {"Number": "Sing", "PronType": "Dem"}).under(noun, "det")
        )  # fmt: skip
        return Phrase([modifier, noun], noun), "obl:tmod"
    return prepositional(words[0], _bare_or_definite(words[1:])), "obl"


def _bare_or_definite(words: list[str]) -> Phrase:
    """The noun phrase of a written-out adverbial: [article] [adjective] noun."""
    article = words[0] if words[0] in ("the", "a") else None
    *adjectives, last = words[1:] if article else words
    if last[0].isupper():
        return name(last)
    lemma, plural = _lemma(last)
    return noun_phrase(lemma, plural=plural, article=article, adjectives=tuple(adjectives))


def _lemma(form: str) -> tuple[str, bool]:
    for lemma, entry in NOUN.items():
        if entry.plural == form and form != lemma:
            return lemma, True
    return form, False


def prepositional(form: str, phrase: Phrase) -> Phrase:
    """A noun phrase behind a preposition."""
    return Phrase([preposition(form, phrase.head), *phrase.words], phrase.head)


class Verbs:
    """Inflection of verbs."""

    @staticmethod
    def past(verb: str) -> tuple[str, str]:
        """Past tense and past participle."""
        if verb in IRREGULAR_VERBS:
            return IRREGULAR_VERBS[verb]
        if verb.endswith("e"):
            regular = verb + "d"
        elif verb.endswith("y") and verb[-2] not in "aeiou":
            regular = verb[:-1] + "ied"
        else:
            regular = verb + (verb[-1] if verb in DOUBLING_VERBS else "") + "ed"
        return regular, regular

    @staticmethod
    def gerund(verb: str) -> str:
        """Present participle."""
        if verb.endswith("ie"):
            return verb[:-2] + "ying"
        if verb.endswith("e") and verb != "be":
            return verb[:-1] + "ing"
        return verb + (verb[-1] if verb in DOUBLING_VERBS else "") + "ing"

    @staticmethod
    def third_person(verb: str) -> str:
        """Third person singular of the present."""
        if verb.endswith(("s", "sh", "ch", "x", "o")):
            return verb + "es"
        if verb.endswith("y") and verb[-2] not in "aeiou":
            return verb[:-1] + "ies"
        return verb + "s"


def finite(verb: str, tense: str, agreement: Agreement, upos: str = "VERB") -> Word:
    """A finite verb form, Past or Pres."""
    person, number = agreement.person, agreement.number
    feats = {"Mood": "Ind", "Number": number, "Person": person, "Tense": tense, "VerbForm": "Fin"}
    third = (person, number) == ("3", "Sing")
    if verb == "be":
        past = "was" if number == "Sing" else "were"
        form = past if tense == "Past" else BE_PRESENT.get((person, number), "are")
    elif tense == "Past":
        form = Verbs.past(verb)[0]
    elif third:
        form = "has" if verb == "have" else Verbs.third_person(verb)
    else:
        form = verb
    xpos = "VBD" if tense == "Past" else "VBZ" if third else "VBP"
    return Word(form, verb, upos, xpos, feats)


def nonfinite(verb: str, kind: str, upos: str = "VERB") -> Word:
    """An infinitive (Inf), present participle (Ger) or past participle (Part)."""
    if kind == "Inf":
        return Word(verb, verb, upos, "VB", {"VerbForm": "Inf"})
    if kind == "Ger":
        feats = {"Tense": "Pres", "VerbForm": "Part"}
        return Word(Verbs.gerund(verb), verb, upos, "VBG", feats)
    feats = {"Tense": "Past", "VerbForm": "Part"}
    return Word(Verbs.past(verb)[1], verb, upos, "VBN", feats)


def modal(form: str) -> Word:
    """A modal auxiliary."""
    return Word(form, {"would": "will", "could": "can"}.get(form, form), "AUX", "MD",
                {"VerbForm": "Fin"})  # fmt: skip


def verb_group(
    verb: str,
    tense: str,
    agreement: Agreement,
    *,
    negated: bool = False,
    adverb: str | None = None,
    support: bool = False,
) -> tuple[list[Word], Word]:
    """Auxiliaries (finite one first, negation and frequency adverb in place) and the main verb.

    Tenses: past, present, past perfect, present perfect, past progressive, present progressive,
    or a modal verb. `support` asks for the auxiliary do, as questions need it.
    """
    auxiliaries: list[Word] = []
    time, _, aspect = tense.partition(" ")
    tag = {"past": "Past", "present": "Pres"}.get(time)
    if aspect == "perfect":
        auxiliaries = [finite("have", str(tag), agreement, "AUX")]
        main = nonfinite(verb, "Part")
    elif aspect == "progressive":
        auxiliaries = [finite("be", str(tag), agreement, "AUX")]
        main = nonfinite(verb, "Ger")
    elif tag is None:
        auxiliaries = [modal(tense)]
        main = nonfinite(verb, "Inf")
    elif negated or support:
        auxiliaries = [finite("do", tag, agreement, "AUX")]
        main = nonfinite(verb, "Inf")
    else:
        main = finite(verb, tag, agreement)
    for auxiliary in auxiliaries:
        auxiliary.under(main, "aux")
    if negated:
        auxiliaries.insert(1, negation(auxiliaries[0], main))
    if adverb:
        auxiliaries.append(Word(adverb, adverb, "ADV", "RB").under(main, "advmod"))
    return auxiliaries, main


def negation(auxiliary: Word, main: Word) -> Word:
    """The negation of an auxiliary, contracted with it where that is usual."""
    contracts = auxiliary.form not in ("am", "will", "can", "may")
    if contracts:
        auxiliary.fused_with_next = auxiliary.form + "n't"
    elif auxiliary.form == "can":
        auxiliary.fused_with_next = "cannot"
    form = "n't" if contracts else "not"
    return Word(form, "not", "PART", "RB", {"Polarity": "Neg"}).under(main, "advmod")


class People:
    """Draws people; names are not repeated within a sentence."""

    def __init__(self, rng: random.Random, professions: tuple[str, ...]) -> None:
        self.rng = rng
        self.professions = rng.sample(professions, len(professions))
        self.adjectives = rng.sample(PERSON_ADJECTIVES, len(PERSON_ADJECTIVES))
        self.unused = rng.sample(sorted(NAMES), len(NAMES))

    def named(self) -> Participant:
        """Someone with a name."""
        form = self.unused.pop()
        surname = self.rng.choice(SURNAMES) if self.rng.random() < 0.12 else None
        return Participant(name(form, surname), Agreement(gender=NAMES[form]))

    def professional(self, article: str = "the") -> Participant:
        """Someone known by their work."""
        if not self.professions:
            return self.named()
        lemma = self.professions.pop()
        chosen = self.rng.random() < 0.35
        adjectives = (self.adjectives.pop(),) if chosen and self.adjectives else ()
        phrase = noun_phrase(lemma, article=article, adjectives=adjectives)
        gender = "Masc" if lemma in ("sailor",) else self.rng.choice(("Fem", "Masc"))
        return Participant(phrase, Agreement(gender=gender))

    def relative(self) -> Participant:
        """A member of somebody's family."""
        lemma = self.rng.choice(sorted(KIN))
        if self.rng.random() < 0.3:
            noun = common_noun(lemma)
            phrase = possessed(name(self.unused.pop()), Phrase([noun], noun))
        else:
            persons = (
                ("1", "Sing", ""),
                ("1", "Plur", ""),
                ("3", "Sing", "Fem"),
                ("3", "Sing", "Masc"),
            )
            owner = Agreement(*self.rng.choice(persons))
            phrase = noun_phrase(lemma, owner=owner)
        return Participant(phrase, Agreement(gender=KIN[lemma]))

    def group(self) -> Participant:
        """Several people: two names, the children, or a number of them."""
        kind = self.rng.random()
        if kind < 0.5:
            first, second = name(self.unused.pop()), name(self.unused.pop())
            words = coordinated(first, second)
            return Participant(Phrase(words, first.head), Agreement(number="Plur"))
        if kind < 0.8:
            children = Word("children", "child", "NOUN", "NNS", {"Number": "Plur"})
            phrase = Phrase([determiner("the", children), children], children)
        else:
            students = self.rng.choice(("student", "neighbour", "teacher"))
            phrase = noun_phrase(students, plural=True, numeral=self.rng.choice(NUMERALS))
        return Participant(phrase, Agreement(number="Plur"))

    def by_pronoun(self) -> Participant:
        """Somebody who is only referred to."""
        person, number, gender = self.rng.choice(
            [key for key in PRONOUNS if key[0] != "2" and key[2] != "Neut"]
        )
        agreement = Agreement(person, number, gender)
        word = pronoun(agreement, "Nom")
        return Participant(Phrase([word], word), agreement)

    def anyone(self) -> Participant:
        """A subject: mostly a name, a profession or a relative."""
        (kind,) = self.rng.choices(
            (self.named, self.professional, self.relative, self.group, self.by_pronoun),
            (34, 24, 16, 12, 14),
        )
        return kind()

    def someone(self) -> Participant:
        """One other person, never a pronoun."""
        (kind,) = self.rng.choices((self.named, self.professional, self.relative), (5, 3, 2))
        return kind()


def possessed(owner: Phrase, owned: Phrase) -> Phrase:
    """A noun phrase with another as its owner: "Anna's bicycle"."""
    owner.words[-1].fused_with_next = owner.words[-1].form + "'s"
    marker = Word("'s", "'s", "PART", "POS").under(owner.head, "case")
    return Phrase([*owner.under(owned.head, "nmod:poss"), marker, *owned.words], owned.head)


def coordinated(first: Phrase, second: Phrase, conjunction: str = "and") -> list[Word]:
    """Two phrases joined by a conjunction; the first is the head."""
    link = Word(conjunction, conjunction, "CCONJ", "CC").under(second.head, "cc")
    return [*first.words, link, *second.under(first.head, "conj")]
