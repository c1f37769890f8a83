"""Charts of examinations, of the power of plans, and of marked errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..show.charts.drawing import (
    COLOURS,
    Specification,
    defined,
    draw,
    records,
    require_rows,
    require_single,
    values,
)

if TYPE_CHECKING:
    from ...queries.examination.examining import Examination

SEVERITIES = {
    "critical": "#8c1d2f",
    "major": COLOURS["red"],
    "minor": COLOURS["orange"],
    "other": COLOURS["grey"],
}


def marked_errors_chart(marked_errors: Any, title: str) -> Specification:
    """Return a bar of errors for each name, stacked by severity, a panel for each criterion.

    ``marked_errors`` holds rows of ``queries.examination.marked_errors`` by system, submission or
    campaign. Bars are errors per 100 words or, where the words of some are not known, per
    judgement.

    Raises InputError where there is no row.
    """
    marked = records(marked_errors)
    require_rows(marked, "marked errors")
    words = all(row["words"] for row in marked)
    bars = [
        {
            **values(row, "name", "criterion"),
            "severity": severity,
            "errors": row[severity] / (row["words"] / 100 if words else row["judgements"]),
            "place": place,
        }
        for place, severity in enumerate(SEVERITIES)
        for row in marked
        if row[severity]
    ]
    severities = [name for name in SEVERITIES if name in {bar["severity"] for bar in bars}]
    return draw(
        "marked_errors",
        title,
        [],
        rows=bars,
        unit=f"errors per {'100 words' if words else 'judgement'}",
        order=[*dict.fromkeys(row["name"] for row in marked)],
        header={} if len({row["criterion"] for row in marked}) > 1 else None,
        severities=severities,
        range=[SEVERITIES[severity] for severity in severities],
    )


def examination_chart(examination: Examination) -> Specification:
    """Return people's mean by the metric's score beside how far each system is favoured.

    Where that is not known of any system, the first stands alone.

    Raises InputError where nothing was found, or several treebanks or criteria were examined.
    """
    bins, systems = records(examination.bins), records(examination.systems)
    require_rows(bins, "scores of judged outputs that differ")
    require_single(bins, ["bin"], "treebank and criterion")
    systems.sort(key=lambda row: (row["favoured"] is None, -(row["favoured"] or 0.0)))
    is_known = any(row["favoured"] is not None for row in systems)
    right = "; right: 95% intervals" if is_known else ""
    chart = draw(
        "examination",
        f"{examination.metric} against people",
        [f"left: people's mean by the metric's score, and the line{right}"],
        metric=examination.metric,
        bins=[values(row, "metric_mean", "people_mean", "line", "outputs") for row in bins],
        systems=[values(row, "submission_id", "favoured", "low", "high") for row in systems],
    )
    if not is_known:
        del chart["hconcat"][1]
    return chart


def power_chart(plan: Any, wanted: float, title: str) -> Specification:
    """Return a curve for each number of annotators: power over sentences.

    ``plan`` holds rows of a power plan: dots are simulated, lines the closed form. The dashed line
    is the power ``wanted``.

    Raises InputError where there is nothing to draw.
    """
    rows = defined(plan, "expected")
    require_rows(rows, "power")
    return draw(
        "power",
        title,
        ["dots: simulated from what was judged; lines: closed form"],
        rows=rows,
        annotators=sorted({row["annotators"] for row in rows}),
        wanted=wanted,
    )
