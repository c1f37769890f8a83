"""Scores with their confidence intervals."""

from __future__ import annotations

import altair
import pandas as pd

from ....queries.metrics.registry import direction
from . import style

WIDTH = 260
STEP = 20
PANELS_ABREAST = 4


def intervals_chart(score_intervals: pd.DataFrame, title: str) -> altair.ConcatChart:
    """Return scores as points on the lines of their confidence intervals, a forest plot.

    ``score_intervals`` holds rows of the view of that name: one panel per metric, one line per
    submission, best first by the first metric and grouped by treebank. Scores without an interval
    are left out.

    Raises InputError where no row is left, or a submission comes twice with one metric.
    """
    rows = score_intervals.dropna(subset=["score", "low", "high"])
    style.require_rows(rows, "scores with an interval (computed by 'tracker significance')")
    style.require_single(rows, ["submission_id", "metric"], "signature")
    metrics = style.ordered_measures(rows["metric"])
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
        title=style.heading(title, line),
        spacing=24,
        config=altair.Config(view=altair.ViewConfig(stroke=None)),
    )


def _panel(rows: pd.DataFrame, metric: str, order: list[str], *, named: bool) -> altair.LayerChart:
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
        .mark_rule(color=style.BLUE, strokeWidth=2)
        .encode(
            x=altair.X("low:Q", title=None, scale=scale, axis=altair.Axis(tickCount=5)),
            x2="high:Q",
            y=submission,
            tooltip=tooltip,
        )
    )
    points = (
        altair.Chart(shown)
        .mark_point(color=style.BLUE, filled=True, size=46, opacity=1)
        .encode(x=altair.X("score:Q", scale=scale), y=submission, tooltip=tooltip)
    )
    return altair.LayerChart(
        layer=[lines, points],
        title=altair.TitleParams(style.long_name(metric), fontSize=12, anchor="start"),
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
