"""The page about years: what systems scored, drawn and as tables, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from ...queries.change.years import Point, Years, YearScore
from ...queries.exploring import listing
from ...schema.names import check_names
from ..api.tracker import Tracker
from ..show.charts import chart
from ..show.charts.change import Intervals
from ..show.charts.saving import embedded, fitted
from ..show.findings.history import years_document
from ..show.model import Chart, Document, Field, Form, Page, Section, Span, Table
from . import Request
from .addresses import address
from .drawings import leads_of
from .sections import read_section

KINDS = {"team": "teams' systems", "baseline": "baselines"}
LEAD = (
    "Each system by its latest iteration: points are systems, lines the best of each year, the "
    "median, and the best of a family. A line is dashed where test sets or ways of scoring differ, "
    "so that its years do not compare."
)
_OnLine = TypeVar("_OnLine", YearScore, Point)


def years(tracker: Tracker, request: Request) -> Page:
    """Return scores over the years of campaigns, and what they rest on."""
    kinds = listing(tracker.database, "years_of_systems").rows["kind"].to_pylist()
    kind = request.get("kind") or next(iter(kinds), "team")
    check_names("kind of systems", [kind], KINDS)
    result = _read(tracker, kind) if kinds else None
    scores = _drawn(tracker, result) if result else []
    versions = read_section(tracker.database, "years.versions")
    rests = [read_section(tracker.database, "years.test-sets")]
    rests += [versions] if not versions.missing else []
    document = Document(
        "Years",
        "Scores over the years",
        [*scores, *rests],
        lead=LEAD,
        notes=result.notes if result else (),
    )
    options = [(name, text) for name, text in KINDS.items() if name in {*kinds, kind}]
    forms = [Form("/years", [Field("kind", "Best and median of", kind, options)])]
    return Page(document, forms=forms if len(options) > 1 else [])


def _read(tracker: Tracker, kind: str) -> Years:
    families = tracker.show("system", columns="family").column(0).to_pylist()
    names = [*dict.fromkeys(name for name in families if name)]
    return tracker.years(families=names, system_kind=kind)


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
        replace(section, blocks=[*charts.get(measure, ()), *_linked(result, section)], beside=True)
        for section in years_document(result).sections
        for measure in [section.name]
    ]


def _linked(result: Years, section: Section) -> list[Table]:
    """Return the table of a measure, in which the best scores lead to their submissions."""
    (table,) = (block for block in section.blocks if isinstance(block, Table))
    place = [column.name for column in table.columns].index("best")
    scores = [score for score in result.scores if score.measure == section.name]
    lines = []
    for line, score in zip(table.lines, scores, strict=True):
        cells = [*line.cells]
        leads = address("/submission", score.best_submission_id)
        cells[place] = replace(cells[place], text=[Span(str(cells[place].text), address=leads)])
        lines.append(replace(line, cells=cells))
    return [replace(table, lines=lines)]


def _chart(result: Years, measure: str, line: str, intervals: Intervals) -> Chart:
    """Return what all systems scored on a line of a measure, year by year."""

    def on_line(rows: Iterable[_OnLine]) -> list[_OnLine]:
        return [row for row in rows if (row.measure, row.line) == (measure, line)]

    shown = replace(result, scores=on_line(result.scores), points=on_line(result.points))
    drawn = chart("years_chart", shown, intervals=intervals)
    specification = embedded(fitted(drawn, line), leads_of)
    name = f"{measure} over the years: {line}"
    return Chart(name, specification, name)
