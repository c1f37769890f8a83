"""``tracker compare`` and ``gate``: what changed, and whether it may."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...schema.errors import CheckFailedError, InputError
from .context import Context, command
from .options import FILE, MEASURE, SUBMISSION, narrowing_options, option
from .output import (
    Destination,
    document_options,
    output_options,
    write_document,
    write_rows,
)

_TESTED = ("replicates", "seed", "resampling_unit", "force")
"""Options of the gate that are settings of its comparison."""


@command("compare")
@click.argument("submissions", nargs=-1, required=True, type=SUBMISSION)
@narrowing_options
@option(
    "--metric", "metrics", type=MEASURE, multiple=True, help="Compare by this; may be repeated."
)
@option(
    "--sentence-metric",
    type=MEASURE,
    help="By which sentences gain, lose and fail; may be human, such as adequacy_z. Without it by "
    "BLEU, or the first metric that both have.",
)
@option(
    "--sentences", type=click.IntRange(0), default=5, help="Show so many that gained and lost most."
)
@option(
    "--top",
    type=click.IntRange(1),
    default=8,
    help="Show so many patterns, and relations without a significant change.",
)
@option("--trees", is_flag=True, help="Draw the references' trees, edges won and lost.")
@option("replicates")
@option("seed", help="Seed of the resampling.")
@option("resampling_unit")
@option("--force", is_flag=True, help="Compare what must not be compared, saying so.")
@document_options
def compare(
    context: Context,
    submissions: tuple[str, ...],
    treebank: str | None,
    campaign: str | None,
    sentence_metric: str | None,
    top: int,
    trees: bool,
    to: Destination,
    metrics: tuple[str, ...],
    **options: Any,
) -> None:
    """Tell how submission A differs from B: 'tracker compare A B' reads 'A against B'.

    Differences are A minus B, so give the new one first. A submission is named by its id, or as
    system@3, system@latest, system@first, system@previous or system@best:dea. With three or more,
    a table ranks them in clusters of those that do not differ by more than chance. What is said of
    two is stored, and told again as it was by every command and page.
    """
    from ...queries.change.comparison.comparing import rankings
    from ...queries.change.comparison.model import Settings
    from ...queries.errors.measures import sentence_metrics
    from ...schema.iterations import resolve_submission
    from ..show.findings.comparison import comparison_document
    from ..show.findings.ranking import ranking_document
    from ..show.json_forms import as_json, rankings_as_json

    if len(submissions) == 1:
        raise InputError("one submission is not compared with anything", hint="name two or more")
    tracker = context.tracker(threads=1)
    if len(submissions) == 2:
        two = tracker.compare(
            submissions[0],
            submissions[1],
            metrics=metrics or None,
            sentence_metric=sentence_metric,
            treebank=treebank,
            campaign=campaign,
            **options,
        )
        trees = trees or to.format == "html"
        document = partial(comparison_document, two, top=top, trees=trees)
        content = partial(as_json, two)
    else:
        with tracker.reading() as database:
            ids = [
                resolve_submission(database, name, treebank=treebank, campaign=campaign)
                for name in submissions
            ]
            by = sentence_metric or sentence_metrics(database, ids)[0]
            settings = Settings(metrics=metrics or None, sentence_metric=by, **options)
            ranked = rankings(database, ids, settings)
        document = partial(ranking_document, ranked, settings)
        content = partial(rankings_as_json, ranked, settings)
    write_document(context, to, document, content)


@command("primary")
@click.argument("metrics", nargs=-1, type=MEASURE)
@option("campaign", help="Of this campaign; needed where there are several.")
@option("--default", is_flag=True, help="Take the choice back.")
@output_options
def primary(
    context: Context,
    metrics: tuple[str, ...],
    campaign: str | None,
    default: bool,
    to: Destination,
) -> None:
    """Choose the METRICS that verdicts of a campaign rest on, or show what was chosen.

    The p-values of primary metrics are corrected for their number; all others are exploratory, each
    tested alone. Without a choice: the first usual metric of the text, and dea where there are
    trees.
    """
    if metrics and default:
        raise InputError("a choice is either made or taken back", hint="leave out --default")
    write_rows(context.tracker().primary(*metrics, campaign=campaign, default=default), to)


@command("gate")
@click.argument("new", type=SUBMISSION)
@option(
    "--against",
    type=SUBMISSION,
    required=True,
    help="The baseline: a submission, or SYSTEM@previous.",
)
@narrowing_options
@option(
    "--max-drop",
    multiple=True,
    metavar="MEASURE=LIMIT",
    help="How far it may get worse, in points, as dea=0.5 or 'dea[*]=5'; may be repeated.",
)
@option(
    "--min",
    "floors",
    multiple=True,
    metavar="MEASURE=LIMIT",
    help="How low it may be, in points, as bleu=40; may be repeated.",
)
@option("--thresholds", type=FILE, help="Thresholds in a toml file; options go before it.")
@option(
    "--allow-undefined", multiple=True, metavar="MEASURE", help="This may be undefined; may have *."
)
@option(
    "--significant/--any-drop",
    default=None,
    help="Whether a drop counts only where it is beyond its limit by more than chance.  "
    "[default: any drop]",
)
@option(
    "--non-inferior",
    is_flag=True,
    default=None,
    help="Pass only where a drop beyond the limit is ruled out.",
)
@option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="More than chance: the corrected p-value is below this.  [default: 0.05]",
)
@option(
    "--minimum-n",
    type=click.IntRange(0),
    help="What rests on fewer sentences, or edges of a relation, cannot fail.  [default: 0]",
)
@option("replicates")
@option("seed", help="Seed of the resampling.")
@option("resampling_unit")
@option("--junit", type=FILE, help="Write the result to this file as JUnit XML.")
@option("--json", "json_file", type=FILE, help="Write the result to this file as JSON.")
@option("--force", is_flag=True, help="Compare what must not be compared, saying so.")
def gate(
    context: Context,
    new: str,
    floors: tuple[str, ...],
    junit: Path | None,
    json_file: Path | None,
    **options: Any,
) -> None:
    """Check that submission NEW is not worse than a baseline by more than the thresholds allow.

    Leaves with 0 where it passes, 1 where it fails, 2 where what was asked for makes no sense.
    Limits are in points (hundredths) for scores of 0 to 1, in bits for NIST, else as they are.
    """
    from ...queries.change.comparison.model import Settings
    from ...schema.writing import write_file
    from ..show.findings.gate import gate_document
    from ..show.gate_files import as_json, as_junit

    settings = Settings(**{name: options.pop(name) for name in _TESTED})
    tracker = context.tracker(threads=1)
    result = tracker.gate(new, minimum=floors, settings=settings, **options)
    for path, content in ((junit, as_junit), (json_file, as_json)):
        if path is not None:
            write_file(path, content(result))
    write_document(context, Destination(), partial(gate_document, result))
    if not result.passed:
        names = ", ".join(verdict.change.measure for verdict in result.failed[:5])
        more = f" and {len(result.failed) - 5} more" if len(result.failed) > 5 else ""
        raise CheckFailedError(
            f"the gate fails by {len(result.failed)} of {len(result.verdicts)} thresholds: "
            f"{names}{more}",
            hint=f"'tracker compare {result.new.submission_id} {result.base.submission_id}' "
            "shows where",
        )
