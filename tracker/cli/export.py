"""``tracker export``: data goes out."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option


@click.command(name="export")
@click.argument("target", type=click.Path(path_type=Path))
@option("treebank", help="Write this treebank as CoNLL-U to the file TARGET.")
@click.option("--views", is_flag=True, help="Write the views as well as the tables.")
@pass_context
def command(context: Context, target: Path, treebank: str | None, views: bool) -> None:
    """Write every table as Parquet into the folder TARGET.

    With --treebank, write one treebank as CoNLL-U to the file TARGET (.gz and .xz compress).
    """
    with context.progress("exporting") as progress:
        count = context.tracker().export(target, treebank=treebank, views=views, progress=progress)
    context.say(f"{target}: {count} {'sentences' if treebank else 'files'}")
