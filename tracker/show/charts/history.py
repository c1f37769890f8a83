"""Measures of a system over its iterations, significant changes marked."""

from __future__ import annotations

from typing import Any

import altair
import pandas as pd

from ....schema.errors import InputError
from . import style
from .label_places import Point, beside_points

WIDTH, HEIGHT = 300, 120
PANELS_ABREAST = 2
MOST_PANELS = 60
LINE = ["campaign_id", "treebank_id", "track"]
BETTER, WORSE, CHANCE, UNTESTED = MEANINGS = (
    "significantly better",
    "significantly worse",
    "tested, may be chance",
    "not tested",
)
FONT_SIZE = 10
RADIUS = 4
TICKS = 12
TOLD = [
    *("campaign_id", "iteration", "submission_id", "previous_submission_id", "created_at"),
    *("score", "change", "low", "high", "p_holm", "meaning"),
    "undefined_reason",
]


TOOLTIP = [
    altair.Tooltip("submission_id:N", title="run"),
    altair.Tooltip("created_at:N", title="made"),
    altair.Tooltip("score:Q", format=".4f"),
    altair.Tooltip("previous_submission_id:N", title="compared with"),
    altair.Tooltip("change:Q", format="+.4f"),
    altair.Tooltip("low:Q", format="+.4f"),
    altair.Tooltip("high:Q", format="+.4f"),
    altair.Tooltip("p_holm:Q", title="p (Holm)", format=".3g"),
    altair.Tooltip("meaning:N"),
    altair.Tooltip("undefined_reason:N", title="why"),
]


def history_chart(history_rows: pd.DataFrame, title: str) -> altair.VConcatChart:
    """Return the scores over the iterations: a block per treebank, a panel per measure.

    ``history_rows`` holds rows as ``queries.change.history.history_rows`` makes them. Each run is
    joined to the one it is compared with, so that branches show. Points are filled where that
    change is significant, with their iteration beside them, hollow where it may be chance, and
    crosses where nothing was tested, as of a first run. Scales differ between panels.

    Raises InputError where there is nothing to draw, or so many measures that nobody could see
    them.
    """
    rows = history_rows[history_rows["score"].notna()]
    style.require_rows(rows, "scores of this system (computed by 'tracker score')")
    style.require_single(rows, ["submission_id", "measure"], "history")
    panels = int(rows.groupby(LINE)["measure"].nunique().sum())
    if panels > MOST_PANELS:
        raise InputError(
            f"{panels} panels are too many for a chart",
            hint=f"choose measures or a treebank: at most {MOST_PANELS} panels",
        )
    datasets: dict[str, Any] = {}
    blocks = [
        _block(of_line, " · ".join(map(str, key)), datasets)
        for key, of_line in rows.groupby(LINE, sort=False)
    ]
    return altair.VConcatChart(
        vconcat=blocks,
        datasets=datasets,
        spacing=30,
        title=style.heading(
            title,
            "each run is joined to the one it is compared with: its parent or last iteration",
            "beside significant changes stands the iteration",
        ),
        config=altair.Config(view=altair.ViewConfig(stroke=None)),
    )


def _block(
    rows: pd.DataFrame, title: str, datasets: dict[str, Any]
) -> altair.ConcatSpecGenericSpec:
    """Return the panels of a line, their rows added to ``datasets``.

    Each is specified once: a chart of charts copies all of them, again where it is part of another.
    """
    measures = list(dict.fromkeys(rows["measure"]))
    ends = int(rows["iteration"].min()), int(rows["iteration"].max())
    panels = []
    for measure in measures:
        drawn = _panel(rows[rows["measure"] == measure], measure, ends)
        panel: dict[str, Any] = drawn.to_dict(validate=False)
        datasets |= panel.pop("datasets")
        panels.append({k: v for k, v in panel.items() if k not in ("$schema", "config")})
    return altair.ConcatSpecGenericSpec(
        concat=panels,
        columns=PANELS_ABREAST,
        spacing=24,
        title=altair.TitleParams(title, anchor="start", fontSize=12, color="#5f5f5f"),
    )


def _panel(rows: pd.DataFrame, measure: str, ends: tuple[int, int]) -> altair.LayerChart:
    across, down = (
        _with_room(ends[0], ends[1], 0.03),
        _with_room(rows["score"].min(), rows["score"].max()),
    )
    shown = _prepared(rows)
    iteration = altair.X(
        "iteration:Q",
        title=None,
        scale=altair.Scale(domain=across, nice=False, zero=False),
        axis=altair.Axis(format="d", values=_ticks(*ends), grid=False),
    )
    score = altair.Y(
        "score:Q",
        title=None,
        scale=altair.Scale(domain=down, nice=False, zero=False),
        axis=altair.Axis(tickCount=4, domain=False, ticks=False, minExtent=36),
    )
    colour, fill, shape = (
        altair.Scale(domain=MEANINGS, range=marks)
        for marks in (
            [style.BLUE, style.RED, style.GREY, style.GREY],
            [style.BLUE, style.RED, "#ffffff", style.GREY],
            ["circle", "circle", "circle", "cross"],
        )
    )
    legend = altair.Legend(title=None, orient="top", symbolSize=60, symbolStrokeWidth=1.5)
    lines = (
        altair.Chart(shown.dropna(subset=["previous_score"]))
        .mark_rule(color=style.GREY, strokeWidth=1.5)
        .encode(
            x=iteration,
            x2=altair.X2("previous_iteration:Q"),
            y=score,
            y2=altair.Y2("previous_score:Q"),
        )
    )
    points = (
        altair.Chart(shown)
        .mark_point(size=44, opacity=1, strokeWidth=1.5)
        .encode(
            x=iteration,
            y=score,
            stroke=altair.Stroke("meaning:N", scale=colour, legend=legend),
            fill=altair.Fill("meaning:N", scale=fill, legend=legend),
            shape=altair.Shape("meaning:N", scale=shape, legend=legend),
            tooltip=TOOLTIP,
        )
    )
    numbers = (
        altair.Chart(_numbers(shown, across, down))
        .mark_text(fontSize=FONT_SIZE)
        .encode(
            x=altair.X("across:Q", scale=None),
            y=altair.Y("down:Q", scale=None),
            text=altair.Text("number:N"),
            color=altair.Color("meaning:N", scale=colour, legend=None),
        )
    )
    last = (
        altair.Chart(shown.tail(1))
        .mark_text(align="left", dx=8, fontSize=11, fontWeight="bold")
        .encode(x=iteration, y=score, text=altair.Text("score:Q", format=".3f"))
    )
    lower = "" if rows["better"].iloc[0] == "higher" else ", lower is better"
    return altair.LayerChart(
        layer=[lines, points, numbers, last],
        title=altair.TitleParams(style.long_name(measure) + lower, fontSize=12, anchor="start"),
        width=WIDTH,
        height=HEIGHT,
    )


def _ticks(first: int, last: int) -> list[int]:
    """Return iterations for the axis, the last one among them."""
    step = (last - first) // TICKS + 1
    return [*range(last, first - 1, -step)]


def _with_room(low: float, high: float, share: float = 0.22) -> list[float]:
    """Return both ends of a scale with room beside them, also where they are equal."""
    room = (high - low) * share or 0.5 * (abs(high) * 0.01 or 1)
    return [float(low - room), float(high + room)]


def _numbers(shown: pd.DataFrame, across: list[float], down: list[float]) -> pd.DataFrame:
    """Return the iterations of significant changes with places for them, as far as there is room.

    The largest changes choose their places first.
    """

    def x(iteration: float) -> float:
        return (iteration - across[0]) / (across[1] - across[0]) * WIDTH

    def y(score: float) -> float:
        return (down[1] - score) / (down[1] - down[0]) * HEIGHT

    marked = shown[shown["meaning"].isin([BETTER, WORSE])]
    ordered = marked.iloc[(-marked["change"].abs()).argsort(kind="stable")]
    points, named = (
        [
            Point(f"@{iteration}", x(iteration), y(score), RADIUS)
            for iteration, score in zip(rows["iteration"], rows["score"], strict=True)
        ]
        for rows in (shown, ordered)
    )
    ends = ["previous_iteration", "previous_score", "iteration", "score"]
    segments = [
        (x(before), y(score_before), x(now), y(score))
        for before, score_before, now, score in shown[ends].dropna().itertuples(index=False)
    ]
    boxes = beside_points(named, points, segments, (WIDTH, HEIGHT), FONT_SIZE)
    placed = [
        {"number": point.name, "meaning": meaning, "across": box.centre[0], "down": box.centre[1]}
        for point, box, meaning in zip(named, boxes, ordered["meaning"], strict=True)
        if box
    ]
    return pd.DataFrame(placed, columns=["number", "meaning", "across", "down"])


def _prepared(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the score before, and what their change means."""
    scores = dict(zip(rows["submission_id"], rows["score"], strict=True))
    significant = rows["significant"].eq(True).fillna(False)
    tested = rows["significant"].notna()
    falls = rows["change"].astype(float) < 0
    worse = falls == rows["better"].eq("higher")
    meaning = pd.Series(UNTESTED, rows.index).mask(tested, CHANCE)
    meaning = meaning.mask(significant & worse, WORSE)
    meaning = meaning.mask(significant & ~worse, BETTER)
    return (
        rows.assign(meaning=meaning)[TOLD]
        .assign(
            created_at=rows["created_at"].dt.strftime("%Y-%m-%d"),
            previous_iteration=rows["previous_iteration"].astype(float),
            previous_score=rows["previous_submission_id"].map(scores),
        )
        .sort_values("iteration")
    )
