"""``tracker check``: rows that should not exist."""

from __future__ import annotations

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import CheckFailedError
from sr_tracker.tracker.cli.context import Context, pass_context


@click.command(name="check")
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Go on with what the file itself holds where its log of changes (.wal) was lost.",
)
@pass_context
def command(context: Context, accept_loss: bool) -> None:
    """Run the audits; say nothing and leave with 0 where all is well."""
    from sr_tracker.schema.database import open_database

    if accept_loss:
        open_database(
            context.database,
            create=False,
            wait_seconds=context.wait,
            say=context.say,
            accept_loss=True,
        ).close()
    findings = context.tracker().check()
    for finding in findings:
        click.echo(f"{finding.audit}: {plural(finding.rows, 'row')}; {finding.description}")
        for row in finding.first_rows:
            click.echo(f"  {row}")
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )
