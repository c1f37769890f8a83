"""Charts of what the views show, readable without a network: Vega-Lite specifications as data."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ....schema.themes import packages
from .drawing import Specification, captioned

CHARTS = {
    "dea_by_relation_chart": "scores",
    "dea_of_submissions_chart": "scores",
    "entropy_scatter": "scores",
    "intervals_chart": "scores",
    "projectivity_chart": "scores",
    "sentence_pairs_chart": "scores",
    "correlation_heat_map": "people",
    "human_heat_map": "people",
    "metric_agreement_chart": "people",
    "metric_evaluation_chart": "people",
    "history_chart": "change",
    "years_chart": "change",
    "suspicion_tree_chart": "errors",
    "suspicious_patterns_chart": "errors",
    "systems_scatter": "systems",
}
"""The functions that draw, each with its module, which is imported when the chart is drawn."""
for _theme in packages("tracker"):
    _name = _theme.__name__.rpartition(".")[2]
    CHARTS |= {
        name: f"..{_name}.{module}" for name, module in getattr(_theme, "CHARTS", {}).items()
    }


def chart(name: str, shown: Any, *further: Any, caption: str = "", **options: Any) -> Specification:
    """Return the chart of a name, one of CHARTS; ``caption`` is said below its title.

    ``shown`` and what is ``further`` given is what its function takes; rows may be a table of Arrow
    or those of a statement.
    """
    draw = getattr(import_module(f".{CHARTS[name]}", __package__), name)
    return captioned(draw(shown, *further, **options), caption)
