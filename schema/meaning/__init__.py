"""Graphs of meaning, and what language models make of outputs: how they are stored."""
