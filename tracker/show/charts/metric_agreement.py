"""How metrics go with people's judgement: a dot for each metric and way of correlating."""

from __future__ import annotations

import altair
import pandas as pd

from ....schema.parameters import ALPHA
from . import style
from .marks import kinds_of_points, name_axis

WIDTH = 300
STEP = 26
COLOURS = {"pearson": style.BLUE, "spearman": style.ORANGE, "kendall": style.GREY}
UNITS = {"system": "systems", "sentence": "outputs"}
COLUMNS = ("metric", "criterion", "method", "n", "p_value", "williams_p_value")


TOOLTIP = [
    altair.Tooltip("metric:N"),
    altair.Tooltip("criterion:N"),
    altair.Tooltip("method:N"),
    altair.Tooltip("coefficient:Q", format=".3f"),
    altair.Tooltip("p_value:Q", title="p", format=".3g"),
    altair.Tooltip("williams_p_value:Q", title="p of the Williams test", format=".3g"),
    altair.Tooltip("n:Q", format=","),
]


def metric_agreement_chart(metric_agreements: pd.DataFrame, title: str) -> altair.HConcatChart:
    """Return dots of each metric's correlation with people, a panel for each criterion (Table 9).

    ``metric_agreements`` holds rows of the view of that name of one campaign, treebank, level and
    choice of outliers. Pearson's r stands beside its dot. Dots of r are filled, and their figures
    bold, where no metric is significantly better by a Williams test. Undefined coefficients are
    left out.

    Raises InputError where no row is left, or a metric, criterion and method come twice.
    """
    rows = metric_agreements.dropna(subset=["coefficient"])
    style.require_rows(rows, "correlations of metrics with human scores")
    style.require_single(
        rows, ["metric", "criterion", "method"], "treebank, level and choice of outliers"
    )
    order = _order(rows)
    low = min(0.0, float(rows["coefficient"].min()))
    criteria = sorted(set(rows["criterion"]))
    panels = [
        _panel(rows[rows["criterion"] == criterion], criterion, order, low, first=number == 0)
        for number, criterion in enumerate(criteria)
    ]
    test = f"Williams test, p < {ALPHA}"
    lines = [
        f"{_counts(rows)}; figures: Pearson's r",
        f"filled and bold: no metric is significantly better ({test})",
        *_cautions(rows),
    ]
    return altair.HConcatChart(hconcat=panels, spacing=24, title=style.heading(title, *lines))


def _order(rows: pd.DataFrame) -> list[str]:
    """Return the metrics, those closest to people first: less is better of some."""
    oriented = rows["coefficient"].where(rows["better"].ne("lower"), -rows["coefficient"])
    means = oriented.groupby(rows["metric"]).mean()
    known = style.ordered_measures(means.index)
    return sorted(known, key=lambda metric: -means[metric])


def _counts(rows: pd.DataFrame) -> str:
    fewest, most = int(rows["n"].min()), int(rows["n"].max())
    unit = UNITS[str(rows["level"].iloc[0])]
    return f"n = {fewest:,} {unit}" if fewest == most else f"n = {fewest:,} to {most:,} {unit}"


def _cautions(rows: pd.DataFrame) -> list[str]:
    warnings = sorted({part for text in rows["warning"].dropna() for part in text.split("; ")})
    removed = sorted({system for systems in rows["removed"] for system in systems})
    left_out = [f"outliers left out: {', '.join(removed)}"] if removed else []
    return [*(f"caution: {warning}" for warning in warnings), *left_out]


def _panel(
    rows: pd.DataFrame, criterion: str, order: list[str], low: float, *, first: bool
) -> altair.LayerChart:
    names = [style.short_names().get(name, name) for name in order]
    metric = name_axis("shown:N", names, labels=first)
    scale = altair.Scale(domain=[low, 1], nice=False, padding=8)
    coefficient = altair.X(
        "coefficient:Q",
        title=f"correlation with {criterion}",
        scale=scale,
        axis=altair.Axis(tickCount=5),
    )
    present = {*rows["method"]}
    methods = {method: colour for method, colour in COLOURS.items() if method in present}
    chart = altair.Chart(_prepared(rows))
    at = {"x": coefficient, "y": metric}
    points = kinds_of_points(chart, "method:N", methods, "datum.is_best", **at, tooltip=TOOLTIP)
    pearson = chart.transform_filter("datum.method == 'pearson'")
    best = pearson.transform_filter("datum.is_best").mark_text(align="left", fontWeight="bold")
    others = pearson.transform_filter("!datum.is_best").mark_text(align="left")
    figures = [
        marks.encode(x=altair.value(WIDTH + 8), y=metric, text="figure:N")
        for marks in (best, others)
    ]
    layers = altair.LayerChart(layer=[points, *figures])
    return layers.properties(width=WIDTH, height=altair.Step(STEP))


def _prepared(rows: pd.DataFrame) -> pd.DataFrame:
    coefficients = rows["coefficient"].astype(float)
    return rows.filter(items=COLUMNS).assign(
        coefficient=coefficients,
        shown=rows["metric"].map(lambda metric: style.short_names().get(metric, metric)),
        figure=coefficients.map(style.signed),
        is_best=rows["among_best"].eq(True),
    )
