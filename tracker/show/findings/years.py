"""Scores over the years of a campaign as a document."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.change.years import SHOWN, Years, as_table
from sr_tracker.tracker.show.model import Document, Section
from sr_tracker.tracker.show.tables import constant_texts, rows_table


def years_document(years: Years) -> Document:
    """Return a table for each measure."""
    rows = as_table(years.scores)
    better = {score.measure: score.better for score in years.scores}
    sections = [
        _section(f"measure-{place}", measure, way, _of_measure(rows, measure))
        for place, (measure, way) in enumerate(better.items(), start=1)
    ]
    return Document("Years", "Scores over the years", sections)


def _section(anchor: str, measure: str, better: str, rows: pa.Table) -> Section:
    """Return a table of a measure; what is the same in all rows stands above it."""
    alike = constant_texts(rows)
    same = " · ".join(f"{name}: {rows[name][0]}" for name in alike)
    table = rows_table(rows.drop_columns(alike), measure)
    return Section(anchor, measure, f"{measure} ({better} is better)", same, [table])


def _of_measure(rows: pa.Table, measure: str) -> pa.Table:
    return rows.filter(pc.equal(rows["measure"], measure)).select(SHOWN)
