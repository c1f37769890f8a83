"""NIST: n-gram matches weighted by how informative the n-grams are in a treebank's references."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from .ngrams import (
    Order,
    clipped_matches,
    constant_order,
    in_one,
    list_column,
    list_starts,
    ngram_totals,
)
from .statistics import Floats, Integers
from .text import Column, Rows
from .words import check_same_length, encode_words

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
        prefixes = _dense_numbers(keys)
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
    return np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]].view(np.float64)


def _dense_numbers(keys: Integers) -> Integers:
    """Return numbers from 0, the same for equal keys."""
    return np.asarray(pa.array(keys).dictionary_encode().indices, dtype=np.int64)
