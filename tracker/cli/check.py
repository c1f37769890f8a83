"""``tracker check``: rows that should not exist."""

from __future__ import annotations

import click

from schema.errors import CheckFailedError
from tracker.cli.context import Context, pass_context


@click.command(name="check")
@pass_context
def command(context: Context) -> None:
    """Run the audits; say nothing and leave with 0 where all is well."""
    from queries.checks import run_audits

    with context.reading() as database:
        findings = run_audits(database)
    for finding in findings:
        click.echo(f"{finding.audit}: {finding.rows} rows; {finding.description}")
        for row in finding.first_rows:
            click.echo(f"  {row}")
    if findings:
        raise CheckFailedError(
            f"{len(findings)} audits found rows that should not exist",
            hint="the database was changed by hand, or this is a bug worth reporting",
        )
