"""``tracker ingest``: files go in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from sr_tracker.ingest.judgements.appraise_segments import (
    AUTOMATIC,
    ITEM_NUMBERS,
    read_annotator_names,
    read_judged_segments,
)
from sr_tracker.ingest.judgements.columns import read_annotators
from sr_tracker.ingest.judgements.error_weights import UNWEIGHTED, WEIGHTS
from sr_tracker.ingest.judgements.scales import read_scales
from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli import (
    ingest_challenge,
    ingest_graphs,
    ingest_metrics,
    ingest_references,
)
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.groups import SuggestingGroup
from sr_tracker.tracker.cli.options import SUBMISSION, named_values, option

ANALYSERS = ("reference", "udpipe", "stanza", "spacy")
_FILE = click.Path(path_type=Path)


class IngestGroup(SuggestingGroup):
    """A group whose unknown commands are taken for manifests: ``ingest campaign.toml``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, ``campaign`` where the first argument is a .toml file."""
        if args and args[0].endswith(".toml"):
            args = ["campaign", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=IngestGroup, name="ingest")
def command() -> None:
    """Load files into the database.

    'tracker ingest campaign.toml' loads everything a manifest names. What is loaded already is
    passed over, so an interrupted load goes on where it was.
    """


def analyser_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose what turns output text into words."""
    function = click.option(
        "--model", type=_FILE, help="Path of the analyser's model (udpipe, stanza, spacy)."
    )(function)
    return click.option(
        "--analyser",
        type=click.Choice(ANALYSERS),
        default="reference",
        show_default=True,
        help="What tokenises and lemmatises outputs.",
    )(function)


_RUN_OPTIONS = (
    click.option("--track", default="shallow", show_default=True, help="Track of the campaign."),
    click.option("--created-at", type=click.DateTime(), help="When the run was made."),
    click.option(
        "--reference-form",
        type=click.Choice(["auto", "text", "tokens"]),
        default="auto",
        show_default=True,
        help="Compare with the raw text or with tokens joined by blanks; auto: as the run before, "
        "of a first run what the file is like.",
    ),
    click.option(
        "--param", "-p", multiple=True, metavar="NAME=VALUE", help="Parameter of the run."
    ),
    click.option("--tag", "-t", multiple=True, metavar="NAME=VALUE", help="Label of the run."),
    click.option("--id-column", help="Column with sentence ids (CSV, TSV, JSONL, Parquet)."),
    click.option("--text-column", help="Column with outputs (CSV, TSV, JSONL, Parquet)."),
    click.option("--accept-mismatch", is_flag=True, help="Load outputs unlike the references."),
)


def run_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that describe a model run and how its file is read."""
    for add in reversed(_RUN_OPTIONS):
        function = add(function)
    return function


replace_option = option("replace")


@command.command(name="campaign")
@click.argument("manifest", type=_FILE)
@analyser_options
@replace_option
@pass_context
def campaign(
    context: Context, manifest: Path, analyser: str, model: Path | None, replace: bool
) -> None:
    """Load a whole campaign from its MANIFEST (campaign.toml)."""
    tracker = context.tracker(create=True, analyser=analyser, model=model)
    with context.progress("loading") as progress:
        report = tracker.ingest_campaign(manifest, replace=replace, progress=progress)
    context.say(
        f"{plural(report.files, 'file')}: {report.treebanks} new treebanks, "
        f"{sum(s.changed for s in report.submissions)} new submissions, "
        f"{report.human_scores} new human scores, {report.judgements} new judgements; "
        f"{report.unchanged} were loaded before"
    )
    if report.graphs:
        context.say(f"{report.graphs} new files of parsed graphs")
    for warning in report.warnings:
        context.say(f"note: {warning}")
    for submitted in report.submissions:
        if submitted.missing:
            context.say(_missing(submitted.submission_id, submitted.missing, submitted.sentences))


@command.command(name="treebank")
@click.argument("files", type=_FILE, nargs=-1, required=True)
@click.option("--id", "treebank", help="Id of the treebank; else composed from the file's name.")
@option("campaign", help="Campaign that evaluates on it.")
@click.option("--without", help="Leave out sentences with these relations (a,b,c).")
@option("language")
@click.option("--version", "release", help="Version of the treebank, such as 2.3.")
@click.option("--split", type=click.Choice(["train", "dev", "test"]), help="Split.")
@click.option("--scheme", type=click.Choice(["ud", "sud"]), help="Annotation scheme.")
@option("sources")
@option("documents")
@replace_option
@pass_context
def treebank(
    context: Context,
    files: tuple[Path, ...],
    treebank: str | None,
    campaign: str | None,
    without: str | None,
    release: str | None,
    sources: Path | None,
    documents: Path | None,
    replace: bool,
    **parts: str | None,
) -> None:
    """Load CoNLL-U FILES (plain, .gz, .xz), each as one treebank.

    Language, corpus, scheme, version and split are read from names such as
    en_ewt-ud-test.conllu, the version also from the folder (2.3/).
    """
    single = {"--id": treebank, "--sources": sources, "--documents": documents}
    named = next((name for name, value in single.items() if value), None)
    if named and len(files) > 1:
        hint = "load the files one by one"
        raise InputError(f"{named} is of one treebank, there are several files", hint=hint)
    relations = tuple(part.strip() for part in (without or "").split(",") if part.strip())
    tracker = context.tracker(create=True)
    with context.progress("loading") as progress:
        for done, file in enumerate(files):
            progress(file.name, done, len(files))
            treebank_id, changed = tracker.ingest_treebank(
                file,
                treebank=treebank,
                campaign=campaign,
                without=relations,
                sources=sources,
                documents=documents,
                replace=replace,
                version=release,
                **parts,
            )
            rows = tracker.show("treebank", treebank=treebank_id).to_pylist()[0]
            state = "loaded" if changed else "nothing new"
            context.say(
                f"{treebank_id}: {state}, {plural(rows['sentences'], 'sentence')}, "
                f"{plural(rows['tokens'], 'word')}"
            )


command.add_command(ingest_references.command)
command.add_command(ingest_challenge.command)
command.add_command(ingest_graphs.amr)
command.add_command(ingest_graphs.graphs)


@command.command(name="submission")
@click.argument("file", type=_FILE)
@option("system", required=True, help="Who generated the outputs.")
@option("treebank", required=True, help="Treebank they were generated for.")
@option("campaign", default="local", show_default=True)
@click.option("--iteration", type=click.IntRange(1), help="Iteration of the system, from 1.")
@click.option("--parent", type=SUBMISSION, help="Submission this one was developed from.")
@run_options
@analyser_options
@replace_option
@pass_context
def submission(
    context: Context,
    file: Path,
    system: str,
    treebank: str,
    campaign: str,
    parent: str | None,
    created_at: datetime | None,
    reference_form: str,
    param: tuple[str, ...],
    tag: tuple[str, ...],
    analyser: str,
    model: Path | None,
    replace: bool,
    **run: Any,
) -> None:
    """Load a FILE of outputs: one model run.

    Formats: shared-task text ('# sent_id = …', '# text = …'), one output a line, CoNLL-U,
    CSV, TSV, JSONL, Parquet.
    """
    tracker = context.tracker(create=True, analyser=analyser, model=model)
    submitted = tracker.ingest_submission(
        file,
        system=system,
        treebank=treebank,
        campaign=campaign,
        replace=replace,
        parent_submission_id=parent,
        created_at=created_at,
        reference_form=None if reference_form == "auto" else reference_form,
        params=named_values(param, "--param"),
        tags=named_values(tag, "--tag"),
        **run,
    )
    state = "loaded" if submitted.changed else "nothing new"
    context.say(
        f"{submitted.submission_id}: {state}, "
        f"{plural(submitted.sentences - submitted.missing, 'output')}, "
        f"compared with the reference {submitted.reference_form}"
    )
    for warning in submitted.warnings:
        context.say(f"note: {warning}")
    if submitted.missing:
        context.say(_missing(submitted.submission_id, submitted.missing, submitted.sentences))


@command.command(name="scores")
@click.argument("files", type=_FILE, nargs=-1, required=True)
@option("campaign", help="Campaign of the submissions.")
@option("system", help="System of all rows.")
@option("treebank", help="Treebank of all rows.")
@option("submission", help="Submission of all rows.")
@click.option("--criterion", help="Criterion of all rows: adequacy, fluency or any other.")
@click.option(
    "--column",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: submission, system, treebank, iteration, sent_id, criterion, "
    "z_score, raw_mean, judgements.",
)
@replace_option
@pass_context
def scores(
    context: Context,
    files: tuple[Path, ...],
    campaign: str | None,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    criterion: str | None,
    column: tuple[str, ...],
    replace: bool,
) -> None:
    """Load FILES of sentence-level human scores (CSV, TSV, JSONL, Parquet)."""
    tracker = context.tracker(create=True)
    for file in files:
        count = tracker.ingest_scores(
            file,
            columns=named_values(column, "--column"),
            replace=replace,
            campaign_id=campaign,
            system_id=system,
            treebank_id=treebank,
            submission_id=submission,
            criterion=criterion,
        )
        context.say(f"{file.name}: {count} new scores" if count else f"{file.name}: nothing new")


command.add_command(ingest_metrics.metric_scores)
command.add_command(ingest_metrics.wmt)


@command.command(name="judgements")
@click.argument("file", type=_FILE)
@option("campaign", default="local", show_default=True)
@option("system", help="System of all rows.")
@option("treebank", help="Treebank, or name of the test set, of all rows.")
@option("submission", help="Submission of all rows.")
@click.option("--criterion", help="Criterion of all rows: adequacy, fluency or any other.")
@click.option(
    "--column",
    "--columns",
    "-c",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of a field: annotator, hit, item, submission, system, treebank, iteration, "
    "sent_id, criterion, kind, score, time, language, error_spans.",
)
@click.option(
    "--kind",
    "--kinds",
    "-k",
    multiple=True,
    metavar="VALUE=KIND",
    help="What a value of the kind column means: ordinary, repeat, degraded or reference.",
)
@click.option(
    "--layout",
    type=click.Choice(["plain", "wmt", "mturk", "json", "appraise", "ratings", "mqm", "pearmut"]),
    default="plain",
    show_default=True,
    help="plain: a table; wmt: WMT's direct assessments; mturk: Mechanical Turk results; json: "
    "objects inside each other, ratings in the innermost; with marked errors: appraise: Appraise's "
    "export; ratings: mt-metrics-eval's *.seg.rating; mqm: the table of WMT's MQM data; pearmut: "
    "Pearmut's annotations.",
)
@click.option(
    "--levels",
    metavar="FIELD,…",
    default="sent_id,annotator,criterion",
    show_default=True,
    help="json: what the objects name, from the outside in.",
)
@click.option("--ignore", multiple=True, metavar="COLUMN", help="Read the file without a column.")
@click.option(
    "--scales",
    type=_FILE,
    help="Scores are z-scores: the annotators' means and deviations, as a table or as R prints "
    "them. The ratings are stored.",
)
@click.option(
    "--accepted-workers",
    metavar="LIST",
    help="Take these annotators alone: A1,A2,… or a .txt or .json file of them.",
)
@click.option(
    "--register", is_flag=True, help="Make a test set without a treebank, and its systems, known."
)
@click.option("--raw", is_flag=True, help="Take numbers that look like z-scores for ratings.")
@click.option(
    "--weights",
    type=click.Choice([*WEIGHTS, UNWEIGHTED]),
    help="What marked errors cost; by default what the file says, or else the layout's own scheme.",
)
@click.option(
    "--annotators",
    "annotator_names",
    type=_FILE,
    help="appraise: the annotator of each login, a CSV file with the columns login and annotator.",
)
@click.option("--language-pair", metavar="PAIR", help="appraise: this pair alone, such as eng-deu.")
@click.option(
    "--item-numbers",
    type=click.Choice(ITEM_NUMBERS),
    default=AUTOMATIC,
    show_default=True,
    help="appraise: whether items are numbered by segment of the test set or by place in the HIT.",
)
@click.option(
    "--judged-segments",
    type=_FILE,
    help="appraise: a *.seg.score file with None for the segments that were left out.",
)
@replace_option
@pass_context
def judgements(
    context: Context,
    file: Path,
    campaign: str,
    system: str | None,
    treebank: str | None,
    submission: str | None,
    column: tuple[str, ...],
    kind: tuple[str, ...],
    accepted_workers: str | None,
    levels: str,
    scales: Path | None,
    annotator_names: Path | None,
    judged_segments: Path | None,
    **details: Any,
) -> None:
    """Load a FILE of raw judgements: ratings from 0 to 100 by annotators, or their marked errors.

    CSV, TSV, JSONL or Parquet with a row for each annotator, item and criterion, or one of the
    other layouts. Judgements that are there already are passed over.
    """
    accepted = None if accepted_workers is None else read_annotators(accepted_workers)
    tracker = context.tracker(create=True)
    report = tracker.ingest_judgements(
        file,
        campaign=campaign,
        columns=named_values(column, "--column"),
        kinds=named_values(kind, "--kind"),
        annotators=accepted,
        levels=[level.strip() for level in levels.split(",")],
        scales=None if scales is None else read_scales(scales),
        annotator_names=None if annotator_names is None else read_annotator_names(annotator_names),
        judged_segments=None if judged_segments is None else read_judged_segments(judged_segments),
        system_id=system,
        treebank_id=treebank,
        submission_id=submission,
        **details,
    )
    for name in report.registered:
        context.say(f"made known: {name}")
    for warning in report.warnings:
        context.say(f"note: {warning}")
    if report.left_out:
        context.say(f"{plural(report.left_out, 'judgement')} by other annotators left out")
    context.say(
        f"{file.name}: {report.new} new judgements, {report.unchanged} were there already"
        if report.new
        else f"{file.name}: nothing new, {report.unchanged} judgements were there already"
    )


def _missing(submission_id: str, missing: int, sentences: int) -> str:
    return f"{submission_id}: {missing} of {sentences} sentences have no output and score 0"
