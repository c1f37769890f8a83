"""Which submissions, and which treebank, a command is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from schema.database import Database
from schema.errors import UnknownNameError
from schema.sqlfile import quoted

FILTERS = ("submission", "campaign", "system", "treebank", "language")


def selected_submissions(database: Database, filters: Mapping[str, str | None]) -> list[str]:
    """Return the ids of the submissions that pass all filters, all of them without any.

    The keys of ``filters`` are among FILTERS; a filter that is None lets everything pass.

    Raises UnknownNameError where none passes.
    """
    given = {name: value for name, value in filters.items() if value is not None}
    columns = {"language": "language"} | {
        name: f"submission.{name}_id" for name in FILTERS if name != "language"
    }
    conditions = " AND ".join(
        ["true", *(f"{columns[name]} = {quoted(value)}" for name, value in given.items())]
    )
    rows = database.connection.execute(
        "SELECT submission_id FROM submission JOIN treebank USING (treebank_id) "  # noqa: S608
        f"WHERE {conditions} ORDER BY submission_id"
    ).fetchall()
    if not rows:
        wanted = ", ".join(f"{name} '{value}'" for name, value in given.items())
        raise UnknownNameError(
            f"there is no submission of {wanted}" if wanted else "there is no submission",
            hint="'tracker show submissions' lists what is loaded",
        )
    return [submission_id for (submission_id,) in rows]


def treebank_sha256(database: Database, treebank_id: str) -> str:
    """Return the hash of a treebank. Raises UnknownNameError where it is not loaded."""
    row = database.connection.execute(
        "SELECT sha256 FROM treebank WHERE treebank_id = ?", [treebank_id]
    ).fetchone()
    if row is None:
        raise UnknownNameError(
            f"there is no treebank '{treebank_id}'", hint="'tracker show treebank' lists them"
        )
    return str(row[0])


def check_submissions(known: Collection[str], wanted: Sequence[str] | None) -> None:
    """Raise UnknownNameError where one of the wanted submissions is not among the known ones."""
    unknown = sorted(set(wanted or ()) - set(known))
    if unknown:
        raise UnknownNameError(
            f"there is no submission '{unknown[0]}'",
            hint="'tracker show coverage' lists what is loaded",
        )


def submission_ids(database: Database) -> list[str]:
    """Return the ids of all submissions."""
    rows = database.connection.execute("SELECT submission_id FROM submission").fetchall()
    return [submission_id for (submission_id,) in rows]
