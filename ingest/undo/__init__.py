"""Undoing and mending what was loaded: removing, renaming, tagging what has a name."""

from sr_tracker.ingest.undo.dependents import Change, resolve
from sr_tracker.ingest.undo.mending import note, rename, tag, tags_of
from sr_tracker.ingest.undo.removing import remove

__all__ = ["Change", "note", "remove", "rename", "resolve", "tag", "tags_of"]
