"""How two metrics agree with people after the scores of some outputs are swapped between them.

Matrices have a row for each system and a column for each item, as in ``pair_agreement``, and
``metrics`` is a stack of them; each row of ``couples`` names two of these by their places. Swaps
have a row for each time and a column for each output: 1 where its two scores change places. All
functions return by how much the first metric agrees better, (couples, times), NaN where undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from ...schema.engine import own_cores
from . import pair_agreement, swapped_kernels
from .statistics import FEWEST_VALUES, Booleans, Floats, Integers

NEAR = 2e-5
"""Sums of single precision are computed anew in double where they are nearer to what was seen."""
_PARTS = 4097


def accuracy_of_outputs(
    people: Floats,
    metrics: Floats,
    couples: Integers,
    swaps: Floats,
    epsilons: Floats,
    pairs: pair_agreement.Pairs,
) -> Floats:
    """Compare acc*_eq, each metric's threshold going with its scores.

    Between a score of one metric and one of the other it is the mean of both ``epsilons``.
    """
    ends = epsilons[couples]
    between = np.stack([ends[:, 0], ends.mean(axis=1), ends[:, 1]], axis=1) * (
        1 + pair_agreement.ROUNDING
    )
    linear, constant = np.zeros((len(couples), people.size)), np.zeros(len(couples))
    scores = np.ascontiguousarray(metrics.reshape(len(metrics), -1))
    of_pairs = (
        np.sign(pair_agreement.differences(people, pairs)),
        np.stack([pairs.first, pairs.second]),
        pair_agreement.weights(pairs),
    )
    _shared(
        lambda some: swapped_kernels.add_accuracies(
            scores, between[some], *of_pairs, couples[some], linear[some], constant[some]
        ),
        len(couples),
    )
    accuracies: Floats = constant[:, np.newaxis] + linear @ swaps.T
    return accuracies


def kendall_by_item(people: Floats, metrics: Floats, couples: Integers, swaps: Floats) -> Floats:
    """Compare mean tau-b over items."""
    coins = -swaps.reshape(len(swaps), *people.shape).transpose(2, 1, 0).astype(np.int16)
    scores, human = np.ascontiguousarray(metrics.transpose(0, 2, 1)), np.ascontiguousarray(people.T)
    coins = np.ascontiguousarray(coins)
    return _differences_of_means(
        lambda some, totals, defined: swapped_kernels.add_taus(
            scores, human, coins, couples[some], totals, defined
        ),
        len(couples),
        len(swaps),
    )


def pearson_of_outputs(
    people: Floats, metrics: Floats, couples: Integers, swaps: Floats, grouping: str
) -> Floats:
    """Compare mean r over groups."""
    coins = swaps.reshape(len(swaps), *people.shape).transpose(1, 2, 0)
    scores, human = metrics, people
    if grouping == pair_agreement.ITEM:
        coins, scores, human = coins.swapaxes(0, 1), scores.swapaxes(1, 2), human.T
    elif grouping == pair_agreement.NONE:
        coins, human = swaps.T[np.newaxis], people.reshape(1, -1)
        scores = scores.reshape(len(scores), 1, -1)
    scores, human = np.ascontiguousarray(scores), np.ascontiguousarray(human)
    coins = np.ascontiguousarray(coins, np.float32)
    limits = (FEWEST_VALUES, pair_agreement.ROUNDING)
    return _differences_of_means(
        lambda some, totals, defined: swapped_kernels.add_pearsons(
            scores, human, coins, couples[some], limits, totals, defined
        ),
        len(couples),
        len(swaps),
    )


def _differences_of_means(add: Callable[..., None], couples: int, times: int) -> Floats:
    """Return differences of both metrics' means over groups, computed by all processors."""

    def part(some: slice) -> Floats:
        totals = np.zeros((some.stop - some.start, 2, times))
        defined = np.zeros_like(totals)
        add(some, totals, defined)
        means = np.divide(totals, defined, out=np.full_like(totals, np.nan), where=defined > 0)
        difference: Floats = means[:, 0] - means[:, 1]
        return difference

    return np.concatenate(_shared(part, couples))


def _shared(part: Callable[[slice], Any], count: int) -> list[Any]:
    """Return what a function gives for some of so many couples, which processors share."""
    most = own_cores()
    ends = [count * at // most for at in range(most + 1)]
    parts = [slice(start, end) for start, end in pairwise(ends) if end > start]
    part_of_one = slice(0, 0)
    part(part_of_one)  # compiled once, before several threads ask for it
    with ThreadPoolExecutor(most) as pool:
        return list(pool.map(part, parts))


def accuracy_and_pearson_of_systems(
    people: Floats, metrics: Floats, couples: Integers, swaps: Floats
) -> tuple[Floats, Floats]:
    """Compare pairwise accuracy, and r, of systems' means."""
    parts = _shared(
        lambda some: _accuracy_and_pearson(people, metrics, couples[some], swaps), len(couples)
    )
    accuracy, r = (np.concatenate(of_parts) for of_parts in zip(*parts, strict=True))
    return accuracy, r


def _accuracy_and_pearson(
    people: Floats, metrics: Floats, couples: Integers, swaps: Floats
) -> tuple[Floats, Floats]:
    """Return the differences of accuracy and of r of each couple (couples, swaps).

    Where a coin is 1 an output's two scores are swapped, so one metric's mean of a system moves by
    Σ coin · (other - one) / n, and the other's by as much the other way.
    """
    of_people = np.nanmean(people, axis=1)
    first, second = np.triu_indices(len(people), 1)
    signs = np.sign(of_people[first] - of_people[second])
    shape = (len(couples), len(swaps), len(people))
    moved, starts = np.empty(shape), np.empty((2, len(couples), len(people)))
    coins = swaps.reshape(len(swaps), *people.shape)
    one, other = metrics[couples[:, 0]], metrics[couples[:, 1]]
    both = np.isfinite(one + other)
    counts = both.sum(axis=2)
    for at, scores in enumerate((one, other)):
        starts[at] = np.where(both, scores, 0).sum(axis=2) / counts
    for system in range(len(people)):
        apart = np.where(both[:, system], other[:, system] - one[:, system], 0)
        moved[:, :, system] = apart @ coins[:, system].T / counts[:, system, np.newaxis]
    accuracy, r = np.zeros(shape[:2]), np.zeros(shape[:2])
    agreed = np.empty(len(swaps))
    for place in range(len(couples)):
        for at, way in ((0, 1), (1, -1)):
            means = starts[at, place] + way * moved[place]
            swapped_kernels.order_agreements(signs, means, agreed)
            accuracy[place] += way * agreed
            r[place] += way * pair_agreement.correlation_of_means(of_people[np.newaxis], means)
    return accuracy, r


def soft_accuracy_of_systems(
    people: Floats, metrics: Floats, couples: Integers, swaps: Floats
) -> Floats:
    """Compare SPA of systems.

    The permutation tests of pairs of systems are replaced by their normal approximation: flipped
    signs give sums with mean 0, whose variance is the sum of squared differences. With coins of 1
    and -1 a swapped score is half the sum of both plus or minus half their difference, so that
    sums of squares are products of matrices: of coins, and of products of two systems' coins. They
    are of single precision, and computed anew where that might decide.
    """
    coins = (1 - 2 * swaps.reshape(len(swaps), *people.shape)).astype("f4")
    signs = np.ascontiguousarray(coins.swapaxes(0, 1))
    parts = _shared(lambda some: _soft(people, metrics, couples[some], signs), len(couples))
    return np.concatenate(parts)


def _soft(people: Floats, metrics: Floats, couples: Integers, signs: Floats) -> Floats:
    """``signs`` have the shape (systems, times, items), -1 where scores change places."""
    from scipy.special import ndtr

    systems, times, _ = signs.shape
    stack = metrics[couples] + 0 * people
    there: Booleans = np.all(np.isfinite(stack), axis=1)
    one, other = np.where(there[:, np.newaxis], stack, 0).swapaxes(0, 1)
    centre, half = (one + other) / 2, (one - other) / 2
    total, variance = _sums(centre, there, centre**2 + half**2)
    wanted = _p_value(*_sums(np.where(there, people, 0), there))
    lacking = [np.flatnonzero(~values.all(axis=0)) for values in there.swapaxes(0, 1)]
    normal = ndtr(np.linspace(-8, 8, _PARTS))
    whole = [signs[at] @ half[:, at].T.astype("f4") for at in range(systems)]
    halves, centres = (values.astype("f4").transpose(1, 2, 0).copy() for values in (half, centre))
    seen = there.astype("f4").transpose(1, 2, 0).copy()
    apart = np.zeros((times, len(couples)))
    for at, (a, b) in enumerate(combinations(range(systems), 2)):
        constants = tuple(values[:, at].copy() for values in (total, variance, wanted))
        even = (signs[a] * signs[b]) @ (-2 * halves[a] * halves[b])
        odd = signs[a] @ (2 * halves[a] * (centres[a] * seen[b] - centres[b]))
        odd += signs[b] @ (2 * halves[b] * (centres[b] * seen[a] - centres[a]))
        moved = whole[a] - whole[b]
        for scored, lacked, way in ((a, b, -1), (b, a, 1)):
            gaps = lacking[lacked]
            if len(gaps):
                lost = halves[scored][gaps] * (1 - seen[lacked][gaps])
                moved += way * (signs[scored][:, gaps] @ lost)
        swapped_kernels.add_soft((even, odd, moved), constants, normal, apart)
    difference: Floats = apart.T / (systems * (systems - 1) / 2)
    return difference


def exact_soft_accuracy(people: Floats, one: Floats, other: Floats, swaps: Floats) -> Floats:
    """Return the same for one couple in double precision, a value for each time."""
    scored = np.isfinite(people + one + other)
    of_people, first, second = (np.where(scored, scores, 0) for scores in (people, one, other))
    there = scored.astype(np.float64)
    moved = swaps.reshape(len(swaps), *people.shape) * (second - first)
    wanted = _p_values(of_people[np.newaxis], there)
    accuracies = [
        1 - np.abs(wanted - _p_values(scores, there)).mean(axis=1)
        for scores in (first + moved, second - moved)
    ]
    difference: Floats = accuracies[0] - accuracies[1]
    return difference


def _p_values(scores: Floats, there: Floats) -> Floats:
    """Return a p-value for each time and pair of systems, on the items that both have."""
    return _p_value(*_sums(scores, there))


def _sums(
    scores: Floats, there: Floats | Booleans, squares: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return sums of pairs of systems' differences, and of their squares, of what both have.

    ``squares`` are other ones than those of the scores.
    """
    one, other = np.triu_indices(scores.shape[1], 1)
    turned = there.swapaxes(-1, -2).astype(np.float64)
    sums = scores @ turned
    squared = (scores**2 if squares is None else squares) @ turned
    products = np.matmul(scores, scores.swapaxes(-1, -2))
    total: Floats = sums[:, one, other] - sums[:, other, one]
    variance: Floats = squared[:, one, other] + squared[:, other, one] - 2 * products[:, one, other]
    return total, variance


def _p_value(total: Floats, variance: Floats) -> Floats:
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(variance > 0, -total / np.sqrt(np.maximum(variance, 0)), 0)
    p_values: Floats = ndtr(z)
    return p_values
