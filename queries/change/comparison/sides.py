"""The sides of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.change.comparison.model import Side
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submission


def read_side(database: Database, submission: str) -> Side:
    """Return what there is to say of a submission; see ``schema.iterations`` for its name.

    Raises UnknownNameError where there is none.
    """
    return read_sides(database, [resolve_submission(database, submission)])[0]


def read_sides(database: Database, submissions: Sequence[str]) -> list[Side]:
    """Return what there is to say of submissions, given by their ids, in their order."""
    rows = database.connection.execute(
        "SELECT submission_id, campaign_id, year, system_id, iteration, treebank_id, language, "
        "reference_form, analysis, created_at FROM submission "
        "LEFT JOIN campaign USING (campaign_id) LEFT JOIN treebank USING (treebank_id) "
        "WHERE list_contains($submissions, submission_id)",
        {"submissions": list(submissions)},
    ).fetchall()
    sides = {row[0]: Side(*row) for row in rows}
    return [sides[submission] for submission in submissions]
