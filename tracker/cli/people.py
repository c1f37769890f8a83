"""``tracker metrics``, ``examine`` and ``errors``: what people say, against metrics and systems."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...queries.errors.marked_errors import BY, WHO
from ...queries.people.examining import TABLES
from ...schema.errors import InputError
from ...schema.statements import read_table
from .context import Context, command
from .options import (
    MEASURE,
    SYSTEM,
    TREEBANK,
    filter_options,
    named_values,
    option,
)
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    from ..show.model import Document


@command("metrics")
@option("campaign", help="Only this campaign.")
@option("treebank", help="Only this treebank.")
@option("criterion")
@option("people")
@option(
    "--group",
    "grouping",
    choices=["item", "system", "none"],
    default="item",
    help="Whose outputs are compared: those of an item, of a system, or all.",
)
@option(
    "--level",
    choices=["sentence", "system"],
    show_default="both",
    help="Show only how outputs, or how systems are ordered.",
)
@option(
    "--by",
    choices=["domain", "length", "complexity", "relation", "document"],
    help="Cut the sentences into parts, each evaluated by itself, without tests.",
)
@option("replicates", help="Number of permutations, and of resampled test sets.")
@option("seed", help="Of both.")
@option("chart")
@output_options
def metrics(
    context: Context,
    people: str,
    grouping: str,
    level: str | None,
    by: str | None,
    replicates: int,
    seed: int,
    chart: Path | None,
    to: Destination,
    **options: Any,
) -> None:
    """Hold metrics against people, as WMT's metrics tasks do.

    Outputs: pairwise accuracy with calibrated ties, Kendall's tau-b, Pearson's r. Systems: soft and
    plain pairwise accuracy, Pearson's r with and without outliers. A cluster ends before the first
    metric that one in it is significantly better than, corrected for all pairs. Results are
    stored: 'tracker show metric_evaluations', 'metric_comparisons'.
    """
    from ...queries.people.metric_evaluation import MetricSettings
    from ..show.findings import people as shown

    if chart is not None and by is not None:
        raise InputError("--chart draws all sentences together", hint="leave --by out")
    settings = MetricSettings(people, grouping, by, replicates, seed, one_place=chart is not None)
    tracker = context.tracker()
    with context.progress("metrics") as progress:
        report = tracker.metrics(settings=settings, progress=progress, **options)
    with tracker.reading() as database:
        rows = read_table(
            database,
            "evaluated_metrics",
            judged=[
                dict(zip(("campaign_id", "treebank_id", "criterion"), place, strict=True))
                for place in report.judged
            ],
            people=people,
            grouping=grouping,
            part_kind=by or "all",
            level=level,
        )
    tables = partial(shown.evaluation_tables, rows.to_pylist())
    write_rows(rows, to, lambda: shown.evaluation_document(tables()), tables)
    context.draw(chart, "metric_evaluation_chart", rows, "Metrics against people")


@command("examine")
@click.argument("metric", type=MEASURE)
@option("campaign", help="Only this campaign.")
@option("treebank", help="Only this treebank.")
@option("criterion")
@option("people")
@option("--own", type=SYSTEM, multiple=True, help="System of the metric's family; may be repeated.")
@option(
    "--own-tag",
    "own_tags",
    metavar="NAME=VALUE",
    multiple=True,
    help="Tag of submissions of the metric's family; may be repeated.",
)
@option(
    "--repeat",
    "repeats",
    type=MEASURE,
    multiple=True,
    help="Metric that is a further run of the same; may be repeated.",
)
@option(
    "--part", choices=TABLES, show_default="all; agreement as rows", help="Show only this table."
)
@option("replicates", help="Number of resampled test sets.")
@option("seed", help="Seed of the resampling.")
@option("chart", help="Draw calibration and favoured systems as well: .png, .svg or .html.")
@output_options
def examine(
    context: Context,
    metric: str,
    part: str | None,
    chart: Path | None,
    own_tags: tuple[str, ...],
    to: Destination,
    **options: Any,
) -> None:
    """Examine a METRIC, or a model that judges, by what people said of the same outputs.

    Where it agrees with them, by language, criterion, length, complexity, domain and system; which
    systems it favours above others that people score alike, and whether its own family is among
    them (--own, --own-tag); whether it favours long outputs; what its scores mean to people;
    whether it says the same again (--repeat); and on which relations errors cost less by it than
    by people.
    """
    from ..show.findings import examination as shown
    from ..show.json_forms import found_as_json

    with context.progress("examine") as progress:
        found = context.tracker().examine(
            metric, own_tags=named_values(own_tags, "--tag"), progress=progress, **options
        )
    write_rows(
        getattr(found, part or "agreement"),
        to,
        partial(shown.examination_document, found, part),
        partial(shown.examination_tables, found, part),
        None if part else partial(found_as_json, found),
    )
    context.draw(chart, "examination_chart", found)


DOCUMENT = ("system", "severity", "category", "relation", "accuracy", "pattern", "metric")


@command("errors")
@filter_options
@option("criterion")
@option(
    "--by",
    choices=BY,
    show_default="all in text and pages, else system",
    help="Show only this: how many errors by whom or what, or what they fall on.",
)
@option(
    "--trees",
    type=TREEBANK,
    help="Relations of this treebank of the same sentences, such as parsed sources.",
)
@option("chart", help="Draw systems' errors by severity as well: .png, .svg or .html.")
@output_options
def errors(
    context: Context, by: str | None, chart: Path | None, to: Destination, **options: Any
) -> None:
    """Tell what errors annotators marked (MQM, ESA), on what they fall, and who misses them.

    Per 100 words by severity; relations of marked words against others; whether edges are found
    less often near marks; patterns of outputs with errors, mined by 'tracker analyse --metric
    mqm_errors[critical]'; how often metrics score an output with a grave error no lower than one
    without.
    """
    from ..show.findings.marked_errors import errors_document, errors_table

    tracker = context.tracker()

    def document() -> Document:
        shown = (by,) if by else DOCUMENT
        with tracker.reading():
            return errors_document(
                {each: tracker.errors(each, **options).to_pylist() for each in shown}
            )

    rows = tracker.errors(by or "system", **options)
    write_rows(rows, to, document, lambda: [errors_table(by or "system", rows.to_pylist())])
    if chart is not None:
        drawn = rows if by in WHO else tracker.errors("system", **options)
        context.draw(chart, "marked_errors_chart", drawn, "Marked errors")
