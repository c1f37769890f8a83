"""Charts of what the views show, readable without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema.errors import InputError

if TYPE_CHECKING:
    import altair
    import pandas as pd

FORMATS = (".html", ".png", ".svg")
WIDTH = 480


def dea_by_relation_chart(dea_by_relation: pd.DataFrame, title: str) -> altair.LayerChart:
    """Return bars of dependency edge accuracy by relation, lowest first.

    ``dea_by_relation`` holds one submission's rows of the view of that name: deprel, edges, dea.
    Beside each bar stand its accuracy and, in brackets, the number of reference edges behind it;
    the dashed line is the accuracy over all edges.
    """
    import altair

    rows = dea_by_relation.sort_values(["dea", "deprel"])
    overall = (rows["dea"] * rows["edges"]).sum() / rows["edges"].sum()
    accuracy = altair.X(
        "dea:Q",
        title="dependency edge accuracy",
        scale=altair.Scale(domain=[0, 1]),
        axis=altair.Axis(format=".1f", values=[0, 0.2, 0.4, 0.6, 0.8, 1]),
    )
    relation = altair.Y("deprel:N", sort=list(rows["deprel"]), title=None)
    tooltip = ["deprel:N", altair.Tooltip("dea:Q", format=".3f"), "edges:Q"]
    chart = altair.Chart(rows)
    bars = chart.mark_bar(color="#4c78a8").encode(x=accuracy, y=relation, tooltip=tooltip)
    line = chart.mark_rule(color="#e45756", strokeDash=[4, 3]).encode(x=altair.datum(overall))
    figures = chart.transform_calculate(
        figures="format(datum.dea, '.2f') + ' (' + format(datum.edges, ',') + ')'"
    )
    labels = figures.mark_text(align="left", color="#555555").encode(
        x=altair.value(WIDTH + 8), y=relation, text="figures:N"
    )
    heading = altair.TitleParams(
        title, subtitle=f"accuracy (reference edges) by relation; dashed: all edges, {overall:.2f}"
    )
    margins = {"left": 8, "top": 8, "right": 80, "bottom": 8}
    layers = altair.LayerChart(layer=[bars, line, labels], title=heading, padding=margins)
    return layers.properties(width=WIDTH, height=altair.Step(18))


def save_chart(chart: altair.LayerChart, path: Path) -> Path:
    """Write a chart as PNG, SVG or HTML, as the file's ending says, and return the path.

    An HTML page holds all its JavaScript (0.9 MB), so that it works offline.

    Raises InputError for another ending.
    """
    import vl_convert

    specification: dict[str, Any] = chart.to_dict()
    if path.suffix == ".html":
        path.write_text(_page(specification), encoding="utf-8")
    elif path.suffix == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(vl_convert.vegalite_to_png(specification, scale=2))
    else:
        raise InputError(
            f"a chart cannot be written as '{path.suffix}'",
            where=str(path),
            hint=f"give the file one of the endings {', '.join(FORMATS)}",
        )
    return path


def _page(specification: dict[str, Any]) -> str:
    """Return an HTML page with the chart.

    The page holds the specification in a script, where a text such as ``</script>`` would end it:
    ``<`` passes through as a private character and becomes an escape.
    """
    import vl_convert

    private = "\ue0f1"
    hidden = json.loads(json.dumps(specification).replace("<", private))
    return vl_convert.vegalite_to_html(hidden, bundle=True).replace(private, "\\u003c")
