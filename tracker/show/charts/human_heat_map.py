"""Which submission people rate significantly higher than which, as heat maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import altair
import pandas as pd

from sr_tracker.tracker.show.charts.style import (
    heading,
    require_rows,
    require_single,
    signed,
    text_width,
)

CELL = 46
FONT_SIZE = 11
LINES = "#d8d8d8"
BOUNDS = {"not higher": float("inf"), "p < 0.05": 0.05, "p < 0.01": 0.01, "p < 0.001": 0.001}
LEVELS = {
    "p < 0.001": "#1a7f4b",
    "p < 0.01": "#67b587",
    "p < 0.05": "#c0e2cb",
    "not higher": "#f4f4f2",
}
UNDEFINED = {"undefined": "#c4c4c4"}
COLUMNS = [
    *("row", "column", "level", "figure", "score_difference", "p_value", "p_holm", "sentences"),
    *("other_sentences", "undefined_reason"),
]


def human_heat_map(
    human_comparisons: pd.DataFrame, title: str, *, corrected: bool = False
) -> altair.HConcatChart:
    """Return squares of submissions: is the row's rated higher than the column's (Figures 4 to 6).

    ``human_comparisons`` holds rows of the view of that name, of one treebank and one choice of
    annotators. Each criterion has a square, submissions with the highest score first. A
    cell is the greener the lower the p-value (0.05, 0.01, 0.001; ``corrected``: by Holm's method)
    and shows the difference of the scores. Undefined cells are grey.

    Raises InputError where there are no rows, or a pair comes twice with one criterion.
    """
    require_rows(human_comparisons, "comparisons of human scores")
    require_single(
        human_comparisons,
        ["criterion", "submission_id", "other_submission_id"],
        "treebank and choice of annotators",
    )
    p_value = "p_holm" if corrected else "p_value"
    # Squares share their colours: what is undefined in one of them is in the legend of all.
    undefined = bool(human_comparisons[p_value].isna().any())
    levels = {**LEVELS, **UNDEFINED} if undefined else LEVELS
    squares = [
        _square(rows, str(criterion), p_value, levels)
        for criterion, rows in human_comparisons.groupby("criterion", sort=True)
    ]
    lines = (
        "green: the system of the row is rated higher than the system of the column",
        "(Wilcoxon test of sentences' scores" + (", Holm–Bonferroni)" if corrected else ")"),
        "figures: difference of their mean scores",
    )
    return altair.HConcatChart(hconcat=squares, spacing=36, title=heading(title, *lines))


def _square(
    rows: pd.DataFrame, criterion: str, p_value: str, levels: Mapping[str, str]
) -> altair.LayerChart:
    cells, order = _cells(rows, p_value)
    upright = all(text_width(name, FONT_SIZE) < CELL for name in order)
    labels: dict[str, Any] = {"domain": False, "ticks": False, "labelPadding": 6, "labelLimit": 260}
    position = {
        "x": altair.X(
            "column:N",
            scale=altair.Scale(domain=order),
            title=None,
            axis=altair.Axis(orient="top", labelAngle=0 if upright else -45, **labels),
        ),
        "y": altair.Y(
            "row:N", scale=altair.Scale(domain=order), title=None, axis=altair.Axis(**labels)
        ),
    }
    chart = altair.Chart(cells)
    squares = chart.mark_rect(stroke=LINES, strokeWidth=1).encode(
        **position,
        color=altair.Color(
            "level:N",
            scale=altair.Scale(domain=list(levels), range=list(levels.values())),
            legend=altair.Legend(title=None, symbolType="square", symbolStrokeColor=LINES),
        ),
        tooltip=_tooltip(),
    )
    figures = chart.mark_text(fontSize=FONT_SIZE).encode(
        **position,
        text="figure:N",
        color=altair.condition(
            altair.datum.level == "p < 0.001", altair.value("#ffffff"), altair.value("#1c1c1c")
        ),
    )
    size = CELL * len(order)
    return altair.LayerChart(
        layer=[squares, figures],
        title=altair.TitleParams(criterion, anchor="middle", fontSize=12),
        width=size,
        height=size,
        view=altair.ViewBackground(stroke=None),
    )


def _cells(rows: pd.DataFrame, p_value: str) -> tuple[pd.DataFrame, list[str]]:
    """Return one row per cell, and the submissions' names, those with the highest mean first."""
    names = _names(rows)
    difference = rows["score_difference"].astype(float)
    # The mean difference from the others has the order of the means; without any, one comes last.
    means = difference.groupby(rows["submission_id"]).mean()
    order = [names[each] for each in means.sort_values(ascending=False, kind="stable").index]
    p_values = rows[p_value].astype(float)
    level = pd.Series("undefined", index=rows.index)
    for name, bound in BOUNDS.items():
        level = level.mask(p_values < bound, name)
    cells = rows.assign(
        row=rows["submission_id"].map(names),
        column=rows["other_submission_id"].map(names),
        level=level,
        figure=difference.map(signed).where(difference.notna(), "–"),
    )
    return cells.filter(items=COLUMNS), order


def _names(rows: pd.DataFrame) -> dict[str, str]:
    """Return what each submission is called: its system, where no other one has the same."""
    systems = dict(zip(rows["submission_id"], rows["system_id"], strict=True))
    times = Counter(systems.values())
    return {
        submission_id: system_id if times[system_id] == 1 else submission_id
        for submission_id, system_id in systems.items()
    }


def _tooltip() -> list[altair.Tooltip]:
    return [
        altair.Tooltip("row:N", title="rated higher?"),
        altair.Tooltip("column:N", title="than"),
        altair.Tooltip("score_difference:Q", title="difference of scores", format=".3f"),
        altair.Tooltip("p_value:Q", title="p (one-sided)", format=".3g"),
        altair.Tooltip("p_holm:Q", title="p (Holm)", format=".3g"),
        altair.Tooltip("sentences:Q", format=","),
        altair.Tooltip("other_sentences:Q", title="sentences of the other", format=","),
        altair.Tooltip("undefined_reason:N", title="undefined because"),
    ]
