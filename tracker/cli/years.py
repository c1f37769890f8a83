"""``tracker years``: scores over the years of a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, option
from sr_tracker.tracker.cli.output import output_options, write_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from sr_tracker.queries.change.years import Years


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
@click.option(
    "--chart",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the years in this file: .png, .svg or .html.",
)
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
    from sr_tracker.queries.change.years import Choice, read_years

    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(chart)
    choice = Choice(languages, campaigns, treebanks, measures, families, kind, shared)
    with context.reading() as database:
        years = read_years(database, choice)
    for note in years.notes:
        context.say(note)
    _write_tables(years, format_name, output)
    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import save_chart
        from sr_tracker.tracker.show.charts.years import years_chart

        save_chart(years_chart(years, shared=shared), chart)
        context.say(f"{chart} written")


def _write_tables(years: Years, format_name: str | None, output: Path | None) -> None:
    """Write one table, or on a terminal one for each measure under its name."""
    from sr_tracker.queries.change.years.table import SHOWN, as_table
    from sr_tracker.tracker.console import print_styled

    rows = as_table(years.scores)
    if output is not None or format_name not in (None, "table"):
        write_rows(rows, format_name, output)
        return
    for measure in dict.fromkeys(score.measure for score in years.scores):
        better = next(score.better for score in years.scores if score.measure == measure)
        print_styled(f"\n{measure} ({better} is better)", "bold")
        write_rows(_of_measure(rows, measure).select(SHOWN), format_name, output)


def _of_measure(rows: pa.Table, measure: str) -> pa.Table:
    import pyarrow.compute as pc

    return rows.filter(pc.equal(rows["measure"], measure))
