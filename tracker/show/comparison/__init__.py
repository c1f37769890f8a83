"""Comparisons as pages, JSON and trees."""
