"""``tracker keep check``, ``remove``, ``rename``, ``tag``, ``note``, ``rescore`` and ``prune``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from ...schema.brief import plural
from ...schema.database import open_database
from ...schema.errors import CheckFailedError
from ...schema.parameters import Option
from ..api import computing, keeping
from .computing import LOGS, log_if_possible
from .context import Context
from .operation import operation
from .shown import Asks, Own, Shown, Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from ...ingest.undo import Change
    from ...queries.catalog import Finding
    from ...queries.change.versions.pruning import PrunePlan
    from ...queries.change.versions.rescoring import Outdated, RescoreReport
    from ..api.tracker import Tracker


def _rows(change: Change) -> pa.Table:
    import pyarrow as pa

    return pa.table({"table": [*change.rows], "rows": pa.array(change.rows.values(), pa.int64())})


def _question(change: Change) -> str:
    return f"{change.deed.capitalize()} this?"


def _changed(change: Change) -> str:
    return f"{change.deed}d: {change.kind} {change.target}"


def _mended(done: str, change: Change) -> str:
    return f"{done if change.rows else 'nothing to change'}: {change.kind} {change.target}"


remove = operation(
    keeping.remove,
    Shown(
        rows=_rows,
        notes=lambda change: change.notes,
        asks=Asks(_question, lambda change: {"name": change.target}),
        done=_changed,
    ),
)

rename = operation(
    keeping.rename,
    Shown(
        rows=_rows,
        notes=lambda change: change.notes,
        asks=Asks(_question, lambda change: {"name": change.former}),
        done=_changed,
    ),
)

tag = operation(keeping.tag, Shown(done=lambda change: _mended("tagged", change)))
note = operation(
    keeping.note,
    Shown(done=lambda change, text="": _mended("noted" if text else "note removed", change)),
)


def _accept_loss(context: Context, _: Tracker, values: Values) -> None:
    if values["accept_loss"]:
        open_database(
            context.database,
            create=False,
            wait_seconds=context.wait,
            say=context.say,
            accept_loss=True,
        ).close()


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.audit}: {plural(finding.rows, 'row')}; {finding.description}"
        yield from (f"  {row}" for row in finding.first_rows)


def _fail(findings: Sequence[Finding]) -> None:
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )


check = operation(
    keeping.check,
    Shown(
        first=_accept_loss,
        notes=lambda findings: () if findings else ("no audit found anything",),
        lines=_findings,
        finish=_fail,
        options={
            "accept_loss": Own(
                Annotated[
                    bool,
                    Option(
                        "Go on with the contents of the file alone where its log of changes "
                        "(.wal) was lost."
                    ),
                ],
                False,
            )
        },
    ),
)


def _rescored(report: RescoreReport) -> Iterator[str]:
    """Yield what differed from today's signatures, for how many submissions, and what was done."""
    if not report.outdated:
        yield "all scores have today's signatures"
    differences = Counter((item.metric, item.difference) for item in report.outdated)
    for (metric, difference), submissions in differences.items():
        reason = difference or "scored later with another signature"
        yield f"{metric} of {plural(submissions, 'submission')}: {reason}"
    if report.analyses:
        yield f"{report.analyses} analyses run again, with the settings they had"
    for left in report.left:
        yield f"still based on older scores: {left}"


def _rescored_rows(report: RescoreReport) -> pa.Table | None:
    if report.tried:
        return _outdated_rows(report.outdated)
    return _change_rows(report) if report.outdated else None


def _log(context: Context, tracker: Tracker, report: RescoreReport, values: Values) -> None:
    if report.outdated and values["log"] and not report.tried:
        rescored = sorted({item.submission_id for item in report.outdated})
        log_if_possible(context, tracker, values["tracking_uri"], submission=rescored)


rescore = operation(
    computing.rescore,
    Shown(rows=_rescored_rows, notes=_rescored, options=LOGS, then=_log),
    progress="rescoring",
)


def _outdated_rows(outdated: Sequence[Outdated]) -> pa.Table:
    import pyarrow as pa

    columns = ("submission_id", "metric", "difference", "old_signature", "new_signature")
    return pa.table(
        {
            name: pa.array([getattr(item, name) for item in outdated], pa.string())
            for name in columns
        }
    )


def _change_rows(report: RescoreReport) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(
        [
            {
                "metric": item.metric,
                "submissions": item.submissions,
                "changed": item.changed,
                "largest_change": None
                if item.old_score is None or item.new_score is None
                else item.new_score - item.old_score,
                "old_score": item.old_score,
                "new_score": item.new_score,
                "of_submission": item.submission_id if item.changed else None,
            }
            for item in report.changes
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
    import pyarrow as pa

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
