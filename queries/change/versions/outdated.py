"""Scores whose newest signature is not the one they would get today."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sr_tracker.queries.metrics import metric_named, signature_of
from sr_tracker.queries.metrics.registry import scorable_metric, scorable_metrics
from sr_tracker.queries.metrics.signatures import several_references
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import list_submissions
from sr_tracker.schema.statements import statement

_MEANING = {
    "level": "text level",
    "tok": "tokeniser",
    "treebank": "treebank",
    "data": "references",
    "metric-version": "version of the metric",
    "references": "references per sentence",
}


@dataclass(frozen=True)
class Outdated:
    """A metric of a submission with another signature than today's."""

    submission_id: str
    metric: str
    old_signature_id: str
    old_signature: str
    new_signature_id: str
    new_signature: str

    @property
    def difference(self) -> str:
        """What differs between both signatures, in words."""
        old, new = (_parts(text) for text in (self.old_signature, self.new_signature))
        return ", ".join(
            f"{_meaning(key)}: {old.get(key, 'none')} → {new.get(key, 'none')}"
            for key in [*old, *(key for key in new if key not in old)]
            if old.get(key) != new.get(key)
        )


def find_outdated(
    database: Database,
    submissions: Sequence[str] | None = None,
    metric_names: Sequence[str] | None = None,
) -> list[Outdated]:
    """Return the scores whose newest signature is not today's, by metric and submission.

    Metrics that are not installed any more are left out. Raises UnknownNameError for submissions
    and metrics that do not exist.
    """
    chosen = scorable_metrics() if metric_names is None else map(scorable_metric, metric_names)
    wanted = {metric.name for metric in chosen}
    rows = database.connection.execute(
        statement("newest_scorings"),
        {"submissions": list_submissions(database, submissions)},
    ).fetchall()
    several = several_references(database)
    found = []
    for submission_id, metric, signature_id, signature, treebank_id, data, parsed, *said in rows:
        if metric not in wanted:
            continue
        form, analysis = said
        today = signature_of(
            metric_named(metric),
            treebank_id=treebank_id,
            data_sha256=data,
            reference_form=form,
            analysis=analysis,
            several=several.get(treebank_id),
            parsed=parsed,
        )
        if today.signature_id != signature_id:
            found.append(
                Outdated(
                    submission_id,
                    metric,
                    signature_id,
                    signature,
                    today.signature_id,
                    today.signature,
                )
            )
    return found


def _parts(signature: str) -> dict[str, str]:
    """Return what a signature states by its keys, the metric's name left out."""
    return dict(part.partition(":")[::2] for part in signature.split("|")[1:])


def _meaning(key: str) -> str:
    if key in _MEANING:
        return _MEANING[key]
    return f"version of {key.removesuffix('-version')}" if key.endswith("-version") else key
