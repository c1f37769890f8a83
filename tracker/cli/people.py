"""``tracker examination``: what people say, against metrics and systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...queries.examination.examining import TABLES, ExaminationSettings
from ...queries.examination.marked_errors import WHO
from ...queries.examination.metric_evaluation import MetricSettings
from ...schema.parameters import Option
from ...schema.statements import read_table
from ..api import asking, computing
from .operation import Own, Shown, Values, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.examination.examining import Examination
    from ...queries.examination.metric_evaluation import MetricReport
    from ..api.tracker import Tracker
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
            "help": "Draw calibration and favoured systems as well: .png, .svg, .html or .json."
        },
    ),
    settings=ExaminationSettings,
)


DOCUMENT = ("system", "severity", "category", "relation", "accuracy", "pattern", "metric")


@dataclass(frozen=True)
class _Marked:
    """Marked errors as rows, and by what those are told."""

    tracker: Tracker
    rows: pa.Table
    values: Values

    def document(self) -> Document:
        """Return them as a document: by all that a document tells them by, unless one is meant."""
        from ..show.findings.marked_errors import errors_document

        by = self.values.get("by")
        tables = {by: self.rows} if by else {name: self.read(name) for name in DOCUMENT}
        return errors_document({name: rows.to_pylist() for name, rows in tables.items()})

    def read(self, by: str) -> pa.Table:
        """Return rows by something else."""
        return self.tracker.errors(**{**self.values, "by": by})

    def tables(self) -> list[Table]:
        """Return a table for papers."""
        from ..show.findings.marked_errors import errors_table

        return [errors_table(self.values.get("by", "system"), self.rows.to_pylist())]

    def by_system(self) -> pa.Table:
        """Return rows of systems, submissions or campaigns, which a chart draws."""
        return self.rows if self.values.get("by") in WHO else self.read("system")


errors = operation(
    asking.errors,
    Shown(
        _Marked.document,
        read=_Marked,
        rows=lambda marked: marked.rows,
        tables=_Marked.tables,
        chart=lambda draw, marked, _: draw(
            "marked_errors_chart", marked.by_system(), "Marked errors"
        ),
        chart_options={
            "help": "Draw systems' errors by severity as well: .png, .svg, .html or .json."
        },
    ),
)
