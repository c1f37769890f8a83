"""The section of a report over iterations of one system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sr_tracker.queries.change.history import LEGEND, History, Line, Summary, history_rows
from sr_tracker.queries.change.history.computing import history
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import read_rows
from sr_tracker.tracker.show.findings.history import line_blocks, line_name, significant_runs
from sr_tracker.tracker.show.model import Block, Section, Tab, Tabs
from sr_tracker.tracker.show.report.drawing import Drawings
from sr_tracker.tracker.show.report.sections import SCORE

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


def _blocks(of: History, line: Line, drawings: Drawings) -> list[Block]:
    from sr_tracker.tracker.show.charts.history import history_chart

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
        blocks.append(
            drawings.draw(file, lambda: history_chart(rows.to_pandas(), of.system_id), alternative)
        )
    return [*blocks, *line_blocks(of, line)]


def _told(summary: Summary) -> str:
    return "".join(span.text for span in significant_runs(summary))
