"""``tracker meaning``: what parsed graphs share with gold graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sr_tracker.schema.brief import plural
from sr_tracker.schema.selection import FILTERS
from sr_tracker.tracker.cli.context import Context, pass_context
from sr_tracker.tracker.cli.groups import SuggestingGroup
from sr_tracker.tracker.cli.options import TREEBANK, filter_options

if TYPE_CHECKING:
    from sr_tracker.schema.database import Database

_OPTIONS = (
    click.option(
        "--mode",
        type=click.Choice(["exact", "climbing"]),
        default="exact",
        show_default=True,
        help="How graphs are aligned: proved to be the best, or by hill climbing.",
    ),
    click.option(
        "--time-limit",
        type=float,
        default=60.0,
        show_default=True,
        help="Seconds for a pair of graphs; what is not proved by then is marked.",
    ),
    click.option(
        "--top",
        type=click.Choice(["none", "concept", "constant"]),
        default="concept",
        show_default=True,
        help="What the top of a graph counts as.",
    ),
    click.option(
        "--vectors",
        type=click.Path(path_type=Path),
        help="S2match: word vectors, a file in GloVe's format or a sentence-transformers folder.",
    ),
    click.option(
        "--threshold",
        type=float,
        default=0.5,
        show_default=True,
        help="S2match: cosine that different concepts must exceed to share something.",
    ),
    click.option(
        "--sense-weight",
        type=float,
        default=0.5,
        show_default=True,
        help="S2match: what counts of concepts with other senses, or of which one is a predicate.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1),
        default=2,
        show_default=True,
        help="Processes that compare graphs, where there are many.",
    ),
)


def comparison_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how graphs are compared."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _settings_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which graphs are compared, and how."""
    parser = click.option("--parser", required=True, help="What made the graphs, as name/version.")
    return parser(comparison_options(command))


@click.group(cls=SuggestingGroup, name="meaning")
def command() -> None:
    """Compare the parsed graphs of outputs with gold graphs: Smatch, S2match and its aspects.

    The Meaning of MF-score (Opitz & Frank 2021). 'tracker show meaning_scores',
    'fine_grained_scores' and 'meaning_by_parser' show it.
    """


@command.command(name="score")
@filter_options
@_settings_options
@click.option(
    "--quality",
    type=float,
    help="Leave out sentences of which a parse has a lower estimate of quality, such as 0.95.",
)
@pass_context
def score(context: Context, workers: int, **given: Any) -> None:
    """Compute the metrics smatch, smatch_precision, smatch_recall and the aspects of meaning.

    With --vectors s2match instead. A missing graph matches nothing. MF-scores of submissions that
    have a form come with it.
    """
    from sr_tracker.queries.meaning.signatures import MeaningSettings

    filters = {name: given.pop(name) for name in FILTERS}
    settings = MeaningSettings(**given)
    tracker = context.tracker()
    with context.progress("comparing") as progress:
        report = tracker.meaning.score(settings, workers=workers, progress=progress, **filters)
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
    if report.mf:
        context.say(
            f"MF-scores of {plural(report.mf, 'submission')} computed: 'tracker show mf_scores'"
        )


@command.command(name="references")
@click.argument("treebank", type=TREEBANK)
@_settings_options
@pass_context
def references(context: Context, treebank: str, workers: int, **given: Any) -> None:
    """Compare the parses of a TREEBANK's references with its gold graphs: the upper bound.

    Give the options that submissions are scored with: the views show the bound beside them.
    """
    from sr_tracker.queries.meaning.signatures import MeaningSettings

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
        f"{treebank}: precision {precision}, recall {recall}, F1 {f1} over {bound.sentences} "
        "sentences"
    )
    if bound.missing:
        context.say(f"note: {bound.missing} references have no graph: they count against recall")


def _tell_faults(
    context: Context, database: Database, submissions: Sequence[str], metric: str
) -> None:
    from sr_tracker.queries.reading import read_about

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
