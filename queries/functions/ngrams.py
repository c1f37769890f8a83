"""Clipped n-gram matches of texts: the sufficient statistics of BLEU and NIST."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.functions.compiled import compiled
from sr_tracker.queries.functions.text import Column, Rows
from sr_tracker.queries.functions.words import encode_words, longest_row, table_bits
from sr_tracker.schema.errors import InputError

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers: TypeAlias = npt.NDArray[np.int64]
    Floats: TypeAlias = npt.NDArray[np.float64]

Order: TypeAlias = "int | pa.Array[Any] | pa.ChunkedArray[Any]"


def list_starts(column: Column) -> Integers:
    """Return where each row of a list column starts in its flattened values, and the end."""
    lengths = np.asarray(pc.list_value_length(column).fill_null(0), dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])


def constant_order(order: Order) -> int:
    """Return the n-gram order that all rows share: SQL passes constants as columns.

    Raises InputError if it is not one positive number.
    """
    orders = [order] if isinstance(order, int) else pc.unique(order).to_pylist()
    if not orders:
        return 1
    if len(orders) > 1 or orders[0] is None or orders[0] < 1:
        raise InputError(
            f"The n-gram order must be one positive number for all rows, not {orders}.",
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
        outputs.codes, outputs.starts, references.codes, references.starts, highest, None
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


def list_column(table: npt.NDArray[np.int32] | Integers | Floats, value_type: pa.DataType) -> Rows:
    """Return a list column whose rows are the rows of the table."""
    rows, width = table.shape
    starts = np.arange(0, rows * width + 1, width, dtype=np.int32)
    return pa.ListArray.from_arrays(
        pa.array(starts, type=pa.int32()), pa.array(table.ravel(), type=value_type)
    )


@compiled()
def clipped_matches(
    output: Integers,
    output_starts: Integers,
    reference: Integers,
    reference_starts: Integers,
    order: int,
    weights: Floats | None,
) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return the clipped n-gram matches of each row for n = 1 to order, and their summed weights.

    The weights are those of the reference's n-grams, row by row, in a row n by n, for each n
    position by position; equal n-grams weigh the same. Without weights the sums are 0.

    Each order numbers the reference's n-grams by their slots in a hash table whose keys are exact:
    the number of the n-gram's first n - 1 tokens with the code of its last. So the time is linear
    in the length of the sentences, and an n-gram of the output need only be looked up.
    """
    rows = len(output_starts) - 1
    matches = np.zeros((rows, order), dtype=np.int32)
    sums = np.zeros((rows, order), dtype=np.float64)
    longest_reference = longest_row(reference_starts)
    table = _empty_table(longest_reference)
    output_slots = np.empty(longest_row(output_starts), dtype=np.int64)
    reference_slots = np.empty(longest_reference, dtype=np.int64)
    current = 0
    weight_start = 0
    for row in range(rows):
        output_codes = output[output_starts[row] : output_starts[row + 1]]
        reference_codes = reference[reference_starts[row] : reference_starts[row + 1]]
        bits = table_bits(len(reference_codes))
        output_slots[: len(output_codes)] = 0
        reference_slots[: len(reference_codes)] = 0
        for n in range(order):
            current += 1
            for i in range(len(reference_codes) - n):
                key = (reference_slots[i] << 32) | reference_codes[i + n]
                slot = _find_slot(table, current, bits, key)
                if table.rounds[slot] != current:
                    table.rounds[slot] = current
                    table.keys[slot] = key
                    table.unmatched[slot] = 0
                    if weights is not None:
                        table.weights[slot] = weights[weight_start + i]
                table.unmatched[slot] += 1
                reference_slots[i] = slot
            weight_start += max(len(reference_codes) - n, 0)
            matches[row, n], sums[row, n] = _match_output(
                table, current, bits, n, output_codes, output_slots
            )
    return matches, sums


class NgramTable(NamedTuple):
    """A hash table of the n-grams of one sentence and order, its arrays shared by all of them."""

    keys: Integers
    rounds: Integers  # the sentence and order that filled a slot last: others are free
    unmatched: Integers  # how often the reference has the n-gram beyond the matches so far
    weights: Floats


@compiled()
def _match_output(
    table: NgramTable, current: int, bits: int, n: int, codes: Integers, slots: Integers
) -> tuple[int, float]:
    """Return the clipped matches of one output, for n + 1 tokens each, and their weight.

    The slots are those of its n-grams one token shorter, -1 where the reference has none. A code of
    UNKNOWN makes a negative key, which no n-gram of the reference has.
    """
    matches = 0
    weight = 0.0
    for i in range(len(codes) - n):
        if slots[i] < 0:
            continue
        key = (slots[i] << 32) | codes[i + n]
        slot = _find_slot(table, current, bits, key)
        if table.rounds[slot] != current:
            slots[i] = -1
            continue
        slots[i] = slot
        if table.unmatched[slot] > 0:
            table.unmatched[slot] -= 1
            matches += 1
            weight += table.weights[slot]
    return matches, weight


@compiled(inline=True)
def _find_slot(table: NgramTable, current: int, bits: int, key: int) -> int:
    """Return the slot of the key among the table's first 2 ** bits, or the free slot for it."""
    # Fibonacci hashing: the highest bits of a product with 2 ** 64 over the golden ratio
    product = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(product >> np.uint64(64 - bits))
    while table.rounds[slot] == current and table.keys[slot] != key:
        slot = (slot + 1) & ((1 << bits) - 1)
    return int(slot)


@compiled()
def _empty_table(tokens: int) -> NgramTable:
    size = 1 << table_bits(tokens)
    return NgramTable(
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.float64),
    )
