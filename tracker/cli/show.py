"""``tracker show`` and ``sql``: views as tables, and ad-hoc questions."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

import click

from ...queries.plain_rows import Rows, plain_rows
from ...queries.reading import ROW_LIMIT
from .context import (
    Context,
    as_of_option,
    command,
    counting_option,
    leave_stuck_query,
)
from .options import VIEW, filter_options, option
from .output import Destination, output_options, seconds_option, write_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.counting import Counting


@command("show")
@click.argument("view", required=False, type=VIEW)
@filter_options
@option("--where", help="SQL condition on the view's columns.")
@option("--order", help="SQL order, such as 'dea DESC'.")
@option("--limit", "-n", type=click.IntRange(0), help="At most this many rows.")
@option("--columns", help="Columns to show (a,b,c), or SQL expressions.")
@option("--by", help="Columns (a,b,c): mean and median of all numbers by these.")
@counting_option
@as_of_option
@seconds_option
@option("--describe", is_flag=True, help="Show what the view's columns mean.")
@output_options
def show(
    context: Context,
    view: str | None,
    where: str | None,
    order: str | None,
    limit: int | None,
    columns: str | None,
    by: str | None,
    counting: Counting,
    as_of: datetime | None,
    seconds: float,
    describe: bool,
    to: Destination,
    **filters: tuple[str, ...],
) -> None:
    """Show a VIEW (or table); without one, list the views by what they are for."""
    from ...queries.counting import DEFINITIONS, aggregates
    from ...queries.metrics.registry import notes
    from ...queries.reading import check_view

    if view is None:
        write_rows(_list_views(), to)
        return
    if describe:
        check_view(view)
        write_rows(_describe(view), to)
        return
    tracker = context.tracker(computes=False)
    with tracker.reading(as_of=as_of):
        rows = tracker.show(
            view,
            where=where,
            order=order,
            limit=limit,
            columns=columns,
            by=[name.strip() for name in by.split(",")] if by else (),
            counting=counting,
            seconds=seconds,
            give_up=leave_stuck_query,
            plain=to.format != "parquet",
            **filters,
        )
    said = notes(rows.column_names)
    if said:
        context.say("; ".join(said))
    if view == "leaderboard":
        for remark in _remarks(rows):
            context.say(remark)
    if not filters["campaign"] and _pools_campaigns(rows, by):
        from ...queries.people.notes import NOT_COMPARABLE

        context.say(NOT_COMPARABLE)
    if aggregates(view) or (by and "submission_id" in _columns(view)):
        context.say(f"counted: {DEFINITIONS[counting]} (--who-counts)")
    write_rows(rows, to)


def _remarks(rows: pa.Table) -> list[str]:
    """Return what to know of the languages of a leaderboard's rows that have them."""
    from ..show.languages import without_blanks

    if not {"language", "reference_form"}.issubset(rows.column_names):
        return []
    found = rows.to_pylist()
    return without_blanks(row["language"] for row in found if row["reference_form"] == "text")


def _list_views() -> pa.Table:
    import pyarrow as pa

    from ...queries.catalog import GROUPS, view_files

    by_name = sorted(view_files(), key=lambda found: found.name)
    return pa.Table.from_pylist(
        [
            {"group": group, "view": found.name, "meaning": found.description}
            for group in GROUPS[:-1]
            for found in by_name
            if found.group == group
        ]
    )


def _describe(view: str) -> pa.Table:
    import pyarrow as pa

    from ...schema.migrate import column_comments

    columns = _columns(view) or column_comments(view)
    return pa.table({"column": [*columns], "meaning": [*columns.values()]})


def _columns(view: str) -> dict[str, str]:
    from ...queries.catalog import views

    return next((each.column_comments for each in views() if each.name == view), {})


def _pools_campaigns(rows: pa.Table | Rows, by: str | None) -> bool:
    """Return whether rows are means of z-scores over campaigns, or a ranking of several."""
    columns = plain_rows(rows).columns
    if by is not None:
        means = [name for name in columns if name.endswith("_z_mean")] + ["z_mean_mean"]
        return "campaign_id" not in columns and any(
            each is not None for name in means for each in columns.get(name, ())
        )
    return {"campaign_id", "z_mean"} <= {*columns} and len({*columns["campaign_id"]}) > 1


@command("sql")
@click.argument("query")
@option(
    "--limit",
    "-n",
    type=click.IntRange(1),
    help=f"At most this many rows; else {ROW_LIMIT} on a terminal, and all elsewhere.",
)
@seconds_option
@output_options
def sql(context: Context, query: str, limit: int | None, seconds: float, to: Destination) -> None:
    """Run one SELECT statement, QUERY ('-' reads it from stdin).

    The database is opened read-only, without access to files and network. This guards against
    accidents, not against somebody who has the file.
    """
    from ...queries.reading import read_sql

    text = sys.stdin.read() if query == "-" else query
    if limit is None and to.file is None and sys.stdout.isatty():
        limit = ROW_LIMIT
    with context.tracker(computes=False).reading() as database:
        result = read_sql(
            database,
            text,
            rows=limit,
            seconds=seconds,
            give_up=leave_stuck_query,
            plain=to.format != "parquet",
        )
    write_rows(result.rows, to)
    if result.truncated:
        click.echo(f"(only the first {limit} rows; --limit gives more)", err=True)
