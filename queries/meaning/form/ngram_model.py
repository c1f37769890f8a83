"""N-gram models with back-off weights: which words they see, and how probable they find texts."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np

from ...functions.statistics import Floats, Integers
from .language_model import WITHOUT_TOKENS, TextProbability

SCRIPTS_WITHOUT_BLANKS = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
    "TIBETAN",
)


def words_of(text: str) -> list[str]:
    """Return the words of a text, in composed Unicode, their case kept.

    Blanks separate words; each punctuation mark and symbol is a word of its own, and so is each
    character of the scripts that write no blanks, with the marks that go with it.
    """
    return unicodedata.normalize("NFC", text).translate(_SPACING).split()


class _Spacing(dict[int, str]):
    """What each character becomes, found when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _spaced(chr(code))
        return self[code]


def _spaced(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] in "PS":
        return f" {character} "
    if category[0] == "L" and unicodedata.name(character, "").startswith(SCRIPTS_WITHOUT_BLANKS):
        return f" {character}"
    return character


_SPACING = _Spacing()


START, END, UNKNOWN = "<s>", "</s>", "<unk>"
WORDS_VERSION = "1"
"""Of how texts are cut into words."""
DECIMALS = 9
"""Logarithms are kept to so many decimals: the same on every machine, in memory and in files."""


@dataclass(frozen=True)
class Grams:
    """The n-grams of one length, in the order of ``keys``."""

    keys: Integers
    """Number of the n-gram without its last word, times the vocabulary's size, plus that word."""
    logs: Floats
    """Logarithm (base 10) of the probability of the last word after the others."""
    weights: Floats
    """Logarithm (base 10) of the weight of shorter contexts, where the n-gram is the context."""

    def find(self, contexts: Integers, words: Integers, vocabulary: int) -> Integers:
        """Return the numbers of the n-grams made of a context and a word, -1 where there is none.

        A context of -1 is in no n-gram.
        """
        if not len(self.keys):
            return np.full(len(words), -1)
        keys = contexts * vocabulary + words
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where((contexts >= 0) & (self.keys[places] == keys), places, -1)


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model: a word's probability after the words before it in the sentence."""

    title: str
    vocabulary: Sequence[str]
    """All words, START, END and UNKNOWN among them; a word's number is its place."""
    grams: Sequence[Grams]
    """For the lengths from 1; those of length 1 stand in the order of the vocabulary."""
    trained_on: str | None = None
    """Hash of the treebank the model was trained on; None where it is not known."""
    kind: str = field(default="ngram", init=False)

    @cached_property
    def name(self) -> str:
        """The title, and the start of the hash of the model's probabilities."""
        digest = hashlib.sha256("\n".join(self.vocabulary).encode())
        for grams in self.grams:
            for array in (grams.keys, grams.logs, grams.weights):
                digest.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
        return f"{self.title}@{digest.hexdigest()[:8]}"

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of how texts are cut into words."""
        return {"words": WORDS_VERSION}

    def probabilities(self, texts: Sequence[str]) -> list[TextProbability]:
        """Return the mean probability of the words of each text, in their order.

        The first word follows the beginning of the sentence; the end of the sentence counts not.
        """
        tokenised = [words_of(text) for text in texts]
        codes = self.encode(chain.from_iterable([START, *words] for words in tokenised))
        lengths = np.array([len(words) for words in tokenised], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]]).astype(np.int64)
        is_word = np.ones(len(codes), dtype=bool)
        is_word[starts] = False
        row = np.repeat(np.arange(len(texts)), lengths + 1)
        found = 10.0 ** self.log_probabilities(codes, starts)
        # One sum after the other, in the order of the words: the same in any company.
        sums = np.bincount(row[is_word], weights=found[is_word], minlength=len(texts))
        return [
            TextProbability(length, min(total / length, 1.0))
            if length
            else TextProbability(0, None, WITHOUT_TOKENS)
            for length, total in zip(lengths.tolist(), sums.tolist(), strict=True)
        ]

    def encode(self, words: Iterable[str]) -> Integers:
        """Return the numbers of words, that of UNKNOWN for those the model does not know."""
        numbers = self._numbers
        unknown = numbers[UNKNOWN]
        return np.fromiter((numbers.get(word, unknown) for word in words), dtype=np.int64)

    def log_probabilities(self, codes: Integers, starts: Integers) -> Floats:
        """Return the logarithm (base 10) of each word's probability after those before it.

        ``codes`` are the words of all sentences end to end, ``starts`` where each one begins.
        """
        grams = self.grams[0]
        found: Floats = grams.logs[codes]
        numbers = codes
        for shorter, longer in zip(self.grams, self.grams[1:], strict=False):
            contexts = np.full(len(codes), -1)
            contexts[1:] = numbers[:-1]
            contexts[starts] = -1
            numbers = longer.find(contexts, codes, len(self.vocabulary))
            weighted = found + np.where(contexts >= 0, shorter.weights[contexts], 0.0)
            found = np.where(
                numbers >= 0, longer.logs[numbers] if len(longer.logs) else 0.0, weighted
            )
        return found

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}
