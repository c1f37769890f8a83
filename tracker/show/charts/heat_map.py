"""Correlations between measures as a heat map."""

from __future__ import annotations

import json

import altair
import pandas as pd

from sr_tracker.tracker.show.charts.style import (
    SIGNIFICANT,
    heading,
    long_name,
    ordered_measures,
    require_rows,
    require_single,
    short_names,
    signed,
    text_width,
)

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
    require_rows(rows, "correlations between measures of sentences")
    measures = ordered_measures([*rows["measure"], *rows["other_measure"]])
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
                labelExpr=f"{json.dumps(short_names())}[datum.value] || datum.value",
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
    squares = (
        altair.Chart(cells[defined])
        .mark_rect(stroke=LINES, strokeWidth=1)
        .encode(**position, color=colour, tooltip=_tooltip(medians))
    )
    blanks = (
        altair.Chart(cells[~defined])
        .mark_rect(stroke=LINES, strokeWidth=1, fill="#c4c4c4")
        .encode(**position, tooltip=_tooltip(medians))
    )
    figures = (
        altair.Chart(cells)
        .mark_text(fontSize=FONT_SIZE)
        .encode(
            **position,
            text="figure:N",
            color=altair.when("abs(datum.coefficient) > 0.62")
            .then(altair.value("#ffffff"))
            .otherwise(altair.value("#1c1c1c")),
        )
    )
    names = (
        altair.Chart(_diagonal(measures))
        .mark_text(align="right", fontSize=FONT_SIZE, dx=-CELL / 2 - 6)
        .encode(**position, text="name:N")
    )
    size = CELL * (len(measures) - 1)
    return altair.LayerChart(
        layer=[squares, blanks, figures, names],
        title=heading(title, *_explained(rows, coefficient, medians)),
        width=size,
        height=size,
        view=altair.ViewBackground(stroke=None),
    )


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
        row_name=[long_name(first) for first, _ in pairs],
        column_name=[long_name(second) for _, second in pairs],
    )
    require_single(cells, ["row", "column"], "submission and method")
    cells["coefficient"] = rows["coefficient_median" if medians else "coefficient"].astype(float)
    figures = cells["coefficient"].map(signed).where(cells["coefficient"].notna(), UNDEFINED)
    if not medians:
        significant = rows["p_holm"].astype(float) < SIGNIFICANT
        figures = figures.where(significant | cells["coefficient"].isna(), figures + "*")
    return cells.filter(items=[*COLUMNS, *TOLD]).assign(figure=figures)


def _diagonal(measures: list[str]) -> pd.DataFrame:
    """Return the rows' names with the first cell of each row."""
    names = [long_name(measure) for measure in measures[:-1]]
    return pd.DataFrame({"row": measures[:-1], "column": measures[1:], "name": names})


def _fit(measures: list[str]) -> bool:
    """Return whether the short names fit over their columns."""
    shown = [short_names().get(measure, measure) for measure in measures]
    return all(text_width(name, FONT_SIZE) < CELL for name in shown)


def _explained(rows: pd.DataFrame, coefficient: str, medians: bool) -> list[str]:
    if medians:
        return [f"median of {coefficient} over {rows['submissions'].max():,} submissions"]
    return [
        f"{coefficient} over {rows['n'].max():,} sentences",
        f"* not significant at {SIGNIFICANT} (Holm–Bonferroni)",
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
