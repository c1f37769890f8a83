"""Every view about submissions tells them by the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.queries.catalog import IDENTITY, views
from sr_tracker.schema.database import Database, open_database

BY_KEY = {
    *("current_scoring", "current_analysis", "edge_match", "output_token", "sentence_pairs"),
    *("marked_outputs", "marked_units", "missed_pairs", "output_characters"),
    *("output_count", "human_summary", "current_comparison", "measure_state"),
    *("superseded_comparison", "passed_over_signature", "signature_settings"),
}
"""Which result counts, rows of what is stored in lists, and pairs: what is joined by its keys."""


def columns_of(database: Database, view: str) -> dict[str, str]:
    rows = database.connection.execute(f"DESCRIBE {view}").fetchall()
    return {name: kind for name, kind, *_ in rows}


def comments_of(database: Database, view: str) -> dict[str, str]:
    rows = database.connection.execute(
        "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?", [view]
    ).fetchall()
    return dict(rows)


@pytest.fixture(scope="module")
def everything(file_with_all_rows: Path) -> Iterator[Database]:
    with open_database(file_with_all_rows, read_only=True) as database:
        yield database


@pytest.mark.parametrize("view", sorted({view.name for view in views()} - BY_KEY))
def test_what_is_about_submissions_has_all_their_columns(everything: Database, view: str) -> None:
    """The same names, types, comments and values; rows of an upper bound have no submission."""
    wanted = columns_of(everything, IDENTITY)
    assert {"campaign_id", "year", "iteration", "params", "tags", "system_kind"} <= {*wanted}
    found = columns_of(everything, view)
    if "submission_id" not in found:
        assert not {"params", "tags"} & {*found}
        return
    assert {name: kind for name, kind in found.items() if name in wanted} == wanted
    told = comments_of(everything, view)
    assert {name: told[name] for name in wanted} == comments_of(everything, IDENTITY)
    names = ", ".join(wanted)
    others = everything.connection.execute(
        f"SELECT {names} FROM {view} WHERE submission_id IS NOT NULL EXCEPT "
        f"SELECT {names} FROM {IDENTITY}"
    ).fetchall()
    assert others == []


def test_analysed_metrics_are_columns_of_the_sentences(campaign: Database) -> None:
    found = campaign.connection.execute(
        "SELECT DISTINCT metric FROM sentence_score SEMI JOIN correlation "
        "ON metric IN (measure, other_measure)"
    ).fetchall()
    metrics = {metric for (metric,) in found}
    assert "dist_pooled" in metrics
    assert metrics <= {*columns_of(campaign, "sentence_scores")}
