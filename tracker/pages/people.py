"""The pages about people: what they judged, errors they marked, and metrics held against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from ...queries.errors.jobs import check_metric
from ...queries.examination.marked_errors import has_marked_errors, marked_errors
from ...queries.exploring import queried
from ...queries.reading import view_query
from ...schema.errors import TrackerError
from ...schema.names import check_names, resolve_name
from ...schema.statements import Row
from ..api.tracker import Tracker
from ..examination.findings import examination_document
from ..examination.marked_errors import errors_table
from ..show.findings.people import evaluation_tables
from ..show.model import Block, Brought, Document, Field, Form, Page, Section, Span
from . import Asked
from .addresses import address
from .lists import IDENTITY, IN_THE_ID, PAGE_ROWS, first_leads
from .report.people import errors_figure, evaluation_figures
from .report.sections import Drawings
from .sections import list_section, section

_ROWS = 200
_PLACE = ("campaign_id", "treebank_id", "criterion", "people")
PEOPLE = Span("People", address="/people")
_LISTS = ("human-rankings", "metric-agreements", "annotators", "annotator-agreements")
OTHERS = {"submission": ("category", "relation"), "system": ("category",)}
"""By what errors are counted on the page of each, ways of ``queries.examination.marked_errors``."""
_CHOICE = ("campaign", "treebank", "criterion", "people")


def people(tracker: Tracker, asked: Asked) -> Page:
    """Return what people judged: rankings, metrics against people, annotators."""
    campaign = asked.get("campaign", "")
    sections = [_listed(tracker, place, campaign) for place in _LISTS]
    sections.insert(1, _evaluated(tracker, campaign))
    sections.sort(key=lambda section: bool(section.missing))
    known = tracker.show("campaign", columns="campaign_id", order="campaign_id").column(0)
    options = [("", "every campaign"), *((each, each) for each in known.to_pylist())]
    document = Document("People", campaign or "What people said", sections)
    return Page(
        document, forms=[Form("/people", [Field("campaign", "campaign", campaign, options)])]
    )


def _listed(tracker: Tracker, place: str, campaign: str) -> Section:
    view = place.replace("-", "_")
    query = view_query(tracker.database, view, filters=_filters(campaign), limit=_ROWS)
    rows = queried(tracker.database, query)
    in_the_id = IN_THE_ID if "submission_id" in rows.rows.column_names else ()
    return list_section(f"people.{place}", rows, hidden=(*IDENTITY, *in_the_id))


def _evaluated(tracker: Tracker, campaign: str) -> Section:
    """Return metrics by how they order outputs and systems, each leading to its examination."""
    rows = _evaluations(tracker, campaign)
    tables = []
    for _, group in groupby(rows, lambda row: tuple(row[key] for key in _PLACE)):
        of_place = [*group]
        made = evaluation_tables(of_place)
        tables += [first_leads(table, "metric", of_place[0]) for table in made]
    drawn = Brought(
        address("/agreement", campaign=campaign), "With their intervals, drawn", "#agreement .chart"
    )
    return section("people.metric-evaluations", [drawn, *tables], empty=not rows)


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
    figures = [block for rows in groups.values() for block in evaluation_figures(rows, drawings)]
    drawn = section("people.agreement", figures)
    return Page(Document("Agreement", "Metrics against people", [drawn]), [PEOPLE])


def marked(tracker: Tracker, submissions: Sequence[str], kind: str, name: str) -> list[Section]:
    """Return the section that brings the errors of a submission or system; nothing without any."""
    if not has_marked_errors(tracker.database, submissions):
        return []
    told = f"Marked errors of {name}"
    brought = Brought(address(f"/errors/{kind}", name), told, "#errors .blocks > *")
    return [section("submission.errors", [brought])]


def errors(tracker: Tracker, asked: Asked) -> Page:
    """Return the errors of each submission of a system, or of one, drawn and as tables."""
    database, kind = tracker.database, asked["kind"]
    check_names("page of errors", [kind], OTHERS)
    if kind == "submission":
        name = tracker.resolve(asked["name"])
        submissions = [name]
    else:
        name = resolve_name(database, kind, asked["name"])
        found = tracker.show("submissions", system=name, columns="submission_id")
        submissions = found.column(0).to_pylist()
    rows = marked_errors(database, submissions, "submission").to_pylist()
    tables = [
        errors_table(by, marked_errors(database, submissions, by).to_pylist(), PAGE_ROWS)
        for by in OTHERS[kind]
    ]
    whose = first_leads(errors_table("submission", rows), "submission_id", {})
    blocks: list[Block] = [errors_figure(rows), whose, *tables]
    above = Span(name, address=address(f"/{kind}", name))
    return Page(Document("Errors", name, [section("submission.errors", blocks)]), [above])


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
        failed = Section("examination", "Examination", "", missing=str(error))
        return Page(Document("Metric", f"{metric} against people", [failed]), above)
    document = examination_document(found)
    if found.calibration.num_rows != 1:
        return Page(document, above)
    told = f"{metric} against people"
    figure = Drawings(None).draw("examination", told, "examination_chart", found)
    drawn = Section("drawn", "Drawn", "Its scores and people's, and whom it favours", "", [figure])
    return Page(replace(document, sections=[drawn, *document.sections]), above)
