"""``tracker report`` and ``site``: one offline page, and the explorer's pages as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.optional import require
from sr_tracker.schema.selection import Names, as_names
from sr_tracker.tracker.cli.context import Context, counting_option, pass_context
from sr_tracker.tracker.cli.options import filter_options, option

if TYPE_CHECKING:
    from sr_tracker.queries.counting import Counting


@click.command(name="report")
@click.argument("selection", required=False)
@filter_options
@counting_option
@option("output", default=Path("report.html"), show_default=True, help="The page.")
@click.option(
    "--png", type=click.Path(path_type=Path, file_okay=False), help="Folder for its charts as PNG."
)
@click.option("--title", help="Title of the page.")
@pass_context
def report(
    context: Context,
    selection: str | None,
    counting: Counting,
    output: Path,
    png: Path | None,
    title: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Write one page about SELECTION: a submission, a system or a campaign.

    The page needs no network and no other file. It shows the scores, the relations, correlations,
    projectivity, word-order freedom, suspicious patterns with example sentences, suspicion trees
    and the worst sentences: whatever was computed ('tracker score', 'tracker analyse').
    """
    from sr_tracker.schema.selection import add_name

    tracker = context.tracker(threads=1)
    with tracker.reading() as database:
        wanted = filters if selection is None else add_name(database, selection, filters)
        written = tracker.report(
            output, png=png, title=title or _name(wanted), counting=counting, **wanted
        )
    charts = f", {len(written.charts)} charts in {png}" if png else ""
    context.say(f"{written.page}: {plural(written.submissions, 'submission')}{charts}")


def _name(wanted: Mapping[str, Names]) -> str | None:
    """Return the names that were asked for, where there are any."""
    return " · ".join(name for names in wanted.values() for name in as_names(names)) or None


@click.command(name="site")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@pass_context
def site(context: Context, folder: Path) -> None:
    """Write the explorer's pages into FOLDER, to be published: a site without a server.

    Every campaign with its systems, submissions and sentences; search and SQL need 'tracker serve'.
    A site that is there already is replaced.
    """
    require("starlette")
    with context.progress("pages") as progress:
        pages = context.tracker().site(folder, progress=progress)
    context.say(f"{folder / 'index.html'}: {plural(pages, 'page')}")
