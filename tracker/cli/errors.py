"""``tracker errors``: errors that annotators marked, and what they fall on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.queries.errors.marked_errors import BY, WHO
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import TREEBANK, filter_options, option
from sr_tracker.tracker.cli.output import output_options, write_rows

if TYPE_CHECKING:
    from sr_tracker.tracker.show.model import Document

DOCUMENT = ("system", "severity", "category", "relation", "accuracy", "pattern", "metric")


@click.command(name="errors")
@filter_options
@option("criterion")
@click.option(
    "--by",
    type=click.Choice(BY),
    show_default="all in text and pages, else system",
    help="Show only this: how many errors by whom or what, or what they fall on.",
)
@click.option(
    "--trees",
    type=TREEBANK,
    help="Relations of this treebank of the same sentences, such as parsed sources.",
)
@option("chart", help="Draw systems' errors by severity as well: .png, .svg or .html.")
@output_options
@pass_context
def command(
    context: Context,
    by: str | None,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Tell what errors annotators marked (MQM, ESA), on what they fall, and who misses them.

    Per 100 words by severity; relations of marked words against others; whether edges are found
    less often near marks; patterns of outputs with errors, mined by 'tracker analyse --metric
    mqm_errors[critical]'; how often metrics score an output with a grave error no lower than one
    without.
    """
    from sr_tracker.tracker.show.charts.saving import check_ending, save_chart
    from sr_tracker.tracker.show.findings.marked_errors import errors_document, errors_table

    if chart is not None:
        check_ending(chart)
    tracker = context.tracker()

    def document() -> Document:
        shown = (by,) if by else DOCUMENT
        with tracker.reading():
            return errors_document(
                {each: tracker.errors(each, **options).to_pylist() for each in shown}
            )

    rows = tracker.errors(by or "system", **options)
    write_rows(
        rows,
        format_name,
        output,
        document,
        lambda: [errors_table(by or "system", rows.to_pylist())],
    )
    if chart is not None:
        from sr_tracker.tracker.show.charts.marked_errors import marked_errors_chart

        drawn = rows if by in WHO else tracker.errors("system", **options)
        save_chart(marked_errors_chart(drawn.to_pandas(), "Marked errors"), chart)
        context.say(f"{chart} written")
