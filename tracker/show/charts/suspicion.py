"""Suspicious patterns: of one submission, or over a selection of submissions."""

from __future__ import annotations

import altair
import pandas as pd

from ....schema.parameters import ALPHA
from . import style
from .marks import filled

TOP = 20
WIDTH, RATE_WIDTH = 300, 220
STEP = 20
LONGEST_LABEL = 460
MINING = ["labels", "metric", "pattern"]
SUSPICION_COLUMNS = [*MINING, "suspicion", "failure_rate", "base_rate", "p_holm"]
COVERAGE_COLUMNS = [
    *(*MINING, "submissions", "suspicious_in", "coverage"),
    *("suspicion_mean", "suspicion_median"),
]


def suspicious_patterns_chart(
    patterns: pd.DataFrame, title: str
) -> altair.HConcatChart | altair.LayerChart:
    """Return the 20 foremost patterns of an error mining as bars (section 3.4, Tables 5 to 7).

    ``patterns`` holds one mining's rows of ``suspicious_patterns``: bars of suspicion, full where
    the pattern goes with failure significantly; beside them the failure rate of the sentences with
    the pattern against that of all, and both counts. Or it holds rows of ``pattern_coverage`` with
    the same labels and metric: bars of the share of submissions where the pattern is suspicious,
    the darker the higher its mean suspicion there.

    Raises InputError where there are no rows, or a pattern comes twice.
    """
    style.require_rows(patterns, "patterns")
    style.require_single(patterns, ["pattern"], "submission, labels and metric")
    if "coverage" in patterns:
        return _coverage(patterns, title)
    return _suspicion(patterns, title)


def _suspicion(patterns: pd.DataFrame, title: str) -> altair.HConcatChart:
    rows = patterns.sort_values(["suspicion", "pattern"], ascending=[False, True]).head(TOP)
    suspicious = rows["suspicious"].eq(True)
    rows = rows.filter(items=SUSPICION_COLUMNS).assign(
        counts=[f"{row.failed:,.0f} of {row.sentences:,.0f}" for row in rows.itertuples()],
        is_suspicious=suspicious,
    )
    tooltip = [
        "pattern:N",
        altair.Tooltip("suspicion:Q", format=".3f"),
        altair.Tooltip("counts:N", title="sentences failed"),
        altair.Tooltip("failure_rate:Q", title="failure rate", format=".1%"),
        altair.Tooltip("base_rate:Q", title="failure rate of all", format=".1%"),
        altair.Tooltip("p_holm:Q", title="p (Holm)", format=".3g"),
    ]
    chart = altair.Chart(rows)
    bars = (
        chart.mark_bar(color=style.BLUE, stroke=style.BLUE, strokeWidth=1)
        .encode(
            x=altair.X("suspicion:Q", title="suspicion"),
            y=_pattern(rows),
            fillOpacity=filled("datum.is_suspicious", 0.18),
            tooltip=tooltip,
        )
        .properties(width=WIDTH, height=altair.Step(STEP))
    )
    rate = altair.X(
        "failure_rate:Q",
        title="failure rate",
        scale=altair.Scale(domain=[0, 1]),
        axis=altair.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    base = float(rows["base_rate"].iloc[0])
    y = _pattern(rows, labels=False)
    lollipops = altair.LayerChart(
        layer=[
            chart.mark_rule(color=style.ORANGE, strokeWidth=2).encode(
                x=rate, x2=altair.datum(base), y=y, tooltip=tooltip
            ),
            chart.mark_rule(strokeDash=[4, 3], opacity=0.6).encode(x=altair.datum(base)),
            chart.mark_point(
                size=50, strokeWidth=1.8, stroke=style.ORANGE, fill=style.ORANGE, opacity=1
            ).encode(
                x=rate,
                y=y,
                fillOpacity=filled("datum.is_suspicious"),
                tooltip=tooltip,
            ),
            chart.mark_text(align="left", opacity=0.75).encode(
                x=altair.value(RATE_WIDTH + 8), y=y, text="counts:N"
            ),
        ]
    ).properties(width=RATE_WIDTH, height=altair.Step(STEP))
    test = f"p < {ALPHA}, exact test, Holm–Bonferroni"
    lines = (
        _mining(rows),
        f"filled: fails significantly more often ({test}); hollow: does not",
        f"dashed: failure rate of all sentences, {base:.0%}; right: failed of those with it",
    )
    return altair.HConcatChart(
        hconcat=[bars, lollipops], spacing=24, title=style.heading(title, *lines)
    )


def _coverage(patterns: pd.DataFrame, title: str) -> altair.LayerChart:
    # DuckDB's whole numbers may be wider than JSON's: pandas has them as decimals.
    counts = patterns.astype({"suspicious_in": int, "submissions": int})
    ordered = counts.sort_values(
        ["coverage", "suspicion_mean", "pattern"], ascending=[False, False, True]
    )
    rows = ordered[ordered["suspicious_in"] > 0].head(TOP)
    style.require_rows(rows, "pattern that is suspicious in any submission")
    mined = round(rows["suspicious_in"].iloc[0] / rows["coverage"].iloc[0])
    rows = rows.filter(items=COVERAGE_COLUMNS).assign(
        figures=[f"{row.coverage:.0%} ({row.suspicious_in:,.0f})" for row in rows.itertuples()]
    )
    chart = altair.Chart(rows)
    y = _pattern(rows)
    bars = chart.mark_bar(stroke="#777777", strokeWidth=0.5).encode(
        x=altair.X(
            "coverage:Q",
            title=f"coverage: share of the {mined:,} mined submissions where it is suspicious",
            axis=altair.Axis(format="%", tickMinStep=0.01),
        ),
        y=y,
        color=altair.Color(
            "suspicion_mean:Q",
            scale=altair.Scale(scheme="blues"),
            legend=altair.Legend(title="mean suspicion", offset=84, format=".2f", tickCount=4),
        ),
        tooltip=[
            "pattern:N",
            altair.Tooltip("coverage:Q", format=".1%"),
            altair.Tooltip("suspicious_in:Q", title="suspicious in (submissions)"),
            altair.Tooltip("submissions:Q", title="submissions with the pattern"),
            altair.Tooltip("suspicion_mean:Q", title="mean suspicion", format=".3f"),
            altair.Tooltip("suspicion_median:Q", title="median suspicion", format=".3f"),
        ],
    )
    figures = chart.mark_text(align="left", opacity=0.75).encode(
        x=altair.value(WIDTH + 128), y=y, text="figures:N"
    )
    subtitle = f"{_mining(rows)}; in brackets: submissions where the pattern is suspicious"
    layers = altair.LayerChart(layer=[bars, figures], title=style.heading(title, subtitle))
    return layers.properties(width=WIDTH + 120, height=altair.Step(STEP))


def _mining(rows: pd.DataFrame) -> str:
    first = rows.iloc[0]
    return f"subtrees of {first['labels']}, failure by {style.long_name(str(first['metric']))}"


def _pattern(rows: pd.DataFrame, *, labels: bool = True) -> altair.Y:
    return altair.Y(
        "pattern:N",
        sort=list(rows["pattern"]),
        title=None,
        axis=altair.Axis(labels=labels, ticks=False, domain=False, labelLimit=LONGEST_LABEL),
    )
