"""Scores and probabilities that were computed elsewhere."""
