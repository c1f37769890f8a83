"""``tracker years``: scores over the years of a campaign."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, option
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="years")
@option("language", "languages", multiple=True, help="Only this language.")
@option("campaign", "campaigns", multiple=True, help="Only this campaign.")
@option("treebank", "treebanks", multiple=True, help="Only this test set: id, or en_ewt.")
@click.option(
    "--measure",
    "-m",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="the usual metrics, and what people said",
    help="A metric, a relation dea[advcl], a pattern suspicion[(conj cc)], adequacy_z.",
)
@click.option("--family", "families", multiple=True, help="Follow this family of systems as well.")
@click.option(
    "--kind",
    type=click.Choice(["team", "baseline"]),
    show_default="team, or baseline where there is no team",
    help="Whose best, median and worst.",
)
@click.option("--shared", is_flag=True, help="Only sentences that all years' test sets share.")
@option("chart", help="Draw the years in this file: .png, .svg or .html.")
@output_options
@pass_context
def command(
    context: Context,
    languages: tuple[str, ...],
    campaigns: tuple[str, ...],
    treebanks: tuple[str, ...],
    measures: tuple[str, ...],
    families: tuple[str, ...],
    kind: str | None,
    shared: bool,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Tell how scores changed from year to year: the best, the median, the references.

    Each option but --kind, --shared and --chart may be repeated. Only the latest iteration of each
    system counts. A line joins the test sets of one language; where a year has several of them,
    those of one corpus.
    """
    from sr_tracker.queries.change.years import Choice, as_table
    from sr_tracker.tracker.show.findings.years import years_document

    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(chart)
    choice = Choice(languages, campaigns, treebanks, measures, families, kind, shared)
    years = context.tracker().years(choice)
    for note in years.notes:
        context.say(note)
    write_rows(as_table(years.scores), format_name, output, partial(years_document, years))
    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import save_chart
        from sr_tracker.tracker.show.charts.years import years_chart

        save_chart(years_chart(years, shared=shared), chart)
        context.say(f"{chart} written")
