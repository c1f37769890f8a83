"""Rank clusters and rank ranges of systems, as WMT draws them from tests between every two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Booleans, Integers


@dataclass(frozen=True)
class Ranks:
    """Where systems stand, one value for each, in the order they were given."""

    cluster: Integers
    """Number of the rank cluster, from 1 for the best."""
    rank_from: Integers
    """Best rank the tests allow: 1 + the number of systems that are significantly better."""
    rank_to: Integers
    """Worst rank they allow: the number of systems less those that are significantly worse."""


def rank_clusters(better: Booleans) -> Ranks:
    """Return clusters and rank ranges of systems that come best first.

    ``better`` is square: whether the system of the row is significantly better than the system of
    the column. A cluster ends where every system down to there is better than every system below:
    clusters are as small as that allows, and the ranks a system may have lie within its cluster.
    Bojar et al. 2017, section 3; Mille et al. 2018, section 5.2.1.
    """
    import numpy as np

    count = len(better)
    ends = [bool(better[:place, place:].all()) for place in range(1, count)]
    cluster = 1 + np.cumsum([0, *ends][:count], dtype=np.int64)
    return Ranks(cluster, 1 + better.sum(axis=0), count - better.sum(axis=1))
