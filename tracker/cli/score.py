"""``tracker score``: compute what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import MissingDependencyError, TrackerError
from sr_tracker.tracker.cli.context import Context, log_options, pass_context
from sr_tracker.tracker.cli.options import MEASURE, filter_options, option

if TYPE_CHECKING:
    from sr_tracker.tracker.api import Tracker
    from sr_tracker.tracker.api.given import Filters


@click.command(name="score")
@filter_options
@click.option("--metric", type=MEASURE, multiple=True, help="Only this metric.")
@click.option("--list-metrics", is_flag=True, help="List the metrics and stop.")
@click.option(
    "--references",
    type=click.Choice(["all", "first"]),
    help="Of test sets with several references, use all (as without it) or the first alone.",
)
@option("scheduler")
@log_options
@pass_context
def command(
    context: Context,
    metric: tuple[str, ...],
    list_metrics: bool,
    references: str | None,
    scheduler: str | None,
    log: bool,
    tracking_uri: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Compute the scores that are missing, then log the submissions to MLflow.

    Scores that are there stay as they are; an interrupted run goes on where it was.
    """
    if list_metrics:
        from sr_tracker.queries.metrics import metrics

        for found in metrics().values():
            click.echo(f"{found.name:14} {found.description}")
        return
    tracker = context.tracker()
    submissions = tracker.select(**filters) if any(filters.values()) else None
    with context.progress("scoring") as progress:
        report = tracker.score(
            submissions=submissions,
            metrics=metric or None,
            references=references,
            scheduler=scheduler,
            progress=progress,
        )
    context.say(
        f"{plural(report.treebanks, 'treebank')} analysed, "
        f"{plural(report.scores, 'score')} computed for {plural(report.submissions, 'submission')}"
        if report.scores or report.treebanks
        else "nothing to compute: all scores are there"
    )
    if log:
        log_if_possible(context, tracker, tracking_uri, submissions)


def log_if_possible(
    context: Context,
    tracker: Tracker,
    tracking_uri: str | None = None,
    submissions: Sequence[str] | None = None,
) -> None:
    """Log submissions; where that fails, say so: the scores are there, 'tracker log' catches up."""
    try:
        log_to_mlflow(context, tracker, tracking_uri, submission=submissions)
    except MissingDependencyError as error:
        context.say(f"not logged to MLflow: {error.message}: {error.hint}")
    except TrackerError as error:
        context.say(f"not logged to MLflow: {error}")


def log_to_mlflow(
    context: Context, tracker: Tracker, tracking_uri: str | None, **filters: Unpack[Filters]
) -> None:
    """Log submissions and say what was logged."""
    with context.progress("logging") as progress:
        report = tracker.log(tracking_uri=tracking_uri, progress=progress, **filters)
    context.say(
        f"MLflow: {plural(report.logged, 'run')} logged, {report.unchanged} unchanged "
        f"({report.tracking_uri})"
    )
