"""Word-order freedom against accuracy, relation by relation."""

from __future__ import annotations

from math import floor, hypot, nan, pi, sqrt

import altair
import pandas as pd

from . import style
from .label_places import Point, place_labels

WIDTH, HEIGHT = 600, 440
FONT_SIZE = 10
SMALLEST, LARGEST = 16.0, 620.0
FREE = 0.5
MARGIN = 0.05
APART = 9.0


def entropy_scatter(
    entropy_dea: pd.DataFrame, title: str, rho: float | None = None
) -> altair.LayerChart:
    """Return relation entropy against dependency edge accuracy (sections 3.1 and 5.3).

    ``entropy_dea`` holds rows of the view of that name: entropy (bits), dea, edges by submission
    and deprel; means over submissions where there are several. A circle's area grows with the
    number of edges. The shaded relations are free and badly realised: an entropy of 0.5 bits or
    more (the rarer direction has at least 11 %) and an accuracy below that of all edges. ``rho``
    is said below the title. Names that find no place are in the tooltip alone.

    Raises InputError where there are no rows with both, or a submission's relation comes twice.
    """
    rows = entropy_dea.dropna(subset=["entropy", "dea"])
    style.require_rows(rows, "relations with entropy and accuracy")
    style.require_single(rows, ["submission_id", "deprel"], "analysis")
    overall = float((rows["dea"] * rows["edges"]).sum() / rows["edges"].sum())
    submissions = rows["submission_id"].nunique()
    lowest = min(0.8, floor(rows.groupby("deprel")["dea"].mean().min() * 10) / 10)
    relations = _placed(_relations(rows, overall), lowest)
    x_scale = altair.Scale(domain=[-MARGIN, 1 + MARGIN], nice=False)
    y_scale = altair.Scale(domain=_y_domain(lowest), nice=False)
    x = altair.X(
        "entropy:Q",
        title="relation entropy (bits): how free the order of head and dependent is",
        scale=x_scale,
        axis=altair.Axis(format=".2f", values=[0, 0.25, 0.5, 0.75, 1], grid=False),
    )
    y = altair.Y(
        "dea:Q",
        title="dependency edge accuracy",
        scale=y_scale,
        axis=altair.Axis(format=".1f", tickCount=5, grid=False),
    )
    corner = altair.Chart(
        pd.DataFrame({"entropy": [FREE], "dea": [overall], "name": ["free and badly realised"]})
    )
    shade = corner.mark_rect(color=style.RED, opacity=0.12).encode(
        x=x, x2=altair.datum(1 + MARGIN), y=y, y2=altair.datum(_y_domain(lowest)[0])
    )
    shade_name = corner.mark_text(align="right", color=style.RED, fontStyle="italic").encode(
        x=altair.value(WIDTH - 6), y=altair.value(HEIGHT - 8), text="name:N"
    )
    chart = altair.Chart(relations)
    circles = chart.mark_circle(opacity=0.65, stroke="white", strokeWidth=0.5).encode(
        x=x,
        y=y,
        size=altair.Size("area:Q", scale=None),
        color=altair.condition(
            "datum.free_and_bad", altair.value(style.RED), altair.value(style.BLUE)
        ),
        tooltip=[
            "deprel:N",
            altair.Tooltip("entropy:Q", title="entropy (bits)", format=".3f"),
            altair.Tooltip("dea:Q", format=".3f"),
            altair.Tooltip("edges:Q", format=",.0f"),
        ],
    )
    named = altair.Chart(relations.dropna(subset=["label_x"]))
    leaders = (
        altair.Chart(relations[relations["apart"]])
        .mark_rule(color=style.GREY, strokeWidth=0.7)
        .encode(x=x, y=y, x2="leader_x:Q", y2="leader_y:Q")
    )
    names = named.mark_text(fontSize=FONT_SIZE).encode(
        x=altair.X("label_x:Q", scale=x_scale),
        y=altair.Y("label_y:Q", scale=y_scale),
        text="deprel:N",
    )
    layers = altair.LayerChart(
        layer=[shade, leaders, circles, names, shade_name],
        title=style.heading(title, *_explained(submissions, overall, rho)),
    )
    return layers.properties(width=WIDTH, height=HEIGHT)


def _relations(rows: pd.DataFrame, overall: float) -> pd.DataFrame:
    """Return one row per relation, those that are free and badly realised first."""
    relations = (
        rows.sort_values(["deprel", "submission_id"])
        .groupby("deprel")[["entropy", "dea", "edges"]]
        .mean()
        .reset_index()
    )
    relations["free_and_bad"] = (relations["entropy"] >= FREE) & (relations["dea"] < overall)
    largest = relations["edges"].max()
    relations["area"] = SMALLEST + (LARGEST - SMALLEST) * relations["edges"] / largest
    relations["weight"] = relations["entropy"] * (1 - relations["dea"])
    return relations.sort_values(["weight", "deprel"], ascending=[False, True])


def _placed(relations: pd.DataFrame, lowest: float) -> pd.DataFrame:
    """Return the relations with places for their names, in data units, or none."""
    bottom, top = _y_domain(lowest)
    columns = [relations[name] for name in ("deprel", "entropy", "dea", "area")]
    points = [
        Point(
            name=name,
            x=(entropy + MARGIN) / (1 + 2 * MARGIN) * WIDTH,
            y=(top - dea) / (top - bottom) * HEIGHT,
            radius=sqrt(area / pi),
        )
        for name, entropy, dea, area in zip(*columns, strict=True)
    ]
    boxes = place_labels(points, WIDTH, HEIGHT - 22, FONT_SIZE)
    nowhere = (nan, nan)
    centres = [box.centre if box else nowhere for box in boxes]
    ends = [
        box.nearest(point) if box else nowhere for point, box in zip(points, boxes, strict=True)
    ]
    return relations.assign(
        label_x=[x / WIDTH * (1 + 2 * MARGIN) - MARGIN for x, _ in centres],
        label_y=[top - y / HEIGHT * (top - bottom) for _, y in centres],
        leader_x=[x / WIDTH * (1 + 2 * MARGIN) - MARGIN for x, _ in ends],
        leader_y=[top - y / HEIGHT * (top - bottom) for _, y in ends],
        apart=[
            hypot(x - point.x, y - point.y) - point.radius > APART
            for point, (x, y) in zip(points, ends, strict=True)
        ],
    )


def _y_domain(lowest: float) -> list[float]:
    margin = (1 - lowest) * 0.03
    return [lowest - margin, 1 + margin]


def _explained(submissions: int, overall: float, rho: float | None) -> list[str]:
    several = submissions > 1
    what = [f"means over {submissions:,} submissions"] if several else []
    if rho is not None:
        what.append(f"{'median ' if several else ''}Spearman's ρ = {style.signed(rho)}")
    what.append("circle area: edges")
    shaded = f"shaded: {FREE} bits or more, accuracy below that over all edges ({overall:.2f})"
    return ["; ".join(what), shaded]
