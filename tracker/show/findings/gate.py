"""What a gate found as a document."""

from __future__ import annotations

from ....queries.change.comparison.verdict import names
from ....queries.change.gate import FAILED, PASSED, GateResult, Verdict
from ....queries.metrics.registry import notes
from ....queries.numbers import measured
from ....schema.brief import plural
from ..model import Cell, Column, Document, Section, Tone
from ..tables import filled

_TONES: dict[str, Tone] = {PASSED: "better", FAILED: "worse"}


def gate_document(result: GateResult) -> Document:
    """Return the thresholds with what became of them, those that are broken first."""
    new, base = names(result.new, result.base)
    rule = "any drop"
    if result.significant:
        rule = (
            f"a drop counts where p < {result.alpha:g} (Holm) and its interval is beyond the limit"
        )
    if result.non_inferior:
        rule = "it passes where the interval of a drop is within the limit"
    columns = [
        Column("threshold", "text"),
        Column("base"),
        Column("new"),
        Column("change"),
        Column("limit"),
        Column("unit", "whole"),
        Column("verdict", "text"),
        Column("p", "probability"),
        Column("n"),
    ]
    verdicts = sorted(result.verdicts, key=lambda item: item.verdict != FAILED)
    table = filled("Thresholds", columns, map(_cells, verdicts))
    failed = plural(len(result.failed), "threshold")
    return Document(
        "Gate",
        f"{new} against {base} · {rule}",
        [Section("thresholds", "Thresholds", "", blocks=[table])],
        verdict=[f"The gate fails by {failed}." if result.failed else "The gate passes."],
        objections=result.objections,
        notes=[*result.notes, *notes(item.change.measure for item in result.verdicts)],
        provenance=[("new", result.new.submission_id), ("base", result.base.submission_id)],
    )


def _cells(verdict: Verdict) -> list[Cell | float | str | None]:
    change, limit = verdict.change, verdict.threshold.limit
    text = f"{verdict.verdict}: {verdict.reason}" if verdict.reason else verdict.verdict
    difference = measured(change.measure, change.difference, sign=True)
    return [
        f"{verdict.threshold.kind} {change.measure}",
        Cell(measured(change.measure, change.base), change.base),
        Cell(measured(change.measure, change.new), change.new),
        Cell(difference, change.difference),
        Cell(f"{limit:g}", limit),
        verdict.unit,
        Cell(text, tone=_TONES.get(verdict.verdict, "doubt")),
        change.p_holm,
        change.n,
    ]
