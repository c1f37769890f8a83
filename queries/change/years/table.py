"""Scores of the years as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sr_tracker.queries.change.years.model import YearScore

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = [
    *("line", "year", "of", "systems", "best", "best_system", "change", "median", "mean", "worst"),
    *("reference", "n", "test_set"),
]
"""The columns for a terminal, where each measure has a table."""


def as_table(scores: Sequence[YearScore]) -> pa.Table:
    """Return one row per score, in their order."""
    import pyarrow as pa

    text, number, count = pa.string(), pa.float64(), pa.int64()
    columns = {
        "measure": ("measure", text),
        "line": ("line", text),
        "year": ("year", count),
        "campaign": ("campaign_id", text),
        "of": ("group", text),
        "systems": ("systems", count),
        "best": ("best", number),
        "best_system": ("best_system_id", text),
        "change": ("change", number),
        "median": ("median", number),
        "mean": ("mean", number),
        "worst": ("worst", number),
        "reference": ("reference", number),
        "n": ("n", count),
        "test_set": ("treebank_id", text),
        "same_test_set": ("same_test_set", pa.bool_()),
        "comparable": ("comparable", pa.bool_()),
        "kind": ("kind", text),
        "better": ("better", text),
        "best_submission": ("best_submission_id", text),
    }
    return pa.table(
        {
            name: pa.array([getattr(score, field) for score in scores], kind)
            for name, (field, kind) in columns.items()
        }
    )
