"""Versions of one test set: what changed in the references, and what that does to scores."""

from __future__ import annotations

from sr_tracker.queries.change.drift.model import Drift, Effect, Effects, Step
from sr_tracker.queries.change.drift.reading import read_drift

__all__ = ["Drift", "Effect", "Effects", "Step", "read_drift"]
