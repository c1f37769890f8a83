"""Undoing and mending what was loaded: removing, renaming, tagging what has a name."""

from sr_tracker.ingest.undo.dependents import Change, resolve
from sr_tracker.ingest.undo.removing import remove
from sr_tracker.ingest.undo.renaming import rename
from sr_tracker.ingest.undo.tagging import note, tag, tags_of

__all__ = ["Change", "note", "remove", "rename", "resolve", "tag", "tags_of"]
