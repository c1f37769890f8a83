"""``tracker sql``: ad-hoc questions."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from sr_tracker.queries.reading import ROW_LIMIT
from sr_tracker.tracker.cli.context import Context, leave_stuck_query, pass_context
from sr_tracker.tracker.cli.output import (
    format_of_rows,
    output_options,
    seconds_option,
    write_rows,
)


@click.command(name="sql")
@click.argument("query")
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1),
    help=f"At most this many rows; else {ROW_LIMIT} on a terminal, and all elsewhere.",
)
@seconds_option
@output_options
@pass_context
def command(
    context: Context,
    query: str,
    limit: int | None,
    seconds: float,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Run one SELECT statement, QUERY ('-' reads it from stdin).

    The database is opened read-only, without access to files and network. This guards against
    accidents, not against somebody who has the file.
    """
    from sr_tracker.queries.reading import read_sql

    text = sys.stdin.read() if query == "-" else query
    if limit is None and output is None and sys.stdout.isatty():
        limit = ROW_LIMIT
    with context.tracker(computes=False).reading() as database:
        result = read_sql(
            database,
            text,
            rows=limit,
            seconds=seconds,
            give_up=leave_stuck_query,
            plain=format_of_rows(format_name, output) != "parquet",
        )
    write_rows(result.rows, format_name, output)
    if result.truncated:
        click.echo(f"(only the first {limit} rows; --limit gives more)", err=True)
