"""The metric of challenge sets: the share of their items that an output passes."""

from __future__ import annotations

from ..metrics.metric import CHALLENGE, STATISTICS, Formula, Metric, Parts

_SHARE = "sums[1] / nullif(sums[2], 0)"
PASSED = Metric(
    name="challenge",
    description="share of the items of challenge sets whose expectations hold",
    version="1",
    text_level=CHALLENGE,
    formula=Formula(STATISTICS, _SHARE),
    parts=Parts("phenomenon", "Phenomena", 2, _SHARE),
    lowest=0.0,
    highest=1.0,
)
METRICS = (PASSED,)
