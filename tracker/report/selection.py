"""What a report is about: the submissions of a name."""

from __future__ import annotations

from collections.abc import Mapping

from schema.database import Database
from schema.errors import InputError, UnknownNameError

KINDS = ("submission", "system", "campaign")
Filters = Mapping[str, str | None]


def named(database: Database, name: str, filters: Filters) -> Filters:
    """Return the filters with a name added: of a submission, a system or a campaign.

    Raises UnknownNameError where nothing has the name, InputError where several kinds have it, or
    the filters name another one of its kind.
    """
    found = [
        kind
        for kind in KINDS
        if database.connection.execute(
            f"SELECT 1 FROM submission WHERE {kind}_id = $name LIMIT 1",  # noqa: S608
            {"name": name},
        ).fetchone()
    ]
    if not found:
        raise UnknownNameError(
            f"no submission, system or campaign with outputs is named '{name}'",
            hint="'tracker show coverage' lists what is loaded",
        )
    if len(found) > 1:
        raise InputError(
            f"'{name}' is the name of a {' and of a '.join(found)}",
            hint="say which: " + " or ".join(f"--{kind} {name}" for kind in found),
        )
    kind = found[0]
    if filters.get(kind) not in (None, name):
        raise InputError(
            f"two {kind}s are named: '{name}' and '{filters[kind]}'", hint=f"name one {kind}"
        )
    return {**filters, kind: name}
