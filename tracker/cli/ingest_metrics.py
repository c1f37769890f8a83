"""``tracker ingest metric-scores``: scores that were computed elsewhere go in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sr_tracker.queries.metrics.metric import HIGHER, LOWER
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import named_values, option

_FILE = click.Path(path_type=Path)


@click.command(name="metric-scores")
@click.argument("files", type=_FILE, nargs=-1, required=True)
@option("campaign", help="Campaign of the submissions; else the only one.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows; else the campaign's only one.")
@option("submission", help="Submission of all rows.")
@click.option("--metric-name", "name", help="Name of the metric; else the file's.")
@click.option("--metric-version", "version", help="Version of the metric.")
@click.option("--model", help="Name of its model.")
@click.option("--model-hash", help="Hash of its model.")
@click.option("--prompt-hash", help="Hash of a judge's prompt.")
@click.option(
    "--reference", help="Reference that outputs were compared with; src: the sources were."
)
@click.option("--better", type=click.Choice([HIGHER, LOWER]), help="Which scores are better.")
@click.option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, sent_id, metric, score.",
)
@option("replace")
@pass_context
def command(
    context: Context, files: tuple[Path, ...], column: tuple[str, ...], **given: Any
) -> None:
    """Load FILES of scores by metrics that were computed elsewhere: COMET, judges, any other.

    mt-metrics-eval's NAME-refA.seg.score and .sys.score, tables (CSV, TSV, JSONL, Parquet), and the
    JSON of comet-score and of sacreBLEU. They are metrics like any other then.
    """
    tracker = context.tracker(create=True)
    with context.progress("loading") as progress:
        stored = tracker.ingest_metric_scores(
            files, columns=named_values(column, "--column"), progress=progress, **given
        )
    for each in stored:
        context.say(
            f"{each.metric}: {each.submissions} submissions, {each.sentences} scores of sentences"
            if each.submissions
            else f"{each.metric}: nothing new"
        )
