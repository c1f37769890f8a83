"""How two metrics agree with people after the scores of some outputs are swapped between them.

Matrices have a row for each system and a column for each item, as in ``pair_agreement``; swaps have
a row for each time and a column for each output: 1 where its two scores change places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .pair_agreement import (
    ITEM,
    NONE,
    ROUNDING,
    correlation_of_means,
    order_agreement,
)
from .statistics import FEWEST_VALUES

if TYPE_CHECKING:
    from .statistics import Floats, Integers


def kendall_by_item(people: Floats, one: Floats, other: Floats, swaps: Floats) -> Floats:
    """Return by how much the first metric's mean tau-b over items is above the other's, each time.

    Whether a pair of outputs is concordant depends on two coins, m and n: c_00 + m (c_10 - c_00) +
    n (c_01 - c_00) + m n (c_00 + c_11 - c_10 - c_01); so does whether the metric ties it. Over the
    pairs of an item these are a linear and a quadratic form of its coins.
    """
    import numpy as np

    systems, items = people.shape
    scored = np.isfinite(people + one + other).T
    told = np.where(scored, people.T, 0)
    scores = [np.where(scored, each.T, 0) for each in (one, other)]
    first, second = np.triu_indices(systems, 1)
    both = scored[:, first] & scored[:, second]
    wanted = np.where(both, np.sign(told[:, first] - told[:, second]), 0)
    signs = np.array(
        [[np.where(both, np.sign(x[:, first] - y[:, second]), 0) for y in scores] for x in scores]
    )
    coins = swaps.reshape(len(swaps), systems, items).transpose(2, 0, 1)
    of_people = np.abs(wanted).sum(axis=1)[:, np.newaxis]
    totals: list[Floats] = [np.zeros(len(swaps)), np.zeros(len(swaps))]
    defined: list[Floats] = [np.zeros(len(swaps)), np.zeros(len(swaps))]
    tied = np.any(np.ptp(np.abs(signs), axis=(0, 1)) > 0, axis=1)
    for chosen in (tied, ~tied):
        places = np.flatnonzero(chosen & (of_people[:, 0] > 0))
        if not len(places):
            continue
        concordance = _forms(wanted[places] * signs[:, :, places], coins[places], (first, second))
        untied = _forms(np.abs(signs[:, :, places]), coins[places], (first, second))
        for at in (0, 1):
            spread = np.sqrt(of_people[places] * np.rint(untied[at]))
            tau = np.divide(
                np.rint(concordance[at]), spread, out=np.zeros_like(spread), where=spread > 0
            )
            totals[at] += tau.sum(axis=0)
            defined[at] += (spread > 0).sum(axis=0)
    means = [
        np.divide(total, count, out=np.full(len(swaps), np.nan), where=count > 0)
        for total, count in zip(totals, defined, strict=True)
    ]
    difference: Floats = means[0] - means[1]
    return difference


def _forms(of: Floats, coins: Floats, pair: tuple[Integers, Integers]) -> tuple[Floats, Floats]:
    """Return the sums over items' pairs for both metrics: a row for each item.

    ``of[x, y]`` holds what an item's pairs count where the first score is x's, the second y's.
    """
    import numpy as np

    items, systems = len(coins), coins.shape[2]
    leads, follows = (np.eye(systems)[each] for each in pair)
    product = np.zeros((items, systems, systems), "f4")
    product[:, pair[0], pair[1]] = of[0, 0] + of[1, 1] - of[1, 0] - of[0, 1]
    quadratic: Floats = np.zeros((items, coins.shape[1]), "f4")
    if product.any():
        quadratic = np.einsum("gts,gts->gt", np.matmul(coins, product), coins)
    columns = [
        (of[1 - x, x] - of[x, x]) @ leads + (of[x, 1 - x] - of[x, x]) @ follows for x in (0, 1)
    ]
    linear = np.matmul(coins, np.stack(columns, axis=2).astype("f4"))
    found = [of[x, x].sum(axis=1)[:, np.newaxis] + linear[:, :, x] + quadratic for x in (0, 1)]
    return found[0], found[1]


def pearson_of_outputs(
    people: Floats, one: Floats, other: Floats, swaps: Floats, grouping: str
) -> Floats:
    """Return by how much the first metric's mean r over groups is above the other's, each time.

    Sums of swapped scores, of their squares and of their products with people's are linear in the
    coins.
    """
    import numpy as np

    systems, items = people.shape
    scored = np.isfinite(people + one + other)
    coins = swaps.reshape(len(swaps), systems, items).astype(np.float64).transpose(1, 0, 2)
    matrices = [np.where(scored, each, 0) for each in (people, one, other)] + [scored * 1.0]
    if grouping == NONE:
        matrices = [each.reshape(1, -1) for each in matrices]
        coins = swaps[np.newaxis].astype(np.float64)
    elif grouping == ITEM:
        matrices, coins = [each.T for each in matrices], coins.transpose(2, 1, 0)
    told, first, second, there = matrices
    count = there.sum(axis=1)
    told = np.where(there > 0, told - (told.sum(axis=1) / np.maximum(count, 1))[:, np.newaxis], 0)
    of_people = (told**2).sum(axis=1)
    of_people[of_people <= ROUNDING * (matrices[0] ** 2).sum(axis=1)] = 0

    kinds = [np.stack([told * each, each**2, each], axis=2) for each in (first, second)]
    moved = np.matmul(coins, kinds[1] - kinds[0])
    means = []
    for sums in (
        kinds[0].sum(axis=1)[:, np.newaxis] + moved,
        kinds[1].sum(axis=1)[:, np.newaxis] - moved,
    ):
        product, squares, plain = (sums[:, :, at].T for at in range(3))
        variance = squares - plain**2 / np.maximum(count, 1)
        variance[variance <= ROUNDING * squares] = 0
        spread = np.sqrt(of_people * variance)
        defined = (spread > 0) & (count >= FEWEST_VALUES)
        rs = np.divide(product, spread, out=np.zeros_like(spread), where=defined)
        means.append(rs.sum(axis=1) / np.maximum(defined.sum(axis=1), 1))
        means[-1][~defined.any(axis=1)] = np.nan
    difference: Floats = means[0] - means[1]
    return difference


def soft_accuracy_of_systems(people: Floats, one: Floats, other: Floats, swaps: Floats) -> Floats:
    """Return by how much the first metric's SPA is above the other's, each time.

    The permutation tests of pairs of systems are replaced by their normal approximation: flipped
    signs give sums with mean 0, whose variance is the sum of squared differences.
    """
    import numpy as np

    scored = np.isfinite(people + one + other)
    told, first, second = (np.where(scored, each, 0) for each in (people, one, other))
    there = scored.astype("f4")
    coins = swaps.reshape(len(swaps), *people.shape)
    wanted = _p_values(told[np.newaxis].astype("f4"), there)
    apart = (second - first).astype("f4")
    moved = coins * apart
    found = [
        1 - np.abs(wanted - _p_values(scores, there)).mean(axis=1)
        for scores in (first.astype("f4") + moved, second.astype("f4") - moved)
    ]
    difference: Floats = found[0] - found[1]
    return difference


def _p_values(scores: Floats, there: Floats) -> Floats:
    """Return a p-value for each time and pair of systems, on the items that both have."""
    import numpy as np
    from scipy.special import ndtr

    one, other = np.triu_indices(there.shape[0], 1)
    sums = scores @ there.T
    squares = scores**2 @ there.T
    products = np.matmul(scores, scores.transpose(0, 2, 1))
    total = sums[:, one, other] - sums[:, other, one]
    variance = squares[:, one, other] + squares[:, other, one] - 2 * products[:, one, other]
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(variance > 0, -total / np.sqrt(np.maximum(variance, 0)), 0)
    p_values: Floats = ndtr(z.astype(np.float64))
    return p_values


def accuracy_and_pearson_of_systems(
    people: Floats, one: Floats, other: Floats, swaps: Floats
) -> tuple[Floats, Floats]:
    """Return the differences of pairwise accuracy, and of r, of systems' means, each time."""
    import numpy as np

    both = np.isfinite(one + other)
    counts = both.sum(axis=1)
    told = np.nanmean(people, axis=1)[np.newaxis]
    apart = np.where(both, other - one, 0).astype("f4")
    coins = swaps.reshape(len(swaps), *people.shape)
    moved = np.matmul(coins.transpose(1, 0, 2), apart[:, :, np.newaxis])[:, :, 0].T / counts
    first, second = (np.where(both, each, 0).sum(axis=1) / counts for each in (one, other))
    return (
        order_agreement(told, first + moved) - order_agreement(told, second - moved),
        correlation_of_means(told, first + moved) - correlation_of_means(told, second - moved),
    )
