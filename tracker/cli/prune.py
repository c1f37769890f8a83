"""``tracker prune``: free what newer scores and analyses have superseded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import pyarrow as pa

from sr_tracker.tracker.cli.context import Context, asking_options, pass_context
from sr_tracker.tracker.cli.options import filter_options
from sr_tracker.tracker.cli.output import output_options, write_rows

if TYPE_CHECKING:
    from sr_tracker.queries.change.versions.pruning import PrunePlan

_MEGABYTE = 1_000_000


@click.command(name="prune")
@filter_options
@asking_options
@output_options
@pass_context
def command(
    context: Context,
    dry_run: bool,
    yes: bool,
    format_name: str | None,
    output: Path | None,
    **filters: tuple[str, ...],
) -> None:
    """Say what superseded scores and analyses take, and free it.

    The newest scoring of each metric, the newest analysis of each kind and settings, and what
    they rest on always stay. 'tracker show superseded_scorings' lists the old scores.
    """
    tracker = context.tracker()
    plan = tracker.prune(dry_run=True, **filters)
    _tell(context, plan, format_name, output)
    if plan.tables and not dry_run and context.agreed("Free this?", yes=yes):
        tracker.prune(dry_run=False, **filters)
        context.say("freed: the space within the file is used again")


def _tell(context: Context, plan: PrunePlan, format_name: str | None, output: Path | None) -> None:
    """Say what is freed, in all and by table, and what stays although it is superseded."""
    if plan.kept:
        context.say(
            f"{plan.kept} superseded scorings stay: {', '.join(plan.kept_for)} rest on them; "
            "'tracker rescore', and 'tracker significance' for tests, renew what does"
        )
    if not plan.tables:
        context.say("nothing to free")
        return
    size = "" if plan.bytes is None else f", about {plan.bytes / _MEGABYTE:.1f} MB"
    rows = sum(freed.rows for freed in plan.tables)
    context.say(
        f"{plan.scorings} superseded scorings, {plan.analyses} superseded analyses: "
        f"{rows} rows{size}; --as-of a date before will show newer scores instead"
    )
    write_rows(
        pa.table(
            {
                "table": [freed.table for freed in plan.tables],
                "rows": [freed.rows for freed in plan.tables],
                "of_rows": [freed.of_rows for freed in plan.tables],
                "bytes": pa.array([freed.bytes for freed in plan.tables], pa.int64()),
            }
        ),
        format_name,
        output,
    )
