"""``tracker human``: from judgements to rankings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ...queries.people.human_scores import HumanSettings
from ...schema.brief import plural
from ...schema.parameters import Option
from ...schema.statements import read_rows, read_table
from ..api import computing
from ..api.arguments import settings_of
from .operation import Own, Shown, Values, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.people import HumanReport
    from ...schema.database import Database
    from ..api.tracker import Tracker
    from ..show.model import Document, Table

SHOWN_ANNOTATORS = 20


@dataclass(frozen=True)
class _Evaluated:
    """What is shown of an evaluation by people."""

    report: HumanReport
    settings: HumanSettings
    rows: pa.Table
    """Rankings, or comparisons where they are shown head to head."""
    failed: list[str]
    """A line for each annotator who failed quality control."""
    head_to_head: bool

    def tables(self) -> list[Table]:
        """Return the rows as tables."""
        from ..show.findings import people as shown

        made = shown.head_to_head_tables if self.head_to_head else shown.ranking_tables
        return made(self.rows.to_pylist(), self.settings)

    def notes(self) -> Iterator[str]:
        """Yield what is said beside the rows."""
        yield from self.report.notes
        yield from self.failed[:SHOWN_ANNOTATORS]
        if len(self.failed) > SHOWN_ANNOTATORS:
            yield (
                f"{len(self.failed) - SHOWN_ANNOTATORS} more failed: "
                "tracker show annotators --where 'NOT passed'"
            )


def _read(tracker: Tracker, report: HumanReport, values: Values) -> _Evaluated:
    named = {name: values[name] for name in HumanSettings.__dataclass_fields__ if name in values}
    head_to_head = values["head_to_head"]
    with tracker.reading() as database:
        return _Evaluated(
            report,
            settings_of(HumanSettings, named),
            _evaluated(database, report, head_to_head=head_to_head),
            _failed(database, report),
            head_to_head,
        )


def _document(evaluated: _Evaluated) -> Document | None:
    from ..show.findings.people import head_to_head

    return head_to_head(evaluated.tables()) if evaluated.head_to_head else None


human = operation(
    computing.human,
    Shown(
        _document,
        read=_read,
        rows=lambda evaluated: evaluated.rows,
        tables=_Evaluated.tables,
        notes=_Evaluated.notes,
        options={
            "head_to_head": Own(
                Annotated[
                    bool,
                    Option(
                        "Show differences between every two systems with their significance, not "
                        "the ranking."
                    ),
                ],
                False,
            )
        },
    ),
    settings=HumanSettings,
    progress="evaluating",
)


def _evaluated(database: Database, report: HumanReport, *, head_to_head: bool) -> pa.Table:
    """Return the rankings, or the comparisons, by the annotators whose judgements count."""
    evaluated = [
        {"campaign_id": campaign.campaign_id, "criterion": criterion}
        for campaign in report.campaigns
        for criterion in campaign.chosen
    ]
    name = "evaluated_comparisons" if head_to_head else "evaluated_rankings"
    return read_table(database, name, evaluated=evaluated)


def _failed(database: Database, report: HumanReport) -> list[str]:
    """Return a line for each annotator who failed quality control, with the numbers."""
    lines = []
    for campaign in report.campaigns:
        rows = read_rows(
            database,
            "failed_annotators",
            campaign=campaign.campaign_id,
            criteria=list(campaign.chosen),
        )
        lines += [_line(campaign.campaign_id, **row) for row in rows]
    return lines


def _line(
    campaign_id: str,
    annotator_id: str,
    criterion: str,
    reason: str,
    degraded_difference: float,
    degraded_pairs: int,
    degraded_p_value: float | None,
    repeat_difference: float | None,
    repeat_pairs: int,
    reference_mean: float | None,
    references_judged: int,
) -> str:
    numbers = [f"{degraded_difference:.1f} lower in {plural(degraded_pairs, 'pair')}"]
    numbers += [] if degraded_p_value is None else [f"p = {degraded_p_value:.3f}"]
    if repeat_difference is not None:
        numbers.append(f"{plural(repeat_pairs, 'repeat')} off by {repeat_difference:.1f}")
    if reference_mean is not None:
        numbers.append(f"{plural(references_judged, 'reference')} at {reference_mean:.1f}")
    return f"failed: {annotator_id} ({campaign_id}, {criterion}): {reason} ({'; '.join(numbers)})"
