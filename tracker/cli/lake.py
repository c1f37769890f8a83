"""``tracker lake``: looking after a lake."""

from __future__ import annotations

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.groups import SuggestingGroup


@click.group(cls=SuggestingGroup, name="lake")
def command() -> None:
    """Look after the lake that --database names."""


@command.command(name="maintain")
@click.option(
    "--keep-days",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Forget states that are older: --as-of shows them no more.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would go.")
@pass_context
def maintain(context: Context, keep_days: int, dry_run: bool) -> None:
    """Merge small files, forget old states, remove files that are no longer needed, and check.

    Others may read and publish meanwhile; whoever reads a state that is forgotten fails.
    """
    tracker = context.tracker()
    done = tracker.maintain(keep_days=keep_days, dry_run=dry_run)
    would = "would be " if dry_run else ""
    context.say(
        f"{plural(done.merged, 'file')} merged, {done.snapshots} states {would}forgotten, "
        f"{plural(done.removed, 'file')} {would}removed"
    )
    found = tracker.check()
    context.say("the audits are silent" if not found else f"{len(found)} audits: tracker check")
