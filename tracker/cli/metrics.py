"""``tracker metrics``: metrics against people."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.schema.statements import read_table
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="metrics")
@option("campaign", help="Only this campaign.")
@option("treebank", help="Only this treebank.")
@option("criterion")
@option("people")
@click.option(
    "--group",
    "grouping",
    type=click.Choice(["item", "system", "none"]),
    default="item",
    show_default=True,
    help="Whose outputs are compared: those of an item, of a system, or all.",
)
@click.option(
    "--level",
    type=click.Choice(["sentence", "system"]),
    show_default="both",
    help="Show only how outputs, or how systems are ordered.",
)
@click.option(
    "--by",
    type=click.Choice(["domain", "length", "complexity", "relation", "document"]),
    help="Cut the sentences into parts, each evaluated by itself, without tests.",
)
@option("replicates", help="Number of permutations, and of resampled test sets.")
@option("seed", help="Of both.")
@option("chart")
@output_options
@pass_context
def command(
    context: Context,
    campaign: str | None,
    treebank: str | None,
    criterion: str | None,
    people: str,
    grouping: str,
    level: str | None,
    by: str | None,
    replicates: int,
    seed: int,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Hold metrics against people, as WMT's metrics tasks do.

    Outputs: pairwise accuracy with calibrated ties, Kendall's tau-b, Pearson's r. Systems: soft and
    plain pairwise accuracy, Pearson's r with and without outliers. Metrics of different clusters
    differ significantly. Results are stored: 'tracker show metric_evaluations',
    'metric_comparisons'.
    """
    from sr_tracker.queries.people.metric_evaluation import MetricSettings
    from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
    from sr_tracker.tracker.show.findings import metric_evaluation as shown

    if chart is not None:
        check_ending(chart)
        if by is not None:
            raise InputError("--chart draws all sentences together", hint="leave --by out")
    settings = MetricSettings(people, grouping, by, replicates, seed, one_place=chart is not None)
    tracker = context.tracker()
    report = tracker.metrics(
        campaign=campaign, treebank=treebank, criterion=criterion, settings=settings
    )
    with tracker.reading() as database:
        rows = read_table(
            database,
            "evaluated_metrics",
            judged=[
                dict(zip(("campaign_id", "treebank_id", "criterion"), place, strict=True))
                for place in report.judged
            ],
            people=people,
            grouping=grouping,
            part_kind=by or "all",
            level=level,
        )
    tables = partial(shown.evaluation_tables, rows.to_pylist())
    write_rows(rows, format_name, output, lambda: shown.evaluation_document(tables()), tables)
    if chart is not None:
        from sr_tracker.tracker.show.charts.metric_evaluation import metric_evaluation_chart

        save_chart(metric_evaluation_chart(rows.to_pandas(), "Metrics against people"), chart)
        context.say(f"{chart} written")
