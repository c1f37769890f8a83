"""What a report is about: which submissions, and which of them its averages rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schema.database import Database
from schema.errors import InputError, UnknownNameError
from tracker.report.statements import Row

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


def averaged(submissions: Sequence[Row]) -> list[Row]:
    """Return the submissions that averages and examples rest on.

    Those of teams where there are any, or else all but the human reference, or else all: the
    human reference realises everything, and a baseline may realise nearly nothing.
    """
    teams = [row for row in submissions if row["kind"] not in ("baseline", "human")]
    machines = [row for row in submissions if row["kind"] != "human"]
    return teams or machines or list(submissions)
