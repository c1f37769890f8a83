"""Parsers of meaning graphs: they run where the texts are, and are optional."""
