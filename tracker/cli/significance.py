"""``tracker significance``: confidence intervals of scores, and paired tests between them."""

from __future__ import annotations

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, filter_options, option


@click.command(name="significance")
@filter_options
@click.option(
    "--metric", "metrics", type=MEASURE, multiple=True, help="Only this metric; may be repeated."
)
@option("replicates")
@option("seed", help="Seed of both.")
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Share of the replicates that an interval holds.",
)
@click.option(
    "--pairs/--no-pairs",
    default=True,
    show_default=True,
    help="Compare submissions to the same treebank with each other.",
)
@option("scheduler")
@pass_context
def command(
    context: Context,
    metrics: tuple[str, ...],
    replicates: int,
    seed: int,
    level: float,
    pairs: bool,
    scheduler: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Tell which differences between scores are more than chance.

    Stores a bootstrap confidence interval of each score, and for each two submissions to one
    treebank the p-values of the paired bootstrap and of approximate randomisation. What is not
    scored yet is scored first. What is there with the same settings stays; other settings replace
    it. Results: 'tracker show score_intervals', 'tracker show score_comparisons'.
    """
    from sr_tracker.queries.change.significance import Settings

    settings = Settings(metrics or None, replicates, seed, level, pairs)
    tracker = context.tracker()
    submissions = tracker.select(**filters)
    with context.progress("scoring") as progress:
        tracker.score(
            submissions=submissions,
            metrics=settings.metrics,
            scheduler=scheduler,
            progress=progress,
        )
    with context.progress("testing") as progress:
        report = tracker.significance(
            settings, scheduler=scheduler, progress=progress, submission=submissions
        )
    context.say(
        f"{plural(report.intervals, 'interval')} and "
        f"{plural(report.comparisons, 'comparison')} computed"
        if report.intervals or report.comparisons
        else "nothing to compute: all intervals and comparisons are there"
    )
