"""The sentences that a run's pages show: the worst, and those that gained and lost most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...queries.errors.example_reading import Example, Word, example_of
from ...queries.metrics.registry import direction, metrics, tabled_metrics, usual_metrics
from ...schema.statements import read_rows
from .submissions import PRIMARY

if TYPE_CHECKING:
    import pyarrow as pa

    from ...schema.database import Database

WORST, CHANGED = 10, 5
"""Sentences that are written out: the worst, and those that gained, or lost, most."""
FEWEST_WORDS = 5
"""Of the worst sentences."""
Key = tuple[str, int]
Examples = Mapping[Key, Example]


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
    """Return the sentences of a submission's rows of the view sentence_scores, in their order."""
    numbers = rows["sentence_no"].to_numpy()
    scores, lengths = (rows[name].to_numpy().astype(float) for name in (metric, "length"))
    order = np.argsort(numbers, kind="stable")
    return Scored(numbers[order], scores[order], lengths[order], metric)


def judged_by(*runs: pa.Table) -> str:
    """Return by which metric sentences of a submission are the worst, or of two gain and lose.

    It is the one that runs are looked at by where they have it, such as where there are trees to
    count edges in, else the first of the usual metrics that they have.
    """
    known = [PRIMARY, *usual_metrics(), *(each.name for each in tabled_metrics())]
    return next(
        (name for name in known if all(rows[name].null_count < len(rows) for rows in runs)), PRIMARY
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


def read_examples(database: Database, keys: Iterable[Key]) -> Examples:
    """Return the outputs of these submissions for these sentences, with all that is shown."""
    wanted = sorted(set(keys))
    rows = read_rows(
        database,
        "logged_examples",
        submissions=[submission for submission, _ in wanted],
        sentence_nos=[number for _, number in wanted],
    )
    return {(row["submission_id"], row["sentence_no"]): _example(row) for row in rows}


def _example(row: Mapping[str, Any]) -> Example:
    found = dict(zip(row["edges"] or (), row["found"] or (), strict=False))
    words = [
        Word(
            token_no=word["token_no"],
            form=word["form"],
            lemma=word["lemma"],
            upos=word["upos"],
            xpos=word["xpos"],
            deprel=word["deprel"],
            head=word["head"],
            found=bool(found[word["token_no"]]) if word["token_no"] in found else None,
            misplaced=found.get(word["token_no"]) == 0 and word["both_there"],
        )
        for word in row["words"]
        if not word["is_punctuation"]
    ]
    forms = [word["form"] for word in row["words"] if word["form"] is not None]
    texts = (row["sent_id"], row["reference"], row["output"], forms, row["output_words"])
    return example_of(texts, row["sentence_no"], words=words)
