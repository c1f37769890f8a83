"""Suspicion trees: sentences split again and again on the most suspicious pattern.

Narayan and Gardent, Error mining with suspicion trees, COLING 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Booleans: TypeAlias = NDArray[np.bool_]
    Floats: TypeAlias = NDArray[np.float64]

NO_FAILURE, NO_PATTERN, DEPTH = ("no failure", "no pattern", "depth")
MAX_DEPTH = 5


@dataclass(frozen=True)
class TreeNode:
    """Sentences of a suspicion tree and the pattern they are split on."""

    parent: TreeNode | None
    has_pattern: bool | None
    """Whether its sentences contain the pattern of the node above; None for the root."""
    sentences: int
    failed: int
    pattern: int | None
    """Number of the pattern; None for a leaf."""
    suspicion: float | None
    stop_reason: str | None

    @property
    def depth(self) -> int:
        """Distance from the root."""
        return 0 if self.parent is None else self.parent.depth + 1


@dataclass(frozen=True)
class Occurrences:
    """Which patterns are in which sentences: pairs, each once, and the sentences that failed."""

    pattern: Integers
    sentence: Integers
    patterns: int
    """How many patterns there are; they are numbered from 0."""
    failed: Booleans
    """Per sentence number, whether the sentence failed."""

    def support(self) -> Integers:
        """Return in how many sentences each pattern is."""
        return np.bincount(self.pattern, minlength=self.patterns)

    def failures(self) -> Integers:
        """Return in how many failed sentences each pattern is."""
        return np.bincount(self.pattern[self.failed[self.sentence]], minlength=self.patterns)

    def within(self, chosen: Booleans) -> Occurrences:
        """Return those in the chosen sentences; ``chosen`` is by sentence number."""
        kept = chosen[self.sentence]
        return Occurrences(self.pattern[kept], self.sentence[kept], self.patterns, self.failed)


def suspicion(sentences: Integers, failed: Integers, all_sentences: int, all_failed: int) -> Floats:
    """Return the suspicion score of patterns that are in ``sentences``, ``failed`` of which failed.

    As the SQL macro ``suspicion`` computes it (Shimorina et al. 2021, section 3.4).
    """
    logarithms = np.log(np.maximum(np.arange(all_sentences + 1), 1))  # 0 where nothing is counted
    others = all_sentences - sentences
    others_passed = others - (all_failed - failed)
    scores: Floats = 0.5 * (
        failed / np.maximum(sentences, 1) * logarithms[sentences]
        + others_passed / np.maximum(others, 1) * logarithms[others]
    )
    return scores


def suspicion_tree(
    occurrences: Occurrences,
    scored: Integers,
    *,
    minimum_support: int,
    max_depth: int = MAX_DEPTH,
) -> Iterator[TreeNode]:
    """Yield the nodes of the tree depth first, those with the pattern before those without.

    ``scored`` are the numbers of the sentences; each is below the length of ``failed``. A pattern
    may split sentences where at least ``minimum_support`` of them contain it and a larger share
    of these failed than of all, so it is never in all of them. The one with the highest suspicion
    among the sentences does, of equals the one with the lowest number. A node is a leaf where no
    sentence failed, where no pattern may split it, or at the greatest depth.
    """
    yield from _branch(None, None, occurrences, scored, minimum_support, max_depth)


def _branch(
    parent: TreeNode | None,
    has_pattern: bool | None,
    occurrences: Occurrences,
    scored: Integers,
    minimum_support: int,
    levels: int,
) -> Iterator[TreeNode]:
    all_failed = int(np.count_nonzero(occurrences.failed[scored]))
    best = _most_suspicious(occurrences, len(scored), all_failed, minimum_support)
    reason = None
    if not all_failed:
        reason = NO_FAILURE
    elif best is None:
        reason = NO_PATTERN
    elif not levels:
        reason = DEPTH
    pattern, score = (None, None) if best is None or reason else best
    node = TreeNode(parent, has_pattern, len(scored), all_failed, pattern, score, reason)
    yield node
    if pattern is None:
        return
    with_pattern = np.zeros(len(occurrences.failed), np.bool_)
    with_pattern[occurrences.sentence[occurrences.pattern == pattern]] = True
    for has, chosen in ((True, with_pattern), (False, ~with_pattern)):
        inside = occurrences.within(chosen)
        yield from _branch(node, has, inside, scored[chosen[scored]], minimum_support, levels - 1)


def _most_suspicious(
    occurrences: Occurrences, all_sentences: int, all_failed: int, minimum_support: int
) -> tuple[int, float] | None:
    sentences, failed = occurrences.support(), occurrences.failures()
    eligible = np.flatnonzero(
        (sentences >= minimum_support) & (failed * all_sentences > all_failed * sentences)
    )
    if not len(eligible):
        return None
    scores = suspicion(sentences[eligible], failed[eligible], all_sentences, all_failed)
    first = int(np.argmax(scores))
    return int(eligible[first]), float(scores[first])
