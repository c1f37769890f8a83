"""``tracker drift``: what changed between versions of a test set, and what that does to scores."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, SUBMISSION, TREEBANK, option
from sr_tracker.tracker.cli.output import document_format, document_options, write_document


@click.command(name="drift")
@click.argument("versions", nargs=-1, required=True, type=TREEBANK)
@click.option(
    "--metric",
    "metrics",
    type=MEASURE,
    multiple=True,
    help="Only this; may be repeated. dea[nsubj] is a relation, dea[*] all of them.",
)
@click.option("--base", type=SUBMISSION, help="The older run, of the first or the last version.")
@click.option("--new", type=SUBMISSION, help="The newer run, of the first or the last version.")
@click.option(
    "--top",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    help="Show so many changes of a kind.",
)
@option("replicates", help="Number of resampled test sets.")
@option("seed", help="Seed of the resampling.")
@option("chart", help="Draw what changed as well: .png, .svg or .html.")
@document_options
@pass_context
def command(
    context: Context,
    versions: tuple[str, ...],
    top: int,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
    metrics: tuple[str, ...],
    **options: Any,
) -> None:
    """Tell what changed between VERSIONS of a test set, the oldest first, and in scores by that.

    Sentences belong together by sent_id, else by text; words by their forms. Scores are followed
    from the first version to the last, of every run that is loaded for both ('tracker carry'): a
    change is what sentences bring that one version lacks, what the references bring, and what the
    system brings. With --base and --new it is the change from one run to another.
    """
    from sr_tracker.tracker.show.findings.drift import drift_document
    from sr_tracker.tracker.show.json_forms import found_as_json

    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(chart)
    chosen = document_format(format_name, output)
    with context.progress("drift") as progress:
        found = context.tracker().drift(
            *versions, metrics=metrics or None, progress=progress, **options
        )
    write_document(
        context,
        chosen,
        output,
        partial(drift_document, found, top=top),
        partial(found_as_json, found),
    )
    if chart is not None:
        from sr_tracker.tracker.show.charts.drift import drift_chart
        from sr_tracker.tracker.show.charts.saving import save_chart

        save_chart(drift_chart(found), chart)
        context.say(f"{chart} written")
