"""The two sides of a comparison."""

from __future__ import annotations

from sr_tracker.queries.change.comparison.model import Side
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submission


def read_side(database: Database, submission: str) -> Side:
    """Return what there is to say of a submission; see ``schema.iterations`` for its name.

    Raises UnknownNameError where there is none.
    """
    row = database.connection.execute(
        "SELECT submission_id, campaign_id, year, system_id, iteration, treebank_id, language, "
        "reference_form, analysis, created_at FROM submission "
        "LEFT JOIN campaign USING (campaign_id) LEFT JOIN treebank USING (treebank_id) "
        "WHERE submission_id = ?",
        [resolve_submission(database, submission)],
    ).fetchone()
    return Side(*(row or ()))
