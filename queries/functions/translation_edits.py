"""Edits from output to reference: of letters and words, and TER, which shifts phrases as well.

DIST is derived from counts of letters and of words. The SR'18 text (Mille et al. 2018, section 3.1)
averages, over sentences, 1 - edits / characters of the reference. The script that teams used pools
tokens over the corpus: 1 - sum of edits / sum of the longer length.

TER (Snover et al. 2006) is that of sacreBLEU: phrases are shifted one after the other, each time
the one that lowers the edit distance most, until none does. The limits are sacreBLEU's: they keep
the search short and are part of what TER is.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from ...schema.short_cuts import compiled
from .statistics import Integers
from .text import Column, Rows
from .translation_edit_limits import BEAM, FURTHEST_SHIFT, LONGEST_SHIFT, MOST_CANDIDATES
from .words import UNKNOWN, EncodedWords, check_same_length, edits_in_any_order, encode_words

Costs: TypeAlias = npt.NDArray[np.int32]

FAR = 1 << 29
"""The distance of what lies outside the beam."""


def translation_edits(output: Column, reference: Column) -> Rows:
    """Return the edits of TER that turn outputs into references; NULL if either is NULL.

    Texts are words between single blanks. A row is struct(edits, output_length, reference_length),
    int32 all: edits are insertions, deletions, substitutions and shifts, lengths are in words.
    TER is edits by reference length, also where both are sums. Raises InputError if the columns
    differ in length.
    """
    outputs, references = encode_words(output, reference)
    edits = _edits(outputs.codes, outputs.starts, references.codes, references.starts)
    return _rows(edits, outputs, references)


def _rows(edits: npt.NDArray[Any], outputs: EncodedWords, references: EncodedWords) -> Rows:
    """Return a row for each text and its reference, NULL where one of them is."""
    return pa.StructArray.from_arrays(
        [
            pa.array(edits),
            pa.array(outputs.lengths, type=pa.int32()),
            pa.array(references.lengths, type=pa.int32()),
        ],
        names=["edits", "output_length", "reference_length"],
        mask=pa.array(~(outputs.valid & references.valid)),
    )


class Beam(NamedTuple):
    """The cells of the edit distance's table that are looked at: row i has low[i] to high[i] - 1.

    A row stands for the words of the output so far, a column for those of the reference.
    """

    low: Integers
    high: Integers


class Tables(NamedTuple):
    """Edit distances of the output as it stands: cell j of row i is at [i, j - low[i]]."""

    before: Costs  # from the start to the cell
    after: Costs  # from the cell to the end


class Alignment(NamedTuple):
    """How the words of output and reference correspond in one shortest edit script."""

    of_reference: Integers  # the word of the output at or before each word of the reference, or -1
    reference_errors: Integers  # wrong words before each word of the reference, and in all of it
    output_errors: Integers


class Search(NamedTuple):
    """What does not change while one output is turned into its reference, and room to work in."""

    goal: Integers  # the words of the reference
    beam: Beam
    tables: Tables
    spare: Costs  # two rows of a table
    least: int  # the edits that are left in whichever order the words stand


class Shift(NamedTuple):
    """A phrase of the output that is moved to before the word at a target."""

    start: int
    length: int
    target: int


@compiled()
def _edits(
    output: Integers, output_starts: Integers, reference: Integers, reference_starts: Integers
) -> Costs:
    edits = np.empty(len(output_starts) - 1, dtype=np.int32)
    for row in range(len(edits)):
        words = output[output_starts[row] : output_starts[row + 1]].copy()
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        if len(words) == 0 or len(goal) == 0:
            edits[row] = max(len(words), len(goal))
        else:
            edits[row] = _edits_of(words, goal)
    return edits


@compiled()
def _edits_of(words: Integers, goal: Integers) -> int:
    """Return edits and shifts of one output; its words are overwritten."""
    beam = _beam(len(words), len(goal))
    width = 0
    for i in range(len(beam.low)):
        width = max(width, beam.high[i] - beam.low[i])
    tables = Tables(
        np.empty((len(words) + 1, width), dtype=np.int32),
        np.empty((len(words) + 1, width), dtype=np.int32),
    )
    least = edits_in_any_order(words, goal)
    search = Search(goal, beam, tables, np.empty((2, width), dtype=np.int32), least)
    shifted = np.empty_like(words)
    shifts, candidates = 0, np.int64(0)
    while True:
        _fill_before(words, goal, beam, tables.before)
        distance = np.int64(tables.before[len(words), len(goal) - beam.low[-1]])
        if distance == least:
            return int(shifts + distance)
        gain, shift, candidates = _best_shift(words, search, shifted, distance, candidates)
        if candidates >= MOST_CANDIDATES or gain <= 0:
            return int(shifts + distance)
        first, end = _move(words, shift, shifted)
        for place in range(first, end):
            words[place] = shifted[place]
        shifts += 1


@compiled()
def _beam(words: int, goal: int) -> Beam:
    """Return a beam around the diagonal of a table, wide enough for lengths that differ much."""
    ratio = goal / words
    width = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    low = np.zeros(words + 1, dtype=np.int64)
    high = np.empty(words + 1, dtype=np.int64)
    for i in range(1, words + 1):
        diagonal = math.floor(i * ratio)
        low[i] = max(0, diagonal - width)
        high[i] = min(goal + 1, diagonal + width)
    high[words] = goal + 1
    high[0] = high[1]  # no path leaves the first row further right
    return Beam(low, high)


@compiled()
def _fill_before(words: Integers, goal: Integers, beam: Beam, before: Costs) -> None:
    for j in range(beam.high[0]):
        before[0, j] = j
    for i in range(1, len(words) + 1):
        _next_row(words[i - 1], goal, beam, i, before[i - 1], before[i])


@compiled()
def _next_row(word: int, goal: Integers, beam: Beam, i: int, above: Costs, row: Costs) -> None:
    """Fill row i from the one above it."""
    low, low_above, high_above = beam.low[i], beam.low[i - 1], beam.high[i - 1]
    left = FAR
    for j in range(low, beam.high[i]):
        cost = left + 1
        if j < high_above and j >= low_above:
            cost = min(cost, above[j - low_above] + 1)
        if j > low_above and j <= high_above:
            cost = min(cost, above[j - 1 - low_above] + (word != goal[j - 1]))
        left = min(cost, FAR)
        row[j - low] = left


@compiled()
def _fill_after(words: Integers, goal: Integers, beam: Beam, after: Costs) -> None:
    # after[i, j] = min(after[i, j+1] + 1, after[i+1, j] + 1, after[i+1, j+1] + (words differ)).
    end = len(goal)
    for i in range(len(words), -1, -1):
        low = beam.low[i]
        last = i == len(words)
        right = FAR
        for j in range(beam.high[i] - 1, low - 1, -1):
            cost = 0 if last and j == end else right + 1
            if not last:
                low_below, high_below = beam.low[i + 1], beam.high[i + 1]
                if low_below <= j < high_below:
                    cost = min(cost, after[i + 1, j - low_below] + 1)
                if low_below <= j + 1 < high_below:
                    cost = min(cost, after[i + 1, j + 1 - low_below] + (words[i] != goal[j]))
            right = min(cost, FAR)
            after[i, j - low] = right


@compiled()
def _aligned(words: Integers, goal: Integers, beam: Beam, before: Costs) -> Alignment:
    """Return the alignment that prefers substitutions, then deletions, then insertions."""
    of_reference = np.empty(len(goal), dtype=np.int64)
    reference_errors = np.zeros(len(goal) + 1, dtype=np.int64)
    output_errors = np.zeros(len(words) + 1, dtype=np.int64)
    i, j = len(words), len(goal)
    while i > 0 or j > 0:
        cost = before[i, j - beam.low[i]]
        diagonal = deletion = FAR
        if i > 0:
            low, high = beam.low[i - 1], beam.high[i - 1]
            if low <= j < high:
                deletion = before[i - 1, j - low] + 1
            if low <= j - 1 < high:
                wrong = words[i - 1] != goal[j - 1]
                diagonal = before[i - 1, j - 1 - low] + wrong
        if diagonal == cost:
            of_reference[j - 1] = i - 1
            reference_errors[j] = output_errors[i] = words[i - 1] != goal[j - 1]
            i -= 1
            j -= 1
        elif deletion == cost:
            output_errors[i] = 1
            i -= 1
        else:
            of_reference[j - 1] = i - 1
            reference_errors[j] = 1
            j -= 1
    for errors in (reference_errors, output_errors):
        for place in range(1, len(errors)):
            errors[place] += errors[place - 1]
    return Alignment(of_reference, reference_errors, output_errors)


@compiled()
def _best_shift(
    words: Integers, search: Search, shifted: Integers, distance: int, candidates: int
) -> tuple[int, Shift, int]:
    """Return what the best shift gains, the shift itself, and how many candidates there were yet.

    Among shifts that gain as much the longest is best, then the first, then the one to the earliest
    place. Shifted is a phrase with a wrong word that the reference has where the output is wrong.
    Looked at are those that may gain as much: at most two edits a word, unless paths are cut off.
    """
    goal = search.goal
    _fill_after(words, goal, search.beam, search.tables.after)
    alignment = _aligned(words, goal, search.beam, search.tables.before)
    best = (0, LONGEST_SHIFT, 1, 0)
    is_whole = search.beam.high[1] > len(goal) and search.beam.low[-1] == 0
    for start in range(len(words)):
        first = max(0, start - FURTHEST_SHIFT)
        for place in range(first, min(len(goal), start + FURTHEST_SHIFT + 1)):
            length = 0
            while (
                length < LONGEST_SHIFT
                and start + length < len(words)
                and place + length < len(goal)
                and words[start + length] == goal[place + length]
            ):
                length += 1
                if (
                    alignment.output_errors[start + length] == alignment.output_errors[start]
                    or alignment.reference_errors[place + length]
                    == alignment.reference_errors[place]
                    or start <= alignment.of_reference[place] < start + length
                ):
                    continue
                previous = -1
                for position in range(place - 1, min(place + length, len(goal))):
                    target = 0 if position < 0 else alignment.of_reference[position] + 1
                    if target == previous:
                        continue
                    previous = target
                    candidates += 1
                    most = distance - search.least
                    most = min(most, 2 * length) if is_whole else most
                    if (most, length, -start, 1) <= best:
                        continue
                    after = _distance(words, search, shifted, Shift(start, length, target))
                    candidate = (distance - after, length, -start, -target)
                    if candidate > best:
                        best = candidate
                if candidates >= MOST_CANDIDATES:
                    return 0, Shift(0, 0, 0), candidates
    return best[0], Shift(-best[2], best[1], -best[3]), candidates


@compiled()
def _distance(words: Integers, search: Search, shifted: Integers, shift: Shift) -> int:
    """Return the edit distance after a shift: only the rows between its ends change."""
    beam, tables, spare = search.beam, search.tables, search.spare
    first, end = _move(words, shift, shifted)
    above = tables.before[first]
    for i in range(first + 1, end + 1):
        row = spare[i % 2]
        _next_row(shifted[i - 1], search.goal, beam, i, above, row)
        above = row
    after = tables.after[end]
    best = FAR
    for j in range(beam.high[end] - beam.low[end]):
        best = min(best, above[j] + after[j])
    return best


@compiled()
def _move(words: Integers, shift: Shift, shifted: Integers) -> tuple[int, int]:
    """Write what changes as a phrase is moved to before a target; return the ends of that.

    A target within the phrase, or at its end, means as many words further right.
    """
    start, length, target = shift
    end = start + length
    first, last, place = target, end, target
    if target >= start:
        last = target if target > end else min(target + length, len(words))
        first, place = start, start + last - end
    for i in range(first, last):
        if place <= i < place + length:
            shifted[i] = words[start + i - place]
        elif i < place:
            shifted[i] = words[end + i - first]
        else:
            shifted[i] = words[i - length]
    return first, last


SURROGATES = range(0xD800, 0xE000)  # code points that are no characters
CHARACTERS = 0x110000 - len(SURROGATES)


def character_edits(output_text: Column, reference_text: Column) -> Rows:
    """Return how many characters to insert, delete or substitute to turn outputs into references.

    A row is int32, NULL if either text is NULL. Characters are Unicode code points; blanks and
    punctuation count. Raises InputError if the columns differ in length.
    """
    check_same_length(output_text, reference_text)
    outputs = output_text.to_pylist()
    references = reference_text.to_pylist()
    missing = [
        output is None or reference is None
        for output, reference in zip(outputs, references, strict=True)
    ]
    edits = _fewest_edits(
        [output or "" for output in outputs], [reference or "" for reference in references]
    )
    return pa.array(edits, mask=np.array(missing, dtype=np.bool_))


def token_edits(output: Column, reference: Column) -> Rows:
    """Return how many tokens to insert, delete or substitute to turn outputs into references.

    Tokens stand between single blanks. A row is struct(edits, output_length, reference_length),
    int32 all, lengths in tokens; NULL if either text is NULL. Raises InputError if the columns
    differ in length.
    """
    outputs, references = encode_words(output, reference)
    as_text = references.codes.max(initial=0) - UNKNOWN < CHARACTERS
    edits = _fewest_edits(_sequences(outputs, as_text), _sequences(references, as_text))
    return _rows(edits, outputs, references)


def _fewest_edits(
    outputs: Sequence[Sequence[Hashable]], references: Sequence[Sequence[Hashable]]
) -> npt.NDArray[np.int32]:
    # Pairs are compared on this thread: DuckDB already calls from all of its own.
    return cpdist(outputs, references, scorer=Levenshtein.distance, dtype=np.int32, workers=1)


def _sequences(tokens: EncodedWords, as_text: bool) -> list[str] | list[list[int]]:
    """Return each row as something to compare item by item: text is many times faster."""
    boundaries = tokens.starts.tolist()
    codes = tokens.codes - UNKNOWN
    if not as_text:
        numbers = codes.tolist()
        return [numbers[start:end] for start, end in pairwise(boundaries)]
    characters = np.where(codes < SURROGATES.start, codes, codes + len(SURROGATES))
    text = characters.astype("<u4").tobytes().decode("utf-32-le")
    return [text[start:end] for start, end in pairwise(boundaries)]
