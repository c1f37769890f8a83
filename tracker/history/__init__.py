"""Following a system over its iterations: what changed, and which changes are more than chance."""

from __future__ import annotations

from sr_tracker.tracker.history.computing import history
from sr_tracker.tracker.history.model import History, Line, Measure, Run, Summary
from sr_tracker.tracker.history.sparkline import sparkline

__all__ = ["History", "Line", "Measure", "Run", "Summary", "history", "sparkline"]
