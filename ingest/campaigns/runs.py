"""Model runs: what a user says of one, what is known of it, its row, and which goes first."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ...schema.database import Database
from ...schema.errors import HALF_A_PAIR, InputError, TrackerError
from ...schema.iterations import resolve_parent
from ...schema.statements import read_tuples, row_by_id, statement
from ..names import check_identifier, check_tags, treebank_named

if TYPE_CHECKING:
    from .manifest import Entry, Manifest

FORMS = ("text", "tokens")
"""The forms of references: raw, and the words joined with blanks."""


@dataclass(frozen=True)
class Run:
    """What a user says of a submission."""

    campaign_id: str
    system_id: str
    treebank_id: str
    iteration: int | None = None
    """None: the file is the system's first run, or one of its runs that was loaded before."""
    next_iteration: bool = False
    """Where no iteration is given, new content is the one after the system's latest."""
    track: str = "shallow"
    parent_submission_id: str | None = None
    """None: the system's latest earlier iteration on treebank and track, where one is loaded."""
    created_at: datetime | None = None
    reference_form: str | None = None
    """text or tokens; None: what the outputs are clearly written like, else the parent's."""
    params: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, Any] = field(default_factory=dict)
    id_column: str | None = None
    text_column: str | None = None
    accept_mismatch: bool = False

    @property
    def columns(self) -> dict[str, str | None]:
        """What tells its outputs in a table, as ``read_outputs`` takes it."""
        return {
            "id_column": self.id_column,
            "text_column": self.text_column,
            "system": self.system_id,
        }

    def submission_id(self) -> str:
        """Return the run's id: campaign/system/treebank, with @iteration after the first."""
        suffix = f"@{self.iteration}" if self.iteration not in (None, 1) else ""
        return f"{self.campaign_id}/{self.system_id}/{self.treebank_id}{suffix}"


@dataclass(frozen=True)
class Submitted:
    """What became of a file: the id of its submission, and whether it was new."""

    submission_id: str
    changed: bool
    missing: int
    sentences: int
    reference_form: str
    warnings: tuple[str, ...] = ()
    """What the user should know, such as dates that cannot be."""
    trials: int = 1
    """How many trials it has: seeds, or samples of its outputs."""


def check_run(run: Run, source: str) -> None:
    """Raise InputError where an id, a tag, the iteration or the reference form cannot be."""
    for name, value in vars(run).items():
        if isinstance(value, str) and HALF_A_PAIR.search(value):
            raise InputError(
                f"the {name} holds half a surrogate pair", where=source, hint="decode it as UTF-8"
            )
    check_identifier(run.campaign_id, "campaign", source)
    check_identifier(run.system_id, "system", source)
    check_tags(run.tags, source)
    if run.iteration is not None and not 1 <= run.iteration < 2**31:
        raise InputError(
            f"{run.iteration} is not an iteration",
            where=source,
            hint="iterations are counted from 1",
        )
    if run.reference_form not in (None, *FORMS):
        raise InputError(
            f"'{run.reference_form}' is not a form of references",
            where=source,
            hint="outputs are compared with 'text' (raw) or 'tokens' (forms joined with blanks)",
        )


def loaded_before(database: Database, run: Run, hashes: Sequence[str]) -> tuple[str, str] | None:
    """Return the submission that has this content already, and its reference form.

    ``hashes`` are those of the content with each form it may have been loaded with. It is any
    iteration where none is given.
    """
    rows = read_tuples(
        database,
        "known_run",
        campaign=run.campaign_id,
        system=run.system_id,
        treebank=run.treebank_id,
        hashes=list(hashes),
        iteration=run.iteration,
    )
    return rows[0] if rows else None


def has_texts(database: Database, submission_id: str, texts: Sequence[str | None]) -> bool:
    """Return whether a submission has these texts, in their order, whatever analysed them."""
    rows = database.connection.execute(
        "SELECT text FROM output WHERE submission_id = ? ORDER BY sentence_no", [submission_id]
    ).fetchall()
    return bool(rows) and [text for (text,) in rows] == list(texts)


def written_otherwise(
    run: Run, submission_id: str, form: str, before: str | None
) -> tuple[str, ...]:
    """Return what to say aloud where outputs look like another form than the run before has."""
    if run.reference_form is not None or before in (None, form):
        return ()
    warning = (
        f"{submission_id} is written like the reference {form} and is compared with it, the run "
        f"before with the reference {before}: their scores do not compare. To compare both with "
        f"the same, give the reference form {before}"
    )
    return (warning,)


def form_before(database: Database, run: Run, parent: str | None) -> str | None:
    """Return the reference form of the run's parent, else of the system's nearest iteration.

    None where there is neither on the treebank (and, but for the parent, the track).
    """
    row = database.connection.execute(
        statement("form_before"),
        {
            "treebank": run.treebank_id,
            "own": run.submission_id(),
            "parent": parent,
            "campaign": run.campaign_id,
            "system": run.system_id,
            "track": run.track,
            "iteration": run.iteration or 1,
        },
    ).fetchone()
    return row[0] if row else None


def numbered(database: Database, run: Run) -> Run:
    """Return the run with the iteration after the system's latest, where that is asked for.

    Iterations are counted over all tracks of a campaign's treebank: ids do not tell the track.
    """
    if run.iteration is not None or not run.next_iteration:
        return run
    (latest,) = database.connection.execute(
        "SELECT coalesce(max(iteration), 0) FROM submission "
        "WHERE campaign_id = ? AND system_id = ? AND treebank_id = ?",
        [run.campaign_id, run.system_id, run.treebank_id],
    ).fetchone() or (0,)
    return replace(run, iteration=latest + 1)


def is_taken(
    database: Database, submission_id: str, analysis: str, source: str, *, replace: bool
) -> bool:
    """Return whether there is a submission to replace.

    Raises InputError where there is one that is not to be replaced.
    """
    taken = row_by_id(database, "submission", submission_id, "source", "analysis")
    if taken is None or replace:
        return taken is not None
    differs = "content" if taken[1] == analysis else f"content or analysis ({taken[1]})"
    raise InputError(
        f"submission '{submission_id}' exists with other {differs}, from {taken[0]}",
        where=source,
        hint="give the next --iteration for a new run, or --replace to load this in its place",
    )


def parent_of(database: Database, run: Run, submission_id: str) -> str | None:
    """Return the run's parent: what is given, else the latest earlier iteration.

    Raises UnknownNameError where the given parent is not loaded, InputError where it descends from
    the run itself.
    """
    connection = database.connection
    parent = run.parent_submission_id
    if parent is None:
        row = connection.execute(
            "SELECT submission_id FROM submission WHERE campaign_id = ? AND system_id = ? "
            "AND treebank_id = ? AND track = ? AND iteration < ? ORDER BY iteration DESC LIMIT 1",
            [run.campaign_id, run.system_id, run.treebank_id, run.track, run.iteration or 1],
        ).fetchone()
        return row[0] if row else None
    if parent != submission_id:
        try:
            parent = resolve_parent(database, parent, run.treebank_id, run.campaign_id)
        except TrackerError as error:
            error.where = f"parent of {submission_id}"
            raise
    line = read_tuples(database, "ancestors", submission=parent)
    if (submission_id,) in line or parent == submission_id:
        raise InputError(
            f"'{parent}' cannot be the parent of '{submission_id}': it was developed from it",
            hint="the parent is the run that this one was developed from",
        )
    return parent


def dated_before_parent(database: Database, submission_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return what is to be said where a run, or one developed from it, is older than its parent.

    By the run, of those that are given.
    """
    if not submission_ids:
        return {}
    rows = read_tuples(
        database, "dated_before_parent", runs=list(submission_ids), format="%Y-%m-%d %H:%M"
    )
    warnings: dict[str, list[str]] = {}
    for run, made, parent, parent_made in rows:
        warning = f"{run} is dated {made} UTC, before its parent {parent}, {parent_made} UTC"
        for submission_id in (run, parent):
            warnings.setdefault(submission_id, []).append(warning)
    return warnings


def submission_row(
    run: Run, parent: str | None, form: str, analysis: str, source: str, sha256: str
) -> pa.Table:
    """Return a run's row of the table ``submission``; a time without zone is taken as UTC."""
    created = run.created_at or datetime.now(UTC)
    created = created if created.tzinfo else created.replace(tzinfo=UTC)
    return pa.table(
        {
            "submission_id": [run.submission_id()],
            "campaign_id": [run.campaign_id],
            "system_id": [run.system_id],
            "treebank_id": [run.treebank_id],
            "track": [run.track],
            "iteration": [run.iteration or 1],
            "parent_submission_id": pa.array([parent], pa.string()),
            "created_at": pa.array([created], pa.timestamp("us", "UTC")),
            "reference_form": [form],
            "analysis": [analysis],
            "params": [_json(run.params, "params")],
            "tags": [_json(run.tags, "tags")],
            "source": [Path(source).name],
            "sha256": [sha256],
        }
    )


def _json(values: Mapping[str, Any], what: str) -> str:
    try:
        text = json.dumps(dict(values), default=str, sort_keys=True, allow_nan=False)
    except ValueError:
        raise InputError(
            f"the {what} hold a number that is not finite or too long",
            hint="leave it out, or write it as text",
        ) from None
    if HALF_A_PAIR.search(json.dumps(json.loads(text), ensure_ascii=False)):
        raise InputError(f"the {what} hold half a surrogate pair", hint="decode them as UTF-8")
    return text


def ordered_runs(database: Database, manifest: Manifest) -> list[tuple[Entry, Run]]:
    """Return the runs so that each comes after its parent and after its earlier iterations.

    Raises InputError where two files are the same run, or runs are each other's parents.
    """
    campaign_id = manifest.campaign["id"]
    runs: dict[str, tuple[Entry, Run]] = {}
    treebank_of = cache(partial(treebank_named, database, campaign_id))
    for entry in manifest.submissions:
        run = _run(entry, campaign_id, treebank_of)
        twin = runs.get(run.submission_id())
        if twin is not None:
            raise InputError(
                f"{twin[0].path.name} and {entry.path.name} are both '{run.submission_id()}'",
                where=entry.where,
                hint="give them different systems or iterations",
            )
        runs[run.submission_id()] = (entry, run)
    waiting = _needed_runs(runs)
    ordered: list[tuple[Entry, Run]] = []
    while waiting:
        ready = [name for name, needed in waiting.items() if waiting.keys().isdisjoint(needed)]
        if not ready:
            name = next(iter(waiting))
            raise InputError(
                f"'{name}' has itself among its parents",
                where=runs[name][0].where,
                hint="the parent is the run that this one was developed from",
            )
        for name in ready:
            del waiting[name]
        ordered.extend(runs[name] for name in ready)
    return ordered


def _needed_runs(runs: Mapping[str, tuple[Entry, Run]]) -> dict[str, list[str]]:
    """Return, for each run, its parent and its previous iteration, sorted by system."""
    needed: dict[str, list[str]] = {}
    previous: tuple[str, Run] | None = None
    for name, (_, run) in sorted(runs.items(), key=_place):
        same = previous is not None and line_of(previous[1]) == line_of(run)
        needed[name] = [previous[0]] if previous is not None and same else []
        if run.parent_submission_id is not None:
            needed[name].append(run.parent_submission_id)
        previous = (name, run)
    return needed


def _place(named: tuple[str, tuple[Entry, Run]]) -> tuple[str, str, int]:
    _, (_, run) = named
    return *line_of(run), run.iteration or 1


def line_of(run: Run) -> tuple[str, str]:
    """Return what the iterations of one system have in common within a campaign."""
    return run.system_id, run.treebank_id


def _run(entry: Entry, campaign_id: str, treebank_of: Callable[[str], str]) -> Run:
    values = entry.values
    system = values.get("system", values.get("team"))
    if system is None or values.get("treebank") is None:
        raise InputError(
            f"the system or the treebank of {entry.path.name} is not known",
            where=entry.where,
            hint="give system and treebank, or {system} and {treebank} in the path",
        )
    fields = {
        name: values[name]
        for name in (
            *("track", "created_at", "reference_form", "params", "tags"),
            *("id_column", "text_column", "accept_mismatch"),
        )
        if name in values
    }
    run = Run(
        campaign_id=campaign_id,
        system_id=system,
        treebank_id=treebank_of(values["treebank"]),
        iteration=values.get("iteration", 1),
        parent_submission_id=values.get("parent"),
        **fields,
    )
    check_run(run, entry.where)
    return run
