"""``tracker keep rescore`` and ``prune``: old scores brought up to date, or freed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

from ...schema.brief import plural
from ..api import computing, keeping
from .context import Context
from .operation import Asks, Shown, Values, operation
from .score import LOGS, log_if_possible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...queries.change.versions.pruning import PrunePlan
    from ...queries.change.versions.rescoring import Outdated, RescoreReport
    from ..api import Tracker


def _rescored(report: RescoreReport) -> Iterator[str]:
    """Yield what differed from today's signatures, for how many submissions, and what was done."""
    if not report.outdated:
        yield "all scores have today's signatures"
    differences = Counter((each.metric, each.difference) for each in report.outdated)
    for (metric, difference), submissions in differences.items():
        reason = difference or "scored later with another signature"
        yield f"{metric} of {plural(submissions, 'submission')}: {reason}"
    if report.analyses:
        yield f"{report.analyses} analyses run again, with the settings they had"
    for left in report.left:
        yield f"still of older scores: {left}"


def _rescored_rows(report: RescoreReport) -> pa.Table | None:
    if report.tried:
        return _outdated_rows(report.outdated)
    return _change_rows(report) if report.outdated else None


def _log(context: Context, tracker: Tracker, report: RescoreReport, values: Values) -> None:
    if report.outdated and values["log"] and not report.tried:
        rescored = sorted({each.submission_id for each in report.outdated})
        log_if_possible(context, tracker, values["tracking_uri"], submission=rescored)


rescore = operation(
    computing.rescore,
    Shown(rows=_rescored_rows, notes=_rescored, options=LOGS, then=_log),
    progress="rescoring",
)


def _outdated_rows(outdated: Sequence[Outdated]) -> pa.Table:
    columns = ("submission_id", "metric", "difference", "old_signature", "new_signature")
    return pa.table(
        {
            name: pa.array([getattr(each, name) for each in outdated], pa.string())
            for name in columns
        }
    )


def _change_rows(report: RescoreReport) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "metric": each.metric,
                "submissions": each.submissions,
                "changed": each.changed,
                "largest_change": None
                if each.old_score is None or each.new_score is None
                else each.new_score - each.old_score,
                "old_score": each.old_score,
                "new_score": each.new_score,
                "of_submission": each.submission_id if each.changed else None,
            }
            for each in report.changes
        ],
        schema=pa.schema(
            [
                ("metric", pa.string()),
                ("submissions", pa.int64()),
                ("changed", pa.int64()),
                ("largest_change", pa.float64()),
                ("old_score", pa.float64()),
                ("new_score", pa.float64()),
                ("of_submission", pa.string()),
            ]
        ),
    )


_MEGABYTE = 1_000_000


def _freed_notes(plan: PrunePlan) -> Iterator[str]:
    """Yield what is freed in all, and what stays although it is superseded."""
    if plan.kept:
        yield (
            f"{plan.kept} superseded scorings stay: {', '.join(plan.kept_for)} rest on them; "
            "'tracker keep rescore', and 'tracker why significance' for tests, renew what does"
        )
    if not plan.tables:
        yield "nothing to free"
        return
    size = "" if plan.bytes is None else f", about {plan.bytes / _MEGABYTE:.1f} MB"
    rows = sum(freed.rows for freed in plan.tables)
    yield (
        f"{plan.scorings} superseded scorings, {plan.analyses} superseded analyses: "
        f"{plural(rows, 'row')}{size}; --as-of a date before will show newer scores instead"
    )


def _freed_rows(plan: PrunePlan) -> pa.Table | None:
    if not plan.tables:
        return None
    return pa.table(
        {
            "table": [freed.table for freed in plan.tables],
            "rows": [freed.rows for freed in plan.tables],
            "of_rows": [freed.of_rows for freed in plan.tables],
            "bytes": pa.array([freed.bytes for freed in plan.tables], pa.int64()),
        }
    )


prune = operation(
    keeping.prune,
    Shown(
        rows=_freed_rows,
        notes=_freed_notes,
        asks=Asks(lambda plan: "Free this?" if plan.tables else None),
        done=lambda plan: "freed: the space within the file is used again" * bool(plan.tables),
    ),
)
