"""``tracker publish`` and ``fetch``: what a file has to a lake, and what one needs of it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import filter_options

if TYPE_CHECKING:
    from sr_tracker.schema.copying import Copied


@click.command(name="publish")
@click.argument("lake")
@filter_options
@click.option(
    "--data-path",
    metavar="FOLDER",
    envvar="TRACKER_DATA_PATH",
    show_envvar=True,
    help="Where the data of a lake that is made now shall be: a folder, or s3://BUCKET/…",
)
@click.option("--dry-run", is_flag=True, help="Look for conflicts, and write nothing.")
@pass_context
def publish(
    context: Context,
    lake: str,
    data_path: str | None,
    dry_run: bool,
    **filters: tuple[str, ...],
) -> None:
    """Bring to LAKE what the database has and the lake has not; make the lake where there is none.

    LAKE is ducklake:postgres:dbname=NAME host=HOST; passwords come from the environment
    (PGPASSWORD). What both have with other content is an error, before anything is written. What
    was brought before is passed over, so that an interrupted call is done again.
    """
    with context.progress("publishing") as progress:
        copied = context.tracker().publish(
            lake, data_path=data_path, dry_run=dry_run, progress=progress, **filters
        )
    context.say("no conflict" if dry_run else _told(copied, "nothing is new: the lake has it all"))


def _told(copied: Copied, nothing: str) -> str:
    """Return in words what was new."""
    if not copied.rows:
        return nothing
    rows, named = copied.rows, {"treebank": "treebanks", "submission": "submissions"}
    named |= {"judgement": "judgements", "scoring": "scorings", "analysis": "analyses"}
    parts = [f"{rows[table]:,} {name}" for table, name in named.items() if table in rows]
    return ", ".join([*parts, f"{sum(rows.values()):,} rows in all"])


@click.command(name="fetch")
@click.argument("lake")
@filter_options
@pass_context
def fetch(context: Context, lake: str, **filters: tuple[str, ...]) -> None:
    """Bring to the database, made where there is none, what it has not of LAKE.

    The names are those of the lake. A submission comes with all it needs: its treebank, its scores,
    the runs it was developed from. Judgements come where all of a campaign does.
    """
    with context.progress("fetching") as progress:
        copied = context.tracker(create=True).fetch(lake, progress=progress, **filters)
    context.say(_told(copied, "nothing is new: the database has it all"))
