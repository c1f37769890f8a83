"""Replicates of a test set: sums of sufficient statistics over resampled or swapped sentences.

A replicate is a row of weights, one per sentence; weights times statistics are its sums. They are
exact, so that neither threads nor the size of blocks can change a digit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.random import Generator

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats

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


def kept_sums(parts: Floats, replicates: int, seed: int) -> Floats:
    """Return the sums over a random half of the sentences: those whose outputs are not swapped.

    Shapes as in bootstrap_sums. The sentences are those that sacreBLEU keeps with the same seed.
    """
    return _sums(parts, replicates, seed, _kept)


def _times_drawn(generator: Generator, rows: int, sentences: int) -> Floats:
    drawn = generator.choice(sentences, size=(rows, sentences), replace=True)
    drawn += sentences * np.arange(rows)[:, np.newaxis]
    times = np.bincount(drawn.ravel(), minlength=drawn.size)
    return times.reshape(rows, sentences).astype(np.float64)


def _kept(generator: Generator, rows: int, sentences: int) -> Floats:
    kept = generator.integers(2, size=(rows, sentences), dtype=np.bool_)
    return kept.astype(np.float64)


@lru_cache(maxsize=2)
def _only_block(weights: Weights, rows: int, sentences: int, seed: int) -> Floats:
    """Return weights that are few enough to keep: other measures of a test set have the same."""
    return weights(np.random.default_rng(seed), rows, sentences)


def _sums(parts: Floats, replicates: int, seed: int, weights: Weights) -> Floats:
    sentences = parts.shape[1]
    sums = np.empty((len(parts), replicates, parts.shape[2]))
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
        for part, part_sums in zip(parts, sums, strict=True):
            np.matmul(block, part, out=part_sums[start : start + rows])
    return sums
