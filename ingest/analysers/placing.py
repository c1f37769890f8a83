"""Compiled: which words of its reference each output of a submission writes.

Texts are cut at blanks into *chunks*; chunks, forms and folded lemmas are numbers of one list of
strings. What several kernels read of a treebank is in two tuples of arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ...schema.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.uint8]

# The alignment of two texts takes as many bits as the product of their numbers of chunks.
MAXIMUM_PRODUCT = 200_000_000
SURFACE, RUN, PENDING = 0, 1, 2


class Written(NamedTuple):
    """The renderings of all sentences end to end."""

    of_sentence: Integers  # where each sentence's renderings start, and the last one's end
    chunk_starts: Integers  # where each rendering's chunks start
    chunks: Integers
    cut_starts: Integers  # where each rendering's cuts start
    chunk_cuts: Integers
    word_cuts: Integers
    of_words: Flags


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
    kind: Flags  # SURFACE, RUN, or PENDING: chunks that are still to be cut into surface forms
    value: Integers  # a surface form's number; of a run the index of the first word
    end: Integers  # of a run the index after the last word; else the number of chunks


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
        count, as_words[output] = _in_common(own, sentence, written, number_of, partner, runs, best)
        place = 0
        for run in range(count + 1):
            until = best[run, 0] if run < count else len(own)
            while place < until:
                known = not forms.spaced[sentence] and _is_known(own[place], sentence, forms, fold)
                kind[pieces] = SURFACE if known else PENDING
                value[pieces] = own[place] if known else start + place
                end[pieces] = until - place if forms.spaced[sentence] else 1
                place += end[pieces]
                pieces += 1
            if run < count:
                kind[pieces], value[pieces], end[pieces] = RUN, best[run, 2], best[run, 3]
                pieces += 1
                place = best[run, 1]
        piece_starts[output + 1] = pieces
    return as_words, Pieces(piece_starts, kind[:pieces], value[:pieces], end[:pieces])


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
) -> tuple[int, np.uint8]:
    """Write the runs that a text has in common with the sentence: chunks and words, from and to.

    Returns how many there are, and whether their rendering is one of words.
    """
    count, as_words, words, common = 0, np.uint8(0), 0, 0
    for rendering in range(written.of_sentence[sentence], written.of_sentence[sentence + 1]):
        start, stop = written.chunk_starts[rendering], written.chunk_starts[rendering + 1]
        theirs = written.chunks[start:stop]
        start, stop = written.cut_starts[rendering], written.cut_starts[rendering + 1]
        if len(own) == len(theirs) and _is_same(own, theirs):
            if not len(own):
                return 0, written.of_words[rendering]
            best[0] = (0, len(own), 0, written.word_cuts[stop - 1])
            return 1, written.of_words[rendering]
        if len(own) * len(theirs) > MAXIMUM_PRODUCT:
            continue
        _align(theirs, own, number_of, partner)
        chunk_cuts, word_cuts = written.chunk_cuts[start:stop], written.word_cuts[start:stop]
        found, own_words, own_common = _runs(partner, len(own), chunk_cuts, word_cuts, runs)
        if (own_words, own_common) > (words, common):
            words, common, count = own_words, own_common, found
            best[:found] = runs[:found]
            as_words = written.of_words[rendering]
    return count, as_words


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
    partner[:before] = np.arange(before)
    partner[before : len(output) - after] = -1
    partner[len(output) - after : len(output)] = np.arange(len(reference) - after, len(reference))
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
        same[row] = state
    for string in reference:
        number_of[string] = -1
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

    Returns how many there are, and their words and chunks.
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
def _is_known(chunk: int, sentence: int, forms: Forms, fold: Integers) -> bool:
    folded = fold[chunk]
    for entry in range(forms.entry_starts[sentence], forms.entry_starts[sentence + 1]):
        if forms.surfaces[entry] == chunk or forms.folded[entry] == folded:
            return True
    return False


@compiled()
def take_entries(
    pieces: Pieces, as_words: Flags, sentences: Integers, forms: Forms, fold: Integers
) -> tuple[Integers, Flags, Integers]:
    """Return which entry of the reference each surface form takes, -1 where it has none.

    Also which words are used then, output by output, and where each output's begin.
    """
    outputs = len(sentences)
    used_starts = np.zeros(outputs + 1, np.int64)
    for output in range(outputs):
        sentence = sentences[output]
        words = forms.word_starts[sentence + 1] - forms.word_starts[sentence]
        used_starts[output + 1] = used_starts[output] + words
    used = np.zeros(used_starts[-1], np.uint8)
    taken = np.full(len(pieces.kind), -1, np.int64)
    for output in range(outputs):
        own = used[used_starts[output] : used_starts[output + 1]]
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            if pieces.kind[piece] == RUN:
                own[pieces.value[piece] : pieces.end[piece]] = 1
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            if pieces.kind[piece] != RUN:
                taken[piece] = _take(
                    pieces.value[piece], as_words[output], sentences[output], forms, fold, own
                )
    return taken, used, used_starts


@compiled()
def _take(
    surface: int, as_words: int, sentence: int, forms: Forms, fold: Integers, used: Flags
) -> int:
    """Return the first free entry of the form, else of its folded form, and mark its words.

    Where all are used, the first one is shared. In a text that writes the words of multiword tokens
    apart, words go before multiword tokens.
    """
    shared = -1
    for keys, key in ((forms.surfaces, surface), (forms.folded, fold[surface])):
        for place in range(forms.entry_starts[sentence], forms.entry_starts[sentence + 1]):
            entry = forms.words_first[place] if as_words else place
            if keys[entry] == key:
                first, last = forms.firsts[entry], forms.firsts[entry] + forms.lengths[entry]
                if _is_free(used, first, last):
                    used[first:last] = 1
                    return entry
                if shared < 0:
                    shared = entry
    return shared


@compiled()
def read_words(
    pieces: Pieces,
    taken: Integers,
    used: Flags,
    used_starts: Integers,
    sentences: Integers,
    forms: Forms,
    fold: Integers,
    known_starts: Integers,
    known_ends: Integers,
    known: Integers,
    lemmas: Integers,
    word_forms: Integers,
    unspaced: Integers,
) -> tuple[Integers, Integers, Integers]:
    """Return the form and the word of each token, and how many each output has.

    What no entry stands for takes a free word of the sentence whose lemma it is; else one with the
    lemma of the only word that is ``known`` for it (from ``known_starts`` to ``known_ends``); else
    it is what is known. Words are numbered: first those of sentences, then those known besides;
    ``lemmas`` (folded) and ``word_forms`` are those of all.
    """
    most = _most_words(pieces, taken, forms, known_starts, known_ends)
    form, word = np.empty(most, np.int64), np.empty(most, np.int64)
    counts = np.empty(len(sentences), np.int64)
    place = 0
    for output in range(len(sentences)):
        sentence, begun = sentences[output], place
        offset = forms.word_starts[sentence]
        own = used[used_starts[output] : used_starts[output + 1]]
        for piece in range(pieces.starts[output], pieces.starts[output + 1]):
            surface, first = pieces.value[piece], place
            taking = taken[piece]
            if pieces.kind[piece] == RUN or taking >= 0:
                start = surface if taking < 0 else forms.firsts[taking]
                stop = pieces.end[piece] if taking < 0 else start + forms.lengths[taking]
                for index in range(offset + start, offset + stop):
                    form[place], word[place] = word_forms[index], index
                    place += 1
                if taking >= 0 and stop == start + 1:
                    form[first] = surface
                continue
            start, stop = known_starts[surface], known_ends[surface]
            index = _take_lemma(fold[surface], sentence, forms, own)
            if index < 0 and stop - start == 1:
                index = _take_lemma(lemmas[known[start]], sentence, forms, own)
            if index >= 0:
                start, stop, word[place] = 0, 0, index
                place += 1
            for item in range(start, stop):
                form[place], word[place] = word_forms[known[item]], known[item]
                place += 1
            if place == first + 1:
                form[first] = surface
        if forms.spaced[sentence]:
            for token in range(begun, place):
                form[token] = unspaced[form[token]]
        counts[output] = place - begun
    return form[:place], word[:place], counts


@compiled()
def _most_words(
    pieces: Pieces, taken: Integers, forms: Forms, known_starts: Integers, known_ends: Integers
) -> int:
    most = 0
    for piece in range(len(pieces.kind)):
        if pieces.kind[piece] == RUN:
            most += pieces.end[piece] - pieces.value[piece]
        elif taken[piece] >= 0:
            most += forms.lengths[taken[piece]]
        else:
            most += max(1, known_ends[pieces.value[piece]] - known_starts[pieces.value[piece]])
    return most


@compiled()
def _take_lemma(lemma: int, sentence: int, forms: Forms, used: Flags) -> int:
    """Return the first free word with this folded lemma and mark it, -1 without one."""
    offset = forms.word_starts[sentence]
    for index in range(len(used)):
        if not used[index] and forms.word_lemmas[offset + index] == lemma:
            used[index] = 1
            return int(offset + index)
    return -1


@compiled()
def _is_free(used: Flags, first: int, last: int) -> bool:
    while first < last and not used[first]:
        first += 1
    return first >= last
