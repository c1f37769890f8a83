"""``tracker export``: data for others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .context import Context, command
from .options import PATH, option


@command("export")
@click.argument("target", type=PATH)
@option(
    "treebank",
    help="Write this treebank as CoNLL-U to the file TARGET; of a submission, the one it is to.",
)
@option(
    "submission",
    help="Write this submission as CoNLL-U, with what became of it, to the file TARGET.",
)
@option("campaign", help="Campaign of the submission.")
@option(
    "--trees",
    choices=["reference", "output"],
    help="Of a submission: the references with its edges (so by default), or its words with its "
    "errors.",
)
@option("--views", is_flag=True, help="Write the views as well as the tables.")
def export(context: Context, target: Path, **options: Any) -> None:
    """Write every table as Parquet into the folder TARGET.

    With --treebank or --submission, write CoNLL-U to the file TARGET (.gz and .xz compress). Of a
    submission, MISC tells with the references' trees whether it has each edge (Edge=found, missed
    or misplaced), with those of the outputs which rules each word's dependency breaks (Rules=) and
    which errors were marked on it (Error=SEVERITY:CATEGORY).
    """
    with context.progress("exporting") as progress:
        count = context.tracker().export(target, progress=progress, **options)
    sentences = options["treebank"] or options["submission"]
    context.say(f"{target}: {count} {'sentences' if sentences else 'files'}")
