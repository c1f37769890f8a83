"""One metric under the lens: where it agrees with people, whom it favours, what it misses."""

from __future__ import annotations

from sr_tracker.queries.people.examining.examine import examine
from sr_tracker.queries.people.examining.model import Examination, ExaminationSettings

__all__ = ["Examination", "ExaminationSettings", "examine"]
