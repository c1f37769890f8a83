"""The public interface: ``tracker.connect(path)`` opens a campaign database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schema.errors import TrackerError

if TYPE_CHECKING:
    from tracker.api import Tracker, connect

__all__ = ["Tracker", "TrackerError", "connect"]


def __getattr__(name: str) -> Any:
    """Load the interface when it is first used: ``tracker --help`` must not wait for it."""
    if name in ("Tracker", "connect"):
        import tracker.api

        return getattr(tracker.api, name)
    raise AttributeError(f"module 'tracker' has no attribute '{name}'")
