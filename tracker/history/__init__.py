"""Following a system over its iterations: what changed, and which changes are more than chance."""

from __future__ import annotations

from tracker.history.computing import history
from tracker.history.model import History, Line, Measure, Run, Summary
from tracker.history.sparkline import sparkline

__all__ = ["History", "Line", "Measure", "Run", "Summary", "history", "sparkline"]
