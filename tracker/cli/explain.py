"""``tracker explain``: what of the meaning outputs lose, in graphs beside each other."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, narrowing_options
from sr_tracker.tracker.cli.output import document_format, document_options, write_document


@click.command(name="explain")
@click.argument("submission", type=SUBMISSION)
@click.option(
    "--against",
    type=SUBMISSION,
    metavar="OTHER",
    help="Another submission: show where the two differ most.",
)
@click.option("--parser", help="What made the graphs.", show_default="as scored last")
@click.option(
    "--by",
    type=click.Choice(["meaning", "form"]),
    default="meaning",
    show_default=True,
    help="What tells: a low F1 (a large difference), or a form that is not acceptable (differs).",
)
@click.option(
    "--sentence", "sentences", multiple=True, metavar="ID", help="This one: id or number."
)
@click.option(
    "--limit", "-n", type=click.IntRange(1), default=3, show_default=True, help="Outputs to show."
)
@narrowing_options
@document_options
@pass_context
def command(
    context: Context,
    submission: str,
    against: str | None,
    parser: str | None,
    by: str,
    sentences: tuple[str, ...],
    limit: int,
    treebank: str | None,
    campaign: str | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Show what of the meaning the outputs of a SUBMISSION lose: gold graph and output's graph.

    The outputs with the lowest F1 come first; with --against those where two submissions differ
    most. Submissions are named by id, or as system@3, system@latest. 'tracker meaning score'
    comes before.
    """
    from sr_tracker.queries.meaning.explained import BY
    from sr_tracker.tracker.show.findings.explanation import explanation_document

    chosen = document_format(format_name, output)
    found = context.tracker().meaning.explain(
        submission,
        against=against,
        parser=parser,
        by=BY[BY.index(by)],
        sentences=sentences,
        limit=limit,
        treebank=treebank,
        campaign=campaign,
    )
    if by == "form" and found.model is None:
        raise InputError("the form was not scored", hint="'tracker form score' comes before")
    document = partial(explanation_document, found)
    write_document(context, chosen, output, document, partial(asdict, found))
