"""Scores with their confidence intervals, and differences between scores that are not chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.queries.metrics.registry import direction
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.show.charts.style import (
    BLUE,
    SIGNIFICANT,
    heading,
    long_name,
    ordered_measures,
    require_rows,
    require_single,
    text_width,
)

if TYPE_CHECKING:
    import altair
    import pandas as pd

WIDTH = 260
STEP = 20
PANELS_ABREAST = 4
CELL = 50
FONT_SIZE = 11
LINES = "#c4c4c4"
UNDEFINED = "–"
TESTS = {
    "p_randomisation": "approximate randomisation",
    "p_bootstrap": "paired bootstrap",
}
BITS = ("nist", "nist4")


def intervals_chart(score_intervals: pd.DataFrame, title: str) -> altair.ConcatChart:
    """Return scores as points on the lines of their confidence intervals, a forest plot.

    ``score_intervals`` holds rows of the view of that name: one panel per metric, one line per
    submission, best first by the first metric and grouped by treebank. Scores without an interval
    are left out.

    Raises InputError where no row is left, or a submission comes twice with one metric.
    """
    import altair

    rows = score_intervals.dropna(subset=["score", "low", "high"])
    require_rows(rows, "scores with an interval (computed by 'tracker significance')")
    require_single(rows, ["submission_id", "metric"], "signature")
    metrics = ordered_measures(rows["metric"])
    order = _best_first(rows, metrics)
    rows = rows.assign(
        name=_names(rows), low=rows["low"].astype(float), high=rows["high"].astype(float)
    )
    panels = [
        _panel(rows[rows["metric"] == metric], metric, order, named=number % PANELS_ABREAST == 0)
        for number, metric in enumerate(metrics)
    ]
    level, replicates = float(rows["level"].iloc[0]), int(rows["replicates"].iloc[0])
    line = f"lines: {level:.0%} confidence intervals from {replicates:,} resampled test sets"
    return altair.ConcatChart(
        concat=panels,
        columns=PANELS_ABREAST,
        title=heading(title, line),
        spacing=24,
        config=altair.Config(view=altair.ViewConfig(stroke=None)),
    )


def score_heat_map(
    score_comparisons: pd.DataFrame, title: str, test: str = "p_randomisation"
) -> altair.LayerChart:
    """Return the differences between the scores of submissions as a heat map, best first.

    ``score_comparisons`` holds rows of the view of that name, of one metric and treebank. A cell
    is the score of its row's submission minus that of its column's; it is coloured where the
    ``test`` (p_randomisation or p_bootstrap) gives less than 0.05, else grey.

    Raises InputError where there are no rows, or rows of several metrics or treebanks.
    """
    import altair

    require_rows(score_comparisons, "comparisons of scores (computed by 'tracker significance')")
    for column in ("metric", "treebank_id"):
        if score_comparisons[column].nunique() > 1:
            raise InputError(
                f"the rows are those of several values of {column}: "
                + ", ".join(sorted(score_comparisons[column].unique())),
                hint="select one",
            )
    require_single(score_comparisons, ["submission_id", "other_submission_id"], "signature")
    metric = str(score_comparisons["metric"].iloc[0])
    cells, names = _cells(score_comparisons, metric, test)

    order = list(names)
    size = CELL * len(order)
    widest = max(text_width(name, FONT_SIZE) for name in names.values())
    labels = altair.Axis(
        labelExpr=_label_expression(names),
        labelLimit=320,
        domain=False,
        ticks=False,
        title=None,
        labelPadding=6,
    )
    across = labels.copy()
    across.orient, across.labelAngle = "top", 0 if widest < CELL else -45
    position = {
        "x": altair.X("column:N", sort=order, scale=altair.Scale(domain=order), axis=across),
        "y": altair.Y("row:N", sort=order, scale=altair.Scale(domain=order), axis=labels),
    }
    largest = cells.loc[cells["significant"], "difference"].abs().max()
    limit = float(largest) if largest == largest and largest > 0 else 1.0
    tooltip = [
        altair.Tooltip("row:N", title="submission"),
        altair.Tooltip("column:N", title="minus"),
        altair.Tooltip("difference:Q", format=".5f"),
        altair.Tooltip("low:Q", format=".5f"),
        altair.Tooltip("high:Q", format=".5f"),
        altair.Tooltip("p_randomisation:Q", format=".3g"),
        altair.Tooltip("p_bootstrap:Q", format=".3g"),
        altair.Tooltip("undefined_reason:N", title="undefined because"),
    ]
    colour = altair.Color(
        "difference:Q",
        scale=altair.Scale(scheme="redblue", domain=[-limit, limit], reverse=direction(metric) < 0),
        legend=altair.Legend(title="difference", gradientLength=min(160, size)),
    )
    squares = altair.Chart(cells).mark_rect(stroke=LINES, strokeWidth=1)
    layers: list[altair.Chart] = [
        squares.transform_filter("!datum.significant")
        .mark_rect(stroke=LINES, strokeWidth=1, fill="#d9d9d9")
        .encode(**position, tooltip=tooltip),
        squares.transform_filter("datum.significant").encode(
            **position, color=colour, tooltip=tooltip
        ),
        altair.Chart(cells)
        .mark_text(fontSize=FONT_SIZE)
        .encode(
            **position,
            text="figure:N",
            color=altair.when("!datum.significant")
            .then(altair.value("#5f5f5f"))
            .when(f"abs(datum.difference) > {0.62 * limit}")
            .then(altair.value("#ffffff"))
            .otherwise(altair.value("#1c1c1c")),
        ),
    ]
    sentences = int(score_comparisons["sentences"].max())
    return altair.LayerChart(
        layer=layers,
        title=heading(
            title,
            f"{long_name(metric)} of the row minus that of the column, {sentences:,} sentences",
            f"grey: p of {SIGNIFICANT} or more ({TESTS[test]}, not corrected)",
        ),
        width=size,
        height=size,
        view=altair.ViewBackground(stroke=None),
    )


def _panel(rows: pd.DataFrame, metric: str, order: list[str], *, named: bool) -> altair.LayerChart:
    import altair

    names = dict(zip(rows["submission_id"], rows["name"], strict=True))
    axis = (
        altair.Axis(
            labelExpr=_label_expression(names),
            labelLimit=320,
            domain=False,
            ticks=False,
            title=None,
        )
        if named
        else None
    )
    submission = altair.Y(
        "submission_id:N", sort=order, scale=altair.Scale(domain=order), axis=axis
    )
    tooltip = [
        "submission_id:N",
        *(altair.Tooltip(f"{column}:Q", format=".4f") for column in ("score", "low", "high")),
    ]
    ends = [float(rows["low"].min()), float(rows["high"].max())]
    scale = altair.Scale(domain=ends, zero=False, nice=True)
    shown = rows[["submission_id", "score", "low", "high"]]
    lines = (
        altair.Chart(shown)
        .mark_rule(color=BLUE, strokeWidth=2)
        .encode(
            x=altair.X("low:Q", title=None, scale=scale, axis=altair.Axis(tickCount=5)),
            x2="high:Q",
            y=submission,
            tooltip=tooltip,
        )
    )
    points = (
        altair.Chart(shown)
        .mark_point(color=BLUE, filled=True, size=46, opacity=1)
        .encode(x=altair.X("score:Q", scale=scale), y=submission, tooltip=tooltip)
    )
    return altair.LayerChart(
        layer=[lines, points],
        title=altair.TitleParams(long_name(metric), fontSize=12, anchor="start"),
        width=WIDTH,
        height=altair.Step(STEP),
    )


def _best_first(rows: pd.DataFrame, metrics: list[str]) -> list[str]:
    """Return the submissions by treebank, then by the first metric they have."""
    place = {metric: number for number, metric in enumerate(metrics)}
    ordered = (
        rows.assign(
            place=rows["metric"].map(place), score=rows["score"] * rows["metric"].map(direction)
        )
        .sort_values(
            ["treebank_id", "place", "score", "iteration", "submission_id"],
            ascending=[True, True, False, True, True],
        )
        .drop_duplicates("submission_id")
    )
    return list(ordered["submission_id"])


def _names(rows: pd.DataFrame) -> list[str]:
    """Return how each row's submission is called: system and iteration where that says it."""
    short = [
        system if iteration == 1 else f"{system}@{iteration}"
        for system, iteration in zip(rows["system_id"], rows["iteration"], strict=True)
    ]
    of_name = rows.assign(short=short).groupby("short")["submission_id"].nunique()
    return [
        name if of_name[name] == 1 else submission
        for name, submission in zip(short, rows["submission_id"], strict=True)
    ]


def _label_expression(names: dict[str, str]) -> str:
    import json

    return f"{json.dumps(names, ensure_ascii=False)}[datum.value] || datum.value"


def _cells(
    comparisons: pd.DataFrame, metric: str, test: str
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return both halves of the square, and the submissions' names, best first."""
    import pandas as pd

    numbers = ["difference", "low", "high", "p_bootstrap", "p_randomisation"]
    told = [*numbers, "undefined_reason"]
    rows = comparisons.assign(**{name: comparisons[name].astype(float) for name in numbers})
    one, other = rows["submission_id"], rows["other_submission_id"]
    here = rows[told].assign(row=one, column=other)
    there = rows[told].assign(
        row=other,
        column=one,
        difference=-rows["difference"],
        low=-rows["high"],
        high=-rows["low"],
    )
    cells = pd.concat([here, there], ignore_index=True)
    cells["significant"] = cells[test] < SIGNIFICANT
    digits = 2 if metric in BITS else 3
    cells["figure"] = [_figure(value, digits) for value in cells["difference"]]
    system = {
        "submission_id": pd.concat([one, other]),
        "system_id": pd.concat([rows["system_id"], rows["other_system_id"]]),
        "iteration": pd.concat([rows["iteration"], rows["other_iteration"]]),
    }
    submissions = pd.DataFrame(system).drop_duplicates("submission_id")
    named = dict(zip(submissions["submission_id"], _names(submissions), strict=True))
    # Rounded: equal scores may have means that differ in the last digit.
    advantage = cells.groupby("row")["difference"].mean() * direction(metric)
    advantage = advantage.fillna(float("-inf")).round(12)
    ordered = submissions.assign(advantage=submissions["submission_id"].map(advantage)).sort_values(
        ["advantage", "iteration", "submission_id"], ascending=[False, True, True]
    )
    return cells, {name: named[name] for name in ordered["submission_id"]}


def _figure(value: float, digits: int) -> str:
    """Return a difference with a true minus sign; 0 alone is one that is exactly zero."""
    if value != value:
        return UNDEFINED
    if not value:
        return "0"
    text = f"{value:.{digits}f}".replace("-", "−")
    return text if text.strip("−0.") else text.lstrip("−")
