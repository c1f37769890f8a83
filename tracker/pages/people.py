"""The pages about people: what they judged, errors they marked, and metrics held against them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Literal

from ...queries.errors.jobs import check_metric
from ...queries.examination.marked_errors import has_marked_errors, marked_errors
from ...queries.exploring import queried
from ...queries.reading import view_query
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import TrackerError
from ...schema.names import check_names, resolve_name
from ...schema.statements import Row
from ..api.tracker import Tracker
from ..examination.findings import examination_document
from ..examination.marked_errors import errors_table
from ..show.findings.people import RANKING, evaluation_tables
from ..show.model import Block, Brought, Document, Field, Form, Page, Section, Span, Tab
from . import Asked
from .addresses import address
from .drawings import Drawings, tabbed
from .lists import IDENTITY, IN_THE_ID, PAGE_ROWS, first_leads
from .sections import list_section, section, section_table
from .selected import ReportData

_ROWS = 200
_PLACE = ("campaign_id", "treebank_id", "criterion", "people")
PEOPLE = Span("People", address="/people")
_LISTS = ("human-rankings", "metric-agreements", "annotators", "annotator-agreements")
OTHERS = {"submission": ("category", "relation"), "system": ("category",)}
"""By what errors are counted on the page of each, ways of ``queries.examination.marked_errors``."""
ALL_OTHERS = ("category", "relation", "accuracy", "metric")
"""Those of a report, which shows at most ``MARKED_SHOWN`` of each."""
MARKED_SHOWN = 15
SUBMISSIONS_DRAWN = 30
"""Submissions whose intervals are drawn at most."""
_IN_THE_TAB = (*IDENTITY, *IN_THE_ID, "criterion")
"""Columns that say what the tab of a table does."""
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
    brought = Brought(
        address(f"/errors/{kind}", name), f"Marked errors of {name}", "#errors .blocks > *"
    )
    return [section("people.errors", [brought])]


def errors(tracker: Tracker, asked: Asked) -> Page:
    """Return the errors of each submission of a system, or of one, drawn and as tables."""
    database, kind = tracker.database, asked["kind"]
    check_names("page of errors", [kind], OTHERS)
    if kind == "submission":
        name = tracker.resolve(asked["name"])
        submissions = [name]
    else:
        name = resolve_name(database, kind, asked["name"])
        rows = tracker.show("submissions", system=name, columns="submission_id")
        submissions = rows.column(0).to_pylist()
    shown = errors_section(database, submissions, Drawings(None), "submission", OTHERS[kind])
    above = Span(name, address=address(f"/{kind}", name))
    return Page(Document("Errors", name, [shown]), [above])


def errors_section(
    database: Database,
    submissions: Sequence[str],
    drawings: Drawings,
    whose: Literal["submission", "system"],
    others: Sequence[str],
    most: int = PAGE_ROWS,
) -> Section:
    """Return the errors that people marked in some submissions' outputs, drawn and as tables.

    They are counted by submission or system, and by ``others``, at most so many rows of each.
    """
    rows = marked_errors(database, submissions, whose).to_pylist()
    tables = [first_leads(errors_table(whose, rows), f"{whose}_id", {})]
    for by in others:
        of_all = [
            row
            for row in marked_errors(database, submissions, by).to_pylist()
            if row.get("about", "all") == "all"
        ]
        tables += [errors_table(by, of_all, most)] if of_all else []
    counts = "; ".join(f"{row['name']} {row['errors']:,} errors" for row in rows[:MARKED_SHOWN])
    figure = drawings.draw("marked-errors", counts, "marked_errors_chart", rows, "Marked errors")
    return section("people.errors", [figure, *tables])


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


def rankings(data: ReportData, drawings: Drawings) -> Section:
    """Return the rankings by people's judgement, with the significance of their differences."""
    pairs = data.rows("report_human_comparisons")

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        of_group = [row for row in pairs if _group(row) == name]
        alternative = f"Significant differences between {plural(len(rows), 'system')}: {name}."
        drawn = _drawn(drawings, f"people {name}", "human_heat_map", of_group, alternative)
        table = section_table(
            "people.human-rankings",
            rows,
            caption=f"Ranking: {name}",
            hidden=_IN_THE_TAB,
        )
        return [*drawn, table]

    tabs = _tabs("people", data.human_rankings, _group, blocks)
    return section("people.human-rankings", tabs, anchor="people")


def metric_agreement(data: ReportData, drawings: Drawings) -> Section:
    """Return how metrics go with people's judgement."""
    evaluations = data.rows("report_metric_evaluations")
    agreements = data.rows("report_metric_agreements")

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        evaluated = [row for row in rows if "statistic" in row]
        correlated = [row for row in rows if "coefficient" in row]
        shown = [*evaluation_figures(evaluated, drawings), *evaluation_tables(evaluated)]
        if correlated:
            caption = f"Metrics against people, by correlation: {name}"
            place = "people.metric-agreements"
            table = section_table(place, correlated, caption=caption, hidden=_IN_THE_TAB)
            shown.append(table)
        return shown

    parts = [
        *(["people.metric-evaluations"] if evaluations else []),
        *(["people.metric-agreements"] if agreements or not evaluations else []),
    ]
    return section(
        "people.metric-evaluations",
        _tabs("agreement", [*evaluations, *agreements], _group, blocks),
        anchor="agreement",
        reading=" ".join(section(part).reading for part in parts),
    )


def evaluation_figures(rows: Sequence[Row], drawings: Drawings) -> list[Block]:
    """Return a figure for each campaign: metrics with the intervals of their agreement."""
    drawn = [
        row
        for row in rows
        if (row["level"], row["statistic"]) in RANKING and row["value"] is not None
    ]
    figures: list[Block] = []
    for campaign in dict.fromkeys(row["campaign_id"] for row in drawn):
        of_one = [row for row in drawn if row["campaign_id"] == campaign]
        name = f"metrics {campaign} · {_group(of_one[0])}"
        metrics = {row["metric"] for row in of_one}
        alternative = f"Agreement of {len(metrics)} metrics with people: {name}."
        figures += _drawn(drawings, name, "metric_evaluation_chart", of_one, alternative)
    return figures


def significance(data: ReportData, drawings: Drawings) -> Section:
    """Return confidence intervals of the scores and the significance of their differences."""

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        pairs = [
            row
            for row in data.metric_changes
            if (row["measure"], row["treebank_id"]) == (rows[0]["metric"], rows[0]["treebank_id"])
        ]
        alternative = f"Bootstrap intervals of {plural(len(rows), 'submission')}: {name}."
        defined = [row for row in rows if row["low"] is not None]
        drawn = defined if len(defined) <= SUBMISSIONS_DRAWN else []
        return [
            *_drawn(drawings, f"intervals {name}", "intervals_chart", drawn, alternative),
            section_table("report.significance", rows, caption=f"Intervals: {name}"),
            *(section_table("report.pairs", pairs, caption=f"Pairs: {name}") for _ in pairs[:1]),
        ]

    return section("report.significance", _tabs("significance", data.intervals, _metric, blocks))


def _group(row: Row) -> str:
    return f"{row['treebank_id']} · {row['criterion']}"


def _metric(row: Row) -> str:
    return f"{row['metric']} · {row['treebank_id']}"


def _tabs(
    group: str,
    rows: Sequence[Row],
    name_of: Callable[[Row], str],
    blocks: Callable[[str, Sequence[Row]], list[Block]],
) -> list[Block]:
    """Return one tab for each name; the blocks alone where there is one."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return tabbed(group, [Tab(name, blocks(name, of_name)) for name, of_name in groups.items()])


def _drawn(
    drawings: Drawings, name: str, chart: str, rows: Sequence[Row], alternative: str
) -> list[Block]:
    if not rows:
        return []
    file = re.sub(r"[^\w.]+", "-", name)
    return [drawings.draw(file, alternative, chart, [*rows], name.partition(" ")[2])]
