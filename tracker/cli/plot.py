"""``tracker plot``: charts of what was computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sr_tracker.tracker.cli.context import Context, counting_option, pass_context
from sr_tracker.tracker.cli.options import MEASURE, filter_options, option

if TYPE_CHECKING:
    from sr_tracker.queries.counting import Counting

KINDS = (
    *("dea", "correlations", "projectivity", "entropy", "patterns", "suspicion-tree"),
    *("human", "agreement", "intervals"),
)
# Options that choose something in some kinds of charts only.
_ONLY_FOR = {
    "labels": ("patterns", "suspicion-tree"),
    "metrics": ("correlations", "projectivity", "patterns", "suspicion-tree", "intervals"),
    "method": ("correlations",),
    "who-counts": ("dea", "correlations", "entropy", "patterns"),
}


@click.command(name="plot")
@click.argument("kind", type=click.Choice(KINDS))
@filter_options
@counting_option
@click.option(
    "--labels",
    show_default="deprel",
    help="What the nodes of mined patterns are labelled with.",
)
@click.option(
    "--metric",
    "metrics",
    type=MEASURE,
    multiple=True,
    show_default="all, bleu of the error mining",
    help="Only this metric, or the error mining by it; may be repeated.",
)
@click.option(
    "--method",
    type=click.Choice(["spearman", "pearson", "kendall"]),
    show_default="spearman",
    help="Coefficient of the correlations.",
)
@option("output", show_default="KIND.png", help="Write to this file: .png, .svg or .html.")
@pass_context
def command(
    context: Context,
    kind: str,
    labels: str | None,
    metrics: tuple[str, ...],
    method: str | None,
    counting: Counting,
    output: Path | None,
    **filters: tuple[str, ...],
) -> None:
    """Draw a chart: KIND is what it shows, the options choose of which submissions.

    \b
    dea             accuracy by relation (of several submissions: means)
    correlations    heat map of metrics and complexity (of several: medians)
    projectivity    projective against non-projective sentences
    entropy         word-order freedom against accuracy, by relation
    patterns        suspicious subtrees (of several: coverage)
    suspicion-tree  sentences split on suspicious subtrees (of one submission)
    human           who is rated significantly higher (of one treebank)
    agreement       metrics against people (of one treebank)
    intervals       bootstrap intervals of scores

    What is drawn is computed by 'tracker score', 'analyse', 'human' and 'significance'.
    """  # noqa: D301
    from sr_tracker.queries.counting import COUNTING
    from sr_tracker.tracker.show.charts.saving import check_ending
    from sr_tracker.tracker.show.charts.selected import Choice

    file = output or Path(f"{kind}.png")
    check_ending(file)
    _check_options(kind, {"labels": labels, "metrics": metrics, "method": method})
    if counting != COUNTING[0]:
        _check_options(kind, {"who-counts": counting})
    choice = Choice(labels or "deprel", metrics, method or "spearman", counting)
    context.tracker().plot(kind, file, choice, **filters)
    context.say(f"{file} written")


def _check_options(kind: str, options: dict[str, object]) -> None:
    from sr_tracker.schema.errors import InputError

    for name, value in options.items():
        if value and kind not in _ONLY_FOR[name]:
            option = name.removesuffix("s") if name == "metrics" else name
            raise InputError(
                f"--{option} does not apply to {kind}",
                hint=f"it is for {', '.join(_ONLY_FOR[name])}",
            )
