"""``tracker promote``: the best runs become versions in MLflow's model registry."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, filter_options
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="promote")
@filter_options
@click.option(
    "--metric",
    type=MEASURE,
    default="dea",
    show_default=True,
    help="Any measure: bleu, dea[nsubj].",
)
@click.option("--alias", default="champion", show_default=True, help="Alias of the version.")
@click.option("--dry-run", is_flag=True, help="Say what would be promoted and stop.")
@click.option("--tracking-uri", envvar="MLFLOW_TRACKING_URI", help="MLflow store or server.")
@output_options
@pass_context
def command(
    context: Context,
    metric: str,
    alias: str,
    dry_run: bool,
    tracking_uri: str | None,
    format_name: str | None,
    output: Path | None,
    **filters: tuple[str, ...],
) -> None:
    """Register the best run per system and treebank as a model version with an alias.

    --submission promotes this one, whatever is better.
    The runs must be there: see 'tracker log'. Promoting again changes nothing.
    """
    import pyarrow as pa

    found = context.tracker().promote(
        metric=metric, alias=alias, dry_run=dry_run, tracking_uri=tracking_uri, **filters
    )
    write_rows(pa.Table.from_pylist([vars(one) for one in found]), format_name, output)
    missing = sum(one.done == "not logged" for one in found)
    if missing:
        context.say(f"{missing} submissions have no run yet: 'tracker log' makes them")
