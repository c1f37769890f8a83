"""Scores by probabilities that were computed elsewhere and loaded."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.catalog import install
from sr_tracker.queries.form import TOLERANCE
from sr_tracker.queries.form.scoring import (
    FormReport,
    check_tolerance,
    form_targets,
    store_form,
)
from sr_tracker.queries.metrics.loop import missing_targets, score_targets
from sr_tracker.schema.database import Database
from sr_tracker.schema.keys import EXTERNAL
from sr_tracker.schema.names import unknown_name
from sr_tracker.schema.progress import silent


def score_external(
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
        report = score_external_model(database, EXTERNAL + model, submissions, tolerance)
    if not report.submissions + report.unchanged:
        start = EXTERNAL
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


def score_external_model(
    database: Database, label: str, submissions: Sequence[str] | None, tolerance: float
) -> FormReport:
    """Score submissions by the probabilities stored under a model's label, where they have any."""
    found = database.connection.execute(
        "SELECT DISTINCT submission_id FROM output_probability WHERE model = ?", [label]
    ).fetchall()
    with_probabilities = {submission_id for (submission_id,) in found}
    targets = [
        target
        for target in form_targets(database, submissions, label, tolerance, {})
        if target.submission_id in with_probabilities
    ]
    missing = missing_targets(database, targets)
    score_targets(
        database,
        missing,
        lambda batch, _: store_form(database, batch, label, tolerance),
        progress=silent,
    )
    return FormReport(label, len(missing), len(targets) - len(missing))
