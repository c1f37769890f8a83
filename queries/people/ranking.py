"""Rankings of submissions by people's judgement."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement


def clear_rankings(database: Database, campaign_id: str, criteria: Sequence[str]) -> None:
    """Remove what was ranked and compared before."""
    for table in ("human_ranking", "human_comparison"):
        database.connection.execute(
            f"DELETE FROM {table} WHERE campaign_id = ? AND list_contains(?, criterion)",  # noqa: S608
            [campaign_id, list(criteria)],
        )


def store_rankings(database: Database, annotators: str) -> None:
    """Store the mean scores of each submission by these annotators' judgements.

    Judgements of an output are averaged, then the outputs of a submission (Mille et al. 2018,
    Tables 6 to 8). Reads ``human_sentence``.
    """
    database.connection.execute(statement("store_human_ranking"), {"annotators": annotators})
