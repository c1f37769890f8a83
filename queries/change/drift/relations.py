"""Edges of each relation by both versions of the references, of both runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sr_tracker.queries.change.comparison.signatures import StoredScore
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import read_table
from sr_tracker.schema.temporary import lent

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers

_RUN = ("submission_id", "signature_id")


@dataclass(frozen=True)
class RelationEdges:
    """Edges found and edges, on the last axis, of some submissions by relation."""

    relations: Sequence[str]
    """In alphabetical order."""
    whole: Floats
    """Shape (submissions, relations, 2): of all sentences."""
    shared: Floats
    """Shape (submissions, shared sentences, relations, 2)."""


def read_edges(
    database: Database, scores: Sequence[StoredScore], numbers: Integers
) -> RelationEdges:
    """Return the edges of submissions by old and new references in turn, by their scores.

    ``numbers`` has each shared sentence's number in the old and in the new version.
    """
    runs = {name: [getattr(score, name) for score in scores] for name in _RUN}
    with lent(database, drift_run=pa.table(runs)):
        rows = read_table(database, "drift_edges")
    known, relation = np.unique(rows["deprel"].to_pylist(), return_inverse=True)
    submission = np.array(rows["submission_id"].to_pylist())
    sentence = rows["sentence_no"].to_numpy()
    edges = rows["statistics"].combine_chunks().flatten().to_numpy().reshape(-1, 2)
    whole = np.zeros((len(scores), len(known), 2))
    shared = np.zeros((len(scores), len(numbers), len(known), 2))
    for place, score in enumerate(scores):
        own = np.flatnonzero(submission == score.submission_id)
        np.add.at(whole[place], relation[own], edges[own])
        order = np.argsort(numbers[:, place % 2])
        after = np.searchsorted(numbers[order, place % 2], sentence[own])
        at = order[np.minimum(after, len(order) - 1)]
        own, at = (each[numbers[at, place % 2] == sentence[own]] for each in (own, at))
        shared[place, at, relation[own]] = edges[own]
    return RelationEdges(known.tolist(), whole, shared)
