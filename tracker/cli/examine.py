"""``tracker examine``: one metric, or judge, under the lens."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sr_tracker.queries.people.examining import TABLES
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, SYSTEM, named_values, option
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="examine")
@click.argument("metric", type=MEASURE)
@option("campaign", help="Only this campaign.")
@option("treebank", help="Only this treebank.")
@option("criterion")
@option("people")
@click.option(
    "--own", type=SYSTEM, multiple=True, help="System of the metric's family; may be repeated."
)
@click.option(
    "--own-tag",
    "own_tags",
    metavar="NAME=VALUE",
    multiple=True,
    help="Tag of submissions of the metric's family; may be repeated.",
)
@click.option(
    "--repeat",
    "repeats",
    type=MEASURE,
    multiple=True,
    help="Metric that is a further run of the same; may be repeated.",
)
@click.option(
    "--part",
    type=click.Choice(TABLES),
    show_default="all; agreement as rows",
    help="Show only this table.",
)
@option("replicates", help="Number of resampled test sets.")
@option("seed", help="Seed of the resampling.")
@option("chart", help="Draw calibration and favoured systems as well: .png, .svg or .html.")
@output_options
@pass_context
def command(
    context: Context,
    metric: str,
    part: str | None,
    chart: Path | None,
    own_tags: tuple[str, ...],
    format_name: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Examine a METRIC, or a model that judges, by what people said of the same outputs.

    Where it agrees with them, by language, criterion, length, complexity, domain and system; which
    systems it favours above others that people score alike, and whether its own family is among
    them (--own, --own-tag); whether it favours long outputs; what its scores mean to people;
    whether it says the same again (--repeat); and on which relations errors cost less by it than
    by people.
    """
    from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
    from sr_tracker.tracker.show.findings import examination as shown
    from sr_tracker.tracker.show.json_forms import found_as_json

    if chart is not None:
        check_ending(chart)
    with context.progress("examine") as progress:
        found = context.tracker().examine(
            metric, own_tags=named_values(own_tags, "--tag"), progress=progress, **options
        )
    write_rows(
        getattr(found, part or "agreement"),
        format_name,
        output,
        partial(shown.examination_document, found, part),
        partial(shown.examination_tables, found, part),
        None if part else partial(found_as_json, found),
    )
    if chart is not None:
        from sr_tracker.tracker.show.charts.examination import examination_chart

        save_chart(examination_chart(found), chart)
        context.say(f"{chart} written")
