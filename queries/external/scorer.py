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
    database: Database, scorer: Scorer, submissions: Sequence[str], progress: Progress
) -> list[StoredScores]:
    """Score the submissions that a scorer did not score yet, one after the other.

    What is stored stays where a later one fails or is interrupted. Raises what ``needed_items``
    does.
    """
    stored = []
    for submission_id in unscored(database, scorer.scoring, submissions):
        items = needed_items(database, scorer.scoring, [submission_id])
        stored.append(store_scores(database, scorer.scoring, items, scorer.score(items, progress)))
    return stored


def unscored(database: Database, scoring: ExternalScoring, submissions: Sequence[str]) -> list[str]:
    """Return those of some submissions that have outputs, and no scores computed in this way."""
    name = external_name(database, scoring.name or scoring.label)
    rows = read_tuples(database, "unscored_submissions", metric=name, submissions=list(submissions))
    return [
        submission_id
        for submission_id, treebank_id, sha256, scored in rows
        if external_signature(name, scoring, treebank_id, sha256).signature_id not in (scored or ())
    ]


def needed_items(
    database: Database, scoring: ExternalScoring, submissions: Sequence[str]
) -> list[Item]:
    """Return the outputs of submissions with what a scorer compares them with.

    Raises InputError where a sentence lacks the source or the reference that is needed.
    """
    rows = read_tuples(database, "scored_items", submissions=list(submissions))
    items = [Item(*row) for row in rows]
    for name, inputs in (("source", (SOURCE, BOTH)), ("reference", (REFERENCE, BOTH))):
        lacking = [each for each in items if not getattr(each, name)]
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
) -> StoredScores:
    """Store the scores of items, in place of what the same scorer gave other outputs before."""
    given = [
        {"submission_id": item.submission_id, "sentence_no": item.sentence_no, "score": score}
        for item, score in zip(items, scores, strict=True)
        if score is not None
    ]
    table = pa.Table.from_pylist(given, schema=SENTENCES)
    return store_external(database, scoring, table, source=scoring.label, replace=True)
