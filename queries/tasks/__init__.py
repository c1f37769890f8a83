"""Test sets: what they expect of outputs, and whether training files hold their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...schema.parameters import Option


@dataclass(frozen=True)
class OverlapSettings:
    """When a sentence counts as overlapping: an equal line always is enough."""

    order: Annotated[int, Option("Words of the n-grams looked for.")] = 8
    share: Annotated[float, Option("Share of its n-grams from which a sentence overlaps.")] = 0.5
    similarity: Annotated[
        float, Option("Similarity to a training line from which a sentence overlaps.")
    ] = 0.5
    """Jaccard similarity over word trigrams."""
