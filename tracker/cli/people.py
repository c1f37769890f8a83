"""``tracker metrics``, ``examine`` and ``errors``: what people say, against metrics and systems."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from ...queries.errors.marked_errors import BY, WHO
from ...queries.people.examining import TABLES
from ...queries.people.metric_evaluation import MetricSettings
from ...schema.parameters import Option
from ...schema.statements import read_table
from ..api import computing
from .context import Context, command
from .operation import Own, Shown, Values, operation
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
    import pyarrow as pa

    from ...queries.people.metric_evaluation import MetricReport
    from ..api import Tracker
    from ..show.model import Document, Table


def _evaluated(tracker: Tracker, report: MetricReport, values: Values) -> pa.Table:
    keys = ("campaign_id", "treebank_id", "criterion")
    with tracker.reading() as database:
        return read_table(
            database,
            "evaluated_metrics",
            judged=[dict(zip(keys, place, strict=True)) for place in report.judged],
            people=values["people"],
            grouping=values["grouping"],
            part_kind=values.get("by", "all"),
            level=values["level"],
        )


def _evaluation_tables(rows: pa.Table) -> list[Table]:
    from ..show.findings.people import evaluation_tables

    return evaluation_tables(rows.to_pylist())


def _evaluation(rows: pa.Table) -> Document:
    from ..show.findings.people import evaluation_document

    return evaluation_document(_evaluation_tables(rows))


metrics = operation(
    computing.metrics,
    Shown(
        _evaluation,
        read=_evaluated,
        rows=lambda rows: rows,
        tables=_evaluation_tables,
        options={
            "level": Own(
                Annotated[
                    Literal["sentence", "system"] | None,
                    Option("Show only how outputs, or how systems are ordered.", default="both"),
                ]
            )
        },
        chart=lambda draw, rows, _: draw("metric_evaluation_chart", rows, "Metrics against people"),
        charted={"one_place": True},
    ),
    settings=MetricSettings,
    chosen=("people", "grouping", "by", "replicates", "seed"),
)


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
    systems it favours beside the line from people's means of all systems to its own, and whether
    its own family is among them (--own, --own-tag); whether it favours long outputs; what its
    scores mean to people; whether it says the same again (--repeat); and on which relations errors
    cost less by it than by people.
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
