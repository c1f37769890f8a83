"""Clipped n-gram matches of texts: the sufficient statistics of BLEU and NIST.

NIST weighs them by how informative the n-grams are in a treebank's references.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ...schema.short_cuts import compiled
from .statistics import Floats, Integers
from .text import Column, Rows, in_one
from .words import check_same_length, encode_words, longest_row

Bits: TypeAlias = npt.NDArray[np.uint64]

Order: TypeAlias = "int | pa.Array[Any] | pa.ChunkedArray[Any]"

WINDOW = 128
"""Places of a reference that are looked at together: two integers' bits."""
HIGHEST_ORDER = WINDOW // 2
ONE, ALL = np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)
BIT_NUMBERS = np.zeros(67, np.int64)
"""The number of the bit that is set, by the remainder of the integer."""
BIT_NUMBERS[[2**bit % 67 for bit in range(64)]] = range(64)
NO_WEIGHTS = np.frombuffer(b"", dtype=np.float64)


def list_starts(column: Column) -> Integers:
    """Return where each row of a list column starts in its flattened values, and the end."""
    lengths = np.asarray(pc.list_value_length(column).fill_null(0), dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])


def constant_order(order: Order) -> int:
    """Return the n-gram order that all rows share: SQL passes constants as columns.

    Raises InputError if it is not one number from 1 to HIGHEST_ORDER.
    """
    orders = [order] if isinstance(order, int) else pc.unique(order).to_pylist()
    if not orders:
        return 1
    if len(orders) > 1 or orders[0] is None or not 1 <= orders[0] <= HIGHEST_ORDER:
        raise InputError(
            f"The n-gram order must be one number from 1 to {HIGHEST_ORDER} for all rows, "
            f"not {orders}.",
            hint="pass a constant, such as 4",
        )
    return int(orders[0])


def ngram_totals(lengths: Integers, order: int) -> Integers:
    """Return the number of n-grams of each row (first axis) for n = 1 to order (second axis)."""
    totals: Integers = np.maximum(lengths[:, None] - np.arange(order), 0)
    return totals


def ngram_statistics(output: Column, reference: Column, order: Order) -> Rows:
    """Return the n-gram matches of each output with its reference; NULL if either is NULL.

    Texts are words between single blanks. A row is struct(output_length, reference_length, matches,
    totals): lengths in words, then lists of one number per n = 1 to order. Matches are clipped: an
    n-gram counts at most as often as the reference has it. Totals are the n-grams of the output, 0
    where it is shorter than n. These are the sufficient statistics of BLEU (Papineni et al. 2002,
    section 2.1).
    Raises InputError if the columns differ in length or the order is not a positive constant.
    """
    highest = constant_order(order)
    outputs, references = encode_words(output, reference)
    matches, _ = clipped_matches(
        outputs.codes, outputs.starts, references.codes, references.starts, highest, NO_WEIGHTS
    )
    return pa.StructArray.from_arrays(
        [
            pa.array(outputs.lengths, type=pa.int32()),
            pa.array(references.lengths, type=pa.int32()),
            list_column(matches, pa.int32()),
            list_column(ngram_totals(outputs.lengths, highest), pa.int32()),
        ],
        names=["output_length", "reference_length", "matches", "totals"],
        mask=pa.array(~(outputs.valid & references.valid)),
    )


def list_column(
    table: npt.NDArray[np.int32] | Integers | Floats,
    value_type: pa.DataType,
    valid: Rows | None = None,
) -> Rows:
    """Return a list column whose rows are the rows of the table, NULL where they are not valid."""
    rows, width = table.shape
    starts = np.arange(0, rows * width + 1, width, dtype=np.int32)
    return pa.ListArray.from_arrays(
        pa.array(starts, type=pa.int32()),
        pa.array(table.ravel(), type=value_type),
        mask=None if valid is None else pc.invert(valid),
    )


@compiled()
def clipped_matches(
    output: Integers,
    output_starts: Integers,
    reference: Integers,
    reference_starts: Integers,
    order: int,
    weights: Floats,
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return the clipped n-gram matches of each row for n = 1 to order, and their summed weights.

    The different tokens of a row's reference have the codes 0, 1 and so on; a negative code is of
    no token of it. The weights are those of the reference's n-grams, row by row, in a row n by n,
    for each n position by position; equal n-grams weigh the same. Without weights the sums are 0.

    Places in the reference are bits: those where an n-gram of the output ends follow from those of
    its first n - 1 tokens, moved by one, and those of its last token. Each match takes one that is
    free. A long reference is looked at through windows of 128 places; an n-gram belongs to that in
    whose stride it starts.
    """
    rows = len(output_starts) - 1
    matches = np.zeros((rows, order), dtype=np.int32)
    sums = np.zeros((rows, order), dtype=np.float64)
    last_code = 0
    for code in reference:
        last_code = max(last_code, code)
    places = np.empty((last_code + 1, 2), dtype=np.uint64)
    free = np.empty((order, 2), dtype=np.uint64)
    matched = np.empty((longest_row(output_starts), order), dtype=np.bool_)
    first_weight = 0
    for row in range(rows):
        codes = output[output_starts[row] : output_starts[row + 1]]
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        matched[: len(codes)] = False
        stride = WINDOW if len(goal) <= WINDOW else WINDOW - order + 1
        for start in range(0, len(goal), stride):
            places[:] = 0
            for place, code in enumerate(goal[start : start + WINDOW]):
                places[code, place >> 6] |= ONE << np.uint64(place & 63)
            for n in range(order):
                free[n] = ALL
                if stride + n < WINDOW:
                    free[n, 1] = (ONE << np.uint64(stride + n - 64)) - ONE
            matches_of = Matched(matched, matches[row], sums[row])
            _match_window(codes, places, free, matches_of, weights, first_weight + start, len(goal))
        for n in range(min(order, len(goal))):
            first_weight += len(goal) - n
    return matches, sums


class Matched(NamedTuple):
    """What is found of one output so far."""

    matched: npt.NDArray[np.bool_]  # by token and n: whether the n-gram there is matched
    matches: npt.NDArray[np.int32]
    sums: Floats


@compiled()
def _match_window(
    codes: Integers,
    places: Bits,
    free: Bits,
    matches_of: Matched,
    weights: Floats,
    first_weight: int,
    goal: int,
) -> None:
    """Match the n-grams of an output, in their order, with those of its reference in a window.

    ``places`` has the bits of each code in the window, ``free`` those where n-grams end that are
    not taken. The weights of the window's first places start at ``first_weight`` for n = 1.
    """
    order = len(free)
    for i in range(len(codes)):
        low = high = ALL
        for n in range(min(order, len(codes) - i)):
            code = codes[i + n]
            if code < 0:
                break
            if n > 0:
                high = (high << ONE) | (low >> np.uint64(63))
                low <<= ONE
            low &= places[code, 0]
            high &= places[code, 1]
            if not low | high:
                break
            if matches_of.matched[i, n]:
                continue
            half = 0 if low & free[n, 0] else 1
            ends = (high if half else low) & free[n, half]
            if ends:
                end = ends & (~ends + ONE)
                free[n, half] ^= end
                matches_of.matched[i, n] = True
                matches_of.matches[n] += 1
                if len(weights):
                    place = 64 * half + BIT_NUMBERS[end % np.uint64(67)] - n
                    before = n * goal - n * (n - 1) // 2
                    matches_of.sums[n] += weights[first_weight + before + place]


_BYTES = 8
"""Of a weight."""


def nist_information(reference: Column, order: Order) -> Rows:
    """Return the information weights, in bits, of the n-grams of each reference sentence.

    The column must hold all references of a treebank, words between single blanks: the weights
    rest on their counts. A row is a binary of doubles, which DuckDB hands on as a whole: the
    weights for n = 1 to order one after the other, position by position, L + (L - 1) + … values
    for L tokens; NULL for NULL. The weight of an n-gram is the binary
    logarithm of how often its first n - 1 tokens occur (the number of all tokens for n = 1) over
    how often it occurs (Doddington 2002, equation 2).
    """
    highest = constant_order(order)
    lengths, codes = _numbered_words(reference)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    totals = ngram_totals(lengths, highest)
    row_starts = np.concatenate([[0], np.cumsum(totals.sum(axis=1))])
    block_starts = row_starts[:-1, None] + np.cumsum(totals, axis=1) - totals
    remaining = np.repeat(starts[1:], lengths) - np.arange(len(codes))
    rows = np.repeat(np.arange(len(lengths)), lengths)
    positions = np.arange(len(codes)) - starts[rows]

    information = np.empty(row_starts[-1], dtype=np.float64)
    tokens = np.arange(len(codes))  # where the n-grams of the current order start
    prefixes = np.zeros(len(tokens), dtype=np.int64)  # their first n - 1 tokens, as one number
    for n in range(1, highest + 1):
        long_enough = remaining[tokens] >= n
        tokens = tokens[long_enough]
        # Counted before the cut: a prefix at the end of a sentence occurs there as well.
        prefix_counts = np.bincount(prefixes)[prefixes[long_enough]]
        keys = (prefixes[long_enough] << 32) | codes[tokens + n - 1]
        prefixes = np.asarray(pa.array(keys).dictionary_encode().indices, dtype=np.int64)
        counts = np.bincount(prefixes)[prefixes]
        destinations = block_starts[rows[tokens], n - 1] + positions[tokens]
        information[destinations] = np.log2(prefix_counts / counts)
    ends = (row_starts * _BYTES).astype(np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(information)]
    weights = pa.Array.from_buffers(pa.binary(), len(lengths), buffers)
    return pc.if_else(in_one(reference).is_valid(), weights, None)


def treebanks_information(references: Column, order: Order) -> Rows:
    """Return what ``nist_information`` tells of each row's references, of which a row is a list."""
    highest = constant_order(order)
    starts = list_starts(references)
    texts = in_one(pc.list_flatten(references))
    weights = [
        nist_information(texts[start:end], highest)
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    values = pa.concat_arrays(weights) if weights else pa.array([], pa.binary())
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), values)


def nist_statistics(output: Column, reference: Column, information: Column, order: Order) -> Rows:
    """Return the weighted n-gram matches of each output; NULL if any argument is NULL.

    The information is the reference's row of nist_information for the same order. A row is
    struct(output_length, reference_length, information, matches, totals): lengths in tokens, then
    lists of one number per n = 1 to order: the information of the clipped matches in bits, their
    number, and the n-grams of the output. Sums of them over sentences give the system's score.
    Raises InputError if a row's information does not fit its reference and the order.
    """
    highest = constant_order(order)
    reference, information = _where_both(reference, information)
    outputs, references = encode_words(output, reference)
    valid = outputs.valid & references.valid
    weights = _weights(information, ngram_totals(references.lengths, highest).sum(axis=1))
    matches, sums = clipped_matches(
        outputs.codes, outputs.starts, references.codes, references.starts, highest, weights
    )
    return pa.StructArray.from_arrays(
        [
            pa.array(outputs.lengths, type=pa.int32()),
            pa.array(references.lengths, type=pa.int32()),
            list_column(sums, pa.float64()),
            list_column(matches, pa.int32()),
            list_column(ngram_totals(outputs.lengths, highest), pa.int32()),
        ],
        names=["output_length", "reference_length", "information", "matches", "totals"],
        mask=pa.array(~valid),
    )


def _numbered_words(texts: Column) -> tuple[Integers, Integers]:
    """Return the number of words of each text, and all words' numbers: equal ones have the same."""
    lists = pc.split_pattern(texts, " ")
    empty = pc.equal(texts, "").fill_null(True)  # Arrow finds one word in an empty text
    lengths = pc.if_else(empty, 0, pc.list_value_length(lists))
    words = pc.list_flatten(lists.filter(pc.invert(empty)))
    codes = in_one(words).dictionary_encode().indices
    return np.asarray(lengths, dtype=np.int64), np.asarray(codes, dtype=np.int64)


def _where_both(first: Column, second: Column) -> tuple[Column, Column]:
    """Return both columns with NULL in the rows where either has it."""
    check_same_length(first, second)
    if not first.null_count and not second.null_count:
        return first, second
    both = pc.and_(first.is_valid(), second.is_valid())
    return pc.if_else(both, first, None), pc.if_else(both, second, None)


def _weights(information: Column, expected: Integers) -> Floats:
    """Return the weights of all rows end to end; raises InputError where these are not so many."""
    rows = in_one(information)
    lengths = np.asarray(pc.binary_length(rows).fill_null(0), np.int64) // _BYTES
    wrong = np.flatnonzero(lengths != expected)
    if len(wrong):
        raise InputError(
            f"A reference has {expected[wrong[0]]} n-grams, but information on "
            f"{lengths[wrong[0]]}.",
            hint="take the information of the same sentence, computed for the same order",
        )
    _, offsets, data = rows.buffers()
    ends = np.frombuffer(offsets or bytes(4), np.int32)[rows.offset : rows.offset + len(rows) + 1]
    weights = np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]].view(np.float64)
    weights.flags.writeable = False  # as NO_WEIGHTS: one is compiled for both
    return weights
