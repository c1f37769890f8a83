"""``tracker demo``: the whole job on the sample campaign."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context


@click.command(name="demo")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Folder for the database, the MLflow store and the page of what to try next.",
)
@pass_context
def command(context: Context, folder: Path) -> None:
    """Load, score, show and log the sample campaign: three years, two languages, five systems."""
    from sr_tracker.tracker.demo import run_demo

    run_demo(folder, context)
