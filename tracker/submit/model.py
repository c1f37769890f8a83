"""What submitting outputs came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sr_tracker.schema.brief import Brief

if TYPE_CHECKING:
    from sr_tracker.queries.change.comparison.model import Comparison

WIDTH = 100
"""Columns of a report as text."""


@dataclass(frozen=True, repr=False)
class SubmitReport(Brief):
    """What became of outputs, and what changed against their parent."""

    submission_id: str
    new: bool
    """Whether the outputs were not loaded before."""
    sentences: int
    missing: int
    """Sentences without an output."""
    reference_form: str
    """What outputs are compared with: text or tokens."""
    scores: Mapping[str, float | None]
    """The submission's score by every metric; None where undefined."""
    comparison: Comparison | None
    """What changed; None where nothing is new, where there is nothing to compare with, or it must
    not be compared."""
    logged_to: str | None
    """The MLflow store, or 'the active run'; None where nothing was logged."""
    notes: tuple[str, ...] = ()
    """What the reader should know, such as why something was not done."""

    def __str__(self) -> str:
        """Return the report as text, as 'tracker submit' prints it."""
        from sr_tracker.tracker.show.findings.submission import submission_document
        from sr_tracker.tracker.show.text import document_text

        return document_text(submission_document(self), WIDTH)
