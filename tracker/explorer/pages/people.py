"""The page about people's judgements."""

from __future__ import annotations

from dataclasses import replace

from sr_tracker.queries.exploring import Listing, queried
from sr_tracker.queries.reading import view_query
from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.explorer.pages import Asked
from sr_tracker.tracker.explorer.tables import IDENTITY, IN_THE_ID, PAGE_ROWS, listed
from sr_tracker.tracker.show.model import Document, Field, Form, Page, Section, Table

_ROWS = 200
_PARTS = {
    "human_rankings": (
        "Rankings",
        "Systems by people's judgement",
        "Below a line begins another cluster or ranking; other campaigns' z-scores do not compare.",
    ),
    "metric_agreements": (
        "Metrics",
        "Metrics against people",
        "How well each metric ranks sentences and systems as people do.",
    ),
    "metric_evaluations": (
        "Evaluated metrics",
        "Metrics against people, as WMT's metrics tasks do",
        "Pairs of outputs and of systems that a metric orders as people do: tracker metrics.",
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
    filters = {"campaign": (campaign,)} if campaign else {}
    sections = []
    for view, (name, title, reading) in _PARTS.items():
        query = view_query(tracker.database, view, filters=filters, limit=_ROWS)
        found = queried(tracker.database, query)
        hidden = IDENTITY + (IN_THE_ID if "submission_id" in found.rows.column_names else ())
        table = listed(found, title, hidden=hidden, filterable=True, shown=PAGE_ROWS // 4)
        if view == "human_rankings":
            table = _in_clusters(table, found)
        missing = (
            "" if table.lines else "There is none yet: tracker ingest judgements, tracker human."
        )
        sections.append(Section(view.replace("_", "-"), name, title, reading, [table], missing))
    known = tracker.show("campaign", columns="campaign_id", order="campaign_id").column(0)
    options = [("", "every campaign"), *((each, each) for each in known.to_pylist())]
    document = Document("People", campaign or "What people said", sections)
    return Page(
        document, forms=[Form("/people", [Field("campaign", "campaign", campaign, options)])]
    )


def _in_clusters(table: Table, found: Listing) -> Table:
    """Return rankings with a line before each cluster; the first of a ranking begins one."""
    keys = ("campaign_id", "treebank_id", "criterion", "annotators", "cluster")
    clusters = list(zip(*(found.rows[key].to_pylist() for key in keys), strict=True))
    starts = [n > 0 and here != clusters[n - 1] for n, here in enumerate(clusters)]
    lines = [replace(line, starts=start) for line, start in zip(table.lines, starts, strict=True)]
    return replace(table, lines=lines)
