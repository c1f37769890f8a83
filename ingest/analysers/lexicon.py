"""The words of a treebank: by sentence, and as a lexicon from surface forms to analyses."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib.metadata import version
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.files import keep
from . import characters_tag, is_punctuation
from .segmentation import CONTINUOUS, character_class

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryLookupStrategy

CACHE = Path(__file__).with_name("__pycache__")
MAXIMUM_CLITIC_LENGTH = 5
LEARNED_JOINERS = "'-–/:+&·"


class Word(NamedTuple):
    """A reference word as far as an output can realise it."""

    form: str
    lemma: str
    upos: str | None
    punctuation: bool


Unit: TypeAlias = tuple[str, tuple[int, ...]]
"""A surface form and the indices of its words: one, or those of a multiword token."""


class ReferenceSentence(NamedTuple):
    """The words of one sentence in order, its surface units in order, and what is written together.

    `joined` holds the indices of words that no blank separates from the next one; `text` is the
    sentence as it is printed, None where that is not known.
    """

    words: list[Word]
    units: list[Unit]
    joined: list[int]
    text: str | None = None


Analyses = dict[str, Counter[tuple[Word, ...]]]


def fold(form: str) -> str:
    """Return the form as it is compared where case and the kind of apostrophe do not count."""
    return form.lower().replace("’", "'")


def reference_sentences(
    tokens: pa.Table, multiword_tokens: pa.Table, texts: pa.Table | None = None
) -> dict[int, ReferenceSentence]:
    """Return each sentence's words and units; the form stands for a lemma that is missing.

    `tokens` may have a column `space_after` (bool); without it nothing counts as written together.
    `texts` has the columns sentence_no and text.
    """
    tokens = tokens.sort_by([("sentence_no", "ascending"), ("token_no", "ascending")])
    columns = [
        tokens.column(name).to_pylist()
        for name in ("sentence_no", "form", "lemma", "upos", "deprel")
    ]
    word_of: dict[tuple[str, str | None, str | None, str | None], Word] = {}
    words: defaultdict[int, list[Word]] = defaultdict(list)
    for sentence_no, form, lemma, upos, deprel in zip(*columns, strict=True):
        key = (form, lemma, upos, deprel)
        word = word_of.get(key)
        if word is None:
            punctuation = is_punctuation(form, upos, deprel)
            word = Word(form, form if lemma is None else lemma, upos, punctuation)
            word_of[key] = word
        words[sentence_no].append(word)

    joined: defaultdict[int, list[int]] = defaultdict(list)
    if "space_after" in tokens.column_names:
        together = tokens.filter(pc.equal(tokens.column("space_after"), False))
        numbers = [together.column(name).to_pylist() for name in ("sentence_no", "token_no")]
        for sentence_no, token_no in zip(*numbers, strict=True):
            joined[sentence_no].append(token_no - 1)

    ranges: defaultdict[int, dict[int, tuple[int, str]]] = defaultdict(dict)
    for row in multiword_tokens.to_pylist():
        first, last = row["first_token_no"] - 1, row["last_token_no"]
        ranges[row["sentence_no"]][first] = (last, row["form"])
    printed: dict[int, str] = {}
    if texts is not None:
        numbers, lines = (texts.column(name).to_pylist() for name in ("sentence_no", "text"))
        printed = dict(zip(numbers, lines, strict=True))
    return {
        sentence_no: ReferenceSentence(
            own,
            surface_units(own, ranges.get(sentence_no, {})),
            joined[sentence_no],
            printed.get(sentence_no),
        )
        for sentence_no, own in words.items()
    }


def surface_units(words: list[Word], ranges: dict[int, tuple[int, str]]) -> list[Unit]:
    """Return the sentence's units; `ranges` maps a first index to the index after and the form."""
    if not ranges:
        return [(word.form, (index,)) for index, word in enumerate(words)]
    units = []
    index = 0
    while index < len(words):
        end, surface = ranges.get(index, (index + 1, words[index].form))
        units.append((surface, tuple(range(index, end))))
        index = end
    return units


class Lemmatiser:
    """simplemma where it knows the language, the lowercased form elsewhere."""

    def __init__(self, language: str | None) -> None:
        self.version = f"simplemma-{version('simplemma')}"
        self._language = language or ""

    @cached_property
    def _simplemma(self) -> tuple[Lemmatizer, DictionaryLookupStrategy] | None:
        """What finds lemmas, and what knows words; None for other languages.

        The package is imported when there is something to lemmatise.
        """
        from simplemma import Lemmatizer
        from simplemma.strategies import DefaultStrategy, DictionaryLookupStrategy

        dictionaries = KeptDictionaries()
        try:
            dictionaries.get_dictionary(self._language)
        except ValueError:
            return None
        strategy = DefaultStrategy(dictionary_factory=dictionaries)
        return Lemmatizer(lemmatization_strategy=strategy), DictionaryLookupStrategy(dictionaries)

    def lemma(self, form: str) -> str:
        """Return the lemma; a form that simplemma does not know is lowercased."""
        if self._simplemma is None or characters_tag(form) is not None:
            return form.lower()
        lemmatizer, lookup = self._simplemma
        lemma: str = lemmatizer.lemmatize(form, lang=self._language)
        if lemma == form and lookup.get_lemma(form, self._language) is None:
            return form.lower()
        return lemma


class KeptDictionaries:
    """simplemma's dictionaries, kept unpacked beside byte code, where that may be kept.

    Unpacking one takes longer than looking up ten thousand words in it.
    """

    @staticmethod
    @cache
    def get_dictionary(lang: str) -> Mapping[str, str]:
        """Return the lemmas of a language's words; raises ValueError for an unknown language."""
        from simplemma.strategies.dictionaries import DefaultDictionaryFactory

        made_by = f"simplemma-{version('simplemma')}.lines"
        # What is no language may lead to another folder: simplemma refuses it.
        path = CACHE / f"{lang if lang.isalpha() else ''}.{made_by}"
        with suppress(OSError, ValueError):
            return KeptLemmas(path)
        unpacked = DefaultDictionaryFactory().get_dictionary(lang)
        keep(path, lambda part: write_lines(part, unpacked))
        with suppress(OSError, ValueError):
            return KeptLemmas(path)  # what is looked into takes no memory
        return unpacked


def write_lines(path: Path, lemmas: Mapping[str, str]) -> None:
    """Write lemmas as ``KeptLemmas`` reads them, line by line: some languages have millions."""
    with path.open("wb") as file:
        file.writelines(f"{word}\t{lemmas[word]}\n".encode() for word in sorted(lemmas))
        file.write(b"\n")


class KeptLemmas(Mapping[str, str]):
    """The lemmas of words in a file that is looked into: reading it all would take longer.

    A line is a word, a tab and its lemma. Lines are sorted, and an empty one is the last.
    """

    def __init__(self, path: Path) -> None:
        """Raise OSError for a file that is not there, ValueError for one that is not whole."""
        with path.open("rb") as file:
            self._lines = mmap(file.fileno(), 0, access=ACCESS_READ)
        if self._lines[-2:] != b"\n\n":
            raise ValueError(path)

    def __getitem__(self, word: str) -> str:
        wanted = f"{word}\t".encode()
        place = bisect_left(range(len(self._lines) - 1), wanted, key=self._line_at)
        line = self._line_at(place)
        if not line.startswith(wanted):
            raise KeyError(word)
        return line[len(wanted) :].decode()

    def _line_at(self, place: int) -> bytes:
        lines = self._lines
        return lines[lines.rfind(b"\n", 0, place) + 1 : lines.find(b"\n", place)]

    def __iter__(self) -> Iterator[str]:
        return (line.decode().partition("\t")[0] for line in self._lines[:-2].split(b"\n"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Lexicon:
    """The most frequent analysis of each surface form and lemma of a treebank.

    Ties go to the analysis that sorts first, so that the same treebank gives the same lexicon.
    """

    def __init__(self, sentences: dict[int, ReferenceSentence]) -> None:
        exact: Analyses = defaultdict(Counter)
        members: Analyses = defaultdict(Counter)
        pairs: list[tuple[Word, Word]] = []
        for words, units, joined, _ in sentences.values():
            for surface, indices in units:
                own = tuple([words[index] for index in indices])
                exact[surface][own] += 1
                if len(own) > 1:
                    for word in own:
                        members[word.form][word,] += 1
            last = len(words) - 1
            pairs.extend((words[index], words[index + 1]) for index in joined if index < last)
        folded, lemmas = folded_analyses(exact), lemma_analyses(exact)
        for surface, analyses in folded_analyses(members).items():
            folded.setdefault(surface, analyses)
        for surface, analyses in members.items():
            exact.setdefault(surface, analyses)
        self.exact = most_frequent(exact)
        self.folded = most_frequent(folded)
        self.lemmas = most_frequent(lemmas)
        self.joiners = learned_joiners(exact)
        self.joined_pairs = {
            pair: cut for pair, cut in joined_pairs(pairs).items() if pair not in self.folded
        }
        self.clitics = {form for form in self.folded if is_clitic(form)}

    def analysis(self, form: str) -> tuple[Word, ...] | None:
        """Return the words that the form stands for, None where the treebank does not have it.

        A form that the treebank has only as a lemma stands for a word with that lemma.
        """
        words = self.exact.get(form)
        if words is None:
            folded = fold(form)
            words = self.folded.get(folded) or self.lemmas.get(folded)
        return words


def joined_pairs(pairs: Iterable[tuple[Word, Word]]) -> dict[str, int]:
    """Return each pair of words as one folded string, and where in it the second word begins.

    Only pairs whose letters meet (`can` and `not`), and not those of scripts without blanks.
    """
    return {
        fold(left.form + right.form): len(left.form)
        for left, right in pairs
        if left.form[-1:].isalnum()
        and right.form[:1].isalnum()
        and character_class(left.form[-1]) not in CONTINUOUS
    }


def folded_analyses(exact: Analyses) -> Analyses:
    """Return the counts of all spellings of a form added up; single words lose their case."""
    folded: Analyses = defaultdict(Counter)
    for surface, analyses in exact.items():
        form = fold(surface)
        for words, count in analyses.items():
            same = len(words) > 1 or words[0].form == form
            folded[form][words if same else (words[0]._replace(form=form),)] += count
    return folded


def lemma_analyses(exact: Analyses) -> Analyses:
    """Return for each lemma the words that have it, counted."""
    lemmas: Analyses = defaultdict(Counter)
    for analyses in exact.values():
        for words, count in analyses.items():
            for word in words:
                key = fold(word.lemma)
                own = word if word.form == key else word._replace(form=key)
                lemmas[key][own,] += count
    return lemmas


def most_frequent(counted: Analyses) -> dict[str, tuple[Word, ...]]:
    """Return the most frequent analysis of each key."""
    return {
        surface: next(iter(analyses))
        if len(analyses) == 1
        else min(analyses, key=lambda words: (-analyses[words], *_sort_key(words)))
        for surface, analyses in counted.items()
    }


def _sort_key(words: tuple[Word, ...]) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple((word.form, word.lemma, word.upos or "", word.punctuation) for word in words)


def learned_joiners(exact: Analyses) -> str:
    """Return the characters that this treebank writes inside words rather than between them.

    Compared are the words that hold the character between two letters or digits, and those that
    it makes up or begins or ends (as the apostrophe of clitics does).
    """
    inside: Counter[str] = Counter()
    apart: Counter[str] = Counter()
    for surface, analyses in exact.items():
        for joiner in LEARNED_JOINERS:
            if joiner in surface:
                parts = fold(surface).split(joiner)
                joined = all(part[:1].isalnum() and part[-1:].isalnum() for part in parts)
                (inside if joined else apart)[joiner] += analyses.total()
    joiners = "".join(joiner for joiner in LEARNED_JOINERS if inside[joiner] > apart[joiner])
    return joiners.replace("'", "'’")


def is_clitic(form: str) -> bool:
    """Return whether a folded form is a short one with an apostrophe and a letter."""
    return "'" in form and len(form) <= MAXIMUM_CLITIC_LENGTH and any(map(str.isalpha, form))
