"""Verdicts as they are stored: what a submission's comparison with its base says, and rests on."""

from __future__ import annotations

from ...queries.change.comparison.model import Comparison
from ...queries.change.comparison.stored import stored_comparisons
from ...schema.database import Database
from ..show.model import Card, Paragraph, Span, Tone
from .addresses import address

_TONES: dict[str, Tone] = {"better": "better", "worse": "worse", "mixed": "doubt"}


def stored_verdict(database: Database, new: str, base: str) -> Comparison | None:
    """Return a comparison as it is stored; None where none is, or it holds no more."""
    return stored_comparisons(database, [(new, base)]).get((new, base))


def not_stored(new: str, base: str) -> str:
    """Return what to say where no verdict is stored."""
    return f"No verdict against {base} is stored: 'tracker compare {new} {base}' stores it."


def outcome_tone(outcome: str) -> Tone:
    """Return how an outcome stands out: better, worse, or both at once."""
    return _TONES.get(outcome, "")


def verdict_card(comparison: Comparison) -> Card:
    """Return a verdict in its stored words, which lead to the sentences that changed."""
    new = comparison.new
    verdict, *further = comparison.verdict
    pair = {"new": new.submission_id, "base": comparison.base.submission_id}
    run = Span(new.submission_id, address=address("/submission", new.submission_id))
    return Card(
        [Span(verdict, address=address("/compare", **pair))],
        blocks=[
            *(Paragraph(text, "") for text in further),
            Paragraph([run, Span(f" · {new.created_at:%Y-%m-%d %H:%M}")]),
        ],
        tone=outcome_tone(comparison.outcome),
    )
