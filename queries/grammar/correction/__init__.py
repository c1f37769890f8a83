"""Metrics held against errors that people corrected (L'AMBRE, section 5)."""
