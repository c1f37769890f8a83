"""How much of a test set's words changed from version to version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.queries.change.drift import Drift
from sr_tracker.tracker.show.charts.style import BLUE
from sr_tracker.tracker.show.findings.drift import TITLES

if TYPE_CHECKING:
    import altair as alt

KINDS = ("relation", "head", "lemma", "upos", "features", "form", "cut")


def drift_chart(drift: Drift) -> alt.Chart:
    """Return bars of the share of words that changed, a panel for each step and a bar each kind."""
    import altair as alt
    import pandas as pd

    rows = [
        {
            "step": f"{step.old} → {step.new}",
            "kind": TITLES[kind],
            "percent": 100 * step.total(kind) / max(step.counts.words, 1),
            "words": step.total(kind),
        }
        for step in drift.steps
        for kind in KINDS
    ]
    bars: alt.Chart = (
        alt.Chart(pd.DataFrame(rows))
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("percent:Q", title="% of words that both versions have"),
            y=alt.Y("kind:N", title=None, sort=[TITLES[kind] for kind in KINDS]),
            tooltip=["step:N", "kind:N", "words:Q", "percent:Q"],
            row=alt.Row(
                "step:N",
                title=None,
                sort=[f"{step.old} → {step.new}" for step in drift.steps],
                header=alt.Header(labelAnchor="start", labelOrient="top"),
            ),
        )
        .properties(width=420, height=120)
    )
    return bars
