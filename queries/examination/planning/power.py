"""How many sentences and annotators it takes to tell two systems apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, TypeAlias

import numpy as np

from ....schema.brief import Brief
from ....schema.database import Database
from ....schema.errors import InputError
from ....schema.parameters import ALPHA, REPLICATES, SEED, Option, Replicates, Seed
from ....schema.progress import Progress, silent
from ...functions.statistics import Floats, Integers
from ...people.human_scores import RANK_SUM, SIGNED_RANK
from ...resampling import Resampled
from .. import planning

PAIRS, LEVEL_PAIRS = 10, 3
"""Pairs of systems that evaluations are simulated with, those nearest to what is to be found; and
the same of systems of one level: more would be of other levels."""
FEWEST_WEIGHED = 0.5
"""Sentences are not weighed so unequally that they are worth fewer than this share of them."""
Weighed: TypeAlias = "tuple[Pair, Floats]"
"""A pair with the chances of its sentences by which the first is better by so much."""
STEPS, NEAR = 50, 1e-9
"""Newton's steps to the weights at most, and the share of the difference that may be missing."""
ONCE = "each output was judged once, which does not show what more annotators add"
FAR = "no two systems judged so often differ by nearly so much: in closed form only"
SELDOM = f"fewer than {planning.LEAST_SENTENCES} sentences were judged so often"
HARDNESS = "what annotators judged cannot tell how hard sentences are, which rank sums rest on"
TESTS = (RANK_SUM, SIGNED_RANK)


@dataclass(frozen=True)
class PowerSettings(Resampled):
    """What is to be told apart, and by how much judging."""

    difference: Annotated[float, Option("True difference of two systems' mean scores to detect.")]
    """In the scores' unit, as ``around`` is."""
    items: Annotated[
        Sequence[int], Option("Numbers of sentences to try.", commas=True, metavar="COUNT,…")
    ] = (50, 100, 200, 400, 800)
    annotators: Annotated[
        Sequence[int],
        Option("Numbers of judgements of each output to try.", commas=True, metavar="COUNT,…"),
    ] = (1, 2, 3)
    power: Annotated[
        float, Option("Power to reach: the probability of detecting the difference.")
    ] = 0.8
    alpha: Annotated[
        float, Option("One-sided p-value below which two systems differ.", short="--level")
    ] = ALPHA
    test: Annotated[str, Option("Wilcoxon test to use.", choices=TESTS)] = RANK_SUM
    replicates: Annotated[Replicates, Option("Evaluations to simulate for each size.")] = REPLICATES
    seed: Seed = SEED
    around: Annotated[
        float | None,
        Option(
            "Score midway between the two systems' means.",
            metavar="SCORE",
            default="systems of all levels",
        ),
    ] = None


@dataclass(frozen=True)
class PowerRow:
    """The chance that an evaluation of this size finds the difference."""

    items: int
    annotators: int
    judgements: int
    """Of each system."""
    simulated: float | None = None
    """Share of the simulated evaluations that find it."""
    of_lowest: float | None = None
    """The same of systems at the level of the lowest, above its mean."""
    of_highest: float | None = None
    """The same of systems at the level of the highest, below its mean."""
    expected: float | None = None
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
    is_simulated: bool
    """Whether anything was simulated with them."""
    undefined_reason: str | None = None
    """Why nothing was simulated, or why there is no closed form."""


@dataclass(frozen=True, repr=False)
class PowerPlan(Brief):
    """How large an evaluation has to be."""

    campaign_id: str
    treebank_id: str
    criterion: str
    settings: PowerSettings
    components: planning.Components
    systems: int
    rows: Sequence[PowerRow]
    needed: Sequence[Needed]


def plan_power(
    database: Database,
    planned: planning.Planned,
    settings: PowerSettings,
    progress: Progress = silent,
) -> PowerPlan:
    """Return how likely evaluations of several sizes find a true difference, and the size needed.

    Simulated evaluations draw two systems, sentences with replacement, and judgements of each
    output from what is stored. The systems are among those whose means differ by nearly as much
    (that lie nearest to ``around``); sentences weigh unequally, so that the difference of the means
    is the true one (``Pair.weights``): all scores are such as people give, at the ends of the scale
    too. Systems of high and of low means may vary unequally: both are simulated by themselves.
    Where most outputs for a sentence were judged by the same annotator, judgements are drawn
    together. Beside it stands the closed form of ``planning``, for which scores are as good as
    normal. The same seed gives the same plan. Card et al. 2020 (With little power comes great
    responsibility).

    Raises InputError and UnknownNameError as ``read_judged`` does, and InputError for settings
    that make no sense.
    """
    _check(settings)
    judged = planning.read_judged(database, planned)
    components = planning.variance_components(judged)
    pairs = list(_pairs(judged, components))
    rows: list[PowerRow] = []
    total = len(settings.items) * len(settings.annotators)
    for annotators in settings.annotators:
        chosen_by_level = nearest_by_level(pairs, annotators, settings)
        for items in settings.items:
            progress(f"{items} sentences", len(rows), total)
            size = items, annotators, items * annotators
            if annotators > 1 and components.output is None:
                rows.append(PowerRow(*size, undefined_reason=ONCE))
                continue
            expected = _expected(components, items, annotators, settings)
            simulated, lowest, highest = (
                simulate(chosen, items, annotators, settings) if chosen else None
                for chosen in chosen_by_level
            )
            reason = HARDNESS if expected is None else None
            if simulated is None:
                often = max((len(pair.judged(annotators)) for pair in pairs), default=0)
                reason = SELDOM if often < planning.LEAST_SENTENCES else FAR
            rows.append(PowerRow(*size, simulated, lowest, highest, expected, reason))
    progress("simulated", total, total)
    return PowerPlan(
        campaign_id=judged.campaign_id,
        treebank_id=judged.treebank_id,
        criterion=judged.criterion,
        settings=settings,
        components=components,
        systems=len(judged.submissions),
        rows=rows,
        needed=[
            _needed(components, annotators, rows, settings) for annotators in settings.annotators
        ],
    )


def _check(settings: PowerSettings) -> None:
    sizes = [*settings.items, *settings.annotators]
    for wrong, hint in (
        (not 0 < settings.difference < float("inf"), "a difference above 0, in the scores' unit"),
        (not 0 < settings.power < 1, "a power between 0 and 1, such as 0.8"),
        (not 0 < settings.alpha < 0.5, "an alpha between 0 and 0.5, such as 0.05"),
        (settings.test not in TESTS, f"one of the tests {', '.join(TESTS)}"),
        (not settings.items or not settings.annotators, "numbers of sentences and annotators"),
        (min(sizes, default=0) < 1, "numbers from 1"),
        (max(settings.items, default=0) > 100_000, "at most 100,000 sentences"),
        (max(settings.annotators, default=0) > 100, "at most 100 annotators of an output"),
        (
            settings.around is not None and not np.isfinite(settings.around),
            "a finite mean of the two systems",
        ),
    ):
        if wrong:
            raise InputError("power cannot be computed so", hint=f"give {hint}")


def _expected(
    components: planning.Components, items: int, annotators: int, settings: PowerSettings
) -> float | None:
    variance = components.of_difference(annotators)
    of_test = components.of_test(annotators, settings.test)
    if variance is None or of_test is None:
        return None
    return planning.expected_power(settings.difference, items, variance, of_test, settings.alpha)


def _needed(
    components: planning.Components,
    annotators: int,
    rows: Sequence[PowerRow],
    settings: PowerSettings,
) -> Needed:
    tried = [row for row in rows if row.annotators == annotators]
    simulated = {row.items: row.simulated for row in tried if row.simulated is not None}
    reason = None if simulated else tried[0].undefined_reason
    fewest = min((n for n, power in simulated.items() if power >= settings.power), default=None)
    variance = components.of_difference(annotators)
    of_test = components.of_test(annotators, settings.test)
    if variance is None or of_test is None:
        undefined = ONCE if variance is None else HARDNESS
        return Needed(annotators, None, fewest, bool(simulated), undefined)
    wanted = settings.difference, settings.power
    items = planning.needed_items(*wanted, variance, of_test, settings.alpha)
    return Needed(annotators, items, fewest, bool(simulated), reason)


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

    def means(self, annotators: int) -> tuple[Floats, Floats]:
        """Return the mean judgements of both outputs of each of these sentences."""
        chosen = self.judged(annotators)
        one, other = (
            (np.add.reduceat(scores, starts) / counts)[chosen]
            for scores, starts, counts in zip(self.scores, self.starts, self.counts, strict=True)
        )
        return one, other

    def weights(self, annotators: int, difference: float) -> Floats | None:
        """Return chances to draw these sentences by which the means differ by ``difference``.

        They are exponential in the sentences' differences: of all chances with this mean the
        nearest to equal ones, which leave the variance of normal differences as it is. None where
        there are too few sentences (LEAST_SENTENCES), or chances too unequal (FEWEST_WEIGHED).
        Exponential tilting: Efron 1981 (Nonparametric standard errors and confidence intervals).
        """
        one, other = self.means(annotators)
        if len(one) < planning.LEAST_SENTENCES:
            return None
        apart = one - other - difference
        slope, chances = 0.0, np.full(len(apart), 1 / len(apart))
        for _ in range(STEPS):
            mean = float(chances @ apart)
            spread = float(chances @ (apart - mean) ** 2)
            if abs(mean) <= NEAR * difference:
                break
            if spread <= NEAR * difference**2:
                return None
            slope -= mean / spread
            powers = slope * apart
            chances = np.exp(powers - powers.max())
            chances /= chances.sum()
        else:
            return None
        return chances if len(apart) * float(chances @ chances) <= 1 / FEWEST_WEIGHED else None


def _pairs(judged: planning.Judged, components: planning.Components) -> Iterator[Pair]:
    """Yield the pairs of systems, either one first, that have sentences in common."""
    together = components.annotators == planning.SAME
    width = int(judged.annotator.max()) + 1
    keys = judged.sentence * width + judged.annotator if together else judged.sentence
    order = np.lexsort((judged.annotator, judged.sentence))
    of_system = [
        order[judged.submission[order] == system] for system in range(len(judged.submissions))
    ]
    for one, other in permutations(of_system, 2):
        judged_rows = one[np.isin(keys[one], keys[other])], other[np.isin(keys[other], keys[one])]
        (starts, counts), (other_starts, other_counts) = (
            np.unique(judged.sentence[rows], return_index=True, return_counts=True)[1:]
            for rows in judged_rows
        )
        if len(starts):
            yield Pair(
                (judged.score[judged_rows[0]], judged.score[judged_rows[1]]),
                (starts, other_starts),
                (counts, other_counts),
                together,
            )


def nearest_by_level(
    pairs: Sequence[Pair], annotators: int, settings: PowerSettings
) -> tuple[list[Weighed], list[Weighed], list[Weighed]]:
    """Return the pairs that come nearest to the difference: asked for, of the lowest, the highest.

    Near is where both means together have to move least; without a level, where their difference
    has to. Those that no ``weights`` make differ so much are left out.
    """
    weighed = []
    for pair in pairs:
        chances = pair.weights(annotators, settings.difference)
        if chances is not None:
            one, other = (float(pair_means.mean()) for pair_means in pair.means(annotators))
            weighed.append((one, other, (pair, chances)))
    half = settings.difference / 2
    means = [mean for one, other, _ in weighed for mean in (one, other)]

    def near(around: float | None, count: int) -> list[Weighed]:
        def distance(pair_means: tuple[float, float, Weighed]) -> float:
            if around is None:
                return abs(pair_means[0] - pair_means[1] - settings.difference)
            return abs(pair_means[0] - around - half) + abs(pair_means[1] - around + half)

        return [pair for _, _, pair in sorted(weighed, key=distance)[:count]]

    return (
        near(settings.around, PAIRS if settings.around is None else LEVEL_PAIRS),
        near(min(means, default=0) + half, LEVEL_PAIRS),
        near(max(means, default=0) - half, LEVEL_PAIRS),
    )


def simulate(
    pairs: Sequence[Weighed], items: int, annotators: int, settings: PowerSettings
) -> float:
    """Return the share of simulated evaluations whose test finds the true difference."""
    rng = np.random.default_rng([settings.seed, items, annotators])
    detected = 0
    shares = np.diff(np.linspace(0, settings.replicates, len(pairs) + 1).astype(int))
    for pair, replicates in zip(pairs, shares, strict=True):
        better, worse = _drawn(pair, int(replicates), items, annotators, rng)
        detected += int((p_values(better, worse, settings.test) < settings.alpha).sum())
    return detected / settings.replicates


def _drawn(
    weighed: Weighed, replicates: int, items: int, annotators: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Return the scores of drawn sentences, a row for each evaluation, of both systems.

    Sentences are drawn with replacement, different judgements of each of their outputs.
    """
    pair, chances = weighed
    chosen = rng.choice(pair.judged(annotators), size=(replicates, items), p=chances)
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
        tails = ndtr(distance / np.sqrt(variance))
    result: Floats = np.where(variance > 0, tails, 1.0)
    return result
