"""``tracker history``: a system over its iterations."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.tracker.cli.context import Context, as_of_option, pass_context
from sr_tracker.tracker.cli.options import MEASURE, SYSTEM, option
from sr_tracker.tracker.cli.output import output_options, write_rows

if TYPE_CHECKING:
    from sr_tracker.queries.change.history import Tests


@click.command(name="history")
@click.argument("system", type=SYSTEM)
@option("treebank", help="Only this treebank.")
@option("campaign", help="Only this campaign.")
@click.option(
    "--measure",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="the usual metrics, human criteria, relations that changed most",
    help="Only this measure: bleu, 'dea[advcl]', 'suspicion[(conj cc)]', 'dea[*]' for all "
    "relations; may be repeated.",
)
@click.option(
    "--tests",
    type=click.Choice(["all", "relations", "none"]),
    default="all",
    show_default=True,
    help="Which changes are tested: tests of relations are quick, others take resampling.",
)
@option("replicates")
@option("seed", help="Of both.")
@option("chart")
@as_of_option
@output_options
@pass_context
def command(
    context: Context,
    system: str,
    treebank: str | None,
    campaign: str | None,
    measures: tuple[str, ...],
    tests: Tests,
    replicates: int,
    seed: int,
    chart: Path | None,
    as_of: datetime | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Follow a SYSTEM over its iterations.

    Every run is compared with its parent or, where none is known, with the iteration before.
    Marked is what changed significantly: relations by an exact test over sentences, metrics by
    approximate randomisation; p-values are corrected within each step (Holm). CSV, JSON and
    Parquet have one row per iteration and measure.
    """
    from sr_tracker.queries.change.comparison.model import Settings
    from sr_tracker.queries.change.history import history_rows
    from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
    from sr_tracker.tracker.show.findings.history import history_document

    if chart is not None:
        check_ending(chart)
    settings = Settings(replicates=replicates, seed=seed)
    tracker = context.tracker(threads=1)
    with tracker.reading(as_of=as_of), context.progress("comparing") as progress:
        found = tracker.history(
            system,
            treebank=treebank,
            campaign=campaign,
            measures=measures or None,
            settings=settings,
            tests=tests,
            progress=progress,
        )
    if chart is not None:
        from sr_tracker.tracker.show.charts.history import history_chart

        save_chart(history_chart(history_rows(found).to_pandas(), system), chart)
        context.say(f"{chart} written")
    write_rows(history_rows(found), format_name, output, partial(history_document, found))
