"""Words as mteval-v13a cuts them: sacreBLEU's tokeniser 13a, its default for most languages."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.compiled import compiled
from .ngrams import in_one
from .text import Column, Rows
from .words import Bytes, Offsets, longest_row, strings, text_buffers

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
    found = np.zeros(len(offsets) - 1, dtype=np.bool_)
    places = offsets[0] + np.flatnonzero(OTHERS[data[offsets[0] : offsets[-1]]])
    found[np.searchsorted(offsets, places, side="right") - 1] = True
    return found


@compiled()
def _tokenise(data: Bytes, offsets: Offsets, signs: npt.NDArray[np.bool_]) -> tuple[Bytes, Offsets]:
    """Return the bytes of all tokens, texts end to end, and where each text starts and ends.

    What stands between two signs, a blank being one, is cut by itself: no pair reaches over blanks.
    """
    room = GROWTH * (longest_row(offsets.astype(np.int64)) + 2)
    one, other = np.empty(room, dtype=np.uint8), np.empty(room, dtype=np.uint8)
    tokens = np.empty(len(data) + len(data) // 2 + room, dtype=np.uint8)
    ends = np.zeros(len(offsets), dtype=np.int32)
    for row in range(len(offsets) - 1):
        size = first = ends[row]
        if size + room > len(tokens):
            larger = np.empty(2 * len(tokens) + room, dtype=np.uint8)
            larger[:size] = tokens[:size]
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
                length = _separate_pairs(one, end - start + 2, 0, other)
                length = _separate_pairs(other, length, 1, one)
                length = _separate_pairs(one, length, 2, other)
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
            found = not ZERO <= first <= NINE and second in (PERIOD, COMMA)
        elif step == 1:
            found = first in (PERIOD, COMMA) and not ZERO <= second <= NINE
        else:
            found = ZERO <= first <= NINE and second == DASH
        if last or not found:
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
