"""``tracker ensemble``: the best of several systems, tree by tree."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option
from sr_tracker.tracker.cli.output import output_options


def _names(_context: click.Context, _option: click.Parameter, given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


@click.command(name="ensemble")
@option("treebank", required=True)
@option("campaign", help="Campaign, where the treebank is in several.")
@click.option(
    "--systems",
    callback=_names,
    help="Members, as SYSTEM,SYSTEM@ITERATION,…; else all but human references and ensembles.",
)
@click.option(
    "--all-iterations", is_flag=True, help="Take every iteration of a system, not only its latest."
)
@click.option(
    "--folds", type=int, default=10, show_default=True, help="Parts of the treebank to learn from."
)
@option("seed", default=0, help="Seed of the folds.")
@click.option("--name", default="ensemble", show_default=True, help="System to load it as.")
@option("replace", help="Load in place of another ensemble of that name.")
@output_options
@pass_context
def command(
    context: Context,
    treebank: str,
    campaign: str | None,
    systems: list[str],
    all_iterations: bool,
    folds: int,
    seed: int,
    name: str,
    replace: bool,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Make a submission of the outputs of others, tree by tree, and score it.

    Of every tree it takes the output of the system that realises the tree's relations best. How
    well a system realises them is learned from the other folds of the treebank, never from the
    tree itself.
    """
    from sr_tracker.tracker.cli.output import write_rows

    with context.progress("ensemble") as progress:
        report = context.tracker().ensemble(
            treebank,
            campaign=campaign,
            systems=systems or None,
            all_iterations=all_iterations,
            folds=folds,
            seed=seed,
            name=name,
            replace=replace,
            progress=progress,
        )
    state = "loaded and scored" if report.changed else "nothing new"
    context.say(f"{report.submission_id}: {state} ({folds} folds, seed {seed})")
    write_rows(report.table(), format_name, output)
