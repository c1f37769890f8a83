"""Several submissions side by side as one HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.change.comparison.model import Settings
from sr_tracker.queries.change.comparison.points import unit
from sr_tracker.queries.change.comparison.ranking import Ranking
from sr_tracker.queries.metrics.registry import notes
from sr_tracker.tracker.show.comparison.headline import short_names, value_text
from sr_tracker.tracker.show.comparison.page import render
from sr_tracker.tracker.show.comparison.ranking_marks import BETTER, WORSE, marks, summary

NAMED = 4


def render_rankings(rankings: Sequence[Ranking], settings: Settings) -> str:
    """Return rankings, one per metric, as HTML; the bytes depend on them alone."""
    names = [short_names([each.side for each in ranking.ranked]) for ranking in rankings]
    return render(
        "ranking.html",
        title=" · ".join(names[0]) if len(names[0]) <= NAMED else f"{len(names[0])} submissions",
        settings=settings,
        unit=unit,
        notes=notes,
        value_text=value_text,
        verdicts={BETTER: "better", WORSE: "worse"},
        rankings=[
            (ranking, short, summary(ranking), marks(ranking, settings.alpha))
            for ranking, short in zip(rankings, names, strict=True)
        ],
    )
