"""Compiled: which words of its reference each output of a submission writes.

Texts are cut at blanks into *chunks*; chunks, forms and folded lemmas are numbers of one list of
strings. What several kernels read of a treebank is in two tuples of arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ...schema.short_cuts import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.uint8]

# The alignment of two texts takes as many bits as the product of their numbers of chunks.
MAXIMUM_PRODUCT = 200_000_000
SURFACE, PENDING, RUN, LEMMAS = 0, 1, 2, 3


class Written(NamedTuple):
    """The renderings of all sentences end to end."""

    of_sentence: Integers  # where each sentence's renderings start, and the last one's end
    chunk_starts: Integers  # where each rendering's chunks start
    chunks: Integers
    cut_starts: Integers  # where each rendering's cuts start
    chunk_cuts: Integers
    word_cuts: Integers
    of_words: Flags
    of_lemmas: Flags


class Forms(NamedTuple):
    """The words of all sentences end to end, and what surface forms stand for them."""

    word_starts: Integers  # where each sentence's words start
    word_forms: Integers
    word_lemmas: Integers  # folded
    entry_starts: Integers  # where each sentence's surface forms start
    surfaces: Integers
    folded: Integers
    firsts: Integers  # the index in the sentence of the first word that it stands for
    lengths: Integers
    words_first: Integers  # the same entries, those of one word before those of several
    spaced: Flags  # whether the sentence has forms with blanks


class Pieces(NamedTuple):
    """What outputs are made of, in order: runs of reference words, and surface forms."""

    starts: Integers  # where each output's pieces start
    kind: Flags  # SURFACE, PENDING (chunks still to be cut), RUN, or LEMMAS: one written as these
    value: Integers  # a surface form's number; of a run the index of the first word
    end: Integers  # of a run the index after the last word; else the number of chunks


class Taken(NamedTuple):
    """What surface forms take of their sentence's entries and words."""

    entries: Integers  # the entry of the reference that each piece takes, or -1
    own: Integers  # the one word of the sentence that each piece has for itself, or -1
    used: Flags  # which words are used, output by output
    used_starts: Integers  # where each output's begin


class Analyses(NamedTuple):
    """The words of strings by number: those of string n are words[starts[n] : ends[n]]."""

    starts: Integers
    ends: Integers
    words: Integers


class WordTexts(NamedTuple):
    """The strings of words by the words' numbers, and each string without its blanks."""

    forms: Integers
    lemmas: Integers
    unspaced: Integers


@compiled()
def place_outputs(
    chunks: Integers,
    starts: Integers,
    sentences: Integers,
    written: Written,
    forms: Forms,
    fold: Integers,
) -> tuple[Flags, Pieces]:
    """Return which outputs write the words of multiword tokens apart, and what all are made of.

    An output has runs in common with that rendering with which it has most in common: words count
    first, then chunks. The value of a pending piece is the place of its first chunk.
    """
    outputs = len(sentences)
    as_words = np.zeros(outputs, np.uint8)
    piece_starts = np.zeros(outputs + 1, np.int64)
    kind = np.empty(len(chunks), np.uint8)
    value = np.empty(len(chunks), np.int64)
    end = np.empty(len(chunks), np.int64)
    number_of = np.full(len(fold), -1, np.int64)
    longest = 0
    for output in range(outputs):
        longest = max(longest, starts[output + 1] - starts[output])
    partner = np.empty(longest, np.int64)
    runs, best = np.empty((longest, 4), np.int64), np.empty((longest, 4), np.int64)
    pieces = 0
    for output in range(outputs):
        sentence, start = sentences[output], starts[output]
        own = chunks[start : starts[output + 1]]
        count, as_words[output], of_lemmas = _in_common(
            own, sentence, written, number_of, partner, runs, best
        )
        place = 0
        for run in range(count + 1):
            until = best[run, 0] if run < count else len(own)
            while place < until:
                is_surface = not forms.spaced[sentence] and _is_word(
                    own[place], sentence, forms, fold
                )
                kind[pieces] = SURFACE if is_surface else PENDING
                value[pieces] = own[place] if is_surface else start + place
                end[pieces] = until - place if forms.spaced[sentence] else 1
                place += end[pieces]
                pieces += 1
            if run < count:
                kind[pieces] = LEMMAS if of_lemmas else RUN
                value[pieces], end[pieces] = best[run, 2], best[run, 3]
                pieces += 1
                place = best[run, 1]
        piece_starts[output + 1] = pieces
    return as_words, Pieces(piece_starts, kind[:pieces], value[:pieces], end[:pieces])


def not_placed(starts: Integers) -> Pieces:
    """Return what ``place_outputs`` does of outputs whose references have no words.

    Their chunks are all still to be cut. Nothing has to be compiled for it.
    """
    chunks = starts[-1]
    kind, single = np.full(chunks, PENDING, np.uint8), np.ones(chunks, np.int64)
    return Pieces(starts, kind, np.arange(chunks), single)


@compiled()
def _is_same(these: Integers, those: Integers) -> bool:
    place = 0
    while place < len(these) and these[place] == those[place]:
        place += 1
    return place == len(these)


@compiled()
def _in_common(
    own: Integers,
    sentence: int,
    written: Written,
    number_of: Integers,
    partner: Integers,
    runs: Integers,
    best: Integers,
) -> tuple[int, np.uint8, np.uint8]:
    """Write the runs that a text has in common with the sentence: chunks and words, from and to.

    They are those of the rendering with most words in common, then most chunks, the first of equal
    ones. Returns how many there are, and whether their rendering is one of words, and of lemmas.
    """
    count, as_words, of_lemmas, words, common = 0, np.uint8(0), np.uint8(0), 0, 0
    for rendering in range(written.of_sentence[sentence], written.of_sentence[sentence + 1]):
        start, stop = written.chunk_starts[rendering], written.chunk_starts[rendering + 1]
        theirs = written.chunks[start:stop]
        start, stop = written.cut_starts[rendering], written.cut_starts[rendering + 1]
        if len(own) == len(theirs) and _is_same(own, theirs):
            if not len(own):
                return 0, written.of_words[rendering], of_lemmas
            best[0, 0], best[0, 1] = 0, len(own)
            best[0, 2], best[0, 3] = 0, written.word_cuts[stop - 1]
            return 1, written.of_words[rendering], written.of_lemmas[rendering]
        if len(own) * len(theirs) > MAXIMUM_PRODUCT:
            continue
        _align(theirs, own, number_of, partner)
        chunk_cuts, word_cuts = written.chunk_cuts[start:stop], written.word_cuts[start:stop]
        own_runs, own_words, own_common = _runs(partner, len(own), chunk_cuts, word_cuts, runs)
        if (own_words, own_common) > (words, common):
            words, common, count = own_words, own_common, own_runs
            for run in range(own_runs):
                for part in range(runs.shape[1]):
                    best[run, part] = runs[run, part]
            as_words, of_lemmas = written.of_words[rendering], written.of_lemmas[rendering]
    return count, as_words, of_lemmas


@compiled()
def _align(reference: Integers, output: Integers, number_of: Integers, partner: Integers) -> None:
    """Write which chunk of the reference each of the output is in a longest common subsequence.

    -1 where none. Rows of bits (Hyyrö 2004): of equally long ones, that which goes back from the
    end over the reference first. ``number_of`` has -1 for every string, before and after.
    """
    shortest = min(len(reference), len(output))
    before = 0
    while before < shortest and reference[before] == output[before]:
        before += 1
    after = 0
    while after < shortest - before and reference[-1 - after] == output[-1 - after]:
        after += 1
    for place in range(before):
        partner[place] = place
    partner[before : len(output) - after] = -1
    for place in range(1, after + 1):
        partner[len(output) - place] = len(reference) - place
    if before + after < shortest:
        _align_inner(
            reference[before : len(reference) - after],
            output[before : len(output) - after],
            number_of,
            before,
            partner[before:],
        )


@compiled()
def _align_inner(
    reference: Integers, output: Integers, number_of: Integers, shift: int, partner: Integers
) -> None:
    # A bit of ``state`` is 0 for each column of the reference at which the subsequence with the
    # rows so far grows: V' = (V + (V & M)) | (V & ~M), where M are the columns with the row's
    # string (``hits``). ``carry`` brings the addition from one word of 64 columns to the next.
    one = np.uint64(1)
    places = np.zeros((len(reference), (len(reference) + 63) // 64), np.uint64)
    different = 0
    for column, string in enumerate(reference):
        if number_of[string] < 0:
            number_of[string] = different
            different += 1
        places[number_of[string], column >> 6] |= one << np.uint64(column & 63)
    same = np.empty((len(output), places.shape[1]), np.uint64)
    state = np.full(places.shape[1], ~np.uint64(0), np.uint64)
    for row, string in enumerate(output):
        if number_of[string] >= 0:
            hits = places[number_of[string]]
            carry = np.uint64(0)
            for word in range(len(state)):
                old = state[word]
                hit = old & hits[word]
                half = old + hit
                whole = half + carry
                carry = np.uint64(half < old) | np.uint64(whole < half)
                state[word] = whole | (old - hit)
        for word in range(len(state)):
            same[row, word] = state[word]
    for string in reference:
        number_of[string] = -1
    # Back from the end: nothing ends in a column without growth; where the row before grows there
    # as well, the row is not needed; else the two strings are partners.
    row, column = len(output), len(reference)
    while row and column:
        bit = np.uint64((column - 1) & 63)
        if (same[row - 1, (column - 1) >> 6] >> bit) & one:
            column -= 1
        else:
            row -= 1
            if not row or (same[row - 1, (column - 1) >> 6] >> bit) & one:
                column -= 1
                partner[row] = shift + column


@compiled()
def _runs(
    partner: Integers, length: int, chunk_cuts: Integers, word_cuts: Integers, runs: Integers
) -> tuple[int, int, int]:
    """Write the runs of whole surface forms: chunks from, to, words from, to.

    A run is a stretch in which output and reference stay equally far apart (``shift``), narrowed
    to the first and the last cut in it. Returns how many there are, and their words and chunks.
    """
    count, words, common, start = 0, 0, 0, 0
    while start < length:
        stop = start + 1
        if partner[start] >= 0:
            while stop < length and partner[stop] == partner[stop - 1] + 1:
                stop += 1
            shift = start - partner[start]
            first = _first_from(chunk_cuts, start - shift)
            last = _first_from(chunk_cuts, stop - shift + 1) - 1
            if first < last:
                runs[count, 0] = chunk_cuts[first] + shift
                runs[count, 1] = chunk_cuts[last] + shift
                runs[count, 2], runs[count, 3] = word_cuts[first], word_cuts[last]
                words += runs[count, 3] - runs[count, 2]
                common += runs[count, 1] - runs[count, 0]
                count += 1
        start = stop
    return count, words, common


@compiled()
def _first_from(ascending: Integers, value: int) -> int:
    """Return the place of the first number that is at least a value."""
    low, high = 0, len(ascending)
    while low < high:
        middle = (low + high) >> 1
        if ascending[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled()
def _is_word(chunk: int, sentence: int, forms: Forms, fold: Integers) -> bool:
    folded = fold[chunk]
    for entry in range(forms.entry_starts[sentence], forms.entry_starts[sentence + 1]):
        if forms.surfaces[entry] == chunk or forms.folded[entry] == folded:
            return True
    return False
