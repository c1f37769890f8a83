"""``tracker fetch``: what one needs of a lake, to a file."""

from __future__ import annotations

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import filter_options
from sr_tracker.tracker.cli.publish import told


@click.command(name="fetch")
@click.argument("lake")
@filter_options
@pass_context
def command(context: Context, lake: str, **filters: tuple[str, ...]) -> None:
    """Bring to the database, made where there is none, what it has not of LAKE.

    The names are those of the lake. A submission comes with all it needs: its treebank, its scores,
    the runs it was developed from. Judgements come where all of a campaign does.
    """
    with context.progress("fetching") as progress:
        copied = context.tracker(create=True).fetch(lake, progress=progress, **filters)
    context.say(told(copied, "nothing is new: the database has it all"))
