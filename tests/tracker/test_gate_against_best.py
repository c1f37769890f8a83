"""A gate against the best of several runs knows that it was chosen as the best."""

from __future__ import annotations

import numpy as np
import pytest

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.gate import worse_than_best
from tests.validity.worlds import Floats, world

SENTENCES, RUNS = 40, 12


def scores(seed: int, behind: float = 0.0) -> Floats:
    """Return scores of runs that are equally good, but for the last one."""
    rng = np.random.default_rng(seed)
    drawn: Floats = rng.normal(size=(RUNS, SENTENCES))
    drawn[-1] -= behind
    return drawn


def p_of_best(drawn: Floats, margin: float = 0.0) -> float:
    """Return the p-value by the draws of sacreBLEU, one test set at a time."""
    ahead = drawn[:-1] - drawn[-1]
    whole = ahead.mean(axis=1)
    times = np.random.default_rng(12345).choice(SENTENCES, (1000, SENTENCES))
    farthest = [max(ahead[:, chosen].mean(axis=1) - whole) for chosen in times]
    return (1 + sum(far >= whole.max() - margin for far in farthest)) / 1001


@pytest.mark.parametrize(("behind", "margin"), [(0.0, 0.0), (0.3, 0.0), (0.6, 0.2)])
def test_the_largest_lead_of_equal_runs(behind: float, margin: float) -> None:
    drawn = scores(1, behind)
    with world(SENTENCES) as there:
        (ids,) = there.submissions(1, RUNS)
        there.score(ids, {"m": drawn})
        best = ids[int(drawn[:-1].mean(axis=1).argmax())]
        computed = worse_than_best(there.database, ids[-1], best, ids, "m", Settings(), margin)
        assert computed == pytest.approx(p_of_best(drawn, margin))
        assert worse_than_best(there.database, ids[-1], best, ids, "none", Settings()) is None


def test_a_drop_fails_only_where_the_best_of_equal_runs_is_not_as_far_ahead() -> None:
    equal = next(
        drawn
        for drawn in map(scores, range(1000))
        if np.ptp(drawn.mean(axis=1)[[-1, drawn[:-1].mean(axis=1).argmax()]]) > 0.55
        and p_of_best(drawn) > 0.05
    )
    measured = {"equal": equal, "worse": scores(1, behind=1.5)}
    with world(SENTENCES) as there:
        (ids,) = there.submissions(1, RUNS)
        there.score(ids, measured)
        for measure, fails in (("equal", False), ("worse", True)):
            best = ids[int(measured[measure][:-1].mean(axis=1).argmax())]
            rule = {"max_drop": {measure: 0}, "significant": True}
            (fixed,) = there.db.gate(ids[-1], best, **rule).verdicts
            against = there.db.gate(ids[-1], f"s0@best:{measure}", **rule)
            (verdict,) = against.verdicts
            assert against.base.submission_id == best
            strict = there.db.gate(ids[-1], f"s0@best:{measure}", **rule, alpha=0.001)
            assert strict.passed is not fails
            assert fixed.verdict == "failed"
            assert verdict.verdict == ("failed" if fails else "passed")
            assert verdict.reason == (
                None if fails else "the best of equal runs may be as far ahead"
            )
            assert any("as the best of 11 runs" in note for note in against.notes)
