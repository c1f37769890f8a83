"""The section of a report over iterations of one system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sr_tracker.queries.change.history import History, Line, Run, Summary, history
from sr_tracker.queries.change.history.marks import FALL, LEGEND, RISE
from sr_tracker.queries.change.history.rows import history_rows
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import Row, read_rows
from sr_tracker.tracker.show.model import Column, Section, Tab, Tabs
from sr_tracker.tracker.show.numbers import number
from sr_tracker.tracker.show.report.drawing import Drawings
from sr_tracker.tracker.show.report.sections import SCORE
from sr_tracker.tracker.show.sparkline import sparkline
from sr_tracker.tracker.show.tables import table

TESTED_STEPS = 30
"""Of more iterations in all only the relations are tested: the rest takes 0.4 s each."""
RELATIONS_NAMED = 8
UNBROKEN = "\u2011"
"""A hyphen at which no line ends."""

MEASURE = {
    "measure": Column("measure", "text"),
    "first": Column("first"),
    "last": Column("last"),
    "best": Column("best"),
    "best_at": Column("best at", "text", "iteration with the best value"),
    "line": Column("iterations", "text", "from the lowest to the highest value of the measure"),
    "changes": Column("changes", "text", "; ".join(LEGEND)),
    "significant": Column("significant changes", "text", "iteration, and whether the value rose"),
}
ITERATION = {
    "iteration": Column("iteration", digits=0),
    "made": Column("made", "text"),
    "compared_with": Column("after", "text", "compared with its parent, or the iteration before"),
    "chosen": Column("changed", "text", "params and tags: before → now"),
    "measures": Column("measures", "text", "that changed significantly, with the change"),
    "relations": Column("relations", "text", "that changed significantly, with the change"),
}


def read_histories(database: Database, submissions: Sequence[str]) -> list[History]:
    """Return the histories of what has several iterations among these submissions."""
    found = read_rows(database, "report_iterated", submissions=submissions)
    steps = sum(row["iterations"] for row in found)
    histories = []
    for row in found:
        whole = history(
            database,
            row["system_id"],
            treebank=row["treebank_id"],
            campaign=row["campaign_id"],
            tests="all" if steps <= TESTED_STEPS else "relations",
        )
        lines = [line for line in whole.lines if line.track == row["track"]]
        histories.append(replace(whole, lines=lines))
    return histories


def development(histories: Sequence[History], drawings: Drawings) -> Section:
    """Return how systems changed over their iterations."""
    title = "Over the iterations"
    reading = (
        "Every run against its parent or, where none is known, the iteration before. In the "
        "pictures a point is filled where that change is significant, blue for better and red for "
        "worse, hollow where it may be chance, and a cross where nothing was tested: relations by "
        "an exact test over sentences, metrics by approximate randomisation, p below 0.05 after "
        f"Holm's correction within each step. In the tables: {'; '.join(LEGEND)}."
    )
    if any(each.tests != "all" for each in histories):
        reading += f" With more than {TESTED_STEPS} iterations only the relations are tested."
    if not any(line.measures for each in histories for line in each.lines):
        missing = f"Nothing is scored: {SCORE}."
        return Section("history", "Iterations", title, reading, missing=missing)
    tabs = [
        Tab(line_name(each, line), _blocks(each, line, drawings))
        for each in histories
        for line in each.lines
    ]
    blocks = tabs[0].blocks if len(tabs) == 1 else [Tabs("history", tabs)]
    return Section("history", "Iterations", title, reading, blocks)


def line_name(of: History, line: Line) -> str:
    """Return the names of a line."""
    return f"{of.system_id} · {line.campaign_id} · {line.treebank_id} · {line.track}"


def _blocks(of: History, line: Line, drawings: Drawings) -> list[Any]:
    from sr_tracker.tracker.show.charts.history import history_chart

    name = line_name(of, line)
    summaries = of.summaries(line)
    blocks: list[Any] = []
    rows = history_rows(replace(of, lines=[line]))
    if rows["score"].null_count < len(rows):
        file = re.sub(r"[^\w.]+", "-", f"history {name}")
        alternative = (
            f"{len(line.measures)} measures over {len(line.runs)} iterations. "
            + " ".join(f"{each.measure.name}: {_told(each) or 'none'}." for each in summaries[:3])
        )
        blocks.append(
            drawings.draw(file, lambda: history_chart(rows.to_pandas(), of.system_id), alternative)
        )
    measures = [_measure_row(summary) for summary in summaries]
    iterations = [_iteration_row(of, line, run) for run in line.runs]
    return [
        *blocks,
        table(f"Measures: {name}", MEASURE, measures, shown=20),
        table(f"Iterations: {name}", ITERATION, iterations, shown=25),
    ]


def _measure_row(summary: Summary) -> Row:
    return {
        "measure": summary.measure.name,
        "first": summary.first,
        "last": summary.last,
        "best": summary.best,
        "best_at": None if summary.best_iteration is None else f"@{summary.best_iteration}",
        "line": sparkline(summary.values),
        "changes": summary.marks,
        "significant": _told(summary),
    }


def _told(summary: Summary) -> str:
    return " ".join(
        f"@{run.iteration}{RISE if (change.difference or 0) > 0 else FALL}"
        for run, change in summary.significant
    )


def _iteration_row(of: History, line: Line, run: Run) -> Row:
    iterations = {each.submission_id: f"@{each.iteration}" for each in line.runs}
    before = run.previous_submission_id
    changed = [
        change
        for change in run.changes.values()
        if change.kind != "relation" and change.is_significant(of.settings.alpha)
    ]
    relations = list(run.relations)
    more = len(relations) - RELATIONS_NAMED
    return {
        "iteration": run.iteration,
        "made": f"{run.created_at:%Y-%m-%d}".replace("-", UNBROKEN),
        "compared_with": None if before is None else iterations.get(before, before),
        "chosen": ", ".join(
            f"{name} {'–' if old is None else old} → {'–' if new is None else new}"
            for name, (old, new) in run.chosen.items()
        )
        or None,
        "measures": run.not_compared
        or ", ".join(f"{c.measure} {signed(c.difference)}" for c in changed)
        or None,
        "relations": (
            ", ".join(f"{c.deprel} {signed(c.difference)}" for c in relations[:RELATIONS_NAMED])
            + (f" and {more} more" if more > 0 else "")
        )
        or None,
    }


def signed(value: float | None) -> str:
    """Return a number with its sign, zero without one."""
    text = number(value)
    return f"+{text}" if value is not None and value > 0 else text
