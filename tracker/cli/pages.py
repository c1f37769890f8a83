"""``tracker report``, ``site`` and ``plot``: pages and charts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schema.brief import plural
from ...schema.selection import Names, as_names
from .context import Context, command, counting_option
from .options import FOLDER, MEASURE, filter_options, option

if TYPE_CHECKING:
    from ...queries.counting import Counting


@command("report")
@click.argument("selection", required=False)
@filter_options
@counting_option
@option("output", default=Path("report.html"), help="The page.")
@option("--png", type=FOLDER, help="Folder for its charts as PNG.")
@option("--title", help="Title of the page.")
def report(
    context: Context,
    selection: str | None,
    counting: Counting,
    output: Path,
    png: Path | None,
    title: str | None,
    **filters: tuple[str, ...],
) -> None:
    """Write one page about SELECTION: a submission, a system or a campaign.

    The page needs no network and no other file. It shows the scores, the relations, correlations,
    projectivity, word-order freedom, suspicious patterns with example sentences, suspicion trees
    and the worst sentences: whatever was computed ('tracker score', 'tracker analyse').
    """
    from ...schema.selection import add_name

    tracker = context.tracker(threads=1)
    with tracker.reading() as database:
        wanted = filters if selection is None else add_name(database, selection, filters)
        written = tracker.report(
            output, png=png, title=title or _name(wanted), counting=counting, **wanted
        )
    charts = f", {len(written.charts)} charts in {png}" if png else ""
    context.say(f"{written.page}: {plural(written.submissions, 'submission')}{charts}")


def _name(wanted: Mapping[str, Names]) -> str | None:
    """Return the names that were asked for, where there are any."""
    return " · ".join(name for names in wanted.values() for name in as_names(names)) or None


@command("site")
@click.argument("folder", type=FOLDER)
def site(context: Context, folder: Path) -> None:
    """Write the explorer's pages into FOLDER, to be published: a site without a server.

    Every campaign with its systems, submissions and sentences; search and SQL need 'tracker serve'.
    A site that is there already is replaced.
    """
    with context.progress("pages") as progress:
        pages = context.tracker().site(folder, progress=progress)
    context.say(f"{folder / 'index.html'}: {plural(pages, 'page')}")


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


@command("plot")
@click.argument("kind", type=click.Choice(KINDS))
@filter_options
@counting_option
@option(
    "--labels", show_default="deprel", help="What the nodes of mined patterns are labelled with."
)
@option(
    "--metric",
    "metrics",
    type=MEASURE,
    multiple=True,
    show_default="all, bleu of the error mining",
    help="Only this metric, or the error mining by it; may be repeated.",
)
@option(
    "--method",
    choices=["spearman", "pearson", "kendall"],
    show_default="spearman",
    help="Coefficient of the correlations.",
)
@option("output", show_default="KIND.png", help="Write to this file: .png, .svg or .html.")
def plot(
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
    from ...queries.counting import COUNTING
    from ..show.charts.saving import check_ending
    from ..show.charts.selected import Choice

    file = output or Path(f"{kind}.png")
    check_ending(file)
    _check_options(kind, {"labels": labels, "metrics": metrics, "method": method})
    if counting != COUNTING[0]:
        _check_options(kind, {"who-counts": counting})
    choice = Choice(labels or "deprel", metrics, method or "spearman", counting)
    context.tracker().plot(kind, file, choice, **filters)
    context.say(f"{file} written")


def _check_options(kind: str, options: dict[str, object]) -> None:
    from ...schema.errors import InputError

    for name, value in options.items():
        if value and kind not in _ONLY_FOR[name]:
            option = name.removesuffix("s") if name == "metrics" else name
            raise InputError(
                f"--{option} does not apply to {kind}",
                hint=f"it is for {', '.join(_ONLY_FOR[name])}",
            )
