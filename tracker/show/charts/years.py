"""Scores over the years: a line for the best, one for the median, points for all systems."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from typing import Any

import altair
import pandas as pd

from ....queries.change.years import Years
from . import style

WIDTH, HEIGHT = 250, 190
POINTS = 40
MARGIN_YEARS = 0.35
REFERENCE = "#3c3c3c"
REFERENCE_YEARS = 0.3
FAMILY_WIDTH = 9
IS_BEST = "datum.what == 'best'"
FAMILY = "family "
IS_FAMILY = f"indexof(datum.what, '{FAMILY}') == 0"
FAMILY_COLOURS = ("#59a14f", "#b279a2", "#8c6d31", "#17a2a2")
DASHES = [4, 3]
POINT_KINDS = {"team": ("a system", style.GREY), "baseline": ("a baseline", "#c9c9c9")}
SEGMENT = ("year", "next_year", "score", "next_score", "comparable")


def years_chart(
    years: Years, title: str = "Over the years", *, shared: bool = False
) -> altair.VConcatChart:
    """Return a panel for each measure (down) and line (across) with the years on the x axis.

    As in Pratapa et al. 2021, Figures 5 and 6: grey points are all systems, a line each joins the
    best and the median of every year, and that of each family asked for; diamonds are human
    references. A line is dashed where the two years have different test sets.

    Raises InputError where nothing is scored.
    """
    points = pd.DataFrame([asdict(point) for point in years.points])
    style.require_rows(points, "scores of a campaign with a year")
    lines = _lines(years)
    style.require_rows(lines, f"scores of a {years.system_kind}")
    colours = _colours(lines, points)
    shown = list(dict.fromkeys(lines["line"]))
    rows = []
    for measure in dict.fromkeys(lines["measure"]):
        ours = lines[lines["measure"] == measure]
        all_points = points[points["measure"] == measure]
        scale = _scale(ours, all_points)
        panels = [
            _panel(
                ours[ours["line"] == line],
                all_points[all_points["line"] == line],
                scale,
                colours,
                line,
            )
            for line in shown
        ]
        rows.append(
            altair.HConcatChart(
                hconcat=panels,
                title=altair.TitleParams(style.long_name(measure), anchor="start", fontSize=13),
                spacing=24,
            )
        )
    return altair.VConcatChart(
        vconcat=rows,
        title=style.heading(title, *_explanation(years, lines, shared=shared)),
        spacing=28,
        config=altair.Config(view=altair.ViewConfig(stroke=None)),
    )


def _explanation(years: Years, lines: pd.DataFrame, *, shared: bool) -> list[str]:
    told = [f"best and median of the {years.system_kind}s, each system by its latest iteration"]
    if shared:
        told.append("on the sentences alone that the test sets of all years share")
    if (~lines["comparable"] & lines["has_before"]).any():
        told.append("dashed: not comparable, the test sets or the ways of scoring differ")
    return told


def _colours(lines: pd.DataFrame, points: pd.DataFrame) -> altair.Color:
    """Return a colour for each line and, last, for the points."""
    families = [what for what in dict.fromkeys(lines["what"]) if what.startswith(FAMILY)]
    known = {"best": style.BLUE, "median": style.ORANGE, "reference": REFERENCE}
    domain = {what: colour for what, colour in known.items() if what in {*lines["what"]}}
    domain |= {
        family: FAMILY_COLOURS[number % len(FAMILY_COLOURS)]
        for number, family in enumerate(families)
    }
    kinds = {*points["system_kind"]}
    domain |= {name: colour for kind, (name, colour) in POINT_KINDS.items() if kind in kinds}
    return altair.Color(
        "what:N",
        scale=altair.Scale(domain=[*domain], range=[*domain.values()]),
        legend=altair.Legend(title=None, symbolType="circle", symbolOpacity=1),
    )


def _scale(lines: pd.DataFrame, points: pd.DataFrame) -> dict[str, altair.Scale]:
    """Return the scales of x and y that all panels of a measure share."""
    scores = [*lines["score"], *points["score"]]
    years = [*lines["year"], *points["year"]]
    return {
        "x": altair.Scale(domain=[min(years) - MARGIN_YEARS, max(years) + MARGIN_YEARS]),
        "y": altair.Scale(domain=[min(scores), max(scores)], zero=False, nice=True),
    }


def _panel(
    lines: pd.DataFrame,
    points: pd.DataFrame,
    scale: dict[str, altair.Scale],
    colour: altair.Color,
    name: str,
) -> altair.LayerChart:
    years = sorted({*lines["year"], *points["year"]})
    year = altair.X(
        "year:Q",
        title=None,
        scale=scale["x"],
        axis=altair.Axis(values=years, format="d", grid=False, labelFlush=False),
    )
    score = altair.Y("score:Q", title=None, scale=scale["y"], axis=altair.Axis(tickCount=5))
    systems = points[points["system_kind"] != "human"]
    systems = systems.assign(what=[POINT_KINDS[kind][0] for kind in systems["system_kind"]])
    layers = [
        altair.Chart(systems)
        .mark_point(filled=True, size=POINTS, opacity=0.8)
        .encode(x=year, y=score, color=colour, tooltip=["submission_id:N", _number("score")])
    ]
    references = lines[lines["what"] == "reference"]
    references = references.assign(
        start=references["year"] - REFERENCE_YEARS, end=references["year"] + REFERENCE_YEARS
    )
    layers.append(
        altair.Chart(references)
        .mark_rule(strokeWidth=1.5)
        .encode(
            x=altair.X("start:Q", scale=scale["x"]),
            x2="end:Q",
            y=altair.Y("score:Q", scale=scale["y"]),
            color=colour,
        )
    )
    segments = pd.DataFrame(_segments(lines), columns=["what", *SEGMENT])
    if not segments.empty:
        layers.append(
            altair.Chart(segments)
            .mark_rule(strokeCap="butt")
            .encode(
                x=altair.X("year:Q", scale=scale["x"]),
                x2="next_year:Q",
                y=altair.Y("score:Q", scale=scale["y"]),
                y2="next_score:Q",
                color=colour,
                strokeDash=altair.condition(
                    "datum.comparable", altair.value([1, 0]), altair.value(DASHES)
                ),
                strokeWidth=altair.when(IS_FAMILY)
                .then(altair.value(FAMILY_WIDTH))
                .when(IS_BEST)
                .then(altair.value(4))
                .otherwise(altair.value(2)),
                opacity=altair.condition(IS_FAMILY, altair.value(0.5), altair.value(1)),
            )
        )
    tooltip = [*("what:N", "year:Q", _number("score"), "system:N", "test_set:N", "n:Q")]
    layers.append(
        altair.Chart(lines)
        .mark_point(filled=True, opacity=1)
        .encode(
            x=year,
            y=score,
            color=colour,
            shape=altair.condition(
                "datum.what == 'reference'", altair.value("diamond"), altair.value("circle")
            ),
            size=altair.when(IS_FAMILY)
            .then(altair.value(6 * POINTS))
            .when(IS_BEST)
            .then(altair.value(3 * POINTS))
            .otherwise(altair.value(1.5 * POINTS)),
            tooltip=tooltip,
        )
    )
    return altair.LayerChart(
        layer=layers,
        title=altair.TitleParams(name, fontSize=12, fontWeight="normal", anchor="start"),
        width=WIDTH,
        height=HEIGHT,
    )


def _number(column: str) -> altair.Tooltip:
    return altair.Tooltip(f"{column}:Q", format=".4f")


def _segments(lines: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return what joins two years that follow each other, of everything but the references."""
    found = []
    for what, rows in lines[lines["what"] != "reference"].groupby("what", sort=False):
        for before, after in pairwise(rows.sort_values("year").itertuples()):
            found.append(
                (what, before.year, after.year, before.score, after.score, bool(after.comparable))
            )
    return found


def _lines(years: Years) -> pd.DataFrame:
    """Return one row per measure, line, year and what is drawn of it: best, median, a family."""
    rows: list[dict[str, Any]] = []
    for score in years.scores:
        of_all = not score.group.startswith(FAMILY)
        values = (
            {"best": score.best, "median": score.median, "reference": score.reference}
            if of_all
            else {score.group: score.best}
        )
        rows += [
            {
                "measure": score.measure,
                "line": score.line,
                "year": score.year,
                "what": what,
                "score": value,
                "system": "" if what == "median" else score.best_system_id,
                "test_set": score.treebank_id,
                "n": score.n,
                "comparable": score.comparable,
                "has_before": score.same_test_set is not None,
            }
            for what, value in values.items()
            if value is not None
        ]
    rows.sort(key=lambda row: not str(row["what"]).startswith(FAMILY))
    return pd.DataFrame(rows)
