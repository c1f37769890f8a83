"""``tracker ingest challenge``: challenge sets go in."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option


@click.command(name="challenge")
@click.argument("file", type=click.Path(path_type=Path))
@option("treebank", help="Test set the items are of, or what a contrastive set is to be called.")
@click.option("--name", help="Name of the challenge set; else the file's name.")
@click.option("--pair", help="Of a contrastive set only this language pair, such as en-de.")
@option("language", help="Language of a contrastive set's outputs.")
@option("replace", help="Load in place of other items under the same name.")
@pass_context
def command(
    context: Context,
    file: Path,
    treebank: str | None,
    name: str | None,
    pair: str | None,
    language: str | None,
    replace: bool,
) -> None:
    """Load a FILE of what outputs are expected to be, and score by it.

    Columns phenomenon, sent_id, kind (contains, lacks, matches, avoids, edge) and pattern say what
    outputs for a test set are to have; phenomenon, reference, good and incorrect (source, langpair)
    make a test set whose good outputs metrics should prefer, as ACES. CSV, TSV, JSONL or Parquet.
    """
    with context.progress("challenge") as progress:
        loaded = context.tracker(create=True).ingest_challenge(
            file,
            treebank=treebank,
            name=name,
            pair=pair,
            language=language,
            replace=replace,
            progress=progress,
        )
    state = "loaded" if loaded.changed else "nothing new"
    context.say(
        f"{loaded.treebank_id}: {loaded.challenge}: {state}, {plural(loaded.items, 'item')} of "
        f"{loaded.phenomena:,} phenomena"
    )
