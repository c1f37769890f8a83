"""A system over its iterations, and measures over the years, as documents."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ....queries.change.comparison.model import Change
from ....queries.change.history import (
    GAP,
    LEGEND,
    Chain,
    History,
    Line,
    Run,
    Summary,
    chains,
    change_mark,
)
from ....queries.change.years import SHOWN, Years, as_table
from ....queries.metrics.metric import POINTS
from ....queries.metrics.registry import label_of, notes
from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import UNDEFINED, measured, percent
from ....schema.brief import plural
from ..model import (
    Block,
    Branch,
    Cell,
    Column,
    Document,
    Paragraph,
    Section,
    Span,
    Table,
    Tone,
    Tree,
)
from ..tables import constant_columns, filled, measures_of_rows, rows_table, second_metrics

RELATIONS_NAMED = 12
BARS, CONSTANT = "▁▂▃▄▅▆▇█", "▄"
UNBROKEN = "\u2011"
"""A hyphen at which no line ends."""


def history_document(history: History) -> Document:
    """Return the iterations of a system, a section for each treebank and track."""
    sections = [
        Section(
            f"line-{place}",
            line.treebank_id,
            f"{line_name(history, line)} · {plural(len(line.runs), 'iteration')}",
            blocks=line_blocks(history, line),
        )
        for place, line in enumerate(history.lines, start=1)
    ]
    return Document(
        "History", history.system_id, sections, notes=history.notes, legend=_legend(history)
    )


def line_name(history: History, line: Line) -> str:
    """Return the names of a line."""
    return f"{history.system_id} · {line.campaign_id} · {line.treebank_id} · {line.track}"


def line_blocks(history: History, line: Line) -> list[Block]:
    """Return a line's measures, its runs, which came from which, and the relations that moved."""
    moving = [run for run in line.runs if run.relations]
    return [
        _overview(history, line),
        _iterations(history, line),
        *_lineage(line),
        *([_moved(history, line, moving)] if moving else []),
    ]


def _overview(history: History, line: Line) -> Table:
    columns = [
        Column("measure", "text"),
        *map(Column, ("first", "last", "best")),
        Column("at", "whole", "iteration with the best value"),
        Column("iterations", "whole", "from the lowest to the highest value of the measure"),
        Column("changes", "whole", "; ".join(LEGEND), ends=1),
        Column("significant", "text", "iteration, and whether the value rose", ends=1),
    ]
    cells = [
        [
            label_of(summary.measure.name),
            *(
                Cell(measured(summary.measure.name, value), value)
                for value in (summary.first, summary.last, summary.best)
            ),
            None if summary.best_iteration is None else f"@{summary.best_iteration}",
            sparkline(summary.values),
            summary.marks,
            Cell(significant_runs(summary)),
        ]
        for summary in history.summaries(line)
    ]
    return filled(f"Measures: {line_name(history, line)}", columns, cells)


def significant_runs(summary: Summary) -> list[Span]:
    """Return the iterations in which a measure changed significantly, and how."""
    return [
        Span(f"{' ' if place else ''}@{run.iteration}{change_mark(change, 1)}", _tone(change))
        for place, (run, change) in enumerate(summary.significant)
    ]


def _iterations(history: History, line: Line) -> Table:
    """Return a row per run: its scores first, what it is after them."""
    of_interest = [item for item in line.measures if item.kind != "relation"] or line.measures
    measures = [item.name for item in of_interest]
    last = second_metrics(measures)
    chosen = any(run.chosen for run in line.runs)
    failed = any(run.not_compared for run in line.runs)
    columns = [
        Column("iteration", "whole"),
        *(Column(label_of(name), ends=int(name in last)) for name in measures),
        Column("after", "text", "compared with its parent, or the iteration before", ends=1),
        *([Column("changed", "text", "params and tags: before → now", ends=1)] * chosen),
        *([Column("not compared because", "text", ends=1)] * failed),
        Column("date", "whole", ends=1),
    ]
    cells = [
        [
            Cell(f"@{run.iteration}", run.iteration),
            *(_score(run, name) for name in measures),
            _before(line, run),
            *([_chosen(run)] * chosen),
            *([run.not_compared or ""] * failed),
            f"{run.created_at:%Y-%m-%d}".replace("-", UNBROKEN)
            + (EARLIER if _is_dated_before(line, run) else ""),
        ]
        for run in line.runs
    ]
    return filled(f"Iterations: {line_name(history, line)}", columns, cells)


EARLIER = " ↶"
"""Behind the date of a run that is dated before the one it is compared with."""


def _is_dated_before(line: Line, run: Run) -> bool:
    before = {one.submission_id: one.created_at for one in line.runs}
    made = before.get(run.previous_submission_id or "")
    return made is not None and run.created_at < made


def _score(run: Run, measure: str) -> Cell:
    """Return a value with its change from the run before, marked where that is significant."""
    value = run.values[measure]
    spans = [Span(measured(measure, value))]
    change = run.changes.get(measure)
    if change is not None and change.difference is not None:
        tone: Tone = _tone(change) if run.is_significant(measure) else "muted"
        spans.append(Span(f" {signed(change)}{run.mark(measure)}", tone))
    return Cell(spans, value)


def _lineage(line: Line) -> Sequence[Block]:
    """Return the runs in one line, or as a tree where they branch."""
    all_chains = chains(line)
    if len(all_chains) == 1 and not all_chains[0].branches:
        return [Paragraph(_chain(all_chains[0], line), "")]
    # Built from the leaves up instead of by recursion: a system may have thousands of runs.
    stack, order = list(all_chains), list[Chain]()
    while stack:
        order.append(stack.pop())
        stack += order[-1].branches
    built: dict[int, Branch] = {}
    for chain in reversed(order):
        below = [built[id(branch)] for branch in chain.branches]
        built[id(chain)] = Branch(_chain(chain, line), below)
    root = Branch([Span("runs by parent", "muted")], [built[id(chain)] for chain in all_chains])
    return [Tree("", root)]


def _chain(chain: Chain, line: Line) -> str:
    text = " → ".join(f"@{run.iteration}" for run in chain.runs)
    if not chain.branches and line.measures:
        name = line.measures[0].name
        text += f"  ({label_of(name)} {measured(name, chain.runs[-1].values[name])})"
    return text


def _moved(history: History, line: Line, moving: Sequence[Run]) -> Table:
    """Return which relations moved significantly in which run."""
    columns = [Column("iteration", "whole"), Column("relations that moved significantly", "text")]
    cells = [[Cell(f"@{run.iteration}", run.iteration), _relations(run)] for run in moving]
    return filled(f"Relations: {line_name(history, line)}", columns, cells)


def _relations(run: Run) -> Cell:
    spans = [
        Span(f"{', ' if place else ''}{change.deprel} {signed(change)}", _tone(change))
        for place, change in enumerate(run.relations[:RELATIONS_NAMED])
    ]
    left = len(run.relations) - RELATIONS_NAMED
    return Cell([*spans, Span(f" and {left} more")] if left > 0 else spans)


def _by_chance(history: History) -> list[str]:
    """Return how often a line of steps without any change has a mark all the same."""
    steps = max((sum(bool(run.changes) for run in line.runs) for line in history.lines), default=0)
    if steps < 2 or history.tests == "none":
        return []
    if history.control == "line":
        alpha = history.settings.alpha
        text = (
            "levels of steps are those of LORD++ (Javanmard and Montanari 2018): of the steps that "
            f"are marked at most {percent(alpha)} are false on average, and of lines without any "
            f"change at most {percent(alpha / 2)} have a mark, by the primary metrics and by all "
            "relations; each other measure has a line of its own"
        )
        return [text]
    marked = 1 - (1 - history.settings.alpha) ** steps
    text_of_line = (
        f"each step is tested at {history.settings.alpha:g}: of lines of {steps} steps without any "
        f"change, up to {percent(marked)} have a step that the primary metrics mark, and more by "
        "all that is shown"
    )
    return [text_of_line]


def _legend(history: History) -> list[str]:
    names: dict[str, list[str]] = {}
    for name in dict.fromkeys(measure.name for line in history.lines for measure in line.measures):
        names.setdefault(unit(name), []).append(label_of(name))
    others = [
        f"those of {', '.join(of)} in {of_unit}"
        for of_unit, of in names.items()
        if of_unit != POINTS
    ]
    significantly, *marks = LEGEND
    level = f"{history.settings.alpha:g}" if history.control == "step" else "the step's level"
    test = f"(p < {level} after Holm's correction within the step)"
    tested = {"relations": "only relations were tested", "none": "nothing was tested"}
    return [
        ", ".join(["scores and changes are in points (hundredths)", *others]),
        f"{significantly} {test}",
        *marks,
        *([tested[history.tests]] if history.tests in tested else []),
        *_by_chance(history),
        *notes(measure.name for line in history.lines for measure in line.measures),
    ]


def _before(line: Line, run: Run) -> str:
    if run.previous_submission_id is None:
        return UNDEFINED
    here = {other.submission_id: other.iteration for other in line.runs}
    iteration = here.get(run.previous_submission_id)
    return run.previous_submission_id if iteration is None else f"@{iteration}"


def _chosen(run: Run) -> str:
    return ", ".join(
        f"{name} {UNDEFINED if before is None else before}→{UNDEFINED if now is None else now}"
        for name, (before, now) in run.chosen.items()
    )


def _tone(change: Change) -> Tone:
    return "worse" if change.is_worse else "better"


def signed(change: Change) -> str:
    """Return a change in the unit of its measure, two digits after the point."""
    return measured(change.measure, change.difference, sign=True)


def sparkline(values: Sequence[float | None]) -> str:
    """Return one letter per value: the lowest and the highest bar for the extremes of the series.

    A middle dot where there is no value, and middle bars where all values are equal.
    """
    scored = [value for value in values if value is not None]
    low, high = min(scored, default=0.0), max(scored, default=0.0)
    letters = []
    for value in values:
        if value is None:
            letters.append(GAP)
        elif low == high:
            letters.append(CONSTANT)
        else:
            letters.append(BARS[round((value - low) / (high - low) * (len(BARS) - 1))])
    return "".join(letters)


def years_document(years: Years) -> Document:
    """Return a table for each measure."""
    rows = as_table(years.scores)
    better = {score.measure: score.better for score in years.scores}
    sections = [
        _section(f"measure-{place}", measure, way, _of_measure(rows, measure))
        for place, (measure, way) in enumerate(better.items(), start=1)
    ]
    return Document("Years", "Scores over the years", sections)


def _section(anchor: str, measure: str, better: str, rows: pa.Table) -> Section:
    """Return a table of a measure; what is the same in all rows stands above it."""
    measures = measures_of_rows(rows, measure)
    alike = constant_columns(rows, measures)
    same = " · ".join(f"{name}: {rows[name][0]}" for name in alike)
    shown = rows.drop_columns(alike)
    label = label_of(measure)
    table = rows_table(shown, label, measures=measures)
    return Section(anchor, label, f"{label} ({better} is better)", same, [table])


def _of_measure(rows: pa.Table, measure: str) -> pa.Table:
    return rows.filter(pc.equal(rows["measure"], measure)).select(SHOWN)
