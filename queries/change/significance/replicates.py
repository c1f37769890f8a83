"""Replicates of a test set: sums of sufficient statistics over resampled or swapped sentences.

A replicate is a row of weights, one per sentence; weights times statistics are its sums, and SQL
makes scores of them. Sums are exact, so that neither threads nor blocks can change a digit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from ....schema.database import Database
from ....schema.errors import InputError
from ...functions.statistics import Floats, Integers
from ...metrics import Formula
from ...metrics.formulas import read_sentences, score_sums

Weights: TypeAlias = "Callable[[Generator, int, int], Floats]"
"""Gives the weights of so many replicates of so many sentences: shape (replicates, sentences)."""

BLOCK_NUMBERS = 4_000_000
GENERATOR_BITS = 32
EXACT_BITS = 51
"""Two bits fewer than a float has: swapped sums are up to twice as large as the sums."""


def exact_parts(statistics: Floats) -> Floats:
    """Return statistics as parts whose sums over sentences are exact in any order.

    ``statistics`` has the shape (submissions, sentences, k). The result has the shape (parts,
    sentences, submissions * k), and the parts add up to the statistics. Counts need one part.
    Other numbers need a second one, what is left after rounding to a multiple of a power of 2.
    """
    high = _fixed_point(statistics)
    low = _fixed_point(statistics - high)
    parts = np.stack([high, low] if low.any() else [high])
    sentences = statistics.shape[1]
    columns = statistics.shape[0] * statistics.shape[2]
    return parts.transpose(0, 2, 1, 3).reshape(len(parts), sentences, columns)


def _fixed_point(statistics: Floats) -> Floats:
    largest = np.abs(statistics).max(axis=(0, 1)) * statistics.shape[1]
    step = np.ldexp(1.0, np.frexp(largest)[1] - EXACT_BITS)
    rounded: Floats = np.rint(statistics / step) * step
    return rounded


def bootstrap_sums(parts: Floats, replicates: int, seed: int) -> Floats:
    """Return the sums over test sets drawn with replacement (Koehn 2004, section 3).

    ``parts`` has the shape (parts, sentences, columns), the sums (parts, replicates, columns). The
    sentences drawn are those that sacreBLEU draws with the same seed.
    """
    return _sums(parts, replicates, seed, _times_drawn)


def drawn_sums(statistics: Floats, replicates: int, seed: int) -> Floats:
    """Return the sums over test sets drawn with replacement: shape (replicates, submissions, k).

    ``statistics`` has the shape (submissions, sentences, k).
    """
    sums = bootstrap_sums(exact_parts(statistics), replicates, seed).sum(axis=0)
    drawn: Floats = sums.reshape(replicates, len(statistics), -1)
    return drawn


def unswapped_sums(parts: Floats, replicates: int, seed: int) -> Floats:
    """Return the sums over a random half of the sentences: those whose outputs are not swapped.

    Shapes as in bootstrap_sums. The sentences are those that sacreBLEU keeps with the same seed.
    """
    return _sums(parts, replicates, seed, _unswapped)


def _times_drawn(generator: Generator, rows: int, sentences: int) -> Floats:
    times = np.empty((rows, sentences))
    for start in range(0, rows, GENERATOR_BITS):  # few at once stay in the processor's cache
        some = times[start : start + GENERATOR_BITS]
        drawn = generator.choice(sentences, size=some.shape, replace=True)
        drawn += sentences * np.arange(len(some))[:, np.newaxis]
        some[:] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(some.shape)
    return times


def _unswapped(generator: Generator, rows: int, sentences: int) -> Floats:
    unswapped = generator.integers(2, size=(rows, sentences), dtype=np.bool_)
    return unswapped.astype(np.float64)


@lru_cache(maxsize=2)
def _only_block(weights: Weights, rows: int, sentences: int, seed: int) -> Floats:
    """Return weights that are few enough to keep: other measures of a test set have the same."""
    return weights(np.random.default_rng(seed), rows, sentences)


def _sums(parts: Floats, replicates: int, seed: int, weights: Weights) -> Floats:
    sentences = parts.shape[1]
    sums = np.zeros((len(parts), replicates, parts.shape[2]))
    # Where other numbers need a second part, that of counts is empty.
    held = [part.any(axis=0) for part in parts]
    # Blocks end where the generator has used up a random number bit by bit.
    at_once = max(BLOCK_NUMBERS // sentences // GENERATOR_BITS, 1) * GENERATOR_BITS
    generator = np.random.default_rng(seed)
    for start in range(0, replicates, at_once):
        rows = min(at_once, replicates - start)
        block = (
            _only_block(weights, rows, sentences, seed)
            if rows == replicates
            else weights(generator, rows, sentences)
        )
        for part, columns, part_sums in zip(parts, held, sums, strict=True):
            part_sums[start : start + rows, columns] = block @ part[:, columns]
    return sums


def read_statistics(
    database: Database, formula: Formula, signature_id: str, submissions: Sequence[str]
) -> tuple[Integers, Floats]:
    """Return the numbers of sentences, and the statistics of submissions to their treebank.

    The shape of these is (submissions, sentences, k), in the order given.
    ``signature_id`` is that of the metric which stores statistics. Raises InputError where
    submissions lack statistics of some sentences.
    """
    read = read_sentences(
        database, formula.statement, [(name, signature_id) for name in submissions]
    )
    if not all(np.array_equal(sentences, read[0][0]) for sentences, _ in read):
        raise InputError(
            "some submissions lack statistics of some sentences",
            where=f"signature {signature_id}: {', '.join(submissions)}",
            hint="'tracker keep check' shows what is missing",
        )
    return read[0][0], np.stack([statistics for _, statistics in read])


def informative_clusters(database: Database, formula: Formula, statistics: Floats) -> Integers:
    """Return how many sentences, or clusters, of each submission tell something of its score.

    Those are all but the ones with the most frequent score of their own, such as perfect ones, and
    those without a score. ``statistics`` has the shape (submissions, sentences, k).
    """
    scores = np.round(score_sums(database, formula, statistics), 9)
    defined = [values[~np.isnan(values)] for values in scores]
    counts = [np.unique(values, return_counts=True)[1] for values in defined]
    return np.array([values.sum() - values.max(initial=0) for values in counts], np.int64)


def number_of(value: float) -> float | None:
    """Return a number, None for NaN."""
    return None if np.isnan(value) else float(value)
