"""Words as mteval-v13a cuts them: sacreBLEU's tokeniser 13a, its default for most languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.functions.text import Column, Rows
from sr_tracker.queries.functions.words import longest_row, strings, text_buffers
from sr_tracker.schema.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Bytes: TypeAlias = npt.NDArray[np.uint8]
    Offsets: TypeAlias = npt.NDArray[np.int32]

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
SIGNS = np.zeros(256, np.bool_)
SIGNS[[ord(letter) for letter in '{|}~[\\]^_` !"#$%&()*+:;<=>?@/']] = True


def tokens_13a(text: Column) -> Rows:
    """Return each text's tokens joined by single blanks; '' without any, NULL for NULL.

    Case is kept. Signs but for apostrophe and hyphen stand alone; periods and commas do unless
    between digits, a hyphen does after a digit. What the expressions of mteval-v13a do where
    matches would overlap (in ',.5' the period stays with the digit) happens here as well.
    """
    found = pc.utf8_rtrim_whitespace(text.cast(pa.string()))
    for old, new in REPLACED:
        found = pc.replace_substring(found, pattern=old, replacement=new)
    found = pc.replace_substring_regex(found, pattern=OTHER_BLANKS, replacement=" ")
    texts = found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
    data, offsets = text_buffers(texts)
    tokens, ends = _tokenise(data, offsets, SIGNS)
    return strings(tokens, ends, texts)


@compiled()
def _tokenise(data: Bytes, offsets: Offsets, signs: npt.NDArray[np.bool_]) -> tuple[Bytes, Offsets]:
    """Return the bytes of all tokens, texts end to end, and where each text starts and ends."""
    room = GROWTH * (longest_row(offsets.astype(np.int64)) + 2)
    one, other = np.empty(room, dtype=np.uint8), np.empty(room, dtype=np.uint8)
    tokens = np.empty(len(data) + len(data) // 2 + 64, dtype=np.uint8)
    ends = np.zeros(len(offsets), dtype=np.int32)
    for row in range(len(offsets) - 1):
        length = _separate_signs(data[offsets[row] : offsets[row + 1]], signs, one)
        length = _separate_pairs(one[:length], 0, other)
        length = _separate_pairs(other[:length], 1, one)
        length = _separate_pairs(one[:length], 2, other)
        if ends[row] + length > len(tokens):
            larger = np.empty(2 * len(tokens) + length, dtype=np.uint8)
            larger[: ends[row]] = tokens[: ends[row]]
            tokens = larger
        ends[row + 1] = _join(other[:length], tokens, ends[row])
    return tokens[: ends[-1]], ends


@compiled()
def _separate_signs(text: Bytes, signs: npt.NDArray[np.bool_], into: Bytes) -> int:
    """Write a text between blanks, and each of its signs between blanks; return the length."""
    into[0] = BLANK
    length = 1
    for byte in text:
        if signs[byte]:
            into[length] = into[length + 2] = BLANK
            into[length + 1] = byte
            length += 3
        else:
            into[length] = byte
            length += 1
    into[length] = BLANK
    return length + 1


@compiled()
def _separate_pairs(text: Bytes, step: int, into: Bytes) -> int:
    """Write a text with blanks in pairs of characters, found from the left; return the length.

    The pairs of step 0 are no digit and a period or comma, those of step 1 a period or comma and
    no digit, those of step 2 a digit and a hyphen. Bytes of longer characters are no digits.
    """
    length = 0
    position = 0
    while position < len(text):
        first = text[position]
        last = position + 1 == len(text)
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
def _join(text: Bytes, into: Bytes, start: int) -> int:
    """Write the words of a text with single blanks between them; return where they end."""
    end = start
    for position in range(len(text)):
        if text[position] == BLANK:
            continue
        if end > start and text[position - 1] == BLANK:
            into[end] = BLANK
            end += 1
        into[end] = text[position]
        end += 1
    return end
