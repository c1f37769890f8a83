"""Vectorised functions over Arrow columns, callable from SQL while scoring."""
