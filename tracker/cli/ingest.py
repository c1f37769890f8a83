"""``tracker ingest``: files go in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from ...schema.parameters import named_values
from . import ingest_scores, ingest_treebanks
from .context import Context, command
from .groups import SuggestingGroup
from .options import (
    PATH,
    SUBMISSION,
    analyser_options,
    option,
    run_options,
)


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
def ingest() -> None:
    """Load files into the database.

    'tracker ingest campaign.toml' loads everything a manifest names. What is loaded already is
    passed over, so an interrupted load goes on where it was.
    """


replace_option = option("replace")


@command("campaign", ingest)
@click.argument("manifest", type=PATH)
@analyser_options
@replace_option
def campaign(context: Context, manifest: Path, replace: bool, **options: Any) -> None:
    """Load a whole campaign from its MANIFEST (campaign.toml)."""
    tracker = context.tracker(create=True, **options)
    with context.progress("loading") as progress:
        report = tracker.ingest_campaign(manifest, replace=replace, progress=progress)
    context.say(
        f"{plural(report.files, 'file')}: {plural(report.treebanks, 'new treebank')}, "
        f"{plural(sum(s.changed for s in report.submissions), 'new submission')}, "
        f"{plural(report.human_scores, 'new human score')}, "
        f"{plural(report.judgements, 'new judgement')}; "
        f"{report.unchanged} were loaded before"
    )
    if report.graphs:
        context.say(f"{plural(report.graphs, 'new file')} of parsed graphs")
    for warning in report.warnings:
        context.say(f"note: {warning}")
    for submitted in report.submissions:
        if submitted.missing:
            context.say(_missing(submitted.submission_id, submitted.missing, submitted.sentences))


@command("treebank", ingest)
@click.argument("files", type=PATH, nargs=-1, required=True)
@option("--id", "treebank", help="Id of the treebank; else composed from the file's name.")
@option("campaign", help="Campaign that evaluates on it.")
@option("--without", help="Leave out sentences with these relations (a,b,c).")
@option("language")
@option("--version", "release", help="Version of the treebank, such as 2.3.")
@option("--split", choices=["train", "dev", "test"], help="Split.")
@option("--scheme", choices=["ud", "sud"], help="Annotation scheme.")
@option("sources")
@option("documents")
@replace_option
def treebank(
    context: Context,
    files: tuple[Path, ...],
    treebank: str | None,
    without: str | None,
    release: str | None,
    sources: Path | None,
    documents: Path | None,
    **options: Any,
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
                without=relations,
                sources=sources,
                documents=documents,
                version=release,
                **options,
            )
            rows = tracker.show("treebank", treebank=treebank_id).to_pylist()[0]
            state = "loaded" if changed else "nothing new"
            context.say(
                f"{treebank_id}: {state}, {plural(rows['sentences'], 'sentence')}, "
                f"{plural(rows['tokens'], 'word')}"
            )


ingest.add_command(ingest_treebanks.references)
ingest.add_command(ingest_treebanks.challenge)
ingest.add_command(ingest_treebanks.amr)
ingest.add_command(ingest_treebanks.graphs)


@command("submission", ingest)
@click.argument("file", type=PATH)
@option("system", required=True, help="Who generated the outputs.")
@option("treebank", required=True, help="Treebank they were generated for.")
@option("campaign", default="local")
@option("--iteration", type=click.IntRange(1), help="Iteration of the system, from 1.")
@option("--parent", type=SUBMISSION, help="Submission this one was developed from.")
@run_options
@analyser_options
@replace_option
def submission(
    context: Context,
    file: Path,
    parent: str | None,
    reference_form: str,
    param: tuple[str, ...],
    tag: tuple[str, ...],
    analyser: str,
    model: Path | None,
    **options: Any,
) -> None:
    """Load a FILE of outputs: one model run.

    Formats: shared-task text ('# sent_id = …', '# text = …'), one output a line, CoNLL-U,
    CSV, TSV, JSONL, Parquet.
    """
    tracker = context.tracker(create=True, analyser=analyser, model=model)
    submitted = tracker.ingest_submission(
        file,
        parent_submission_id=parent,
        reference_form=None if reference_form == "auto" else reference_form,
        params=named_values(param, "--param"),
        tags=named_values(tag, "--tag"),
        **options,
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


ingest.add_command(ingest_scores.scores)
ingest.add_command(ingest_scores.metric_scores)
ingest.add_command(ingest_scores.wmt)
ingest.add_command(ingest_scores.judgements)


def _missing(submission_id: str, missing: int, sentences: int) -> str:
    of = plural(sentences, "sentence")
    return f"{submission_id}: {missing:,} of {of} have no output and score 0"
