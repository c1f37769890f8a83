"""``tracker compare``: what changed from one submission to another, or how several rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import (
    MEASURE,
    SUBMISSION,
    format_option,
    narrowing_options,
    option,
)
from sr_tracker.tracker.cli.output import format_of, write_content, write_drawn
from sr_tracker.tracker.show.formats import json_text

if TYPE_CHECKING:
    from sr_tracker.queries.change.comparison.model import Settings
    from sr_tracker.schema.database import Database
    from sr_tracker.tracker.console import Console

_FORMATS = ("text", "json", "html")
_SUFFIXES = {".json": "json", ".html": "html", ".htm": "html", ".txt": "text"}


@click.command(name="compare")
@click.argument("submissions", nargs=-1, required=True, type=SUBMISSION)
@narrowing_options
@click.option(
    "--metric", "metrics", type=MEASURE, multiple=True, help="Compare by this; may be repeated."
)
@click.option(
    "--sentence-metric",
    type=MEASURE,
    default="bleu",
    show_default=True,
    help="By which sentences gain, lose and fail; may be human, such as adequacy_z.",
)
@click.option(
    "--sentences",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="Show so many that gained and lost most.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Show so many patterns, and relations without a significant change.",
)
@click.option("--trees", is_flag=True, help="Draw the references' trees, edges won and lost.")
@option("replicates")
@option("seed", help="Seed of the resampling.")
@click.option("--force", is_flag=True, help="Compare what must not be compared, saying so.")
@format_option(*_FORMATS)
@option("output", help="Write to this file, .txt, .json or .html.")
@pass_context
def command(
    context: Context,
    submissions: tuple[str, ...],
    treebank: str | None,
    campaign: str | None,
    top: int,
    trees: bool,
    format_name: str | None,
    output: Path | None,
    metrics: tuple[str, ...],
    **options: Any,
) -> None:
    """Tell how submission A differs from B: 'tracker compare A B' reads 'A against B'.

    Differences are A minus B, so give the new one first. A submission is named by its id, or as
    system@3, system@latest, system@first, system@previous or system@best:dea. With three or more,
    a table ranks them in clusters of those that do not differ by more than chance.
    """
    from sr_tracker.queries.change.comparison.model import Settings
    from sr_tracker.schema.iterations import resolve_submission

    if len(submissions) == 1:
        raise InputError("one submission is not compared with anything", hint="name two or more")
    chosen = _format(format_name, output)
    settings = Settings(metrics=metrics or None, **options)
    with context.reading() as database:
        found = [
            resolve_submission(database, name, treebank=treebank, campaign=campaign)
            for name in submissions
        ]
        if len(found) == 2:
            _compare(context, database, found, settings, chosen, output, top=top, trees=trees)
        else:
            _rank(context, database, found, settings, chosen, output)


def _format(format_name: str | None, output: Path | None) -> str:
    if format_name is not None:
        return format_name
    return "text" if output is None else format_of(output, _SUFFIXES)


def _compare(
    context: Context,
    database: Database,
    submissions: Sequence[str],
    settings: Settings,
    chosen: str,
    output: Path | None,
    *,
    top: int,
    trees: bool,
) -> None:
    from sr_tracker.queries.change.comparison.comparing import compare

    new, base = submissions
    comparison = compare(database, new, base, settings)
    if chosen == "json":
        from sr_tracker.tracker.show.comparison.json_form import as_json

        write_content(json_text(as_json(comparison)).encode(), output)
    elif chosen == "html":
        from sr_tracker.tracker.show.comparison.page import render_page

        write_content(render_page(comparison).encode(), output)
    else:
        from sr_tracker.tracker.cli.comparison_text import legend, print_comparison

        def show(console: Console) -> None:
            print_comparison(console, comparison, top=top, trees=trees)

        _print(context, show, legend(comparison, trees=trees), output)


def _rank(
    context: Context,
    database: Database,
    submissions: Sequence[str],
    settings: Settings,
    chosen: str,
    output: Path | None,
) -> None:
    from sr_tracker.queries.change.comparison.comparing import rankings

    found = rankings(database, submissions, settings)
    if chosen == "json":
        from sr_tracker.tracker.show.comparison.json_form import rankings_as_json

        write_content(json_text(rankings_as_json(found, settings)).encode(), output)
    elif chosen == "html":
        from sr_tracker.tracker.show.comparison.ranking_page import render_rankings

        write_content(render_rankings(found, settings).encode(), output)
    else:
        from sr_tracker.tracker.cli.ranking_text import LEGEND, print_rankings

        def show(console: Console) -> None:
            print_rankings(console, found, settings)

        _print(context, show, lambda console: [LEGEND], output)  # noqa: ARG005


def _print(
    context: Context,
    show: Callable[[Console], None],
    legend: Callable[[Console], Sequence[str]],
    output: Path | None,
) -> None:
    """Print on the terminal with its legend on stderr, or plain text to a file or a pipe."""
    console = write_drawn(show, output)
    for line in legend(console):
        context.say(line)
