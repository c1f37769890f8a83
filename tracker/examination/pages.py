"""Metrics held against people, and marked errors, on pages and in reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from ...queries.errors.jobs import check_metric
from ...queries.examination.marked_errors import has_marked_errors, marked_errors
from ...queries.exploring import listing, queried
from ...queries.metrics.registry import label_of
from ...queries.numbers import number
from ...queries.reading import view_query
from ...schema.database import Database
from ...schema.errors import TrackerError
from ...schema.names import check_names, resolve_name
from ...schema.statements import Row
from ..api.tracker import Tracker
from ..pages import Request
from ..pages.addresses import address
from ..pages.drawings import Drawings
from ..pages.lists import PAGE_ROWS, first_leads
from ..pages.people import (
    IN_THE_TAB,
    PEOPLE,
    PLACE,
    drawn_rows,
    group_of,
    of_campaign,
    tabs_of,
    view_maker,
)
from ..pages.sections import section, section_table
from ..pages.selected import ReportData
from ..show.findings.people import RANKING, evaluation_tables
from ..show.model import (
    Block,
    Brought,
    Cell,
    Column,
    Document,
    Page,
    Paragraph,
    Section,
    Span,
)
from ..show.tables import filled
from .findings import examination_document
from .marked_errors import errors_table, errors_text, marked_words

if TYPE_CHECKING:
    from ..pages.sentence import Place

OTHERS = {"submission": ("category", "relation"), "system": ("category",)}
"""By what errors are counted on the page of each, ways of ``queries.examination.marked_errors``."""
ALL_OTHERS = ("category", "relation", "accuracy", "metric")
"""Those of a report, which shows at most ``MARKED_SHOWN`` of each."""
MARKED_SHOWN = 15
_CHOICE = ("campaign", "treebank", "criterion", "people")


def _evaluated(tracker: Tracker, campaign: str) -> Section:
    """Return metrics by how they order outputs and systems, each leading to its examination."""
    query = view_query(tracker.database, "metric_leaderboard", filters=of_campaign(campaign))
    every = queried(tracker.database, query).rows.to_pylist()
    rows = [row for row in every if row["part_kind"] == "all"]
    drawings = Drawings(None)
    blocks: list[Block] = []
    for _, group in groupby(rows, lambda row: tuple(row[key] for key in PLACE)):
        of_place = [*group]
        tables = evaluation_tables(of_place)
        blocks += evaluation_figures(of_place, drawings)
        blocks += [first_leads(table, "metric", of_place[0]) for table in tables]
    return section("people.metric-evaluations", blocks)


PEOPLE_PARTS = {
    "metric-evaluations": _evaluated,
    "metric-agreements": view_maker("metric-agreements"),
}
"""Metrics against people: by how they order outputs and systems, and by correlation."""


def marked_sections(
    tracker: Tracker, submissions: Sequence[str], kind: str, name: str
) -> list[Section]:
    """Return the section that brings the errors of a submission or system; nothing without any."""
    if not has_marked_errors(tracker.database, submissions):
        return []
    brought = Brought(
        address(f"/errors/{kind}", name), f"Marked errors of {name}", "#errors .blocks > *"
    )
    return [section("people.errors", [brought])]


def errors(tracker: Tracker, request: Request) -> Page:
    """Return the errors of each submission of a system, or of one, drawn and as tables."""
    database, kind = tracker.database, request["kind"]
    check_names("page of errors", [kind], OTHERS)
    if kind == "submission":
        name = tracker.resolve(request["name"])
        submissions = [name]
    else:
        name = resolve_name(database, kind, request["name"])
        rows = tracker.show("submission_overview", system=name, columns="submission_id")
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


def examine(tracker: Tracker, request: Request) -> Page:  # noqa: ARG001
    """Return the page that brings what is known of one metric against people."""
    state = {key: request.get(key) for key in _CHOICE}
    leads = address("/examined", request["metric"], **state)
    brought = Brought(leads, "The examination by itself", ".verdict, main section")
    judged = " · ".join(value for value in state.values() if value)
    document = Document(
        "Metric",
        f"{label_of(request['metric'])} against people",
        [Section("examination", "Examination", "", blocks=[brought])],
        lead=f"{judged}: resampling takes some seconds." if judged else "",
    )
    return Page(document, [PEOPLE])


def examined(tracker: Tracker, request: Request) -> Page:
    """Return where a metric agrees with people, whom it favours, and what it misses."""
    metric, label = request["metric"], label_of(request["metric"])
    check_metric(tracker.database, metric)
    above = [PEOPLE, Span(label, address=address("/examine", metric))]
    try:
        campaign, treebank, criterion, people = (request.get(key) or None for key in _CHOICE)
        examination = tracker.examine(
            metric,
            campaign=campaign,
            treebank=treebank,
            criterion=criterion,
            people=people or "raw",
        )
    except TrackerError as error:
        failed = Section("examination", "Examination", "", missing=str(error))
        return Page(Document("Metric", f"{label} against people", [failed]), above)
    document = examination_document(examination)
    if examination.calibration.num_rows != 1:
        return Page(document, above)
    title = f"{label} against people"
    figure = Drawings(None).draw("examination", title, "examination_chart", examination)
    drawn = Section("drawn", "Drawn", "Its scores and people's, and whom it favours", "", [figure])
    return Page(replace(document, sections=[drawn, *document.sections]), above)


def report_judgements(database: Database, data: ReportData, drawings: Drawings) -> list[Section]:
    """Return what errors people marked, where they did, and how metrics go with their judgement."""
    errors = []
    if has_marked_errors(database, data.everything):
        errors = [
            errors_section(database, data.everything, drawings, "system", ALL_OTHERS, MARKED_SHOWN)
        ]
    return [*errors, metric_agreement(data, drawings)]


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
            table = section_table(place, correlated, caption=caption, hidden=IN_THE_TAB)
            shown.append(table)
        return shown

    parts = [
        *(["people.metric-evaluations"] if evaluations else []),
        *(["people.metric-agreements"] if agreements or not evaluations else []),
    ]
    return section(
        "people.metric-evaluations",
        tabs_of("agreement", [*evaluations, *agreements], group_of, blocks),
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
        name = f"metrics {campaign} · {group_of(of_one[0])}"
        metrics = {row["metric"] for row in of_one}
        alternative = f"Agreement of {len(metrics)} metrics with people: {name}."
        figures += drawn_rows(drawings, name, "metric_evaluation_chart", of_one, alternative)
    return figures


def judged_outputs(tracker: Tracker, place: Place) -> list[Section]:
    """Return the outputs in which annotators marked errors, where there are some."""
    rows = listing(
        tracker.database,
        "listed_marked_outputs",
        treebank=place.treebank,
        sentence_no=place.sentence_no,
    ).rows.to_pylist()
    if not rows:
        return []
    columns = [
        Column("submission", "text", "The submission."),
        Column("annotator", "text", "Who marked the errors."),
        Column("criterion", "text", "What was judged."),
        Column("score", "number", "The annotator's rating; on mqm minus what the errors cost."),
        Column("output", "sentence", "The output, with its errors marked."),
        Column("errors", "text", "Severity, category, text and cost of each error."),
    ]
    cells = [_marked_cells(place, row) for row in rows]
    table = filled("Marked errors", columns, cells, shown=PAGE_ROWS, rest="judgements")
    legend = [Span("Major and critical errors are marked so", "worse"), Span(", others ")]
    reading = Paragraph([*legend, Span("so", "doubt"), Span(".")])
    return [section("sentence.errors", [reading, table])]


def _marked_cells(place: Place, row: dict[str, Any]) -> list[Cell | str]:
    name, errors = row["submission_id"], row["error_spans"]
    in_words = errors_text(row["output"], errors)
    return [
        Cell([Span(place.short(name), address=address("/submission", name))], name),
        row["annotator_id"],
        row["criterion"],
        Cell(number(row["raw_score"], 1), row["raw_score"]),
        Cell(marked_words(row["output"], errors), title=in_words),
        in_words,
    ]


PAGES = {
    "/errors/{kind}/{name:path}": errors,
    "/examine/{metric}": examine,
    "/examined/{metric}": examined,
}
"""Its pages by their addresses."""
