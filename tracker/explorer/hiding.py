"""Until a date a team sees others' scores, not their outputs: in a copy that has none of them."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import UTC, datetime
from pathlib import Path

from ...queries.hiding import hide_outputs
from ...schema.database import open_database
from .snapshot import Original


class WithoutOutputs:
    """An original without the outputs of others, as long as they are hidden."""

    def __init__(self, original: Original, systems: tuple[str, ...], until: datetime) -> None:
        self.name, self.is_lost_by_error = original.name, original.is_lost_by_error
        self._original = original
        self._systems = systems
        self._until = until

    def may_differ(self, state: Hashable) -> bool:
        """Return whether it is worth asking for the state; at once."""
        hidden, inner = state if isinstance(state, tuple) else (None, state)
        return hidden != self._hidden() or self._original.may_differ(inner)

    def state(self) -> Hashable:
        """Return what is another one after each change, and after the date."""
        return self._hidden(), self._original.state()

    def copy_to(self, file: Path, wait: float) -> Hashable:
        """Make a file that holds what the team may see, and return the state that it is of."""
        hidden = self._hidden()
        state = self._original.copy_to(file, wait)
        if hidden:
            text = f"(hidden until {self._until:%Y-%m-%d %H:%M} UTC)"
            with open_database(file) as database:
                hide_outputs(database, self._systems, text)
        return hidden, state

    def _hidden(self) -> bool:
        return datetime.now(UTC) < self._until
