"""Scores over iterations and years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any, TypeAlias

from ....queries.change.years import Years, YearScore
from ....schema.errors import InputError
from ....schema.statements import Row
from .drawing import (
    COLOURS,
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
from .label_places import Point, beside_points

WIDTH, HEIGHT = 300, 120
MOST_PANELS = 60
BETTER, WORSE, CHANCE, UNTESTED = (
    "significantly better",
    "significantly worse",
    "tested, may be chance",
    "not tested",
)
MARKS = {
    BETTER: (COLOURS["blue"], COLOURS["blue"], "triangle-up"),
    WORSE: (COLOURS["red"], COLOURS["red"], "triangle-down"),
    CHANCE: (COLOURS["grey"], "#ffffff", "circle"),
    UNTESTED: (COLOURS["grey"], COLOURS["grey"], "cross"),
}
"""The line, the ground and the shape of a run's point, by what its change means."""
ONLY_SCORED = {"scored": (COLOURS["blue"], COLOURS["blue"], "circle")}
"""The same of runs whose rows do not say whether their change is significant."""
RUNS_LEGEND = {
    "title": None,
    "orient": "top",
    "columns": 2,
    "symbolSize": 60,
    "symbolStrokeWidth": 1.5,
}
FONT_SIZE = 10
RADIUS = 4
REACH = 32
"""Pixels around a point that lead where it does, at most: a finger is wider than a point."""
TICKS = 12
ROOM_FOR_SCORE = 0.16
"""Share of the iterations' axis that the last score takes beside its point."""
SCORES = ("score", "at_least", "at_most")
RUN = [
    *("campaign_id", "iteration", "submission_id", "previous_submission_id", "score", "change"),
    *("low", "high", "p_holm", "undefined_reason", "previous_iteration"),
]


def history_chart(history_rows: Any, title: str, *, numbered: bool = True) -> Specification:
    """Return the scores over the iterations: a block per treebank, a panel per measure.

    ``history_rows`` holds rows as ``queries.change.history.history_rows`` makes them. Each run is
    joined to the one it is compared with, so that branches show. A run that is significantly better
    than that one is a triangle that points up, a worse one points down, with their iteration beside
    them; a circle may be chance, and crosses are where nothing was tested, as of a first run. Bars
    are where the score would be at both ends of the interval of its change. Scales differ between
    panels. The iteration is left out where the chart is not ``numbered``, such as one whose panel
    fits its place.

    Raises InputError where there is nothing to draw, or so many measures that nobody could see
    them.
    """
    rows = in_units(defined(history_rows, "score"))
    require_rows(rows, "scores of this system (computed by 'tracker score')")
    require_single(rows, ["submission_id", "measure"], "history")
    blocks = [
        {"line": " · ".join(map(str, line)), "panels": _runs_by_measure(of_line, numbered=numbered)}
        for line, of_line in by(rows, "campaign_id", "treebank_id", "track").items()
    ]
    panels = sum(len(block["panels"]) for block in blocks)
    if panels > MOST_PANELS:
        raise InputError(
            f"{panels} panels are too many for a chart",
            hint=f"choose measures or a treebank: at most {MOST_PANELS} panels",
        )
    lines = ["each run is joined to the one it is compared with: its parent or last iteration"]
    if any(row.get("low") is not None for row in rows):
        lines.append("bars: the interval of the change from there")
    if numbered:
        lines.append("beside significant changes stands the iteration")
    tested = "significant" in rows[0]
    marks = MARKS if tested else ONLY_SCORED
    strokes, fills, shapes = zip(*marks.values(), strict=True)
    looks = {"meanings": [*marks], "strokes": strokes, "fills": fills, "shapes": shapes}
    legend = RUNS_LEGEND if tested else None
    return draw("history", title, lines, blocks=blocks, legend=legend, **looks)


def _runs_by_measure(rows: Sequence[Row], *, numbered: bool) -> list[Row]:
    """Return what the panels of a line show, one for each measure."""
    iterations = [row["iteration"] for row in rows]
    first, last = min(iterations), max(iterations)
    across = _with_room(first, last, 0.03)
    if not numbered:
        across[1] += (last - first) * ROOM_FOR_SCORE
    panels = []
    for measure, of_measure in by(rows, "measure").items():
        runs = _runs(of_measure)
        scores = [run[name] for run in runs for name in SCORES if run[name] is not None]
        down = _with_room(min(scores), max(scores))
        lower = "" if of_measure[0]["better"] == "higher" else ", lower is better"
        panels.append(
            {
                "name": long_name(measure) + lower,
                "digits": digits(measure),
                "signed": f"+{digits(measure)}",
                "rows": runs,
                "last": runs[-1:],
                "numbers": _numbers(runs, across, down) if numbered else [],
                "across": across,
                "down": down,
                "reach": min(REACH, WIDTH / len(runs)) ** 2,
                "ticks": [*range(last, first - 1, -((last - first) // TICKS + 1))],
            }
        )
    return panels


def _with_room(low: float, high: float, share: float = 0.22) -> list[float]:
    """Return both ends of a scale with room beside them, also where they are equal."""
    room = (high - low) * share or 0.5 * (abs(high) * 0.01 or 1)
    return [float(low - room), float(high + room)]


def _runs(rows: Sequence[Row]) -> list[Row]:
    """Return the runs by iteration with the score before, and what their change means."""
    scores = {row["submission_id"]: row["score"] for row in rows}
    runs = [
        {
            **values(row, *RUN),
            "created_at": str(row["created_at"])[:10] if row.get("created_at") else None,
            "previous_score": scores.get(row["previous_submission_id"]),
            **_interval(row),
            "meaning": _meaning(row),
        }
        for row in rows
    ]
    return sorted(runs, key=lambda run: run["iteration"])


def _interval(row: Row) -> Row:
    """Return the scores at both ends of the interval of a run's change, None where it has none."""
    ends = [row.get(name) for name in ("change", "low", "high")]
    if None in ends:
        return {"at_least": None, "at_most": None}
    change, low, high = ends
    before = row["score"] - change
    return {"at_least": before + low, "at_most": before + high}


def _meaning(row: Row) -> str:
    if "significant" not in row:
        return next(iter(ONLY_SCORED))
    if row["significant"] is None:
        return UNTESTED
    if not row["significant"]:
        return CHANCE
    falls = row["change"] is not None and row["change"] < 0
    return WORSE if falls == (row["better"] == "higher") else BETTER


def _numbers(runs: Sequence[Row], across: Sequence[float], down: Sequence[float]) -> list[Row]:
    """Return the iterations of significant changes with places for them, as far as there is room.

    The largest changes choose their places first.
    """

    def place(iteration: float, score: float) -> tuple[float, float]:
        x = (iteration - across[0]) / (across[1] - across[0]) * WIDTH
        return x, (down[1] - score) / (down[1] - down[0]) * HEIGHT

    def point(run: Row) -> Point:
        return Point(f"@{run['iteration']}", *place(run["iteration"], run["score"]), RADIUS)

    marked = sorted(
        (run for run in runs if run["meaning"] in (BETTER, WORSE)),
        key=lambda run: -abs(run["change"] or 0.0),
    )
    segments = [
        (
            *place(run["previous_iteration"], run["previous_score"]),
            *place(run["iteration"], run["score"]),
        )
        for run in defined(runs, "previous_iteration", "previous_score")
    ]
    named = [*map(point, marked)]
    boxes = beside_points(named, [*map(point, runs)], segments, (WIDTH, HEIGHT), FONT_SIZE)
    return [
        {
            "number": f"@{run['iteration']}",
            "colour": MARKS[run["meaning"]][0],
            "across": box.centre[0],
            "down": box.centre[1],
        }
        for run, box in zip(marked, boxes, strict=True)
        if box
    ]


Intervals: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]
"""Both ends of the intervals of scores, by submission and measure."""
MARGIN_YEARS = 0.35
REFERENCE_YEARS = 0.3
FAMILY = "family "
FAMILY_COLOURS = ("#59a14f", "#b279a2", "#8c6d31", "#17a2a2")
LINES = {"best": COLOURS["blue"], "median": COLOURS["orange"], "reference": "#3c3c3c"}
KINDS_OF_SYSTEMS = {"team": ("a system", COLOURS["grey"]), "baseline": ("a baseline", "#c9c9c9")}


def years_chart(
    years: Years,
    title: str = "Over the years",
    *,
    shared: bool = False,
    intervals: Intervals | None = None,
) -> Specification:
    """Return a panel for each measure (down) and line (across) with the years on the x axis.

    As in Pratapa et al. 2021, Figures 5 and 6: grey points are all systems, a line each joins the
    best and the median of every year, and that of each family asked for; diamonds are human
    references. A line is dashed where the two years have different test sets. ``intervals`` are
    drawn around the best, by submission and measure.

    Raises InputError where nothing is scored.
    """
    points = in_units([asdict(point) for point in years.points])
    require_rows(points, "scores of a campaign with a year")
    lines = in_units(_lines(years, intervals or {}))
    require_rows(lines, f"scores of a {years.system_kind}")
    names = list(dict.fromkeys(row["line"] for row in lines))
    measures = [
        {
            "measure": long_name(measure),
            "digits": digits(measure),
            **_ends([*of_measure, *(row for row in points if row["measure"] == measure)]),
            "panels": [
                _year_panel(
                    name,
                    [row for row in of_measure if row["line"] == name],
                    [row for row in points if (row["measure"], row["line"]) == (measure, name)],
                )
                for name in names
            ],
        }
        for measure, of_measure in by(lines, "measure").items()
    ]
    colours = _colours(lines, points)
    explanation = [
        f"best and median of the {years.system_kind}s, each system by its latest iteration"
    ]
    if shared:
        explanation.append("on the sentences alone that the test sets of all years share")
    if any(row["has_before"] and not row["comparable"] for row in lines):
        explanation.append("dashed: not comparable, the test sets or the ways of scoring differ")
    domain, chosen = [*colours], [*colours.values()]
    return draw("years", title, explanation, measures=measures, domain=domain, range=chosen)


def _colours(lines: Sequence[Row], points: Sequence[Row]) -> dict[str, str]:
    """Return a colour for each line and, last, for the points."""
    drawn = list(dict.fromkeys(row["what"] for row in lines))
    families = [what for what in drawn if what.startswith(FAMILY)]
    kinds = {row["system_kind"] for row in points}
    return {
        **{what: colour for what, colour in LINES.items() if what in drawn},
        **{
            family: FAMILY_COLOURS[place % len(FAMILY_COLOURS)]
            for place, family in enumerate(families)
        },
        **{name: colour for kind, (name, colour) in KINDS_OF_SYSTEMS.items() if kind in kinds},
    }


def _ends(rows: Sequence[Row]) -> Row:
    """Return the ends of the scales that all panels of a measure share."""
    years = [row["year"] for row in rows]
    scores = [row[name] for row in rows for name in ("score", "low", "high") if name in row]
    across = [min(years) - MARGIN_YEARS, max(years) + MARGIN_YEARS]
    return {"across": across, "down": [min(scores), max(scores)]}


def _year_panel(name: str, lines: Sequence[Row], points: Sequence[Row]) -> Row:
    """Return what a panel shows: systems, references, segments of lines, and their points."""
    return {
        "line": name,
        "years": sorted({row["year"] for row in [*lines, *points]}),
        "points": lines,
        "systems": [
            {
                **values(row, "submission_id", "year", "score"),
                "what": KINDS_OF_SYSTEMS[row["system_kind"]][0],
            }
            for row in points
            if row["system_kind"] != "human"
        ],
        "references": [
            {
                **row,
                "start": row["year"] - REFERENCE_YEARS,
                "end": row["year"] + REFERENCE_YEARS,
            }
            for row in lines
            if row["what"] == "reference"
        ],
        "segments": [
            {
                **values(before, "what", "year", "score"),
                "next_year": after["year"],
                "next_score": after["score"],
                "comparable": bool(after["comparable"]),
            }
            for what, rows in by(lines, "what").items()
            if what != "reference"
            for before, after in pairwise(sorted(rows, key=lambda row: row["year"]))
        ],
    }


def _lines(years: Years, intervals: Intervals) -> list[Row]:
    """Return one row per measure, line, year and what is drawn of it: families, best, median."""
    rows = [
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
            **_of_best(score, what, intervals),
        }
        for score in years.scores
        for what, value in (
            {score.group: score.best}
            if score.group.startswith(FAMILY)
            else {"best": score.best, "median": score.median, "reference": score.reference}
        ).items()
        if value is not None
    ]
    return sorted(rows, key=lambda row: not str(row["what"]).startswith(FAMILY))


def _of_best(score: YearScore, what: str, intervals: Intervals) -> Row:
    """Return the submission that was best, and its interval; of other lines, nothing."""
    if what in ("median", "reference"):
        return {}
    submission = score.best_submission_id
    ends = intervals.get((submission, score.measure), ())
    return {"submission_id": submission, **dict(zip(("low", "high"), ends, strict=False))}
