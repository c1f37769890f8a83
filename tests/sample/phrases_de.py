"""German words and phrases: case, gender and number of noun phrases, and verb forms."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.sample.lexicon_de import KIN, NAMES, NOUN, PERSON_ADJECTIVES, SURNAMES, VERB, Verb
from tests.sample.trees import Phrase, Word

GENDERS = {"m": "Masc", "f": "Fem", "n": "Neut"}
CASES = {"n": "Nom", "a": "Acc", "d": "Dat", "g": "Gen"}

# Endings by case: masculine, feminine, neuter, plural.
ARTICLE = {"n": ("der", "die", "das", "die"), "a": ("den", "die", "das", "die"),
           "d": ("dem", "der", "dem", "den"), "g": ("des", "der", "des", "der")}  # fmt: skip
EIN_ENDING = {"n": ("", "e", "", "e"), "a": ("en", "e", "", "e"),
              "d": ("em", "er", "em", "en"), "g": ("es", "er", "es", "er")}  # fmt: skip
JED_ENDING = {"n": ("er", "e", "es", "e"), "a": ("en", "e", "es", "e"),
              "d": ("em", "er", "em", "en"), "g": ("es", "er", "es", "er")}  # fmt: skip
STRONG = {"n": ("er", "e", "es", "e"), "a": ("en", "e", "es", "e"),
          "d": ("em", "er", "em", "en"), "g": ("en", "er", "en", "er")}  # fmt: skip
WEAK = {"n": ("e", "e", "e", "en"), "a": ("en", "e", "e", "en"),
        "d": ("en", "en", "en", "en"), "g": ("en", "en", "en", "en")}  # fmt: skip
MIXED = {"n": ("er", "e", "es", "en"), "a": ("en", "e", "es", "en"),
         "d": ("en", "en", "en", "en"), "g": ("en", "en", "en", "en")}  # fmt: skip

CONTRACTIONS = {("in", "dem"): "im", ("an", "dem"): "am", ("zu", "dem"): "zum",
                ("zu", "der"): "zur",
                ("von", "dem"): "vom", ("bei", "dem"): "beim", ("in", "das"): "ins",
                ("an", "das"): "ans"}  # fmt: skip
NUMERALS = ("zwei", "drei", "vier")

PRONOUNS = {
    # person, number, gender: nominative, accusative, dative, possessive stem
    ("1", "Sing", ""): ("ich", "mich", "mir", "mein"),
    ("1", "Plur", ""): ("wir", "uns", "uns", "unser"),
    ("3", "Sing", "f"): ("sie", "sie", "ihr", "ihr"),
    ("3", "Sing", "m"): ("er", "ihn", "ihm", "sein"),
    ("3", "Sing", "n"): ("es", "es", "ihm", "sein"),
    ("3", "Plur", ""): ("sie", "sie", "ihnen", "ihr"),
}
MODALS = ("können", "müssen", "wollen")


@dataclass
class Agreement:
    """What a verb and the pronouns of its clause agree with."""

    person: str = "3"
    number: str = "Sing"
    gender: str = "n"

    def forms(self) -> tuple[str, str, str, str]:
        """Nominative, accusative, dative and the possessive stem."""
        gender = self.gender if (self.person, self.number) == ("3", "Sing") else ""
        return PRONOUNS[self.person, self.number, gender]


@dataclass
class Participant:
    """A noun phrase in the case of its role, with its agreement."""

    phrase: Phrase
    agreement: Agreement


def column(noun: Word) -> int:
    """Where the endings of a noun's gender and number stand in the tables."""
    if noun.feats["Number"] == "Plur":
        return 3
    return ("Masc", "Fem", "Neut").index(noun.feats["Gender"])


def agreeing(noun: Word, **more: str) -> dict[str, str]:
    """The features that words of a noun phrase share with their noun."""
    return {name: noun.feats[name] for name in ("Case", "Gender", "Number")} | more


def common_noun(lemma: str, case: str, *, plural: bool = False) -> Word:
    """A noun in a case (n, a, d or g)."""
    entry = NOUN[lemma]
    if plural:
        form = str(entry.plural)
        if case == "d" and form[-1] not in "ns":
            form += "n"
    elif entry.weak and case != "n":
        form = str(entry.plural)
    else:
        form = entry.genitive if case == "g" else lemma
    feats = {"Case": CASES[case], "Gender": GENDERS[entry.gender]}
    feats["Number"] = "Plur" if plural else "Sing"
    return Word(form, "Haus" if lemma == "Hause" else lemma, "NOUN", "NN", feats)


def determiner(kind: str, noun: Word, case: str, owner: Agreement | None = None) -> Word:
    """A determiner: der, ein, kein, jed, welch, or sein for the owner's possessive."""
    at = column(noun)
    if kind == "der":
        feats = agreeing(noun, Definite="Def", PronType="Art")
        return Word(ARTICLE[case][at], "der", "DET", "ART", feats).under(noun, "det")
    if kind in ("jed", "welch"):
        pron_type = "Tot" if kind == "jed" else "Int"
        feats = agreeing(noun, PronType=pron_type)
        xpos = "PIAT" if kind == "jed" else "PWAT"
        return Word(kind + JED_ENDING[case][at], kind + "er", "DET", xpos, feats).under(noun, "det")
    ending = EIN_ENDING[case][at]
    if kind == "sein" and owner is not None:
        stem = owner.forms()[3]
        # The possessor's gender and number are not marked: the forms are ambiguous.
        feats = agreeing(noun, Poss="Yes", PronType="Prs", Person=owner.person)
        return Word(stem + ending, stem, "DET", "PPOSAT", feats).under(noun, "det:poss")
    if kind == "kein":
        feats = agreeing(noun, PronType="Neg")
        return Word("kein" + ending, "kein", "DET", "PIAT", feats).under(noun, "det")
    feats = agreeing(noun, Definite="Ind", PronType="Art")
    return Word("ein" + ending, "ein", "DET", "ART", feats).under(noun, "det")


def adjective(stem: str, noun: Word, case: str, kind: str | None) -> Word:
    """An attributive adjective with the ending that the determiner leaves to it."""
    table = STRONG if kind is None else WEAK if kind in ("der", "jed", "welch") else MIXED
    form = stem.removesuffix("e") + table[case][column(noun)]
    feats = agreeing(noun, Degree="Pos")
    return Word(form, stem, "ADJ", "ADJA", feats).under(noun, "amod")


def noun_phrase(
    lemma: str,
    case: str,
    *,
    plural: bool = False,
    kind: str | None = None,
    adjectives: tuple[str, ...] = (),
    owner: Agreement | None = None,
    numeral: str | None = None,
) -> Phrase:
    """A noun phrase in a case; `kind` names the determiner, None leaves it out."""
    noun = common_noun(lemma, case, plural=plural)
    words: list[Word] = []
    if kind is not None:
        words.append(determiner(kind, noun, case, owner))
    if numeral:
        number = Word(numeral, numeral, "NUM", "CARD", {"NumType": "Card"})
        words.append(number.under(noun, "nummod"))
    words += [adjective(stem, noun, case, kind) for stem in adjectives]
    return Phrase([*words, noun], noun)


def name(form: str, case: str, surname: str | None = None) -> Phrase:
    """A first name in a case, with a surname if given."""
    feats = {"Case": CASES[case], "Gender": GENDERS[NAMES[form]], "Number": "Sing"}
    first = Word(form, form, "PROPN", "NE", feats)
    words = [first]
    if surname:
        words.append(Word(surname, surname, "PROPN", "NE", dict(feats)).under(first, "flat:name"))
    if case == "g":
        words[-1].form += "s"
    return Phrase(words, first)


def pronoun(agreement: Agreement, case: str) -> Word:
    """A personal pronoun."""
    forms = agreement.forms()
    feats = {"Case": CASES[case], "Number": agreement.number, "Person": agreement.person,
             "PronType": "Prs"}  # fmt: skip
    if (agreement.person, agreement.number) == ("3", "Sing"):
        feats["Gender"] = GENDERS[agreement.gender]
    return Word(forms["nad".index(case)], forms[0], "PRON", "PPER", feats)


def relative_pronoun(noun: Word, case: str) -> Word:
    """The relative pronoun for a noun, in the case of its role in the relative clause."""
    form = "denen" if case == "d" and column(noun) == 3 else ARTICLE[case][column(noun)]
    feats = agreeing(noun, PronType="Rel") | {"Case": CASES[case]}
    return Word(form, "der", "PRON", "PRELS", feats)


def prepositional(form: str, phrase: Phrase) -> Phrase:
    """A noun phrase behind a preposition, contracted with an article where German does so."""
    preposition = Word(form, form, "ADP", "APPR").under(phrase.head, "case")
    first = phrase.words[0]
    if first.lemma == "der":
        preposition.fused_with_next = CONTRACTIONS.get((form, first.form))
    return Phrase([preposition, *phrase.words], phrase.head)


def adverbial(code: str) -> tuple[Phrase, str]:
    """An adverbial from its code, with its relation: an adverb, "jed:Morgen" or "in:d:Küche"."""
    parts = code.split(":")
    if len(parts) == 1:
        adverb = Word(code, code, "ADV", "ADV")
        return Phrase([adverb], adverb), "advmod"
    if len(parts) == 2:
        if parts[0] == "jed":
            return noun_phrase(parts[1], "a", kind="jed"), "obl:tmod"
        return noun_phrase(parts[1], "a", adjectives=(parts[0],)), "obl:tmod"
    return prepositional(parts[0], coded_phrase(parts[1:])), "obl"


def coded_phrase(parts: list[str]) -> Phrase:
    """The noun phrase of a code: case, optional article (- for none), noun (+ for plural)."""
    case, *article, code = parts
    kind = {"-": None}.get(article[0], article[0]) if article else "der"
    return noun_phrase(code.rstrip("+"), case, plural="+" in code, kind=kind)


def finite(verb: str, tense: str, agreement: Agreement, upos: str = "VERB") -> Word:
    """A finite form, Pres or Past, without its separable prefix."""
    entry = VERB[verb]
    feats = {"Mood": "Ind", "Number": agreement.number, "Person": agreement.person,
             "Tense": tense, "VerbForm": "Fin"}  # fmt: skip
    xpos = "VMFIN" if verb in MODALS else "VAFIN" if upos == "AUX" else "VVFIN"
    form = _past(entry, agreement) if tense == "Past" else _present(entry, agreement)
    return Word(form, verb, upos, xpos, feats)


def _past(entry: Verb, agreement: Agreement) -> str:
    if agreement.number == "Sing":
        return entry.preterite
    return entry.preterite + ("n" if entry.preterite.endswith("e") else "en")


def _present(entry: Verb, agreement: Agreement) -> str:
    if entry.stem_infinitive == "sein":
        return {"1Sing": "bin", "3Sing": "ist"}.get(agreement.person + agreement.number, "sind")
    if agreement.number == "Plur":
        return entry.stem_infinitive
    if agreement.person == "3" or entry.stem_infinitive in (*MODALS, "wissen"):
        return entry.present
    if entry.stem_infinitive.endswith("eln"):
        return entry.stem_infinitive[:-3] + "le"
    if entry.stem_infinitive.endswith("ern"):
        return entry.stem_infinitive[:-1] + "e"
    return entry.stem_infinitive[:-1]


def participle(verb: str) -> Word:
    """A past participle."""
    return Word(VERB[verb].participle, verb, "VERB", "VVPP", {"VerbForm": "Part"})


def infinitive(verb: str) -> Word:
    """A bare infinitive."""
    return Word(verb, verb, "VERB", "VVINF", {"VerbForm": "Inf"})


def infinitive_with_zu(verb: str) -> Phrase:
    """An infinitive with zu, which stands inside verbs with a separable prefix."""
    entry = VERB[verb]
    if entry.prefix:
        form = entry.prefix + "zu" + entry.stem_infinitive
        word = Word(form, verb, "VERB", "VVIZU", {"VerbForm": "Inf"})
        return Phrase([word], word)
    word = infinitive(verb)
    return Phrase([Word("zu", "zu", "PART", "PTKZU").under(word, "mark"), word], word)


class People:
    """Draws people; nobody is drawn twice for a sentence."""

    def __init__(self, rng: random.Random, professions: tuple[str, ...]) -> None:
        self.rng = rng
        self.professions = rng.sample(professions, len(professions))
        self.adjectives = rng.sample(PERSON_ADJECTIVES, len(PERSON_ADJECTIVES))
        self.unused = rng.sample(sorted(NAMES), len(NAMES))
        self.kin = rng.sample(KIN, len(KIN))

    def named(self, case: str = "n") -> Participant:
        """Someone with a name."""
        form = self.unused.pop()
        surname = self.rng.choice(SURNAMES) if self.rng.random() < 0.12 else None
        return Participant(name(form, case, surname), Agreement(gender=NAMES[form]))

    def professional(self, case: str = "n", kind: str = "der") -> Participant:
        """Someone known by their work."""
        if not self.professions:
            return self.named(case)
        lemma = self.professions.pop()
        chosen = self.rng.random() < 0.4
        adjectives = (self.adjectives.pop(),) if chosen and self.adjectives else ()
        phrase = noun_phrase(lemma, case, kind=kind, adjectives=adjectives)
        return Participant(phrase, Agreement(gender=NOUN[lemma].gender))

    def relative(self, case: str = "n") -> Participant:
        """A member of somebody's family."""
        lemma = self.kin.pop()
        if self.rng.random() < 0.3:
            noun = common_noun(lemma, case)
            owner = name(self.unused.pop(), "g")
            phrase = Phrase([*owner.under(noun, "nmod"), noun], noun)
        else:
            owner_agreement = self.rng.choice(
                (
                    Agreement("1"),
                    Agreement("1", "Plur"),
                    Agreement(gender="f"),
                    Agreement(gender="m"),
                )
            )
            phrase = noun_phrase(lemma, case, kind="sein", owner=owner_agreement)
        return Participant(phrase, Agreement(gender=NOUN[lemma].gender))

    def group(self, case: str = "n") -> Participant:
        """Several people."""
        kind = self.rng.random()
        if kind < 0.5:
            first, second = name(self.unused.pop(), case), name(self.unused.pop(), case)
            words = coordinated(first, second)
            return Participant(Phrase(words, first.head), Agreement(number="Plur"))
        if kind < 0.8:
            phrase = noun_phrase("Kind", case, plural=True, kind="der")
        else:
            lemma = self.rng.choice(("Student", "Nachbarin", "Lehrer"))
            phrase = noun_phrase(lemma, case, plural=True, numeral=self.rng.choice(NUMERALS))
        return Participant(phrase, Agreement(number="Plur"))

    def by_pronoun(self) -> Participant:
        """Somebody who is only referred to, as a subject."""
        key = self.rng.choice([key for key in PRONOUNS if key[2] != "n"])
        return pronoun_participant(Agreement(*key))

    def anyone(self) -> Participant:
        """A subject."""
        (kind,) = self.rng.choices(
            (self.named, self.professional, self.relative, self.group, self.by_pronoun),
            (34, 24, 16, 12, 14),
        )
        return kind()

    def someone(self, case: str = "n") -> Participant:
        """One other person, never a pronoun."""
        (kind,) = self.rng.choices((self.named, self.professional, self.relative), (4, 4, 2))
        return kind(case)


def pronoun_participant(agreement: Agreement, case: str = "n") -> Participant:
    """A participant referred to by a pronoun."""
    word = pronoun(agreement, case)
    return Participant(Phrase([word], word), agreement)


def coordinated(first: Phrase, second: Phrase, conjunction: str = "und") -> list[Word]:
    """Two phrases joined by a conjunction; the first is the head."""
    link = Word(conjunction, conjunction, "CCONJ", "KON").under(second.head, "cc")
    return [*first.words, link, *second.under(first.head, "conj")]
