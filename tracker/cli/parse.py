"""``tracker parse``: test sets without trees get those of a parser."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import TREEBANK, option


@click.command(name="parse")
@click.argument("treebank", type=TREEBANK)
@click.option(
    "--analyser",
    type=click.Choice(["udpipe", "stanza", "spacy"]),
    default="udpipe",
    show_default=True,
    help="What parses.",
)
@click.option("--model", type=click.Path(path_type=Path), help="Path of its model.")
@click.option("--references-only", is_flag=True, help="Leave the words of outputs as they are.")
@click.option("--undo", is_flag=True, help="Take the trees that a parser made away again.")
@option("replace")
@pass_context
def command(
    context: Context,
    treebank: str,
    analyser: str,
    model: Path | None,
    references_only: bool,
    undo: bool,
    replace: bool,
) -> None:
    """Give the references of TREEBANK, a test set of plain text, the trees of a parser.

    The outputs for it are analysed in the same way. Scores of lemmas and edges, complexity and
    error mining work on it then, as far as the parser is right: 'tracker score' computes them.
    """
    tracker = context.tracker()
    with context.progress("parsing") as progress:
        parsed = tracker.parse(
            treebank,
            analyser=analyser,
            model=model,
            outputs=not references_only,
            replace=replace,
            undo=undo,
            progress=progress,
        )
    if undo:
        done = "its trees are gone" if parsed.changed else "it has no trees of a parser"
        context.say(f"{parsed.treebank}: {done}")
        return
    state = plural(parsed.tokens, "word") if parsed.changed else "nothing new"
    context.say(
        f"{parsed.treebank}: {state}, parsed by {parsed.analysis}; outputs of "
        f"{plural(len(parsed.submissions), 'submission')} analysed"
    )
