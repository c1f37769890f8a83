"""``tracker ingest scores``, ``judgements``, ``metric-scores``, ``wmt``: what others scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...ingest.judgements.appraise_batches import read_batches
from ...ingest.judgements.appraise_segments import (
    AUTOMATIC,
    ITEM_NUMBERS,
    read_annotator_names,
    read_judged_segments,
)
from ...ingest.judgements.columns import read_annotators, read_scales
from ...ingest.judgements.error_spans import UNWEIGHTED, WEIGHTS
from ...queries.metrics.metric import HIGHER, LOWER
from ...schema.brief import plural
from ...schema.parameters import named_values
from .context import Context, command
from .options import PATH, option
from .score import tell_beside

if TYPE_CHECKING:
    from ...queries.metrics.external import StoredScores


_replace_option = option("replace")


@command("scores")
@click.argument("files", type=PATH, nargs=-1, required=True)
@option("campaign", help="Campaign of the submissions.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows.")
@option("submission", help="Submission of all rows.")
@option("--criterion", help="Criterion of all rows: adequacy, fluency or any other.")
@option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, treebank, iteration, sent_id, criterion, "
    "z_score, raw_mean, judgements.",
)
@_replace_option
def scores(
    context: Context,
    files: tuple[Path, ...],
    campaign: str | None,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    column: tuple[str, ...],
    **options: Any,
) -> None:
    """Load FILES of sentence-level human scores (CSV, TSV, JSONL, Parquet)."""
    tracker = context.tracker(create=True)
    for file in files:
        count = tracker.ingest_scores(
            file,
            columns=named_values(column, "--column"),
            campaign_id=campaign,
            system_id=system,
            treebank_id=treebank,
            submission_id=submission,
            **options,
        )
        context.say(
            f"{file.name}: {plural(count, 'new score')}" if count else f"{file.name}: nothing new"
        )


@command("judgements")
@click.argument("file", type=PATH)
@option("campaign", default="local")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank, or name of the test set, of all rows.")
@option("submission", help="Submission of all rows.")
@option("--criterion", help="Criterion of all rows: adequacy, fluency or any other.")
@option(
    "--column",
    "--columns",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: annotator, hit, item, submission, system, treebank, iteration, "
    "sent_id, criterion, kind, score, time, language, error_spans.",
)
@option(
    "--kind",
    "--kinds",
    "-k",
    multiple=True,
    metavar="VALUE=KIND",
    help="What a value of the kind column means: ordinary, repeat, degraded or reference.",
)
@option(
    "--layout",
    choices=["plain", "wmt", "mturk", "json", "appraise", "ratings", "mqm", "pearmut"],
    default="plain",
    help="plain: a table; wmt: WMT's direct assessments; mturk: Mechanical Turk results; json: "
    "objects inside each other, ratings in the innermost; with marked errors: appraise: Appraise's "
    "export; ratings: mt-metrics-eval's *.seg.rating; mqm: the table of WMT's MQM data; pearmut: "
    "Pearmut's annotations.",
)
@option(
    "--levels",
    metavar="FIELD,…",
    default="sent_id,annotator,criterion",
    help="json: what the objects name, from the outside in.",
)
@option("--ignore", multiple=True, metavar="COLUMN", help="Read the file without a column.")
@option(
    "--scales",
    type=PATH,
    help="Scores are z-scores: the annotators' means and deviations, as a table or as R prints "
    "them. The ratings are stored.",
)
@option(
    "--accepted-workers",
    metavar="LIST",
    help="Take these annotators alone: A1,A2,… or a .txt or .json file of them.",
)
@option(
    "--register", is_flag=True, help="Make a test set without a treebank, and its systems, known."
)
@option("--raw", is_flag=True, help="Take numbers that look like z-scores for ratings.")
@option(
    "--weights",
    choices=[*WEIGHTS, UNWEIGHTED],
    help="What marked errors cost; by default what the file says, or else the layout's own scheme.",
)
@option(
    "--annotators",
    "annotator_names",
    type=PATH,
    help="appraise: the annotator of each login, a CSV file with the columns login and annotator.",
)
@option("--language-pair", metavar="PAIR", help="appraise: this pair alone, such as eng-deu.")
@option(
    "--item-numbers",
    choices=ITEM_NUMBERS,
    default=AUTOMATIC,
    help="appraise: whether items are numbered by segment of the test set or by place in the HIT.",
)
@option(
    "--batches",
    type=PATH,
    multiple=True,
    help="appraise: the campaign's batches.json, whose texts tell of which sentence each item is.",
)
@option(
    "--judged-segments",
    type=PATH,
    help="appraise: a *.seg.score file with None for the segments of a system that were left out.",
)
@_replace_option
def judgements(
    context: Context,
    file: Path,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    column: tuple[str, ...],
    kind: tuple[str, ...],
    accepted_workers: str | None,
    levels: str,
    scales: Path | None,
    annotator_names: Path | None,
    batches: tuple[Path, ...],
    judged_segments: Path | None,
    **options: Any,
) -> None:
    """Load a FILE of raw judgements: ratings from 0 to 100 by annotators, or their marked errors.

    CSV, TSV, JSONL or Parquet with a row for each annotator, item and criterion, or one of the
    other layouts. Judgements that are there already are passed over.
    """
    accepted = None if accepted_workers is None else read_annotators(accepted_workers)
    tracker = context.tracker(create=True)
    report = tracker.ingest_judgements(
        file,
        columns=named_values(column, "--column"),
        kinds=named_values(kind, "--kind"),
        annotators=accepted,
        levels=[level.strip() for level in levels.split(",")],
        scales=None if scales is None else read_scales(scales),
        annotator_names=None if annotator_names is None else read_annotator_names(annotator_names),
        batches=read_batches(batches),
        judged_segments=None if judged_segments is None else read_judged_segments(judged_segments),
        system_id=system,
        treebank_id=treebank,
        submission_id=submission,
        **options,
    )
    for name in report.registered:
        context.say(f"made known: {name}")
    for warning in report.warnings:
        context.say(f"note: {warning}")
    if report.left_out:
        context.say(f"{plural(report.left_out, 'judgement')} by other annotators left out")
    context.say(
        f"{file.name}: {plural(report.new, 'new judgement')}, {report.unchanged:,} there already"
        if report.new
        else f"{file.name}: nothing new, {plural(report.unchanged, 'judgement')} there already"
    )


@command("metric-scores")
@click.argument("files", type=PATH, nargs=-1, required=True)
@option("campaign", help="Campaign of the submissions; else the only one.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows; else the campaign's only one.")
@option("submission", help="Submission of all rows.")
@option("--metric-name", "name", help="Name of the metric; else the file's.")
@option("--metric-version", "version", help="Version of the metric.")
@option("--model", help="Name of its model.")
@option("--model-hash", help="Hash of its model.")
@option("--prompt-hash", help="Hash of a judge's prompt.")
@option("--reference", help="Reference that outputs were compared with; src: the sources were.")
@option("--better", choices=[HIGHER, LOWER], help="Which scores are better.")
@option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, sent_id, metric, score.",
)
@option("replace")
@option("elect")
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


@command("wmt")
@click.argument("folder", type=PATH)
@option("--pair", required=True, metavar="en-de", help="Languages from and to.")
@option("campaign", help="Campaign; else the folder's name in capitals.")
@option("--year", type=click.IntRange(1900, 2999), help="Year of the campaign.")
@option("--reference", help="Reference that outputs are compared with; else the first.")
@option("replace")
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
        tell_beside(context, each.beside)
