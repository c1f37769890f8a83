"""Systems by two measures."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi
from statistics import correlation
from typing import Any

from ....queries.metrics.registry import points
from ....queries.numbers import number
from ....schema.brief import plural
from ....schema.statements import Row
from .drawing import (
    Specification,
    by,
    defined,
    digits,
    draw,
    in_units,
    long_name,
    require_rows,
    require_single,
    values,
)
from .label_places import Plot, with_labels

WIDTH, HEIGHT = 360, 300
FONT_SIZE = 10
RADIUS = 5
MARGIN = 0.08
PANELS_ABREAST = 2
FEWEST = 3


def systems_scatter(systems: Any, title: str) -> Specification:
    """Return each system's score by one measure upwards, and by another across.

    ``systems`` holds rows of ``queries.system_correlations``: a panel for each test set and pair of
    measures, with Pearson's r of those that are no outliers; outliers are hollow. Names that find
    no place are in the tooltip alone. Figures 9 to 12 of Pratapa et al. (2021).

    Raises InputError where there is no row, or a system comes twice in a panel.
    """
    rows = [
        {**row, "against_score": points(row["against"], row["against_score"])}
        for row in in_units(defined(systems, "score", "against_score"))
    ]
    require_rows(rows, "systems with scores by both measures")
    keys = ("campaign_id", "treebank_id", "measure", "against")
    require_single(rows, [*keys, "system_id"], "way of scoring")
    panels = [_panel(group) for group in by(rows, *keys).values()]
    lines = ["hollow: outliers by people, left out of r"] if any(r["outlier"] for r in rows) else []
    return draw("systems", title, lines, panels=panels, abreast=min(len(panels), PANELS_ABREAST))


def _panel(rows: Sequence[Row]) -> Row:
    """Return what a panel shows: its systems with places for their names."""
    left, right = _ends([row["against_score"] for row in rows])
    bottom, top = _ends([row["score"] for row in rows])
    points = [
        {
            **values(row, "system_id", "score", "against_score", "outlier"),
            "area": pi * RADIUS**2,
        }
        for row in rows
    ]
    plot = Plot(WIDTH, HEIGHT, left, right, bottom, top)
    first = rows[0]
    return {
        "name": [f"{first['campaign_id']} · {first['treebank_id']}", _correlated(rows)],
        "rows": with_labels(points, plot, ("system_id", "against_score", "score"), FONT_SIZE),
        "across": [left, right],
        "down": [bottom, top],
        "measure": long_name(first["measure"]),
        "against": long_name(first["against"]),
        "digits": digits(first["measure"]),
        "against_digits": digits(first["against"]),
    }


def _ends(scores: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis: those of the scores, with a margin."""
    low, high = min(scores), max(scores)
    margin = (high - low) * MARGIN or abs(high) * MARGIN or 1.0
    return low - margin, high + margin


def _correlated(rows: Sequence[Row]) -> str:
    pairs = [(row["score"], row["against_score"]) for row in rows if not row["outlier"]]
    systems = plural(len(pairs), "system")
    one, other = zip(*pairs, strict=True) if pairs else ((), ())
    if len(pairs) < FEWEST or len({*one}) == 1 or len({*other}) == 1:
        return systems
    return f"{systems}, Pearson's r = {number(correlation(one, other), 2)}"
