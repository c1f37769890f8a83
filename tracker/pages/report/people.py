"""The sections of a report over people's judgements, marked errors and differences of scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....queries.examination.marked_errors import has_marked_errors, marked_errors
from ....schema.brief import plural
from ....schema.database import Database
from ....schema.statements import Row
from ...show.findings import people as findings
from ...show.findings.marked_errors import errors_table
from ...show.model import Column, Figure, Paragraph, Section, Tab
from ...show.tables import table
from .data import ReportData
from .sections import Drawings, tabbed

if TYPE_CHECKING:
    pass


HUMAN = "load raw judgements, run 'tracker human' and make the report again"
SIGNIFICANCE = "run 'tracker significance' and make the report again"
SUBMISSIONS_DRAWN = 30

RANKING = {
    "submission_id": Column("submission", "text"),
    "cluster": Column("cluster", meaning="systems of different clusters differ significantly"),
    "rank_from": Column("rank from", meaning="best rank that the tests allow"),
    "rank_to": Column("to", meaning="worst rank that the tests allow"),
    "score": Column("score", meaning="what ranks: mean over sentences, or over domains"),
    "z_mean": Column("z", meaning="mean of the sentences' z-scores"),
    "raw_mean": Column("raw", meaning="mean of the sentences' raw scores, 0 to 100", digits=1),
    "sentences": Column("sentences", meaning="distinct sentences judged"),
    "assessments": Column("assessments", meaning="judgements behind them"),
}
AGREEMENT = {
    "metric": Column("metric", "text"),
    "level": Column("level", "text", "what is correlated: systems or sentences"),
    "method": Column("method", "text"),
    "outliers": Column("outliers", "text", "with or without outlier systems"),
    "coefficient": Column("coefficient"),
    "n": Column("n", meaning="systems or outputs"),
    "p_value": Column("p", "probability"),
    "williams_p_value": Column("p (Williams)", "probability", "is the best metric better?"),
    "among_best": Column("among the best", "yes"),
    "warning": Column("warning", "text"),
}
INTERVAL = {
    "submission_id": Column("submission", "text"),
    "score": Column("score"),
    "low": Column("low", meaning="lower end of the bootstrap interval"),
    "high": Column("high", meaning="upper end of the bootstrap interval"),
    "sentences": Column("sentences"),
    "replicates": Column("replicates", meaning="resampled test sets"),
}
COMPARISON = {
    "submission_id": Column("submission", "text"),
    "base_submission_id": Column("compared with", "text"),
    "difference": Column("difference"),
    "low": Column("low", meaning="lower end of its bootstrap interval"),
    "high": Column("high", meaning="upper end of its bootstrap interval"),
    "p_holm": Column("p", "probability", meaning="corrected over its family (Holm)"),
    "family": Column(
        "family", "text", meaning="primary: a verdict rests on it; exploratory: tested alone"
    ),
}


def people(data: ReportData, drawings: Drawings) -> Section:
    """Return the rankings by people's judgement, with the significance of their differences."""
    title = "What people say"
    reading = (
        "Raw judgements standardised by annotator, averaged by sentence, then by system. Systems "
        "of different clusters differ significantly: Wilcoxon tests of every pair, p below 0.05 "
        "(rank-sum unless 'tracker human' was asked otherwise). In the heat map a coloured cell "
        "says that the system of its row is rated higher than that of its column."
    )
    if not data.human_rankings:
        return Section("people", "People", title, reading, missing=f"No judgements: {HUMAN}.")

    def blocks(name: str, rows: Sequence[Row]) -> list[Any]:
        pairs = [row for row in data.human_comparisons if _group(row) == name]
        shown = table(f"Ranking: {name}", RANKING, rows, shown=25)
        alternative = f"Significant differences between {plural(len(rows), 'system')}: {name}."
        return [*_drawn(drawings, f"people {name}", "human_heat_map", pairs, alternative), shown]

    return Section(
        "people", "People", title, reading, _tabs("people", data.human_rankings, _group, blocks)
    )


def agreement(data: ReportData, drawings: Drawings) -> Section:
    """Return how metrics go with people's judgement."""
    title = "Metrics against people"
    readings = {
        "Pairs of outputs (acc*_eq) and of systems (SPA, PA) that a metric orders as people do; in "
        "brackets the cluster of metrics that hardly differ.": data.metric_evaluations,
        "Correlation of each metric with people's mean z-score over systems, and over single "
        "outputs (sentences). Among the best is a metric that no other one is significantly better "
        "than (Williams test). With few systems a high correlation says little.": (
            data.metric_agreements or not data.metric_evaluations
        ),
    }
    reading = " ".join(text for text, shown in readings.items() if shown)
    rows = [*data.metric_evaluations, *data.metric_agreements]
    if not rows:
        reason = "No human scores of several systems" if not data.human_rankings else "Not computed"
        return Section(
            "agreement", "Metrics and people", title, reading, missing=f"{reason}: {HUMAN}."
        )

    def blocks(name: str, rows: Sequence[Row]) -> list[Any]:
        evaluated = [row for row in rows if "statistic" in row]
        correlated = [row for row in rows if "coefficient" in row]
        shown = table(f"Metrics against people: {name}", AGREEMENT, correlated, shown=20)
        return [
            *evaluation_figures(evaluated, drawings),
            *findings.evaluation_tables(evaluated),
            *([shown] if correlated else []),
        ]

    found = _tabs("agreement", rows, _group, blocks)
    return Section("agreement", "Metrics and people", title, reading, found)


def evaluation_figures(rows: Sequence[Row], drawings: Drawings) -> list[Any]:
    """Return a figure for each campaign: metrics with the intervals of their agreement."""
    drawn = [
        row
        for row in rows
        if (row["level"], row["statistic"]) in findings.RANKING and row["value"] is not None
    ]
    figures = []
    for campaign in dict.fromkeys(row["campaign_id"] for row in drawn):
        found = [row for row in drawn if row["campaign_id"] == campaign]
        name = f"metrics {campaign} · {_group(found[0])}"
        told = f"Agreement of {len({row['metric'] for row in found})} metrics with people: {name}."
        figures += _drawn(drawings, name, "metric_evaluation_chart", found, told)
    return figures


def significance(data: ReportData, drawings: Drawings) -> Section:
    """Return confidence intervals of the scores and the significance of their differences."""
    title = "Is the difference more than chance?"
    reading = (
        "Confidence intervals from resampling the sentences (bootstrap), and of pairs of "
        "submissions the stored comparisons: approximate randomisation, corrected over the "
        "metrics that a verdict rests on. Two intervals may overlap although the paired "
        "difference is significant."
    )
    if not data.intervals:
        return Section(
            "significance", "Significance", title, reading, missing=f"Not tested: {SIGNIFICANCE}."
        )

    def blocks(name: str, rows: Sequence[Row]) -> list[Any]:
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
            table(f"Intervals: {name}", INTERVAL, rows, shown=10),
            *([table(f"Pairs: {name}", COMPARISON, pairs, shown=10)] if pairs else []),
        ]

    return Section(
        "significance",
        "Significance",
        title,
        reading,
        _tabs("significance", data.intervals, _metric, blocks),
    )


def _group(row: Row) -> str:
    return f"{row['treebank_id']} · {row['criterion']}"


def _metric(row: Row) -> str:
    return f"{row['metric']} · {row['treebank_id']}"


def _tabs(
    group: str,
    rows: Sequence[Row],
    name_of: Callable[[Row], str],
    blocks: Callable[[str, Sequence[Row]], list[Any]],
) -> list[Any]:
    """Return one tab for each name; the blocks alone where there is one."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name_of(row), []).append(row)
    return tabbed(group, [Tab(name, blocks(name, found)) for name, found in groups.items()])


def _drawn(
    drawings: Drawings, name: str, chart: str, rows: Sequence[Row], alternative: str
) -> list[Any]:
    if not rows:
        return []
    file = re.sub(r"[^\w.]+", "-", name)
    return [drawings.draw(file, alternative, chart, [*rows], name.partition(" ")[2])]


SHOWN = 15
_ALSO = ("category", "relation", "accuracy", "metric")


def errors_figure(rows: Sequence[Row], drawings: Drawings | None = None) -> Figure | Paragraph:
    """Return rows of ``marked_errors`` by whom as bars, in parts by severity."""
    told = "; ".join(f"{row['name']} {row['errors']:,} errors" for row in rows[:SHOWN])
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
        tables += [errors_table(by, rows, SHOWN)] if rows else []
    reading = (
        "Errors that annotators marked in the outputs, grave where major or critical, per 100 "
        "words of the judged outputs. Relations are those of marked words, or of sentences with "
        "outputs that have a grave error; a metric misses one where it scores its output no lower "
        "than one without."
    )
    figure = errors_figure(by_system, drawings)
    return [Section("errors", "Errors", "Errors that people marked", reading, [figure, *tables])]
