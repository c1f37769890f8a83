"""Scores that are means over trials, such as seeds and samples: intervals and tests of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ....schema.database import Database
from ....schema.statements import read_tuples
from ...functions.statistics import Floats, Integers
from ...metrics import Formula
from ...metrics.formulas import read_sentences, score_sums
from ..significance.replicates import drawn_sums
from .model import Settings

TRIAL_TEST = "t test over {unit}s and trials"
_SMALLEST = 1e-16


def read_trials(
    database: Database, formula: Formula, scored: Sequence[tuple[str, str]]
) -> list[list[tuple[Integers, Floats]]]:
    """Return the statistics of all trials of scores, given as submissions with signatures.

    The first trial is the submission itself; further ones are those that have a score under the
    signature. Each comes as ``read_sentences`` returns it.
    """
    submissions, signatures = (list(names) for names in zip(*scored, strict=True))
    rows = read_tuples(database, "trials_of_scores", submissions=submissions, signatures=signatures)
    read = read_sentences(database, formula.statement, [(name, key) for _, name, key in rows])
    trials: list[list[tuple[Integers, Floats]]] = [[] for _ in scored]
    for (place, *_), sentences in zip(rows, read, strict=True):
        trials[place].append(sentences)
    return trials


def with_trials(database: Database, scored: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return those of the scores, submissions with signatures, that have several trials."""
    keys = [*scored]
    submissions, signatures = ([key[part] for key in keys] for part in (0, 1))
    rows = read_tuples(database, "trials_of_scores", submissions=submissions, signatures=signatures)
    return {keys[place] for place, trials in Counter(row[0] for row in rows).items() if trials > 1}


@dataclass(frozen=True)
class Trials:
    """The scores of all trials of a submission."""

    scores: Floats
    """Shape (trials): of the test set as it is; NaN where undefined."""
    drawn: Floats
    """Shape (replicates, trials): of resampled test sets, the same for all submissions."""

    @property
    def mean(self) -> float:
        """The score of the submission."""
        return float(self.scores.mean())

    @property
    def sd(self) -> float | None:
        """The standard deviation of trials' scores; None of a single one."""
        return float(self.scores.std(ddof=1)) if len(self.scores) > 1 else None


@dataclass(frozen=True)
class Estimate:
    """A score that is a mean over trials, or the difference of two."""

    value: float
    low: float
    """The ends of its interval; NaN where a resampled test set has no score."""
    high: float
    p_value: float
    """Two-sided, that it is 0."""
    sentence_p_value: float
    """The same if no trial differed from others."""


def trial_scores(
    database: Database, formula: Formula, sides: Sequence[Floats], settings: Settings
) -> list[Trials]:
    """Return the scores of submissions' trials, given as statistics (trials, clusters, k)."""
    statistics = np.concatenate(sides)
    drawn = drawn_sums(statistics, settings.replicates, settings.seed)
    sums = np.concatenate([statistics.sum(axis=1)[np.newaxis], drawn])
    scores = score_sums(database, formula, sums)
    ends = np.cumsum([len(side) for side in sides])[:-1]
    return [Trials(part[0], part[1:]) for part in np.split(scores, ends, axis=1)]


def estimate(new: Trials, base: Trials | None, clusters: int, level: float) -> Estimate:
    """Return a submission's score, or its difference from base's, with interval and p-value.

    Its variance is that over sentences, the bootstrap's of the mean over trials, and that over
    trials, theirs by their number: the two ways of a crossed design (Owen 2007), of which each
    counts a little of the other, so that the sum is rather too large. Student's t has the degrees
    of freedom of such a sum (Satterthwaite 1946): a percentile of resampled trials would be far too
    short for few of them. A side with a single trial is taken to vary as the other does.
    """
    from scipy.special import stdtr, stdtrit

    sides = [new] if base is None else [new, base]
    value = new.mean - (base.mean if base else 0.0)
    drawn = new.drawn.mean(axis=1) - (base.drawn.mean(axis=1) if base else 0.0)
    of_sentences = float(drawn.var(ddof=1)) * clusters / (clusters - 1)
    spread = [side.scores.var(ddof=1) for side in sides if len(side.scores) > 1]
    parts: list[tuple[float, float]] = [(of_sentences, clusters - 1)]
    if len(spread) == len(sides):
        parts += [
            (variance / len(side.scores), len(side.scores) - 1)
            for variance, side in zip(spread, sides, strict=True)
        ]
    elif spread:
        most = max(len(side.scores) for side in sides)
        parts.append((spread[0] * sum(1 / len(side.scores) for side in sides), most - 1))
    variance = float(sum(part for part, _ in parts))
    squares = sum(part**2 / degrees for part, degrees in parts)
    freedom = variance**2 / squares if squares > 0 else float(clusters - 1)
    half = float(stdtrit(freedom, (1 + level) / 2)) * variance**0.5

    def p_value(of: float, degrees: float) -> float:
        if np.isnan(of) or np.isnan(value):
            return float("nan")
        if of == 0:
            return 1.0 if value == 0 else _SMALLEST
        return max(2 * float(stdtr(degrees, -abs(value) / of**0.5)), _SMALLEST)

    return Estimate(
        value,
        value - half,
        value + half,
        p_value(variance, freedom),
        p_value(of_sentences, clusters - 1),
    )


def informative(sides: Sequence[Floats]) -> int:
    """Return of how many clusters some trials have other statistics, (trials, clusters, k)."""
    statistics = np.concatenate(sides)
    return int((statistics != statistics[:1]).any(axis=(0, 2)).sum())
