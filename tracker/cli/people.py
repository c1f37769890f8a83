"""``tracker metrics``, ``examine`` and ``errors``: what people say, against metrics and systems."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...queries.errors.marked_errors import BY, WHO
from ...queries.people.examining import TABLES, ExaminationSettings
from ...queries.people.metric_evaluation import MetricSettings
from ...schema.parameters import Option
from ...schema.statements import read_table
from ..api import computing
from .context import Context, command
from .operation import Own, Shown, Values, operation
from .options import (
    TREEBANK,
    filter_options,
    option,
)
from .output import Destination, output_options, write_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.people.examining import Examination
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


@dataclass(frozen=True)
class _Examined:
    """An examination, and the only table of it that is shown."""

    whole: Examination
    part: str | None

    def document(self) -> Document:
        """Return it as a document."""
        from ..show.findings.examination import examination_document

        return examination_document(self.whole, self.part)

    def tables(self) -> list[Table]:
        """Return its tables for papers."""
        from ..show.findings.examination import examination_tables

        return examination_tables(self.whole, self.part)

    def content(self) -> dict[str, Any] | None:
        """Return all of it for JSON; None where one table is shown."""
        from ..show.json_forms import found_as_json

        return None if self.part else found_as_json(self.whole)


examine = operation(
    computing.examine,
    Shown(
        _Examined.document,
        read=lambda _, whole, values: _Examined(whole, values["part"]),
        rows=lambda examined: getattr(examined.whole, examined.part or "agreement"),
        tables=_Examined.tables,
        content=_Examined.content,
        options={
            "part": Own(
                Annotated[
                    str | None,
                    Option(
                        "Show only this table.", choices=TABLES, default="all; agreement as rows"
                    ),
                ]
            )
        },
        chart=lambda draw, examined, _: draw("examination_chart", examined.whole),
        chart_options={
            "help": "Draw calibration and favoured systems as well: .png, .svg or .html."
        },
    ),
    settings=ExaminationSettings,
)


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
