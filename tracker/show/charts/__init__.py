"""Charts of what the views show, readable without a network: one function per chart."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altair.typing import ChartType

CHARTS = {
    "dea_by_relation_chart": "dea",
    "dea_of_submissions_chart": "dea",
    "drift_chart": "counts",
    "marked_errors_chart": "counts",
    "entropy_scatter": "entropy",
    "correlation_heat_map": "heat_map",
    "history_chart": "history",
    "human_heat_map": "heat_map",
    "intervals_chart": "intervals",
    "metric_agreement_chart": "metric_agreement",
    "examination_chart": "metric_evaluation",
    "metric_evaluation_chart": "metric_evaluation",
    "robustness_chart": "parsing",
    "power_chart": "power",
    "projectivity_chart": "projectivity",
    "suspicious_patterns_chart": "suspicion",
    "suspicion_tree_chart": "suspicion_tree",
    "years_chart": "years",
}
"""The functions that draw, each with its module, which is imported when the chart is drawn."""


def chart(name: str, shown: Any, *further: Any, caption: str = "", **options: Any) -> ChartType:
    """Return the chart of a name, one of CHARTS; ``caption`` is said below its title.

    ``shown`` and what is ``further`` given is what its function takes; rows may be a table of Arrow
    or those of a statement.
    """
    from .style import captioned

    draw = getattr(import_module(f"{__package__}.{CHARTS[name]}"), name)
    return captioned(draw(_frame(shown), *further, **options), caption)


def _frame(rows: Any) -> Any:
    """Return rows as a data frame; what is none as it is."""
    if isinstance(rows, Sequence):
        import pandas as pd

        return pd.DataFrame(list(rows))
    return rows.to_pandas() if hasattr(rows, "to_pandas") else rows
