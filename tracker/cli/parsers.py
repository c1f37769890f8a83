"""``tracker grammar train-parser`` and ``evaluate-parser``: parsers, on clean and noisy text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...schema.errors import InputError
from ..api.parsers import Parsers
from .context import Context, command
from .operation import Shown, operation
from .options import FILE, PATH, option

TRAINERS = {
    "udpipe": ("iterations", "tokeniser", "tagger", "parser"),
    "stanza": ("language", "steps", "vectors"),
}
"""The options of each trainer."""


@command("train-parser")
@click.argument("train", nargs=-1, required=True, type=FILE)
@option("--dev", type=FILE, help="CoNLL-U file to choose the best pass of the parser by.")
@option(
    "output",
    required=True,
    type=PATH,
    help="The model: a .udpipe file, or a new folder of Stanza models.",
)
@option(
    "--trainer",
    choices=[*TRAINERS],
    default="udpipe",
    help="What trains: UDPipe 1 in minutes, Stanza in hours.",
)
@option(
    "--iterations",
    type=click.IntRange(1, 1000),
    show_default="6",
    help="UDPipe: passes of tagger and parser over the sentences.",
)
@option("--tokeniser", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@option("--tagger", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@option("--parser", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@option("language", help="Stanza: language code.")
@option(
    "--steps",
    type=click.IntRange(1),
    show_default="50000",
    help="Stanza: batches at most, for each component.",
)
@option("--vectors", type=FILE, help="Stanza: pretrained word vectors (.pt).")
def train_parser(
    context: Context,
    train: tuple[Path, ...],
    dev: Path | None,
    output: Path,
    trainer: str,
    **options: Any,
) -> None:
    """Train a tokeniser, tagger and parser on the sentences of all TRAIN files together.

    For a robust parser give the clean treebank and the noisy one that 'tracker grammar noise' makes
    of it. Nothing is fetched; the model is written when it is complete.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if name not in TRAINERS[trainer]:
            raise InputError(f"--{name} is no option of the trainer {trainer}", hint="leave it out")
    parsers = context.tracker().parsers
    with context.progress("training") as progress:
        if trainer == "udpipe":
            parsers.train_udpipe(train, output, given, dev=dev, progress=progress)
        elif dev is None or "language" not in given:
            raise InputError("Stanza trains with --dev and --language only", hint="give both")
        else:
            parsers.train_stanza(train, output, dev=dev, progress=progress, **given)
    context.say(f"{output}: trained on {', '.join(map(str, train))}")


evaluate_parser = operation(
    Parsers.evaluate,
    Shown(
        rows=lambda rows: rows,
        chart=lambda draw, rows, _: draw("robustness_chart", rows),
        chart_options={"help": "Also draw the table: .png, .svg, .html or .json."},
    ),
    theme="parsers",
    name="evaluate-parser",
    progress="parsing",
)
