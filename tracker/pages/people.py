"""The page about people's judgements."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from ...queries.exploring import Listing, queried
from ...queries.reading import view_query
from ...schema.statements import Row
from ..api import Tracker
from ..show.findings.people import evaluation_tables
from ..show.model import (
    Brought,
    Document,
    Field,
    Form,
    Page,
    Section,
    Span,
    Table,
)
from . import Asked
from .addresses import address
from .lists import (
    IDENTITY,
    IN_THE_ID,
    PAGE_ROWS,
    empty_columns,
    first_leads,
    listed,
)
from .report.people import evaluation_figures
from .report.sections import Drawings

_ROWS = 200
_PLACE = ("campaign_id", "treebank_id", "criterion", "people")
PEOPLE = Span("People", address="/people")
_PARTS = {
    "human_rankings": (
        "Rankings",
        "Systems by people's judgement",
        "Below a line begins another cluster or ranking; other campaigns' z-scores do not compare.",
    ),
    "metric_agreements": (
        "Correlations",
        "Metrics against people, by correlation",
        "Of sentences and of systems, with people's mean z-scores: tracker human.",
    ),
    "annotators": (
        "Annotators",
        "Who judged, how carefully",
        "Passing are those who rate degraded copies lower than their originals.",
    ),
    "annotator_agreements": ("Agreement", "How far annotators agree", ""),
}
"""Views, with the name, title and reading of their sections."""


def people(tracker: Tracker, asked: Asked) -> Page:
    """Return what people judged: rankings, metrics against people, annotators."""
    campaign = asked.get("campaign", "")
    sections = []
    for view, (name, title, reading) in _PARTS.items():
        query = view_query(tracker.database, view, filters=_filters(campaign), limit=_ROWS)
        found = queried(tracker.database, query)
        hidden = {*IDENTITY, *empty_columns(found)}
        hidden |= {*IN_THE_ID} if "submission_id" in found.rows.column_names else set()
        table = listed(found, title, hidden=hidden, filterable=True, shown=PAGE_ROWS // 4)
        if view == "human_rankings":
            table = _in_clusters(table, found)
        missing = (
            "" if table.lines else "There is none yet: tracker ingest judgements, tracker human."
        )
        sections.append(Section(view.replace("_", "-"), name, title, reading, [table], missing))
    sections.insert(1, _evaluated(tracker, campaign))
    sections.sort(key=lambda section: bool(section.missing))
    known = tracker.show("campaign", columns="campaign_id", order="campaign_id").column(0)
    options = [("", "every campaign"), *((each, each) for each in known.to_pylist())]
    document = Document("People", campaign or "What people said", sections)
    return Page(
        document, forms=[Form("/people", [Field("campaign", "campaign", campaign, options)])]
    )


def _evaluated(tracker: Tracker, campaign: str) -> Section:
    """Return metrics by how they order outputs and systems, each leading to its examination."""
    rows = _evaluations(tracker, campaign)
    tables = []
    for _, of_place in groupby(rows, lambda row: tuple(row[key] for key in _PLACE)):
        found = [*of_place]
        tables += [first_leads(table, "metric", found[0]) for table in evaluation_tables(found)]
    drawn = Brought(
        address("/agreement", campaign=campaign), "With their intervals, drawn", "#agreement .chart"
    )
    return Section(
        "metric-evaluations",
        "Metrics",
        "Metrics against people",
        "Pairs of outputs (acc*_eq) and of systems (SPA, PA) that a metric orders as people do; in "
        "brackets the cluster of metrics that hardly differ. A metric leads to what more is known "
        "of it: whom it favours, what its scores mean, what it misses.",
        [drawn, *tables],
        "" if rows else "None was held against people yet: tracker metrics.",
    )


def _filters(campaign: str) -> dict[str, tuple[str]]:
    return {"campaign": (campaign,)} if campaign else {}


def _evaluations(tracker: Tracker, campaign: str) -> list[Row]:
    """Return the agreement of metrics with people on whole test sets."""
    query = view_query(tracker.database, "metric_evaluations", filters=_filters(campaign))
    found = queried(tracker.database, query).rows.to_pylist()
    return [row for row in found if row["part_kind"] == "all"]


def agreement(tracker: Tracker, asked: Asked) -> Page:
    """Return how metrics agree with people, drawn."""
    rows = _evaluations(tracker, asked.get("campaign", ""))
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in _PLACE), []).append(row)
    drawings = Drawings(None)
    figures = [block for found in groups.values() for block in evaluation_figures(found, drawings)]
    missing = "" if figures else "None was held against people yet: tracker metrics."
    section = Section("agreement", "Agreement", "Metrics against people", "", figures, missing)
    return Page(Document("Agreement", "Metrics against people", [section]), [PEOPLE])


def _in_clusters(table: Table, found: Listing) -> Table:
    """Return rankings with a line before each cluster; the first of a ranking begins one."""
    keys = ("campaign_id", "treebank_id", "criterion", "annotators", "cluster")
    clusters = list(zip(*(found.rows[key].to_pylist() for key in keys), strict=True))
    starts = [n > 0 and here != clusters[n - 1] for n, here in enumerate(clusters)]
    lines = [replace(line, starts=start) for line, start in zip(table.lines, starts, strict=True)]
    return replace(table, lines=lines)
