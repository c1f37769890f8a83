"""Clipped n-gram matches of texts: the sufficient statistics of BLEU and NIST."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.compiled import compiled
from ...schema.errors import InputError
from .statistics import Floats, Integers
from .text import Column, Rows
from .words import encode_words, longest_row

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


def in_one(column: Column) -> Rows:
    """Return a column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


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
            found = Found(matched, matches[row], sums[row])
            _match_window(codes, places, free, found, weights, first_weight + start, len(goal))
        for n in range(min(order, len(goal))):
            first_weight += len(goal) - n
    return matches, sums


class Found(NamedTuple):
    """What is found of one output so far."""

    matched: npt.NDArray[np.bool_]  # by token and n: whether the n-gram there is matched
    matches: npt.NDArray[np.int32]
    sums: Floats


@compiled()
def _match_window(
    codes: Integers,
    places: Bits,
    free: Bits,
    found: Found,
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
            if found.matched[i, n]:
                continue
            half = 0 if low & free[n, 0] else 1
            ends = (high if half else low) & free[n, half]
            if ends:
                end = ends & (~ends + ONE)
                free[n, half] ^= end
                found.matched[i, n] = True
                found.matches[n] += 1
                if len(weights):
                    place = 64 * half + BIT_NUMBERS[end % np.uint64(67)] - n
                    before = n * goal - n * (n - 1) // 2
                    found.sums[n] += weights[first_weight + before + place]
