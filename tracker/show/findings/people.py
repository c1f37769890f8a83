"""Rankings by people, and metrics against people, as overview papers print them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

from ....queries.metrics.registry import label_of
from ....queries.numbers import UNDEFINED, number
from ....schema.brief import plural
from ....schema.statements import Row
from ..model import Cell, Column, Document, Section, Table
from ..tables import filled

if TYPE_CHECKING:
    from ....queries.people.human_scores import HumanSettings


STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_DIGITS = {"raw": 1, "z": 3}


def ranking_tables(rankings: Sequence[Row], settings: HumanSettings) -> list[Table]:
    """Return a table for each treebank and criterion: ranks, systems and scores, best first.

    A line is drawn between clusters; the best score stands out.
    """
    digits = _DIGITS[settings.ranked_by]
    names = _names(rankings)
    columns = [Column("Rank", "text"), Column("System", "text"), Column("Human"), Column("n")]
    tables = []
    for place, rows in _grouped(rankings):
        cells = [
            [
                _ranks(row),
                names[row["submission_id"]],
                _score(row["score"], digits, best=row["place"] == 1),
                Cell(str(row["sentences"]), row["sentences"]),
            ]
            for row in rows
        ]
        clusters = [row["cluster"] for row in rows]
        caption = (
            f"{_named_place(place)}: mean {_scale(settings)} by people; "
            f"lines part clusters{_unit(rows)}"
        )
        tables.append(filled(caption, columns, cells, groups=clusters, titled=True))
    return tables


def head_to_head_tables(comparisons: Sequence[Row], settings: HumanSettings) -> list[Table]:
    """Return a square for each treebank and criterion: differences of scores, row minus column.

    A difference has one star where the row's system is rated significantly higher with p below
    0.05, two below 0.01 and three below 0.001, and stands out then.
    """
    digits = _DIGITS[settings.ranked_by]
    names = _names(comparisons)
    tables = []
    for place, rows in _grouped(comparisons):
        order = list(dict.fromkeys(row["submission_id"] for row in rows))
        pairs = {(row["submission_id"], row["other_submission_id"]): row for row in rows}
        square = [[_difference(pairs.get((a, b)), digits, settings) for b in order] for a in order]
        cells = [[names[one], *row] for one, row in zip(order, square, strict=True)]
        columns = [Column("System", "text"), *(Column(names[name]) for name in order)]
        corrected = ", Holm–Bonferroni" if settings.holm else ""
        caption = (
            f"{_named_place(place)}: difference of mean {_scale(settings)}, row minus column "
            f"({settings.test} test{_unit(rows)}{corrected}; "
            "* p < 0.05, ** p < 0.01, *** p < 0.001)"
        )
        tables.append(filled(caption, columns, cells, titled=True))
    return tables


def head_to_head(tables: Sequence[Table]) -> Document:
    """Return the squares as a document."""
    sections = [
        Section(f"square-{at}", "Head to head", "", blocks=[table])
        for at, table in enumerate(tables, start=1)
    ]
    return Document("Head to head", "Which system is rated higher", sections)


def _grouped(rows: Sequence[Row]) -> list[tuple[tuple[str, ...], list[Row]]]:
    def place(row: Row) -> tuple[str, ...]:
        return row["campaign_id"], row["treebank_id"], row["criterion"]

    return [(key, list(group)) for key, group in groupby(rows, key=place)]


def _named_place(place: tuple[str, ...]) -> str:
    return ", ".join(place)


def _unit(rows: Sequence[Row]) -> str:
    """Return what tests of these systems take for independent, where it is documents."""
    of_documents = [row["documents"] for row in rows if row["documents"] is not None]
    if not of_documents:
        return ""
    effects = [row["design_effect"] for row in rows if row["design_effect"] is not None]
    effect = f", design effect {median(effects):.1f}" if effects else ""
    return f", tests over {plural(max(of_documents), 'document')}{effect}"


def _scale(settings: HumanSettings) -> str:
    over = " over domains" if settings.over == "domains" else ""
    return f"{'z-score' if settings.ranked_by == 'z' else 'score'}{over}"


def _names(rows: Sequence[Row]) -> dict[str, str]:
    """Return what each submission is called: its system, with the iteration from the second on."""
    return {
        row["submission_id"]: row["system_id"]
        if row["iteration"] == 1
        else f"{row['system_id']}@{row['iteration']}"
        for row in rows
    }


def _ranks(row: Row) -> str:
    if row["rank_from"] is None:
        return UNDEFINED
    return f"{row['rank_from']}–{row['rank_to']}"


def _score(value: float | None, digits: int, *, best: bool) -> Cell:
    if value is None:
        return Cell(UNDEFINED)
    return Cell(number(value, digits), value, "strong" if best else "")


def _difference(row: Row | None, digits: int, settings: HumanSettings) -> Cell:
    if row is None:
        return Cell("")
    difference, p_value = row["score_difference"], row["p_holm" if settings.holm else "p_value"]
    if difference is None:
        return Cell(UNDEFINED)
    higher = p_value is not None
    stars = next((sign for level, sign in STARS if higher and p_value < level), "")
    return Cell(f"{number(difference, digits)}{stars}", difference, "strong" if stars else "")


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
        of_place = list(group)
        present = {_statistic(row) for row in of_place}
        statistics = [name for name in STATISTICS if name in present]
        cells = {(_statistic(row), row["metric"]): row for row in of_place}
        order = _by_average_place(of_place)
        columns = [
            Column("Metric", "text"),
            Column("place", digits=1),
            *(Column(STATISTICS[name], digits=DIGITS) for name in statistics),
        ]
        rows_of_metrics = [
            [label_of(metric), average, *(_value(cells.get((name, metric))) for name in statistics)]
            for metric, average in order
        ]
        tables.append(filled(_caption(place, of_place), columns, rows_of_metrics, titled=True))
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
    return sorted(averages, key=lambda pair: (pair[1] is None, pair[1] or 0.0, pair[0]))


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
