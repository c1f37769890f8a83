"""``tracker score``, ``analyse`` and ``significance``: compute what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import click

from ...queries.errors import KINDS, LABELS, Settings
from ...queries.metrics.choice import notes_on
from ...schema.brief import plural
from ...schema.errors import InputError, TrackerError
from ...schema.parameters import Unit
from ...schema.selection import FILTERS
from .context import Context, command, log_options
from .options import MEASURE, filter_options, option
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    from ..api import Tracker
    from ..api.given import Filters


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
    context.say(
        f"MLflow: {plural(report.logged, 'run')} logged, {report.unchanged} unchanged "
        f"({report.tracking_uri})"
    )


@command("analyse")
@filter_options
@option(
    "--only",
    "kinds",
    choices=KINDS,
    multiple=True,
    default=KINDS,
    help="Only this analysis; may be repeated.",
)
@option(
    "--method",
    choices=["spearman", "pearson", "kendall"],
    default="spearman",
    help="Coefficient of the correlations.",
)
@option(
    "--measure",
    "measures",
    type=MEASURE,
    multiple=True,
    show_default="the ten of the paper",
    help="Correlations: correct p-values over pairs of these together; may be repeated.",
)
@option(
    "--minimum-share",
    type=click.FloatRange(0, 1),
    default=0.05,
    help="Test projectivity where more than this share of sentences is non-projective.",
)
@option(
    "--convention",
    choices=["standard", "tacl2021"],
    default="standard",
    help="How complexity and projectivity are measured; tacl2021 as in the paper's figures.",
)
@option(
    "--labels",
    multiple=True,
    default=LABELS,
    help="Labels of mined subtrees: lemma, upos, xpos, deprel, relation, or several joined by ~.",
)
@option("--metric", type=MEASURE, default="bleu", help="Metric that tells failed from passed.")
@option(
    "--quantile",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.25,
    help="Share of the sentences that fail; ties at the limit fail too.",
)
@option("--threshold", type=float, help="Sentences fail up to this score, in place of it.")
@option("--max-nodes", type=click.IntRange(1, 6), default=3)
@option("--minimum-support", type=click.IntRange(1), default=5)
@option("scheduler")
def analyse(context: Context, scheduler: str | None, **options: Any) -> None:
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
    if report.unscored:
        context.say(
            f"note: {plural(len(report.unscored), 'submission')} without a score passed over"
        )


@command("choose")
@click.argument("metric", required=False)
@click.argument("settings", required=False)
@option("treebank", "treebanks", multiple=True, help="On this test set; else on all.")
@output_options
def choose(
    context: Context,
    metric: str | None,
    settings: str | None,
    treebanks: tuple[str, ...],
    to: Destination,
) -> None:
    """Choose the SETTINGS of a METRIC that are the score, or show which are.

    METRIC is grammar (which rule set), form (language model), smatch or s2match (parser of graphs),
    mf (which of these two is its meaning), references (all or first, for metrics that can use
    several), or a metric of a package or computed elsewhere (version, model, prompt). The first
    scoring over all sentences chooses; scores by other settings stand beside, and leaderboards,
    comparisons and gates do not read them. SETTINGS may be a part of the name.
    """
    if metric is not None and settings is None:
        raise InputError(
            f"it is not said which settings of '{metric}'",
            hint="'tracker choose' shows those there are",
        )
    rows = context.tracker().choose(metric, settings, treebanks=treebanks)
    write_rows(rows, to)


def tell_beside(context: Context, beside: Mapping[str, str]) -> None:
    """Tell on which test sets scores stand beside the score, as other settings are chosen."""
    for note in notes_on(beside):
        context.say(f"note: {note}")


@command("significance")
@filter_options
@option(
    "--metric", "metrics", type=MEASURE, multiple=True, help="Only this metric; may be repeated."
)
@option("replicates")
@option("seed", help="Seed of both.")
@option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    help="Share of the replicates that an interval holds.",
)
@option("resampling_unit")
@option(
    "--pairs/--no-pairs",
    default=True,
    help="Compare submissions to the same treebank with each other.",
)
@option("scheduler")
def significance(
    context: Context,
    metrics: tuple[str, ...],
    replicates: int,
    seed: int,
    level: float,
    resampling_unit: Unit,
    pairs: bool,
    scheduler: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Tell which differences between scores are more than chance.

    Stores a bootstrap confidence interval of each score, and compares each two submissions to one
    treebank as 'tracker compare' does, by all metrics that both have. What is not scored yet is
    scored first, where the metric needs no rules, parser or model. What is there with the same
    settings stays. Results: 'tracker show score_intervals', 'tracker show verdicts' and
    'tracker show measure_changes'.
    """
    from ...queries.change.significance import Settings
    from ...queries.metrics.registry import scorable_metrics

    settings = Settings(metrics or None, replicates, seed, level, pairs, resampling_unit)
    tracker = context.tracker()
    submissions = tracker.select(**filters)
    scorable = {metric.name for metric in scorable_metrics()}
    wanted = [name for name in metrics if name in scorable]
    if wanted or not metrics:
        with context.progress("scoring") as progress:
            tracker.score(
                submissions=submissions,
                metrics=wanted or None,
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
    if report.barred:
        context.say(
            f"note: {plural(report.barred, 'pair')} left out that must not be compared: "
            "'tracker compare' says why"
        )
