"""Several submissions side by side: who is better than whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ...clusters import Clusters, cluster_sums, clusters
from ...functions.statistics import Floats, Integers, holm_by_family
from ...metrics import metric_named
from ...metrics.formulas import OTHER_FORMULA, formula_of
from ...metrics.registry import direction
from ..significance.intervals import (
    FEWEST_INFORMATIVE,
    FEWEST_SENTENCES,
    reason_of,
    too_few_clusters,
)
from ..significance.replicates import number_of
from .model import Settings, Side
from .paired import TEST, paired_tests
from .samples import NO_STATISTICS, not_scored, same_scores, statistics_scores
from .sides import (
    IncomparableError,
    Pairing,
    objections,
    read_scores,
    read_sides,
    refusal,
    scored_alike,
)
from .trials import TRIAL_TEST, estimate, informative, read_trials, trial_scores

FEWEST = 2
MOST_REPLICATES = 10_000
NUMBERS_AT_ONCE = 8_000_000
_Ends: TypeAlias = tuple[float | None, float | None]
_Test: TypeAlias = tuple[float, float, float, float, int]
"""A difference, the ends of its interval, its p-value, and how many sentences or clusters differ;
NaN where there is none."""


@dataclass(frozen=True)
class Ranked:
    """A submission's place."""

    side: Side
    score: float | None
    low: float | None
    """Lower end of the score's bootstrap interval."""
    high: float | None
    cluster: int | None
    """From 1: a new one starts where a submission differs significantly from all above it."""
    undefined_reason: str | None = None


@dataclass(frozen=True)
class Pair:
    """Two submissions compared, the better one first."""

    submission_id: str
    other_submission_id: str
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_holm: float | None
    """Corrected over all pairs."""
    undefined_reason: str | None = None

    def is_significant(self, alpha: float) -> bool:
        """Return whether they differ by more than chance after correction."""
        return self.p_holm is not None and self.p_holm < alpha


@dataclass(frozen=True)
class Sentences:
    """A score and the sufficient statistics it comes from."""

    score: float
    sentence_nos: Integers
    trials: Floats
    """Its statistics, of the shape (trials, clusters, k): one trial where there are no others."""


@dataclass(frozen=True)
class Ranking:
    """Submissions to one treebank by one metric, best first."""

    metric: str
    ranked: Sequence[Ranked]
    pairs: Sequence[Pair]
    """Every two of them, in the order of the ranking."""
    sentences: int
    replicates: int
    """As many as the settings say, more where so many pairs could not differ otherwise."""
    test: str
    resampling_unit: str
    """What was drawn and swapped whole: document, text or sentence."""
    clusters: int
    """How many of these the sentences are of."""
    objections: Sequence[str] = ()


@dataclass(frozen=True, repr=False)
class Rankings(Brief):
    """How several submissions rank, by one metric or more."""

    rankings: Sequence[Ranking]
    settings: Settings


def rank(
    database: Database, submissions: Sequence[str], metric: str, settings: Settings
) -> Ranking:
    """Return submissions in the order of their scores by a metric, with clusters and pairs.

    Every two are tested by approximate randomisation; p-values are corrected over all pairs
    (Holm). A submission starts a new cluster where it differs significantly from all above it.
    Those that cannot be tested come last, without a cluster.

    Raises InputError for fewer than two submissions or one given twice, UnknownNameError for what
    is not there, IncomparableError where treebanks differ, or anything else does that must be the
    same and the settings do not force it.
    """
    metric_named(metric)
    if len(submissions) < FEWEST or len({*submissions}) < len(submissions):
        raise InputError("a ranking is of two or more different submissions")
    sides = dict(zip(submissions, read_sides(database, submissions), strict=True))
    against = _objections(database, sides, metric, settings)
    of_treebank = clusters(
        database, sides[submissions[0]].treebank_id, unit=settings.resampling_unit
    )
    read = read_alike(database, submissions, metric, of_treebank)
    usable = {name: sample for name, sample in read.items() if isinstance(sample, Sentences)}
    order = sorted(
        usable,
        key=lambda name: (
            -direction(metric) * usable[name].score,
            sides[name].system_id,
            sides[name].iteration,
        ),
    )
    replicates = replicates_for(len(order), settings)
    settings = replace(settings, replicates=replicates)
    samples = [usable[name] for name in order]
    pairs, ends = _tested(database, metric, samples, order, settings, of_treebank.unit)
    places = _clusters(order, pairs, settings.alpha)
    last = sorted(name for name in submissions if name not in usable)
    return Ranking(
        metric=metric,
        ranked=[
            *(
                Ranked(sides[name], usable[name].score, *ends[place], places[place])
                for place, name in enumerate(order)
            ),
            *(Ranked(sides[name], None, None, None, None, str(read[name])) for name in last),
        ],
        pairs=pairs,
        sentences=max((len(sample.sentence_nos) for sample in usable.values()), default=0),
        replicates=replicates,
        test=(TRIAL_TEST if any(len(sample.trials) > 1 for sample in samples) else TEST).format(
            unit=of_treebank.unit
        ),
        resampling_unit=of_treebank.unit,
        clusters=max((sample.trials.shape[1] for sample in samples), default=0),
        objections=against,
    )


def _objections(
    database: Database, sides: Mapping[str, Side], metric: str, settings: Settings
) -> list[str]:
    first, *others = sides
    pairs = [
        (name, objection)
        for name in others
        for objection in objections(Pairing(database, sides[name], sides[first]), [metric])
    ]
    same_treebank = len({side.treebank_id for side in sides.values()}) == 1
    if not same_treebank:
        treebanks = sorted({side.treebank_id for side in sides.values()})
        raise IncomparableError(
            f"a ranking needs one treebank, these are {len(treebanks)}: {', '.join(treebanks)}",
            hint="compare them two by two",
        )
    if pairs and not settings.force:
        name, _ = pairs[0]
        raise refusal(name, first, [objection for other, objection in pairs if other == name])
    return [f"{name} and {first}: {objection}" for name, objection in pairs]


def read_alike(
    database: Database, submissions: Sequence[str], metric: str, clusters: Clusters
) -> dict[str, Sentences | str]:
    """Return the statistics of each submission, or why it has none."""
    scores = read_scores(database, submissions)
    read: dict[str, Sentences | str] = {
        name: not_scored(scores, metric, [name]) for name in submissions
    }
    scored = [name for name in submissions if (metric, name) in scores]
    alike = scored_alike(scores, metric, scored, same_references=True) if scored else None
    if alike is None:
        return read
    statistics_of = statistics_scores(scores, metric, alike.scores, same_references=True)
    expected: Integers | None = None
    for place, score in enumerate(alike.scores):
        name = score.submission_id
        if statistics_of is None or score.score is None:
            read[name] = score.undefined_reason or NO_STATISTICS
            continue
        formula, signature = formula_of(metric), statistics_of[place].signature_id
        (trials,) = read_trials(database, formula, [(name, signature)])
        numbers = trials[0][0]
        expected = numbers if expected is None else expected
        if not len(numbers) or not all(np.array_equal(own, expected) for own, _ in trials):
            read[name] = NO_STATISTICS
        elif len(np.unique(clusters.of(numbers))) < FEWEST_SENTENCES:
            read[name] = too_few_clusters(clusters.unit)
        elif not same_scores(
            database, formula, [statistics := np.stack([own for _, own in trials])], [score.score]
        ):
            read[name] = OTHER_FORMULA
        else:
            sums = cluster_sums(statistics, clusters.of(numbers))
            read[name] = Sentences(score.score, numbers, sums)
    return read


def replicates_for(submissions: int, settings: Settings) -> int:
    """Return how many replicates it takes for the smallest p-value to be significant."""
    pairs = submissions * (submissions - 1) // 2
    return max(settings.replicates, min(int(2 * pairs / settings.alpha), MOST_REPLICATES))


def _tested(
    database: Database,
    metric: str,
    samples: Sequence[Sentences],
    order: Sequence[str],
    settings: Settings,
    unit: str,
) -> tuple[list[Pair], list[_Ends]]:
    """Return all pairs of the submissions, and the ends of each score's interval."""
    if len(samples) < FEWEST:
        return [], [(None, None)] * len(samples)
    by_trials = any(len(sample.trials) > 1 for sample in samples)
    test = _tested_by_trials if by_trials else _tested_by_swaps
    tests, ends = test(database, metric, samples, settings)
    p_values = [number_of(p_value) for *_, p_value, _ in tests]
    corrected = holm_by_family(p_values, [None] * len(tests))
    pairs = []
    for place, (one, other) in enumerate(combinations(order, 2)):
        *numbers, _, differing = tests[place]
        difference, low, high = (number_of(number) for number in numbers)
        if differing < FEWEST_INFORMATIVE:
            low = high = None
        reason = reason_of(p_values[place], differing, unit)
        tested = (difference, low, high, p_values[place], corrected[place], reason)
        pairs.append(Pair(one, other, *tested))
    return pairs, [(number_of(low), number_of(high)) for low, high in ends]


def _tested_by_swaps(
    database: Database, metric: str, samples: Sequence[Sentences], settings: Settings
) -> tuple[list[_Test], list[tuple[float, float]]]:
    """Return the test of every two of the submissions, and the ends of their scores' intervals."""
    statistics = np.stack([sample.trials[0] for sample in samples])
    numbers_per_sample = settings.replicates * statistics.shape[-1]
    at_once = max(NUMBERS_AT_ONCE // numbers_per_sample, 1)
    places = [*combinations(range(len(samples)), 2)]
    tests: list[_Test] = []
    for start in range(0, len(places), at_once):
        some = places[start : start + at_once]
        (tested,) = paired_tests(database, [(formula_of(metric), statistics)], some, settings)
        differences = [samples[one].score - samples[other].score for one, other in some]
        ends = (tested.difference_low, tested.difference_high)
        tests += zip(differences, *ends, tested.p_values, tested.informative, strict=True)
    return tests, [*zip(tested.low, tested.high, strict=True)]


def _tested_by_trials(
    database: Database, metric: str, samples: Sequence[Sentences], settings: Settings
) -> tuple[list[_Test], list[tuple[float, float]]]:
    """Return the same of submissions of which some have several trials."""
    sides = [sample.trials for sample in samples]
    number = sides[0].shape[1]
    scores = trial_scores(database, formula_of(metric), sides, settings)
    tests = []
    for one, other in combinations(range(len(samples)), 2):
        result = estimate(scores[one], scores[other], number, settings.level)
        differing = informative([sides[one], sides[other]])
        tests.append((result.value, result.low, result.high, result.p_value, differing))
    ends = [estimate(of_one, None, number, settings.level) for of_one in scores]
    return tests, [(end.low, end.high) for end in ends]


def _clusters(order: Sequence[str], pairs: Sequence[Pair], alpha: float) -> list[int]:
    """Return the cluster of each submission, from 1."""
    differs = {
        (pair.submission_id, pair.other_submission_id)
        for pair in pairs
        if pair.is_significant(alpha)
    }
    starts = [
        all((above, name) in differs for above in order[:place]) for place, name in enumerate(order)
    ]
    return [sum(starts[: place + 1]) for place in range(len(order))]
