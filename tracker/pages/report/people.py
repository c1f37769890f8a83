"""The sections of a report over people's judgements, marked errors and differences of scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ....queries.examination.marked_errors import has_marked_errors, marked_errors
from ....schema.brief import plural
from ....schema.database import Database
from ....schema.statements import Row
from ...examination.marked_errors import errors_table
from ...show.findings import people as findings
from ...show.model import Block, Chart, Section, Tab
from ..sections import section, view_table
from .data import ReportData
from .sections import Drawings, tabbed

SUBMISSIONS_DRAWN = 30
MARKED_SHOWN = 15
_ALSO = ("category", "relation", "accuracy", "metric")


def people(data: ReportData, drawings: Drawings) -> Section:
    """Return the rankings by people's judgement, with the significance of their differences."""
    pairs = data.rows("report_human_comparisons")

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        of_group = [row for row in pairs if _group(row) == name]
        alternative = f"Significant differences between {plural(len(rows), 'system')}: {name}."
        drawn = _drawn(drawings, f"people {name}", "human_heat_map", of_group, alternative)
        return [*drawn, view_table("report.people", rows, caption=f"Ranking: {name}")]

    return section("report.people", _tabs("people", data.human_rankings, _group, blocks))


def agreement(data: ReportData, drawings: Drawings) -> Section:
    """Return how metrics go with people's judgement."""
    evaluations = data.rows("report_metric_evaluations")
    agreements = data.rows("report_metric_agreements")
    nothing = "Not computed" if data.human_rankings else "No human scores of several systems"

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        evaluated = [row for row in rows if "statistic" in row]
        correlated = [row for row in rows if "coefficient" in row]
        caption = f"Metrics against people: {name}"
        return [
            *evaluation_figures(evaluated, drawings),
            *findings.evaluation_tables(evaluated),
            *(view_table("report.agreement", correlated, caption=caption) for _ in correlated[:1]),
        ]

    parts = [
        *(["report.evaluation"] if evaluations else []),
        *(["report.agreement"] if agreements or not evaluations else []),
    ]
    return section(
        "report.agreement",
        _tabs("agreement", [*evaluations, *agreements], _group, blocks),
        {"nothing": nothing},
        reading=" ".join(section(part, words={"nothing": ""}).reading for part in parts),
    )


def evaluation_figures(rows: Sequence[Row], drawings: Drawings) -> list[Block]:
    """Return a figure for each campaign: metrics with the intervals of their agreement."""
    drawn = [
        row
        for row in rows
        if (row["level"], row["statistic"]) in findings.RANKING and row["value"] is not None
    ]
    figures: list[Block] = []
    for campaign in dict.fromkeys(row["campaign_id"] for row in drawn):
        of_one = [row for row in drawn if row["campaign_id"] == campaign]
        name = f"metrics {campaign} · {_group(of_one[0])}"
        metrics = {row["metric"] for row in of_one}
        alternative = f"Agreement of {len(metrics)} metrics with people: {name}."
        figures += _drawn(drawings, name, "metric_evaluation_chart", of_one, alternative)
    return figures


def significance(data: ReportData, drawings: Drawings) -> Section:
    """Return confidence intervals of the scores and the significance of their differences."""

    def blocks(name: str, rows: Sequence[Row]) -> list[Block]:
        pairs = [
            row
            for row in data.metric_changes
            if (row["measure"], row["treebank_id"]) == (rows[0]["metric"], rows[0]["treebank_id"])
        ]
        alternative = f"Bootstrap intervals of {plural(len(rows), 'submission')}: {name}."
        defined = [row for row in rows if row["low"] is not None]
        drawn = defined if len(defined) <= SUBMISSIONS_DRAWN else []
        return [
            *_drawn(drawings, f"intervals {name}", "intervals_chart", drawn, alternative),
            view_table("report.significance", rows, caption=f"Intervals: {name}"),
            *(view_table("report.pairs", pairs, caption=f"Pairs: {name}") for _ in pairs[:1]),
        ]

    return section("report.significance", _tabs("significance", data.intervals, _metric, blocks))


def _group(row: Row) -> str:
    return f"{row['treebank_id']} · {row['criterion']}"


def _metric(row: Row) -> str:
    return f"{row['metric']} · {row['treebank_id']}"


def _tabs(
    group: str,
    rows: Sequence[Row],
    name_of: Callable[[Row], str],
    blocks: Callable[[str, Sequence[Row]], list[Block]],
) -> list[Block]:
    """Return one tab for each name; the blocks alone where there is one."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return tabbed(group, [Tab(name, blocks(name, of_name)) for name, of_name in groups.items()])


def _drawn(
    drawings: Drawings, name: str, chart: str, rows: Sequence[Row], alternative: str
) -> list[Block]:
    if not rows:
        return []
    file = re.sub(r"[^\w.]+", "-", name)
    return [drawings.draw(file, alternative, chart, [*rows], name.partition(" ")[2])]


def errors_figure(rows: Sequence[Row], drawings: Drawings | None = None) -> Chart:
    """Return rows of ``marked_errors`` by whom as bars, in parts by severity."""
    told = "; ".join(f"{row['name']} {row['errors']:,} errors" for row in rows[:MARKED_SHOWN])
    return (drawings or Drawings(None)).draw(
        "marked-errors", told, "marked_errors_chart", [*rows], "Marked errors"
    )


def marked(database: Database, submissions: Sequence[str], drawings: Drawings) -> list[Section]:
    """Return what errors people marked in these submissions' outputs; nothing where none are."""
    if not has_marked_errors(database, submissions):
        return []
    by_system = marked_errors(database, submissions, "system").to_pylist()
    tables = [errors_table("system", by_system)]
    for by in _ALSO:
        rows = marked_errors(database, submissions, by).to_pylist()
        rows = [row for row in rows if row.get("about", "all") == "all"]
        tables += [errors_table(by, rows, MARKED_SHOWN)] if rows else []
    return [section("report.errors", [errors_figure(by_system, drawings), *tables])]
