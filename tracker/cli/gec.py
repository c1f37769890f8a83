"""``tracker gec``: metrics held against errors that people corrected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .context import Context, command
from .groups import SuggestingGroup
from .options import FILE, PATH, option
from .output import Destination, output_options, write_rows


def _file_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Add the corpus and what counts as morphology."""
    command = option(
        "--morphology",
        "-m",
        "morphology",
        multiple=True,
        help="Error types of morphology: falko-merlin, ua-gec, or a pattern such as '*:FORM'; "
        "may be repeated. Only files of labels, which know no types, do without.",
    )(command)
    return click.argument("file", metavar="M2FILE", type=FILE)(command)


def _model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the parser."""
    command = option("--model", type=PATH, help="A .udpipe file, or a folder of Stanza models.")(
        command
    )
    return option(
        "--analyser",
        choices=["udpipe", "stanza"],
        default="udpipe",
        help="What parses the sentences, with their tokens as they are.",
    )(command)


@click.group(cls=SuggestingGroup, name="gec")
def gec() -> None:
    """Hold grammar rules, and other metrics, against errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """


@command("types", gec)
@_file_argument
@output_options
def types(context: Context, to: Destination, **options: Any) -> None:
    """Count the edits of M2FILE by error type.

    The column morphology says which types --morphology stands for.
    """
    write_rows(context.tracker().gec.types(**options), to)


@command("variants", gec)
@_file_argument
@output_options
def variants(context: Context, to: Destination, **options: Any) -> None:
    """Write the sentences of M2FILE as they are, and corrected.

    Each has four variants: source, target (all edits), morph (morphology only), rest (all but it).
    Add the columns metric and score, and 'tracker gec accept --scores' compares that metric.
    """
    write_rows(context.tracker().gec.variants(**options), to)


@command("identify", gec)
@_file_argument
@option("--rules", "rules", required=True, help="The rule set: name or name@version.")
@option("--parsed", type=FILE, help="CoNLL-U file of the source sentences, else --model.")
@_model_options
@option(
    "--by",
    choices=["kind", "rule"],
    default="kind",
    help="Count the rules of each kind together, or each rule for itself.",
)
@option(
    "--accept-mismatch",
    is_flag=True,
    help="Check by rules of another annotation scheme than the trees' all the same.",
)
@output_options
def identify(context: Context, to: Destination, **options: Any) -> None:
    """Tell how well broken rules point at what people corrected.

    Precision and recall by the paper's algorithm 1, for each annotator; 'any' takes a token as
    wrong where one of them corrects it.
    """
    with context.progress("parsing") as progress:
        rows = context.tracker().gec.identify(progress=progress, **options)
    write_rows(rows, to)


@command("accept", gec)
@_file_argument
@option("--rules", "rules", help="Score by this rule set; needs --model.")
@_model_options
@option(
    "--applicable",
    choices=["links", "bearing"],
    default="links",
    help="As of 'tracker grammar score'.",
)
@option(
    "--scores",
    "scores",
    type=FILE,
    multiple=True,
    help="Scores of other metrics: sentence, annotator, variant, metric, score; may be repeated.",
)
@option(
    "--lower-is-better",
    "lower",
    multiple=True,
    help="A metric such as perplexity; may be repeated.",
)
@option(
    "--accept-mismatch",
    is_flag=True,
    help="Check by rules of another annotation scheme than the trees' all the same.",
)
@output_options
def accept(context: Context, to: Destination, **options: Any) -> None:
    """Tell how often a metric prefers the more corrected sentence.

    Five contrasts, over the pairs that differ: the better sentence must have strictly the better
    score.
    """
    with context.progress("parsing") as progress:
        rows = context.tracker().gec.accept(progress=progress, **options)
    write_rows(rows, to)
