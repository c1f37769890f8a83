"""Axes and marks that several charts have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair


def name_axis(field: str, order: Sequence[str], *, labels: bool, limit: int = 420) -> altair.Y:
    """Return names below each other; panels beside each other write them once."""
    axis = altair.Axis(labels=labels, ticks=False, domain=False, grid=True, labelLimit=limit)
    return altair.Y(field, scale=altair.Scale(domain=[*order]), title=None, axis=axis)


def filled(test: str, otherwise: float = 0) -> Any:
    """Return an opacity: full where a test holds."""
    return altair.condition(test, altair.value(1), altair.value(otherwise))


def kinds_of_points(
    chart: altair.Chart, field: str, kinds: Mapping[str, str], test: str, **encoded: Any
) -> altair.Chart:
    """Return points in the colour and shape of their kind, filled where a test holds."""
    colours = altair.Scale(domain=[*kinds], range=[*kinds.values()])
    shapes = altair.Scale(domain=[*kinds], range=["circle", "diamond", "square"][: len(kinds)])
    legend = altair.Legend(orient="bottom", direction="horizontal", symbolFillColor="transparent")
    points: altair.Chart = chart.mark_point(size=70, strokeWidth=1.8, opacity=1).encode(
        stroke=altair.Stroke(field, scale=colours, title=None, legend=legend),
        fill=altair.Fill(field, scale=colours, legend=None),
        shape=altair.Shape(field, scale=shapes, title=None, legend=legend),
        fillOpacity=filled(test),
        **encoded,
    )
    return points
