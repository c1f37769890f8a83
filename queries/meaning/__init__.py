"""Meaning of outputs: what their parsed graphs share with gold graphs, and MF-score."""
