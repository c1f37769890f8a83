"""``tracker compare``: what changed from one submission to another, or how several rank."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, SUBMISSION, narrowing_options, option
from sr_tracker.tracker.cli.output import document_format, document_options, write_document


@click.command(name="compare")
@click.argument("submissions", nargs=-1, required=True, type=SUBMISSION)
@narrowing_options
@click.option(
    "--metric", "metrics", type=MEASURE, multiple=True, help="Compare by this; may be repeated."
)
@click.option(
    "--sentence-metric",
    type=MEASURE,
    help="By which sentences gain, lose and fail; may be human, such as adequacy_z. Without it by "
    "BLEU, or the first metric that both have.",
)
@click.option(
    "--sentences",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Show so many that gained and lost most.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Show so many patterns, and relations without a significant change.",
)
@click.option("--trees", is_flag=True, help="Draw the references' trees, edges won and lost.")
@option("replicates")
@option("seed", help="Seed of the resampling.")
@click.option("--force", is_flag=True, help="Compare what must not be compared, saying so.")
@document_options
@pass_context
def command(
    context: Context,
    submissions: tuple[str, ...],
    treebank: str | None,
    campaign: str | None,
    sentence_metric: str | None,
    top: int,
    trees: bool,
    format_name: str | None,
    output: Path | None,
    metrics: tuple[str, ...],
    **options: Any,
) -> None:
    """Tell how submission A differs from B: 'tracker compare A B' reads 'A against B'.

    Differences are A minus B, so give the new one first. A submission is named by its id, or as
    system@3, system@latest, system@first, system@previous or system@best:dea. With three or more,
    a table ranks them in clusters of those that do not differ by more than chance.
    """
    from sr_tracker.queries.change.comparison.comparing import compare, rankings
    from sr_tracker.queries.change.comparison.model import Settings
    from sr_tracker.queries.errors.measures import sentence_metrics
    from sr_tracker.schema.iterations import resolve_submission
    from sr_tracker.tracker.show.findings.comparison import comparison_document
    from sr_tracker.tracker.show.findings.ranking import ranking_document
    from sr_tracker.tracker.show.json_forms import as_json, rankings_as_json

    if len(submissions) == 1:
        raise InputError("one submission is not compared with anything", hint="name two or more")
    chosen = document_format(format_name, output)
    with context.tracker(threads=1).reading() as database:
        found = [
            resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in submissions
        ]
        by = sentence_metric or sentence_metrics(database, found)[0]
        settings = Settings(metrics=metrics or None, sentence_metric=by, **options)
        if len(found) == 2:
            two = compare(database, found[0], found[1], settings)
            trees = trees or chosen == "html"
            document = partial(comparison_document, two, top=top, trees=trees)
            content = partial(as_json, two)
        else:
            ranked = rankings(database, found, settings)
            document = partial(ranking_document, ranked, settings)
            content = partial(rankings_as_json, ranked, settings)
    write_document(context, chosen, output, document, content)
