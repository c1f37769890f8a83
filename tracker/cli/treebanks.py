"""``tracker ingest parse`` and ``noise``: treebanks parsed and altered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from ...schema.errors import InputError
from ..api import loading
from .context import Context, command
from .operation import Shown, operation
from .options import FILE, TREEBANK, option
from .output import Destination, format_of, write_rows

if TYPE_CHECKING:
    from ...ingest.treebanks.parsed_references import Parsed


def _parsed(parsed: Parsed, undo: bool) -> str:
    if undo:
        done = "its trees are gone" if parsed.changed else "it has no trees of a parser"
        return f"{parsed.treebank}: {done}"
    state = plural(parsed.tokens, "word") if parsed.changed else "nothing new"
    return (
        f"{parsed.treebank}: {state}, parsed by {parsed.analysis}; outputs of "
        f"{plural(len(parsed.submissions), 'submission')} analysed"
    )


parse = operation(loading.parse, Shown(done=_parsed), progress="parsing")


_REPORTS = {".csv": "csv", ".json": "json", ".parquet": "parquet", ".txt": "table"}


@command("noise")
@click.argument("treebank", type=TREEBANK)
@option(
    "--unimorph",
    "dictionaries",
    required=True,
    multiple=True,
    type=FILE,
    help="UniMorph dictionary of the language (.gz and .xz unpack); may be repeated.",
)
@option("output", required=True, help="CoNLL-U file to write.")
@option("seed", default=1, help="Decides what is altered.")
@option(
    "--mapping",
    type=FILE,
    show_default="our own",
    help="Table of UD features and UniMorph tags, two columns and a header.",
)
@option(
    "--report",
    "report_file",
    type=FILE,
    help="Write the counts to this file (.csv, .json, .parquet, .txt), not to stdout.",
)
@option("--altered-only", is_flag=True, help="Leave out the sentences that are not altered.")
@option("--accept-mismatch", is_flag=True, help="Take a dictionary that has few of the words.")
@option("language", help="Language code; the casing of i in Turkish and others needs it.")
def noise(
    context: Context,
    treebank: str,
    dictionaries: tuple[Path, ...],
    output: Path,
    seed: int,
    mapping: Path | None,
    report_file: Path | None,
    language: str | None,
    **options: Any,
) -> None:
    """Inflect one word per sentence of TREEBANK wrongly, where the dictionary can.

    TREEBANK is a CoNLL-U file or a treebank of the database. The word gets a form of its lemma that
    differs in exactly one feature, and the features of that form; the tree stays. Such sentences
    have a comment '# altered = ID old new feature'.
    """
    from ...ingest.grammar.noise.noising import add_noise, report_rows
    from ...ingest.grammar.noise.unimorph import read_mapping, read_unimorph
    from ...schema.writing import write_file

    _check_output(output, treebank)
    to = Destination(format_of(report_file, _REPORTS), report_file)
    if seed < 0:
        raise InputError(f"the seed {seed} is negative", hint="give a number from 0")
    text, language = _read(context, treebank, language)
    dictionary = read_unimorph(dictionaries)
    noisy, report = add_noise(
        text, treebank, dictionary, read_mapping(mapping), seed=seed, language=language, **options
    )
    write_file(output, noisy.encode())
    rows = report_rows(report, dictionary)
    if report_file is not None or not context.quiet:
        write_rows(rows, to)
    share = report.altered / report.sentences
    context.say(
        f"{output}: {report.altered} of {plural(report.sentences, 'sentence')} altered "
        f"({share:.1%})"
    )


def _read(context: Context, treebank: str, language: str | None) -> tuple[str, str | None]:
    """Return the treebank as CoNLL-U and its language, where that is known."""
    from ...ingest.treebanks.loading import file_text, treebank_text
    from ...schema.files import format_suffix

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
