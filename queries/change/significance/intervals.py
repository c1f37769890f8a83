"""Intervals and p-values from the scores of replicates, defined as in sacreBLEU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats

TIE = 1e-12
"""Differences this close are equal: the last digits of scores depend on how they are computed."""


def interval(scores: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the interval that holds a share of the replicates' scores.

    ``scores`` has the shape (replicates, …), the ends (…). As many scores are left out on either
    side: of 1,000 and a level of 0.95 the 25 lowest and the 25 highest.
    """
    outside = int(round(len(scores) * (1 - level) / 2, 9))
    ordered = np.sort(scores, axis=0)
    return ordered[outside], ordered[len(scores) - 1 - outside]


def bootstrap_p_values(differences: Floats, observed: Floats) -> Floats:
    """Return p-values of the paired bootstrap.

    ``differences`` has the shape (replicates, pairs), ``observed`` (pairs). How far a replicate's
    absolute difference lies above their mean is what chance does to a difference. For a clear
    difference that is one side only: the p-value is about half of a two-sided one, as sacreBLEU's.
    """
    # One pair after the other: how a mean is rounded depends on the shape of the array.
    absolute = [np.abs(column) for column in np.ascontiguousarray(differences.T)]
    deviations = np.stack([column - column.mean() for column in absolute], axis=1)
    return _p_values(deviations, np.abs(observed))


def randomisation_p_values(differences: Floats, observed: Floats) -> Floats:
    """Return two-sided p-values of approximate randomisation; shapes as in bootstrap_p_values."""
    return _p_values(np.abs(differences), np.abs(observed))


def _p_values(by_chance: Floats, observed: Floats) -> Floats:
    as_large = (by_chance >= observed - TIE).sum(axis=0)
    p_values: Floats = (as_large + 1) / (len(by_chance) + 1)
    return p_values
