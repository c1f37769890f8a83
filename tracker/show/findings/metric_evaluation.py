"""Metrics against people, as overview papers of metrics tasks print them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from sr_tracker.schema.brief import plural
from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.model import Cell, Column, Document, Line, Section, Table
from sr_tracker.tracker.show.numbers import UNDEFINED, number

DIGITS = 4
STATISTICS = {
    ("sentence", "accuracy"): "acc*_eq",
    ("sentence", "kendall"): "tau-b",
    ("sentence", "pearson"): "r (outputs)",
    ("system", "soft_accuracy"): "SPA",
    ("system", "pairwise_accuracy"): "PA",
    ("system", "pearson"): "r (systems)",
    ("system", "pearson_without_outliers"): "r (no outliers)",
}
RANKING = {("sentence", "accuracy"), ("system", "soft_accuracy"), ("system", "pairwise_accuracy")}
"""What a metric's average place is of; the others where there is none of these."""


def evaluation_tables(rows: Sequence[Row]) -> list[Table]:
    """Return a table for each treebank, criterion and part: metrics by their average place.

    The cluster stands in brackets behind a value; values of the first cluster, or the best where
    nothing is tested, stand out.
    """
    tables = []
    for place, group in groupby(rows, key=_place):
        found = list(group)
        present = {_statistic(row) for row in found}
        statistics = [each for each in STATISTICS if each in present]
        cells = {(_statistic(row), row["metric"]): row for row in found}
        order = _by_average_place(found)
        columns = [
            Column("Metric", "text"),
            Column("place", digits=1),
            *(Column(STATISTICS[each], digits=DIGITS) for each in statistics),
        ]
        lines = [
            Line(
                [
                    Cell(metric),
                    Cell(UNDEFINED) if average is None else Cell(f"{average:.1f}", average),
                    *(_value(cells.get((each, metric))) for each in statistics),
                ]
            )
            for metric, average in order
        ]
        tables.append(Table(_caption(place, found), columns, lines, titled=True))
    return tables


def evaluation_document(tables: Sequence[Table]) -> Document:
    """Return the tables as a document."""
    sections = [
        Section(f"evaluation-{at}", "Metrics", "", blocks=[table])
        for at, table in enumerate(tables, start=1)
    ]
    return Document("Metrics", "Metrics against people", sections)


def _place(row: Row) -> tuple[str, ...]:
    return tuple(row[key] for key in ("campaign_id", "treebank_id", "criterion", "part"))


def _statistic(row: Row) -> tuple[str, str]:
    return row["level"], row["statistic"]


def _by_average_place(rows: Sequence[Row]) -> list[tuple[str, float | None]]:
    """Return metrics with the mean of their places, the lowest first; None where there is none."""
    ranking = [row for row in rows if _statistic(row) in RANKING] or rows
    averages: list[tuple[str, float | None]] = []
    for metric in dict.fromkeys(row["metric"] for row in rows):
        places = [
            row["place"] for row in ranking if row["metric"] == metric and row["place"] is not None
        ]
        averages.append((metric, sum(places) / len(places) if places else None))
    return sorted(averages, key=lambda each: (each[1] is None, each[1] or 0.0, each[0]))


def _value(row: Row | None) -> Cell:
    if row is None or row["value"] is None:
        return Cell(UNDEFINED, title=(row or {}).get("undefined_reason") or "")
    best = (row["cluster"] or row["place"]) == 1
    cluster = "" if row["cluster"] is None else f" ({row['cluster']})"
    low, high = number(row["low"], DIGITS), number(row["high"], DIGITS)
    title = "" if row["low"] is None else f"95%: {low} to {high}"
    shown = number(row["value"], DIGITS) + cluster
    return Cell(shown, row["value"], "strong" if best else "", title=title)


def _caption(place: tuple[str, ...], rows: Sequence[Row]) -> str:
    part = "" if place[3] == "all" else f", {rows[0]['part_kind']} {place[3]}"
    sizes = f"{plural(rows[0]['systems'], 'system')}, {plural(rows[0]['items'], 'item')}"
    clusters = "; in brackets: cluster" if any(row["cluster"] for row in rows) else ""
    return f"{', '.join(place[:3])}{part}: metrics against people ({sizes}{clusters})"
