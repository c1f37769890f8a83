"""People's judgements and metrics: heat maps, and agreement."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean
from typing import Any

from ....queries.numbers import number
from ....schema.parameters import ALPHA
from ....schema.statements import Row
from ..excerpt import text_width
from .drawing import (
    COLOURS,
    Specification,
    by,
    defined,
    draw,
    long_name,
    ordered_measures,
    records,
    require_rows,
    require_single,
    run_names,
    short_name,
    values,
)

CELL = 46
FONT_SIZE = 11
COEFFICIENTS = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "kendall": "Kendall's τ-b"}
CORRELATED = ("n", "p_holm", "undefined_reason", "coefficient_mean", "submissions", "significant")
MEASURES_TOOLTIP = [
    {"field": "row_name", "type": "nominal", "title": "measure"},
    {"field": "column_name", "type": "nominal", "title": "other measure"},
]
MEDIANS_TOOLTIP = [
    *MEASURES_TOOLTIP,
    {"field": "coefficient", "type": "quantitative", "title": "median", "format": ".3f"},
    {"field": "coefficient_mean", "type": "quantitative", "title": "mean", "format": ".3f"},
    {"field": "submissions", "type": "quantitative"},
    {"field": "significant", "type": "quantitative", "title": "significant in", "format": ".0%"},
]
TOOLTIP = [
    *MEASURES_TOOLTIP,
    {"field": "coefficient", "type": "quantitative", "format": ".3f"},
    {"field": "n", "type": "quantitative", "title": "sentences"},
    {"field": "p_holm", "type": "quantitative", "title": "p (Holm)", "format": ".3g"},
    {"field": "undefined_reason", "type": "nominal", "title": "undefined because"},
]


def correlation_heat_map(correlations: Any, title: str) -> Specification:
    """Return the upper triangle of the correlations between measures (Figure 2 of the paper).

    ``correlations`` holds one submission's rows of the view of that name, by one method: each cell
    shows the coefficient, starred where it is not significant (p_holm of 0.05 or more, or none).
    Or it holds rows of ``correlation_medians``: each cell shows the median over submissions.
    Undefined cells are grey. Rows counted over relations are left out.

    Raises InputError where there are no rows, or a pair of measures comes twice.
    """
    rows = [row for row in records(correlations) if row["unit"] == "sentence"]
    require_rows(rows, "correlations between measures of sentences")
    measures = ordered_measures(row[name] for row in rows for name in ("measure", "other_measure"))
    medians = "coefficient_median" in rows[0]
    method = str(rows[0]["method"])
    coefficient = COEFFICIENTS.get(method, method)
    names = {measure: short_name(measure) for measure in measures}
    if medians:
        submissions = max(row["submissions"] for row in rows)
        lines = [f"median of {coefficient} over {submissions:,} submissions"]
    else:
        lines = [
            f"{coefficient} over {max(row['n'] for row in rows):,} sentences",
            f"* not significant at {ALPHA} (Holm–Bonferroni)",
        ]
    return draw(
        "correlations",
        title,
        lines,
        cells=cells(rows, measures, medians=medians),
        rows=measures[:-1],
        columns=measures[1:],
        names=[
            {"row": row, "column": column, "name": long_name(row)}
            for row, column in pairwise(measures)
        ],
        size=CELL * (len(measures) - 1),
        label=f"{json.dumps(names)}[datum.value] || datum.value",
        angle=_angle([*names.values()]),
        coefficient=coefficient,
        tooltip=MEDIANS_TOOLTIP if medians else TOOLTIP,
    )


def _angle(names: Sequence[str]) -> int:
    """Return the angle of names over columns, in degrees: upright where they are hardly wider."""
    return 0 if all(text_width(name, FONT_SIZE) < CELL + 2 for name in names) else -45


def cells(rows: Sequence[Row], measures: Sequence[str], *, medians: bool) -> list[Row]:
    """Return the rows with their place in the upper triangle and the text of their cell."""
    placed = []
    for row in rows:
        first, second = sorted((row["measure"], row["other_measure"]), key=measures.index)
        coefficient = row["coefficient_median" if medians else "coefficient"]
        significant = medians or (row["p_holm"] is not None and row["p_holm"] < ALPHA)
        star = "" if significant or coefficient is None else "*"
        placed.append(
            {
                "row": first,
                "column": second,
                "row_name": long_name(first),
                "column_name": long_name(second),
                **values(row, *CORRELATED),
                "coefficient": coefficient,
                "figure": number(coefficient, 2) + star,
            }
        )
    require_single(placed, ["row", "column"], "submission and method")
    return placed


BOUNDS = {"p < 0.001": 0.001, "p < 0.01": 0.01, "p < 0.05": 0.05, "not higher": float("inf")}
LEVELS = {
    "p < 0.001": "#1a7f4b",
    "p < 0.01": "#67b587",
    "p < 0.05": "#c0e2cb",
    "not higher": "#f4f4f2",
    "undefined": "#c4c4c4",
}
JUDGED = [
    "submission_id",
    *("score_difference", "p_value", "p_holm", "sentences", "base_sentences"),
    "undefined_reason",
]


def human_heat_map(human_pairs: Any, title: str, *, corrected: bool = False) -> Specification:
    """Return squares of submissions: is the row's rated higher than the column's (Figures 4 to 6).

    ``human_pairs`` holds rows of the view of that name, of one treebank and one choice of
    annotators. Each criterion has a square, submissions with the highest score first. A
    cell is the greener the lower the p-value (0.05, 0.01, 0.001; ``corrected``: by Holm's method)
    and shows the difference of the scores. Undefined cells are grey.

    Raises InputError where there are no rows, or a pair comes twice with one criterion.
    """
    rows = records(human_pairs)
    require_rows(rows, "comparisons of human scores")
    require_single(
        rows,
        ["criterion", "submission_id", "base_submission_id"],
        "treebank and choice of annotators",
    )
    p_value = "p_holm" if corrected else "p_value"
    # Squares share their colours: what is undefined in one of them is in the legend of all.
    undefined = any(row[p_value] is None for row in rows)
    levels = [*LEVELS] if undefined else [*BOUNDS]
    lines = (
        "green: the system of the row is rated higher than the system of the column",
        "(Wilcoxon test of sentences' scores" + (", Holm–Bonferroni)" if corrected else ")"),
        "figures: difference of their mean scores",
    )
    squares = [
        {"criterion": str(criterion), **_square(of_criterion, p_value)}
        for criterion, of_criterion in sorted(by(rows, "criterion").items())
    ]
    colours = [LEVELS[level] for level in levels]
    return draw("human", title, lines, panels=squares, levels=levels, range=colours)


def _square(rows: Sequence[Row], p_value: str) -> Row:
    """Return what a square shows: a row per cell, and names, those with the highest mean first."""
    names = run_names(rows)
    # The mean difference from the others has the order of the means; without any, one comes last.
    means = {}
    for submission_id, group in sorted(by(rows, "submission_id").items()):
        differences = [row["score_difference"] for row in defined(group, "score_difference")]
        means[submission_id] = fmean(differences) if differences else float("-inf")
    order = [names[submission_id] for submission_id in sorted(means, key=lambda n: -means[n])]
    shown = [
        {
            "row": names[row["submission_id"]],
            "column": names[row["base_submission_id"]],
            "level": _level(row[p_value]),
            "figure": number(row["score_difference"], 2),
            **values(row, *JUDGED),
        }
        for row in rows
    ]
    size = CELL * len(order)
    return {"cells": shown, "order": order, "angle": _angle(order), "size": size}


def _level(p_value: float | None) -> str:
    if p_value is None:
        return "undefined"
    return next(level for level, bound in BOUNDS.items() if p_value < bound)


METHODS = {"pearson": "blue", "spearman": "orange", "kendall": "grey"}
SHAPES = ["circle", "diamond", "square"]
UNITS = {"system": "systems", "sentence": "outputs"}
AGREEMENT = [
    *("campaign_id", "treebank_id", "metric", "criterion", "method", "n", "p_value"),
    *("williams_p_value", "coefficient"),
]


def metric_agreement_chart(agreement_with_people: Any, title: str) -> Specification:
    """Return dots of each metric's correlation with people, a panel for each criterion (Table 9).

    ``agreement_with_people`` holds rows of the view of that name of one campaign, treebank, level
    and choice of outliers. Pearson's r stands beside its dot. Dots of r are filled, and their
    figures bold, where no metric is significantly better by a Williams test. Undefined coefficients
    are left out.

    Raises InputError where no row is left, or a metric, criterion and method come twice.
    """
    rows = defined(agreement_with_people, "coefficient")
    require_rows(rows, "correlations of metrics with human scores")
    require_single(
        rows, ["metric", "criterion", "method"], "treebank, level and choice of outliers"
    )
    panels = []
    for place, (criterion, of_criterion) in enumerate(sorted(by(rows, "criterion").items())):
        methods = [name for name in METHODS if name in {row["method"] for row in of_criterion}]
        panels.append(
            {
                "name": f"correlation with {criterion}",
                "labels": place == 0,
                "methods": methods,
                "colours": [COLOURS[METHODS[method]] for method in methods],
                "shapes": SHAPES[: len(methods)],
                "rows": [
                    {
                        **values(row, *AGREEMENT),
                        "shown": short_name(row["metric"]),
                        "figure": number(row["coefficient"], 2),
                        "is_best": row["among_best"] is True,
                    }
                    for row in of_criterion
                ],
            }
        )
    lines = [
        f"{_counts(rows)}; figures: Pearson's r",
        f"filled and bold: no metric is significantly better (Williams test, p < {ALPHA})",
        *_cautions(rows),
    ]
    ends = [min(0.0, *(row["coefficient"] for row in rows)), 1]
    return draw("metric_agreement", title, lines, panels=panels, order=_closest(rows), ends=ends)


def _closest(rows: Sequence[Row]) -> list[str]:
    """Return the names of the metrics, those closest to people first: less is better of some."""
    means = {
        metric: fmean(
            -row["coefficient"] if row["better"] == "lower" else row["coefficient"] for row in group
        )
        for metric, group in by(rows, "metric").items()
    }
    order = sorted(ordered_measures(means), key=lambda metric: -means[metric])
    return [short_name(metric) for metric in order]


def _counts(rows: Sequence[Row]) -> str:
    fewest, most = min(row["n"] for row in rows), max(row["n"] for row in rows)
    unit = UNITS[str(rows[0]["level"])]
    return f"n = {fewest:,} {unit}" if fewest == most else f"n = {fewest:,} to {most:,} {unit}"


def _cautions(rows: Sequence[Row]) -> list[str]:
    warnings = {part for row in defined(rows, "warning") for part in row["warning"].split("; ")}
    removed = sorted({system for row in rows for system in row["removed"]})
    left_out = [f"outliers left out: {', '.join(removed)}"] if removed else []
    return [*(f"caution: {warning}" for warning in sorted(warnings)), *left_out]


STATISTICS = {
    "accuracy": "acc*_eq of outputs",
    "soft_accuracy": "SPA of systems",
    "pairwise_accuracy": "pairwise accuracy of systems",
}


def metric_evaluation_chart(metric_leaderboard: Any, title: str) -> Specification:
    """Return a panel for each accuracy: metrics, best first by the first one, with intervals.

    ``metric_leaderboard`` holds rows of the view of that name of one campaign, treebank, criterion
    and part. Filled are metrics of the first cluster.

    Raises InputError where no row is left, or a metric and statistic come twice.
    """
    rows = [row for row in defined(metric_leaderboard, "value") if row["statistic"] in STATISTICS]
    require_rows(
        rows, "agreement of metrics with people (computed by 'tracker examination metrics')"
    )
    require_single(rows, ["metric", "statistic"], "treebank, criterion and part")
    groups = by(rows, "statistic")
    statistics = [statistic for statistic in STATISTICS if statistic in groups]
    best = sorted(
        groups[statistics[0]], key=lambda row: (row["place"] is None, row["place"], row["metric"])
    )
    panels = [
        {
            "name": STATISTICS[statistic],
            "labels": place == 0,
            "rows": [
                {
                    "shown": short_name(row["metric"]),
                    **values(row, "value", "low", "high"),
                    "leads": row["cluster"] == 1,
                }
                for row in groups[statistic]
            ],
        }
        for place, statistic in enumerate(statistics)
    ]
    order = [*dict.fromkeys(short_name(row["metric"]) for row in [*best, *rows])]
    line = "lines: 95% intervals from resampled items; filled: no metric is significantly better"
    return draw("metric_evaluation", title, [line], panels=panels, order=order)
