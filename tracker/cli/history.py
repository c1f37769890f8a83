"""``tracker history`` and ``years``: systems over their iterations, measures over the years."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..api import following
from .operation import Shown, operation

if TYPE_CHECKING:
    import pyarrow as pa

    from ...queries.change.history import History
    from ...queries.change.years import Years


def _history_rows(result: History) -> pa.Table:
    from ...queries.change.history import history_rows

    return history_rows(result)


history = operation(
    following.history,
    Shown(
        "history:history_document",
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
        "history:years_document",
        rows=_years_rows,
        notes=lambda result: result.notes,
        chart=lambda draw, result, values: draw(
            "years_chart", result, shared=values.get("shared", False)
        ),
        chart_options={"help": "Draw the years in this file: .png, .svg, .html or .json."},
    ),
)
