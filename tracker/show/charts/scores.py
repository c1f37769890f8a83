"""Scores by relation and submission: accuracies, intervals and medians."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import floor, sqrt
from statistics import fmean
from typing import Any

from ....queries.metrics.registry import direction, points
from ....queries.numbers import number
from ....schema.brief import plural
from ....schema.parameters import ALPHA
from ....schema.statements import Row
from .drawing import (
    Specification,
    by,
    defined,
    digits,
    draw,
    in_units,
    long_name,
    ordered_measures,
    records,
    require_rows,
    require_single,
    run_names,
    values,
)
from .label_places import Plot, with_labels


def dea_by_relation_chart(dea_by_relation: Any, title: str) -> Specification:
    """Return bars of dependency edge accuracy by relation, lowest first.

    ``dea_by_relation`` holds one submission's rows of the view of that name: deprel, edges, dea.
    Beside each bar stand its accuracy and, in brackets, the number of reference edges behind it;
    the dashed line is the accuracy over all edges.

    Raises InputError where there are no rows.
    """
    rows = in_units(defined(dea_by_relation, "deprel", "dea"))
    rows.sort(key=lambda row: (row["dea"], row["deprel"]))
    require_rows(rows, "relations")
    overall = _over_all_edges(rows)
    line = f"accuracy (reference edges) by relation; dashed: all edges, {overall:.2f}"
    shown = [values(row, "submission_id", "deprel", "edges", "dea") for row in rows]
    return draw("dea_by_relation", title, [line], rows=shown, overall=overall)


def _over_all_edges(rows: Sequence[Row]) -> float:
    edges = sum(row["edges"] for row in rows)
    return float(sum(row["dea"] * row["edges"] for row in rows) / edges)


def dea_of_submissions_chart(dea_by_relation: Any, title: str) -> Specification:
    """Return bars of the mean accuracy over submissions by relation, lowest first.

    ``dea_by_relation`` holds several submissions' rows of the view of that name: submission_id,
    deprel, edges, dea. Submissions weigh the same (Table 4 of the paper); each is a stroke on its
    relation's bar. In brackets stands the number of submissions whose treebank has the relation.

    Raises InputError where there are no rows.
    """
    rows = [
        values(row, "submission_id", "deprel", "edges", "dea")
        for row in in_units(defined(dea_by_relation, "deprel", "dea"))
    ]
    require_rows(rows, "relations")
    means = [
        {"deprel": deprel, "dea": fmean(row["dea"] for row in group), "submissions": len(group)}
        for deprel, group in by(rows, "deprel").items()
    ]
    means.sort(key=lambda row: (row["dea"], row["deprel"]))
    count = len({row["submission_id"] for row in rows})
    line = "mean accuracy (submissions with the relation); strokes: " + plural(count, "submission")
    order = [row["deprel"] for row in means]
    return draw("dea_of_submissions", title, [line], rows=rows, means=means, order=order)


PANELS_ABREAST = 4


def intervals_chart(metric_intervals: Any, title: str) -> Specification:
    """Return scores as points on the lines of their confidence intervals, a forest plot.

    ``metric_intervals`` holds rows of the view of that name: one panel per metric, one line per
    submission, best first by the first metric and grouped by treebank. Scores without an interval
    are left out.

    Raises InputError where no row is left, or a submission comes twice with one metric.
    """
    rows = in_units(defined(metric_intervals, "score", "low", "high"))
    require_rows(rows, "scores with an interval (computed by 'tracker why significance')")
    require_single(rows, ["submission_id", "metric"], "signature")
    metrics = ordered_measures(row["metric"] for row in rows)
    names = run_names(rows)
    axis = {
        "labelExpr": f"{json.dumps(names, ensure_ascii=False)}[datum.value] || datum.value",
        "labelLimit": 320,
        "domain": False,
        "ticks": False,
        "title": None,
    }
    panels = []
    for place, metric in enumerate(metrics):
        of_metric = [row for row in rows if row["metric"] == metric]
        ends = [min(row["low"] for row in of_metric), max(row["high"] for row in of_metric)]
        panels.append(
            {
                "name": long_name(metric),
                "digits": digits(metric),
                "rows": [values(row, "submission_id", "score", "low", "high") for row in of_metric],
                "ends": [float(end) for end in ends],
                "axis": axis if place % PANELS_ABREAST == 0 else None,
            }
        )
    level, replicates = float(rows[0]["level"]), int(rows[0]["replicates"])
    line = f"lines: {level:.0%} confidence intervals from {replicates:,} resampled test sets"
    order = best_first(rows, metrics)
    return draw("intervals", title, [line], panels=panels, order=order, abreast=PANELS_ABREAST)


def best_first(rows: Sequence[Row], metrics: Sequence[str]) -> list[str]:
    """Return the submissions by treebank, then by the first metric they have."""
    place = {metric: position for position, metric in enumerate(metrics)}

    def key(row: Row) -> tuple[Any, ...]:
        score = row["score"] * direction(row["metric"])
        treebank, metric = row["treebank_id"], place[row["metric"]]
        return treebank, metric, -score, row["iteration"], row["submission_id"]

    return list(dict.fromkeys(row["submission_id"] for row in sorted(rows, key=key)))


GROUPS = ("projective", "non-projective")
TESTED = [
    *("submission_id", "projective", "non_projective", "projective_median"),
    *("non_projective_median", "rank_biserial", "p_value"),
]


def projectivity_chart(projectivity_effects: Any, title: str) -> Specification:
    """Return the medians of projective and non-projective sentences as dumbbells (Table 3).

    ``projectivity_effects`` holds rows of the view of that name: one panel per metric, one line per
    submission, grouped by treebank. Points are filled where the groups differ significantly
    (p below 0.05); beside them stands the rank-biserial effect size, above 0 where projective
    sentences score higher. Tests without both medians are left out.

    Raises InputError where no row is left, or a submission comes twice with one metric.
    """
    rows = in_units(defined(projectivity_effects, "projective_median", "non_projective_median"))
    require_rows(rows, "submissions with projective and non-projective sentences")
    require_single(rows, ["submission_id", "metric"], "analysis")
    metrics = ordered_measures(row["metric"] for row in rows)
    panels = [
        _medians([row for row in rows if row["metric"] == metric], metric, labels=place == 0)
        for place, metric in enumerate(metrics)
    ]
    order = _by_treebank(rows, metrics[0])
    count = len(order)
    tested = f"{count:,} submissions tested; " if count > 1 else ""
    test = f"p < {ALPHA} (two-sided Mann–Whitney U)"
    lines = (
        f"{tested}filled: {test}; hollow: not significant",
        "figures: rank-biserial effect size, above 0 where projective sentences score higher",
    )
    return draw("projectivity", title, lines, panels=panels, order=order)


def _by_treebank(rows: Sequence[Row], metric: str) -> list[str]:
    """Return the submissions by treebank, within one those first that score higher."""
    scores = {
        row["submission_id"]: row["projective_median"] for row in rows if row["metric"] == metric
    }

    def key(row: Row) -> tuple[Any, ...]:
        score = scores.get(row["submission_id"], float("-inf"))
        return row["treebank_id"], -score, row["submission_id"]

    return list(dict.fromkeys(row["submission_id"] for row in sorted(rows, key=key)))


def _medians(rows: Sequence[Row], metric: str, *, labels: bool) -> Row:
    """Return what a panel shows: the tests of a metric, and their two points."""
    tests = [
        {
            **values(row, *TESTED),
            "effect": number(row["rank_biserial"], 2),
            "is_significant": row["p_value"] is not None and row["p_value"] < ALPHA,
        }
        for row in rows
    ]
    of_both = [
        {**test, "sentences": group, "median": test[f"{group.replace('-', '_')}_median"]}
        for group in GROUPS
        for test in tests
    ]
    name = f"median {long_name(metric)}"
    return {
        "rows": tests,
        "points": of_both,
        "name": name,
        "labels": labels,
        "digits": digits(metric),
    }


WIDTH, HEIGHT = 600, 440
FONT_SIZE = 10
SMALLEST, LARGEST = 16.0, 620.0
FREE = 0.5
MARGIN = 0.05
LINE = 22
"""Pixels that the line of text below takes."""


def entropy_scatter(entropy_dea: Any, title: str, rho: float | None = None) -> Specification:
    """Return relation entropy against dependency edge accuracy (sections 3.1 and 5.3).

    ``entropy_dea`` holds rows of the view of that name: entropy (bits), dea, edges by submission
    and deprel; means over submissions where there are several. A circle's area grows with the
    number of edges. The shaded relations are free and badly realised: an entropy of 0.5 bits or
    more (the rarer direction has at least 11 %) and an accuracy below that of all edges. ``rho``
    is said below the title. Names that find no place are in the tooltip alone.

    Raises InputError where there are no rows with both, or a submission's relation comes twice.
    """
    rows = in_units(defined(entropy_dea, "entropy", "dea"))
    require_rows(rows, "relations with entropy and accuracy")
    require_single(rows, ["submission_id", "deprel"], "analysis")
    overall = _over_all_edges(rows)
    relations = _relations(rows, overall)
    lowest = min(80, floor(min(row["dea"] for row in relations) / 10) * 10)
    bottom, top = lowest - (100 - lowest) * 0.03, 100 + (100 - lowest) * 0.03
    plot = Plot(WIDTH, HEIGHT, -MARGIN, 1 + MARGIN, bottom, top)
    corner = {"entropy": FREE, "dea": overall, "right": 1 + MARGIN, "bottom": bottom}
    return draw(
        "entropy",
        title,
        _explained(len({row["submission_id"] for row in rows}), overall, rho),
        relations=with_labels(relations, plot, ("deprel", "entropy", "dea"), FONT_SIZE, LINE),
        corner=[corner],
        across=[-MARGIN, 1 + MARGIN],
        down=[bottom, top],
    )


def _relations(rows: Sequence[Row], overall: float) -> list[Row]:
    """Return one row per relation, those that are free and badly realised first."""
    relations = [
        {"deprel": deprel}
        | {name: fmean(row[name] for row in group) for name in ("entropy", "dea", "edges")}
        for deprel, group in by(rows, "deprel").items()
    ]
    largest = max(row["edges"] for row in relations)
    for row in relations:
        row["free_and_bad"] = row["entropy"] >= FREE and row["dea"] < overall
        row["area"] = SMALLEST + (LARGEST - SMALLEST) * row["edges"] / largest
    return sorted(relations, key=lambda row: (-row["entropy"] * (100 - row["dea"]), row["deprel"]))


def _explained(submissions: int, overall: float, rho: float | None) -> list[str]:
    several = submissions > 1
    what = [f"means over {submissions:,} submissions"] if several else []
    if rho is not None:
        what.append(f"{'median ' if several else ''}Spearman's ρ = {number(rho, 2)}")
    what.append("circle area: edges")
    shaded = f"shaded: {FREE} bits or more, accuracy below that over all edges ({overall:.2f})"
    return ["; ".join(what), shaded]


CELLS = (500, 100, 50, 25)
"""How finely both axes are cut: sentences in one cell are one point."""
MOST_POINTS = 800
"""Points that a page holds where sentences are many; each has a reference and an address."""
POINT_AREA = 32


def sentence_pairs_chart(
    pairs: Any,
    names: tuple[str, str],
    *,
    measure: str,
    brush: Sequence[Sequence[float]] = (),
) -> Specification:
    """Return sentences' scores of a submission upwards and of its base across, by who is better.

    ``pairs`` hold both scores of a sentence (score, base_score) and what its point says and leads
    to (sentence_no, reference and others); ``names`` are those of the submission and its base,
    the scores are of the ``measure``. Sentences that lie closer than can be seen, or
    of many closer than 1, 2 or 4 % of an axis, are one point at their mean, larger the more
    they are. On a page a box may be drawn; ``brush`` is the range of either score that is chosen
    before, in the measure's unit as the axes are.
    """
    sentences = records(pairs)
    scores = [row[name] for row in sentences for name in ("score", "base_score")]
    least, most = min(scores, default=0.0), max(scores, default=1.0)
    low, high = _with_room(points(measure, least), points(measure, most))
    drawn: Row = {"name": "brush", "select": {"type": "interval", "zoom": False}}
    if brush:
        up, across = ([max(start, low), min(end, high)] for start, end in brush)
        drawn["value"] = {"x": across, "y": up}
    submission, base = names
    return draw(
        "sentence_pairs",
        "",
        [],
        rows=in_units(_pair_points(sentences, least, most, direction(measure)), measure),
        diagonal=[{"low": low, "high": high}],
        ends=[low, high],
        params=[drawn],
        submission=submission,
        base=base,
        digits=digits(measure),
    )


def _with_room(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis with room beside them for points."""
    room = (high - low) * 0.03 or 0.5
    return low - room, high + room


def _pair_points(rows: Sequence[Row], low: float, high: float, better: int) -> list[Row]:
    """Return the points of sentences: of those in one cell the first, at the mean of all."""
    cells: dict[tuple[str, int, int], list[Row]] = {}
    for fineness in CELLS:
        step = (high - low) / fineness or 1.0
        cells = {}
        for row in rows:
            outcome = _outcome(better * (row["score"] - row["base_score"]))
            down, across = (row[name] - low for name in ("score", "base_score"))
            cell = (outcome, int(down / step), int(across / step))
            cells.setdefault(cell, []).append(row)
        if len(cells) <= MOST_POINTS:
            break
    drawn = []
    for (outcome, *_), group in cells.items():
        score, other = (fmean(row[name] for row in group) for name in ("score", "base_score"))
        more = f" and {len(group) - 1:,} more" if len(group) > 1 else ""
        drawn.append(
            {
                **group[0],
                "score": score,
                "base_score": other,
                "outcome": outcome,
                "sentences": f"{group[0].get('sentence_no', '')}{more}",
                "area": POINT_AREA * sqrt(len(group)),
            }
        )
    return sorted(drawn, key=lambda point: -point["area"])


def _outcome(difference: float) -> str:
    return "better" if difference > 0 else "worse" if difference < 0 else "same"
