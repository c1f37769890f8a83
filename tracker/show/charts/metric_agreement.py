"""How metrics go with people's judgement: a dot for each metric and way of correlating."""

from __future__ import annotations

import altair
import pandas as pd

from sr_tracker.tracker.show.charts.style import (
    BLUE,
    GREY,
    ORANGE,
    SIGNIFICANT,
    heading,
    ordered_measures,
    require_rows,
    require_single,
    short_names,
    signed,
)

WIDTH = 300
STEP = 26
COLOURS = {"pearson": BLUE, "spearman": ORANGE, "kendall": GREY}
SHAPES = ["circle", "diamond", "square"]
UNITS = {"system": "systems", "sentence": "outputs"}
COLUMNS = ("metric", "criterion", "method", "n", "p_value", "williams_p_value")


def metric_agreement_chart(metric_agreements: pd.DataFrame, title: str) -> altair.HConcatChart:
    """Return dots of each metric's correlation with people, a panel for each criterion (Table 9).

    ``metric_agreements`` holds rows of the view of that name of one campaign, treebank, level and
    choice of outliers. Pearson's r stands beside its dot. Dots of r are filled, and their figures
    bold, where no metric is significantly better by a Williams test. Undefined coefficients are
    left out.

    Raises InputError where no row is left, or a metric, criterion and method come twice.
    """
    rows = metric_agreements.dropna(subset=["coefficient"])
    require_rows(rows, "correlations of metrics with human scores")
    require_single(
        rows, ["metric", "criterion", "method"], "treebank, level and choice of outliers"
    )
    order = _order(rows)
    low = min(0.0, float(rows["coefficient"].min()))
    criteria = sorted(set(rows["criterion"]))
    panels = [
        _panel(rows[rows["criterion"] == criterion], criterion, order, low, first=number == 0)
        for number, criterion in enumerate(criteria)
    ]
    lines = [
        f"{_counts(rows)}; figures: Pearson's r",
        f"filled and bold: no metric is significantly better (Williams test, p < {SIGNIFICANT})",
        *_cautions(rows),
    ]
    return altair.HConcatChart(hconcat=panels, spacing=24, title=heading(title, *lines))


def _order(rows: pd.DataFrame) -> list[str]:
    """Return the metrics, those closest to people first: less is better of some."""
    oriented = rows["coefficient"].where(rows["better"].ne("lower"), -rows["coefficient"])
    means = oriented.groupby(rows["metric"]).mean()
    known = ordered_measures(means.index)
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
    metric = altair.Y(
        "shown:N",
        scale=altair.Scale(domain=[short_names().get(name, name) for name in order]),
        title=None,
        axis=altair.Axis(labels=first, ticks=False, domain=False, grid=True),
    )
    scale = altair.Scale(domain=[low, 1], nice=False, padding=8)
    coefficient = altair.X(
        "coefficient:Q",
        title=f"correlation with {criterion}",
        scale=scale,
        axis=altair.Axis(tickCount=5),
    )
    methods = [method for method in COLOURS if method in set(rows["method"])]
    colours = altair.Scale(domain=methods, range=[COLOURS[method] for method in methods])
    shapes = altair.Scale(domain=methods, range=SHAPES[: len(methods)])
    legend = altair.Legend(orient="bottom", direction="horizontal", symbolFillColor="transparent")
    chart = altair.Chart(_prepared(rows))
    points = chart.mark_point(size=70, strokeWidth=1.8, opacity=1).encode(
        x=coefficient,
        y=metric,
        stroke=altair.Stroke("method:N", scale=colours, title=None, legend=legend),
        fill=altair.Fill("method:N", scale=colours, legend=None),
        shape=altair.Shape("method:N", scale=shapes, title=None, legend=legend),
        fillOpacity=altair.condition("datum.is_best", altair.value(1), altair.value(0)),
        tooltip=_tooltip(),
    )
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
        shown=rows["metric"].map(lambda metric: short_names().get(metric, metric)),
        figure=coefficients.map(signed),
        is_best=rows["among_best"].eq(True),
    )


def _tooltip() -> list[str | altair.Tooltip]:
    return [
        altair.Tooltip("metric:N"),
        altair.Tooltip("criterion:N"),
        altair.Tooltip("method:N"),
        altair.Tooltip("coefficient:Q", format=".3f"),
        altair.Tooltip("p_value:Q", title="p", format=".3g"),
        altair.Tooltip("williams_p_value:Q", title="p of the Williams test", format=".3g"),
        altair.Tooltip("n:Q", format=","),
    ]
