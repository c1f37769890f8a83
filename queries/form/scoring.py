"""Form: the share of outputs that are about as probable as their references (section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sr_tracker.queries.catalog import install
from sr_tracker.queries.form.language_model import LanguageModel, label_of
from sr_tracker.queries.form.probabilities import (
    store_output_probabilities,
    store_reference_probabilities,
)
from sr_tracker.queries.metrics import Signature, composed_signature
from sr_tracker.queries.metrics.records import record_scorings, store_signatures
from sr_tracker.schema.database import Database
from sr_tracker.schema.errors import InputError
from sr_tracker.schema.iterations import resolve_submissions
from sr_tracker.schema.keys import SCORED
from sr_tracker.schema.progress import Progress, silent
from sr_tracker.schema.statements import statement

VERSION = "1"
METRIC = "form"
TOLERANCE = 0.05


@dataclass(frozen=True)
class FormReport:
    """What scoring by form computed."""

    model: str
    submissions: int
    unchanged: int


@dataclass(frozen=True)
class Target:
    """A submission to score."""

    submission_id: str
    treebank_id: str
    language: str | None
    treebank_sha256: str
    data_sha256: str
    reference_form: str


def score_form(
    database: Database,
    model: LanguageModel,
    submissions: Sequence[str] | None = None,
    *,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
) -> FormReport:
    """Score submissions by a language model and return what was computed.

    An output is acceptable where prefScore = mtp(output) / (mtp(output) + mtp(reference)) is at
    least one half less the tolerance, mtp being the mean token probability; Form is the share of
    acceptable outputs (Opitz & Frank 2021, section 3.3). Stores output_probability,
    reference_probability and the metric ``form``; submissions that are complete stay so.

    Raises UnknownNameError for submissions that do not exist, InputError for a tolerance outside 0
    to 0.5 and for a model that was trained on the very references.
    """
    install(database)
    check_tolerance(tolerance)
    targets = form_targets(database, submissions)
    _check_unseen(model, targets)
    signatures = {
        target.submission_id: form_signature(
            target, label_of(model), tolerance, versions=model.versions
        )
        for target in targets
    }
    missing = missing_targets(database, targets, signatures)
    for number, target in enumerate(missing, start=1):
        report = _counting(progress, f"{number}/{len(missing)}")
        references = store_reference_probabilities(
            database, model, target.treebank_id, target.reference_form, report
        )
        with database.transaction():
            store_output_probabilities(database, model, target.submission_id, references, report)
            store_form(database, target, label_of(model), tolerance, signatures)
    return FormReport(label_of(model), len(missing), len(targets) - len(missing))


def check_tolerance(tolerance: float) -> None:
    """Raise InputError for a tolerance that makes no sense."""
    if not 0 <= tolerance <= 0.5:
        raise InputError(
            f"{tolerance:g} is no tolerance",
            hint="from 0 (at least as probable as the reference) to 0.5 (all is acceptable)",
        )


def form_targets(database: Database, submissions: Sequence[str] | None) -> list[Target]:
    """Return the submissions that are wanted, all of them for None, those to one treebank together.

    Raises UnknownNameError for submissions that do not exist.
    """
    rows = database.connection.execute(statement("form_submissions")).fetchall()
    named = resolve_submissions(database, submissions)
    wanted = None if named is None else set(named)
    return [Target(*row) for row in rows if wanted is None or row[0] in wanted]


def form_signature(
    target: Target, model: str, tolerance: float, *, versions: Mapping[str, str]
) -> Signature:
    """Return what makes a submission's form comparable; ``model`` is the model's label."""
    return composed_signature(
        METRIC,
        parameters={"model": model, "tolerance": f"{tolerance:g}"},
        text_level=target.reference_form,
        tokeniser="model",
        versions={"metric": VERSION, **versions},
        treebank_id=target.treebank_id,
        data_sha256=target.treebank_sha256,
    )


def missing_targets(
    database: Database, targets: Sequence[Target], signatures: Mapping[str, Signature]
) -> list[Target]:
    """Return the submissions that are not scored yet under their signature."""
    complete = set(
        database.connection.execute(
            "SELECT target, signature_id FROM scoring WHERE metric = ?", [METRIC]
        ).fetchall()
    )
    return [
        target
        for target in targets
        if (target.submission_id, signatures[target.submission_id].signature_id) not in complete
    ]


def store_form(
    database: Database,
    target: Target,
    model: str,
    tolerance: float,
    signatures: Mapping[str, Signature],
) -> None:
    """Store a submission's form from the probabilities that are stored; ``model`` is a label."""
    signature = signatures[target.submission_id]
    connection = database.connection
    store_signatures(database, [signature])
    for table, column in SCORED:
        connection.execute(
            f"DELETE FROM {table} WHERE {column} = ? AND signature_id = ?",  # noqa: S608
            [target.submission_id, signature.signature_id],
        )
    row = {
        "target": target.submission_id,
        "treebank_id": target.treebank_id,
        "reference_form": target.reference_form,
        "model": model,
        "tolerance": tolerance,
        "signature_id": signature.signature_id,
    }
    connection.register("form_target", pa.Table.from_pylist([row]))
    connection.execute(statement("score_form"))
    connection.unregister("form_target")
    record_scorings(
        database, METRIC, [target.submission_id], [signature.signature_id], [target.data_sha256]
    )


def _check_unseen(model: LanguageModel, targets: Sequence[Target]) -> None:
    for target in targets:
        if model.trained_on == target.treebank_sha256:
            raise InputError(
                f"the model was trained on the references of '{target.submission_id}': it would "
                "prefer them to any output",
                hint="train on another treebank, such as the training split",
            )


def _counting(progress: Progress, place: str) -> Progress:
    """Return a progress of one submission's texts that says which submission it is."""

    def report(item: str, done: int, total: int) -> None:
        progress(f"{place} {item}", done, total)

    return report
