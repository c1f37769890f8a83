"""Whether one metric agrees with people better than another: permutations and resampled items."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from .pair_agreement import (
    ITEM,
    ROUNDING,
    Pairs,
    correlation_of_means,
    differences,
    order_agreement,
    pairs_of_outputs,
    weights,
)
from .swapped_scores import (
    accuracy_and_pearson_of_systems,
    kendall_by_item,
    pearson_of_outputs,
    soft_accuracy_of_systems,
)

if TYPE_CHECKING:
    from .statistics import Floats

SENTENCE, SYSTEM = "sentence", "system"
ACCURACY, KENDALL, PEARSON = "accuracy", "kendall", "pearson"
PAIRWISE, SOFT = "pairwise_accuracy", "soft_accuracy"
_BLOCK = 250


def permutation_tests(
    people: Floats,
    metrics: Floats,
    grouping: str,
    epsilons: Sequence[float],
    *,
    resamples: int,
    seed: int,
) -> dict[tuple[str, str], Floats]:
    """Return for each level and statistic a square of p-values: the row's metric agrees better.

    PERM-BOTH: metrics are standardised, then the two scores of each output, whatever its system
    and item, are swapped or not by a coin; the p-value is the share of such swaps after which the
    difference is at least the one seen (the one seen counted among them). Statistics of outputs are
    ``accuracy`` (acc*_eq, each metric's threshold going with its scores; between a score of one
    and one of the other it is the mean of both thresholds), ``pearson`` and, grouped by item,
    ``kendall``; those of systems ``pairwise_accuracy``, ``soft_accuracy`` and ``pearson`` of means.
    NaN where there is no test. Deutsch et al. 2021, section 3.2.

    ``metrics`` is a stack of matrices like ``people``; ``epsilons`` are in the metrics' units.
    """
    import numpy as np

    count, outputs = len(metrics), people.size
    pairs = pairs_of_outputs(people, grouping, seed)
    standard = [_standardised(each, people) for each in metrics]
    couples = list(combinations(range(count), 2))
    names = [(SENTENCE, ACCURACY), (SENTENCE, PEARSON)]
    names += [(SENTENCE, KENDALL)] if grouping == ITEM else []
    names += [(SYSTEM, PAIRWISE), (SYSTEM, PEARSON), (SYSTEM, SOFT)]
    squares = {name: np.full((count, count), np.nan) for name in names}
    coins = np.random.default_rng(seed)
    blocks = [min(_BLOCK, resamples - start) for start in range(0, resamples, _BLOCK)]
    counted = {name: _Counted(len(couples)) for name in names}
    linear = np.zeros((len(couples), outputs), "f4")
    constant = np.zeros(len(couples))
    for place, (one, other) in enumerate(couples):
        (first, scale), (second, other_scale) = standard[one], standard[other]
        linear[place], constant[place] = _swapping(
            people, (first, second), (epsilons[one] / scale, epsilons[other] / other_scale), pairs
        )
    for block, rows in enumerate(blocks):
        swaps = coins.integers(0, 2, (rows, outputs), np.uint8).astype("f4")
        if not block:
            unswapped = np.zeros((1, outputs), "f4")
            seen = [_swapped(people, standard, each, unswapped, grouping) for each in couples]
        counted[SENTENCE, ACCURACY].add(constant[:, np.newaxis] + linear @ swaps.T, constant)
        for place, couple in enumerate(couples):
            found = _swapped(people, standard, couple, swaps, grouping)
            for name in found:
                counted[name].add(found[name], seen[place][name][0], place)
    for name, tally in counted.items():
        for place, (one, other) in enumerate(couples):
            if name == (SENTENCE, ACCURACY) or np.isfinite(seen[place][name][0]):
                squares[name][one, other] = tally.higher[place] / (1 + resamples)
                squares[name][other, one] = tally.lower[place] / (1 + resamples)
    return squares


def _swapped(
    people: Floats,
    standard: Sequence[tuple[Floats, float]],
    couple: tuple[int, int],
    swaps: Floats,
    grouping: str,
) -> dict[tuple[str, str], Floats]:
    """Return by how much the first of two metrics agrees better, each time; NaN where undefined."""
    import numpy as np

    one, other = (standard[each][0] for each in couple)
    found = {(SENTENCE, PEARSON): pearson_of_outputs(people, one, other, swaps, grouping)}
    if grouping == ITEM:
        found[SENTENCE, KENDALL] = kendall_by_item(people, one, other, swaps)
    undefined = np.full(len(swaps), np.nan)
    accuracy, r, soft = undefined, undefined, undefined
    if len(people) > 1 and np.isfinite(people + one + other).any(axis=1).all():
        accuracy, r = accuracy_and_pearson_of_systems(people, one, other, swaps)
        soft = soft_accuracy_of_systems(people, one, other, swaps)
    return {**found, (SYSTEM, PAIRWISE): accuracy, (SYSTEM, PEARSON): r, (SYSTEM, SOFT): soft}


def resampled_means(by_item: Floats, draws: Floats) -> Floats:
    """Return means over resampled items: a row for each metric, a column for each draw.

    ``by_item`` has a row for each metric, NaN where an item has no value; ``draws`` says how often
    each item (column) was drawn each time (row).
    """
    import numpy as np

    defined = np.isfinite(by_item)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = (np.where(defined, by_item, 0) @ draws.T) / (defined @ draws.T)
    return means


def resampled_systems(people: Floats, metric: Floats, draws: Floats) -> dict[str, Floats]:
    """Return pairwise accuracy, SPA and Pearson's r of systems' means, for each draw of items.

    SPA's permutation tests are replaced by their normal approximation: flipped signs give sums
    with mean 0, whose variance is the sum of squared differences.
    """
    import numpy as np
    from scipy.special import ndtr

    both = np.isfinite(people) & np.isfinite(metric)
    told, said = np.where(both, people, 0), np.where(both, metric, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = draws @ both.T
        of_people, of_metric = (draws @ told.T) / drawn, (draws @ said.T) / drawn
        one, other = np.triu_indices(len(people), 1)
        p_values = []
        for scores in (told, said):
            apart = np.where(both[one] & both[other], scores[one] - scores[other], 0)
            p_values.append(ndtr(np.nan_to_num(-(draws @ apart.T) / np.sqrt(draws @ (apart**2).T))))
    return {
        PAIRWISE: order_agreement(of_people, of_metric),
        SOFT: 1 - np.abs(p_values[0] - p_values[1]).mean(axis=1),
        PEARSON: correlation_of_means(of_people, of_metric),
    }


def draws_of_items(items: int, resamples: int, seed: int) -> Floats:
    """Return how often each of the items is drawn (column) in each of the resamples (row)."""
    import numpy as np

    rng = np.random.default_rng(seed)
    return rng.multinomial(items, np.full(items, 1 / items), resamples).astype(np.float64)


def bootstrap_p_values(replicates: Floats) -> Floats:
    """Return a square of p-values: the share of draws in which the row's metric is no better.

    Ties count one half. ``replicates`` has a row for each metric, a column for each draw; NaN
    where a metric has none.
    """
    import numpy as np

    count = len(replicates)
    square = np.full((count, count), np.nan)
    for one, other in combinations(range(count), 2):
        apart = replicates[one] - replicates[other]
        apart = apart[np.isfinite(apart)]
        if len(apart):
            ties = np.mean(np.abs(apart) <= ROUNDING) / 2
            square[one, other] = np.mean(apart < -ROUNDING) + ties
            square[other, one] = np.mean(apart > ROUNDING) + ties
    return square


class _Counted:
    """How many differences are at least, and at most, the one that was seen."""

    def __init__(self, couples: int) -> None:
        import numpy as np

        self.higher = np.ones(couples)
        self.lower = np.ones(couples)

    def add(self, found: Floats, seen: Floats, place: int | slice = slice(None)) -> None:
        """Count differences (in the last dimension) of couples."""
        import numpy as np

        apart = found - np.asarray(seen)[..., np.newaxis]
        self.higher[place] += (apart >= -ROUNDING).sum(axis=-1)
        self.lower[place] += (apart <= ROUNDING).sum(axis=-1)


def _standardised(metric: Floats, people: Floats) -> tuple[Floats, float]:
    """Return z-scores of what people judged, and the unit they are in; constants are all 0."""
    import numpy as np

    scores = np.where(np.isfinite(people), metric, np.nan)
    if not np.isfinite(scores).any():
        return scores, 1.0
    scale = float(np.nanstd(scores)) or 1.0
    return (scores - np.nanmean(scores)) / scale, scale


def _swapping(
    people: Floats, metrics: tuple[Floats, Floats], epsilons: tuple[float, float], pairs: Pairs
) -> tuple[Floats, float]:
    """Return what swapping each output's scores adds to the difference of accuracies, and that.

    Let c_xy say whether a pair is right when its first score is of metric x and its second of
    metric y. With coins m and n for the two outputs, the accuracy of one metric less that of the
    other is c_00 - c_11 + m (c_10 + c_11 - c_00 - c_01) + n (c_01 + c_11 - c_00 - c_10): terms in
    m n cancel, so that swaps are a product of matrices.
    """
    import numpy as np

    wanted = np.sign(differences(people, pairs))
    flat = [each.ravel() for each in metrics]
    weight = weights(pairs)
    scored = np.isfinite(flat[0] + flat[1])
    weight = np.where(scored[pairs.first] & scored[pairs.second], weight, 0)
    right = {}
    for one in (0, 1):
        for other in (0, 1):
            epsilon = (epsilons[one] + epsilons[other]) / 2 * (1 + ROUNDING)
            apart = np.nan_to_num(flat[one][pairs.first] - flat[other][pairs.second])
            told = np.where(np.abs(apart) <= epsilon, 0, np.sign(apart))
            right[one, other] = weight * (told == wanted)
    of_first = right[1, 0] + right[1, 1] - right[0, 0] - right[0, 1]
    of_second = right[0, 1] + right[1, 1] - right[0, 0] - right[1, 0]
    linear: Floats = np.bincount(pairs.first, of_first, people.size).astype(np.float64)
    linear += np.bincount(pairs.second, of_second, people.size)
    return linear, float((right[0, 0] - right[1, 1]).sum())
