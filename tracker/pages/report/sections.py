"""The sections of a report over scores and relations, and what all sections share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....queries.metrics.registry import tabled_metrics
from ....queries.numbers import number
from ....schema.brief import plural
from ...show.charts import chart
from ...show.charts.drawing import Specification
from ...show.charts.saving import embedded, save_chart
from ...show.model import Block, Chart, Section, Tab, Tabs
from ..sections import section, view_table
from .data import ReportData
from .sentences import Sentences


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
        return Chart(name, embedded(drawn), alternative)

    def save(self, name: str, chart: Specification) -> None:
        """Save a chart as PNG, where that is wanted."""
        if self.folder is not None:
            self.saved.append(save_chart(chart, self.folder / f"{name}.png"))


ANALYSE = "run 'tracker analyse' on this database and make the report again"


def tabbed(group: str, tabs: Sequence[Tab]) -> list[Block]:
    """Return tabs to choose from; the blocks alone where there is one."""
    return [Tabs(group, tabs)] if len(tabs) > 1 else [block for tab in tabs for block in tab.blocks]


def over(data: ReportData) -> str:
    """Return which submissions a picture is about, for its title."""
    if data.single:
        return str(data.averaged[0]["submission_id"])
    return plural(len(data.averaged), "submission")


def counted(data: ReportData) -> str:
    """Return who counts in a chart, for its caption; nothing where there is one submission."""
    return f"counted: {data.who_counts}" if len(data.submissions) > 1 else ""


def leaderboard(data: ReportData) -> Section:
    """Return the scores of every submission."""
    rows = data.about(
        "leaderboard", "campaign_id, treebank_id, bleu DESC NULLS LAST, submission_id"
    )
    rows = [{**row, "judged_sentences": row["judged_sentences"] or None} for row in rows]
    alone = [name for name in ("campaign_id", "iteration") if len({row[name] for row in rows}) == 1]
    metrics = [metric for metric in tabled_metrics() if metric.usual]
    columns = [*_FIRST, *(metric.name for metric in metrics), *_LAST]
    judged = any(row["judged_sentences"] for row in rows)
    shown = view_table(
        "report.leaderboard",
        rows,
        columns=[name for name in columns if name not in alone],
        bars=["coverage", *(metric.name for metric in metrics if metric.highest == 1)],
        headings={metric.name: metric.heading for metric in metrics},
        note="" if judged else "Human scores: none are loaded for these submissions.",
    )
    return section("report.leaderboard", [shown])


_FIRST = ("campaign_id", "treebank_id", "system_id", "iteration", "coverage")
_LAST = ("adequacy_z", "fluency_z", "adequacy_raw", "fluency_raw", "judged_sentences")


def relations(data: ReportData, drawings: Drawings, sentences: Sentences) -> Section:
    """Return dependency edge accuracy by relation."""
    if not data.relations:
        return section("report.relations", words={"means": ""})
    of_several = f" Means over {plural(len(data.averaged), 'submission')} ({data.who_counts}), "
    means = "" if data.single else f"{of_several}which weigh the same."
    worst = ", ".join(f"{row['deprel']} {number(row['dea'], 2)}" for row in data.relations[:3])
    alternative = f"Bars of accuracy for {len(data.relations)} relations. Lowest: {worst}."
    shown = view_table(
        "report.relations",
        data.relations,
        columns=_OF_ONE if data.single else _OF_SEVERAL,
        links=lambda row: sentences.links(data.relation_examples.get(row["deprel"], [])),
    )
    drawn = drawings.draw(
        "dea-by-relation",
        alternative,
        "dea_by_relation_chart" if data.single else "dea_of_submissions_chart",
        data.about_counted("dea_by_relation", "submission_id, deprel"),
        over(data),
        caption=counted(data),
    )
    found = section("report.relations", [drawn, shown], {"means": means})
    return replace(found, beside=data.single)


_OF_ONE = ("deprel", "edges", "dea")
_OF_SEVERAL = (*_OF_ONE, "dea_median", "dea_min", "dea_max", "submissions")
