"""chrF and chrF++: n-gram F-scores of characters and words (Popović 2015, 2017) as in sacreBLEU."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.short_cuts import compiled
from .ngrams import NO_WEIGHTS, clipped_matches, list_column, ngram_totals
from .statistics import Integers
from .text import Column, Rows
from .words import (
    BLANK,
    UNKNOWN,
    Bytes,
    Offsets,
    check_same_length,
    encode_words,
    one_array,
    strings,
    text_buffers,
)

CHARACTER_ORDER, WORD_ORDER = 6, 2
WHITESPACE = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
    "\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
SPACES = np.zeros(ord(max(WHITESPACE)) + 1, np.bool_)
SPACES[[ord(character) for character in WHITESPACE]] = True
SIGNS = np.zeros(256, np.bool_)
SIGNS[[ord(character) for character in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]] = True


def chrf_statistics(output_text: Column, reference_text: Column) -> Rows:
    """Return the n-gram counts that chrF2 rests on for each output; NULL if either text is NULL.

    A row is list<int32> of 18 numbers, three per n = 1 to 6: the output's character n-grams (0
    where the reference has none), the reference's, and the clipped matches. Whitespace is left
    out, case kept: sacreBLEU's defaults. Sums of the rows give the system's score.
    Raises InputError if the columns differ in length.
    """
    outputs, references = _texts(output_text, reference_text)
    return _rows(_of_characters(outputs, references), outputs, references)


def chrf_plusplus_statistics(output_text: Column, reference_text: Column) -> Rows:
    """Return the n-gram counts that chrF++ rests on: those of chrf_statistics, then of words.

    A row is list<int32> of 24 numbers: the last six are the same of words for n = 1 and 2. A word
    is what whitespace separates, a punctuation mark at its end, else one at its beginning, cut off.
    Raises InputError if the columns differ in length.
    """
    outputs, references = _texts(output_text, reference_text)
    output, reference = encode_words(_separated(outputs), _separated(references))
    of_words = _counts(WORD_ORDER, output.codes, output.starts, reference.codes, reference.starts)
    both = np.concatenate([_of_characters(outputs, references), of_words], axis=1)
    return _rows(both, outputs, references)


def _texts(output: Column, reference: Column) -> tuple[pa.Array[Any], pa.Array[Any]]:
    check_same_length(output, reference)
    return one_array(output), one_array(reference)


def _of_characters(outputs: pa.Array[Any], references: pa.Array[Any]) -> npt.NDArray[np.int32]:
    encoded = _encode_characters(*text_buffers(outputs), *text_buffers(references), SPACES)
    return _counts(CHARACTER_ORDER, *encoded)


def _counts(
    order: int,
    output: Integers,
    output_starts: Integers,
    reference: Integers,
    reference_starts: Integers,
) -> npt.NDArray[np.int32]:
    """Return, row by row, three counts per order of codes, given with the rows' starts."""
    counts = np.empty((len(output_starts) - 1, order, 3), dtype=np.int32)
    counts[:, :, 0] = ngram_totals(np.diff(output_starts), order)
    counts[:, :, 1] = ngram_totals(np.diff(reference_starts), order)
    counts[:, :, 0] *= counts[:, :, 1] > 0
    counts[:, :, 2], _ = clipped_matches(
        output, output_starts, reference, reference_starts, order, NO_WEIGHTS
    )
    return counts.reshape(len(counts), 3 * order)


def _rows(counts: npt.NDArray[np.int32], outputs: pa.Array[Any], references: pa.Array[Any]) -> Rows:
    valid = pc.and_(outputs.is_valid(), references.is_valid())
    return list_column(counts, pa.int32(), valid)


@compiled()
def _encode_characters(
    output: Bytes,
    output_offsets: Offsets,
    reference: Bytes,
    reference_offsets: Offsets,
    spaces: npt.NDArray[np.bool_],
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return codes and row starts of the outputs, then those of the references, as for words."""
    output_codes = np.empty(output_offsets[-1] - output_offsets[0], dtype=np.int64)
    reference_codes = np.empty(reference_offsets[-1] - reference_offsets[0], dtype=np.int64)
    output_starts = np.zeros(len(output_offsets), dtype=np.int64)
    reference_starts = np.zeros(len(reference_offsets), dtype=np.int64)
    numbers = np.zeros(0x110000, dtype=np.int64)  # the row in high bits, the character's code
    for row in range(len(output_offsets) - 1):
        number = none = (row + 1) << 32
        position, end = np.int64(reference_offsets[row]), reference_starts[row]
        while position < reference_offsets[row + 1]:
            length, character = _character(reference, position)
            position += length
            if character >= len(spaces) or not spaces[character]:
                if numbers[character] < none:
                    numbers[character] = number
                    number += 1
                reference_codes[end] = numbers[character] - none
                end += 1
        reference_starts[row + 1] = end
        position, end = np.int64(output_offsets[row]), output_starts[row]
        while position < output_offsets[row + 1]:
            length, character = _character(output, position)
            position += length
            if character >= len(spaces) or not spaces[character]:
                output_codes[end] = max(numbers[character] - none, UNKNOWN)
                end += 1
        output_starts[row + 1] = end
    return (
        output_codes[: output_starts[-1]],
        output_starts,
        reference_codes[: reference_starts[-1]],
        reference_starts,
    )


@compiled(inline=True)
def _character(data: Bytes, position: int) -> tuple[int, int]:
    """Return how many bytes of UTF-8 a character takes, and its code point."""
    first = np.int64(data[position])
    if first < 0x80:
        return 1, int(first)
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4
    code = first & (0x7F >> length)
    for following in range(position + 1, position + length):
        code = (code << 6) | (data[following] & 0x3F)
    return length, int(code)


def _separated(texts: pa.Array[Any]) -> pa.Array[Any]:
    """Return texts as their words between single blanks, punctuation at their ends cut off."""
    words, ends = _separate(*text_buffers(texts), SPACES, SIGNS)
    return strings(words, ends, texts)


@compiled()
def _separate(
    data: Bytes,
    offsets: Offsets,
    spaces: npt.NDArray[np.bool_],
    signs: npt.NDArray[np.bool_],
) -> tuple[Bytes, Offsets]:
    words = np.empty(2 * (offsets[-1] - offsets[0]), dtype=np.uint8)
    ends = np.zeros(len(offsets), dtype=np.int32)
    end = 0
    for row in range(len(offsets) - 1):
        position = start = np.int64(offsets[row])
        while position <= offsets[row + 1]:
            length, code = 1, BLANK
            if position < offsets[row + 1]:
                length, code = _character(data, position)
            if code < len(spaces) and spaces[code]:
                if position > start:
                    if end > ends[row]:
                        words[end] = BLANK
                        end += 1
                    end = _write_word(data[start:position], signs, words, end)
                start = position + length
            position += length
        ends[row + 1] = end
    return words[:end], ends


@compiled()
def _write_word(word: Bytes, signs: npt.NDArray[np.bool_], into: Bytes, end: int) -> int:
    """Write the bytes of a word, with a blank where punctuation is cut off; return their end."""
    cut = 0
    if len(word) > 1:
        cut = len(word) - 1 if signs[word[-1]] else int(signs[word[0]])
    for i in range(len(word)):
        if 0 < i == cut:
            into[end] = BLANK
            end += 1
        into[end] = word[i]
        end += 1
    return end
