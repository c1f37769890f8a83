"""The statistics by which metrics agree with people, of outputs and of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..functions import metric_tests, pair_agreement
from ..functions.pair_agreement import ITEM, NONE
from ..functions.statistics import Booleans, Floats
from ..people.correlating import outliers
from .judged_matrices import Judged

INTERVAL = (0.025, 0.975)
FEWEST_SYSTEMS = 2
FEWEST_FOR_R = 3
ACCURACY, KENDALL, PEARSON = "accuracy", "kendall", "pearson"
PAIRWISE, SOFT, WITHOUT = "pairwise_accuracy", "soft_accuracy", "pearson_without_outliers"
OF_SENTENCES, OF_SYSTEMS = (ACCURACY, KENDALL, PEARSON), (PAIRWISE, SOFT, PEARSON, WITHOUT)


@dataclass
class Agreement:
    """A statistic of all metrics, and what tells how sure it is."""

    level: str
    grouping: str
    statistic: str
    values: Floats
    replicates: Floats | None = None
    seen: Floats | None = None
    """What the replicates are drawn around: the values of what people and metrics scored."""
    permutation: metric_tests.Tested | None = None
    epsilons: Sequence[float | None] = ()
    systems: int = 0


def of_sentences(judged: Judged, grouping: str, seed: int) -> list[Agreement]:
    """Return acc*_eq, tau-b and r of outputs, each metric on the outputs it scores.

    Each is the mean over groups: items, systems, or all outputs as one (``grouping``).
    """
    count = len(judged.metrics)
    values = {name: np.full(count, np.nan) for name in OF_SENTENCES}
    epsilons: list[float | None] = [None] * count
    for at, metric in enumerate(judged.scores):
        people = np.where(np.isfinite(metric), judged.people, np.nan)
        pairs = pair_agreement.pairs_of_outputs(people, grouping, seed)
        calibrated = pair_agreement.calibrated_accuracy(people, metric, pairs)
        if calibrated is None:
            continue
        values[ACCURACY][at], epsilons[at] = calibrated.accuracy, calibrated.epsilon
        values[KENDALL][at] = mean(pair_agreement.tau_by_group(people, metric, pairs))
        values[PEARSON][at] = mean(pair_agreement.pearson_by_group(people, metric, grouping))
    systems = len(judged.systems)
    return [
        Agreement("sentence", grouping, name, values[name], systems=systems)
        for name in OF_SENTENCES[1:]
    ] + [
        Agreement(
            "sentence",
            grouping,
            ACCURACY,
            values[ACCURACY],
            epsilons=epsilons,
            systems=systems,
        )
    ]


def of_systems(judged: Judged, resamples: int, seed: int) -> list[Agreement]:
    """Return the agreement of systems' scores with people's means."""
    count, systems = len(judged.metrics), len(judged.systems)
    values = {name: np.full(count, np.nan) for name in OF_SYSTEMS}
    means = np.nanmean(judged.people, axis=1)
    kept = ~outliers(means)
    for at, scores in enumerate(judged.system_scores):
        known = np.isfinite(scores)
        if known.sum() >= FEWEST_SYSTEMS:
            values[PAIRWISE][at] = pair_agreement.pairwise_accuracy(means[known], scores[known])
        for name, chosen in ((PEARSON, known), (WITHOUT, known & kept)):
            if chosen.sum() >= FEWEST_FOR_R:
                r = pair_agreement.correlation_of_means(means[None, chosen], scores[None, chosen])
                values[name][at] = r[0]
    if systems >= FEWEST_SYSTEMS:
        softly = pair_agreement.soft_accuracy(
            judged.people, judged.scores, resamples=resamples, seed=seed
        )
        scored: Booleans = np.isfinite(judged.scores + judged.people)
        complete = np.all(np.any(scored, axis=2), axis=1)
        values[SOFT] = np.where(complete, softly, np.nan)
    return [
        Agreement(
            "system",
            NONE,
            name,
            values[name],
            systems=int(kept.sum()) if name == WITHOUT else systems,
        )
        for name in OF_SYSTEMS
    ]


def by_item(judged: Judged, epsilons: Sequence[float], seed: int) -> dict[str, Floats]:
    """Return the statistics of sentences for each metric and item, NaN where there is none."""
    shape = (len(judged.metrics), judged.people.shape[1])
    values = {name: np.full(shape, np.nan) for name in OF_SENTENCES}
    for at, metric in enumerate(judged.scores):
        people = np.where(np.isfinite(metric), judged.people, np.nan)
        pairs = pair_agreement.pairs_of_outputs(people, ITEM, seed)
        if not len(pairs.first):
            continue
        items = np.unique(pairs.first % shape[1])
        values[ACCURACY][at, items] = pair_agreement.accuracy_by_group(
            people, metric, pairs, epsilons[at]
        )
        values[KENDALL][at, items] = pair_agreement.tau_by_group(people, metric, pairs)
        values[PEARSON][at] = pair_agreement.pearson_by_group(people, metric, ITEM)
    return values


def mean(values: Floats) -> float:
    """Return the mean of what is defined, NaN where nothing is."""
    defined = values[np.isfinite(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def interval(replicates: Floats) -> dict[str, float | None]:
    """Return the 95% interval of resampled values, as ``low`` and ``high``; NaN do not count."""
    defined = replicates[np.isfinite(replicates)]
    if not len(defined):
        return {"low": None, "high": None}
    low, high = np.quantile(defined, INTERVAL)
    return {"low": float(low), "high": float(high)}
