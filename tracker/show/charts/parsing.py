"""The picture of how models hold up on noisy text (Figure 4 of Pratapa et al. 2021)."""

from __future__ import annotations

import altair
import pandas as pd

from ....ingest.parsing.evaluation import ALTERED_ONLY, METRICS
from .style import BLUE, GREY, ORANGE, RED, heading, require_rows

_WIDTH, _HEIGHT = 260, 22


def robustness_chart(rows: pd.DataFrame) -> altair.FacetChart:
    """Return a panel of bars for each metric: treebanks and words below each other, by model.

    ``rows`` are those of `compare_models`; metrics that a model has nothing for draw no bar.

    Raises InputError where there is nothing to draw.
    """
    long = rows.melt(
        id_vars=["treebank", "words", "model"], value_vars=list(METRICS), var_name="metric"
    ).dropna(subset=["value"])
    require_rows(long, "model tags or parses these treebanks")
    only = long["words"] == ALTERED_ONLY
    long["text"] = long["treebank"].where(~only, long["treebank"] + ", altered words only")
    models = list(dict.fromkeys(long["model"]))
    y = altair.Y("text:N", title=None, sort=None, axis=altair.Axis(labelLimit=320))
    offset = altair.YOffset("model:N", sort=models)
    colours = altair.Scale(domain=models, range=[GREY, BLUE, ORANGE, RED][: len(models)])
    base = altair.Chart().encode(y=y, yOffset=offset)
    bars = base.mark_bar().encode(
        x=altair.X("value:Q", title=None, scale=altair.Scale(domain=[0, 1.12]), axis=_axis()),
        color=altair.Color("model:N", title="model", scale=colours),
    )
    figures = base.mark_text(align="left", dx=3, fontSize=10).encode(
        x="value:Q", text=altair.Text("value:Q", format=".1%")
    )
    height = _HEIGHT * len(models) * long["text"].nunique()
    panels = altair.layer(bars, figures, data=long).properties(width=_WIDTH, height=height)
    title = heading(
        "Accuracy of parsers on clean and noisy text",
        "UPOS, universal features, unlabelled and labelled attachment as defined for CoNLL 2018",
    )
    facet = altair.Facet("metric:N", title=None, sort=list(METRICS))
    return panels.facet(facet=facet, columns=2).properties(title=title)


def _axis() -> altair.Axis:
    return altair.Axis(values=[0, 0.25, 0.5, 0.75, 1], format="%")
