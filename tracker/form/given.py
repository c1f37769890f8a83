"""Probabilities computed elsewhere: stored, and scored like those computed here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from sr_tracker.ingest.files import content_hash
from sr_tracker.ingest.records import Records
from sr_tracker.ingest.score_columns import ScoreFile
from sr_tracker.ingest.staging import Load, commit
from sr_tracker.queries.catalog import install, statement
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.keys import KEYS
from sr_tracker.schema.names import unknown_name
from sr_tracker.tracker.form.given_file import check_references, given_label, read_given
from sr_tracker.tracker.form.scoring import (
    STORED,
    TOLERANCE,
    FormReport,
    check_tolerance,
    form_signature,
    form_targets,
    missing_targets,
    store_form,
)


@dataclass(frozen=True)
class GivenReport:
    """What became of a file of probabilities."""

    models: Sequence[str]
    new: int
    """Rows of outputs and references that were not there, or were otherwise."""
    submissions: int
    """Submissions scored by them."""


def ingest_probabilities(
    database: Database,
    path: Path,
    given: ScoreFile,
    *,
    model: str | None = None,
    tolerance: float = TOLERANCE,
    replace: bool = False,
) -> GivenReport:
    """Load mean token probabilities from a file, score by them, and return what became of it.

    A row names its submission (``submission``, or ``system`` and ``treebank`` within a campaign),
    ``sent_id`` and its model, unless ``model`` is that of all rows. It gives ``probability``, and
    for at least one submission to each treebank ``reference_probability``. A submission's rows of
    a model stand in one file. ``replace`` puts them in place of what is there.

    Raises InputError (file:line) for values that are no probabilities, for rows that contradict
    each other and for other values than are there; UnknownNameError for submissions and sentences
    that are not loaded.
    """
    install(database)
    check_tolerance(tolerance)
    records, rows = read_given(database, path, given, model)
    with database.transaction() as connection:
        connection.register("given_probability", rows)
        outputs = connection.execute(statement("form_given_outputs")).to_arrow_table()
        references = connection.execute(statement("form_given_references")).to_arrow_table()
        connection.unregister("given_probability")
        check_references(records, references)
        tables = {
            "output_probability": outputs,
            "reference_probability": references.drop_columns(["different", "record"]),
        }
        new = _store(database, path, records, tables, replace=replace)
        labels = sorted(set(rows["model"].to_pylist()))
        scored = 0
        for label in labels:
            scored += _score(database, label, None, tolerance).submissions
    return GivenReport(labels, new, scored)


def score_given(
    database: Database,
    model: str,
    submissions: Sequence[str] | None = None,
    *,
    tolerance: float = TOLERANCE,
) -> FormReport:
    """Score submissions by probabilities that were given for a model, where there are any.

    Raises UnknownNameError where there are none for these submissions.
    """
    install(database)
    check_tolerance(tolerance)
    with database.transaction():
        report = _score(database, given_label(model), submissions, tolerance)
    if not report.submissions + report.unchanged:
        start = given_label("")
        rows = database.connection.execute("SELECT DISTINCT model FROM output_probability")
        labels = [label for (label,) in rows.fetchall()]
        raise unknown_name(
            "model",
            model,
            (label.removeprefix(start) for label in labels if label.startswith(start)),
            message=f"no probabilities of '{model}' were given for these submissions",
            hint="'tracker form ingest' loads them",
        )
    return report


def _score(
    database: Database, label: str, submissions: Sequence[str] | None, tolerance: float
) -> FormReport:
    found = database.connection.execute(
        "SELECT DISTINCT submission_id FROM output_probability WHERE model = ?", [label]
    ).fetchall()
    with_probabilities = {submission_id for (submission_id,) in found}
    targets = [
        target
        for target in form_targets(database, submissions)
        if target.submission_id in with_probabilities
    ]
    signatures = {
        target.submission_id: form_signature(target, label, tolerance, versions={})
        for target in targets
    }
    missing = missing_targets(database, targets, signatures)
    for target in missing:
        store_form(database, target, label, tolerance, signatures)
    return FormReport(label, len(missing), len(targets) - len(missing))


def _store(
    database: Database,
    path: Path,
    records: Records,
    tables: Mapping[str, pa.Table],
    *,
    replace: bool,
) -> int:
    """Store the rows that are new or otherwise than before, and return how many they are."""
    changed = {
        table: _changed(database, str(path), table, rows, replace=replace)
        for table, rows in tables.items()
    }
    new = sum(len(rows) for rows in changed.values())
    if new:
        _forget(database, changed)
        load = Load(
            kind="probabilities",
            target=path.name,
            source=path.name,
            sha256=content_hash(json.dumps(records.columns)),
            records=len(records.lines),
            rows=changed,
        )
        commit(database, load)
    return new


def _changed(
    database: Database, source: str, table: str, rows: pa.Table, *, replace: bool
) -> pa.Table:
    """Return the rows that are not stored; what is stored otherwise under their keys is removed.

    Raises InputError where there is such a row and it must not be replaced.
    """
    connection = database.connection
    keys = ", ".join(KEYS[table])
    connection.register("given_rows", rows)
    changed = connection.execute(
        f"FROM given_rows EXCEPT SELECT {', '.join(rows.column_names)} FROM {table} "  # noqa: S608
        f"ORDER BY {keys}"
    ).to_arrow_table()
    connection.register("given_rows", changed)
    stored = f"{table} SEMI JOIN given_rows USING ({keys})"
    taken = connection.execute(f"SELECT {keys} FROM {stored} LIMIT 1").fetchone()  # noqa: S608
    if taken is not None and not replace:
        raise InputError(
            f"there is another {table.replace('_', ' ')} already: {', '.join(map(str, taken))}",
            where=source,
            hint="--replace loads the file in place of what is there",
        )
    connection.execute(
        f"DELETE FROM {table} WHERE ({keys}) IN (SELECT ({keys}) FROM given_rows)"  # noqa: S608
    )
    connection.unregister("given_rows")
    return changed


def _forget(database: Database, changed: Mapping[str, pa.Table]) -> None:
    """Remove the scores that rest on what changed, under any tolerance."""
    connection = database.connection
    for table, rows in changed.items():
        connection.register(f"changed_{table}", rows)
    connection.execute(statement("form_outdated"))
    for table, column in STORED:
        connection.execute(
            f"DELETE FROM {table} WHERE ({column}, signature_id) IN "  # noqa: S608
            "(SELECT (submission_id, signature_id) FROM form_outdated)"
        )
    connection.execute("DROP TABLE temp.form_outdated")
    for table in changed:
        connection.unregister(f"changed_{table}")
