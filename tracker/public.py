"""Track campaigns of natural-language generation: ``sr_tracker.connect(path)`` opens a database."""

from __future__ import annotations

TYPE_CHECKING = False
"""Type checkers take it for true; to import ``typing``, which has one, takes ten times as long."""
if TYPE_CHECKING:
    from typing import Any

    from sr_tracker.schema.errors import TrackerError
    from sr_tracker.tracker.api.tracker import Tracker, connect
    from sr_tracker.tracker.show.progress import progress_bar

__all__ = ["Tracker", "TrackerError", "connect", "progress_bar"]


def __getattr__(name: str) -> Any:
    """Load the interface when it is first used: ``tracker --help`` must not wait for it."""
    if name == "TrackerError":
        from sr_tracker.schema.errors import TrackerError

        return TrackerError
    if name == "progress_bar":
        from sr_tracker.tracker.show.progress import progress_bar

        return progress_bar
    if name in __all__:
        from sr_tracker.tracker.api import tracker

        return getattr(tracker, name)
    raise AttributeError(f"module 'sr_tracker' has no attribute '{name}'")


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
