"""Charts of what the views show, readable without a network: one function per chart."""

from __future__ import annotations

from sr_tracker.tracker.show.charts.dea import dea_by_relation_chart, dea_of_submissions_chart
from sr_tracker.tracker.show.charts.entropy import entropy_scatter
from sr_tracker.tracker.show.charts.heat_map import correlation_heat_map
from sr_tracker.tracker.show.charts.human_heat_map import human_heat_map
from sr_tracker.tracker.show.charts.intervals import intervals_chart, score_heat_map
from sr_tracker.tracker.show.charts.metric_agreement import metric_agreement_chart
from sr_tracker.tracker.show.charts.projectivity import projectivity_chart
from sr_tracker.tracker.show.charts.saving import FORMATS, save_chart
from sr_tracker.tracker.show.charts.suspicion import suspicious_patterns_chart
from sr_tracker.tracker.show.charts.suspicion_tree import suspicion_tree_chart

__all__ = [
    "FORMATS",
    "correlation_heat_map",
    "dea_by_relation_chart",
    "dea_of_submissions_chart",
    "entropy_scatter",
    "human_heat_map",
    "intervals_chart",
    "metric_agreement_chart",
    "projectivity_chart",
    "save_chart",
    "score_heat_map",
    "suspicion_tree_chart",
    "suspicious_patterns_chart",
]
