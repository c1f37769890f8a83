"""Systems so much better or worse than the others that they alone make a correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Booleans, Floats

CUTOFF = 2.5
NORMAL = 1.483  # makes the median absolute deviation of normal values their standard deviation


def outliers(scores: Floats) -> Booleans:
    """Return which of the human scores of at least one system lie too far from their median.

    Too far are more than 2.5 times 1.483 median absolute deviations (Mathur et al. 2020,
    section 4.1). Where more than half of the scores are the same the rule has no yardstick:
    nothing is an outlier then.
    """
    import numpy as np

    distance = np.abs(scores - np.median(scores))
    yardstick = NORMAL * np.median(distance)
    far: Booleans = (distance > CUTOFF * yardstick) & (yardstick > 0)
    return far
