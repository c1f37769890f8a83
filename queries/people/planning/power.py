"""How many sentences and annotators it takes to tell two systems apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sr_tracker.queries.people.human_scores import RANK_SUM, SIGNED_RANK
from sr_tracker.queries.people.planning import Judged, Planned, read_judged
from sr_tracker.queries.people.planning.variance import (
    SAME,
    Components,
    expected_power,
    needed_items,
    variance_components,
)
from sr_tracker.queries.resampling import check_resampling
from sr_tracker.schema.brief import Brief
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.progress import Progress, silent

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers

PAIRS = 10
"""Pairs of systems that evaluations are simulated with: those that differ least above what is to
be found."""
ONCE = "each output was judged once: what more annotators add cannot be told"
FAR = "no two systems judged so often differ by so much: in closed form only"
TESTS = (RANK_SUM, SIGNED_RANK)


@dataclass(frozen=True)
class PowerSettings:
    """What is to be told apart, and by how much judging."""

    difference: float
    """The true difference of two systems' means, in the scores' unit."""
    items: Sequence[int] = (50, 100, 200, 400, 800)
    """Numbers of sentences to try."""
    annotators: Sequence[int] = (1, 2, 3)
    """Numbers of judgements of each output to try."""
    power: float = 0.8
    """The chance of finding the difference that is wanted."""
    level: float = 0.05
    """A one-sided p-value below this tells systems apart."""
    test: str = RANK_SUM
    """Which test does: rank-sum or signed-rank."""
    replicates: int = 1000
    """Evaluations to simulate for each number of sentences and annotators."""
    seed: int = 12345

    def __post_init__(self) -> None:
        """Raise InputError for what cannot be resampled."""
        check_resampling(self.replicates, self.seed)


@dataclass(frozen=True)
class PowerRow:
    """The chance that an evaluation of this size finds the difference."""

    items: int
    annotators: int
    judgements: int
    """Of each system."""
    simulated: float | None
    """Share of the simulated evaluations that find it."""
    expected: float | None
    """The same in closed form."""
    undefined_reason: str | None = None


@dataclass(frozen=True)
class Needed:
    """The sentences that it takes with so many annotators."""

    annotators: int
    items: int | None
    """In closed form."""
    simulated: int | None
    """The fewest of those tried with which enough simulated evaluations find the difference."""
    undefined_reason: str | None = None


@dataclass(frozen=True, repr=False)
class PowerPlan(Brief):
    """How large an evaluation has to be."""

    campaign_id: str
    treebank_id: str
    criterion: str
    settings: PowerSettings
    components: Components
    systems: int
    rows: Sequence[PowerRow]
    needed: Sequence[Needed]


def plan_power(
    database: Database,
    planned: Planned,
    settings: PowerSettings,
    progress: Progress = silent,
) -> PowerPlan:
    """Return how likely evaluations of several sizes find a true difference, and the size needed.

    Simulated evaluations draw two systems, sentences with replacement, and judgements of each
    output from what is stored. The systems are among those that differ by as much or little more;
    on some sentences their outputs change places, so many that the difference of the means is the
    true one: all scores are such as people give, at the ends of the scale too. Where most outputs
    for a sentence were judged by the same annotator, judgements are drawn together. Beside it
    stands the closed form of ``variance``, for which scores are as good as normal. The same seed
    gives the same plan. Card et al. 2020 (With little power comes great responsibility).

    Raises InputError and UnknownNameError as ``read_judged`` does, and InputError for settings
    that make no sense.
    """
    _check(settings)
    judged = read_judged(database, planned)
    components = variance_components(judged)
    pairs = list(_pairs(judged, components))
    repeated = components.output is not None
    rows: list[PowerRow] = []
    total = len(settings.items) * len(settings.annotators)
    for annotators in settings.annotators:
        for items in settings.items:
            progress(f"{items} sentences", len(rows), total)
            if annotators > 1 and not repeated:
                rows.append(PowerRow(items, annotators, items * annotators, None, None, ONCE))
                continue
            chosen = nearest(pairs, annotators, settings.difference)
            simulated = simulate(chosen, items, annotators, settings) if chosen else None
            expected = _expected(components, items, annotators, settings)
            reason = None if chosen else FAR
            rows.append(
                PowerRow(items, annotators, items * annotators, simulated, expected, reason)
            )
    progress("simulated", total, total)
    return PowerPlan(
        judged.campaign_id,
        judged.treebank_id,
        judged.criterion,
        settings,
        components,
        len(judged.submissions),
        rows,
        [_needed(components, annotators, rows, settings) for annotators in settings.annotators],
    )


def _check(settings: PowerSettings) -> None:
    sizes = [*settings.items, *settings.annotators]
    for wrong, hint in (
        (not 0 < settings.difference < float("inf"), "a difference above 0, in the scores' unit"),
        (not 0 < settings.power < 1, "a power between 0 and 1, such as 0.8"),
        (not 0 < settings.level < 0.5, "a level between 0 and 0.5, such as 0.05"),
        (settings.test not in TESTS, f"one of the tests {', '.join(TESTS)}"),
        (not settings.items or not settings.annotators, "numbers of sentences and annotators"),
        (min(sizes, default=0) < 1, "numbers from 1"),
        (max(settings.items, default=0) > 100_000, "at most 100,000 sentences"),
        (max(settings.annotators, default=0) > 100, "at most 100 annotators of an output"),
    ):
        if wrong:
            raise InputError("power cannot be computed so", hint=f"give {hint}")


def _expected(
    components: Components, items: int, annotators: int, settings: PowerSettings
) -> float | None:
    variance = components.of_difference(annotators)
    of_test = components.of_test(annotators, settings.test)
    if variance is None or of_test is None:
        return None
    return expected_power(settings.difference, items, variance, of_test, settings.level)


def _needed(
    components: Components, annotators: int, rows: Sequence[PowerRow], settings: PowerSettings
) -> Needed:
    enough = [
        row.items
        for row in rows
        if row.annotators == annotators and (row.simulated or 0) >= settings.power
    ]
    variance = components.of_difference(annotators)
    of_test = components.of_test(annotators, settings.test)
    if variance is None or of_test is None:
        return Needed(annotators, None, None, ONCE)
    items = needed_items(settings.difference, settings.power, variance, of_test, settings.level)
    return Needed(annotators, items, min(enough, default=None))


@dataclass(frozen=True)
class Pair:
    """Judgements of two systems on the sentences that were judged of both.

    Of sentence i the judgements of each system are those from ``starts[i]`` on, ``counts[i]``.
    """

    scores: tuple[Floats, Floats]
    starts: tuple[Integers, Integers]
    counts: tuple[Integers, Integers]
    together: bool
    """Whether judgements at the same place are by the same annotator."""

    def judged(self, annotators: int) -> Integers:
        """Return the places of the sentences with so many judgements of both outputs."""
        return np.flatnonzero(np.minimum(*self.counts) >= annotators)

    def difference(self, annotators: int) -> float:
        """Return the difference of the systems' means over these sentences; 0 for one or none."""
        chosen = self.judged(annotators)
        if len(chosen) < 2:
            return 0.0
        one, other = (
            (np.add.reduceat(scores, starts) / counts)[chosen].mean()
            for scores, starts, counts in zip(self.scores, self.starts, self.counts, strict=True)
        )
        return float(one - other)


def _pairs(judged: Judged, components: Components) -> Iterator[Pair]:
    """Yield the pairs of systems that have sentences in common."""
    together = components.annotators == SAME
    width = int(judged.annotator.max()) + 1
    keys = judged.sentence * width + judged.annotator if together else judged.sentence
    order = np.lexsort((judged.annotator, judged.sentence))
    of_system = [
        order[judged.submission[order] == system] for system in range(len(judged.submissions))
    ]
    for one, other in combinations(of_system, 2):
        kept = (
            one[np.isin(keys[one], keys[other])],
            other[np.isin(keys[other], keys[one])],
        )
        (starts, counts), (other_starts, other_counts) = (
            np.unique(judged.sentence[each], return_index=True, return_counts=True)[1:]
            for each in kept
        )
        if len(starts):
            yield Pair(
                (judged.score[kept[0]], judged.score[kept[1]]),
                (starts, other_starts),
                (counts, other_counts),
                together,
            )


def nearest(pairs: Sequence[Pair], annotators: int, difference: float) -> list[Pair]:
    """Return the pairs whose means differ least of those that differ at least so much."""
    apart = [(abs(pair.difference(annotators)), place) for place, pair in enumerate(pairs)]
    return [pairs[place] for gap, place in sorted(apart) if gap >= difference][:PAIRS]


def simulate(pairs: Sequence[Pair], items: int, annotators: int, settings: PowerSettings) -> float:
    """Return the share of simulated evaluations whose test finds the true difference."""
    rng = np.random.default_rng([settings.seed, items, annotators])
    found = 0
    shares = np.diff(np.linspace(0, settings.replicates, len(pairs) + 1).astype(int))
    for pair, replicates in zip(pairs, shares, strict=True):
        first, second = _drawn(pair, int(replicates), items, annotators, rng)
        gap = pair.difference(annotators)
        # Unswapped with this chance, outputs differ by gap x (2 x chance - 1) on average.
        swapped = rng.random(first.shape) >= (1 + settings.difference / gap) / 2
        better, worse = np.where(swapped, second, first), np.where(swapped, first, second)
        found += int((p_values(better, worse, settings.test) < settings.level).sum())
    return found / settings.replicates


def _drawn(
    pair: Pair, replicates: int, items: int, annotators: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return the scores of drawn sentences, a row for each evaluation, of both systems.

    Sentences are drawn with replacement, different judgements of each of their outputs.
    """
    enough = pair.judged(annotators)
    chosen = enough[rng.integers(len(enough), size=(replicates, items))]
    start = rng.random(chosen.shape)
    drawn = []
    for system in (0, 1):
        first = start if pair.together or system == 0 else rng.random(chosen.shape)
        count = pair.counts[system][chosen]
        total = np.zeros(chosen.shape)
        for step in range(annotators):
            place = ((first * count).astype(int) + step) % count
            total += pair.scores[system][pair.starts[system][chosen] + place]
        drawn.append(total / annotators)
    return drawn[0], drawn[1]


def p_values(first: Floats, second: Floats, test: str) -> Floats:
    """Return one-sided p-values, row by row, of the first samples being higher than the second.

    Normal approximations with corrections for ties, that of the rank sum for continuity too, as
    rankings are tested. 1 where nothing differs.
    """
    from scipy.special import ndtr
    from scipy.stats import rankdata

    n = first.shape[1]
    if test == RANK_SUM:
        ranks = rankdata(np.concatenate([first, second], axis=1), axis=1)
        u = ranks[:, :n].sum(axis=1) - n * (n + 1) / 2
        # The squares of all ranks fall short of those of 1 to 2n by what ties take away.
        spread = (ranks**2).sum(axis=1) - 2 * n * (2 * n + 1) ** 2 / 4
        variance = n * n / (2 * n * (2 * n - 1)) * spread
        distance = n * n / 2 + 0.5 - u
    else:
        difference = first - second
        zeros = (difference == 0).sum(axis=1, keepdims=True)
        ranks = np.where(difference == 0, 0, rankdata(np.abs(difference), axis=1) - zeros)
        variance = (ranks**2).sum(axis=1) / 4
        distance = ranks.sum(axis=1) / 2 - np.where(difference > 0, ranks, 0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = ndtr(distance / np.sqrt(variance))
    result: Floats = np.where(variance > 0, found, 1.0)
    return result
