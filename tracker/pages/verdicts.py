"""What a stored comparison says, on pages: they test nothing themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ...queries.change.comparison.stored import stored_comparisons
from ...schema.database import Database


def stored_verdict(database: Database, new: str, base: str) -> Sequence[str]:
    """Return the sentences of a verdict as it is stored; none where none is, or holds no more."""
    comparison = stored_comparisons(database, [(new, base)]).get((new, base))
    return comparison.verdict if comparison else []


def not_stored(new: str, base: str) -> str:
    """Return what to say where no verdict is stored."""
    return f"No verdict against {base} is stored: 'tracker compare {new} {base}' stores it."
