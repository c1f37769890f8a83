"""Charts of what the views show, readable without a network: Vega-Lite specifications as data."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .drawing import Specification, captioned

CHARTS = {
    "dea_by_relation_chart": "scores",
    "dea_of_submissions_chart": "scores",
    "entropy_scatter": "scores",
    "intervals_chart": "scores",
    "projectivity_chart": "scores",
    "robustness_chart": "scores",
    "correlation_heat_map": "people",
    "examination_chart": "people",
    "human_heat_map": "people",
    "marked_errors_chart": "errors",
    "metric_agreement_chart": "people",
    "metric_evaluation_chart": "people",
    "power_chart": "people",
    "drift_chart": "change",
    "history_chart": "change",
    "years_chart": "change",
    "suspicion_tree_chart": "errors",
    "suspicious_patterns_chart": "errors",
}
"""The functions that draw, each with its module, which is imported when the chart is drawn."""


def chart(name: str, shown: Any, *further: Any, caption: str = "", **options: Any) -> Specification:
    """Return the chart of a name, one of CHARTS; ``caption`` is said below its title.

    ``shown`` and what is ``further`` given is what its function takes; rows may be a table of Arrow
    or those of a statement.
    """
    draw = getattr(import_module(f"{__package__}.{CHARTS[name]}"), name)
    return captioned(draw(shown, *further, **options), caption)
