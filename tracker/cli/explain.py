"""``tracker explain``: what of the meaning outputs lose, in graphs beside each other."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import SUBMISSION, format_option, narrowing_options, option
from sr_tracker.tracker.cli.output import format_of, write_content, write_drawn
from sr_tracker.tracker.show.formats import json_text

if TYPE_CHECKING:
    from sr_tracker.queries.meaning.explained import Explanations

_FORMATS = ("text", "json", "html")
_SUFFIXES = {".json": "json", ".html": "html", ".htm": "html", ".txt": "text"}


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
@format_option(*_FORMATS)
@option("output", help="Write to this file, .txt, .json or .html.")
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
    from sr_tracker.queries.meaning.explain import explain
    from sr_tracker.queries.meaning.explained import BY
    from sr_tracker.schema.iterations import resolve_submission

    chosen = format_name or ("text" if output is None else format_of(output, _SUFFIXES))
    with context.reading() as database:
        named, other = (
            name and resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in (submission, against)
        )
        found = explain(
            database,
            named or submission,
            against=other,
            parser=parser,
            by=BY[BY.index(by)],
            sentences=sentences,
            limit=limit,
        )
    if by == "form" and found.model is None:
        raise InputError("the form was not scored", hint="'tracker form score' comes before")
    if chosen == "json":
        write_content(json_text(asdict(found)).encode(), output)
    elif chosen == "html":
        from sr_tracker.tracker.show.meaning.page import render_page

        write_content(render_page(found).encode(), output)
    else:
        _write_text(context, found, output)


def _write_text(context: Context, found: Explanations, output: Path | None) -> None:
    """Print on the terminal, or plain text to a file or a pipe; the legend goes to stderr."""
    from sr_tracker.tracker.cli.explain_text import LEGEND, print_explanations

    write_drawn(lambda console: print_explanations(console, found), output)
    if found.explained:
        context.say(LEGEND)
