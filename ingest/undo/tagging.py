"""Tags and notes: what users say of campaigns, systems, treebanks and submissions afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sr_tracker.ingest.undo.dependents import Change, record, resolve
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import HALF_A_PAIR, InputError
from sr_tracker.schema.names import unknown_name
from sr_tracker.schema.statements import statement

NOTE = "note"
"""The name of the tag that holds a note."""


def tag(
    database: Database,
    kind: str,
    name: str,
    tags: Mapping[str, str],
    *,
    without: Sequence[str] = (),
) -> Change:
    """Give what a name stands for tags, in the place of those of the same names; remove others.

    Tags of submissions are those that they may be loaded with: views and MLflow show them. One
    transaction, recorded among the ingestions.

    Raises UnknownNameError for what is not there and for tags ``without`` which it is to be but
    which it has not, InputError where several are meant, and for a tag without a name.
    """
    target = resolve(database, kind, name)
    new = {key: _checked(key, value) for key, value in tags.items()}
    with database.transaction():
        before = tags_of(database, kind, target)
        for each in without:
            if each not in before:
                raise unknown_name("tag", each, before, where=target)
        after = {key: value for key, value in (before | new).items() if key not in without}
        differing = {key for key in before | after if before.get(key) != after.get(key)}
        _store(database, kind, target, after)
        table = "submission" if kind == "submission" else "tag"
        rows = {table: 1 if kind == "submission" else len(differing)} if differing else {}
        change = Change("tag", kind, target, rows)
        if differing:
            record(database, change, json.dumps({key: after.get(key) for key in sorted(differing)}))
    return change


def note(database: Database, kind: str, name: str, text: str) -> Change:
    """Note a text on what a name stands for: the tag ``note``, removed where the text is empty.

    Raises UnknownNameError for what is not there, InputError where several are meant.
    """
    if text:
        return tag(database, kind, name, {NOTE: text})
    there = NOTE in tags_of(database, kind, resolve(database, kind, name))
    return tag(database, kind, name, {}, without=[NOTE] if there else [])


def tags_of(database: Database, kind: str, target: str) -> dict[str, str]:
    """Return the tags of what has this id, by name."""
    if kind == "submission":
        (tags,) = database.connection.execute(
            "SELECT tags FROM submission WHERE submission_id = ?", [target]
        ).fetchone() or ("{}",)
        return dict(json.loads(tags))
    rows = database.connection.execute(
        "SELECT name, value FROM tag WHERE kind = ? AND target = ? ORDER BY name", [kind, target]
    ).fetchall()
    return dict(rows)


def _store(database: Database, kind: str, target: str, tags: Mapping[str, str]) -> None:
    execute = database.connection.execute
    if kind == "submission":
        content = json.dumps(dict(tags), sort_keys=True)
        execute(statement("store_tags"), {"submission": target, "tags": content})
        return
    execute(
        "DELETE FROM tag WHERE kind = ? AND target = ? AND NOT list_contains(?, name)",
        [kind, target, list(tags)],
    )
    execute(
        "INSERT OR REPLACE INTO tag SELECT ?, ?, unnest(?::VARCHAR[]), unnest(?::VARCHAR[])",
        [kind, target, list(tags), list(tags.values())],
    )


def _checked(name: str, value: str) -> str:
    if not name.strip():
        raise InputError(f"the tag '{name}={value}' has no name", hint="write NAME=VALUE")
    if HALF_A_PAIR.search(name + value):
        raise InputError("a tag holds half a surrogate pair", hint="decode it as UTF-8")
    return value
