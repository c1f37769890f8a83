"""``tracker grammar``: rules and corrections, noise in treebanks, and parsers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pyarrow as pa

from ...queries.grammar.extraction import ExtractionSettings
from ...queries.metrics.signatures import notes_on
from ...queries.numbers import measured
from ...schema.brief import listed, plural
from ...schema.errors import InputError
from ..cli.computing import CORRELATED
from ..cli.context import Context, command
from ..cli.groups import ThemeGroup
from ..cli.operation import operation
from ..cli.options import FILE, PATH, TREEBANK, option
from ..cli.output import Destination, format_of, write_rows
from ..cli.shown import Shown
from .operations import Corrections, Parsers, noised
from .rules import Grammar

if TYPE_CHECKING:
    from ...queries.grammar.scoring import GrammarReport
    from ...queries.grammar.violations import Violations
    from ...schema.grammar.rule_sets import Stored


def _stored(stored: Stored) -> str:
    state = "stored" if stored.changed else "nothing new"
    return f"{stored.rule_set_id}: {state}, {plural(stored.rules, 'rule')}"


def _checked(report: GrammarReport, references: bool = False) -> Iterator[str]:
    for treebank, score in report.references.items():
        result = "no rule applies" if score is None else measured("grammar", score)
        yield f"references of {treebank}: {result}"
    if references:
        return
    yield (
        f"{plural(report.submissions, 'submission')} checked by {report.rule_set_id}, "
        f"{report.unchanged} were before"
    )
    for reason in dict.fromkeys(report.passed_over.values()):
        names = [name for name, why in report.passed_over.items() if why == reason]
        yield f"note: {plural(len(names), 'submission')} passed over: {reason}"
    yield from (f"note: {note}" for note in notes_on(report.beside))
    if report.converted:
        converted = plural(len(report.converted), "submission")
        yield f"note: the trees of {converted} are checked as SUD, converted from UD"
    if report.unparsed:
        yield (
            f"note: no score of {listed(report.unparsed, 5)}: the outputs have no trees with parts "
            "of speech; submit them as CoNLL-U, or with --analyser udpipe or stanza"
        )


def _broken(violations: Violations) -> pa.Table:
    from ...queries.grammar.violations import KeptRule

    names = [name for name in KeptRule.__dataclass_fields__ if name != "examples"]
    return pa.table(
        {name: pa.array([getattr(rule, name) for rule in violations.worst]) for name in names}
    )


grammar = ThemeGroup("grammar", Grammar)
operation(
    Grammar.extract,
    Shown(done=_stored),
    settings=ExtractionSettings,
    chosen=(
        *("kinds", "minimum_share", "minimum_pairs", "coverage", "features"),
        *("minimum_divergence", "minimum_words", "minimum_value_share", "lemmas"),
    ),
    group=grammar,
)
operation(Grammar.rules, Shown(rows=lambda rows: rows), group=grammar)
operation(Grammar.export, Shown(raw=str.encode), group=grammar)
operation(Grammar.import_, Shown(done=_stored), group=grammar, name="import")
operation(Grammar.score, Shown(notes=_checked), group=grammar, progress="checking")
operation(
    Grammar.worst,
    Shown(
        "grammar.findings:broken_rules_document",
        rows=_broken,
        content=asdict,
        suffixes={".csv": "csv"},
        formats=("csv", "spreadsheet"),
        in_file="Write to this file, .txt, .json, .html or .csv.",
    ),
    group=grammar,
)
operation(Grammar.correlate, CORRELATED, group=grammar)

gec = ThemeGroup("gec", Corrections)
_ROWS = Shown(rows=lambda rows: rows, scores=False)
operation(Corrections.types, _ROWS, group=gec)
operation(Corrections.variants, _ROWS, group=gec)
operation(Corrections.identify, _ROWS, group=gec, progress="parsing")
operation(Corrections.accept, _ROWS, group=gec, progress="parsing")


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
    help="Trainer: UDPipe 1 takes minutes, Stanza hours.",
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
    chosen = {name: value for name, value in options.items() if value is not None}
    for name in chosen:
        if name not in TRAINERS[trainer]:
            raise InputError(f"--{name} is no option of the trainer {trainer}", hint="leave it out")
    parsers = context.tracker().parsers
    with context.progress("training") as progress:
        if trainer == "udpipe":
            parsers.train_udpipe(train, output, chosen, dev=dev, progress=progress)
        elif dev is None or "language" not in chosen:
            raise InputError("Stanza trains with --dev and --language only", hint="give both")
        else:
            parsers.train_stanza(train, output, dev=dev, progress=progress, **chosen)
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
@option("seed", default=1, help="Seed that decides what is altered.")
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
@option("--accept-mismatch", is_flag=True, help="Accept a dictionary that has few of the words.")
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
    from ...ingest.grammar.noising import report_rows

    _check_output(output, treebank)
    to = Destination(format_of(report_file, _REPORTS), report_file)
    if seed < 0:
        raise InputError(f"the seed {seed} is negative", hint="give a number from 0")
    tracker = context.tracker()
    report, dictionary = noised(
        tracker, treebank, dictionaries, output, mapping, language, seed=seed, **options
    )
    rows = report_rows(report, dictionary)
    if report_file is not None or not context.quiet:
        write_rows(rows, to)
    share = report.altered / report.sentences
    context.say(
        f"{output}: {report.altered} of {plural(report.sentences, 'sentence')} altered "
        f"({share:.1%})"
    )


def _check_output(output: Path, treebank: str) -> None:
    if output.suffix != ".conllu":
        hint = "give a name that ends in .conllu"
        raise InputError("noise is written as CoNLL-U only", where=str(output), hint=hint)
    if output.resolve() == Path(treebank).resolve():
        hint = "give another name: the noisy treebank belongs beside the clean one"
        raise InputError("this would replace the treebank", where=str(output), hint=hint)
