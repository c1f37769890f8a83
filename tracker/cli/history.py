"""``tracker history`` and ``years``: systems over their iterations, measures over the years."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from .context import Context, as_of_option, command
from .options import MEASURE, SYSTEM, option
from .output import Destination, output_options, write_rows


@command("history")
@click.argument("system", type=SYSTEM)
@option("treebank", help="Only this treebank.")
@option("campaign", help="Only this campaign.")
@option(
    "--measure",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="the usual metrics, human criteria, relations that changed most",
    help="Only this measure: bleu, 'dea[advcl]', 'suspicion[(conj cc)]', 'dea[*]' for all "
    "relations; may be repeated.",
)
@option(
    "--tests",
    choices=["all", "relations", "none"],
    default="all",
    help="Which changes are tested: tests of relations are quick, others take resampling.",
)
@option(
    "--control",
    choices=["step", "line"],
    default="step",
    help="What holds the error: each step at .05, or the whole line, whose steps have stricter "
    "levels (LORD++).",
)
@option("replicates")
@option("seed", help="Of both.")
@option("resampling_unit")
@option("chart")
@as_of_option
@output_options
def history(
    context: Context,
    system: str,
    measures: tuple[str, ...],
    replicates: int,
    seed: int,
    resampling_unit: str | None,
    chart: Path | None,
    as_of: datetime | None,
    to: Destination,
    **options: Any,
) -> None:
    """Follow a SYSTEM over its iterations.

    Every run is compared with its parent or, where none is known, with the iteration before.
    Marked is what changed significantly: relations by an exact test over sentences, metrics by
    approximate randomisation. P-values of primary metrics, and those of all relations, are
    corrected within each step (Holm); those of other metrics are of each alone. What a step says is
    stored, and told again as it was. CSV, JSON and Parquet have one row per iteration and measure.
    """
    from ...queries.change.comparison.model import Settings
    from ...queries.change.history import history_rows
    from ..show.findings.history import history_document

    settings = Settings(replicates=replicates, seed=seed, resampling_unit=resampling_unit)
    tracker = context.tracker(threads=1)
    then = tracker.reading(as_of=as_of) if as_of else nullcontext()
    with then, context.progress("comparing") as progress:
        found = tracker.history(
            system, measures=measures or None, settings=settings, progress=progress, **options
        )
    rows = history_rows(found)
    context.draw(chart, "history_chart", rows, system)
    write_rows(rows, to, partial(history_document, found))


@command("years")
@option("language", "languages", multiple=True, help="Only this language.")
@option("campaign", "campaigns", multiple=True, help="Only this campaign.")
@option("treebank", "treebanks", multiple=True, help="Only this test set: id, or en_ewt.")
@option(
    "--measure",
    "-m",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="the usual metrics, and what people said",
    help="A metric, a relation dea[advcl], a pattern suspicion[(conj cc)], adequacy_z.",
)
@option("--family", "families", multiple=True, help="Follow this family of systems as well.")
@option(
    "--kind",
    choices=["team", "baseline"],
    show_default="team, or baseline where there is no team",
    help="Whose best, median and worst.",
)
@option("--shared", is_flag=True, help="Only sentences that all years' test sets share.")
@option("chart", help="Draw the years in this file: .png, .svg or .html.")
@output_options
def years(
    context: Context,
    languages: tuple[str, ...],
    campaigns: tuple[str, ...],
    treebanks: tuple[str, ...],
    measures: tuple[str, ...],
    families: tuple[str, ...],
    kind: str | None,
    shared: bool,
    chart: Path | None,
    to: Destination,
) -> None:
    """Tell how scores changed from year to year: the best, the median, the references.

    Each option but --kind, --shared and --chart may be repeated. Only the latest iteration of each
    system counts. A line joins the test sets of one language; where a year has several of them,
    those of one corpus.
    """
    from ...queries.change.years import Choice, as_table
    from ..show.findings.history import years_document

    choice = Choice(languages, campaigns, treebanks, measures, families, kind, shared)
    years = context.tracker().years(choice)
    for note in years.notes:
        context.say(note)
    write_rows(as_table(years.scores), to, partial(years_document, years))
    context.draw(chart, "years_chart", years, shared=shared)
