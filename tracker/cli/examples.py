"""``tracker examples``: from a subtree pattern to sentences."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import MEASURE, narrowing_options, option
from sr_tracker.tracker.cli.output import document_format, document_options, write_document

if TYPE_CHECKING:
    from sr_tracker.queries.errors.examples import Examples


@click.command(name="examples")
@click.argument("pattern", required=False)
@option("submission", "-s", required=True, help="The submission to look at.")
@narrowing_options
@click.option(
    "--labels",
    help="What PATTERN's nodes are labelled with: deprel, upos, lemma, xpos, relation, or several "
    "joined by ~. Else guessed from PATTERN.",
)
@click.option(
    "--metric",
    type=MEASURE,
    default="bleu",
    show_default=True,
    help="Order by this metric, or adequacy_z.",
)
@click.option(
    "--order",
    type=click.Choice(["worst", "best"]),
    default="worst",
    show_default=True,
    help="Which come first.",
)
@click.option(
    "--limit", "-n", type=click.IntRange(1), default=5, show_default=True, help="Sentences to show."
)
@click.option("--sentence", help="Show this sentence (number or sent_id), whatever the pattern.")
@click.option("--whole", is_flag=True, help="Draw long trees whole, not only around the pattern.")
@document_options
@pass_context
def command(
    context: Context,
    pattern: str | None,
    submission: str,
    treebank: str | None,
    campaign: str | None,
    whole: bool,
    format_name: str | None,
    output: Path | None,
    **options: Any,
) -> None:
    """Show the outputs of the sentences whose trees contain PATTERN, worst first.

    PATTERN is a subtree such as '(advcl (nsubj))', '(VERB (ADV ADV))', '(VERB~conj (ADV~advmod))'
    or a single label; siblings are in no order. 'tracker show suspicious_patterns' lists patterns
    that go with bad outputs. A Grew request is taken as well where it translates, such as
    'pattern { H -[1=advcl]-> V; V -[1=nsubj]-> S }'.
    """
    from sr_tracker.tracker.show.findings.examples import examples_document

    chosen = document_format(format_name, output)
    found = context.tracker().examples(
        submission, pattern, treebank=treebank, campaign=campaign, **options
    )
    if pattern is not None and options["sentence"] and not found.examples[0].matches:
        context.say(f"(this sentence does not contain {found.pattern})")
    if found.grew is not None:
        context.say(f"(for Grew: {found.grew})")
    document = partial(examples_document, found, whole=whole)
    write_document(context, chosen, output, document, partial(_content, found))


def _content(found: Examples) -> dict[str, Any]:
    from dataclasses import asdict

    content = asdict(found)
    del content["single"]
    for example, written in zip(found.examples, content["examples"], strict=True):
        written["matched"] = sorted(example.matched)
    return content
