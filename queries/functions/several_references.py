"""Statistics of outputs that have several references each: BLEU, chrF and TER as in sacreBLEU.

References are a list column, in their order; a reference that is NULL is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .chrf import CHARACTER_ORDER, WORD_ORDER, chrf_plusplus_statistics, chrf_statistics
from .ngrams import Order, constant_order, list_column, ngram_statistics, ngram_totals
from .statistics import Floats, Integers
from .text import Column, Rows, in_one
from .translation_edits import translation_edits
from .words import check_same_length, one_array

BETA_SQUARED = 4


class Pairs(NamedTuple):
    """Each reference beside its output, those of one output after each other."""

    outputs: pa.Array
    references: pa.Array
    rows: Integers
    """The row of each pair."""
    first: Integers
    """The first pair of each row that has one."""
    valid: npt.NDArray[np.bool_]
    """Whether a row has an output and a reference."""


def ngram_statistics_of_several(output: Column, references: Column, order: Order) -> Rows:
    """Return the n-gram matches of each output with its references; NULL without either.

    Rows and texts are as those of ``ngram_statistics``. An n-gram counts at most as often as the
    reference has it that has it most (Papineni et al. 2002, section 2.1); the length is that of
    the reference nearest in length, of two as near the shorter.
    Raises InputError if the columns differ in length or the order is not a positive constant.
    """
    highest = constant_order(order)
    pairs = pairs_of(output, references)
    outputs, count = one_array(output).fill_null(""), len(output)
    texts = pa.concat_arrays([outputs, pairs.references])
    rows = np.concatenate([np.arange(count), pairs.rows])
    codes, owners = _words(texts)
    lengths = np.bincount(owners, minlength=len(texts))
    matches = _clipped_matches(codes, owners, rows, count, highest)
    return pa.StructArray.from_arrays(
        [
            pa.array(lengths[:count], pa.int32()),
            pa.array(_nearest(lengths[:count], lengths[count:], pairs), pa.int32()),
            list_column(matches, pa.int32()),
            list_column(ngram_totals(lengths[:count], highest), pa.int32()),
        ],
        names=["output_length", "reference_length", "matches", "totals"],
        mask=pa.array(~pairs.valid),
    )


def chrf_statistics_of_several(output: Column, references: Column) -> Rows:
    """Return ``chrf_statistics`` with the reference that gives the best F-score, else the first.

    NULL without an output or a reference. Raises InputError if the columns differ in length.
    """
    return _best(chrf_statistics, CHARACTER_ORDER, output, references)


def chrf_plusplus_statistics_of_several(output: Column, references: Column) -> Rows:
    """Return ``chrf_plusplus_statistics`` with the reference that gives the best F-score."""
    return _best(chrf_plusplus_statistics, CHARACTER_ORDER + WORD_ORDER, output, references)


def translation_edits_of_several(output: Column, references: Column) -> Rows:
    """Return the fewest edits of TER to one of the references, and the references' mean length.

    A row is struct(edits, output_length, reference_length) as that of ``translation_edits``, the
    last a float64 (Snover et al. 2006, section 2); NULL without an output or a reference.
    Raises InputError if the columns differ in length.
    """
    pairs = pairs_of(output, references)
    of_pairs = translation_edits(pairs.outputs, pairs.references)
    edits, output_length, reference_length = (
        np.asarray(of_pairs.field(name), dtype=np.int64)
        for name in ("edits", "output_length", "reference_length")
    )
    counts = np.maximum(np.bincount(pairs.rows, minlength=len(output)), 1)
    total = np.bincount(pairs.rows, weights=reference_length, minlength=len(output))
    return pa.StructArray.from_arrays(
        [
            pa.array(_by_row(np.minimum, edits, pairs), pa.int32()),
            pa.array(_by_row(np.minimum, output_length, pairs), pa.int32()),
            pa.array(total / counts, pa.float64()),
        ],
        names=["edits", "output_length", "reference_length"],
        mask=pa.array(~pairs.valid),
    )


def pairs_of(output: Column, references: Column) -> Pairs:
    """Return a pair for each output and each of its references that is there."""
    check_same_length(output, references)
    lists, outputs = in_one(references), one_array(output)
    parents = np.asarray(pc.list_parent_indices(lists), dtype=np.int64)
    texts = pc.list_flatten(lists).cast(pa.string())
    has_output = np.asarray(outputs.is_valid(), dtype=np.bool_)
    there = np.asarray(texts.is_valid(), dtype=np.bool_) & has_output[parents]
    rows = parents[there]
    with_reference = np.bincount(rows, minlength=len(outputs)) > 0
    return Pairs(
        outputs.take(pa.array(rows)),
        texts.filter(pa.array(there)),
        rows,
        np.flatnonzero(np.diff(rows, prepend=-1)),
        with_reference,
    )


def _by_row(function: np.ufunc, values: Integers, pairs: Pairs) -> Integers:
    """Return what a function makes of the values of each row's pairs; 0 for a row without."""
    results = np.zeros(len(pairs.valid), dtype=np.int64)
    if len(pairs.first):
        results[pairs.rows[pairs.first]] = function.reduceat(values, pairs.first)
    return results


def _nearest(output_lengths: Integers, reference_lengths: Integers, pairs: Pairs) -> Integers:
    scale = int(reference_lengths.max(initial=0)) + 1
    away = np.abs(reference_lengths - output_lengths[pairs.rows])
    return _by_row(np.minimum, away * scale + reference_lengths, pairs) % scale


def _words(texts: pa.Array) -> tuple[Integers, Integers]:
    """Return the words of all texts as integers, end to end, and the text of each."""
    lists = pc.split_pattern(texts, " ")
    words = pc.list_flatten(lists)
    there = pc.not_equal(words, "")
    codes = words.filter(there).dictionary_encode().indices
    owners = pc.list_parent_indices(lists).filter(there)
    return np.asarray(codes, dtype=np.int64), np.asarray(owners, dtype=np.int64)


def _clipped_matches(
    codes: Integers, owners: Integers, rows: Integers, count: int, order: int
) -> Integers:
    """Return, row by row, the matches for n = 1 to order; the first ``count`` texts are outputs."""
    matches = np.zeros((count, order), dtype=np.int64)
    grams, at = codes, np.arange(len(codes))
    words = int(codes.max(initial=0)) + 1
    for n in range(order):
        if n > 0:
            inside = at + n < len(codes)
            inside[inside] = owners[at[inside] + n] == owners[at[inside]]
            at = at[inside]
            grams = grams[inside] * words + codes[at + n]
        _, grams = np.unique(grams, return_inverse=True)
        size = int(grams.max(initial=0)) + 1
        texts, counts = np.unique(owners[at] * size + grams, return_counts=True)
        owner, gram = texts // size, texts % size
        keys = rows[owner] * size + gram
        of_output = owner < count
        wanted, places = np.unique(keys[~of_output], return_inverse=True)
        most = np.zeros(len(wanted) + 1, dtype=np.int64)
        np.maximum.at(most, places, counts[~of_output])
        place = np.searchsorted(wanted, keys[of_output])
        there = np.append(wanted, -1)[place] == keys[of_output]
        clipped = np.minimum(counts[of_output], most[place]) * there
        matches[:, n] = np.bincount(owner[of_output], weights=clipped, minlength=count)
    return matches


def _best(
    statistics: Callable[[Column, Column], Rows], orders: int, output: Column, references: Column
) -> Rows:
    pairs = pairs_of(output, references)
    of_pairs = statistics(pairs.outputs, pairs.references)
    table = np.asarray(of_pairs.flatten(), dtype=np.int32).reshape(len(of_pairs), 3 * orders)
    scores = _f_scores(table.reshape(len(of_pairs), orders, 3))
    order = np.lexsort((np.arange(len(scores)), -scores, pairs.rows))
    best = np.zeros((len(output), 3 * orders), dtype=np.int32)
    best[pairs.rows[pairs.first]] = table[order[pairs.first]]
    return list_column(best, pa.int32(), pa.array(pairs.valid))


def _f_scores(counts: npt.NDArray[np.int32]) -> Floats:
    """Return the F-score of each row of counts by order, in the steps in which sacreBLEU takes it.

    Steps decide the last digit, and that decides between references that are as good.
    """
    precision, recall, orders = (np.zeros(len(counts)) for _ in range(3))
    for length in range(counts.shape[1]):
        output, reference, matched = counts[:, length].T.astype(np.float64)
        both = (output > 0) & (reference > 0)
        precision[both] += matched[both] / output[both]
        recall[both] += matched[both] / reference[both]
        orders += both
    precision /= np.maximum(orders, 1)
    recall /= np.maximum(orders, 1)
    some = precision + recall > 0
    scores = np.zeros(len(counts))
    above = (1 + BETA_SQUARED) * precision[some] * recall[some]
    scores[some] = 100 * (above / (BETA_SQUARED * precision[some] + recall[some]))
    return scores


def of_one_or_all(one: Callable[..., Rows], several: Callable[..., Rows]) -> Callable[..., Rows]:
    """Return the function of outputs, their first references and lists of all of them.

    Where no output has a list it is that of one reference: a list of one costs a tenth of the time.
    """

    def statistics(output: Column, first: Column, references: Column, *others: Column) -> Rows:
        if references.null_count == len(references):
            return one(output, first, *others)
        return several(output, references, *others)

    return statistics


ngrams = of_one_or_all(ngram_statistics, ngram_statistics_of_several)
chrf = of_one_or_all(chrf_statistics, chrf_statistics_of_several)
chrf_plusplus = of_one_or_all(chrf_plusplus_statistics, chrf_plusplus_statistics_of_several)
fewest_edits = of_one_or_all(translation_edits, translation_edits_of_several)
