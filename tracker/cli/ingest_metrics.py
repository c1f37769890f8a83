"""``tracker ingest metric-scores`` and ``wmt``: scores that were computed elsewhere go in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.queries.metrics.metric import HIGHER, LOWER
from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import named_values, option

if TYPE_CHECKING:
    from sr_tracker.queries.metrics.external import StoredScores

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
def metric_scores(
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
    say_stored(context, stored)


@click.command(name="wmt")
@click.argument("folder", type=_FILE)
@click.option("--pair", required=True, metavar="en-de", help="Languages from and to.")
@option("campaign", help="Campaign; else the folder's name in capitals.")
@click.option("--year", type=click.IntRange(1900, 2999), help="Year of the campaign.")
@click.option("--reference", help="Reference that outputs are compared with; else the first.")
@option("replace")
@pass_context
def wmt(context: Context, folder: Path, pair: str, **given: Any) -> None:
    """Load a language pair of a FOLDER laid out as mt-metrics-eval's: a whole WMT test set.

    Sources, reference, documents, all systems' outputs, people's and metrics' scores; what of it is
    missing is passed over.
    """
    tracker = context.tracker(create=True)
    with context.progress("loading") as progress:
        report = tracker.ingest_wmt(folder, pair, progress=progress, **given)
    against = f", reference {report.reference}" if report.reference else ""
    context.say(
        f"{report.treebank_id}: {plural(report.sentences, 'sentence')}{against}, "
        f"{plural(report.submissions, 'new submission')}, "
        f"{plural(report.human_scores, 'new human score')}, "
        f"{plural(report.judgements, 'new judgement')} with marked errors"
    )
    say_stored(context, report.metrics)
    for note in report.notes:
        context.say(f"note: {note}")


def say_stored(context: Context, stored: Sequence[StoredScores]) -> None:
    """Say what became of the scores of each metric."""
    for each in stored:
        context.say(
            f"{each.metric}: {plural(each.submissions, 'submission')}, "
            f"{plural(each.sentences, 'score')} of sentences, {each.better} is better"
            if each.submissions
            else f"{each.metric}: nothing new"
        )
