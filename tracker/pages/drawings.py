"""Charts within pages, and as files beside them where wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...queries.metrics.registry import direction, label_of
from ...queries.numbers import measured
from ...schema.brief import plural
from ...schema.statements import Row
from ..show.charts import chart
from ..show.charts.drawing import Specification
from ..show.charts.saving import ZOOMING, embedded, fitted, save_chart
from ..show.model import Block, Chart, Tab, Tabs
from .addresses import address_of

_LEADING = ("sentence_no", "pattern", "deprel", "submission_id", "system_id", "metric")
"""Columns of a chart's rows whose pages its marks lead to: to that of the first that has one."""


def leads_of(row: Row) -> str:
    """Return where the marks of a row lead to, "" for nowhere."""
    return next(filter(None, (address_of(name, row) for name in _LEADING if name in row)), "")


class Drawings:
    """Draws charts for the page and, where a folder is given, saves them as PNG beside it."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.saved: list[Path] = []

    def draw(self, name: str, alternative: str, kind: str, *shown: Any, **options: Any) -> Chart:
        """Return a chart of a kind for a page; ``name`` is its file's and unique on the page.

        ``kind`` and what is shown are as ``show.charts.chart`` takes them.
        """
        drawn = chart(kind, *shown, **options)
        self.save(name, drawn)
        title = drawn.pop("title", {"text": "", "subtitle": []})
        caption = "; ".join(filter(None, [title["text"], *title["subtitle"]]))
        return Chart(name, embedded(drawn, leads_of), alternative, caption)

    def save(self, name: str, chart: Specification) -> None:
        """Save a chart as PNG, where that is wanted."""
        if self.folder is not None:
            self.saved.append(save_chart(chart, self.folder / f"{name}.png"))


ANALYSE = "run 'tracker analyse' on this database"


def tabbed(group: str, tabs: Sequence[Tab]) -> list[Block]:
    """Return tabs to choose from; the blocks alone where there is one."""
    return [Tabs(group, tabs)] if len(tabs) > 1 else [block for tab in tabs for block in tab.blocks]


def runs_chart(
    name: str,
    measure: str,
    runs: Sequence[Row],
    leads: Callable[[Row], str] = leads_of,
    query: str = "",
) -> list[Chart]:
    """Return the scores of a system's runs on one test set, by iteration; none where none has one.

    ``runs`` hold what ``history_chart`` reads of rows, except for the measure; without the key
    significant they show no tests. ``leads`` gives the address of a run.
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
        f"{label_of(measure)} of {plural(len(runs), 'run')}, "
        f"from {measured(measure, min(scores))} to {measured(measure, max(scores))}"
    )
    caption = "; ".join([*drawn["title"]["subtitle"], ZOOMING])
    specification = embedded(fitted(drawn, label_of(measure), zooms=True), leads)
    return [Chart(name, specification, alternative, caption, query)]
