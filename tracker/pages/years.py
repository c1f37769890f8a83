"""The page about years: what systems scored, drawn and as tables, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

from ...queries.change.years import Years, YearScore
from ...queries.exploring import listing
from ...schema.names import check_names
from ..api.tracker import Tracker
from ..show.findings.history import years_document
from ..show.html.score_charts import FAMILY, YearPoint, year_chart
from ..show.model import Document, Field, Figure, Form, Page, Section
from . import Asked
from .addresses import address
from .sections import read_section

KINDS = {"team": "teams' systems", "baseline": "baselines"}
LEAD = (
    "Each system by its latest iteration: points are systems, lines the best of each year, the "
    "median, and the best of a family. A line is dashed where test sets or ways of scoring differ, "
    "so that its years do not compare."
)
Intervals = Mapping[tuple[str, str], tuple[float, float]]


def years(tracker: Tracker, asked: Asked) -> Page:
    """Return scores over the years of campaigns, and what they rest on."""
    known = listing(tracker.database, "years_of_systems").rows["kind"].to_pylist()
    kind = asked.get("kind") or next(iter(known), "team")
    check_names("kind of systems", [kind], KINDS)
    found = _read(tracker, kind) if known else None
    scores = _drawn(tracker, found) if found else []
    versions = read_section(tracker.database, "years.versions")
    rests = [read_section(tracker.database, "years.test-sets")]
    rests += [versions] if not versions.missing else []
    document = Document(
        "Years",
        "Scores over the years",
        [*scores, *rests],
        lead=LEAD,
        notes=found.notes if found else (),
    )
    options = [(each, told) for each, told in KINDS.items() if each in {*known, kind}]
    forms = [Form("/years", [Field("kind", "Best and median of", kind, options)])]
    return Page(document, forms=forms if len(options) > 1 else [])


def _read(tracker: Tracker, kind: str) -> Years:
    families = tracker.show("system", columns="family").column(0).to_pylist()
    known = [*dict.fromkeys(each for each in families if each)]
    return tracker.years(families=known, system_kind=kind)


def _drawn(tracker: Tracker, found: Years) -> list[Section]:
    """Return a section for each measure: a drawing for each line, and the table."""
    best = [score.best_submission_id for score in found.scores]
    rows = listing(tracker.database, "listed_intervals", submissions=best).rows.to_pylist()
    intervals = {(row["submission_id"], row["measure"]): (row["low"], row["high"]) for row in rows}
    figures: dict[str, list[Figure]] = {}
    by_line = groupby(
        sorted(found.scores, key=lambda score: (score.measure, score.line)),
        key=lambda score: (score.measure, score.line),
    )
    for (measure, line), scores in by_line:
        of_line = [*scores]
        if len({score.year for score in of_line}) > 1:
            figure = _figure(found, measure, line, of_line, intervals)
            figures.setdefault(measure, []).append(figure)
    return [
        replace(section, blocks=[*figures.get(section.name, ()), *section.blocks], beside=True)
        for section in years_document(found).sections
    ]


def _figure(
    found: Years, measure: str, line: str, scores: list[YearScore], intervals: Intervals
) -> Figure:
    lines: dict[str, list[YearPoint]] = {}
    several = any(score.systems > 1 for score in scores)
    for score in sorted(scores, key=lambda each: (not each.group.startswith(FAMILY), each.year)):
        name = score.group if score.group.startswith(FAMILY) else "best"
        best = YearPoint(
            score.year,
            score.best,
            f"{name}: {score.best_system_id}",
            address("/submission", score.best_submission_id),
            intervals.get((score.best_submission_id, measure)),
            score.comparable,
        )
        median = score.median if several else None
        for told, value in (("human", score.reference), ("median", median)):
            if value is not None:
                point = YearPoint(score.year, value, told, comparable=score.comparable)
                lines.setdefault(told, []).append(point)
        lines.setdefault(name, []).append(best)
    systems = [
        YearPoint(
            point.year, point.score, point.system_id, address("/submission", point.submission_id)
        )
        for point in found.points
        if (point.measure, point.line) == (measure, line) and point.system_kind != "human"
    ]
    told = f"{measure} over the years: {line}"
    return Figure(told, year_chart(measure, line, lines, systems), told)
