"""Meaning graphs: files, their text, the outputs and references they belong to."""
