"""The pages about one metric against people: one that stands at once, and one that is computed."""

from __future__ import annotations

from dataclasses import replace

from ...queries.errors.measures import check_metric
from ...schema.errors import TrackerError
from ..api import Tracker
from ..show.findings.examination import examination_document
from ..show.model import Brought, Document, Page, Section, Span
from . import Asked
from .addresses import address
from .people import PEOPLE
from .report.sections import Drawings

_CHOICE = ("campaign", "treebank", "criterion", "people")


def examine(tracker: Tracker, asked: Asked) -> Page:  # noqa: ARG001
    """Return the page that brings what is known of one metric against people."""
    state = {key: asked.get(key) for key in _CHOICE}
    leads = address("/examined", asked["metric"], **state)
    brought = Brought(leads, "The examination by itself", ".verdict, main section")
    told = " · ".join(value for value in state.values() if value)
    document = Document(
        "Metric",
        f"{asked['metric']} against people",
        [Section("examination", "Examination", "", blocks=[brought])],
        lead=f"{told}: resampling takes some seconds." if told else "",
    )
    return Page(document, [PEOPLE])


def examined(tracker: Tracker, asked: Asked) -> Page:
    """Return where a metric agrees with people, whom it favours, and what it misses."""
    metric = asked["metric"]
    check_metric(tracker.database, metric)
    above = [PEOPLE, Span(metric, address=address("/examine", metric))]
    try:
        campaign, treebank, criterion, people = (asked.get(key) or None for key in _CHOICE)
        found = tracker.examine(
            metric,
            campaign=campaign,
            treebank=treebank,
            criterion=criterion,
            people=people or "raw",
        )
    except TrackerError as error:
        section = Section("examination", "Examination", "", missing=str(error))
        return Page(Document("Metric", f"{metric} against people", [section]), above)
    document = examination_document(found)
    if found.calibration.num_rows != 1:
        return Page(document, above)
    told = f"{metric} against people"
    figure = Drawings(None).draw("examination", told, "examination_chart", found)
    drawn = Section("drawn", "Drawn", "Its scores and people's, and whom it favours", "", [figure])
    return Page(replace(document, sections=[drawn, *document.sections]), above)
