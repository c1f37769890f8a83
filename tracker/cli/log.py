"""``tracker log``: submissions become MLflow runs."""

from __future__ import annotations

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import filter_options
from sr_tracker.tracker.cli.score import log_to_mlflow


@click.command(name="log")
@filter_options
@click.option(
    "--tracking-uri",
    envvar="MLFLOW_TRACKING_URI",
    help="MLflow store or server; else mlflow.db beside the database.",
)
@pass_context
def command(context: Context, tracking_uri: str | None, **filters: tuple[str, ...]) -> None:
    """Log submissions to MLflow: one experiment per campaign, one run per submission.

    Runs that are there are updated, never doubled. See them with
    'mlflow ui --backend-store-uri sqlite:///mlflow.db'.
    """
    log_to_mlflow(context, context.tracker(), tracking_uri, **filters)
