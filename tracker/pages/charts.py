"""Charts of runs, as the pages of systems and sentences show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...queries.metrics.registry import direction
from ...queries.numbers import number
from ...schema.brief import plural
from ...schema.statements import Row
from ..show.charts import chart
from ..show.charts.saving import embedded, fitted
from ..show.model import Chart


def runs_chart(
    name: str, measure: str, runs: Sequence[Row], leads: Callable[[str], str], query: str = ""
) -> list[Chart]:
    """Return the scores of a system's runs on one test set, by iteration; none where none has one.

    ``runs`` hold what ``history_chart`` reads of rows, except for the measure; without the key
    significant nothing is told of tests. ``leads`` gives the address of a submission.
    """
    scores = [run["score"] for run in runs if run["score"] is not None]
    if not scores:
        return []
    iterations = {run["submission_id"]: run["iteration"] for run in runs}
    better = "higher" if direction(measure) > 0 else "lower"
    rows = [
        {
            **run,
            "measure": measure,
            "better": better,
            "previous_iteration": iterations.get(run["previous_submission_id"]),
        }
        for run in runs
    ]
    drawn = chart("history_chart", rows, name, numbered=False)
    alternative = (
        f"{measure} of {plural(len(runs), 'run')}, "
        f"from {number(min(scores))} to {number(max(scores))}"
    )
    caption = "; ".join(drawn["title"]["subtitle"])
    specification = embedded(fitted(drawn, measure), leads)
    return [Chart(name, specification, alternative, caption, query)]
