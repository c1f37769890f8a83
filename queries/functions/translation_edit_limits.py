"""How far TER looks: known without what counts its edits, which takes long to import."""

LONGEST_SHIFT = 10
"""Words that are shifted together, at most."""
FURTHEST_SHIFT = 50
"""Words that they are shifted over, at most."""
BEAM = 25
"""How far from the diagonal edits are looked for, at least."""
MOST_CANDIDATES = 1000
"""Shifts that are tried for an output, at most."""
