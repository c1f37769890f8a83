"""Treebanks and test sets: their words, trees, texts, sources and further references."""
