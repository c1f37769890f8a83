"""One metric against people: what its scores mean to them, and which systems it favours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sr_tracker.tracker.show.charts.style import BLUE, heading, require_rows, require_single

if TYPE_CHECKING:
    import altair

    from sr_tracker.queries.people.examining import Examination

SIZE = 260


def examination_chart(found: Examination) -> altair.HConcatChart:
    """Return people's mean by the metric's score beside how far each system is favoured.

    Raises InputError where nothing was found, or several treebanks or criteria were examined.
    """
    import altair

    bins, systems = found.bins.to_pandas(), found.systems.to_pandas()
    require_rows(bins, "scores of judged outputs that differ")
    require_single(bins, ["bin"], "treebank and criterion")
    means = altair.Chart(bins).encode(x=altair.X("metric_mean:Q", title=found.metric))
    people = altair.Scale(zero=False)
    dots = means.mark_point(filled=True, size=60, color=BLUE, opacity=1).encode(
        y=altair.Y("people_mean:Q", title="people's mean", scale=people),
        tooltip=["outputs:Q", altair.Tooltip("people_mean:Q", format=".4f")],
    )
    line = means.mark_line(color=BLUE, opacity=0.4).encode(y="line:Q")
    order = systems.sort_values("favoured", ascending=False)["submission_id"].tolist()
    system = altair.Y("submission_id:N", title=None, sort=order, axis=altair.Axis(labelLimit=0))
    shown = altair.Chart(systems[["submission_id", "favoured", "low", "high"]])
    beside = altair.LayerChart(
        layer=[
            altair.Chart(systems[:1]).mark_rule(color="gray").encode(x=altair.datum(0)),
            shown.mark_rule(color=BLUE).encode(x="low:Q", x2="high:Q", y=system),
            shown.mark_point(filled=True, size=60, color=BLUE, opacity=1).encode(
                x=altair.X("favoured:Q", title="favoured, in standard deviations"),
                y=system,
                tooltip=["submission_id:N", altair.Tooltip("favoured:Q", format=".3f")],
            ),
        ]
    )
    calibration = altair.LayerChart(layer=[line, dots]).properties(width=SIZE, height=SIZE)
    told = "left: people's mean by the metric's score, and the line; right: 95% intervals"
    return altair.HConcatChart(
        hconcat=[calibration, beside.properties(width=SIZE, height=SIZE)],
        spacing=32,
        title=heading(f"{found.metric} against people", told),
    )
