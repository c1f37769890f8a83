"""Metrics against people: how well several agree, and what the scores of one mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair
import pandas as pd

from . import style
from .marks import filled, name_axis

if TYPE_CHECKING:
    from ....queries.people.examining import Examination


WIDTH = 200
STEP = 22
PANELS = {
    "accuracy": "acc*_eq of outputs",
    "soft_accuracy": "SPA of systems",
    "pairwise_accuracy": "pairwise accuracy of systems",
}


def metric_evaluation_chart(metric_evaluations: pd.DataFrame, title: str) -> altair.HConcatChart:
    """Return a panel for each accuracy: metrics, best first by the first one, with intervals.

    ``metric_evaluations`` holds rows of the view of that name of one campaign, treebank, criterion
    and part. Filled are metrics of the first cluster.

    Raises InputError where no row is left, or a metric and statistic come twice.
    """
    rows = metric_evaluations[metric_evaluations["statistic"].isin(PANELS)]
    rows = rows.dropna(subset=["value"])
    style.require_rows(rows, "agreement of metrics with people (computed by 'tracker metrics')")
    style.require_single(rows, ["metric", "statistic"], "treebank, criterion and part")
    first = next(each for each in PANELS if each in set(rows["statistic"]))
    best = rows[rows["statistic"] == first].sort_values(["place", "metric"])["metric"]
    order = [*dict.fromkeys([*best, *rows["metric"]])]
    rows = rows.assign(
        shown=[style.short_names().get(each, each) for each in rows["metric"]],
        leads=rows["cluster"].eq(1).fillna(value=False).astype(bool),
        **{name: rows[name].astype(float) for name in ("value", "low", "high")},
    )
    shown = [style.short_names().get(each, each) for each in order]
    kept = [each for each in PANELS if each in set(rows["statistic"])]
    columns = ["shown", "value", "low", "high", "leads"]
    panels = [
        _panel(rows.loc[rows["statistic"] == each, columns], PANELS[each], shown, named=at == 0)
        for at, each in enumerate(kept)
    ]
    line = "lines: 95% intervals from resampled items; filled: no metric is significantly better"
    return altair.HConcatChart(hconcat=panels, spacing=24, title=style.heading(title, line))


def _panel(rows: pd.DataFrame, axis: str, order: list[str], *, named: bool) -> altair.LayerChart:
    metric = name_axis("shown:N", order, labels=named)
    scale = altair.Scale(zero=False, nice=True)
    chart = altair.Chart(rows)
    lines = chart.transform_filter("isValid(datum.low)").mark_rule(color=style.BLUE)
    dots = chart.mark_point(size=60, stroke=style.BLUE, fill=style.BLUE, opacity=1)
    layers = altair.LayerChart(
        layer=[
            lines.encode(x=altair.X("low:Q", title=axis, scale=scale), x2="high:Q", y=metric),
            dots.encode(
                x=altair.X("value:Q", title=axis, scale=scale),
                y=metric,
                fillOpacity=filled("datum.leads"),
                tooltip=["shown:N", altair.Tooltip("value:Q", format=".4f")],
            ),
        ]
    )
    return layers.properties(width=WIDTH, height=altair.Step(STEP))


SIZE = 260


def examination_chart(found: Examination) -> altair.HConcatChart:
    """Return people's mean by the metric's score beside how far each system is favoured.

    Raises InputError where nothing was found, or several treebanks or criteria were examined.
    """
    bins, systems = found.bins.to_pandas(), found.systems.to_pandas()
    style.require_rows(bins, "scores of judged outputs that differ")
    style.require_single(bins, ["bin"], "treebank and criterion")
    means = altair.Chart(bins).encode(x=altair.X("metric_mean:Q", title=found.metric))
    people = altair.Scale(zero=False)
    dots = means.mark_point(filled=True, size=60, color=style.BLUE, opacity=1).encode(
        y=altair.Y("people_mean:Q", title="people's mean", scale=people),
        tooltip=["outputs:Q", altair.Tooltip("people_mean:Q", format=".4f")],
    )
    line = means.mark_line(color=style.BLUE, opacity=0.4).encode(y="line:Q")
    order = systems.sort_values("favoured", ascending=False)["submission_id"].tolist()
    system = altair.Y("submission_id:N", title=None, sort=order, axis=altair.Axis(labelLimit=0))
    shown = altair.Chart(systems[["submission_id", "favoured", "low", "high"]])
    beside = altair.LayerChart(
        layer=[
            altair.Chart(systems[:1]).mark_rule(color="gray").encode(x=altair.datum(0)),
            shown.mark_rule(color=style.BLUE).encode(x="low:Q", x2="high:Q", y=system),
            shown.mark_point(filled=True, size=60, color=style.BLUE, opacity=1).encode(
                x=altair.X("favoured:Q", title="favoured, in standard deviations"),
                y=system,
                tooltip=["submission_id:N", altair.Tooltip("favoured:Q", format=".3f")],
            ),
        ]
    )
    calibration = altair.LayerChart(layer=[line, dots]).properties(width=SIZE, height=SIZE)
    told = "left: people's mean by the metric's score, and the line; right: 95% intervals"
    return altair.HConcatChart(
        hconcat=[calibration, beside.properties(width=SIZE, height=SIZE)],
        spacing=32,
        title=style.heading(f"{found.metric} against people", told),
    )
