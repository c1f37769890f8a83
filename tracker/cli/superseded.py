"""``tracker rescore`` and ``prune``: bring old scores up to date, free what newer ones replace."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

from ...schema.brief import plural
from ..api import keeping
from .context import Context, command, log_options
from .operation import Asks, Shown, operation
from .options import MEASURE, filter_options, option
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...queries.change.versions.pruning import PrunePlan
    from ...queries.change.versions.rescoring import Outdated, RescoreReport


@command("rescore")
@filter_options
@option("--metric", type=MEASURE, multiple=True, help="Only this metric; may be repeated.")
@option(
    "--analyses/--no-analyses", default=True, help="Run analyses that rest on other scores again."
)
@option("--dry-run", is_flag=True, help="Say what is not up to date and stop.")
@log_options
@output_options
def rescore(
    context: Context,
    metric: tuple[str, ...],
    analyses: bool,
    dry_run: bool,
    log: bool,
    tracking_uri: str | None,
    to: Destination,
    **filters: tuple[str, ...],
) -> None:
    """Compute again what was scored by other versions, with other settings or references.

    The old scores stay, under their own signature; everything shows the newest by the settings that
    are chosen, which the installed version of a package's metric is then. Submissions and metrics
    that were never scored are left to 'tracker score'. Prints how the scores by each metric
    changed. 'tracker prune' frees the old ones.
    """
    from ...queries.change.versions.rescoring import find_outdated

    tracker = context.tracker()
    if dry_run:
        with tracker.reading() as database:
            outdated = find_outdated(database, tracker.select(**filters), metric or None)
        _tell_outdated(context, outdated)
        write_rows(_outdated_rows(outdated), to)
        return
    with context.progress("rescoring") as progress:
        report = tracker.rescore(
            metrics=metric or None, analyses=analyses, progress=progress, **filters
        )
    _tell_outdated(context, report.outdated)
    if report.analyses:
        context.say(f"{report.analyses} analyses run again, with the settings they had")
    for left in report.left:
        context.say(f"still of older scores: {left}")
    if report.outdated:
        write_rows(_change_rows(report), to)
        if log:
            from .score import log_if_possible

            rescored = sorted({each.submission_id for each in report.outdated})
            log_if_possible(context, tracker, tracking_uri, rescored)


def _tell_outdated(context: Context, outdated: Sequence[Outdated]) -> None:
    """Say what differs from today's signatures, and for how many submissions."""
    if not outdated:
        context.say("all scores have today's signatures")
    differences = Counter((each.metric, each.difference) for each in outdated)
    for (metric, difference), submissions in differences.items():
        told = difference or "scored later with another signature"
        context.say(f"{metric} of {plural(submissions, 'submission')}: {told}")


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
            "'tracker rescore', and 'tracker significance' for tests, renew what does"
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
