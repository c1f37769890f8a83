"""``tracker task challenge``, ``overlap``, ``drift``: what is in test sets, and their versions."""

from __future__ import annotations

from typing import Annotated, Any

from ...schema.parameters import Option
from ..api import test_sets
from .operation import Own, Shown, operation


def _content(result: Any) -> Any:
    from ..show.json_forms import found_as_json

    return found_as_json(result)


challenge = operation(
    test_sets.challenge,
    Shown("test_sets:challenges_document", rows=lambda result: result.rates),
)

overlap = operation(
    test_sets.overlap,
    Shown(
        "test_sets:overlap_document",
        content=_content,
        options={"top": Own(Annotated[int, Option("Show so many sentences.", low=1)], 10)},
    ),
)

drift = operation(
    test_sets.drift,
    Shown(
        "drift:drift_document",
        content=_content,
        options={"top": Own(Annotated[int, Option("Show so many changes of a kind.", low=1)], 10)},
        chart=lambda draw, result, _: draw("drift_chart", result),
        chart_options={"help": "Draw what changed as well: .png, .svg, .html or .json."},
    ),
)
