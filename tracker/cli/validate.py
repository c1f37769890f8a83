"""``tracker validate``: what Universal Dependencies' validation finds in treebanks."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from sr_tracker.schema.errors import CheckFailedError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import TREEBANK
from sr_tracker.tracker.cli.output import output_options, write_rows


@click.command(name="validate")
@click.argument("treebanks", metavar="TREEBANK...", nargs=-1, required=True, type=TREEBANK)
@click.option(
    "--level",
    type=click.IntRange(1, 2),
    default=2,
    show_default=True,
    help="1: the format; 2: labels and trees as well.",
)
@click.option(
    "--scheme",
    type=click.Choice(["ud", "sud"]),
    help="Whose relations; else as the file's name or the treebank says.",
)
@output_options
@pass_context
def command(
    context: Context,
    treebanks: tuple[str, ...],
    level: int,
    scheme: str | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Tell what is wrong with treebanks by Universal Dependencies' levels 1 and 2 of validity.

    Each TREEBANK is a CoNLL-U file or a treebank of the database. As CSV, JSON or Parquet there is
    a row for each finding. Exit code 0: nothing was found; 1: something was; 2: a file cannot be
    read, or holds no sentence.
    """
    from sr_tracker.schema.brief import plural
    from sr_tracker.tracker.show.findings.validation import validation_document

    found = context.tracker(threads=1).validate(*treebanks, level=level, scheme=scheme)
    write_rows(found.findings, format_name, output, partial(validation_document, found))
    if found.findings.num_rows:
        raise CheckFailedError(
            f"there are {plural(found.findings.num_rows, 'finding')}",
            hint="docs/ud-tools.md says what each kind is about",
        )
