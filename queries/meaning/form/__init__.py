"""Form of outputs: how probable language models find them beside their references."""

from __future__ import annotations

DEFAULT_ORDER = 3
"""Length of the n-grams of a model that is trained, unless told otherwise."""
TOLERANCE = 0.05
"""How much less probable than its reference an acceptable output may be, unless told otherwise."""
