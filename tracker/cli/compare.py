"""``tracker compare``, ``primary``, ``gate``, ``history`` and ``years``: what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ...schema.errors import CheckFailedError
from ...schema.parameters import File, Option
from ..api import following
from .operation import Own, Shown, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.gate import GateResult
    from ...queries.change.history import History
    from ...queries.change.years import Years
    from ..show.model import Document


def _document(result: Any, top: int, trees: bool) -> Document:
    if hasattr(result, "rankings"):
        from ..show.findings.ranking import ranking_document

        return ranking_document(result)
    from ..show.findings.comparison import comparison_document

    return comparison_document(result, top=top, trees=trees)


def _content(result: Any) -> Any:
    from ..show.json_forms import as_json, rankings_as_json

    return (rankings_as_json if hasattr(result, "rankings") else as_json)(result)


compare = operation(
    following.compare,
    Shown(
        _document,
        content=_content,
        options={
            "top": Own(
                Annotated[
                    int,
                    Option(
                        "Show so many patterns, and relations without a significant change.", low=1
                    ),
                ],
                8,
            ),
            "trees": Own(
                Annotated[bool, Option("Draw the references' trees with edges won and lost.")],
                False,
            ),
        },
        pages={"trees": True},
    ),
    threads=1,
)

primary = operation(following.primary, Shown(rows=lambda result: result))


def _as_junit(result: GateResult) -> bytes:
    from ..show.gate_files import as_junit

    return as_junit(result)


def _as_json(result: GateResult) -> bytes:
    from ..show.gate_files import as_json

    return as_json(result)


def _check(result: GateResult) -> None:
    """Raise CheckFailedError where the gate fails."""
    if result.passed:
        return
    names = ", ".join(verdict.change.measure for verdict in result.failed[:5])
    more = f" and {len(result.failed) - 5} more" if len(result.failed) > 5 else ""
    raise CheckFailedError(
        f"the gate fails by {len(result.failed)} of {len(result.verdicts)} thresholds: "
        f"{names}{more}",
        hint=f"'tracker compare {result.new.submission_id} {result.base.submission_id}' "
        "shows where",
    )


gate = operation(
    following.gate,
    Shown(
        "show.findings.gate:gate_document",
        files={
            "junit": (
                Annotated[File, Option("Write the result to this file as JUnit XML.")],
                _as_junit,
            ),
            "json_file": (
                Annotated[File, Option("Write the result to this file as JSON.", flag="--json")],
                _as_json,
            ),
        },
        written=False,
        finish=_check,
    ),
    chosen=("replicates", "seed", "resampling_unit", "force"),
    threads=1,
)


def _history_rows(result: History) -> pa.Table:
    from ...queries.change.history import history_rows

    return history_rows(result)


history = operation(
    following.history,
    Shown(
        "show.findings.history:history_document",
        rows=_history_rows,
        chart=lambda draw, result, _: draw(
            "history_chart", _history_rows(result), result.system_id
        ),
    ),
    chosen=("replicates", "seed", "resampling_unit"),
    progress="comparing",
    as_of=True,
    threads=1,
)


def _years_rows(result: Years) -> pa.Table:
    from ...queries.change.years import as_table

    return as_table(result.scores)


years = operation(
    following.years,
    Shown(
        "show.findings.history:years_document",
        rows=_years_rows,
        notes=lambda result: result.notes,
        chart=lambda draw, result, values: draw(
            "years_chart", result, shared=values.get("shared", False)
        ),
        chart_options={"help": "Draw the years in this file: .png, .svg, .html or .json."},
    ),
)
