"""``tracker baseline``: a floor to compare with."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import TREEBANK, option


def _list_baselines(context: click.Context) -> None:
    from sr_tracker.tracker.baselines import BASELINES

    for name, baseline in BASELINES.items():
        click.echo(f"{name:16} {baseline.description}")
    context.exit()


@click.command(name="baseline")
@click.argument("treebank", type=TREEBANK)
@click.option("--name", "names", multiple=True, help="Only this baseline (see --list).")
@click.option(
    "--train",
    type=TREEBANK,
    help="Treebank to learn from; else the same corpus's train or dev split.",
)
@option("campaign", default="local", show_default=True)
@option("seed", default=0)
@option(
    "output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the outputs as text files into this folder as well.",
)
@option("replace", help="Load in place of runs with other outputs.")
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _list_baselines(context) if wanted else None,
    help="List the baselines and stop.",
)
@pass_context
def command(
    context: Context,
    treebank: str,
    names: tuple[str, ...],
    train: str | None,
    campaign: str,
    seed: int,
    output: Path | None,
    replace: bool,
) -> None:
    """Realise TREEBANK's trees with the baselines and load their outputs as submissions.

    The baselines see the words of each sentence and their tree, not the order.
    """
    with context.progress("realising") as progress:
        runs = context.tracker().baseline(
            treebank,
            names=names or None,
            train=train,
            campaign=campaign,
            seed=seed,
            folder=output,
            replace=replace,
            progress=progress,
        )
    for submitted in runs:
        state = "loaded" if submitted.changed else "nothing new"
        context.say(f"{submitted.submission_id}: {state}, {plural(submitted.sentences, 'output')}")
