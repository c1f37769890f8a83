"""``tracker evaluate-parser``: how well models tag and parse clean and noisy treebanks."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option
from sr_tracker.tracker.cli.output import output_options


@click.command(name="evaluate-parser")
@click.argument("gold", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--model",
    "models",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="A .udpipe file or a folder of Stanza models; repeat to compare.",
)
@click.option("--altered", is_flag=True, help="Only the words that 'tracker noise' has altered.")
@click.option(
    "--tokenise", is_flag=True, help="Let the model tokenise the texts too; F1 over aligned words."
)
@option("chart", help="Also draw the table: .png, .svg or .html.")
@output_options
@pass_context
def command(
    context: Context,
    gold: tuple[Path, ...],
    models: tuple[Path, ...],
    altered: bool,
    tokenise: bool,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Compare models on GOLD treebanks: UPOS, UFeats, UAS and LAS as defined for CoNLL 2018.

    Give the clean treebank and the noisy one that 'tracker noise' makes of it, the original model
    and the robust one. Words that were altered have rows of their own.
    """
    from sr_tracker.ingest.parsing.comparison import compare_models
    from sr_tracker.tracker.cli.output import write_rows

    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(chart)
    with context.progress("parsing") as progress:
        rows = compare_models(
            gold, models, tokenise=tokenise, altered_only=altered, progress=progress
        )
    write_rows(rows, format_name, output)
    if chart is not None:
        from sr_tracker.tracker.show.charts.parsing import robustness_chart
        from sr_tracker.tracker.show.charts.saving import save_chart

        save_chart(robustness_chart(rows.to_pandas()), chart)
        context.say(f"{chart}: drawn")
