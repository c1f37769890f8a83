"""``tracker gec``: metrics held against errors that people corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import InputError
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.groups import SuggestingGroup
from sr_tracker.tracker.cli.output import output_options

if TYPE_CHECKING:
    import pyarrow as pa

    from sr_tracker.schema.corrections import M2File
    from sr_tracker.schema.database import Database

_FILE = click.Path(path_type=Path, dir_okay=False)


def _file_argument(command: Callable[..., None]) -> Callable[..., None]:
    """Add the corpus and what counts as morphology."""
    command = click.option(
        "--morphology",
        "-m",
        "wanted",
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
def command() -> None:
    """Hold grammar rules, and other metrics, against errors that people corrected.

    M2FILE holds sentences and edits of a corpus of grammatical error correction, or tokens with
    labels in MultiGED's format (.gz and .xz unpack). The evaluations are those of L'AMBRE (Pratapa
    et al. 2021, section 5).
    """


@command.command(name="types")
@_file_argument
@output_options
@pass_context
def types(
    context: Context,
    file: Path,
    wanted: Sequence[str],
    format_name: str | None,
    output: Path | None,
) -> None:
    """Count the edits of M2FILE by error type.

    The column morphology says which types --morphology stands for.
    """
    from sr_tracker.queries.grammar.correction.identification import type_rows
    from sr_tracker.tracker.cli.output import write_rows

    read, morphology = _read(context, file, wanted)
    write_rows(type_rows(read, morphology), format_name, output)


@command.command(name="variants")
@_file_argument
@output_options
@pass_context
def variants(
    context: Context,
    file: Path,
    wanted: Sequence[str],
    format_name: str | None,
    output: Path | None,
) -> None:
    """Write the sentences of M2FILE as they are, and corrected.

    Each has four variants: source, target (all edits), morph (morphology only), rest (all but it).
    Add the columns metric and score, and 'tracker gec accept --scores' compares that metric.
    """
    from sr_tracker.queries.grammar.correction.acceptability import variant_rows
    from sr_tracker.tracker.cli.output import write_rows

    write_rows(variant_rows(*_read(context, file, wanted)), format_name, output)


@command.command(name="identify")
@_file_argument
@click.option("--rules", "rule_set", required=True, help="The rule set: name or name@version.")
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
def identify(
    context: Context,
    file: Path,
    wanted: Sequence[str],
    rule_set: str,
    parsed: Path | None,
    analyser: str,
    model: Path | None,
    by: str,
    format_name: str | None,
    output: Path | None,
) -> None:
    """Tell how well broken rules point at what people corrected.

    Precision and recall by the paper's algorithm 1, for each annotator; 'any' takes a token as
    wrong where one of them corrects it.
    """
    from sr_tracker.ingest.grammar.m2_trees import parse_texts, read_parse
    from sr_tracker.queries.grammar.correction.identification import identify_errors
    from sr_tracker.tracker.cli.output import write_rows

    if (parsed is None) == (model is None):
        raise InputError("the sentences need trees", hint="give either --parsed or --model")
    read, morphology = _read(context, file, wanted)
    with context.tracker().reading() as database, context.progress("parsing") as progress:
        if parsed is not None:
            parse = read_parse(parsed, read)
        elif model is not None:
            texts = [sentence.tokens for sentence in read.sentences]
            parse = parse_texts(texts, analyser, model, progress)
        rows = identify_errors(database, rule_set, read, parse, morphology, by=by)
    write_rows(rows, format_name, output)


@command.command(name="accept")
@_file_argument
@click.option("--rules", "rule_set", help="Score by this rule set; needs --model.")
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
    "score_files",
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
def accept(
    context: Context,
    file: Path,
    wanted: Sequence[str],
    rule_set: str | None,
    analyser: str,
    model: Path | None,
    applicable: str,
    score_files: Sequence[Path],
    lower: Sequence[str],
    format_name: str | None,
    output: Path | None,
) -> None:
    """Tell how often a metric prefers the more corrected sentence.

    Five contrasts, over the pairs that differ: the better sentence must have strictly the better
    score.
    """
    from sr_tracker.ingest.scores.variant_scores import read_scores
    from sr_tracker.queries.grammar.correction.acceptability import accept as accepted
    from sr_tracker.queries.grammar.correction.acceptability import variant_rows
    from sr_tracker.schema.database import open_database
    from sr_tracker.tracker.cli.output import write_rows

    if (rule_set is None) != (model is None):
        raise InputError(
            "grammar rules are checked on trees", hint="give both --rules and --model, or neither"
        )
    rows = variant_rows(*_read(context, file, wanted))
    scores = [read_scores(path, rows) for path in score_files]
    with context.tracker().reading() if rule_set else open_database(None) as database:
        if rule_set is not None and model is not None:
            scores = [
                _grammar_scores(context, database, rule_set, rows, analyser, model, applicable),
                *scores,
            ]
        result = accepted(database, rows, scores, lower)
    write_rows(result, format_name, output)


def _grammar_scores(
    context: Context,
    database: Database,
    rule_set: str,
    rows: pa.Table,
    analyser: str,
    model: Path,
    applicable: str,
) -> pa.Table:
    from sr_tracker.ingest.grammar.m2_trees import parse_texts
    from sr_tracker.queries.grammar.correction.acceptability import score_variants

    with context.progress("parsing") as progress:
        parse = partial(parse_texts, analyser=analyser, model=model, progress=progress)
        return score_variants(database, rule_set, rows, parse, applicable=applicable)


def _read(context: Context, path: Path, wanted: Sequence[str]) -> tuple[M2File, frozenset[str]]:
    """Return the corpus and its error types of morphology, and say what is in it."""
    from sr_tracker.ingest.grammar.corrected_corpus import read_corpus
    from sr_tracker.queries.grammar.correction.identification import morphology_types

    read = read_corpus(path)
    morphology = morphology_types(read, wanted)
    edits = [edit for sentence in read.sentences for edit in sentence.edits]
    if not read.corrected:
        context.say(
            f"{path.name}: {plural(len(read.sentences), 'sentence')}, {len(edits)} incorrect tokens"
        )
        return read, morphology
    chosen = sum(edit.type in morphology for edit in edits)
    context.say(
        f"{path.name}: {plural(len(read.sentences), 'sentence')}, {plural(len(edits), 'edit')} by "
        f"{len(read.annotators)} annotator{'s' * (len(read.annotators) > 1)}, "
        f"{chosen} of them of morphology ({', '.join(sorted(morphology))})"
    )
    return read, morphology
