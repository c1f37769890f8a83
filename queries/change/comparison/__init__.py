"""Comparing submissions: what changed, by how much, and whether that is more than chance."""
