"""One metric under the lens: where it agrees with people, whom it favours, what it misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import numpy as np
import pyarrow as pa

from ....schema import parameters
from ....schema.brief import Brief
from ...clusters import Clusters, cluster_sums
from ...functions.metric_tests import draws_of_clusters
from ...functions.statistics import Booleans, Floats, Integers
from ...resampling import Resampled
from ..judged_matrices import Judged

TABLES = (
    "agreement",
    "systems",
    "own",
    "lengths",
    "stability",
    "calibration",
    "bins",
    "relations",
)
"""The tables of an examination, in the order in which they are read."""


@dataclass(frozen=True)
class ExaminationSettings(Resampled):
    """How a metric is examined."""

    people: parameters.People = "raw"
    own: Annotated[
        Sequence[parameters.System],
        parameters.Option("System of the metric's family; may be repeated."),
    ] = ()
    """Such as those built on the model that judges."""
    own_tags: Annotated[
        Mapping[str, str] | None,
        parameters.Option(
            "Tag of submissions of the metric's family; may be repeated.",
            flag="--own-tag",
            metavar="NAME=VALUE",
            convert=partial(parameters.named_values, option="--tag"),
        ),
    ] = None
    """Systems with a judged submission that has any of them are of the family too."""
    repeats: Annotated[
        Sequence[parameters.Measure],
        parameters.Option(
            "Metric that is a further run of the same metric; may be repeated.", flag="--repeat"
        ),
    ] = ()
    replicates: Annotated[
        parameters.Replicates, parameters.Option("Number of resampled test sets.")
    ] = parameters.REPLICATES
    seed: parameters.Seed = parameters.SEED


@dataclass(frozen=True, repr=False)
class Examination(Brief):
    """What was found of a metric; each table has the columns campaign_id, treebank_id, criterion.

    Shares and coefficients are 0 to 1 or -1 to 1. A deviation is in standard deviations of the
    metric's scores of that criterion; ``low`` and ``high`` are 95% intervals over resampled
    documents, equal texts or sentences. Undefined values are NULL, with ``undefined_reason``.
    """

    metric: str
    people: str
    agreement: pa.Table
    """A row per part of the outputs and statistic, the columns of a view metric_leaderboard."""
    systems: pa.Table
    """A row per system: how far it is favoured above the line of all systems."""
    own: pa.Table
    """A row per criterion: how far systems of the metric's family are favoured above others."""
    lengths: pa.Table
    """A row per criterion: r of how far outputs are favoured and how long they are."""
    calibration: pa.Table
    """A row per criterion: the line from the metric's scores to people's, and its error."""
    bins: pa.Table
    """A row per bin of the metric's scores: their mean, people's mean, and what the line says."""
    stability: pa.Table
    """A row per criterion: how far repeated runs of the metric say the same."""
    relations: pa.Table
    """A row per relation: what finding its edges brings by the metric, and by people."""
    resamples: int
    seed: int


@dataclass(frozen=True)
class Scored:
    """The outputs that both people and one metric scored: matrices of systems and items."""

    judged: Judged
    both: Booleans
    people: Floats
    metric: Floats
    """0 where ``both`` is false, as ``people`` is."""
    draws: Floats
    """How often each item (column) was drawn in each resample (row)."""
    keys: Integers
    """Shape (items): equal where two are drawn together."""
    unit: str
    """What is drawn: document, text or sentence."""

    def clusters(self, both: Booleans) -> Integers:
        """Return of how many clusters each row's items are, those where it is true."""
        sums = cluster_sums(both[..., np.newaxis].astype(np.float64), self.keys)
        counted: Integers = (sums > 0).sum(axis=(1, 2))
        return counted

    def spread(self, values: Floats) -> float:
        """Return the standard deviation of the outputs' values, 0 where they are all the same."""
        seen = values[self.both]
        if not len(seen) or np.ptp(seen) <= 1e-9 * np.abs(seen).max():
            return 0.0
        return float(seen.std())

    def within_items(self, values: Floats) -> Floats:
        """Return values less the mean of their item; 0 where there is none."""
        count = np.maximum(self.both.sum(axis=0), 1)
        means = np.where(self.both, values, 0).sum(axis=0) / count
        return np.where(self.both, values - means, 0)

    def centred(self, values: Floats) -> Floats:
        """Return values less the mean of their item; where most items have one, of their system."""
        several = self.both[:, self.both.sum(axis=0) > 1]
        if 2 * several.sum() >= self.both.sum():
            return self.within_items(values)
        count = np.maximum(self.both.sum(axis=1, keepdims=True), 1)
        means = np.where(self.both, values, 0).sum(axis=1, keepdims=True) / count
        return np.where(self.both, values - means, 0)


def scored_by(judged: Judged, metric: str, together: Clusters, resamples: int, seed: int) -> Scored:
    """Return the outputs that people judged and the metric scored.

    What is ``together`` in the treebank is drawn together.
    """
    scores = judged.scores[list(judged.metrics).index(metric)]
    both = np.isfinite(scores) & np.isfinite(judged.people)
    people, metric_scores = np.where(both, judged.people, 0), np.where(both, scores, 0)
    keys = together.of(judged.items)
    draws = draws_of_clusters(keys, resamples, seed)
    return Scored(
        of_metric(judged, metric), both, people, metric_scores, draws, keys, together.unit
    )


def of_metric(judged: Judged, metric: str) -> Judged:
    """Return what was judged, with this metric alone."""
    at = list(judged.metrics).index(metric)
    return replace(
        judged,
        metrics=[metric],
        scores=judged.scores[at : at + 1],
        system_scores=judged.system_scores[at : at + 1],
    )


def ratio(above: Floats, below: Floats) -> Floats:
    """Return a quotient, NaN where it is divided by 0 or less."""
    with np.errstate(invalid="ignore", divide="ignore"):
        quotient: Floats = np.where(below > 0, above / below, np.nan)
    return quotient
