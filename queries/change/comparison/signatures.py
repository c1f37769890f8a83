"""Which scores of several submissions were computed alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement


@dataclass(frozen=True)
class StoredScore:
    """A submission's score and how it was computed."""

    metric: str
    submission_id: str
    signature_id: str
    parameters: str
    text_level: str
    tokeniser: str
    versions: str
    data_sha256: str
    score: float | None
    undefined_reason: str | None

    @property
    def way(self) -> tuple[str, str, str, str]:
        """How it was computed, whatever the references."""
        return self.parameters, self.text_level, self.tokeniser, self.versions


Scores = Mapping[tuple[str, str], Sequence[StoredScore]]
"""By metric and submission, the newest first."""


@dataclass(frozen=True)
class Alike:
    """A score by one metric of each submission."""

    scores: Sequence[StoredScore]
    """In the order of the submissions."""
    comparable: bool
    """Whether all were computed alike."""
    newest: bool
    """Whether each is the submission's newest."""


def read_scores(database: Database, submissions: Sequence[str]) -> Scores:
    """Return all scores of some submissions, superseded ones included."""
    rows = database.connection.execute(
        statement("compared_scores"), {"submissions": list(submissions)}
    ).fetchall()
    found: dict[tuple[str, str], list[StoredScore]] = {}
    for row in rows:
        score = StoredScore(*row)
        found.setdefault((score.metric, score.submission_id), []).append(score)
    return found


def scored_alike(
    scores: Scores, metric: str, submissions: Sequence[str], *, same_references: bool
) -> Alike | None:
    """Return the newest scores by a metric that were computed alike; None where one has no score.

    Where no way of computing is common to all, their newest scores are returned as not comparable.
    """
    of_each = [scores.get((metric, submission), []) for submission in submissions]
    if not all(of_each):
        return None
    newest = [of_one[0] for of_one in of_each]
    for first in of_each[0]:
        same = [
            next((other for other in of_one if _alike(first, other, same_references)), None)
            for of_one in of_each
        ]
        found = [score for score in same if score is not None]
        if len(found) == len(same):
            return Alike(found, comparable=True, newest=found == newest)
    return Alike(newest, comparable=False, newest=True)


def _alike(one: StoredScore, other: StoredScore, same_references: bool) -> bool:
    return one.way == other.way and (not same_references or one.data_sha256 == other.data_sha256)
