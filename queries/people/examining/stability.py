"""How far repeated runs of a metric say the same of the same outputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sr_tracker.queries.functions import pair_agreement
from sr_tracker.queries.functions.pair_agreement import ITEM
from sr_tracker.queries.people.examining.model import Scored
from sr_tracker.queries.people.metric_statistics import number

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats
    from sr_tracker.queries.people.judged_matrices import Judged


def stability(
    scored: Scored, judged: Judged, runs: Sequence[str], seed: int
) -> dict[str, Any] | None:
    """Return how far runs of a metric agree on the judged outputs that all of them scored.

    ``deviation``: standard deviation of the runs' scores of one output, root mean square over
    outputs; ``deviation_of_spread``: by the standard deviation of all scores. ``alpha``:
    Krippendorff's alpha for intervals, runs being the raters. ``flipped``: share of the pairs of
    outputs of an item that two runs put in opposite orders, mean over pairs of runs;
    ``lowest_tau`` and ``highest_tau``: agreement of single runs with people. None for one run.
    """
    import numpy as np

    if len(runs) < 2:
        return None
    stack = np.stack([judged.scores[list(judged.metrics).index(each)] for each in runs])
    shared = np.isfinite(stack).all(axis=0) & scored.both
    row: dict[str, Any] = {**scored.place, "runs": len(runs), "outputs": int(shared.sum())}
    people = np.where(shared, judged.people, np.nan)
    pairs = pair_agreement.pairs_of_outputs(people, ITEM, seed)
    scores = stack[:, shared]
    spread = float(scores.std()) if scores.size else 0.0
    if not spread or not len(pairs.first):
        reason = "the runs scored no two outputs of an item, or gave them one score"
        return row | dict.fromkeys(_NAMES) | {"undefined_reason": reason}
    within = scores.var(axis=0, ddof=1).mean()
    taus = [pair_agreement.tau_by_group(people, each, pairs) for each in stack]
    mean_taus = [float(np.nanmean(each)) for each in taus if np.isfinite(each).any()]
    return row | {
        "deviation": float(np.sqrt(within)),
        "deviation_of_spread": float(np.sqrt(within)) / spread,
        "alpha": number(1 - within / float(scores.var(ddof=1))),
        "flipped": float(np.mean(_flipped(stack, pairs))),
        "lowest_tau": min(mean_taus, default=None),
        "highest_tau": max(mean_taus, default=None),
        "undefined_reason": None,
    }


_NAMES = ("deviation", "deviation_of_spread", "alpha", "flipped", "lowest_tau", "highest_tau")


def _flipped(stack: Floats, pairs: pair_agreement.Pairs) -> list[float]:
    import numpy as np

    signs = [np.sign(pair_agreement.differences(each, pairs)) for each in stack]
    return [float((one * other < 0).mean()) for one, other in combinations(signs, 2)]
