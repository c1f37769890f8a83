"""The metric of challenge sets: the share of their items that an output passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..metrics.metric import CHALLENGE, SHARE, STATISTICS, Formula, Metric, Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...schema.database import Database
    from ...schema.progress import Progress

PASSED = Metric(
    name="challenge",
    description="share of the items of challenge sets whose expectations hold",
    version="1",
    text_level=CHALLENGE,
    formula=Formula(STATISTICS, SHARE),
    parts=Parts("phenomenon", "Phenomena", 2, SHARE),
    lowest=0.0,
    highest=1.0,
)
METRICS = (PASSED,)


def score_pending(
    database: Database, submissions: Sequence[str] | None, *, progress: Progress
) -> None:
    """Score submissions whose test set has challenge items."""
    from .challenges import score_challenges

    score_challenges(database, submissions, progress=progress)
