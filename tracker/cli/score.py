"""``tracker score``: compute what is missing."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from schema.errors import TrackerError
from tracker.cli.context import Context, pass_context

if TYPE_CHECKING:
    from schema.database import Database


@click.command(name="score")
@click.option("--submission", multiple=True, help="Only this submission.")
@click.option("--metric", multiple=True, help="Only this metric.")
@click.option("--list-metrics", is_flag=True, help="List the metrics and stop.")
@click.option("--log/--no-log", default=True, show_default=True, help="Log to MLflow afterwards.")
@click.option("--tracking-uri", envvar="MLFLOW_TRACKING_URI", help="MLflow store or server.")
@pass_context
def command(
    context: Context,
    submission: tuple[str, ...],
    metric: tuple[str, ...],
    list_metrics: bool,
    log: bool,
    tracking_uri: str | None,
) -> None:
    """Compute the scores that are missing, then log the submissions to MLflow.

    Scores that are there stay as they are; an interrupted run goes on where it was.
    """
    if list_metrics:
        from queries.metrics import metrics

        for found in metrics().values():
            click.echo(f"{found.name:14} {found.description}")
        return
    with context.writing() as tracker:
        with context.progress("scoring") as progress:
            report = tracker.score(
                submissions=submission or None, metrics=metric or None, progress=progress
            )
        context.say(
            f"{report.treebanks} treebanks analysed, {report.scores} scores computed for "
            f"{report.submissions} submissions"
            if report.scores or report.treebanks
            else "nothing to compute: all scores are there"
        )
    if log:
        log_if_possible(context, context.reading(), tracking_uri, submission)


def log_if_possible(
    context: Context,
    opened: AbstractContextManager[Database],
    tracking_uri: str | None = None,
    submissions: tuple[str, ...] = (),
) -> None:
    """Log submissions; where that fails, say so: the scores are there, 'tracker log' catches up."""
    try:
        with opened as database:
            log_to_mlflow(context, database, tracking_uri, submissions)
    except TrackerError as error:
        context.say(f"not logged to MLflow: {error}")


def log_to_mlflow(
    context: Context, database: Database, tracking_uri: str | None, submissions: tuple[str, ...]
) -> None:
    """Log submissions and say what was logged."""
    from tracker.experiments import log_submissions

    with context.progress("logging") as progress:
        report = log_submissions(
            database,
            tracking_uri=tracking_uri,
            submissions=submissions or None,
            progress=progress,
        )
    context.say(
        f"MLflow: {report.logged} runs logged, {report.unchanged} unchanged ({report.tracking_uri})"
    )
