"""``tracker score``, ``analyse`` and ``significance``: compute what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

import click

from ...queries.change.significance import Settings as SignificanceSettings
from ...queries.errors import Settings
from ...queries.metrics.choice import notes_on
from ...queries.metrics.registry import scorable_metrics
from ...schema.brief import plural
from ...schema.errors import TrackerError
from ...schema.selection import FILTERS
from ..api import computing
from .context import Context, command, log_options
from .operation import Shown, Values, operation
from .options import MEASURE, filter_options, option

if TYPE_CHECKING:
    from ...queries.change.significance import SignificanceReport
    from ...queries.errors.jobs import AnalysisReport
    from ..api import Tracker
    from ..api.given import Filters
    from ..experiments import LogReport


@command("score")
@filter_options
@option("--metric", type=MEASURE, multiple=True, help="Only this metric.")
@option("--list-metrics", is_flag=True, help="List the metrics and stop.")
@option(
    "--references",
    choices=["all", "first"],
    show_default="what each has chosen, else all",
    help="Of test sets with several references, use all or the first alone.",
)
@option("elect")
@option("scheduler")
@log_options
def score(
    context: Context,
    metric: tuple[str, ...],
    list_metrics: bool,
    references: str | None,
    elect: bool,
    scheduler: str | None,
    log: bool,
    tracking_uri: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Compute the scores that are missing, then log the submissions to MLflow.

    Scores that are there stay as they are; an interrupted run goes on where it was.
    """
    if list_metrics:
        from ...queries.metrics import metrics

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
            elect=elect,
            scheduler=scheduler,
            progress=progress,
        )
    context.say(
        f"{plural(report.treebanks, 'treebank')} analysed, "
        f"{plural(report.scores, 'score')} computed for {plural(report.submissions, 'submission')}"
        if report.scores or report.treebanks
        else "nothing to compute: all scores are there"
    )
    tell_beside(context, report.beside)
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
    except TrackerError as error:
        context.say(f"not logged to MLflow: {error}")


def log_to_mlflow(
    context: Context, tracker: Tracker, tracking_uri: str | None, **filters: Unpack[Filters]
) -> None:
    """Log submissions and say what was logged."""
    with context.progress("logging") as progress:
        report = tracker.log(tracking_uri=tracking_uri, progress=progress, **filters)
    context.say(logged(report))


def logged(report: LogReport) -> str:
    """Return what to say of submissions that were logged."""
    return (
        f"MLflow: {plural(report.logged, 'run')} logged, {report.unchanged} unchanged "
        f"({report.tracking_uri})"
    )


def _score_first(context: Context, tracker: Tracker, values: Values) -> None:
    """Score what is not scored yet, where the metric needs no rules, parser or model."""
    filters = {name: values[name] for name in FILTERS if name in values}
    scorable = {metric.name for metric in scorable_metrics()}
    wanted = [name for name in values.get("metrics", ()) if name in scorable]
    submissions = tracker.select(**filters)
    if wanted or "metrics" not in values:
        with context.progress("scoring") as progress:
            tracker.score(
                submissions=submissions,
                metrics=wanted or None,
                scheduler=values.get("scheduler"),
                progress=progress,
            )


def _analysed(report: AnalysisReport) -> Iterator[str]:
    yield (
        f"{report.analyses:,} analyses of {plural(report.submissions, 'submission')}"
        if report.analyses
        else "nothing to analyse: all analyses are there"
    )
    if report.unscored:
        yield f"note: {plural(len(report.unscored), 'submission')} without a score passed over"


analyse = operation(
    computing.analyse,
    Shown(first=_score_first, notes=_analysed),
    settings=Settings,
    progress="analysing",
)


choose = operation(computing.choose, Shown(rows=lambda rows: rows))


def tell_beside(context: Context, beside: Mapping[str, str]) -> None:
    """Tell on which test sets scores stand beside the score, as other settings are chosen."""
    for note in notes_on(beside):
        context.say(f"note: {note}")


def _tested(report: SignificanceReport) -> Iterator[str]:
    yield (
        f"{plural(report.intervals, 'interval')} and "
        f"{plural(report.comparisons, 'comparison')} computed"
        if report.intervals or report.comparisons
        else "nothing to compute: all intervals and comparisons are there"
    )
    if report.barred:
        yield (
            f"note: {plural(report.barred, 'pair')} left out that must not be compared: "
            "'tracker compare' says why"
        )


significance = operation(
    computing.significance,
    Shown(first=_score_first, notes=_tested),
    settings=SignificanceSettings,
    progress="testing",
)
