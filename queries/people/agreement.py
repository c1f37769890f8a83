"""How far annotators agree with themselves and with each other."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.functions.statistics import FEWEST_VALUES
from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement


def clear_agreements(database: Database, campaign_id: str, criteria: Sequence[str]) -> None:
    """Remove the agreements that were stored before."""
    database.connection.execute(
        "DELETE FROM annotator_agreement WHERE campaign_id = ? AND list_contains(?, criterion)",
        [campaign_id, list(criteria)],
    )


def store_agreements(database: Database, campaign_id: str, annotators: str) -> None:
    """Store the agreement within and among these annotators, all or passing.

    Within: Pearson's r between repeats and originals per annotator and HIT, averaged over the HITs
    (Mille et al. 2018, section 3.2.2); HITs with fewer than three repeats or without variance are
    left out. Among: Krippendorff's alpha (interval) over outputs with several annotators. Reads
    ``judgement_at_hand``, ``judgement_pair`` and the annotators' quality.
    """
    database.connection.execute(
        statement("store_annotator_agreement"),
        {"campaign_id": campaign_id, "annotators": annotators, "fewest": FEWEST_VALUES},
    )
