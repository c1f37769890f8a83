"""Heat maps: correlations between measures, and which submission people rate higher than which."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair
import pandas as pd

from ....schema.parameters import ALPHA
from . import style

Position = Mapping[str, Any]
CELL = 46
FONT_SIZE = 11
COEFFICIENTS = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "kendall": "Kendall's τ-b"}
UNDEFINED = "–"
LINES = "#d8d8d8"
COLUMNS = ["row", "column", "row_name", "column_name", "coefficient"]
TOLD = ["n", "p_holm", "undefined_reason", "coefficient_mean", "submissions", "significant"]


def correlation_heat_map(correlations: pd.DataFrame, title: str) -> altair.LayerChart:
    """Return the upper triangle of the correlations between measures (Figure 2 of the paper).

    ``correlations`` holds one submission's rows of the view of that name, by one method: each cell
    shows the coefficient, starred where it is not significant (p_holm of 0.05 or more, or none).
    Or it holds rows of ``correlation_medians``: each cell shows the median over submissions.
    Undefined cells are grey. Rows counted over relations are left out.

    Raises InputError where there are no rows, or a pair of measures comes twice.
    """
    rows = correlations[correlations["unit"] == "sentence"]
    style.require_rows(rows, "correlations between measures of sentences")
    measures = style.ordered_measures([*rows["measure"], *rows["other_measure"]])
    medians = "coefficient_median" in rows
    cells = _cells(rows, measures, medians)
    coefficient = COEFFICIENTS.get(rows["method"].iloc[0], str(rows["method"].iloc[0]))

    position = {
        "x": altair.X(
            "column:N",
            scale=altair.Scale(domain=measures[1:]),
            title=None,
            axis=altair.Axis(
                orient="top",
                labelExpr=f"{json.dumps(style.short_names())}[datum.value] || datum.value",
                labelAngle=0 if _fit(measures) else -45,
                labelLimit=200,
                domain=False,
                ticks=False,
                labelPadding=6,
            ),
        ),
        "y": altair.Y("row:N", scale=altair.Scale(domain=measures[:-1]), axis=None),
    }
    colour = altair.Color(
        "coefficient:Q",
        scale=altair.Scale(scheme="redblue", domain=[-1, 1], reverse=True),
        legend=altair.Legend(
            title=coefficient, values=[-1, -0.5, 0, 0.5, 1], format=".1f", gradientLength=160
        ),
    )
    defined = cells["coefficient"].notna()
    tooltip = _tooltip(medians)
    squares = _squares(cells[defined], position, color=colour, tooltip=tooltip)
    blanks = _squares(cells[~defined], position, color=altair.value("#c4c4c4"), tooltip=tooltip)
    figures = _figures(cells, position, "abs(datum.coefficient) > 0.62")
    names = (
        altair.Chart(_diagonal(measures))
        .mark_text(align="right", fontSize=FONT_SIZE, dx=-CELL / 2 - 6)
        .encode(**position, text="name:N")
    )
    heading = style.heading(title, *_explained(rows, coefficient, medians))
    return _heat_map([squares, blanks, figures, names], heading, len(measures) - 1)


def _squares(cells: pd.DataFrame, position: Position, **encoded: Any) -> altair.Chart:
    marks: altair.Chart = (
        altair.Chart(cells).mark_rect(stroke=LINES, strokeWidth=1).encode(**position, **encoded)
    )
    return marks


def _figures(cells: pd.DataFrame, position: Position, dark: str) -> altair.Chart:
    """Return what stands in the cells, white where they are dark."""
    colour = altair.condition(dark, altair.value("#ffffff"), altair.value("#1c1c1c"))
    chart = altair.Chart(cells).mark_text(fontSize=FONT_SIZE)
    figures: altair.Chart = chart.encode(**position, text="figure:N", color=colour)
    return figures


def _heat_map(
    layers: Sequence[altair.Chart], heading: altair.TitleParams, cells: int
) -> altair.LayerChart:
    size = CELL * cells
    view = altair.ViewBackground(stroke=None)
    return altair.LayerChart(layer=[*layers], title=heading, width=size, height=size, view=view)


def _cells(rows: pd.DataFrame, measures: list[str], medians: bool) -> pd.DataFrame:
    """Return the rows with their place in the upper triangle and the text of their cell."""
    place = {measure: number for number, measure in enumerate(measures)}
    pairs = [
        sorted(pair, key=place.__getitem__)
        for pair in zip(rows["measure"], rows["other_measure"], strict=True)
    ]
    cells = rows.assign(
        row=[first for first, _ in pairs],
        column=[second for _, second in pairs],
        row_name=[style.long_name(first) for first, _ in pairs],
        column_name=[style.long_name(second) for _, second in pairs],
    )
    style.require_single(cells, ["row", "column"], "submission and method")
    cells["coefficient"] = rows["coefficient_median" if medians else "coefficient"].astype(float)
    figures = cells["coefficient"].map(style.signed).where(cells["coefficient"].notna(), UNDEFINED)
    if not medians:
        significant = rows["p_holm"].astype(float) < ALPHA
        figures = figures.where(significant | cells["coefficient"].isna(), figures + "*")
    return cells.filter(items=[*COLUMNS, *TOLD]).assign(figure=figures)


def _diagonal(measures: list[str]) -> pd.DataFrame:
    """Return the rows' names with the first cell of each row."""
    names = [style.long_name(measure) for measure in measures[:-1]]
    return pd.DataFrame({"row": measures[:-1], "column": measures[1:], "name": names})


def _fit(measures: list[str]) -> bool:
    """Return whether the short names fit over their columns."""
    shown = [style.short_names().get(measure, measure) for measure in measures]
    return all(style.text_width(name, FONT_SIZE) < CELL for name in shown)


def _explained(rows: pd.DataFrame, coefficient: str, medians: bool) -> list[str]:
    if medians:
        return [f"median of {coefficient} over {rows['submissions'].max():,} submissions"]
    return [
        f"{coefficient} over {rows['n'].max():,} sentences",
        f"* not significant at {ALPHA} (Holm–Bonferroni)",
    ]


def _tooltip(medians: bool) -> list[altair.Tooltip]:
    names = [
        altair.Tooltip("row_name:N", title="measure"),
        altair.Tooltip("column_name:N", title="other measure"),
    ]
    if medians:
        return [
            *names,
            altair.Tooltip("coefficient:Q", title="median", format=".3f"),
            altair.Tooltip("coefficient_mean:Q", title="mean", format=".3f"),
            altair.Tooltip("submissions:Q"),
            altair.Tooltip("significant:Q", title="significant in", format=".0%"),
        ]
    return [
        *names,
        altair.Tooltip("coefficient:Q", format=".3f"),
        altair.Tooltip("n:Q", title="sentences"),
        altair.Tooltip("p_holm:Q", title="p (Holm)", format=".3g"),
        altair.Tooltip("undefined_reason:N", title="undefined because"),
    ]


BOUNDS = {"not higher": float("inf"), "p < 0.05": 0.05, "p < 0.01": 0.01, "p < 0.001": 0.001}
LEVELS = {
    "p < 0.001": "#1a7f4b",
    "p < 0.01": "#67b587",
    "p < 0.05": "#c0e2cb",
    "not higher": "#f4f4f2",
}
NOT_DEFINED = {"undefined": "#c4c4c4"}
JUDGED = [
    *("row", "column", "level", "figure", "score_difference", "p_value", "p_holm", "sentences"),
    *("other_sentences", "undefined_reason"),
]


JUDGED_TOOLTIP = [
    altair.Tooltip("row:N", title="rated higher?"),
    altair.Tooltip("column:N", title="than"),
    altair.Tooltip("score_difference:Q", title="difference of scores", format=".3f"),
    altair.Tooltip("p_value:Q", title="p (one-sided)", format=".3g"),
    altair.Tooltip("p_holm:Q", title="p (Holm)", format=".3g"),
    altair.Tooltip("sentences:Q", format=","),
    altair.Tooltip("other_sentences:Q", title="sentences of the other", format=","),
    altair.Tooltip("undefined_reason:N", title="undefined because"),
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
    style.require_rows(human_comparisons, "comparisons of human scores")
    style.require_single(
        human_comparisons,
        ["criterion", "submission_id", "other_submission_id"],
        "treebank and choice of annotators",
    )
    p_value = "p_holm" if corrected else "p_value"
    # Squares share their colours: what is undefined in one of them is in the legend of all.
    undefined = bool(human_comparisons[p_value].isna().any())
    levels = {**LEVELS, **NOT_DEFINED} if undefined else LEVELS
    squares = [
        _square(rows, str(criterion), p_value, levels)
        for criterion, rows in human_comparisons.groupby("criterion", sort=True)
    ]
    lines = (
        "green: the system of the row is rated higher than the system of the column",
        "(Wilcoxon test of sentences' scores" + (", Holm–Bonferroni)" if corrected else ")"),
        "figures: difference of their mean scores",
    )
    return altair.HConcatChart(hconcat=squares, spacing=36, title=style.heading(title, *lines))


def _square(
    rows: pd.DataFrame, criterion: str, p_value: str, levels: Mapping[str, str]
) -> altair.LayerChart:
    cells, order = _judged_cells(rows, p_value)
    upright = all(style.text_width(name, FONT_SIZE) < CELL for name in order)
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
    squares = _squares(
        cells,
        position,
        color=altair.Color(
            "level:N",
            scale=altair.Scale(domain=list(levels), range=list(levels.values())),
            legend=altair.Legend(title=None, symbolType="square", symbolStrokeColor=LINES),
        ),
        tooltip=JUDGED_TOOLTIP,
    )
    figures = _figures(cells, position, "datum.level == 'p < 0.001'")
    heading = altair.TitleParams(criterion, anchor="middle", fontSize=12)
    return _heat_map([squares, figures], heading, len(order))


def _judged_cells(rows: pd.DataFrame, p_value: str) -> tuple[pd.DataFrame, list[str]]:
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
        figure=difference.map(style.signed).where(difference.notna(), "–"),
    )
    return cells.filter(items=JUDGED), order


def _names(rows: pd.DataFrame) -> dict[str, str]:
    """Return what each submission is called: its system, where no other one has the same."""
    systems = dict(zip(rows["submission_id"], rows["system_id"], strict=True))
    times = Counter(systems.values())
    return {
        submission_id: system_id if times[system_id] == 1 else submission_id
        for submission_id, system_id in systems.items()
    }
