"""Whether one metric agrees with people better than another: permutations and resampled items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ...schema.progress import Progress, silent
from .pair_agreement import (
    ITEM,
    ROUNDING,
    Pairs,
    correlation_of_means,
    order_agreement,
    pairs_of_outputs,
)
from .swapped_scores import (
    NEAR,
    accuracy_and_pearson_of_systems,
    accuracy_of_outputs,
    exact_soft_accuracy,
    kendall_by_item,
    pearson_of_outputs,
    soft_accuracy_of_systems,
)

if TYPE_CHECKING:
    from .statistics import Floats, Integers

SENTENCE, SYSTEM = "sentence", "system"
ACCURACY, KENDALL, PEARSON = "accuracy", "kendall", "pearson"
PAIRWISE, SOFT = "pairwise_accuracy", "soft_accuracy"
_BLOCK, _TIMES = 250, 1000
_COUPLES = 250


def permutation_tests(
    people: Floats,
    metrics: Floats,
    grouping: str,
    epsilons: Sequence[float],
    *,
    resamples: int,
    seed: int,
    progress: Progress = silent,
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
    scores = np.stack([each for each, _ in standard]) if standard else metrics
    scaled = np.array([e / scale for e, (_, scale) in zip(epsilons, standard, strict=True)])
    every = np.array([*combinations(range(count), 2)], np.int64).reshape(-1, 2)
    names = [(SENTENCE, ACCURACY), (SENTENCE, PEARSON)]
    names += [(SENTENCE, KENDALL)] if grouping == ITEM else []
    names += [(SYSTEM, PAIRWISE), (SYSTEM, PEARSON), (SYSTEM, SOFT)]
    squares = {name: np.full((count, count), np.nan) for name in names}
    for start in range(0, len(every), _COUPLES):
        progress("pairs of metrics", start, len(every))
        couples = every[start : start + _COUPLES]
        first, second = couples.T
        seen: dict[tuple[str, str], Floats] = {}
        counted: dict[tuple[str, str], Floats] = {}
        for swaps in _swaps(outputs, resamples, seed):
            for name, found in _swapped(people, scores, couples, swaps, grouping, scaled, pairs):
                if name not in seen:
                    seen[name], counted[name] = found[:, :1], np.ones((2, len(couples)))
                apart = found[:, 1:] - seen[name]
                if name == (SYSTEM, SOFT):
                    _settle(apart, people, scores, couples, swaps)
                counted[name] += [(apart >= -ROUNDING).sum(axis=1), (apart <= ROUNDING).sum(axis=1)]
        for name, (higher, lower) in counted.items():
            known = np.isfinite(seen[name][:, 0])
            squares[name][first, second] = np.where(known, higher / (1 + resamples), np.nan)
            squares[name][second, first] = np.where(known, lower / (1 + resamples), np.nan)
    progress("pairs of metrics", len(every), len(every))
    return squares


def _swaps(outputs: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield coins for all outputs (columns) some times each, behind a row of none swapped."""
    import numpy as np

    coins = np.random.default_rng(seed)
    for start in range(0, resamples, _TIMES):
        sizes = [
            min(_BLOCK, resamples - at)
            for at in range(start, min(start + _TIMES, resamples), _BLOCK)
        ]
        drawn = [coins.integers(0, 2, (size, outputs), np.uint8) for size in sizes]
        yield np.concatenate([np.zeros((1, outputs), np.uint8), *drawn]).astype(np.float64)


def _swapped(
    people: Floats,
    scores: Floats,
    couples: Integers,
    swaps: Floats,
    grouping: str,
    epsilons: Floats,
    pairs: Pairs,
) -> Iterator[tuple[tuple[str, str], Floats]]:
    """Yield by how much the first metrics agree better, by statistic; NaN where undefined."""
    import numpy as np

    yield (
        (SENTENCE, ACCURACY),
        accuracy_of_outputs(people, scores, couples, swaps, epsilons, pairs),
    )
    yield (SENTENCE, PEARSON), pearson_of_outputs(people, scores, couples, swaps, grouping)
    if grouping == ITEM:
        yield (SENTENCE, KENDALL), kendall_by_item(people, scores, couples, swaps)
    scored = np.isfinite(people + scores).transpose(1, 0, 2)
    of_both = (scored[:, couples[:, 0]] & scored[:, couples[:, 1]]).any(axis=2).all(axis=0)
    complete = np.flatnonzero(of_both) if len(people) > 1 else np.array([], np.int64)
    shape = (len(couples), len(swaps))
    found = {name: np.full(shape, np.nan) for name in (PAIRWISE, PEARSON, SOFT)}
    if len(complete):
        chosen = couples[complete]
        found[PAIRWISE][complete], found[PEARSON][complete] = accuracy_and_pearson_of_systems(
            people, scores, chosen, swaps
        )
        found[SOFT][complete] = soft_accuracy_of_systems(people, scores, chosen, swaps)
    yield from (((SYSTEM, name), each) for name, each in found.items())


def _settle(
    apart: Floats, people: Floats, scores: Floats, couples: Integers, swaps: Floats
) -> None:
    """Put differences of double precision where those of single precision may not decide."""
    import numpy as np

    near = (np.abs(apart) < NEAR) & (apart != 0)
    for place in np.flatnonzero(near.any(axis=1)):
        one, other = scores[couples[place]]
        times = np.flatnonzero(near[place])
        exact = exact_soft_accuracy(people, one, other, swaps[[0, *(1 + times)]])
        apart[place, times] = exact[1:] - exact[0]


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


def _standardised(metric: Floats, people: Floats) -> tuple[Floats, float]:
    """Return z-scores of what people judged, and the unit they are in; constants are all 0."""
    import numpy as np

    scores = np.where(np.isfinite(people), metric, np.nan)
    if not np.isfinite(scores).any():
        return scores, 1.0
    scale = float(np.nanstd(scores)) or 1.0
    return (scores - np.nanmean(scores)) / scale, scale
