"""Projective against non-projective sentences by submission and metric."""

from __future__ import annotations

import altair
import pandas as pd

from ....schema.parameters import ALPHA
from . import style
from .marks import kinds_of_points, name_axis

WIDTH = 240
STEP = 22
COLUMNS = [
    *("submission_id", "projective", "non_projective", "projective_median"),
    *("non_projective_median", "rank_biserial", "p_value"),
]
GROUPS = {"projective": style.BLUE, "non-projective": style.ORANGE}


TOOLTIP = [
    altair.Tooltip("submission_id:N", title="submission"),
    altair.Tooltip("projective_median:Q", title="projective median", format=".3f"),
    altair.Tooltip("non_projective_median:Q", title="non-projective median", format=".3f"),
    altair.Tooltip("projective:Q", title="projective sentences", format=","),
    altair.Tooltip("non_projective:Q", title="non-projective sentences", format=","),
    altair.Tooltip("rank_biserial:Q", title="effect size (rank-biserial)", format=".3f"),
    altair.Tooltip("p_value:Q", title="p", format=".3g"),
]


def projectivity_chart(projectivity_tests: pd.DataFrame, title: str) -> altair.HConcatChart:
    """Return the medians of projective and non-projective sentences as dumbbells (Table 3).

    ``projectivity_tests`` holds rows of the view of that name: one panel per metric, one line per
    submission, grouped by treebank. Points are filled where the groups differ significantly
    (p below 0.05); beside them stands the rank-biserial effect size, above 0 where projective
    sentences score higher. Tests without both medians are left out.

    Raises InputError where no row is left, or a submission comes twice with one metric.
    """
    both = ["projective_median", "non_projective_median"]
    rows = projectivity_tests.dropna(subset=both)
    style.require_rows(rows, "submissions with projective and non-projective sentences")
    style.require_single(rows, ["submission_id", "metric"], "analysis")
    metrics = style.ordered_measures(rows["metric"])
    order = _order(rows, metrics[0])
    panels = [
        _panel(rows[rows["metric"] == metric], metric, order, first=metric == metrics[0])
        for metric in metrics
    ]
    count = rows["submission_id"].nunique()
    tested = f"{count:,} submissions tested; " if count > 1 else ""
    test = f"p < {ALPHA} (two-sided Mann–Whitney U)"
    lines = (
        f"{tested}filled: {test}; hollow: not significant",
        "figures: rank-biserial effect size, above 0 where projective sentences score higher",
    )
    return altair.HConcatChart(hconcat=panels, spacing=24, title=style.heading(title, *lines))


def _order(rows: pd.DataFrame, metric: str) -> list[str]:
    """Return the submissions by treebank, within one those first that score higher."""
    scores = rows[rows["metric"] == metric].set_index("submission_id")["projective_median"]
    submissions = rows.drop_duplicates("submission_id").assign(
        score=lambda found: found["submission_id"].map(scores)
    )
    ordered = submissions.sort_values(
        ["treebank_id", "score", "submission_id"], ascending=[True, False, True]
    )
    return list(ordered["submission_id"])


def _panel(rows: pd.DataFrame, metric: str, order: list[str], *, first: bool) -> altair.LayerChart:
    submission = name_axis("submission_id:N", order, labels=first)
    score = altair.Scale(zero=False, nice=False, padding=10)
    chart = altair.Chart(_effects(rows))
    bars = chart.mark_rule(color=style.GREY, strokeWidth=2).encode(
        x=altair.X("projective_median:Q", scale=score),
        x2="non_projective_median:Q",
        y=submission,
        tooltip=TOOLTIP,
    )
    effects = chart.mark_text(align="left", opacity=0.75).encode(
        x=altair.value(WIDTH + 8), y=submission, text="effect:N"
    )
    title = f"median {style.long_name(metric)}"
    points = kinds_of_points(
        altair.Chart(_points(rows)),
        "sentences:N",
        GROUPS,
        "datum.is_significant",
        x=altair.X("median:Q", title=title, scale=score, axis=altair.Axis(tickCount=5)),
        y=submission,
        tooltip=TOOLTIP,
    )
    layers = altair.LayerChart(layer=[bars, points, effects])
    return layers.properties(width=WIDTH, height=altair.Step(STEP))


def _effects(rows: pd.DataFrame) -> pd.DataFrame:
    effects = rows["rank_biserial"].astype(float)
    return rows.filter(items=COLUMNS).assign(
        effect=effects.map(style.signed).where(effects.notna(), "–"),
        is_significant=rows["p_value"].astype(float) < ALPHA,
    )


def _points(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row per submission and group of sentences."""
    tests = _effects(rows)
    groups = [
        tests.assign(sentences=group, median=tests[f"{group.replace('-', '_')}_median"])
        for group in GROUPS
    ]
    return pd.concat(groups, ignore_index=True)
