"""The pages of a system over its iterations, and of all over the years: what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from ...queries.change.history import history_rows
from ...queries.change.years import Point, Years, YearScore
from ...queries.errors.jobs import check_metric, sentence_metrics
from ...queries.exploring import Listing, listing
from ...queries.metrics.registry import direction, headline_metrics, label_of, usual_metrics
from ...queries.numbers import measured
from ...schema.brief import plural
from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.names import check_names, resolve_name
from ...schema.statements import Row, read_rows
from ..api.tracker import Tracker
from ..show.charts import chart
from ..show.charts.change import Intervals
from ..show.charts.drawing import values
from ..show.charts.saving import ZOOMING, embedded, fitted
from ..show.findings.history import line_blocks, line_name, years_document
from ..show.model import (
    Block,
    Brought,
    Card,
    Chart,
    Document,
    Field,
    Form,
    Page,
    Paragraph,
    Section,
    Span,
    Table,
)
from . import Request
from .addresses import address
from .drawings import leads_of, runs_chart
from .lists import EVERY, MOST_ROWS, labelled, rest_of, rows_asked
from .sections import (
    analyses_section,
    folded_part,
    read_section,
    section,
    section_table,
    sections_of_themes,
)
from .submission import noted
from .verdicts import stored_verdict, verdict_card


@dataclass(frozen=True)
class _Line:
    """Runs on one test set, oldest first, by one measure: all, or the newest and the best."""

    system: str
    name: str
    measure: str
    runs: Sequence[Row]

    @property
    def count(self) -> int:
        """How many runs there are, those that are not shown included."""
        return int(self.runs[0]["listed"])

    @property
    def better(self) -> int:
        return direction(self.measure)

    def state(self) -> dict[str, str]:
        return {"line": self.name, "measure": self.measure}

    def value(self, run: Row) -> float:
        """Return a run's score, so that the highest is the best and none the worst."""
        return float("-inf") if run["score"] is None else self.better * run["score"]


def system(tracker: Tracker, request: Request) -> Page:
    """Return a system over its iterations: latest against previous and best, what was chosen."""
    database = tracker.database
    name, measure = _system_and_measure(tracker, request)
    runs = _runs(database, name, measure, rows_asked(request))
    lines = _lines(name, measure, runs)
    line = _chosen(lines, request)
    sections = [
        *([_verdict(tracker.database, line)] if len(line.runs) > 1 else []),
        _followed(tracker, line, lines, runs),
        *sections_of_themes(
            "marked_sections", tracker, runs.rows["submission_id"].to_pylist(), "system", name
        ),
        read_section(tracker.database, "system.chosen", {"system": name}),
        analyses_section(system=name),
        noted(tracker, "system", name, address("/system", name, **line.state())),
    ]
    document = Document(
        "System",
        name,
        sections,
        lead=f"{plural(sum(line.count for line in lines), 'model run')} on "
        f"{plural(len(lines), 'test set')}",
    )
    measures = dict.fromkeys([*usual_metrics(), measure])
    choice = Form(
        address("/system", name),
        [
            Field("line", "Test set", line.name, [(other.name, other.name) for other in lines]),
            Field("measure", "Followed by", measure, labelled(measures)),
        ],
    )
    return Page(document, [Span("Leaderboard", address="/leaderboard")], [choice])


def tested_runs(tracker: Tracker, request: Request) -> Page:
    """Return a system's runs on one test set, each tested against the run before."""
    name, measure = _system_and_measure(tracker, request)
    runs = _runs(tracker.database, name, measure, None)
    line = _chosen(_lines(name, measure, runs), request)
    first = line.runs[0]
    history = tracker.history(
        name, treebank=first["treebank_id"], campaign=first["campaign_id"], measures=[measure]
    )
    of_line = next(other for other in history.lines if other.track == first["track"])
    tests = history_rows(replace(history, lines=[of_line])).to_pylist()
    blocks = [_chart(line, tests, runs.query), *line_blocks(history, of_line)]
    tested = Section("runs", "Runs", line_name(history, of_line), "", blocks)
    above = Span(name, address=address("/system", name, **line.state()))
    return Page(Document("Tested runs", name, [tested], notes=history.notes), [above])


def _runs(database: Database, system: str, measure: str, most: int | None) -> Listing:
    """Return the runs of a system, at most so many of a test set: the newest and the best."""
    return listing(
        database,
        "listed_runs",
        system=system,
        measure=measure,
        direction=direction(measure),
        rows=most,
    )


def _system_and_measure(tracker: Tracker, request: Request) -> tuple[str, str]:
    """Return the system, and what it is followed by."""
    name = resolve_name(tracker.database, "system", request["system"])
    measure = request.get("measure") or sentence_metrics(tracker.database, system=name)[0]
    check_metric(tracker.database, measure)
    return name, measure


def line_of(run: Row) -> str:
    """Return the name of the line that a run is on: its campaign, test set and track."""
    return "/".join([run["campaign_id"], run["treebank_id"], run["track"]])


def _lines(system: str, measure: str, runs: Listing) -> list[_Line]:
    """Return the runs by test set, those on which there is most to follow first."""
    rows = runs.rows.to_pylist()
    lines = [_Line(system, name, measure, [*some][::-1]) for name, some in groupby(rows, line_of)]
    return sorted(lines, key=lambda line: (-len(line.runs), line.name))


def _chosen(lines: Sequence[_Line], request: Request) -> _Line:
    wanted = request.get("line")
    match = next((line for line in lines if wanted in (None, "", line.name)), None)
    if match is None:
        raise UnknownNameError(
            f"the system has no runs on '{wanted}'" if lines else "the system has no runs",
            hint=f"there are {', '.join(line.name for line in lines)}" if lines else None,
        )
    return match


def _verdict(database: Database, line: _Line) -> Section:
    """Return how the latest run stands to the one before and to the best, tested when asked."""
    *earlier, latest = line.runs
    best = max(earlier, key=line.value)
    before = next(
        (run for run in earlier if run["submission_id"] == latest["previous_submission_id"]), None
    )
    text = f"The latest is {_named(latest)}, {label_of(line.measure)} {_score(line, latest)}"
    if latest["score_change"] is not None and before is not None:
        change = measured(line.measure, latest["score_change"], sign=True)
        text += f" ({change} since {_named(before)})"
    is_best = line.value(latest) >= line.value(best)
    text += (
        "; none is better." if is_best else (f"; the best is {_named(best)}, {_score(line, best)}.")
    )
    against = {run["submission_id"]: run for run in (before, best) if run is not None}
    links = [
        block for base, run in against.items() for block in _against(database, latest, run, base)
    ]
    return Section("verdict", "Verdict", "The latest run", blocks=[Paragraph(text, ""), *links])


def _against(database: Database, latest: Row, run: Row, base: str) -> list[Block]:
    """Return the stored verdict of the latest run against another, else where it is made."""
    new = latest["submission_id"]
    stored = stored_verdict(database, new, base)
    tested = address("/tested", new=new, base=base)
    name = f"{_named(latest)} against {_named(run)}, all tested"
    if stored:
        return [verdict_card(stored), Paragraph([Span(name, address=tested)])]
    return [Brought(tested, name, ".objection, .verdict")]


def _score(line: _Line, run: Row) -> str:
    return measured(line.measure, run["score"])


def _named(run: Row) -> str:
    return f"@{run['iteration']}"


def _followed(tracker: Tracker, line: _Line, lines: Sequence[_Line], runs: Listing) -> Section:
    """Return the runs as a chart, with what is known of tests, and as a table."""
    blocks: list[Block] = []
    if len(line.runs) > 1:
        tests = read_rows(
            tracker.database,
            "tested_runs",
            system=line.system,
            submissions=[run["submission_id"] for run in line.runs],
            measure=line.measure,
        )
        tested = Brought(
            address("/runs", line.system, **line.state()),
            f"Every run's {label_of(line.measure)} and relations, tested against the run before",
            "#chart",
        )
        blocks = [_chart(line, tests, runs.query), *([tested] if line.count <= MOST_ROWS else [])]
    is_headline = line.measure in headline_metrics()
    hidden = ["track", "campaign_id", "treebank_id", "iteration", "listed"]
    hidden += ["score", "score_change"] if is_headline else []
    table = section_table("system.runs", runs, bars=headline_metrics(), hidden=hidden)
    several = len({row["treebank_id"] for row in runs.rows.to_pylist()}) > 1
    order = "Test set by test set, the newest" if several else "Newest"
    reading = f"{order} first, each with its change from the run before, which leads to what "
    reading += "changed."
    if not is_headline:
        reading += f" Score is {label_of(line.measure)}."
    count = sum(other.count for other in lines)
    leads = address("/system", line.system, **line.state(), rows=EVERY)
    rest = rest_of(runs.rows.num_rows, count, "runs", leads)
    return section("system.runs", [*rest, *blocks, table], reading=reading)


def _chart(line: _Line, tests: Sequence[Row], query: str) -> Card:
    """Return the runs of a line, with what tests say of their changes from the run before."""
    changes = {test["submission_id"]: test for test in tests}
    runs = [
        {
            **run,
            "change": run["score_change"],
            "significant": None,
            **values(changes.get(run["submission_id"], {}), *_TESTED),
        }
        for run in line.runs
    ]
    shown = runs_chart(line.name, line.measure, runs, query=query)
    return Card(blocks=shown, anchor="chart", framed=False)


_TESTED = ("change", "low", "high", "p_holm", "significant", "undefined_reason")


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
        folded = [folded_part(key, title, "/years", kind=kind) for key, title in parts.items()]
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
            charts.setdefault(measure, []).append(_years_chart(result, measure, line, intervals))
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


def _years_chart(result: Years, measure: str, line: str, intervals: Intervals) -> Chart:
    """Return what all systems scored on a line of a measure, year by year."""

    def on_line(rows: Iterable[_OnLine]) -> list[_OnLine]:
        return [row for row in rows if (row.measure, row.line) == (measure, line)]

    shown = replace(result, scores=on_line(result.scores), points=on_line(result.points))
    drawn = chart("years_chart", shown, intervals=intervals)
    specification = embedded(fitted(drawn, line, zooms=True), leads_of)
    name = f"{label_of(measure)} over the years: {line}"
    return Chart(name, specification, name, ZOOMING)
