"""N-gram models with back-off weights: what they see, their probabilities, and their ARPA files."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from ....schema.errors import InputError
from ....schema.files import make_folder, read_text, write_file
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
        lengths, row, logs = self._words(texts)
        # One sum after the other, in the order of the words: the same in any company.
        sums = np.bincount(row, weights=10.0**logs, minlength=len(texts))
        return [
            TextProbability(length, min(total / length, 1.0))
            if length
            else TextProbability(0, None, WITHOUT_TOKENS)
            for length, total in zip(lengths.tolist(), sums.tolist(), strict=True)
        ]

    def perplexities(self, texts: Sequence[str]) -> list[float | None]:
        """Return the perplexity of each text by its words; None for one without a word."""
        lengths, row, logs = self._words(texts)
        sums = np.bincount(row, weights=logs, minlength=len(texts))
        return [
            float(10.0 ** (-total / length)) if length else None
            for length, total in zip(lengths.tolist(), sums.tolist(), strict=True)
        ]

    def _words(self, texts: Sequence[str]) -> tuple[Integers, Integers, Floats]:
        """Return how many words texts have, and of each word its text and log10 probability."""
        tokenised = [words_of(text) for text in texts]
        codes = self.encode(chain.from_iterable([START, *words] for words in tokenised))
        lengths = np.array([len(words) for words in tokenised], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]]).astype(np.int64)
        is_word = np.ones(len(codes), dtype=bool)
        is_word[starts] = False
        row = np.repeat(np.arange(len(texts)), lengths + 1)
        return lengths, row[is_word], self.log_probabilities(codes, starts)[is_word]

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
        logs: Floats = grams.logs[codes]
        numbers = codes
        for shorter, longer in zip(self.grams, self.grams[1:], strict=False):
            contexts = np.full(len(codes), -1)
            contexts[1:] = numbers[:-1]
            contexts[starts] = -1
            numbers = longer.find(contexts, codes, len(self.vocabulary))
            weighted = logs + np.where(contexts >= 0, shorter.weights[contexts], 0.0)
            logs = np.where(
                numbers >= 0, longer.logs[numbers] if len(longer.logs) else 0.0, weighted
            )
        return logs

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.vocabulary)}


_SECTION = re.compile(r"\\(\d+)-grams:")
_HINT = "name a language model in ARPA format"


def write_arpa(model: NgramModel, folder: Path) -> Path:
    """Write a model into a folder, made where there is none, and return the path of its file.

    ``<title>.arpa`` holds the model, ``<title>.json`` what it was trained on. The same model gives
    the same bytes.

    Raises InputError where the folder cannot be made or written.
    """
    make_folder(folder)
    path = folder / f"{model.title}.arpa"
    write_file(path, "".join(_lines(model)).encode())
    about = {"model": model.name, "trained_on": model.trained_on}
    write_file(path.with_suffix(".json"), (json.dumps(about, indent=1) + "\n").encode())
    return path


def read_arpa(path: Path) -> NgramModel:
    """Return the model in an ARPA file.

    Raises InputError (file:line) for a file that is no such model, and for one that gives unknown
    words no probability.
    """
    sections = list(_sections(path, read_text(path).split("\n")))
    if not sections:
        raise InputError("the file holds no n-grams", where=str(path), hint=_HINT)
    vocabulary = [words[0] for _, _, words, _ in sections[0]]
    missing = {START, END, UNKNOWN} - set(vocabulary)
    if missing:
        raise InputError(
            f"the model gives '{min(missing)}' no probability",
            where=str(path),
            hint="train it anew, with unknown words",
        )
    numbers = {word: number for number, word in enumerate(vocabulary)}
    if len(numbers) < len(vocabulary):
        raise InputError("a word stands twice among the single words", where=str(path), hint=_HINT)
    grams: list[Grams] = []
    for section in sections:
        grams.append(_grams(path, section, numbers, grams))
    return NgramModel(path.stem, vocabulary, grams, _trained_on(path))


_Line = tuple[int, float, Sequence[str], float]
"""Number of the line, logarithm of the probability, words, logarithm of the back-off weight."""


def _sections(path: Path, lines: Sequence[str]) -> Iterator[list[_Line]]:
    section: list[_Line] | None = None
    length = 0
    for number, line in enumerate(lines, start=1):
        if match := _SECTION.match(line):
            if section is not None:
                yield section
            section, length = [], length + 1
            if int(match[1]) != length:
                raise InputError(
                    f"n-grams of length {match[1]} stand where {length} is due",
                    where=f"{path}:{number}",
                    hint=_HINT,
                )
        elif line.startswith("\\end\\"):
            break
        elif section is not None and line.strip():
            section.append(_parsed(f"{path}:{number}", number, line.split(), length))
    else:
        raise InputError("the file has no end", where=f"{path}:{len(lines)}", hint=_HINT)
    if section is not None:
        yield section


def _parsed(where: str, number: int, parts: Sequence[str], length: int) -> _Line:
    try:
        if len(parts) not in (length + 1, length + 2):
            raise ValueError
        weight = float(parts[length + 1]) if len(parts) == length + 2 else 0.0
        log = float(parts[0])
        if not (log <= 0 and np.isfinite(weight)):
            raise ValueError
    except ValueError:
        raise InputError(
            f"this is no n-gram of length {length} with its probability", where=where, hint=_HINT
        ) from None
    return number, log, parts[1 : length + 1], weight


def _grams(
    path: Path, section: Sequence[_Line], numbers: dict[str, int], shorter: Sequence[Grams]
) -> Grams:
    """Return the n-grams of a section in the order of their keys."""
    named = ((line, word) for line, _, words, _ in section for word in words)
    for line, word in named:
        if word not in numbers:
            raise InputError(
                f"'{word}' is not among the single words", where=f"{path}:{line}", hint=_HINT
            )
    codes = np.array([[numbers[word] for word in words] for _, _, words, _ in section], np.int64)
    codes = codes.reshape(len(section), len(shorter) + 1)
    contexts = np.zeros(len(section), dtype=np.int64)
    for grams, words in zip(shorter, codes.T, strict=False):
        contexts = grams.find(contexts, words, len(numbers))
    if (contexts < 0).any():
        line = section[int(np.argmax(contexts < 0))][0]
        raise InputError(
            "the n-gram's first words are no n-gram of the file",
            where=f"{path}:{line}",
            hint=_HINT,
        )
    keys = contexts * len(numbers) + codes[:, -1]
    order = np.argsort(keys, kind="stable")
    if (np.diff(keys[order]) == 0).any():
        line = section[int(order[1:][np.diff(keys[order]) == 0][0])][0]
        raise InputError("the n-gram stands there twice", where=f"{path}:{line}", hint=_HINT)
    logs = np.array([log for _, log, _, _ in section], dtype=np.float64)
    weights = np.array([weight for _, _, _, weight in section], dtype=np.float64)
    return Grams(keys[order], logs[order], weights[order])


def _lines(model: NgramModel) -> Iterator[str]:
    yield "\\data\\\n"
    for length, grams in enumerate(model.grams, start=1):
        yield f"ngram {length}={len(grams.keys)}\n"
    texts: list[str] = [""]
    for length, grams in enumerate(model.grams, start=1):
        yield f"\n\\{length}-grams:\n"
        contexts, words = np.divmod(grams.keys, len(model.vocabulary))
        texts = [
            f"{texts[context]} {model.vocabulary[word]}".lstrip()
            for context, word in zip(contexts.tolist(), words.tolist(), strict=True)
        ]
        last = length == len(model.grams)
        for log, text, weight in zip(
            grams.logs.tolist(), texts, grams.weights.tolist(), strict=True
        ):
            end = "" if last else f"\t{weight:.{DECIMALS}f}"
            yield f"{log:.{DECIMALS}f}\t{text}{end}\n"
    yield "\n\\end\\\n"


def _trained_on(path: Path) -> str | None:
    about = path.with_suffix(".json")
    if not about.exists():
        return None
    try:
        name = json.loads(read_text(about)).get("trained_on")
    except (ValueError, AttributeError) as error:
        raise InputError(
            f"this does not say what a model was trained on: {error}",
            where=str(about),
            hint="remove the file, or train the model anew",
        ) from error
    return None if name is None else str(name)
