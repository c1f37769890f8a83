"""The section a report on one system begins with: its newest iterations, and what went before."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.change.history import GAP, LEGEND, History, Line, Summary
from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.findings.history import line_name
from sr_tracker.tracker.show.model import Column, Section, Table
from sr_tracker.tracker.show.numbers import number
from sr_tracker.tracker.show.tables import table

NEWEST = {
    "measure": Column("measure", "text"),
    "newest": Column("newest"),
    "previous": Column("before", meaning="of the run it is compared with"),
    "change": Column("change", "text", "; ".join(LEGEND)),
    "best": Column("best", meaning="best value of all iterations"),
    "best_at": Column("best at", "text", "iteration with the best value"),
    "behind": Column("from best", "text", "newest minus best"),
}


def newest(histories: Sequence[History]) -> Section:
    """Return each line's newest iteration against the run before it and the best one."""
    reading = (
        "The newest iteration of each treebank and track beside the run it was developed from (or "
        "the iteration before) and beside the best value so far; averages further down rest on "
        f"the newest iterations. Changes: {'; '.join(LEGEND)} (p below 0.05 after Holm's "
        "correction)."
    )
    tables = [_table(each, line) for each in histories for line in each.lines if line.measures]
    return Section("newest", "Newest", "The newest iteration", reading, tables)


def _table(of: History, line: Line) -> Table:
    run = line.runs[-1]
    here = {each.submission_id: f"@{each.iteration}" for each in line.runs}
    before = run.previous_submission_id
    against = f" against {here.get(before, before)}" if before else ""
    caption = f"{line_name(of, line)}: @{run.iteration}{against}"
    rows = [_row(line, summary) for summary in of.summaries(line)]
    return table(caption, NEWEST, rows, shown=20, note=run.not_compared or "")


def _row(line: Line, summary: Summary) -> Row:
    run, value = line.runs[-1], summary.values[-1]
    change = run.changes.get(summary.measure.name)
    mark = "" if summary.marks[-1] == GAP else summary.marks[-1]
    known = change is not None and change.difference is not None
    return {
        "measure": summary.measure.name,
        "newest": value,
        "previous": change.base if change else None,
        "change": f"{number(change.difference, sign=True)} {mark}"
        if change and known
        else mark or None,
        "best": summary.best,
        "best_at": None if summary.best_iteration is None else f"@{summary.best_iteration}",
        "behind": None
        if value is None or summary.best is None
        else number(value - summary.best, sign=True),
    }
