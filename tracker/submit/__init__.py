"""Submitting outputs: loaded, scored, analysed, logged, and compared with where they came from."""

from __future__ import annotations

from sr_tracker.tracker.submit.model import SubmitReport
from sr_tracker.tracker.submit.submitting import submit

__all__ = ["SubmitReport", "submit"]
