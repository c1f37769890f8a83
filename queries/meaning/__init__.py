"""Meaning of outputs: what their parsed graphs share with gold graphs, and MF-score."""

from __future__ import annotations

BETAS = (1.0, 0.5)
"""The weights that are stored as metrics: mf_1, mf_0.5. The macro mf takes any other."""
