"""How far repeated runs of a metric say the same of the same outputs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sr_tracker.queries.functions import pair_agreement
from sr_tracker.queries.functions.pair_agreement import ITEM
from sr_tracker.queries.people.examining.model import Scored, ratio
from sr_tracker.queries.people.metric_statistics import interval, number

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Booleans, Floats
    from sr_tracker.queries.people.judged_matrices import Judged


def stability(
    scored: Scored, judged: Judged, runs: Sequence[str], seed: int
) -> dict[str, Any] | None:
    """Return how far runs of a metric agree on the judged outputs that all of them scored.

    ``deviation``: standard deviation of the runs' scores of one output, root mean square over
    outputs; ``deviation_of_spread``: by the standard deviation of all scores. ``alpha``:
    Krippendorff's alpha for intervals, runs being the raters. ``icc``: intraclass correlation of a
    single run, for its scores to be the same, with an interval over resampled items, and
    ``icc_consistency`` for them to be the same but for a constant of each run: the cases (2,1) and
    (3,1) of Shrout and Fleiss (1979), outputs being the targets and runs the judges. ``flipped``:
    share of the pairs of outputs of an item that two runs put in opposite orders, mean over pairs
    of runs; ``lowest_tau`` and ``highest_tau``: agreement of single runs with people. None for one
    run.
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
        **intraclass(stack, shared, scored.draws),
        "flipped": float(np.mean(_flipped(stack, pairs))),
        "lowest_tau": min(mean_taus, default=None),
        "highest_tau": max(mean_taus, default=None),
        "undefined_reason": None,
    }


_NAMES = (
    *("deviation", "deviation_of_spread", "alpha", "icc", "low", "high", "icc_consistency"),
    *("flipped", "lowest_tau", "highest_tau"),
)


def intraclass(stack: Floats, shared: Booleans, draws: Floats) -> dict[str, Any]:
    """Return both intraclass correlations of runs; ``low`` and ``high`` are the first one's ends.

    ``stack`` has runs, systems and items, ``shared`` says which outputs count. They come from sums
    over the items, all of them once or as often as they were drawn.
    """
    import numpy as np

    runs = len(stack)
    centred = np.where(shared, stack - stack[:, shared].mean(), 0)
    sums = np.stack(
        [
            shared.sum(axis=0),
            (centred.sum(axis=0) ** 2).sum(axis=0),
            (centred**2).sum(axis=(0, 1)),
            *centred.sum(axis=1),
        ]
    )
    times = np.concatenate([np.ones((1, draws.shape[1])), draws])
    outputs, of_outputs, squares, *of_runs = sums @ times.T
    with np.errstate(invalid="ignore", divide="ignore"):
        correction = sum(of_runs) ** 2 / (outputs * runs)
        between = (of_outputs / runs - correction) / (outputs - 1)
        of_run = sum(each**2 for each in of_runs) / outputs - correction
        left = squares - correction - (of_outputs / runs - correction) - of_run
        error = left / ((outputs - 1) * (runs - 1))
        biased = runs / outputs * (of_run / (runs - 1) - error)
        same = ratio(between - error, between + (runs - 1) * error + biased)
        consistent = ratio(between - error, between + (runs - 1) * error)
    return {
        "icc": number(float(same[0])),
        **interval(same[1:]),
        "icc_consistency": number(float(consistent[0])),
    }


def _flipped(stack: Floats, pairs: pair_agreement.Pairs) -> list[float]:
    import numpy as np

    signs = [np.sign(pair_agreement.differences(each, pairs)) for each in stack]
    return [float((one * other < 0).mean()) for one, other in combinations(signs, 2)]
