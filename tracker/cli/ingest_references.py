"""``tracker ingest references``: test sets without trees go in."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option


@click.command(name="references")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id", "treebank", help="Id of the test set; else the file's name.")
@option("language")
@option("campaign", help="Campaign that evaluates on it.")
@option("sources")
@option("documents")
@click.option(
    "--alternative",
    metavar="NAME",
    help="Load as other references of the sentences, such as refB; --id names what is loaded.",
)
@option("replace")
@pass_context
def command(
    context: Context,
    file: Path,
    treebank: str | None,
    language: str | None,
    campaign: str | None,
    sources: Path | None,
    documents: Path | None,
    alternative: str | None,
    replace: bool,
) -> None:
    """Load a FILE of reference sentences without trees, one a line, as a test set.

    Metrics of text work on it; those of lemmas and edges, complexity and error mining do not. A
    test set that 'ingest judgements --register' made known gets its texts so.
    """
    tracker = context.tracker(create=True)
    treebank_id, changed = tracker.ingest_references(
        file,
        treebank=treebank,
        language=language,
        campaign=campaign,
        sources=sources,
        documents=documents,
        alternative=alternative,
        replace=replace,
    )
    state = "loaded" if changed else "nothing new"
    if alternative:
        context.say(f"{treebank_id}: other references {alternative}: {state}")
        return
    (row,) = tracker.show("treebank", treebank=treebank_id).to_pylist()
    context.say(f"{treebank_id}: {state}, {plural(row['sentences'], 'sentence')} without trees")
