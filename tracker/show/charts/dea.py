"""Dependency edge accuracy by relation, of one submission or of several."""

from __future__ import annotations

import altair
import pandas as pd

from ....schema.brief import plural
from .style import BLUE, RED, require_rows

WIDTH = 480


def dea_by_relation_chart(dea_by_relation: pd.DataFrame, title: str) -> altair.LayerChart:
    """Return bars of dependency edge accuracy by relation, lowest first.

    ``dea_by_relation`` holds one submission's rows of the view of that name: deprel, edges, dea.
    Beside each bar stand its accuracy and, in brackets, the number of reference edges behind it;
    the dashed line is the accuracy over all edges.

    Raises InputError where there are no rows.
    """
    require_rows(dea_by_relation, "relations")
    rows = dea_by_relation.sort_values(["dea", "deprel"])
    overall = (rows["dea"] * rows["edges"]).sum() / rows["edges"].sum()
    relation = altair.Y("deprel:N", sort=list(rows["deprel"]), title=None)
    tooltip = ["deprel:N", altair.Tooltip("dea:Q", format=".3f"), "edges:Q"]
    chart = altair.Chart(rows)
    bars = chart.mark_bar(color=BLUE).encode(x=_accuracy(), y=relation, tooltip=tooltip)
    line = chart.mark_rule(color=RED, strokeDash=[4, 3]).encode(x=altair.datum(overall))
    figures = chart.transform_calculate(
        figures="format(datum.dea, '.2f') + ' (' + format(datum.edges, ',') + ')'"
    )
    subtitle = f"accuracy (reference edges) by relation; dashed: all edges, {overall:.2f}"
    return _layers([bars, line, _figures(figures, relation)], title, subtitle)


def dea_of_submissions_chart(dea_by_relation: pd.DataFrame, title: str) -> altair.LayerChart:
    """Return bars of the mean accuracy over submissions by relation, lowest first.

    ``dea_by_relation`` holds several submissions' rows of the view of that name: submission_id,
    deprel, edges, dea. Submissions weigh the same (Table 4 of the paper); each is a stroke on its
    relation's bar. In brackets stands the number of submissions whose treebank has the relation.

    Raises InputError where there are no rows.
    """
    require_rows(dea_by_relation, "relations")
    rows = dea_by_relation.sort_values(["deprel", "submission_id"])
    means = (
        rows.groupby("deprel")
        .agg(dea=("dea", "mean"), submissions=("dea", "count"), edges=("edges", "sum"))
        .reset_index()
        .sort_values(["dea", "deprel"])
    )
    relation = altair.Y("deprel:N", sort=list(means["deprel"]), title=None)
    accuracy = altair.Tooltip("dea:Q", format=".3f")
    bars = (
        altair.Chart(means)
        .mark_bar(color=BLUE, opacity=0.55)
        .encode(x=_accuracy(), y=relation, tooltip=["deprel:N", accuracy, "submissions:Q"])
    )
    strokes = (
        altair.Chart(rows[["submission_id", "deprel", "edges", "dea"]])
        .mark_tick(color="#1d3a5a", opacity=0.55, thickness=1.5, height=9)
        .encode(x=_accuracy(), y=relation, tooltip=["submission_id:N", "deprel:N", accuracy])
    )
    figures = altair.Chart(means).transform_calculate(
        figures="format(datum.dea, '.2f') + ' (' + format(datum.submissions, ',') + ')'"
    )
    count = rows["submission_id"].nunique()
    subtitle = "mean accuracy (submissions with the relation); strokes: "
    subtitle += plural(count, "submission")
    return _layers([bars, strokes, _figures(figures, relation)], title, subtitle)


def _accuracy() -> altair.X:
    return altair.X(
        "dea:Q",
        title="dependency edge accuracy",
        scale=altair.Scale(domain=[0, 1]),
        axis=altair.Axis(format=".1f", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )


def _figures(chart: altair.Chart, relation: altair.Y) -> altair.Chart:
    marks: altair.Chart = chart.mark_text(align="left", opacity=0.75).encode(
        x=altair.value(WIDTH + 8), y=relation, text="figures:N"
    )
    return marks


def _layers(layers: list[altair.Chart], title: str, subtitle: str) -> altair.LayerChart:
    heading = altair.TitleParams(title, subtitle=subtitle)
    return altair.LayerChart(layer=layers, title=heading, width=WIDTH, height=altair.Step(18))
