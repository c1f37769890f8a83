"""Scores over the years of a campaign as a document."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.change.years import Years
from sr_tracker.queries.change.years.table import SHOWN, as_table
from sr_tracker.tracker.show.model import Document, Section
from sr_tracker.tracker.show.tables import rows_table


def years_document(years: Years) -> Document:
    """Return a table for each measure."""
    rows = as_table(years.scores)
    better = {score.measure: score.better for score in years.scores}
    sections = [
        Section(
            f"measure-{place}",
            measure,
            f"{measure} ({way} is better)",
            blocks=[rows_table(_of_measure(rows, measure), measure)],
        )
        for place, (measure, way) in enumerate(better.items(), start=1)
    ]
    return Document("Years", "Scores over the years", sections)


def _of_measure(rows: pa.Table, measure: str) -> pa.Table:
    return rows.filter(pc.equal(rows["measure"], measure)).select(SHOWN)
