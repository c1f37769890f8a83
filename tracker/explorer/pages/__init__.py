"""The pages, each a function from a database and what was asked to a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from sr_tracker.tracker.api import Tracker
from sr_tracker.tracker.show.model import Page

Asked: TypeAlias = Mapping[str, str]
"""The parts of the path by name, and the state that the address holds."""
PageMaker: TypeAlias = Callable[[Tracker, Asked], Page]
