"""What changed against the parent, for many submissions at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from sr_tracker.queries.change.comparison.edge_test import sign_flip_p_values
from sr_tracker.queries.functions.statistics import holm
from sr_tracker.queries.reading import read_about
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.experiments.submissions import Submission


@dataclass(frozen=True)
class RelationMove:
    """How the accuracy of one relation changed."""

    deprel: str
    difference: float
    gained: int
    lost: int
    p_holm: float


Scores = Mapping[str, Mapping[str, tuple[float, str]]]
"""Score and signature, by submission and metric."""
Moves = Mapping[str, Sequence[RelationMove]]
"""By submission; one whose edges are not scored as its parent's is not in it."""


def read_scores(database: Database, submissions: Sequence[Submission]) -> Scores:
    """Return the defined scores of submissions and of those they are compared with."""
    wanted = {found.submission_id for found in submissions} | set(_bases(submissions).values())
    found: dict[str, dict[str, tuple[float, str]]] = defaultdict(dict)
    for row in read_about(database, "submission_metrics", sorted(wanted)).to_pylist():
        if row["score"] is not None:
            found[row["submission_id"]][row["metric"]] = (row["score"], row["signature"])
    return found


def read_moves(database: Database, submissions: Sequence[Submission]) -> Moves:
    """Return how every relation changed against the parent, by an exact test over sentences.

    The test is that of ``relation_changes``, corrected over a submission's relations (Holm); it
    needs counts only, so that one statement reads them for all.
    """
    bases = _bases(submissions)
    rows = read_rows(
        database,
        "relations_against_base",
        submissions=list(bases),
        bases=list(bases.values()),
    )
    return {
        submission_id: _moves(list(group))
        for submission_id, group in groupby(rows, key=lambda row: str(row["submission_id"]))
    }


def _bases(submissions: Sequence[Submission]) -> dict[str, str]:
    return {
        found.submission_id: str(found["base_submission_id"])
        for found in submissions
        if found["base_submission_id"] is not None
    }


def _moves(rows: Sequence[Row]) -> list[RelationMove]:
    relations = [
        (deprel, list(group)) for deprel, group in groupby(rows, key=lambda row: str(row["deprel"]))
    ]
    p_values = [
        sign_flip_p_values(
            np.repeat([row["net"] for row in group], [row["sentences"] for row in group])[
                :, np.newaxis
            ]
        )[0]
        for _, group in relations
    ]
    moves = []
    for (deprel, group), p_holm in zip(relations, holm(np.array(p_values)), strict=True):
        edges, gained, lost = (
            sum(row[name] for row in group) for name in ("edges", "gained", "lost")
        )
        moves.append(RelationMove(deprel, (gained - lost) / edges, gained, lost, float(p_holm)))
    return moves
