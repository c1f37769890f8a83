"""``tracker gec``: metrics held against errors that people corrected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.groups import SuggestingGroup
from sr_tracker.tracker.cli.output import Destination, output_options, write_rows

_FILE = click.Path(path_type=Path, dir_okay=False)


def _file_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Add the corpus and what counts as morphology."""
    command = click.option(
        "--morphology",
        "-m",
        "morphology",
        multiple=True,
        help="Error types of morphology: falko-merlin, ua-gec, or a pattern such as '*:FORM'; "
        "may be repeated. Only files of labels, which know no types, do without.",
    )(command)
    return click.argument("file", metavar="M2FILE", type=_FILE)(command)


def _model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the parser."""
    command = click.option(
        "--model",
        type=click.Path(path_type=Path),
        help="A .udpipe file, or a folder of Stanza models.",
    )(command)
    return click.option(
        "--analyser",
        type=click.Choice(["udpipe", "stanza"]),
        default="udpipe",
        show_default=True,
        help="What parses the sentences, with their tokens as they are.",
    )(command)


@click.group(cls=SuggestingGroup, name="gec")
def gec() -> None:
    """Hold grammar rules, and other metrics, against errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """


@gec.command(name="types")
@_file_argument
@output_options
@pass_context
def types(context: Context, to: Destination, **options: Any) -> None:
    """Count the edits of M2FILE by error type.

    The column morphology says which types --morphology stands for.
    """
    write_rows(context.tracker().gec.types(**options), to)


@gec.command(name="variants")
@_file_argument
@output_options
@pass_context
def variants(context: Context, to: Destination, **options: Any) -> None:
    """Write the sentences of M2FILE as they are, and corrected.

    Each has four variants: source, target (all edits), morph (morphology only), rest (all but it).
    Add the columns metric and score, and 'tracker gec accept --scores' compares that metric.
    """
    write_rows(context.tracker().gec.variants(**options), to)


@gec.command(name="identify")
@_file_argument
@click.option("--rules", "rules", required=True, help="The rule set: name or name@version.")
@click.option("--parsed", type=_FILE, help="CoNLL-U file of the source sentences, else --model.")
@_model_options
@click.option(
    "--by",
    type=click.Choice(["kind", "rule"]),
    default="kind",
    show_default=True,
    help="Count the rules of each kind together, or each rule for itself.",
)
@output_options
@pass_context
def identify(context: Context, to: Destination, **options: Any) -> None:
    """Tell how well broken rules point at what people corrected.

    Precision and recall by the paper's algorithm 1, for each annotator; 'any' takes a token as
    wrong where one of them corrects it.
    """
    with context.progress("parsing") as progress:
        rows = context.tracker().gec.identify(progress=progress, **options)
    write_rows(rows, to)


@gec.command(name="accept")
@_file_argument
@click.option("--rules", "rules", help="Score by this rule set; needs --model.")
@_model_options
@click.option(
    "--applicable",
    type=click.Choice(["links", "bearing"]),
    default="links",
    show_default=True,
    help="As of 'tracker grammar score'.",
)
@click.option(
    "--scores",
    "scores",
    type=_FILE,
    multiple=True,
    help="Scores of other metrics: sentence, annotator, variant, metric, score; may be repeated.",
)
@click.option(
    "--lower-is-better",
    "lower",
    multiple=True,
    help="A metric such as perplexity; may be repeated.",
)
@output_options
@pass_context
def accept(context: Context, to: Destination, **options: Any) -> None:
    """Tell how often a metric prefers the more corrected sentence.

    Five contrasts, over the pairs that differ: the better sentence must have strictly the better
    score.
    """
    with context.progress("parsing") as progress:
        rows = context.tracker().gec.accept(progress=progress, **options)
    write_rows(rows, to)
