"""Words as integers: a reference's words are numbered, an output's looked up among them.

sacreBLEU's tokeniser 13a, its default for most languages, cuts them as mteval-v13a does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ...schema.short_cuts import compiled
from .statistics import Integers
from .text import Column, Rows, in_one

Offsets: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.uint8]

BLANK = 32
UNKNOWN = -1


@dataclass(frozen=True)
class EncodedWords:
    """A column of texts as the integers of their words."""

    codes: Integers  # the words of all rows end to end
    starts: Integers  # where each row starts in codes, and at last where the last one ends
    valid: npt.NDArray[np.bool_]  # False where the row is NULL (it then has no codes)

    @property
    def lengths(self) -> Integers:
        """The number of words of each row."""
        return np.diff(self.starts)


def encode_words(output: Column, reference: Column) -> tuple[EncodedWords, EncodedWords]:
    """Return outputs and references as integers that tell, row by row, which words are equal.

    Words are what single blanks separate; an empty text has none. The different words of each
    reference are numbered from 0; a word of its output has the same number, or UNKNOWN where the
    reference lacks it. Raises InputError if the columns differ in length.
    """
    check_same_length(output, reference)
    output_texts, reference_texts = one_array(output), one_array(reference)
    output_codes, output_starts, reference_codes, reference_starts = _encode(
        *text_buffers(output_texts), *text_buffers(reference_texts)
    )
    return (
        EncodedWords(output_codes, output_starts, _validity(output_texts)),
        EncodedWords(reference_codes, reference_starts, _validity(reference_texts)),
    )


def check_same_length(*columns: Column) -> None:
    """Raise InputError if the columns differ in length: they are compared row by row."""
    if len({len(column) for column in columns}) > 1:
        sizes = " and ".join(str(len(column)) for column in columns)
        raise InputError(f"Columns of {sizes} rows cannot be compared row by row.")


def one_array(column: Column) -> pa.Array[Any]:
    """Return a column of texts in one piece."""
    text = column.cast(pa.string())
    if not isinstance(text, pa.ChunkedArray):
        return text
    return text.chunk(0) if text.num_chunks == 1 else text.combine_chunks()


def _validity(texts: pa.Array[Any]) -> npt.NDArray[np.bool_]:
    return np.asarray(texts.is_valid(), dtype=np.bool_)


def text_buffers(texts: pa.Array[Any]) -> tuple[Bytes, Offsets]:
    """Return the bytes of all texts, and where each starts in them and the last one ends.

    Neither may be written to, wherever they come from: what is compiled for one is for all.
    """
    filled = texts.fill_null("") if texts.null_count else texts
    _, offsets, data = filled.buffers()
    ends = np.frombuffer(offsets or bytes(4), dtype=np.int32)
    characters = np.frombuffer(data or b"", dtype=np.uint8)
    ends.flags.writeable = characters.flags.writeable = False
    return characters, ends[filled.offset : filled.offset + len(filled) + 1]


def strings(data: Bytes, ends: Offsets, like: pa.Array[Any]) -> pa.Array[Any]:
    """Return texts from their bytes and ends, NULL where the other texts are."""
    texts = pa.StringArray.from_buffers(len(like), pa.py_buffer(ends), pa.py_buffer(data))
    return pc.if_else(like.is_valid(), texts, None) if like.null_count else texts


class WordTable(NamedTuple):
    """A hash table of the words of one reference, its arrays shared by all of them."""

    rows: Integers  # the row that filled a slot last: others are free
    starts: Integers  # where the slot's word starts in the references' bytes
    lengths: Integers  # its length in bytes
    codes: Integers


@compiled()
def _encode(
    output: Bytes, output_offsets: Offsets, reference: Bytes, reference_offsets: Offsets
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return codes and row starts of the outputs, then those of the references."""
    rows = len(output_offsets) - 1
    output_starts = np.zeros(rows + 1, dtype=np.int64)
    reference_starts = np.zeros(rows + 1, dtype=np.int64)
    # As many as there could be words, one to a blank: of room that stays empty nothing is taken.
    output_codes = np.empty(output_offsets[rows] - output_offsets[0] + rows, dtype=np.int64)
    reference_codes = np.empty(
        reference_offsets[rows] - reference_offsets[0] + rows, dtype=np.int64
    )
    bits = table_bits(_most_words(reference_offsets))
    table = WordTable(
        np.full(1 << bits, -1, dtype=np.int64),
        np.empty(1 << bits, dtype=np.int64),
        np.empty(1 << bits, dtype=np.int64),
        np.empty(1 << bits, dtype=np.int64),
    )
    for row in range(rows):
        code, word = 0, reference_starts[row]
        start, text_end = np.int64(reference_offsets[row]), np.int64(reference_offsets[row + 1])
        more = start < text_end
        while more:
            end, slot = _find_word(reference, start, text_end, reference, table, row, bits)
            if table.rows[slot] != row:
                table.rows[slot] = row
                table.starts[slot] = start
                table.lengths[slot] = end - start
                table.codes[slot] = code
                code += 1
            reference_codes[word] = table.codes[slot]
            word += 1
            more = end < text_end
            start = end + 1
        reference_starts[row + 1] = word
        word = output_starts[row]
        start, text_end = np.int64(output_offsets[row]), np.int64(output_offsets[row + 1])
        more = start < text_end
        while more:
            end, slot = _find_word(output, start, text_end, reference, table, row, bits)
            output_codes[word] = table.codes[slot] if table.rows[slot] == row else UNKNOWN
            word += 1
            more = end < text_end
            start = end + 1
        output_starts[row + 1] = word
    return (
        output_codes[: output_starts[rows]],
        output_starts,
        reference_codes[: reference_starts[rows]],
        reference_starts,
    )


@compiled()
def _most_words(offsets: Offsets) -> int:
    """Return how many words the longest text could have: every second of its bytes a blank."""
    longest = 0
    for row in range(len(offsets) - 1):
        longest = max(longest, np.int64(offsets[row + 1]) - offsets[row])
    return longest // 2 + 1


@compiled()
def _find_word(
    data: Bytes, start: int, text_end: int, reference: Bytes, table: WordTable, row: int, bits: int
) -> tuple[int, int]:
    """Return where the word ends that starts here, and its slot or the free one for it."""
    hashed = np.uint64(0xCBF29CE484222325)  # FNV-1a
    end = start
    while end < text_end and data[end] != BLANK:
        hashed = (hashed ^ np.uint64(data[end])) * np.uint64(0x100000001B3)
        end += 1
    folded = hashed ^ (hashed >> np.uint64(32))
    slot = int(np.int64(folded & np.uint64((1 << bits) - 1)))
    while table.rows[slot] == row and not _same_bytes(
        data, start, end - start, reference, table.starts[slot], table.lengths[slot]
    ):
        slot = (slot + 1) & ((1 << bits) - 1)
    return end, slot


@compiled()
def _same_bytes(
    data: Bytes, start: int, length: int, other: Bytes, other_start: int, other_length: int
) -> bool:
    if length != other_length:
        return False
    for i in range(length):  # noqa: SIM110 compiled as it stands
        if data[start + i] != other[other_start + i]:
            return False
    return True


@compiled()
def table_bits(tokens: int) -> int:
    """Return the size, as a power of two, that leaves at least half of the slots free."""
    bits = 1
    while 1 << bits < 2 * tokens:
        bits += 1
    return bits


@compiled()
def edits_in_any_order(words: Integers, goal: Integers) -> int:
    """Return the edits that are left in whichever order the words stand."""
    last = np.int64(0)
    for code in goal:
        last = max(last, code)
    left = np.zeros(last + 1, dtype=np.int64)
    for code in goal:
        left[code] += 1
    least = max(len(words), len(goal))
    for code in words:
        if code >= 0 and left[code] > 0:
            left[code] -= 1
            least -= 1
    return least


@compiled()
def longest_row(starts: Integers) -> int:
    """Return the length of the longest row."""
    longest = 0
    for row in range(len(starts) - 1):
        longest = max(longest, starts[row + 1] - starts[row])
    return longest


# In this order: what an entity stands for is replaced in turn.
REPLACED = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
OTHER_BLANKS = (
    r"[\t-\r\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]"
)
BLANK, DASH, PERIOD, COMMA = (ord(letter) for letter in " -.,")
ZERO, NINE = ord("0"), ord("9")
GROWTH = 5
"""A text grows at most this much: a period gets two blanks in each of two steps."""
OTHERS = np.zeros(256, np.bool_)
"""Bytes of what is replaced: of all entities, of other blanks (longer ones by their first byte)."""
OTHERS[[ord("<"), ord("&"), *range(32), 0xC2, 0xE1, 0xE2, 0xE3]] = True
SIGNS = np.zeros(256, np.bool_)
SIGNS[[ord(letter) for letter in '{|}~[\\]^_` !"#$%&()*+:;<=>?@/']] = True


def tokens_13a(text: Column) -> Rows:
    """Return each text's tokens joined by single blanks; '' without any, NULL for NULL.

    Case is kept. Signs but for apostrophe and hyphen stand alone; periods and commas do unless
    between digits, a hyphen does after a digit. What the expressions of mteval-v13a do where
    matches would overlap (in ',.5' the period stays with the digit) happens here as well.
    """
    texts = in_one(pc.utf8_rtrim_whitespace(text.cast(pa.string())))
    apart = pa.array(_with_others(*text_buffers(texts)))
    if apart.true_count:
        texts = pc.replace_with_mask(texts, apart, _replaced(texts.filter(apart)))
    tokens, ends = _tokenise(*text_buffers(texts), SIGNS)
    return strings(tokens, ends, texts)


def tokens_13a_of_all(texts: Column) -> Rows:
    """Return the tokens of each text of lists, as ``tokens_13a`` does, in lists; NULL for NULL."""
    lists = in_one(texts)
    tokens = pa.ListArray.from_arrays(lists.offsets, tokens_13a(lists.values))
    return pc.if_else(lists.is_valid(), tokens, None)


def _replaced(texts: Rows) -> Rows:
    """Return texts with what entities stand for, and blanks in place of other whitespace."""
    for old, new in REPLACED:
        texts = pc.replace_substring(texts, pattern=old, replacement=new)
    return pc.replace_substring_regex(texts, pattern=OTHER_BLANKS, replacement=" ")


def _with_others(data: Bytes, offsets: Offsets) -> npt.NDArray[np.bool_]:
    """Return whether each text has one of the bytes of what is replaced."""
    has_others = np.zeros(len(offsets) - 1, dtype=np.bool_)
    places = offsets[0] + np.flatnonzero(OTHERS[data[offsets[0] : offsets[-1]]])
    has_others[np.searchsorted(offsets, places, side="right") - 1] = True
    return has_others


@compiled()
def _tokenise(data: Bytes, offsets: Offsets, signs: npt.NDArray[np.bool_]) -> tuple[Bytes, Offsets]:
    """Return the bytes of all tokens, texts end to end, and where each text starts and ends.

    What stands between two signs, a blank being one, is cut by itself: no pair reaches over blanks.
    """
    offsets = offsets.astype(np.int64)
    room = GROWTH * (longest_row(offsets) + 2)
    one, other = np.empty(room, dtype=np.uint8), np.empty(room, dtype=np.uint8)
    tokens = np.empty(len(data) + len(data) // 2 + room, dtype=np.uint8)
    ends = np.zeros(len(offsets), dtype=np.int32)
    for row in range(len(offsets) - 1):
        size = first = np.int64(ends[row])
        if size + room > len(tokens):
            larger = np.empty(2 * len(tokens) + room, dtype=np.uint8)
            for position in range(size):
                larger[position] = tokens[position]
            tokens = larger
        start = offsets[row]
        while start < offsets[row + 1]:
            end = start
            plain = True
            while end < offsets[row + 1] and not signs[data[end]]:
                plain = plain and data[end] not in (PERIOD, COMMA, DASH)
                end += 1
            if end > start and plain:
                size = _append(data, start, end, tokens, size, first)
            elif end > start:
                one[0] = one[end - start + 1] = BLANK
                for position in range(start, end):
                    one[position - start + 1] = data[position]
                length = _separate_pairs(one, end - start + 2, np.int64(0), other)
                length = _separate_pairs(other, length, np.int64(1), one)
                length = _separate_pairs(one, length, np.int64(2), other)
                size = _append_words(other, length, tokens, size, first)
            if end < offsets[row + 1] and data[end] != BLANK:
                size = _append(data, end, end + 1, tokens, size, first)
            start = end + 1
        ends[row + 1] = size
    return tokens[: ends[-1]], ends


@compiled()
def _append(text: Bytes, start: int, end: int, into: Bytes, size: int, first: int) -> int:
    """Write a word, after a blank unless it is the first one; return where it ends."""
    if size > first:
        into[size] = BLANK
        size += 1
    for position in range(start, end):
        into[size] = text[position]
        size += 1
    return size


@compiled()
def _separate_pairs(text: Bytes, size: int, step: int, into: Bytes) -> int:
    """Write a text of a size with blanks in pairs of characters, from the left; return its new one.

    The pairs of step 0 are no digit and a period or comma, those of step 1 a period or comma and
    no digit, those of step 2 a digit and a hyphen. Bytes of longer characters are no digits.
    """
    length = 0
    position = 0
    while position < size:
        first = text[position]
        last = position + 1 == size
        second = first if last else text[position + 1]
        if step == 0:
            is_pair = not ZERO <= first <= NINE and second in (PERIOD, COMMA)
        elif step == 1:
            is_pair = first in (PERIOD, COMMA) and not ZERO <= second <= NINE
        else:
            is_pair = ZERO <= first <= NINE and second == DASH
        if last or not is_pair:
            into[length] = first
            length += 1
            position += 1
            continue
        before = step == 1
        into[length] = BLANK if before else first
        into[length + 1] = first if before else BLANK
        into[length + 2] = BLANK if before else second
        into[length + 3] = second if before else BLANK
        length += 4
        position += 2
    return length


@compiled()
def _append_words(text: Bytes, length: int, into: Bytes, size: int, first: int) -> int:
    """Write the words of a text with single blanks between them; return where they end."""
    start = 0
    for position in range(length):
        if text[position] == BLANK:
            if position > start:
                size = _append(text, start, position, into, size, first)
            start = position + 1
    return size
