"""What submissions score, and what changed against their parents, as runs in MLflow show it.

All of it is read for many submissions at once; comparisons are those that are stored.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...queries.change.comparison.model import (
    Comparison,
    SentenceChange,
    Settings,
    Side,
)
from ...queries.change.comparison.stored import (
    missing_comparisons,
    store,
    stored_comparisons,
)
from ...queries.metrics.registry import direction, metrics, tabled_metrics, usual_metrics
from ...queries.reading import read_about
from ...schema.database import Database
from ...schema.errors import DatabaseUnavailableError
from ...schema.progress import Progress
from ...schema.statements import read_rows
from .submissions import Submission, headlines

CHANGED = 5
"""Sentences that are written out of those that gained, or lost, most."""
FEWEST_WORDS = 5
"""Of the worst sentences."""
_TABLES = {
    "submission_metrics": ("submission_metrics", "submission_id, metric"),
    "dea_by_relation": ("dea_by_relation", "submission_id, dea, deprel"),
    "sentence_scores": ("output_scores", "submission_id, sentence_no"),
    "correlations": ("measure_correlations", "submission_id, method, unit, measure, other_measure"),
}
"""Tables that go along, of each the view and the order of its rows."""


@dataclass(frozen=True)
class Numbers:
    """What is measured of a whole submission, by measure; what is undefined is not in it."""

    metrics: dict[str, float]
    """What runs are compared by: the headlines, and the campaign's primary metrics."""
    others: dict[str, float]
    """Other metrics, human means and parts of metrics, such as accuracies by relation."""


@dataclass(frozen=True)
class Results:
    """The results of one submission."""

    numbers: Numbers
    scores: dict[str, float]
    """By metric; what is undefined is not in it."""
    signatures: dict[str, str]
    """By metric."""
    trial_sds: dict[str, float]
    """By metric, of those with several trials."""
    tables: dict[str, pa.Table]


def read_numbers(database: Database, submissions: Sequence[str]) -> dict[str, Numbers]:
    """Return the finite numbers of whole submissions, by submission."""
    numbers: dict[str, Numbers] = defaultdict(lambda: Numbers({}, {}))
    first = headlines()
    for row in read_rows(database, "logged_metrics", submissions=list(submissions)):
        if row["value"] is not None and math.isfinite(row["value"]):
            of_one = numbers[row["submission_id"]]
            is_metric = row["measure"] in first or row["is_primary"]
            where = of_one.metrics if is_metric else of_one.others
            where[row["measure"]] = float(row["value"])
    return numbers


def read_results(
    database: Database, submissions: Sequence[str], numbers: Mapping[str, Numbers]
) -> dict[str, Results]:
    """Return the results of some submissions by their ids, read in one go.

    ``numbers`` are theirs, as ``read_numbers`` gives them.
    """
    tables = {
        name: read_about(database, view, submissions, order)
        for name, (view, order) in _TABLES.items()
    }
    own = {name: by_submission(table) for name, table in tables.items()}
    results = {
        submission: Results(
            numbers.get(submission, Numbers({}, {})),
            {},
            {},
            {},
            {name: own[name].get(submission, table.slice(0, 0)) for name, table in tables.items()},
        )
        for submission in submissions
    }
    for row in tables["submission_metrics"].to_pylist():
        of_one = results[row["submission_id"]]
        of_one.signatures[row["metric"]] = row["signature"]
        if row["score"] is not None:
            of_one.scores[row["metric"]] = row["score"]
        if row["trial_sd"] is not None:
            of_one.trial_sds[row["metric"]] = row["trial_sd"]
    return results


def by_submission(table: pa.Table) -> dict[str, pa.Table]:
    """Return a table in pieces, none of them copied; a submission's rows follow each other."""
    if not table.num_rows:
        return {}
    runs = pc.run_end_encode(table["submission_id"].combine_chunks())
    ends = runs.run_ends.to_pylist()
    return {
        submission: table.slice(start, end - start)
        for submission, start, end in zip(runs.values.to_pylist(), [0, *ends], ends, strict=False)
    }


Moves = Mapping[str, Comparison]
"""What changed against the base, by submission; one whose comparison is not stored is not in it."""


def read_moves(database: Database, submissions: Sequence[Submission]) -> Moves:
    """Return the stored comparison of each submission with its base."""
    stored = stored_comparisons(database, pairs_of(submissions))
    return {new: comparison for (new, _), comparison in stored.items()}


def pairs_of(submissions: Sequence[Submission]) -> list[tuple[str, str]]:
    """Return the ids of submissions and of what they are compared with, where there is such."""
    return [
        (submission.submission_id, str(submission["base_submission_id"]))
        for submission in submissions
        if submission["base_submission_id"] is not None
    ]


def keep_missing(database: Database, submissions: Sequence[Submission], progress: Progress) -> bool:
    """Store the comparisons of submissions with their bases that are not; return whether any was.

    Where the file is only read, or others hold it, runs say that they are not compared.
    """
    with database.opened(read_only=True):
        missing = missing_comparisons(
            database, pairs_of(submissions), usual_metrics(), progress=progress
        ).rows
    if missing:
        with suppress(DatabaseUnavailableError), database.opened(read_only=False):
            return store(database, missing) > 0
    return False


def with_sentences(
    new: Submission,
    base: Submission,
    moves: Moves,
    gained: Sequence[SentenceChange],
    lost: Sequence[SentenceChange],
    metric: str,
) -> Comparison:
    """Return the stored comparison of a submission with its base, and the sentences that moved.

    Sentences ``gained`` and ``lost`` by the ``metric``. Where no comparison is stored, what is
    returned says so.
    """
    stored = moves.get(new.submission_id)
    if stored is None:
        names = f"{new.submission_id} {base.submission_id}"
        stored = Comparison(
            new=_side(new),
            base=_side(base),
            settings=Settings(),
            sentences=new["sentences"],
            matched_by="sentence",
            objections=(),
            verdict=[
                f"Not compared with {base.submission_id}: 'tracker compare {names}' shows why."
            ],
        )
    settings = replace(stored.settings, sentence_metric=metric, sentences=len(gained))
    return replace(stored, settings=settings, gained=gained, lost=lost)


def _side(submission: Submission) -> Side:
    return Side(
        submission_id=submission.submission_id,
        campaign_id=submission["campaign_id"],
        year=None,
        system_id=submission["system_id"],
        iteration=submission["iteration"],
        treebank_id=submission["treebank_id"],
        language=submission["language"],
        reference_form=submission["reference_form"],
        analysis=submission["analysis"],
        created_at=submission.created_at,
    )


@dataclass(frozen=True)
class Scored:
    """A submission's sentences by number, with their scores; NaN where undefined."""

    numbers: np.ndarray[Any, np.dtype[np.int64]]
    scores: np.ndarray[Any, np.dtype[np.float64]]
    lengths: np.ndarray[Any, np.dtype[np.float64]]
    """Words of their references; NaN where there is no tree."""
    metric: str

    def worst(self, many: int) -> list[int]:
        """Return so many sentences that score worst, those that score perfectly left out.

        So are short ones, of which a score of word sequences says little. Of equal ones the longest
        stands first: most is lost there.
        """
        better, metric = direction(self.metric), metrics()[self.metric]
        best = metric.highest if better > 0 else metric.lowest
        scores = better * self.scores
        low = scores < (np.inf if best is None else better * best)
        low &= ~(self.lengths < FEWEST_WORDS)
        order = np.lexsort((-self.lengths[low], scores[low]))[:many]
        return [int(number) for number in self.numbers[low][order]]


@dataclass(frozen=True)
class Moved:
    """A sentence whose score changed."""

    number: int
    new: float
    base: float


def scored(rows: pa.Table, metric: str) -> Scored:
    """Return the sentences of a submission's rows of the view output_scores, in their order."""
    numbers = rows["sentence_no"].to_numpy()
    scores, lengths = (rows[name].to_numpy().astype(float) for name in (metric, "length"))
    order = np.argsort(numbers, kind="stable")
    return Scored(numbers[order], scores[order], lengths[order], metric)


def judged_by(usual: Sequence[str], *runs: pa.Table) -> str:
    """Return by which metric sentences of a submission are the worst, or of two gain and lose.

    It is the first of the ``usual`` metrics that they have, else any that they have.
    """
    names = [*usual, *(metric.name for metric in tabled_metrics())]
    return next(
        (name for name in names if all(rows[name].null_count < len(rows) for rows in runs)),
        usual[0],
    )


def moved(new: Scored, base: Scored) -> tuple[list[Moved], list[Moved]]:
    """Return the sentences that gained most, and those that lost most, the furthest first."""
    _, ours, theirs = np.intersect1d(
        new.numbers, base.numbers, assume_unique=True, return_indices=True
    )
    change = direction(new.metric) * (new.scores[ours] - base.scores[theirs])

    def furthest(sign: int) -> list[Moved]:
        there = np.flatnonzero(sign * change > 0)
        first = there[np.argsort(-sign * change[there], kind="stable")[:CHANGED]]
        return [
            Moved(
                int(new.numbers[ours[place]]),
                float(new.scores[ours[place]]),
                float(base.scores[theirs[place]]),
            )
            for place in first
        ]

    return furthest(1), furthest(-1)
