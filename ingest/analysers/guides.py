"""What a treebank tells about outputs, as the arrays that `placing` reads, and its renderings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Sized
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
from rapidfuzz.distance import LCSseq

from .lexicon import ReferenceSentence, Word, fold
from .placing import Analyses, Forms, Written

if TYPE_CHECKING:
    from .placing import Integers


# Stands for the blanks inside a reference form, so that splitting at blanks keeps the form whole.
INNER_BLANK = "\ue000"


class _Numbering(dict[str, int]):
    """Numbers strings from 0 in the order in which they are first asked for."""

    def __missing__(self, string: str) -> int:
        self[string] = number = len(self)
        return number


class Strings:
    """The different strings of a treebank and of what was generated for it, by number."""

    def __init__(self) -> None:
        self._numbering = _Numbering()
        self._folded = np.empty(0, np.int64)
        self._unspaced = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._numbering)

    def numbers(self, strings: Sequence[str]) -> Integers:
        """Return the numbers of strings; new ones get theirs."""
        return np.fromiter(map(self._numbering.__getitem__, strings), np.int64, count=len(strings))

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """Return the strings that have these numbers."""
        strings = list(self._numbering)
        return [strings[number] for number in numbers]

    def array(self) -> pa.Array:
        """Return all strings in the order of their numbers."""
        return pa.array(list(self._numbering), pa.string())

    @property
    def folded(self) -> Integers:
        """The number of each string's folded form."""
        self._folded = self._extended(self._folded, fold)
        return self._folded

    @property
    def unspaced(self) -> Integers:
        """The number of each string with blanks in place of INNER_BLANK."""
        self._unspaced = self._extended(self._unspaced, lambda text: text.replace(INNER_BLANK, " "))
        return self._unspaced

    def _extended(self, numbers: Integers, change: Callable[[str], str]) -> Integers:
        while len(numbers) < len(self):
            new = [change(text) for text in islice(self._numbering, len(numbers), None)]
            numbers = np.concatenate([numbers, self.numbers(new)])
        return numbers


class Words:
    """The words of a treebank's sentences in order, and those its lexicon knows, by number."""

    def __init__(
        self,
        strings: Strings,
        words: Iterable[Word],
        look_up: Callable[[str], Sequence[Word]],
    ) -> None:
        """``look_up`` tells the words of a surface form that a sentence does not have."""
        self._strings = strings
        self._look_up = look_up
        self._tag_numbers: dict[str | None, int] = {}
        self._added: dict[Word, int] = {}
        self._numbers: list[int] = []
        self._starts = self._ends = np.empty(0, np.int64)
        self.forms = self.spelt_lemmas = self._tags = np.empty(0, np.int64)
        self.punctuation = np.empty(0, np.bool_)
        self._add(list(words))

    def _add(self, words: list[Word]) -> None:
        numbers, tags = self._strings.numbers, self._tag_numbers
        own = [tags.setdefault(word.upos, len(tags)) for word in words]
        self.forms = np.append(self.forms, numbers([word.form for word in words]))
        self.spelt_lemmas = np.append(self.spelt_lemmas, numbers([word.lemma for word in words]))
        self._tags = np.append(self._tags, np.array(own, np.int64))
        marks = np.array([word.punctuation for word in words], np.bool_)
        self.punctuation = np.append(self.punctuation, marks)

    @property
    def lemmas(self) -> Integers:
        """The number of each word's folded lemma."""
        return self._strings.folded[self.spelt_lemmas]

    def analyses(self, surfaces: Integers) -> Analyses:
        """Return the words of each string.

        Only those of ``surfaces`` and of what was asked for before are there.
        """
        missing = np.zeros(len(self._strings) - len(self._starts), np.int64)
        self._starts = np.append(self._starts, missing)
        self._ends = np.append(self._ends, missing)
        new = surfaces[self._ends[surfaces] == 0]
        added: list[Word] = []
        for surface, text in zip(new.tolist(), self._strings.texts(new.tolist()), strict=True):
            self._starts[surface] = len(self._numbers)
            for word in self._look_up(text):
                number = self._added.get(word)
                if number is None:
                    number = self._added[word] = len(self.forms) + len(added)
                    added.append(word)
                self._numbers.append(number)
            self._ends[surface] = len(self._numbers)
        if added:
            self._add(added)
        return Analyses(self._starts, self._ends, np.array(self._numbers, np.int64))

    def columns(self, forms: Integers, words: Integers) -> dict[str, pa.Array]:
        """Return the forms, lemmas and tags of tokens, by numbers of strings and of words."""
        strings = self._strings.array()
        return {
            "form": strings.take(pa.array(forms)),
            "lemma": strings.take(pa.array(self.spelt_lemmas[words])),
            "upos": pa.array([*self._tag_numbers], pa.string()).take(pa.array(self._tags[words])),
        }


class Guides:
    """What the sentences of a treebank tell about their outputs; behind them, one without words."""

    def __init__(self, sentences: dict[int, ReferenceSentence], strings: Strings) -> None:
        self._sentences = [*sentences.values(), ReferenceSentence([], [], [])]
        self._places = {number: place for place, number in enumerate(sentences)}
        self._guides: dict[int, SentenceGuide] = {}
        blanks = [
            blank_pattern([surface for surface, _ in sentence.units])
            for sentence in self._sentences
        ]
        self._blanks = blanks
        self.forms = _forms(self._sentences, blanks, strings)
        self.written = _written(self._sentences, strings)
        self.without_words = not any(sentence.words for sentence in self._sentences)

    def places(self, sentence_nos: Iterable[int]) -> Integers:
        """Return where sentences are among all; one that is not there is the last one."""
        last = len(self._places)
        return np.array([self._places.get(number, last) for number in sentence_nos], np.int64)

    def at(self, place: int) -> SentenceGuide:
        """Return what the sentence at a place tells about cutting chunks."""
        guide = self._guides.get(place)
        if guide is None:
            guide = SentenceGuide(self._sentences[place], self._blanks[place])
            self._guides[place] = guide
        return guide


class SentenceGuide:
    """What one reference sentence tells about cutting chunks into surface forms."""

    def __init__(self, sentence: ReferenceSentence, blanks: re.Pattern[str] | None) -> None:
        self._blanks = blanks
        self.segments: dict[str, tuple[str, ...]] = {}
        self.exact = {surface for surface, _, _ in _entries(sentence, blanks)}
        self.folded = set(map(fold, self.exact))
        self.lemmas = {fold(word.lemma) for word in sentence.words}

    def chunks(self, chunks: list[str]) -> list[str]:
        """Return neighbouring chunks, those that are parts of one form of the reference joined."""
        if not self._blanks:
            return chunks
        return self._blanks.sub(
            lambda match: re.sub(r"\s+", INNER_BLANK, match[0]), " ".join(chunks)
        ).split()


def starts_of(lists: Iterable[Sized]) -> Integers:
    """Return where each list starts in all of them end to end, and where the last one ends."""
    return np.append(0, np.cumsum(np.array([len(items) for items in lists], np.int64)))


def _entries(
    sentence: ReferenceSentence, blanks: re.Pattern[str] | None
) -> list[tuple[str, int, int]]:
    """Return the surface forms of a sentence, the first word of each, and how many it has.

    Words inside a multiword token come last: a system may write them apart.
    """
    entries = [
        (re.sub(r"\s+", INNER_BLANK, surface) if blanks else surface, indices[0], len(indices))
        for surface, indices in sentence.units
    ]
    for _, indices in sentence.units:
        if len(indices) > 1:
            entries += [(sentence.words[index].form, index, 1) for index in indices]
    return entries


def _forms(
    sentences: Sequence[ReferenceSentence],
    blanks: Sequence[re.Pattern[str] | None],
    strings: Strings,
) -> Forms:
    words = list(chain.from_iterable(sentence.words for sentence in sentences))
    entries = [_entries(*sentence) for sentence in zip(sentences, blanks, strict=True)]
    rows = list(chain.from_iterable(entries))
    surfaces = strings.numbers([surface for surface, _, _ in rows])
    firsts = np.array([first for _, first, _ in rows], np.int64)
    lengths = np.array([length for _, _, length in rows], np.int64)
    starts = starts_of(entries)
    sentence = np.repeat(np.arange(len(sentences)), np.diff(starts))
    # Entries of one form are together, the forms in the order in which they first occur.
    form = sentence * (surfaces.max(initial=0) + 1) + surfaces
    _, first_of_form, of_form = np.unique(form, return_index=True, return_inverse=True)
    order = np.argsort(first_of_form[of_form], kind="stable")
    surfaces, firsts, lengths = surfaces[order], firsts[order], lengths[order]
    word_lemmas = strings.numbers([word.lemma for word in words])
    return Forms(
        word_starts=starts_of([sentence.words for sentence in sentences]),
        word_forms=strings.numbers([word.form for word in words]),
        word_lemmas=strings.folded[word_lemmas],
        entry_starts=starts,
        surfaces=surfaces,
        folded=strings.folded[surfaces],
        firsts=firsts,
        lengths=lengths,
        words_first=np.lexsort((firsts, lengths, sentence)),
        spaced=np.array([pattern is not None for pattern in blanks], np.uint8),
    )


def _written(sentences: Sequence[ReferenceSentence], strings: Strings) -> Written:
    of_sentences = [renderings(sentence) if sentence.words else [] for sentence in sentences]
    written = list(chain.from_iterable(of_sentences))
    return Written(
        of_sentence=starts_of(of_sentences),
        chunk_starts=starts_of([one.chunks for one in written]),
        chunks=strings.numbers(list(chain.from_iterable(one.chunks for one in written))),
        cut_starts=starts_of([one.chunk_cuts for one in written]),
        chunk_cuts=_flat([one.chunk_cuts for one in written]),
        word_cuts=_flat([one.word_cuts for one in written]),
        of_words=np.array([one.of_words for one in written], np.uint8),
        of_lemmas=np.array([one.of_lemmas for one in written], np.uint8),
    )


def _flat(lists: Iterable[Iterable[int]]) -> Integers:
    return np.fromiter(chain.from_iterable(lists), np.int64)


def blank_pattern(surfaces: list[str]) -> re.Pattern[str] | None:
    """Return a pattern that finds those of the forms that hold blanks, None when none does."""
    alternatives = []
    spaced = {surface for surface in surfaces if len(surface.split()) > 1}
    for surface in sorted(spaced, key=lambda form: (-len(form), form)):
        parts = surface.split()
        before = r"(?<!\w)" if parts[0][0].isalnum() else ""
        after = r"(?!\w)" if parts[-1][-1].isalnum() else ""
        alternatives.append(before + r"\s+".join(map(re.escape, parts)) + after)
    return re.compile("|".join(alternatives)) if alternatives else None


class Rendering(NamedTuple):
    """One way of writing a sentence: its chunks between blanks, and where words end with them."""

    chunks: list[str]
    chunk_cuts: Sequence[int]  # 0, and the numbers of chunks after which a surface form ends
    word_cuts: Sequence[int]  # the numbers of words before the same places
    of_words: bool  # whether there are multiword tokens, and it writes their words apart
    of_lemmas: bool = False


def renderings(sentence: ReferenceSentence) -> list[Rendering]:
    """Return the different ways of writing a sentence: words, surface forms, its text, lemmas."""
    forms = [word.form for word in sentence.words]
    surfaces = [surface for surface, _ in sentence.units]
    word_cuts: Sequence[int] = range(len(forms) + 1)
    texts = [_rendering(forms, word_cuts, " ".join(forms), of_words=surfaces != forms)]
    if surfaces != forms:
        word_cuts = [0, *accumulate(len(indices) for _, indices in sentence.units)]
        texts.append(_rendering(surfaces, word_cuts, " ".join(surfaces)))
    if sentence.text is not None and sentence.text.split() != texts[-1].chunks:
        texts.append(_rendering(surfaces, word_cuts, sentence.text))
    lemmas = [word.lemma for word in sentence.words]
    if lemmas != forms:
        word_cuts = range(len(forms) + 1)
        written = " ".join(lemmas)
        own = _rendering(lemmas, word_cuts, written, of_words=surfaces != forms)
        texts.append(own._replace(of_lemmas=True))
    return texts


def _rendering(
    units: list[str], word_cuts: Sequence[int], text: str, *, of_words: bool = False
) -> Rendering:
    """Return a text that writes surface forms in order; `word_cuts` are where their words end."""
    chunks = text.split()
    every = range(len(units) + 1)
    if chunks == units:
        return Rendering(chunks, every, word_cuts, of_words)
    written = ["".join(unit.split()) for unit in units]
    places = _places("".join(written), "".join(chunks))
    number_at = dict(zip(accumulate(map(len, written)), every[1:], strict=True))
    chunk_cuts, unit_cuts = [0], [0]
    for end, length in enumerate(accumulate(map(len, chunks)), start=1):
        number = number_at.get(length if places is None else places.get(length, -1), 0)
        if number > unit_cuts[-1]:
            chunk_cuts.append(end)
            unit_cuts.append(number)
    # Whatever is left at the end belongs to the last stretch.
    chunk_cuts[max(1, len(chunk_cuts) - 1) :] = [len(chunks)]
    unit_cuts[max(1, len(unit_cuts) - 1) :] = [len(units)]
    return Rendering(chunks, chunk_cuts, [word_cuts[cut] for cut in unit_cuts], of_words)


def _places(source: str, target: str) -> dict[int, int] | None:
    """Return which place of the source each place of the target is; None where they are equal."""
    if source == target:
        return None
    places = {}
    for block in LCSseq.opcodes(source, target):
        if block.tag == "equal":
            shift = block.src_start - block.dest_start
            inside = range(block.dest_start, block.dest_end + 1)
            places.update({place: place + shift for place in inside})
        places[block.dest_end] = block.src_end
    return places
