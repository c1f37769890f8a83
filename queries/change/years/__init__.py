"""Scores over the years of a campaign: the best, the median, all systems, families, references."""

from __future__ import annotations

from sr_tracker.queries.change.years.model import Choice, Entry, Point, Years, YearScore
from sr_tracker.queries.change.years.reading import read_years

__all__ = ["Choice", "Entry", "Point", "YearScore", "Years", "read_years"]
