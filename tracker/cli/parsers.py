"""``tracker train-parser`` and ``evaluate-parser``: parsers, on clean and noisy text."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import option
from sr_tracker.tracker.cli.output import output_options

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(name="train-parser")
@click.argument("train", nargs=-1, required=True, type=_FILE)
@click.option("--dev", type=_FILE, help="CoNLL-U file to choose the best pass of the parser by.")
@option(
    "output",
    required=True,
    type=click.Path(path_type=Path),
    help="The model: a .udpipe file, or a new folder of Stanza models.",
)
@click.option(
    "--trainer",
    type=click.Choice(["udpipe", "stanza"]),
    default="udpipe",
    show_default=True,
    help="What trains: UDPipe 1 in minutes, Stanza in hours.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1, 1000),
    show_default="6",
    help="UDPipe: passes of tagger and parser over the sentences.",
)
@click.option("--tokeniser", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@click.option("--tagger", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@click.option("--parser", metavar="OPTIONS", help="UDPipe: name=value;… or none.")
@option("language", help="Stanza: language code.")
@click.option(
    "--steps",
    type=click.IntRange(1),
    show_default="50000",
    help="Stanza: batches at most, for each component.",
)
@click.option("--vectors", type=_FILE, help="Stanza: pretrained word vectors (.pt).")
@pass_context
def train_parser(
    context: Context,
    train: tuple[Path, ...],
    dev: Path | None,
    output: Path,
    trainer: str,
    iterations: int | None,
    tokeniser: str | None,
    tagger: str | None,
    parser: str | None,
    language: str | None,
    steps: int | None,
    vectors: Path | None,
) -> None:
    """Train a tokeniser, tagger and parser on the sentences of all TRAIN files together.

    For a robust parser give the clean treebank and the noisy one that 'tracker noise' makes of it.
    Nothing is fetched; the model is written when it is complete.
    """
    udpipe: dict[str, object] = {
        "iterations": iterations,
        "tokeniser": tokeniser,
        "tagger": tagger,
        "parser": parser,
    }
    stanza: dict[str, object] = {"language": language, "steps": steps, "vectors": vectors}
    _refuse_others(trainer, stanza if trainer == "udpipe" else udpipe)
    if trainer == "stanza":
        _train_stanza(context, train, dev, output, language, steps, vectors)
    else:
        _train_udpipe(context, train, dev, output, udpipe)
    context.say(f"{output}: trained on {', '.join(map(str, train))}")


def _refuse_others(trainer: str, options: dict[str, object]) -> None:
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name} is no option of the trainer {trainer}", hint="leave it out")


def _train_udpipe(
    context: Context,
    train: tuple[Path, ...],
    dev: Path | None,
    output: Path,
    options: dict[str, object],
) -> None:
    from sr_tracker.ingest.parsing.udpipe_training import TrainingSettings
    from sr_tracker.tracker.api.parsers import train_udpipe_model

    given = {name: value for name, value in options.items() if value is not None}
    settings = TrainingSettings(**given)  # type: ignore[arg-type]
    with context.progress("training") as progress:
        train_udpipe_model(train, output, settings, dev=dev, progress=progress)


def _train_stanza(
    context: Context,
    train: tuple[Path, ...],
    dev: Path | None,
    output: Path,
    language: str | None,
    steps: int | None,
    vectors: Path | None,
) -> None:
    from sr_tracker.tracker.api.parsers import train_stanza_models

    if dev is None or language is None:
        raise InputError("Stanza trains with --dev and --language only", hint="give both")
    with context.progress("training") as progress:
        train_stanza_models(
            train,
            output,
            dev=dev,
            language=language,
            steps=steps,
            vectors=vectors,
            progress=progress,
        )


@click.command(name="evaluate-parser")
@click.argument("gold", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--model",
    "models",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path),
    help="A .udpipe file or a folder of Stanza models; repeat to compare.",
)
@click.option("--altered", is_flag=True, help="Only the words that 'tracker noise' has altered.")
@click.option(
    "--tokenise", is_flag=True, help="Let the model tokenise the texts too; F1 over aligned words."
)
@option("chart", help="Also draw the table: .png, .svg or .html.")
@output_options
@pass_context
def evaluate_parser(
    context: Context,
    gold: tuple[Path, ...],
    models: tuple[Path, ...],
    altered: bool,
    tokenise: bool,
    chart: Path | None,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Compare models on GOLD treebanks: UPOS, UFeats, UAS and LAS as defined for CoNLL 2018.

    Give the clean treebank and the noisy one that 'tracker noise' makes of it, the original model
    and the robust one. Words that were altered have rows of their own.
    """
    from sr_tracker.ingest.parsing.evaluation import compare_models
    from sr_tracker.tracker.cli.output import write_rows

    if chart is not None:
        from sr_tracker.tracker.show.charts.saving import check_ending

        check_ending(chart)
    with context.progress("parsing") as progress:
        rows = compare_models(
            gold, models, tokenise=tokenise, altered_only=altered, progress=progress
        )
    write_rows(rows, format_name, output)
    if chart is not None:
        from sr_tracker.tracker.show.charts.parsing import robustness_chart
        from sr_tracker.tracker.show.charts.saving import save_chart

        save_chart(robustness_chart(rows.to_pandas()), chart)
        context.say(f"{chart}: drawn")
