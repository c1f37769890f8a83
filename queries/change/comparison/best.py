"""Whether a submission is worse than the best of several, which was chosen because it is best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....schema.database import Database
from ...clusters import clusters
from ...metrics.registry import direction
from ..significance.intervals import TIE
from ..significance.replicates import drawn_sums, formula_of, score_sums
from .model import Settings
from .ranking import Sentences, read_alike, replicates_for
from .sides import read_side


def worse_than_best(
    database: Database,
    new: str,
    best: str,
    runs: Sequence[str],
    metric: str,
    settings: Settings,
    margin: float = 0.0,
) -> float | None:
    """Return the p-value that all are equally good, where ``best`` is more than ``margin`` ahead.

    ``runs`` are those that the best was chosen from. Of runs that are equally good some one is
    ahead by chance, the farther the more there are: the p-value is the share of resampled test sets
    in which some run is as far ahead of ``new``, beyond what it is on the whole, as the best is
    (one-sided; Dunnett 1955; multiple comparisons with the best, Hsu 1984). Documents, equal texts
    or sentences are resampled, for all runs the same. ``margin`` is in the score's own unit. None
    where the statistics of new or best are not known, or a resampled test set has no score.
    """
    together = clusters(
        database, read_side(database, new).treebank_id, unit=settings.resampling_unit
    )
    names = [new, best, *(run for run in runs if run not in (new, best))]
    found = read_alike(database, names, metric, together)
    known = {name: each for name, each in found.items() if isinstance(each, Sentences)}
    if not {new, best} <= known.keys():
        return None
    statistics = np.stack([known[name].statistics for name in names if name in known])
    drawn = drawn_sums(statistics, replicates_for(2, settings), settings.seed)
    sums = np.concatenate([statistics.sum(axis=1)[np.newaxis], drawn])
    scores = score_sums(database, formula_of(metric), sums.reshape(-1, sums.shape[-1]))
    scores = direction(metric) * scores.reshape(sums.shape[:-1])
    ahead = scores[:, 1:] - scores[:, :1]
    if np.isnan(ahead).any():
        return None
    farthest = (ahead[1:] - ahead[0]).max(axis=1)
    as_far = (farthest >= ahead[0, 0] - margin - TIE).sum()
    return float((1 + as_far) / (1 + len(farthest)))
