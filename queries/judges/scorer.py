"""What computes scores by a model, and the one way in which it is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.progress import Progress
from ...schema.statements import read_tuples
from ..metrics.external import (
    SENTENCES,
    ExternalScoring,
    StoredScores,
    external_name,
    external_signature,
    store_external,
)
from ..metrics.signatures import settle

REFERENCE, SOURCE, BOTH = "reference", "src", "src+reference"
"""With what outputs are compared, as signatures say it."""


@dataclass(frozen=True)
class Item:
    """An output with what it is compared with."""

    submission_id: str
    sentence_no: int
    source: str | None
    output: str | None
    """None: the submission has no output for the sentence."""
    reference: str | None


class Scorer(Protocol):
    """What gives outputs scores."""

    @property
    def scoring(self) -> ExternalScoring:
        """What its scores are, and all that tells them from others."""

    def score(self, items: Sequence[Item], progress: Progress) -> list[float | None]:
        """Return a score for each item; None where it has none."""


def run_scorer(
    database: Database,
    scorer: Scorer,
    submissions: Sequence[str],
    *,
    elect: bool = False,
    progress: Progress,
) -> list[StoredScores]:
    """Score the submissions that a scorer did not score yet, one after the other.

    What is stored stays where a later one fails or is interrupted. ``elect`` lets the scores be
    the score of the test sets where those of another model or version are. Raises what
    ``needed_items`` does.
    """
    stored = []
    for submission_id in unscored(database, scorer.scoring, submissions):
        items = needed_items(database, scorer.scoring, [submission_id])
        scores = scorer.score(items, progress)
        stored.append(store_scores(database, scorer.scoring, items, scores, elect=elect))
    if elect:
        elect_scoring(database, scorer.scoring, submissions)
    return stored


def unscored(database: Database, scoring: ExternalScoring, submissions: Sequence[str]) -> list[str]:
    """Return those of some submissions that have outputs, and no scores computed in this way."""
    return [name for name, _, scored in _ways(database, scoring, submissions) if not scored]


def elect_scoring(database: Database, scoring: ExternalScoring, submissions: Sequence[str]) -> None:
    """Let scores that some submissions have, computed in this way, be the score."""
    ways = _ways(database, scoring, submissions)
    signatures = dict.fromkeys(signature_id for _, signature_id, scored in ways if scored)
    settle(database, list(signatures), elect=True)


def _ways(
    database: Database, scoring: ExternalScoring, submissions: Sequence[str]
) -> list[tuple[str, str, bool]]:
    """Return submissions with outputs, the signatures they have, and whether scores are there."""
    name = external_name(database, scoring.name or scoring.label)
    rows = read_tuples(database, "unscored_submissions", metric=name, submissions=list(submissions))
    ways = [
        (row[0], external_signature(name, scoring, row[1], row[2]).signature_id, row[3] or ())
        for row in rows
    ]
    return [(submission_id, way, way in scored) for submission_id, way, scored in ways]


def needed_items(
    database: Database, scoring: ExternalScoring, submissions: Sequence[str]
) -> list[Item]:
    """Return the outputs of submissions with what a scorer compares them with.

    Raises InputError where a sentence lacks the source or the reference that is needed.
    """
    rows = read_tuples(database, "scored_items", submissions=list(submissions))
    items = [Item(*row) for row in rows]
    for name, inputs in (("source", (SOURCE, BOTH)), ("reference", (REFERENCE, BOTH))):
        lacking = [item for item in items if not getattr(item, name)]
        if scoring.input in inputs and lacking:
            raise InputError(
                f"{plural(len(lacking), 'sentence')} without a {name}, the first is "
                f"{lacking[0].sentence_no} of '{lacking[0].submission_id}'",
                hint=f"{scoring.label} needs it: 'tracker ingest references --sources FILE' gives "
                "sentences their sources",
            )
    return items


def store_scores(
    database: Database,
    scoring: ExternalScoring,
    items: Sequence[Item],
    scores: Sequence[float | None],
    *,
    elect: bool = False,
) -> StoredScores:
    """Store the scores of items, in place of what the same scorer gave other outputs before."""
    rows = [
        {"submission_id": item.submission_id, "sentence_no": item.sentence_no, "score": score}
        for item, score in zip(items, scores, strict=True)
    ]
    table = pa.Table.from_pylist(rows, schema=SENTENCES)
    return store_external(database, scoring, table, source=scoring.label, replace=True, elect=elect)
