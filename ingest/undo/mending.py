"""Mending what was loaded: other ids in every column that names them, tags and notes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from ...schema.database import Database
from ...schema.errors import InputError
from ...schema.iterations import read_runs
from ...schema.keys import links
from ...schema.names import resolve_name, unknown_name
from ...schema.statements import row_by_id, statement
from ..campaigns.runs import Run as ModelRun
from ..campaigns.runs import check_run
from ..names import check_identifier, check_tags, name_treebank
from .removing import TARGET_ID, TARGETS, Change, all_or_nothing, record, resolve

_RUN = re.compile(
    r"((?P<campaign>[^/@]+)/)?(?P<system>[^/@]+)?(/(?P<treebank>[^/@]+))?(@(?P<iteration>\d{1,9}))?"
)


def rename(database: Database, kind: str, name: str, new: str, *, dry_run: bool = False) -> Change:
    """Give what a name stands for another id, wherever it is named; return how many rows change.

    Ids of submissions follow those of their campaign, system and treebank, and signatures their
    treebank. A submission gets another iteration, another system that is known, or both: ``@4``,
    ``SYSTEM@4`` or the whole id. Nothing is computed anew. One transaction, recorded among the
    ingestions; ``dry_run`` takes it back.

    Raises UnknownNameError for what is not there, InputError where several are meant, for an id
    that cannot be, and for one that is taken.
    """
    old = resolve(database, kind, name)
    execute = database.connection.execute
    rows: dict[str, int] = {}
    with all_or_nothing(database, dry_run=dry_run):
        execute("CREATE TEMP TABLE renamed (what VARCHAR, old_id VARCHAR, new_id VARCHAR)")
        _remove_comparisons(database, kind, old)
        if kind == "submission":
            new = _move(database, old, new)
        else:
            _check_free(database, kind, new)
            execute("INSERT INTO renamed VALUES (?, ?, ?)", [kind, old, new])
            if kind == "treebank":
                execute(statement("rename_signatures"))
                execute(statement("rename_analyses"))
            _rename_rows(database, rows)
            execute("DELETE FROM renamed")
        execute(statement("renamed_submissions"))
        execute(statement("renamed_trials"))
        _rename_rows(database, rows)
        execute(statement("rename_ingestions"))
        execute(statement("rename_outlier_systems"))
        if kind == "campaign":
            execute(statement("rename_campaign"), {"old": old, "new": new})
        change = Change(
            "rename",
            kind,
            new,
            {table: rows[table] for table in sorted(rows) if rows[table]},
            done=not dry_run,
            former=old,
        )
        record(database, change, old)
    return change


def _remove_comparisons(database: Database, kind: str, name: str) -> None:
    """Remove stored comparisons that name what is renamed: they are tested when asked for."""
    execute = database.connection.execute
    execute(statement("renamed_sides"), {"kind": kind, "changed": name})
    for table in ("change", "comparison"):
        execute(
            f"DELETE FROM {table} WHERE submission_id IN (FROM renamed_side) "  # noqa: S608
            "OR base_submission_id IN (FROM renamed_side)"
        )


def _check_free(database: Database, kind: str, new: str) -> None:
    """Raise InputError where something has the id already, or nothing can have it."""
    if kind == "treebank":
        name_treebank(Path(new), treebank_id=new)
    else:
        check_identifier(new, kind)
    if row_by_id(database, kind, new, f"{kind}_id"):
        raise InputError(
            f"there is a {kind} '{new}' already", hint="two cannot be made one: choose another id"
        )


def _move(database: Database, submission_id: str, new: str) -> str:
    """Give a submission its new system and iteration, and return the id that it is to have."""
    runs = {run.submission_id: run for run in read_runs(database)}
    run = runs[submission_id]
    match = _RUN.fullmatch(new)
    if match is None or not (match["system"] or match["iteration"]):
        raise InputError(
            f"'{new}' cannot be the id of a submission", hint="write @4, SYSTEM@4 or the whole id"
        )
    stays = match["campaign"] in (None, run.campaign_id) and match["treebank"] in (
        *(None, run.treebank_id, run.short_name),
    )
    if not stays:
        raise InputError(
            "a submission stays in its campaign and with its treebank",
            where=submission_id,
            hint="remove it, and load its file again where it belongs",
        )
    system = resolve_name(database, "system", match["system"] or run.system_id)
    iteration = match["iteration"] or (1 if match["treebank"] else run.iteration)
    wanted = ModelRun(run.campaign_id, system, run.treebank_id, int(iteration))
    check_run(wanted, submission_id)
    moved = wanted.submission_id()
    if moved in runs:
        raise InputError(
            f"there is a submission '{moved}' already", hint="choose another iteration"
        )
    database.connection.execute(
        "UPDATE submission SET system_id = ?, iteration = ? WHERE submission_id = ?",
        [system, wanted.iteration, submission_id],
    )
    return moved


def _rename_rows(database: Database, rows: dict[str, int]) -> None:
    """Put new ids for old ones, as the table ``renamed`` has them; add up the rows by table."""
    columns = [
        *(
            (reference.table, reference.column, f"'{reference.kind}'", reference.column)
            for reference in links()
        ),
        *(
            (table, "target", kind, TARGET_ID.get(table, "target"))
            for table, kind in TARGETS.items()
        ),
    ]
    for table, its_columns in groupby(sorted(columns), lambda column: column[0]):
        values, conditions = [], []
        for _, column, kind, old in its_columns:
            new_id = f"SELECT new_id FROM renamed WHERE what = {kind} AND old_id = {old}"  # noqa: S608
            values.append(
                f"{column} = coalesce(({new_id}) || substr({column}, 1 + length({old})), {column})"
            )
            conditions.append(f"({kind}, {old}) IN (SELECT (what, old_id) FROM renamed)")  # noqa: S608
        (changed,) = database.connection.execute(
            f"UPDATE {table} SET {', '.join(values)} WHERE {' OR '.join(conditions)}"  # noqa: S608
        ).fetchone() or (0,)
        rows[table] = max(rows.get(table, 0), changed)


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
    which it has not, InputError where several are meant, and for a tag without a
    name, or that the command line could not write.
    """
    target = resolve(database, kind, name)
    check_tags(tags)
    with database.transaction():
        before = tags_of(database, kind, target)
        for removed in without:
            if removed not in before:
                raise unknown_name("tag", removed, before, where=target)
        after = {key: value for key, value in (before | dict(tags)).items() if key not in without}
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
        (tags,) = row_by_id(database, "submission", target, "tags") or ("{}",)
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
