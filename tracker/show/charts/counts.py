"""What was counted, as bars: marked errors, and words that changed between versions."""

from __future__ import annotations

import altair
import pandas as pd

from ....queries.tasks.drift import Drift
from ..findings.drift import TITLES
from .style import BLUE, GREY, ORANGE, RED, heading, require_rows

SEVERITIES = {"critical": "#8c1d2f", "major": RED, "minor": ORANGE, "other": GREY}


def marked_errors_chart(marked: pd.DataFrame, title: str) -> altair.Chart:
    """Return a bar of errors for each name, stacked by severity, a panel for each criterion.

    ``marked`` holds rows of ``queries.errors.marked_errors`` by system, submission or campaign.
    Bars are errors per 100 words or, where the words of some are not known, per judgement.

    Raises InputError where there is no row.
    """
    require_rows(marked, "marked errors")
    words = bool(marked["words"].fillna(0).gt(0).all())
    per = marked["words"] / 100 if words else marked["judgements"]
    rates = {each: marked[each] / per for each in SEVERITIES}
    long = marked[["name", "criterion"]].assign(**rates)
    long = long.melt(
        id_vars=["name", "criterion"],
        value_vars=[*SEVERITIES],
        var_name="severity",
        value_name="errors",
    )
    long["place"] = long["severity"].map({each: n for n, each in enumerate(SEVERITIES)})
    used = [each for each in SEVERITIES if long.loc[long["severity"] == each, "errors"].any()]
    bars: altair.Chart = (
        altair.Chart(long[long["errors"] > 0], title=heading(title))
        .mark_bar()
        .encode(
            x=altair.X("errors:Q", title=f"errors per {'100 words' if words else 'judgement'}"),
            y=altair.Y("name:N", title=None, sort=list(dict.fromkeys(marked["name"]))),
            color=altair.Color(
                "severity:N",
                title=None,
                scale=altair.Scale(domain=used, range=[SEVERITIES[each] for each in used]),
            ),
            order=altair.Order("place:Q"),
            tooltip=["name:N", "severity:N", altair.Tooltip("errors:Q", format=".2f")],
        )
        .properties(width=460)
    )
    if marked["criterion"].nunique() > 1:
        bars = bars.encode(row=altair.Row("criterion:N", title=None)).resolve_scale(x="independent")
    return bars


KINDS = ("relation", "head", "lemma", "upos", "features", "form", "cut")


def drift_chart(drift: Drift) -> altair.Chart:
    """Return bars of the share of words that changed, a panel for each step and a bar each kind."""
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
    bars: altair.Chart = (
        altair.Chart(pd.DataFrame(rows))
        .mark_bar(color=BLUE)
        .encode(
            x=altair.X("percent:Q", title="% of words that both versions have"),
            y=altair.Y("kind:N", title=None, sort=[TITLES[kind] for kind in KINDS]),
            tooltip=["step:N", "kind:N", "words:Q", "percent:Q"],
            row=altair.Row(
                "step:N",
                title=None,
                sort=[f"{step.old} → {step.new}" for step in drift.steps],
                header=altair.Header(labelAnchor="start", labelOrient="top"),
            ),
        )
        .properties(width=420, height=120)
    )
    return bars
