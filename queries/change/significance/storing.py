"""Storing what was computed of a group, in place of what it replaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sr_tracker.queries.change.significance.groups import ANALYSIS
from sr_tracker.schema import TOOL_VERSION
from sr_tracker.schema.database import Database
from sr_tracker.schema.temporary import temporary

if TYPE_CHECKING:
    from sr_tracker.queries.change.significance import Settings
    from sr_tracker.queries.change.significance.groups import Group

_RESTS_ON = (
    ("score_interval", "submission_id"),
    ("score_comparison", "submission_id"),
    ("score_comparison", "other_submission_id"),
)
_INTERVAL = pa.schema(
    [
        ("submission_id", pa.string()),
        ("sentences", pa.int32()),
        ("score", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("undefined_reason", pa.string()),
    ]
)
_COMPARISON = pa.schema(
    [
        ("submission_id", pa.string()),
        ("other_submission_id", pa.string()),
        ("sentences", pa.int32()),
        ("difference", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("p_bootstrap", pa.float64()),
        ("p_randomisation", pa.float64()),
        ("undefined_reason", pa.string()),
    ]
)


def store(
    database: Database,
    group: Group,
    settings: Settings,
    intervals: Sequence[dict[str, Any]],
    comparisons: Sequence[dict[str, Any]],
) -> None:
    """Store rows of a group, all or none, and record in ``analysis`` what they rest on.

    Comparisons of a submission whose interval is new go: they rest on what it was before.
    """
    connection = database.connection
    data = {each.submission_id: each.data_sha256 for each in group.scored}
    shared = {
        "signature_id": group.signature_id,
        "metric": group.metric,
        "replicates": settings.replicates,
        "seed": settings.seed,
        "level": settings.level,
    }
    renewed = sorted(group.without_interval)
    with database.transaction():
        for table, column in _RESTS_ON:
            connection.execute(
                f"DELETE FROM {table} WHERE signature_id = ? AND list_contains(?, {column})",  # noqa: S608
                [group.signature_id, renewed],
            )
        connection.execute(
            "DELETE FROM analysis WHERE analysis = ? AND signature_id <> ? "
            "AND ends_with(signature, ?) AND list_contains(?, submission_id)",
            [ANALYSIS, group.analysis_id, f"|scores:{group.signature_id}", renewed],
        )
        for table, schema, rows in (
            ("score_interval", _INTERVAL, intervals),
            ("score_comparison", _COMPARISON, comparisons),
        ):
            with temporary(database, tested=pa.Table.from_pylist([*rows], schema=schema)):
                connection.execute(
                    f"INSERT INTO {table} BY NAME SELECT *, "  # noqa: S608
                    + ", ".join(f"${name} AS {name}" for name in shared)
                    + " FROM tested ORDER BY ALL",
                    shared,
                )
        connection.execute(
            "INSERT OR REPLACE INTO analysis "
            "SELECT ?, unnest(?), ?, ?, ?, unnest(?), ?, now(), next_revision()",
            [
                group.analysis_id,
                renewed,
                ANALYSIS,
                group.settings,
                group.signature,
                [data[name] for name in renewed],
                TOOL_VERSION,
            ],
        )
