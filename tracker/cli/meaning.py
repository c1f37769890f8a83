"""``tracker meaning``, ``explain`` and ``smatch``: meaning graphs compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schema.brief import plural
from ...schema.selection import FILTERS
from ..api.meaning import Meaning
from .context import Context, command
from .groups import SuggestingGroup
from .operation import Shown, operation
from .options import (
    FILE,
    PATH,
    TREEBANK,
    filter_options,
    option,
)
from .output import Destination, output_options, write_rows
from .score import tell_beside

if TYPE_CHECKING:
    from ...schema.database import Database


_OPTIONS = (
    option(
        "--mode",
        choices=["exact", "climbing"],
        default="exact",
        help="How graphs are aligned: proved to be the best, or by hill climbing.",
    ),
    option(
        "--time-limit",
        default=60.0,
        help="Seconds for a pair of graphs; what is not proved by then is marked.",
    ),
    option(
        "--top",
        choices=["none", "concept", "constant"],
        default="concept",
        help="What the top of a graph counts as.",
    ),
    option(
        "--vectors",
        type=PATH,
        help="S2match: word vectors, a file in GloVe's format or a sentence-transformers folder.",
    ),
    option(
        "--threshold",
        default=0.5,
        help="S2match: cosine that different concepts must exceed to share something.",
    ),
    option(
        "--sense-weight",
        default=0.5,
        help="S2match: what counts of concepts with other senses, or of which one is a predicate.",
    ),
    option(
        "--workers",
        type=click.IntRange(1),
        default=2,
        help="Processes that compare graphs, where there are many.",
    ),
)


COMPARISON = ("mode", "time_limit", "top", "vectors", "threshold", "sense_weight")
"""Which of the options are settings of a comparison; all but how many processes make it."""


def comparison_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how graphs are compared."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


def _settings_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which graphs are compared, and how."""
    parser = option("--parser", required=True, help="What made the graphs, as name/version.")
    return parser(comparison_options(command))


@click.group(cls=SuggestingGroup, name="meaning")
def meaning() -> None:
    """Compare the parsed graphs of outputs with gold graphs: Smatch, S2match and its aspects.

    The Meaning of MF-score (Opitz & Frank 2021). 'tracker show meaning_scores',
    'fine_grained_scores' and 'meaning_by_parser' show it.
    """


@command("score", meaning)
@filter_options
@_settings_options
@option(
    "--quality",
    type=float,
    help="Leave out sentences of which a parse has a lower estimate of quality, such as 0.95.",
)
@option("elect")
def score(context: Context, workers: int, elect: bool, **given: Any) -> None:
    """Compute the metrics smatch, smatch_precision, smatch_recall and the aspects of meaning.

    With --vectors s2match instead. A missing graph matches nothing. MF-scores of submissions that
    have a form come with it.
    """
    from ...queries.meaning.signatures import MeaningSettings

    filters = {name: given.pop(name) for name in FILTERS}
    settings = MeaningSettings(**given)
    tracker = context.tracker()
    with context.progress("comparing") as progress:
        report = tracker.meaning.score(
            settings, elect=elect, workers=workers, progress=progress, **filters
        )
    context.say(
        f"{plural(len(report.scored), 'submission')} scored, {report.unchanged} were before"
    )
    with tracker.reading() as database:
        _tell_faults(context, database, report.scored, settings.metrics[0])
    if report.without_gold:
        context.say(f"note: passed over, no gold graphs: {', '.join(report.without_gold)}")
    if report.unparsed:
        context.say(
            f"note: passed over, no graphs by {settings.parser}: {', '.join(report.unparsed)}"
        )
    for treebank_id, sentences in report.left_out.items():
        context.say(
            f"note: {plural(sentences, 'sentence')} of {treebank_id} left out: a parse is too bad"
        )
    tell_beside(context, report.beside)
    if report.mf:
        context.say(
            f"MF-scores of {plural(report.mf, 'submission')} computed: 'tracker show mf_scores'"
        )


@command("references", meaning)
@click.argument("treebank", type=TREEBANK)
@_settings_options
def references(context: Context, treebank: str, workers: int, **given: Any) -> None:
    """Compare the parses of a TREEBANK's references with its gold graphs: the upper bound.

    Give the options that submissions are scored with: the views show the bound beside them.
    """
    from ...queries.meaning.signatures import MeaningSettings

    settings = MeaningSettings(**given)
    with context.progress("comparing") as progress:
        bound = context.tracker().meaning.references(
            treebank, settings, workers=workers, progress=progress
        )
    precision, recall, f1 = (
        "–" if value is None else f"{value:.4f}"
        for value in (bound.precision, bound.recall, bound.f1)
    )
    context.say(
        f"{treebank}: precision {precision}, recall {recall}, F1 {f1} over "
        f"{plural(bound.sentences, 'sentence')}"
    )
    if bound.missing:
        context.say(
            f"note: {plural(bound.missing, 'reference')} without a graph: counted against recall"
        )


def _tell_faults(
    context: Context, database: Database, submissions: Sequence[str], metric: str
) -> None:
    from ...queries.reading import read_about

    names = {
        "without_graph": "without a graph",
        "flagged": "with an unusual graph",
        "unproved": "not proved to be aligned best",
    }
    rows = read_about(database, "meaning_scores", submissions).sort_by("submission_id").to_pylist()
    for row in rows:
        faults = [f"{row[column]} {fault}" for column, fault in names.items() if row[column]]
        if row["metric"] == metric and faults:
            told = f"{row['submission_id']}, {plural(row['sentences'], 'sentence')}"
            context.say(f"note: {told}: {', '.join(faults)}")


explain = operation(
    Meaning.explain,
    Shown("explanation:explanation_document", content=asdict),
    theme="meaning",
)


@command("smatch")
@click.argument("output_file", metavar="OUTPUT", type=FILE)
@click.argument("gold_file", metavar="GOLD", type=FILE)
@option(
    "--by",
    choices=["corpus", "pair"],
    default="corpus",
    help="One result for all pairs of graphs, or one for each.",
)
@option("--aspects", is_flag=True, help="Aspects of meaning too, such as negation and srl.")
@comparison_options
@option("--accept-broken", is_flag=True, help="Take a graph that is not sound for none.")
@option("--accept-mismatch", is_flag=True, help="Compare graphs that come with other texts.")
@output_options
def smatch(
    context: Context, output_file: Path, gold_file: Path, to: Destination, **options: Any
) -> None:
    """Compare the graphs of the file OUTPUT with those of GOLD: Smatch, or S2match with --vectors.

    AMR in PENMAN notation, one graph a line, or tables with a column of graphs. Pairs are found by
    '# ::id', else by '# ::snt', else by position. No database is needed.
    """
    from ...queries.meaning.signatures import MeaningSettings

    how = {name: options.pop(name) for name in COMPARISON}
    settings = MeaningSettings(parser=output_file.name, **how)
    with context.progress("comparing") as progress:
        found = context.tracker().meaning.smatch(
            output_file, gold_file, settings, progress=progress, **options
        )
    write_rows(found.rows, to)
    context.say(f"pairs matched {found.way}; {found.signature.signature}")
    if found.left_out:
        listed = "\n".join(f"  {each}" for each in found.left_out)
        context.say(f"note: gold graphs left out: {len(found.left_out)}\n{listed}")
