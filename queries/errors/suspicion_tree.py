"""Suspicion trees: sentences split again and again on the most suspicious pattern.

Narayan and Gardent, Error mining with suspicion trees, COLING 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.short_cuts import compiled
from ...schema.statements import read_table, read_tuples
from ..functions.statistics import Booleans, Floats, Integers
from .jobs import check_mining

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
    """Which patterns are in which sentences, sentence by sentence, each once."""

    starts: Integers
    """Where the patterns of each sentence number start, and at last where they end."""
    pattern: Integers
    patterns: int
    """How many patterns there are; they are numbered from 0."""

    @classmethod
    def of_pairs(
        cls, pattern: Integers, sentence: Integers, patterns: int, sentences: int
    ) -> Occurrences:
        """Return pairs by sentence; every sentence number is below ``sentences``."""
        starts = np.zeros(sentences + 1, np.int64)
        np.cumsum(np.bincount(sentence, minlength=sentences), out=starts[1:])
        return cls(starts, pattern[np.argsort(sentence, kind="stable")], patterns)

    def counts(self, sentences: Integers, failed: Booleans) -> Integers:
        """Return in how many of some sentences each pattern is, and in how many failed ones."""
        return self.split(sentences, failed, None)[1]

    def split(
        self, sentences: Integers, failed: Booleans, pattern: int | None
    ) -> tuple[Booleans, Integers]:
        """Return which of some sentences contain a pattern (None: all do), and their ``counts``."""
        counts = np.zeros((2, self.patterns), np.int64)
        wanted = -1 if pattern is None else pattern
        return _split(self.starts, self.pattern, sentences, failed, wanted, counts), counts


@compiled()
def _split(
    starts: Integers,
    patterns: Integers,
    sentences: Integers,
    failed: Booleans,
    wanted: int,
    counts: Integers,
) -> Booleans:
    """Add to the counts of the sentences that contain a pattern (-1: of all); return which do."""
    contains = np.full(len(sentences), wanted < 0)
    for number, sentence in enumerate(sentences):
        own = patterns[starts[sentence] : starts[sentence + 1]]
        for pattern in own:
            if pattern == wanted:
                contains[number] = True
        if contains[number]:
            for pattern in own:
                counts[0, pattern] += 1
                counts[1, pattern] += failed[sentence]
    return contains


def suspicion(sentences: Integers, failed: Integers, all_sentences: int, all_failed: int) -> Floats:
    """Return the suspicion score of patterns that are in ``sentences``, ``failed`` of which failed.

    As the SQL macro ``suspicion`` computes it (Shimorina et al. 2021, section 3.4).
    """
    logarithms = _logarithms(all_sentences.bit_length())
    others = all_sentences - sentences
    others_passed = others - (all_failed - failed)
    scores: Floats = 0.5 * (
        failed / np.maximum(sentences, 1) * logarithms[sentences]
        + others_passed / np.maximum(others, 1) * logarithms[others]
    )
    return scores


@cache
def _logarithms(bits: int) -> Floats:
    """Return the logarithms of all numbers of so many bits; 0, which counts nothing, has 0."""
    table: Floats = np.log(np.maximum(np.arange(1 << bits), 1))
    return table


def suspicion_tree(
    occurrences: Occurrences,
    scored: Integers,
    failed: Booleans,
    *,
    minimum_support: int,
    max_depth: int = MAX_DEPTH,
) -> Iterator[TreeNode]:
    """Yield the nodes of the tree depth first, those with the pattern before those without.

    ``scored`` are the numbers of the sentences, ``failed`` tells by number which failed. A pattern
    may split sentences where at least ``minimum_support`` of them contain it and a larger share
    of these failed than of all, so it is never in all of them. The one with the highest suspicion
    among the sentences does, of equals the one with the lowest number. A node is a leaf where no
    sentence failed, where no pattern may split it, or at the greatest depth.
    """
    counts = occurrences.counts(scored, failed)
    yield from _branch(
        None,
        None,
        occurrences,
        failed,
        scored=scored,
        counts=counts,
        minimum_support=minimum_support,
        levels=max_depth,
    )


def _branch(
    parent: TreeNode | None,
    has_pattern: bool | None,
    occurrences: Occurrences,
    failed: Booleans,
    *,
    scored: Integers,
    counts: Integers,
    minimum_support: int,
    levels: int,
) -> Iterator[TreeNode]:
    """Yield a node and those below it, at most ``levels`` further ones.

    ``scored`` are its sentences, ``counts`` (2, patterns) how many of them have a pattern, and how
    many of these failed. Those without the pattern have its counts less those with it.
    """
    all_failed = int(np.count_nonzero(failed[scored]))
    best = _most_suspicious(counts, len(scored), all_failed, minimum_support)
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
    contains, inside = occurrences.split(scored, failed, pattern)
    for has, chosen, left in ((True, contains, inside), (False, ~contains, counts - inside)):
        yield from _branch(
            node,
            has,
            occurrences,
            failed,
            scored=scored[chosen],
            counts=left,
            minimum_support=minimum_support,
            levels=levels - 1,
        )


def _most_suspicious(
    counts: Integers, all_sentences: int, all_failed: int, minimum_support: int
) -> tuple[int, float] | None:
    # Only patterns that fail more often than all: failed / sentences > all_failed / all_sentences.
    sentences, failed = counts
    eligible = np.flatnonzero(
        (sentences >= minimum_support) & (failed * all_sentences > all_failed * sentences)
    )
    if not len(eligible):
        return None
    scores = suspicion(sentences[eligible], failed[eligible], all_sentences, all_failed)
    first = int(np.argmax(scores))
    return int(eligible[first]), float(scores[first])


def read_suspicion_tree(
    database: Database, submission_id: str, *, labels: str = "deprel", metric: str = "bleu"
) -> pa.Table:
    """Return the nodes of a submission's newest suspicion tree with these labels and metric.

    The columns are those of the view suspicion_trees, without what names the submission, and
    threshold: sentences fail up to this score.

    Raises UnknownNameError for a submission that is not there or has no such tree.
    """
    submission_id = resolve_submission(database, submission_id)
    rows = read_table(
        database, "suspicion_tree", submission_id=submission_id, labels=labels, metric=metric
    )
    if not rows.num_rows:
        raise _missing(database, submission_id, labels, metric)
    return rows.filter(pc.equal(rows["signature"], rows["signature"][0]))


def nested(rows: pa.Table) -> dict[str, Any]:
    """Return the tree as its root, each node with the keys ``with`` and ``without`` for branches.

    A node has sentences, failed, failure_rate, and either pattern and suspicion, or stop_reason.
    """
    nodes: dict[int, dict[str, Any]] = {}
    for row in rows.to_pylist():
        node = {
            "sentences": row["sentences"],
            "failed": row["failed"],
            "failure_rate": row["failed"] / row["sentences"] if row["sentences"] else None,
            "pattern": row["pattern"],
            "suspicion": row["suspicion"],
            "stop_reason": row["stop_reason"],
        }
        nodes[row["node_no"]] = node
        if row["parent_node_no"] is not None:
            nodes[row["parent_node_no"]]["with" if row["has_pattern"] else "without"] = node
    return nodes[1]


def _missing(database: Database, submission_id: str, labels: str, metric: str) -> UnknownNameError:
    check_mining(database, labels, metric)
    minings = read_tuples(database, "minings_of", submission=submission_id)
    reason = next((why for of, by, why in minings if (of, by) == (labels, metric) and why), None)
    there = ", ".join(f"--labels {of} --metric {by}" for of, by, why in minings if not why)
    hint = f"run 'tracker analyse --submission {submission_id} --labels {labels} --metric {metric}'"
    return UnknownNameError(
        f"{submission_id} has no suspicion tree of {labels} by {metric}",
        where=reason,
        hint=hint + (f"; there are: {there}" if there else ""),
    )
