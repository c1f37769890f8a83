"""What training files hold of a test set as a document."""

from __future__ import annotations

from sr_tracker.queries.metrics.registry import unit_of as unit
from sr_tracker.queries.test_sets.overlap import Overlap
from sr_tracker.schema.statements import Row
from sr_tracker.tracker.show.model import Cell, Column, Document, Line, Section, Table
from sr_tracker.tracker.show.numbers import UNDEFINED, interval, measured, percent
from sr_tracker.tracker.show.tables import rows_table

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
        Column("sentences", "text", "overlapping, and the rest", ends=True),
    ]
    lines = []
    before = None
    for row in rows:
        metric = row["metric"]
        counts = (row["overlapping_sentences"], row["rest_sentences"])
        lines.append(
            Line(
                [
                    Cell(row["submission_id"]),
                    Cell(metric, title=row["undefined_reason"] or ""),
                    Cell(measured(metric, row["overlapping"]), row["overlapping"]),
                    Cell(measured(metric, row["rest"]), row["rest"]),
                    Cell(measured(metric, row["difference"], sign=True), row["difference"]),
                    Cell(interval(metric, row["low"], row["high"], sign=True), row["low"]),
                    Cell(UNDEFINED if None in counts else f"{counts[0]:,} + {counts[1]:,}"),
                ],
                starts=before is not None and row["submission_id"] != before,
            )
        )
        before = row["submission_id"]
    return Table("Scores apart", columns, lines)
