"""Versions of scores: brought up to date, pruned, and read as they stood at a date."""
