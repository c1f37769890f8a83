"""``tracker analyse``: correlations, projectivity, word-order freedom and error mining."""

from __future__ import annotations

from typing import Any

import click

from sr_tracker.queries.errors import KINDS, LABELS, Settings
from sr_tracker.schema.brief import plural
from sr_tracker.schema.selection import FILTERS
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, filter_options, option


@click.command(name="analyse")
@filter_options
@click.option(
    "--only",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    default=KINDS,
    help="Only this analysis; may be repeated.",
)
@click.option(
    "--method",
    type=click.Choice(["spearman", "pearson", "kendall"]),
    default="spearman",
    show_default=True,
    help="Coefficient of the correlations.",
)
@click.option(
    "--minimum-share",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Test projectivity where more than this share of sentences is non-projective.",
)
@click.option(
    "--convention",
    type=click.Choice(["standard", "tacl2021"]),
    default="standard",
    show_default=True,
    help="How complexity and projectivity are measured; tacl2021 as in the paper's figures.",
)
@click.option(
    "--labels",
    multiple=True,
    default=LABELS,
    show_default=True,
    help="Labels of mined subtrees: lemma, upos, xpos, deprel, relation, or several joined by ~.",
)
@click.option(
    "--metric",
    type=MEASURE,
    default="bleu",
    show_default=True,
    help="Metric that tells failed from passed.",
)
@click.option(
    "--quantile",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.25,
    show_default=True,
    help="Share of the sentences that fail; ties at the limit fail too.",
)
@click.option("--threshold", type=float, help="Sentences fail up to this score, in place of it.")
@click.option("--max-nodes", type=click.IntRange(1, 6), default=3, show_default=True)
@click.option("--minimum-support", type=click.IntRange(1), default=5, show_default=True)
@option("scheduler")
@pass_context
def command(context: Context, scheduler: str | None, **options: Any) -> None:
    """Analyse what makes outputs bad: correlations, projectivity, word-order freedom, subtrees.

    What is not scored yet is scored first. Analyses that are there and rest on the same scores
    stay as they are. Results: 'tracker show correlations', 'projectivity_tests', 'entropy_dea',
    'suspicious_patterns', 'pattern_coverage'; pictures: 'tracker plot'; all: 'tracker report'.
    """
    filters = {name: options.pop(name) for name in FILTERS}
    settings = Settings(**options)
    tracker = context.tracker()
    with context.progress("scoring") as progress:
        tracker.score(submissions=tracker.select(**filters), scheduler=scheduler, progress=progress)
    with context.progress("analysing") as progress:
        report = tracker.analyse(settings, scheduler=scheduler, progress=progress, **filters)
    context.say(
        f"{report.analyses:,} analyses of {plural(report.submissions, 'submission')}"
        if report.analyses
        else "nothing to analyse: all analyses are there"
    )
