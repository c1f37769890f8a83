"""Validation of CoNLL-U by the levels 1 and 2 of Universal Dependencies' public description."""
