"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the item at hand, how many are done and how many there are."""


def silent(_item: str, _done: int, _total: int) -> None:
    """Report progress to nobody."""
