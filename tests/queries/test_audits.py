"""Each audit finds a planted fault; every view tells submissions by the same columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sr_tracker.queries.catalog import IDENTITY, Finding, audits, run_audits, views
from sr_tracker.schema.database import Database, open_database
from sr_tracker.schema.keys import natural_keys
from tests.planting import Planted, planted


def found_in(database: Database) -> dict[str, Finding]:
    return {finding.audit: finding for finding in run_audits(database)}


def test_healthy_database_has_no_findings(campaign: Database) -> None:
    assert run_audits(campaign) == []


def test_empty_database_has_no_findings() -> None:
    with open_database(None) as database:
        assert run_audits(database) == []


@pytest.mark.parametrize("fault", planted("campaign"), ids=str)
def test_planted_fault_is_found(copy_of_campaign: Database, fault: Planted) -> None:
    fault.check(copy_of_campaign)


def test_every_audit_has_a_planted_fault() -> None:
    assert {audit.name for audit in audits()} <= {fault.audit for fault in planted("campaign")}


def constrained(database: Database) -> set[str]:
    rows = database.connection.execute(
        "SELECT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    return {name for (name,) in rows}


def test_repeated_keys_are_found_in_every_table_without_a_constraint(changeable: Database) -> None:
    connection = changeable.connection
    tables = sorted(set(natural_keys()) - constrained(changeable))
    filled = []
    for table in tables:
        first = connection.execute(f"SELECT * FROM {table} LIMIT 1").to_arrow_table()
        if first.num_rows:
            connection.register("first_row", first)
            connection.execute(f"INSERT INTO {table} FROM first_row")
            filled.append(table)
    assert len(filled) >= 13
    computed = found_in(changeable)
    for table in filled:
        assert computed[f"{table}_key"].rows == 1
        assert computed[f"{table}_key"].first_rows[0]["rows"] == 2


def test_finding_counts_all_rows_and_shows_the_first_ones(changeable: Database) -> None:
    changeable.connection.execute("UPDATE output SET text = ' ' WHERE text IS NOT NULL")
    (outputs,) = changeable.connection.execute(
        "SELECT count(*) FROM output WHERE text IS NOT NULL"
    ).fetchone() or (0,)
    finding = found_in(changeable)["outputs"]
    assert finding.rows == outputs
    assert len(finding.first_rows) == 5
    assert finding.first_rows[0] == {
        "fault": "blank output that does not count as missing",
        "submission_id": "C20/partial/en_hid-ud1.0-test",
        "sentence_no": 1,
    }
    assert finding.description.startswith("one row per sentence")


def test_numbers_of_rules_that_cannot_be_are_found(changeable: Database) -> None:
    connection = changeable.connection
    connection.execute(
        "INSERT INTO rule_set VALUES "
        "('x', 'x', 1, NULL, NULL, 'ud', NULL, '{}', 'f', 'h', 4, 't', now())"
    )
    numbers = [(3, 0.5), (-1, 0.5), (3, float("nan")), (None, float("inf"))]
    for rule, (support, strength) in enumerate(numbers):
        connection.execute(
            "INSERT INTO grammar_rule VALUES ('x', ?, 'agreement', 'det', 'DET', 'NOUN', "
            "'Case', NULL, NULL, ?, ?, NULL, NULL, NULL)",
            [str(rule), support, strength],
        )
    rows = found_in(changeable)["grammar"].first_rows
    assert {row["fault"] for row in rows} == {"support or strength is negative or not finite"}
    assert sorted(row["rule"] for row in rows) == ["1", "2", "3"]


def test_every_audit_says_what_a_row_is_and_comments_its_columns(campaign: Database) -> None:
    for audit in audits():
        assert audit.description.startswith("one row per "), audit.name
        query = audit.text.rstrip().removesuffix(";")
        columns = campaign.connection.execute(f"DESCRIBE {query}").fetchall()
        assert {name for name, *_ in columns} <= set(audit.column_comments), audit.name


BY_KEY = {
    *("current_scoring", "current_analysis", "edge_match", "output_token", "sentence_pairs"),
    *("marked_outputs", "marked_units", "missed_pairs", "output_characters"),
    *("output_count", "human_summary", "current_comparison", "measure_state"),
    *("mean_score", "scored_run"),
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
    computed = columns_of(everything, view)
    if "submission_id" not in computed:
        assert not {"params", "tags"} & {*computed}
        return
    assert {name: kind for name, kind in computed.items() if name in wanted} == wanted
    message = comments_of(everything, view)
    assert {name: message[name] for name in wanted} == comments_of(everything, IDENTITY)
    names = ", ".join(wanted)
    others = everything.connection.execute(
        f"SELECT {names} FROM {view} WHERE submission_id IS NOT NULL EXCEPT "
        f"SELECT {names} FROM {IDENTITY}"
    ).fetchall()
    assert others == []


def test_analysed_metrics_are_columns_of_the_sentences(campaign: Database) -> None:
    rows = campaign.connection.execute(
        "SELECT DISTINCT metric FROM sentence_score SEMI JOIN correlation "
        "ON metric IN (measure, other_measure)"
    ).fetchall()
    metrics = {metric for (metric,) in rows}
    assert "dist_pooled" in metrics
    assert metrics <= {*columns_of(campaign, "output_scores")}
