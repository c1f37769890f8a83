"""Bundles of UniMorph tags as numbers, so that many can be compared at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sr_tracker.ingest.noise.feature_mapping import PART_OF_SPEECH, Tags

UNSPECIFIED = -1


@dataclass(frozen=True)
class TagCodes:
    """Bundles × dimensions: the number of the tags a bundle has there, or UNSPECIFIED."""

    dimensions: list[str]
    tags: list[list[frozenset[str]]]
    """By dimension, what its numbers stand for."""
    codes: np.ndarray


def encode_tags(bundles: Sequence[Tags], dimensions: list[str]) -> TagCodes:
    """Return the bundles as numbers; dimensions not listed are ignored."""
    codes = np.full((len(bundles), len(dimensions)), UNSPECIFIED, dtype=np.int32)
    tags: list[list[frozenset[str]]] = []
    for column, dimension in enumerate(dimensions):
        numbers: dict[frozenset[str], int] = {}
        for row, bundle in enumerate(bundles):
            if bundle.get(dimension):
                codes[row, column] = numbers.setdefault(bundle[dimension], len(numbers))
        tags.append(list(numbers))
    return TagCodes(dimensions, tags, codes)


def fitting(analyses: TagCodes, bundles: TagCodes) -> np.ndarray:
    """Return analyses × bundles: whether a dictionary's bundle may describe a word so analysed.

    In every dimension in which both have tags they share one; the part of speech both must have.
    """
    fits = np.ones((len(analyses.codes), len(bundles.codes)), dtype=bool)
    for column, dimension in enumerate(bundles.dimensions):
        left, right = analyses.tags[column], bundles.tags[column]
        unspecified = dimension != PART_OF_SPEECH
        # The last row and column stand for UNSPECIFIED, which is -1.
        shared = np.full((len(left) + 1, len(right) + 1), unspecified)
        for row, tags in enumerate(left):
            shared[row, :-1] = [not tags.isdisjoint(others) for others in right]
        fits &= shared[analyses.codes[:, column][:, None], bundles.codes[:, column][None, :]]
    return fits


def changed_dimension(bundles: TagCodes, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return, for pairs of bundles, the only dimension in which they differ, or -1.

    A dimension that only one of the two specifies is a difference, but no change of value.
    """
    pairs, places = np.unique(first * len(bundles.codes) + second, return_inverse=True)
    left, right = np.divmod(pairs, max(len(bundles.codes), 1))
    differ = bundles.codes[left] != bundles.codes[right]
    both = (bundles.codes[left] != UNSPECIFIED) & (bundles.codes[right] != UNSPECIFIED)
    single = (differ.sum(axis=1) == 1) & (differ & both).any(axis=1)
    return np.asarray(np.where(single, differ.argmax(axis=1), UNSPECIFIED)[places])
