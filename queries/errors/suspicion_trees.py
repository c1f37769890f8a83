"""Reading the suspicion tree of a submission."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...schema.database import Database
from ...schema.errors import UnknownNameError
from ...schema.iterations import resolve_submission
from ...schema.statements import read_table, read_tuples
from .measures import check_mining


def read_suspicion_tree(
    database: Database, submission_id: str, *, labels: str = "deprel", metric: str = "bleu"
) -> pa.Table:
    """Return the nodes of a submission's newest suspicion tree with these labels and metric.

    The columns are those of the view suspicion_trees, without what names the submission, and
    threshold: sentences fail up to this score.

    Raises UnknownNameError for a submission that is not there or has no such tree.
    """
    submission_id = resolve_submission(database, submission_id)
    rows = read_table(
        database, "suspicion_tree", submission_id=submission_id, labels=labels, metric=metric
    )
    if not rows.num_rows:
        raise _missing(database, submission_id, labels, metric)
    return rows.filter(pc.equal(rows["signature"], rows["signature"][0]))


def nested(rows: pa.Table) -> dict[str, Any]:
    """Return the tree as its root, each node with the keys ``with`` and ``without`` for branches.

    A node has sentences, failed, failure_rate, and either pattern and suspicion, or stop_reason.
    """
    nodes: dict[int, dict[str, Any]] = {}
    for row in rows.to_pylist():
        node = {
            "sentences": row["sentences"],
            "failed": row["failed"],
            "failure_rate": row["failed"] / row["sentences"] if row["sentences"] else None,
            "pattern": row["pattern"],
            "suspicion": row["suspicion"],
            "stop_reason": row["stop_reason"],
        }
        nodes[row["node_no"]] = node
        if row["parent_node_no"] is not None:
            nodes[row["parent_node_no"]]["with" if row["has_pattern"] else "without"] = node
    return nodes[1]


def _missing(database: Database, submission_id: str, labels: str, metric: str) -> UnknownNameError:
    check_mining(database, labels, metric)
    minings = read_tuples(database, "minings_of", submission=submission_id)
    reason = next((why for of, by, why in minings if (of, by) == (labels, metric) and why), None)
    there = ", ".join(f"--labels {of} --metric {by}" for of, by, why in minings if not why)
    hint = f"run 'tracker analyse --submission {submission_id} --labels {labels} --metric {metric}'"
    return UnknownNameError(
        f"{submission_id} has no suspicion tree of {labels} by {metric}",
        where=reason,
        hint=hint + (f"; there are: {there}" if there else ""),
    )
