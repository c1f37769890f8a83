"""Challenge sets, and what training files hold of test sets, as documents."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ....queries.metrics.registry import unit_of as unit
from ....queries.numbers import UNDEFINED, interval, measured, number, percent, probability
from ....queries.tasks.challenges import Challenges
from ....queries.tasks.overlap import Overlap
from ....schema.parameters import ALPHA
from ....schema.statements import Row
from ..model import Cell, Column, Document, Section, Table, Tone
from ..tables import filled, rows_table

ALL = "all"


def challenges_document(found: Challenges) -> Document:
    """Return a table of pass rates for each test set, and of metrics for each contrastive set."""
    rates = found.rates.to_pylist()
    metrics = found.metrics.to_pylist()
    sections = [
        Section(f"outputs-{place}", treebank, treebank, blocks=[_rates(treebank, [*rows])])
        for place, (treebank, rows) in enumerate(groupby(rates, _treebank), start=1)
    ]
    sections += [
        Section(
            f"metrics-{place}", "Metrics", f"Metrics on {name}", blocks=[_metrics(name, [*rows])]
        )
        for place, (name, rows) in enumerate(groupby(metrics, _challenge), start=1)
    ]
    lead = "" if rates else "No submission is to a test set with challenge items."
    return Document("Challenge", "Challenge sets", sections, lead=lead, legend=_LEGEND)


_LEGEND = (
    "intervals: Wilson, 95 %",
    "gained, lost: items against the run before; p: McNemar's exact test, after Holm's correction",
)


def _treebank(row: Row) -> Any:
    return row["treebank_id"]


def _challenge(row: Row) -> Any:
    return row["challenge"]


def _interval(row: Row) -> Cell:
    """Return the ends of an interval; a dash where all items are of one template."""
    known = row["low"] is not None
    ends = f"[{percent(row['low'], 1)}, {percent(row['high'], 1)}]" if known else UNDEFINED
    return Cell(ends, row["low"])


def _rates(treebank: str, rows: list[Row]) -> Table:
    columns = [
        Column("phenomenon", "text"),
        Column("submission", "text"),
        Column("items"),
        Column("passed"),
        Column("rate", bar=True),
        Column("interval", "text"),
        Column("gained"),
        Column("lost"),
        Column("p", "probability"),
    ]
    cells = []
    for row in rows:
        p_value = row["p_holm"] if row["phenomenon"] is not None else row["p_value"]
        significant = p_value is not None and p_value < ALPHA
        tone: Tone = "better" if (row["gained"] or 0) > (row["lost"] or 0) else "worse"
        name = row["submission_id"].replace(f"/{treebank}", "")
        cells.append(
            [
                row["phenomenon"] or ALL,
                Cell(name, title=row["submission_id"]),
                row["items"],
                row["passed"],
                _share(row["pass_rate"]),
                _interval(row),
                row["gained"],
                row["lost"],
                Cell(probability(p_value), p_value, tone if significant else ""),
            ]
        )
    phenomena = [row["phenomenon"] for row in rows]
    return filled(f"Items of {treebank}", columns, cells, groups=phenomena)


def _share(value: float) -> Cell:
    return Cell(percent(value, 1), value, share=value)


def _metrics(name: str, rows: list[Row]) -> Table:
    columns = [
        Column("phenomenon", "text"),
        Column("metric", "text"),
        Column("items"),
        Column("good preferred", bar=True),
        Column("interval", "text"),
        Column("tied"),
        Column("tau"),
    ]
    cells = [
        [
            row["phenomenon"] or ALL,
            row["metric"],
            row["items"],
            _share(row["preferred_rate"]),
            _interval(row),
            row["tied"],
            Cell(number(row["tau"], sign=True), row["tau"]),
        ]
        for row in rows
    ]
    return filled(f"Metrics on {name}", columns, cells)


SHOWN = 10


def overlap_document(found: Overlap, *, top: int = SHOWN) -> Document:
    """Return how much there is, the scores of both parts, and the most similar sentences."""
    sizes = found.sizes.drop_columns(["treebank_id", "training"])
    units = ", ".join(dict.fromkeys(unit(name) for name in found.scores["metric"].to_pylist()))
    sections = [
        Section("sizes", "Overlap", "Sentences", blocks=[rows_table(sizes, "Overlap")]),
        Section(
            "scores",
            "Scores",
            "Scores apart",
            units,
            [_scores(found.scores.to_pylist())],
            "" if found.scores.num_rows else "No submission to the test set has a score.",
        ),
    ]
    if found.sentences.num_rows:
        table = rows_table(found.sentences.slice(0, top), "Overlapping sentences")
        sections.append(Section("sentences", "Sentences", "Overlapping sentences", blocks=[table]))
    return Document(
        "Overlap",
        f"{found.treebank_id} in {found.training}",
        sections,
        verdict=[_told(row) for row in found.sizes.to_pylist()],
        legend=("a difference is no proof: overlapping sentences may be shorter, or easier",),
        provenance=[("intervals", f"{found.replicates:,} replicates, seed {found.seed}")],
    )


def _told(row: Row) -> str:
    share = percent(row["overlapping"] / row["sentences"], 1)
    return (
        f"{row['overlapping']:,} of {row['sentences']:,} {row['side']}s ({share}) overlap, "
        f"{row['exact']:,} of them word by word."
    )


def _scores(rows: list[Row]) -> Table:
    columns = [
        Column("submission", "text"),
        Column("metric", "text"),
        Column("overlapping"),
        Column("rest"),
        Column("difference"),
        Column("interval", "text"),
        Column("sentences", "text", "overlapping, and the rest", ends=1),
    ]
    cells = []
    for row in rows:
        metric = row["metric"]
        counts = (row["overlapping_sentences"], row["rest_sentences"])
        cells.append(
            [
                row["submission_id"],
                Cell(metric, title=row["undefined_reason"] or ""),
                Cell(measured(metric, row["overlapping"]), row["overlapping"]),
                Cell(measured(metric, row["rest"]), row["rest"]),
                Cell(measured(metric, row["difference"], sign=True), row["difference"]),
                Cell(interval(metric, row["low"], row["high"], sign=True), row["low"]),
                None if None in counts else f"{counts[0]:,} + {counts[1]:,}",
            ]
        )
    submissions = [row["submission_id"] for row in rows]
    return filled("Scores apart", columns, cells, groups=submissions)
