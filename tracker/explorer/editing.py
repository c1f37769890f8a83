"""What may be changed on pages that are served for it: notes and tags, in the file itself."""

from __future__ import annotations

import secrets
from urllib.parse import parse_qsl

from ...schema.address import Place
from ...schema.errors import InputError, TrackerError
from ...schema.parameters import Kind
from ..api.tracker import tracker_of

WAIT_SECONDS = 10.0
"""How long a change waits at most for a file that another process holds."""
MOST_BYTES = 100_000
_KINDS: tuple[Kind, ...] = ("submission", "system", "treebank", "campaign")


class RefusedError(TrackerError):
    """A change that did not come from a page of this server."""


class Editor:
    """Changes notes and tags as the command line does, each whole or not at all."""

    def __init__(self, path: Place, *, wait: float) -> None:
        self._path = path
        self._wait = min(wait, WAIT_SECONDS)
        self.token = secrets.token_urlsafe(24)
        """What forms carry: no other site's page knows it."""

    def change(self, body: bytes) -> dict[str, str]:
        """Do what a form asks for, and return its fields.

        Raises RefusedError for one without the token, InputError for one that is none of ours, and
        what changing raises: DatabaseBusyError where another process holds the file.
        """
        try:
            form = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=20))
        except ValueError as error:
            raise InputError("this is no form of the explorer") from error
        if not secrets.compare_digest(form.pop("token", "").encode(), self.token.encode()):
            raise RefusedError(
                "nothing was changed: this did not come from a page of this server",
                hint="load the page again, and send its form",
            )
        target, named = form.get("target", ""), form.get("kind", "")
        kind = next((candidate for candidate in _KINDS if candidate == named), None)
        if kind is None:
            raise InputError(f"'{named}' has no notes and tags")
        name, value = form.get("name", "").strip(), form.get("value", "").strip()
        tracker = tracker_of(self._path, wait=self._wait)
        match form.get("deed"):
            case "note":
                tracker.note(kind, target, value)
            case "tag":
                tracker.tag(kind, target, {name: value})
            case "untag":
                tracker.tag(kind, target, without=[name])
            case other:
                raise InputError(f"'{other}' cannot be done here")
        return form
