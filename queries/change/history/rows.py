"""A history as rows: for files, for charts, for other programs."""

from __future__ import annotations

import pyarrow as pa

from sr_tracker.queries.change.history.model import History

SCHEMA = pa.schema(
    [
        ("campaign_id", pa.string()),
        ("system_id", pa.string()),
        ("treebank_id", pa.string()),
        ("track", pa.string()),
        ("iteration", pa.int64()),
        ("submission_id", pa.string()),
        ("previous_submission_id", pa.string()),
        ("previous_iteration", pa.int64()),
        ("created_at", pa.timestamp("us", "UTC")),
        ("kind", pa.string()),
        ("measure", pa.string()),
        ("score", pa.float64()),
        ("change", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("p_value", pa.float64()),
        ("p_holm", pa.float64()),
        ("significant", pa.bool_()),
        ("n", pa.int64()),
        ("better", pa.string()),
        ("test", pa.string()),
        ("undefined_reason", pa.string()),
    ]
)


def history_rows(history: History) -> pa.Table:
    """Return one row per iteration and measure, with its change from the run before.

    ``significant`` is NULL where nothing was tested; ``undefined_reason`` tells why.
    """
    rows = []
    for line in history.lines:
        iterations = {run.submission_id: run.iteration for run in line.runs}
        for run in line.runs:
            for measure in line.measures:
                change = run.changes.get(measure.name)
                tested = change is not None and change.p_holm is not None
                rows.append(
                    {
                        "campaign_id": line.campaign_id,
                        "system_id": history.system_id,
                        "treebank_id": line.treebank_id,
                        "track": line.track,
                        "iteration": run.iteration,
                        "submission_id": run.submission_id,
                        "previous_submission_id": run.previous_submission_id,
                        "previous_iteration": iterations.get(run.previous_submission_id or ""),
                        "created_at": run.created_at,
                        "kind": measure.kind,
                        "measure": measure.name,
                        "score": run.values[measure.name],
                        "change": change.difference if change else None,
                        "low": change.low if change else None,
                        "high": change.high if change else None,
                        "p_value": change.p_value if change else None,
                        "p_holm": change.p_holm if change else None,
                        "significant": change.is_significant(history.settings.alpha)
                        if change and tested
                        else None,
                        "n": change.n if change else None,
                        "better": measure.better,
                        "test": change.test if change else None,
                        "undefined_reason": change.undefined_reason
                        if change
                        else run.not_compared or "no run before",
                    }
                )
    return pa.Table.from_pylist(rows, schema=SCHEMA)
