"""Compiled: which words surface forms take, by their form or as their lemma, and reading them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...schema.short_cuts import compiled
from .placing import LEMMAS, RUN, Analyses, Forms, Pieces, Taken, WordTexts

if TYPE_CHECKING:
    from .placing import Flags, Integers


class _Owners(NamedTuple):
    """Which words of one output's sentence have which pieces for their own."""

    own: Integers  # the word of each piece, or -1
    owner: Integers  # the piece of each word, or -1
    used: Flags  # by word


@compiled()
def take_entries(
    pieces: Pieces, as_words: Flags, sentences: Integers, forms: Forms, fold: Integers
) -> Taken:
    """Return which entry of the reference each surface form takes, and which words are used."""
    outputs = len(sentences)
    used_starts = np.zeros(outputs + 1, np.int64)
    for output in range(outputs):
        sentence = sentences[output]
        words = forms.word_starts[sentence + 1] - forms.word_starts[sentence]
        used_starts[output + 1] = used_starts[output] + words
    used = np.zeros(used_starts[-1], np.uint8)
    entries = np.full(len(pieces.kind), -1, np.int64)
    own = np.full(len(pieces.kind), -1, np.int64)
    for output in range(outputs):
        free = used[used_starts[output] : used_starts[output + 1]]
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            if pieces.kind[piece] >= RUN:
                free[pieces.value[piece] : pieces.end[piece]] = 1
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            if pieces.kind[piece] < RUN:
                entry, is_free = _take(
                    pieces.value[piece], as_words[output], sentences[output], forms, fold, free
                )
                entries[piece] = entry
                if is_free and forms.lengths[entry] == 1:
                    own[piece] = forms.firsts[entry]
    return Taken(entries, own, used, used_starts)


def nothing_taken(pieces: Pieces) -> Taken:
    """Return what ``take_entries`` does where the references have no words."""
    outputs, missing = len(pieces.starts) - 1, np.full(len(pieces.kind), -1, np.int64)
    used, starts = np.zeros(0, np.uint8), np.zeros(outputs + 1, np.int64)
    return Taken(missing, missing.copy(), used, starts)


@compiled()
def _take(
    surface: int, as_words: int, sentence: int, forms: Forms, fold: Integers, used: Flags
) -> tuple[int, bool]:
    """Return the first free entry of the form, else of its folded form, and mark its words.

    Where all are used, the first one is shared: the second value is False. In a text that writes
    the words of multiword tokens apart, words go before multiword tokens.
    """
    shared = -1
    for keys, key in ((forms.surfaces, surface), (forms.folded, fold[surface])):
        for place in range(forms.entry_starts[sentence], forms.entry_starts[sentence + 1]):
            entry = forms.words_first[place] if as_words else place
            if keys[entry] == key:
                first, last = forms.firsts[entry], forms.firsts[entry] + forms.lengths[entry]
                if _is_free(used, first, last):
                    used[first:last] = 1
                    return entry, True
                if shared < 0:
                    shared = entry
    return shared, False


@compiled()
def take_lemmas(
    pieces: Pieces,
    taken: Taken,
    sentences: Integers,
    forms: Forms,
    fold: Integers,
    analyses: Analyses,
    lemmas: Integers,
) -> None:
    """Let surface forms without a word of their own take one whose lemma they are.

    That is the form itself or, where no entry stands for it, the lemma of its only analysis. A
    word of another surface form is free where that one may have another by its own form or as its
    lemma: as many as possible have one (augmenting paths, Berge 1957), and the shortest change
    does. Writes ``own`` and ``used`` of what is ``taken``; ``lemmas`` are folded, by word.
    """
    own, used, used_starts = taken.own, taken.used, taken.used_starts
    for output in range(len(sentences)):
        sentence = sentences[output]
        free = used[used_starts[output] : used_starts[output + 1]]
        owner = np.full(len(free), -1, np.int64)
        owners = _Owners(own, owner, free)
        begin, end = pieces.starts[output], pieces.starts[output + 1]
        for piece in range(begin, end):
            if own[piece] >= 0:
                owner[own[piece]] = piece
        for piece in range(begin, end):
            entry = taken.entries[piece]
            if (
                pieces.kind[piece] >= RUN
                or own[piece] >= 0
                or (entry >= 0 and forms.lengths[entry] > 1)
            ):
                continue
            surface, lemma = pieces.value[piece], -1
            if entry < 0 and analyses.ends[surface] - analyses.starts[surface] == 1:
                lemma = lemmas[analyses.words[analyses.starts[surface]]]
            _find_word(piece, lemma, sentence, pieces, forms, fold, owners)


@compiled()
def _find_word(
    seeker: int,
    lemma: int,
    sentence: int,
    pieces: Pieces,
    forms: Forms,
    fold: Integers,
    owners: _Owners,
) -> None:
    """Give a surface form a free word, or that of another which then has one that is free."""
    own, owner, used = owners.own, owners.owner, owners.used
    words, offset = len(used), forms.word_starts[sentence]
    first, last = forms.entry_starts[sentence], forms.entry_starts[sentence + 1]
    reached_by = np.full(words, -1, np.int64)
    queue = np.empty(words + 1, np.int64)
    queue[0], waiting, done = seeker, 1, 0
    while done < waiting:
        piece = queue[done]
        done += 1
        key = fold[pieces.value[piece]]
        for place in range(first, last + (2 if piece == seeker else 1) * words):
            if place < last:  # by its form
                if forms.lengths[place] != 1 or forms.folded[place] != key:
                    continue
                word = forms.firsts[place]
            else:  # as its lemma
                word = (place - last) % words
                if forms.word_lemmas[offset + word] != (key if place < last + words else lemma):
                    continue
            if reached_by[word] >= 0:
                continue
            reached_by[word] = piece
            if not used[word]:
                used[word] = 1
                while piece != seeker:
                    own[piece], word = word, own[piece]
                    owner[own[piece]] = piece
                    piece = reached_by[word]
                own[seeker], owner[word] = word, seeker
                return
            if owner[word] >= 0:
                queue[waiting] = owner[word]
                waiting += 1


@compiled()
def read_words(
    pieces: Pieces,
    taken: Taken,
    sentences: Integers,
    forms: Forms,
    analyses: Analyses,
    texts: WordTexts,
) -> tuple[Integers, Integers, Integers]:
    """Return the form and the word of each token, and how many each output has.

    A piece with neither a word of its own nor an entry has the words of its surface's ``analyses``.
    Words are numbered, first those of sentences, then the others.
    """
    own = taken.own
    most = _most_words(pieces, taken.entries, forms, analyses)
    form, word = np.empty(most, np.int64), np.empty(most, np.int64)
    counts = np.empty(len(sentences), np.int64)
    place = 0
    for output in range(len(sentences)):
        sentence, begun = sentences[output], place
        offset = forms.word_starts[sentence]
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            surface, first, entry = pieces.value[piece], place, taken.entries[piece]
            is_run = pieces.kind[piece] >= RUN
            if is_run:
                start, stop = offset + surface, offset + pieces.end[piece]
            elif own[piece] >= 0:
                start, stop = offset + own[piece], offset + own[piece] + 1
            elif entry >= 0:
                start = offset + forms.firsts[entry]
                stop = start + forms.lengths[entry]
            else:
                start, stop = analyses.starts[surface], analyses.ends[surface]
            is_analysed = not is_run and own[piece] < 0 and entry < 0
            for item in range(start, stop):
                word[place] = analyses.words[item] if is_analysed else item
                written = texts.lemmas if pieces.kind[piece] == LEMMAS else texts.forms
                form[place] = written[word[place]]
                place += 1
            if not is_run and place == first + 1:
                form[first] = surface
        if forms.spaced[sentence]:
            for token in range(begun, place):
                form[token] = texts.unspaced[form[token]]
        counts[output] = place - begun
    return form[:place], word[:place], counts


@compiled()
def _most_words(pieces: Pieces, entries: Integers, forms: Forms, analyses: Analyses) -> int:
    """Return the most words that all pieces can have; a piece without an analysis is one."""
    most = 0
    for piece in range(len(pieces.kind)):
        if pieces.kind[piece] >= RUN:
            most += pieces.end[piece] - pieces.value[piece]
        elif entries[piece] >= 0:
            most += forms.lengths[entries[piece]]
        else:
            surface = pieces.value[piece]
            most += max(1, analyses.ends[surface] - analyses.starts[surface])
    return most


@compiled()
def _is_free(used: Flags, first: int, last: int) -> bool:
    while first < last and not used[first]:
        first += 1
    return first >= last
