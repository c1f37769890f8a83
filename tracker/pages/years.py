"""The page about years: what systems scored, drawn and as a table, and what unfolds below."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from ...queries.change.years import Point, Years, YearScore
from ...queries.exploring import listing
from ...queries.metrics.registry import label_of, usual_metrics
from ...schema.names import check_names
from ..api.tracker import Tracker
from ..show.charts import chart
from ..show.charts.change import Intervals
from ..show.charts.saving import ZOOMING, embedded, fitted
from ..show.findings.history import years_document
from ..show.model import Chart, Document, Field, Form, Page, Section, Span, Table
from . import Request
from .addresses import address
from .drawings import leads_of
from .sections import folded_part, read_section, section

YEARS = Span("Years", address="/years")
KINDS = {"team": "teams' systems", "baseline": "baselines"}
LEAD = (
    "Each system by its latest iteration: points are systems, lines the best of each year, the "
    "median, and the best of a family. A line is dashed where test sets or ways of scoring differ, "
    "so that its years do not compare."
)
_OnLine = TypeVar("_OnLine", YearScore, Point)


def years(tracker: Tracker, request: Request) -> Page:
    """Return scores over the years by one measure, and what unfolds: the others, what they rest on.

    Another part of the page, which the address names, is shown by itself.
    """
    kinds = listing(tracker.database, "years_of_systems").rows["kind"].to_pylist()
    kind = request.get("kind") or next(iter(kinds), "team")
    check_names("kind of systems", [kind], KINDS)
    measures = _measures(tracker)
    rests = {name: section(f"years.{name}").title for name in ("test-sets", "versions")}
    part = request.get("part", "")
    if part:
        check_names("part of the page about years", [part], [*measures, *rests])
    if part in rests or not (kinds and measures):
        sections = [read_section(tracker.database, f"years.{part or 'test-sets'}")]
        return Page(Document("Years", "Scores over the years", sections), [YEARS])
    shown = part or measures[0]
    result = _read(tracker, kind, shown)
    sections = _drawn(tracker, result) or [section("years.scores", words={"measure": shown})]
    document = Document("Years", "Scores over the years", sections, LEAD, notes=result.notes)
    if part:
        return Page(document, [YEARS])
    titles = {name: label_of(name) for name in measures if name != shown}
    for name, parts in (("others", titles), ("rests", rests)):
        folded = [folded_part(*each, "/years", kind=kind) for each in parts.items()]
        sections += [section(f"years.{name}", folded)] if folded else []
    options = [(name, text) for name, text in KINDS.items() if name in {*kinds, kind}]
    forms = [Form("/years", [Field("kind", "Best and median of", kind, options)])]
    return Page(document, forms=forms if len(options) > 1 else [])


def _measures(tracker: Tracker) -> list[str]:
    """Return what systems of campaigns with a year are followed by: usual metrics, then people."""
    rows = listing(tracker.database, "years_measures").rows.to_pylist()
    measures = {row["measure"]: row["human"] for row in rows}
    usual = [name for name in usual_metrics() if name in measures]
    return [*usual, *(name for name, human in measures.items() if human)]


def _read(tracker: Tracker, kind: str, measure: str) -> Years:
    families = tracker.show("system", columns="family").column(0).to_pylist()
    names = [*dict.fromkeys(name for name in families if name)]
    return tracker.years(families=names, system_kind=kind, measures=[measure])


def _drawn(tracker: Tracker, result: Years) -> list[Section]:
    """Return a section for each measure: a drawing for each line, and the table."""
    best = [score.best_submission_id for score in result.scores]
    rows = listing(tracker.database, "listed_intervals", submissions=best).rows.to_pylist()
    intervals = {(row["submission_id"], row["measure"]): (row["low"], row["high"]) for row in rows}
    years: dict[tuple[str, str], set[int]] = {}
    for score in result.scores:
        years.setdefault((score.measure, score.line), set()).add(score.year)
    charts: dict[str, list[Chart]] = {}
    for (measure, line), of_line in sorted(years.items()):
        if len(of_line) > 1:
            charts.setdefault(measure, []).append(_chart(result, measure, line, intervals))
    return [
        replace(
            of_measure,
            blocks=[*charts.get(measure, ()), _linked(result, measure, of_measure)],
            beside=True,
        )
        for measure, of_measure in zip(
            dict.fromkeys(score.measure for score in result.scores),
            years_document(result).sections,
            strict=True,
        )
    ]


def _linked(result: Years, measure: str, of_measure: Section) -> Table:
    """Return the table of a measure, in which the best scores lead to their submissions."""
    (table,) = (block for block in of_measure.blocks if isinstance(block, Table))
    place = [column.name for column in table.columns].index("best")
    scores = [score for score in result.scores if score.measure == measure]
    lines = []
    for line, score in zip(table.lines, scores, strict=True):
        cells = [*line.cells]
        leads = address("/submission", score.best_submission_id)
        cells[place] = replace(cells[place], text=[Span(str(cells[place].text), address=leads)])
        lines.append(replace(line, cells=cells))
    return replace(table, lines=lines)


def _chart(result: Years, measure: str, line: str, intervals: Intervals) -> Chart:
    """Return what all systems scored on a line of a measure, year by year."""

    def on_line(rows: Iterable[_OnLine]) -> list[_OnLine]:
        return [row for row in rows if (row.measure, row.line) == (measure, line)]

    shown = replace(result, scores=on_line(result.scores), points=on_line(result.points))
    drawn = chart("years_chart", shown, intervals=intervals)
    specification = embedded(fitted(drawn, line, zooms=True), leads_of)
    name = f"{label_of(measure)} over the years: {line}"
    return Chart(name, specification, name, ZOOMING)
