"""``tracker examination plan``: how much to judge, what to judge, and when to stop."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click
import pyarrow as pa

from ...queries.examination.planning.comparing import ItemSettings
from ...queries.examination.planning.power import PowerSettings
from ...queries.examination.planning.stopping import StopSettings
from ..api import planning
from .groups import SuggestingGroup
from .operation import Shown, operation


@click.group(name="plan", cls=SuggestingGroup)
def plan() -> None:
    """Plan an evaluation by people from judgements that are there: a pilot, or last year's."""


def _rows(result: Any) -> pa.Table:
    return pa.Table.from_pylist([asdict(row) for row in result.rows])


operation(
    planning.plan_power,
    Shown(
        "plan:power_document",
        rows=_rows,
        chart=lambda draw, result, _: draw(
            "power_chart",
            _rows(result),
            result.settings.power,
            f"Power to find a difference of {result.settings.difference:g}",
        ),
        chart_options={"help": "Draw the power curves as well: .png, .svg, .html or .json."},
    ),
    settings=PowerSettings,
    group=plan,
    progress="simulating",
)
operation(
    planning.plan_items,
    Shown(
        "plan:items_document",
        rows=_rows,
        encoded_notes=lambda result: [f"left out: {reason}" for reason in result.left_out],
    ),
    settings=ItemSettings,
    group=plan,
    progress="choosing",
)
operation(
    planning.plan_stopping,
    Shown("plan:stopping_document", rows=_rows),
    settings=StopSettings,
    group=plan,
    progress="simulating",
)
