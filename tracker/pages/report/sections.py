"""The sections of a report over scores and relations, and what all sections share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ....queries.metrics.metric import BITS
from ....queries.metrics.registry import tabled_metrics
from ....queries.numbers import number
from ....schema.brief import plural
from ...show.charts import chart
from ...show.charts.drawing import Specification
from ...show.charts.saving import save_chart, svg_of
from ...show.model import Block, Column, Figure, Section, Tab, Tabs
from ...show.tables import table
from .data import ReportData
from .sentences import Sentences

SVG = "http://www.w3.org/2000/svg"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_NOT_SHOWN = ("aria-label", "aria-roledescription", "aria-hidden", "role", "pointer-events")


class Drawings:
    """Draws charts for the page and, where a folder is given, saves them as PNG beside it."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.saved: list[Path] = []

    def draw(self, name: str, alternative: str, kind: str, *shown: Any, **options: Any) -> Figure:
        """Return a chart of a kind as a figure; ``name`` is its file's and unique on the page.

        ``kind`` and what is shown are as ``show.charts.chart`` takes them.
        """
        drawn = chart(kind, *shown, **options)
        self.save(name, drawn)
        svg = svg_of({**drawn, "background": "transparent"})
        return Figure(name, inline_svg(svg, name, alternative), alternative)

    def save(self, name: str, chart: Specification) -> None:
        """Save a chart as PNG, where that is wanted."""
        if self.folder is not None:
            self.saved.append(save_chart(chart, self.folder / f"{name}.png"))


def inline_svg(svg: str, name: str, alternative: str) -> str:
    """Return a drawing fit to stand within a page.

    Its ids are made unique by ``name``, it scales, it is one picture with an alternative text to
    those who cannot see it, and what was said about each mark becomes its tooltip.
    """
    # The text comes from our own drawing, not from outside.
    root = ElementTree.fromstring(svg)  # noqa: S314
    # Numbered anew: the drawing library goes on counting from one drawing to the next.
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    unique = {old: f"{name}-{number}" for number, old in enumerate(ids, start=1)}
    for element in root.iter():
        _rename(element, unique)
        label = element.get("aria-label")
        is_mark = element.get("role") == "graphics-symbol" and not len(element)
        if label and is_mark:
            title = ElementTree.SubElement(element, f"{{{SVG}}}title")
            title.text = label
        for attribute in _NOT_SHOWN:
            element.attrib.pop(attribute, None)
    width = root.attrib.pop("width")
    root.attrib.pop("height", None)
    root.set("style", f"--width: {float(width):.0f}px")
    root.set("role", "img")
    root.set("aria-label", alternative)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _rename(element: ElementTree.Element, unique: Mapping[str, str]) -> None:
    for attribute, value in element.attrib.items():
        if attribute == "id":
            element.set(attribute, unique[value])
        else:
            element.set(attribute, _REFERENCE.sub(lambda m: f"url(#{unique[m[1]]})", value))


ANALYSE = "run 'tracker analyse' on this database and make the report again"
SCORE = "run 'tracker score' and make the report again"

RELATION = {
    "deprel": Column("relation", "text"),
    "edges": Column("edges", meaning="reference edges with this relation"),
    "dea": Column("DEA", meaning="share of them found in the output; mean over submissions"),
}
RELATIONS = {
    **RELATION,
    "dea_median": Column("median"),
    "dea_min": Column("lowest"),
    "dea_max": Column("highest"),
    "submissions": Column("n", meaning="submissions whose treebank has the relation"),
}


def leaderboard_columns() -> dict[str, Column]:
    """Return the columns of the leaderboard that a page shows, by their names in the view."""
    metrics = {
        each.name: Column(
            each.heading,
            meaning=each.column_comment,
            bar=each.highest == 1,
            digits=2 if each.unit == BITS else 3,
        )
        for each in tabled_metrics()
        if each.usual
    }
    return {
        "campaign_id": Column("campaign", "text"),
        "treebank_id": Column("treebank", "text"),
        "system_id": Column("system", "text"),
        "iteration": Column("iteration", digits=0),
        "coverage": Column("coverage", meaning="share of sentences with an output", bar=True),
        **metrics,
        "adequacy_z": Column("adequacy", meaning="mean z-score of human judgements"),
        "fluency_z": Column("fluency", meaning="mean z-score of human judgements"),
        "adequacy_raw": Column("adequacy, raw", meaning="mean judgement, 0 to 100", digits=1),
        "fluency_raw": Column("fluency, raw", meaning="mean judgement, 0 to 100", digits=1),
        "judged_sentences": Column("judged", meaning="sentences with a human score"),
    }


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
    reading = (
        "One row per submission with its scores over the whole treebank: higher is better, but "
        "where an arrow points down. A sentence without an output gets the worst score, so look at "
        "the coverage first. Compare rows of one treebank only."
    )
    judged = any(row["judged_sentences"] for row in data.leaderboard)
    alone = {
        key
        for key in ("campaign_id", "iteration")
        if len({row[key] for row in data.leaderboard}) == 1
    }
    columns = {key: column for key, column in leaderboard_columns().items() if key not in alone}
    note = "" if judged else "Human scores: none are loaded for these submissions."
    rows = [
        {**row, "judged_sentences": row["judged_sentences"] or None} for row in data.leaderboard
    ]
    shown = table("Leaderboard", columns, rows, shown=25, note=note)
    return Section("leaderboard", "Leaderboard", "Leaderboard", reading, [shown])


def relations(data: ReportData, drawings: Drawings, sentences: Sentences) -> Section:
    """Return dependency edge accuracy by relation."""
    title = "Accuracy by dependency relation"
    reading = (
        "Dependency edge accuracy (DEA): the share of the reference's edges, relation by "
        "relation, whose two words stand in the same order and distance in the output. The "
        "relations at the top go wrong most often; those with few edges say little."
    )
    if not data.relations:
        return Section(
            "relations", "Relations", title, reading, missing=f"DEA is not computed: {SCORE}."
        )
    if not data.single:
        reading += (
            f" Means over {plural(len(data.averaged), 'submission')} ({data.who_counts}), which "
            "weigh the "
            "same."
        )
    worst = ", ".join(f"{row['deprel']} {number(row['dea'], 2)}" for row in data.relations[:3])
    alternative = f"Bars of accuracy for {len(data.relations)} relations. Lowest: {worst}."
    shown = table(
        "Accuracy by relation",
        RELATION if data.single else RELATIONS,
        data.relations,
        links=lambda row: sentences.links(data.relation_examples.get(row["deprel"], [])),
        shown=21,
    )
    drawn = drawings.draw(
        "dea-by-relation",
        alternative,
        "dea_by_relation_chart" if data.single else "dea_of_submissions_chart",
        data.relations_by_submission,
        over(data),
        caption=counted(data),
    )
    return Section("relations", "Relations", title, reading, [drawn, shown], beside=data.single)
