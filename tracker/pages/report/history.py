"""The sections of a report over iterations: the newest, and all of a system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ....queries.change.history import GAP, LEGEND, History, Line, Summary, history_rows
from ....queries.change.history.computing import history
from ....queries.numbers import number
from ....schema.database import Database
from ....schema.statements import Row, read_rows
from ...show.findings.history import line_blocks, line_name, significant_runs
from ...show.model import Block, Section, Tab, Table
from ..sections import section, view_table
from .sections import Drawings, tabbed

TESTED_STEPS = 30
"""Of more iterations in all only the relations are tested: the rest takes 0.4 s each."""


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
    lines = [(whole, line) for whole in histories for line in whole.lines]
    cut = any(whole.tests != "all" for whole in histories)
    only = f" With more than {TESTED_STEPS} iterations only the relations are tested."
    words = {"marks": "; ".join(LEGEND), "only": only if cut else ""}
    if not any(line.measures for _, line in lines):
        return section("report.history", words=words)
    tabs = [Tab(line_name(whole, line), _blocks(whole, line, drawings)) for whole, line in lines]
    return section("report.history", tabbed("history", tabs), words)


def _blocks(of: History, line: Line, drawings: Drawings) -> list[Block]:
    name = line_name(of, line)
    summaries = of.summaries(line)
    blocks: list[Block] = []
    rows = history_rows(replace(of, lines=[line]))
    if rows["score"].null_count < len(rows):
        file = re.sub(r"[^\w.]+", "-", f"history {name}")
        alternative = (
            f"{len(line.measures)} measures over {len(line.runs)} iterations. "
            + " ".join(f"{each.measure.name}: {_told(each) or 'none'}." for each in summaries[:3])
        )
        blocks.append(drawings.draw(file, alternative, "history_chart", rows, of.system_id))
    return [*blocks, *line_blocks(of, line)]


def _told(summary: Summary) -> str:
    return "".join(span.text for span in significant_runs(summary))


def newest(histories: Sequence[History]) -> Section:
    """Return each line's newest iteration against the run before it and the best one."""
    tables = [_table(each, line) for each in histories for line in each.lines if line.measures]
    return section("report.newest", tables, {"marks": "; ".join(LEGEND)})


def _table(of: History, line: Line) -> Table:
    run = line.runs[-1]
    here = {each.submission_id: f"@{each.iteration}" for each in line.runs}
    before = run.previous_submission_id
    against = f" against {here.get(before, before)}" if before else ""
    caption = f"{line_name(of, line)}: @{run.iteration}{against}"
    rows = [_row(line, summary) for summary in of.summaries(line)]
    note = run.not_compared or ""
    return view_table("report.newest", rows, caption=caption, note=note)


def _row(line: Line, summary: Summary) -> Row:
    run, value = line.runs[-1], summary.values[-1]
    change = run.changes.get(summary.measure.name)
    mark = "" if summary.marks[-1] == GAP else summary.marks[-1]
    known = change is not None and change.difference is not None
    return {
        "measure": summary.measure.name,
        "newest": value,
        "before": change.base if change else None,
        "change": f"{number(change.difference, sign=True)} {mark}"
        if change and known
        else mark or None,
        "best": summary.best,
        "best_at": None if summary.best_iteration is None else f"@{summary.best_iteration}",
        "from_best": None
        if value is None or summary.best is None
        else number(value - summary.best, sign=True),
    }
