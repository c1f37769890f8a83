"""The power of an evaluation by its size."""

from __future__ import annotations

import altair
import pandas as pd

from .style import BLUE, GREY, ORANGE, RED, heading, require_rows

WIDTH, HEIGHT = 420, 260


def power_chart(rows: pd.DataFrame, wanted: float, title: str) -> altair.LayerChart:
    """Return a curve for each number of annotators: power over sentences.

    ``rows`` are those of a power plan: dots are simulated, lines the closed form. The dashed line
    is the power ``wanted``.

    Raises InputError where there is nothing to draw.
    """
    known = rows.dropna(subset=["expected"])
    require_rows(known, "power")
    annotators = sorted(set(known["annotators"]))
    colour = altair.Color(
        "annotators:N",
        title="annotators of an output",
        scale=altair.Scale(domain=annotators, range=[BLUE, ORANGE, RED, GREY]),
    )
    x = altair.X("items:Q", title="sentences", scale=altair.Scale(type="log", nice=False))
    axis = altair.Axis(format="%")
    scale = altair.Scale(domain=[0, 1])
    base = altair.Chart(known)
    lines = base.mark_line().encode(
        x=x, y=altair.Y("expected:Q", title="power", axis=axis, scale=scale), color=colour
    )
    dots = (
        altair.Chart(known.dropna(subset=["simulated"]))
        .mark_point(filled=True, size=55)
        .encode(x=x, y=altair.Y("simulated:Q", axis=axis, scale=scale), color=colour)
    )
    rule = base.mark_rule(strokeDash=[4, 4], color=GREY).encode(y=altair.datum(wanted))
    return altair.LayerChart(
        layer=[lines, dots, rule],
        width=WIDTH,
        height=HEIGHT,
        title=heading(title, "dots: simulated from what was judged; lines: closed form"),
    )
