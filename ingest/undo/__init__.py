"""Undoing and mending what was loaded: removing, renaming, tagging what has a name."""

from .mending import note, rename, tag, tags_of
from .removing import Change, remove, resolve

__all__ = ["Change", "note", "remove", "rename", "resolve", "tag", "tags_of"]
