"""``tracker select-training``: training sentences with what a submission does badly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, TREEBANK, narrowing_options, option

if TYPE_CHECKING:
    from sr_tracker.queries.errors.selection import Selection


@click.command(name="select-training")
@click.argument("training_treebank", type=TREEBANK)
@option("submission", required=True, help="Whose weak points the sentences have.")
@narrowing_options
@option("output", required=True, help="CoNLL-U file to write (.gz and .xz compress).")
@click.option(
    "--budget", type=int, default=1000, show_default=True, help="Sentences to choose at most."
)
@click.option(
    "--relations", type=int, default=5, show_default=True, help="Relations with the lowest DEA."
)
@click.option(
    "--min-edges", type=int, default=10, show_default=True, help="Edges a relation must have."
)
@click.option(
    "--patterns", type=int, default=10, show_default=True, help="Patterns of highest suspicion."
)
@click.option("--labels", default="deprel", show_default=True, help="Labels of the patterns.")
@click.option(
    "--metric", type=MEASURE, default="bleu", show_default=True, help="Metric they were mined with."
)
@click.option("--min-depth", type=int, help="Also trees of at least this depth.")
@click.option("--min-length", type=int, help="Also sentences of at least so many words.")
@click.option("--min-mdd", type=float, help="Also trees of at least this mean dependency distance.")
@click.option("--non-projective", is_flag=True, help="Also non-projective trees.")
@option("seed", default=0, help="Decides between equals.")
@click.option("--allow-same", is_flag=True, help="Allow the treebank the submission was made for.")
@pass_context
def command(
    context: Context,
    training_treebank: str,
    submission: str,
    treebank: str | None,
    campaign: str | None,
    output: Path,
    budget: int,
    seed: int,
    allow_same: bool,
    relations: int,
    min_edges: int,
    patterns: int,
    labels: str,
    metric: str,
    min_depth: int | None,
    min_length: int | None,
    min_mdd: float | None,
    non_projective: bool,
) -> None:
    """Choose sentences of TRAINING_TREEBANK with what a submission realises worst.

    Writes the sentences as they are in the treebank. Each adds the weights of the relations,
    patterns and bounds it has, less for those that the sentences chosen before it have already.
    """
    from sr_tracker.queries.errors.selection import Wanted

    wanted = Wanted(
        relations=relations,
        patterns=patterns,
        labels=labels,
        metric=metric,
        min_edges=min_edges,
        min_depth=min_depth,
        min_length=min_length,
        min_mdd=min_mdd,
        non_projective=non_projective,
    )
    selection = context.tracker().select_training(
        training_treebank,
        submission,
        wanted,
        budget=budget,
        seed=seed,
        allow_same=allow_same,
        output=output,
        treebank=treebank,
        campaign=campaign,
    )
    if not context.quiet:
        _print_targets(selection)
    if patterns and not any(target.kind == "pattern" for target in selection.targets):
        context.say(f"no pattern is suspicious (labels {labels}, metric {metric})")
    context.say(f"{output}: {plural(len(selection.sentence_nos), 'sentence')}")


def _print_targets(selection: Selection) -> None:
    from sr_tracker.tracker.console import Console
    from sr_tracker.tracker.show.model import Column
    from sr_tracker.tracker.show.tables import table
    from sr_tracker.tracker.show.text import print_table

    columns = {name: Column(name, "text") for name in ("kind", "name")}
    columns |= {name: Column(name) for name in ("weight", "sentences", "chosen")}
    rows = [{name: getattr(target, name) for name in columns} for target in selection.targets]
    print_table(Console(stderr=True), table("Targets", columns, rows))
