"""``tracker baseline``, ``carry`` and ``ensemble``: submissions that are made of what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from ..api import submitting
from .context import Context, command
from .operation import Shown, operation
from .options import (
    FOLDER,
    TREEBANK,
    comma_separated,
    option,
)
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    from ...ingest.outputs.submissions import Submitted


def _list_baselines(context: click.Context) -> None:
    from ..baselines import BASELINES

    for name, baseline in BASELINES.items():
        click.echo(f"{name:16} {baseline.description}")
    context.exit()


@command("baseline")
@click.argument("treebank", type=TREEBANK)
@option("--name", "names", multiple=True, help="Only this baseline (see --list).")
@option(
    "--train",
    type=TREEBANK,
    help="Treebank to learn from; else the same corpus's train or dev split.",
)
@option("campaign", default="local")
@option("seed", default=0)
@option("output", type=FOLDER, help="Write the outputs as text files into this folder as well.")
@option("replace", help="Load in place of runs with other outputs.")
@option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _list_baselines(context) if wanted else None,
    help="List the baselines and stop.",
)
def baseline(
    context: Context, treebank: str, names: tuple[str, ...], output: Path | None, **options: Any
) -> None:
    """Realise TREEBANK's trees with the baselines and load their outputs as submissions.

    The baselines see the words of each sentence and their tree, not the order.
    """
    with context.progress("realising") as progress:
        runs = context.tracker().baseline(
            treebank, names=names or None, folder=output, progress=progress, **options
        )
    for submitted in runs:
        state = "loaded" if submitted.changed else "nothing new"
        context.say(f"{submitted.submission_id}: {state}, {plural(submitted.sentences, 'output')}")


def _carried(result: Sequence[Submitted]) -> Iterator[str]:
    for each in result:
        state = "loaded and scored" if each.changed else "nothing new"
        yield f"{each.submission_id}: {state}, {plural(each.missing, 'sentence')} without an output"


carry = operation(submitting.carry, Shown(notes=_carried), progress="carrying")


@command("ensemble")
@option("treebank", required=True)
@option("campaign", help="Campaign, where the treebank is in several.")
@option(
    "--systems",
    callback=comma_separated,
    help="Members, as SYSTEM,SYSTEM@ITERATION,…; else all but human references and ensembles.",
)
@option(
    "--all-iterations", is_flag=True, help="Take every iteration of a system, not only its latest."
)
@option("--folds", default=10, help="Parts of the treebank to learn from.")
@option("seed", default=0, help="Seed of the folds.")
@option("--name", default="ensemble", help="System to load it as.")
@option("replace", help="Load in place of another ensemble of that name.")
@output_options
def ensemble(
    context: Context,
    treebank: str,
    systems: list[str],
    folds: int,
    seed: int,
    to: Destination,
    **options: Any,
) -> None:
    """Make a submission of the outputs of others, tree by tree, and score it.

    Of every tree it takes the output of the system that realises the tree's relations best. How
    well a system realises them is learned from the other folds of the treebank, never from the
    tree itself.
    """
    with context.progress("ensemble") as progress:
        report = context.tracker().ensemble(
            treebank, systems=systems or None, folds=folds, seed=seed, progress=progress, **options
        )
    state = "loaded and scored" if report.changed else "nothing new"
    context.say(f"{report.submission_id}: {state} ({folds} folds, seed {seed})")
    write_rows(report.table(), to)
