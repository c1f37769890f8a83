"""``tracker site``: the explorer as files."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.optional import require
from sr_tracker.tracker.cli.context import Context, pass_context


@click.command(name="site")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@pass_context
def command(context: Context, folder: Path) -> None:
    """Write the explorer's pages into FOLDER, to be published: a site without a server.

    Every campaign with its systems, submissions and sentences; search and SQL need 'tracker serve'.
    A site that is there already is replaced.
    """
    require("starlette")
    with context.progress("pages") as progress:
        pages = context.tracker().site(folder, progress=progress)
    context.say(f"{folder / 'index.html'}: {pages:,} pages")
