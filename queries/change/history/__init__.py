"""Following a system over its iterations: what changed, and which changes are more than chance."""

from __future__ import annotations

from sr_tracker.queries.change.history.computing import history
from sr_tracker.queries.change.history.model import History, Line, Measure, Run, Summary

__all__ = ["History", "Line", "Measure", "Run", "Summary", "history"]
