"""``tracker noise``: a treebank with wrong inflections, for robust parsers."""

from __future__ import annotations

from pathlib import Path

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.options import TREEBANK, option
from sr_tracker.tracker.cli.output import format_of

_REPORTS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}


@click.command(name="noise")
@click.argument("treebank", type=TREEBANK)
@click.option(
    "--unimorph",
    "dictionaries",
    required=True,
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="UniMorph dictionary of the language (.gz and .xz unpack); may be repeated.",
)
@option("output", required=True, help="CoNLL-U file to write.")
@option("seed", default=1, help="Decides what is altered.")
@click.option(
    "--mapping",
    type=click.Path(path_type=Path, dir_okay=False),
    show_default="our own",
    help="Table of UD features and UniMorph tags, two columns and a header.",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the counts to this file (.csv, .json, .parquet, .txt), not to stdout.",
)
@click.option("--altered-only", is_flag=True, help="Leave out the sentences that are not altered.")
@click.option(
    "--accept-mismatch", is_flag=True, help="Take a dictionary that has few of the words."
)
@option("language", help="Language code; the casing of i in Turkish and others needs it.")
@pass_context
def command(
    context: Context,
    treebank: str,
    dictionaries: tuple[Path, ...],
    output: Path,
    seed: int,
    mapping: Path | None,
    report_file: Path | None,
    altered_only: bool,
    accept_mismatch: bool,
    language: str | None,
) -> None:
    """Inflect one word per sentence of TREEBANK wrongly, where the dictionary can.

    TREEBANK is a CoNLL-U file or a treebank of the database. The word gets a form of its lemma that
    differs in exactly one feature, and the features of that form; the tree stays. Such sentences
    have a comment '# altered = ID old new feature'.
    """
    from sr_tracker.ingest.noise.noising import add_noise, report_rows
    from sr_tracker.ingest.noise.unimorph import read_mapping, read_unimorph
    from sr_tracker.schema.writing import write_file
    from sr_tracker.tracker.cli.output import write_rows

    _check_output(output, treebank)
    format_of(report_file, _REPORTS)
    if seed < 0:
        raise InputError(f"the seed {seed} is negative", hint="give a number from 0")
    text, language = _read(context, treebank, language)
    dictionary = read_unimorph(dictionaries)
    noisy, report = add_noise(
        text,
        treebank,
        dictionary,
        read_mapping(mapping),
        seed=seed,
        language=language,
        altered_only=altered_only,
        accept_mismatch=accept_mismatch,
    )
    write_file(output, noisy.encode())
    rows = report_rows(report, dictionary)
    if report_file is not None or not context.quiet:
        write_rows(rows, None, report_file)
    share = report.altered / report.sentences
    context.say(
        f"{output}: {report.altered} of {plural(report.sentences, 'sentence')} altered "
        f"({share:.1%})"
    )


def _read(context: Context, treebank: str, language: str | None) -> tuple[str, str | None]:
    """Return the treebank as CoNLL-U and its language, where that is known."""
    from sr_tracker.ingest.treebanks.loading import file_text, treebank_text
    from sr_tracker.schema.files import format_suffix

    if format_suffix(Path(treebank)) == ".conllu":
        text, known = file_text(Path(treebank))
    else:
        with context.tracker().reading() as database:
            text, known = treebank_text(database, treebank)
    return text, language or known


def _check_output(output: Path, treebank: str) -> None:
    if output.suffix != ".conllu":
        hint = "give a name that ends in .conllu"
        raise InputError("noise is written as CoNLL-U only", where=str(output), hint=hint)
    if output.resolve() == Path(treebank).resolve():
        hint = "give another name: the noisy treebank belongs beside the clean one"
        raise InputError("this would replace the treebank", where=str(output), hint=hint)
