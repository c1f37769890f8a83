"""``tracker smatch``: two files of meaning graphs compared, without a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.meaning import comparison_options
from sr_tracker.tracker.cli.output import output_options

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(name="smatch")
@click.argument("output_file", metavar="OUTPUT", type=_FILE)
@click.argument("gold_file", metavar="GOLD", type=_FILE)
@click.option(
    "--by",
    type=click.Choice(["corpus", "pair"]),
    default="corpus",
    show_default=True,
    help="One result for all pairs of graphs, or one for each.",
)
@click.option("--aspects", is_flag=True, help="Aspects of meaning too, such as negation and srl.")
@comparison_options
@click.option("--accept-broken", is_flag=True, help="Take a graph that is not sound for none.")
@click.option("--accept-mismatch", is_flag=True, help="Compare graphs that come with other texts.")
@output_options
@pass_context
def command(
    context: Context,
    output_file: Path,
    gold_file: Path,
    by: Any,
    aspects: bool,
    accept_broken: bool,
    accept_mismatch: bool,
    workers: int,
    format_name: str | None,
    output: Path | None,
    **given: Any,
) -> None:
    """Compare the graphs of the file OUTPUT with those of GOLD: Smatch, or S2match with --vectors.

    AMR in PENMAN notation, one graph a line, or tables with a column of graphs. Pairs are found by
    '# ::id', else by '# ::snt', else by position. No database is needed.
    """
    from sr_tracker.queries.functions.graph_aspects import ASPECTS
    from sr_tracker.queries.meaning.signatures import MeaningSettings
    from sr_tracker.tracker.cli.output import write_rows
    from sr_tracker.tracker.graph_files import WHOLE, compare_files

    settings = MeaningSettings(parser=output_file.name, **given)
    with context.progress("comparing") as progress:
        found = compare_files(
            output_file,
            gold_file,
            settings,
            by=by,
            aspects=ASPECTS if aspects else WHOLE,
            accept_broken=accept_broken,
            accept_mismatch=accept_mismatch,
            workers=workers,
            progress=progress,
        )
    write_rows(found.rows, format_name, output)
    context.say(f"pairs matched {found.way}; {found.signature.signature}")
    if found.left_out:
        listed = "\n".join(f"  {each}" for each in found.left_out)
        context.say(f"note: gold graphs left out: {len(found.left_out)}\n{listed}")
