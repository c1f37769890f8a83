"""The sides of a comparison, and the sentences that two treebanks share."""

from __future__ import annotations

from collections.abc import Sequence

from sr_tracker.queries.change.comparison.model import Side
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submission
from sr_tracker.schema.statements import read_rows, statement


def read_side(database: Database, submission: str) -> Side:
    """Return what there is to say of a submission; see ``schema.iterations`` for its name.

    Raises UnknownNameError where there is none.
    """
    return read_sides(database, [resolve_submission(database, submission)])[0]


def read_sides(database: Database, submissions: Sequence[str]) -> list[Side]:
    """Return what there is to say of submissions, given by their ids, in their order."""
    rows = read_rows(database, "compared_sides", submissions=list(submissions))
    sides = {row["submission_id"]: Side(**row) for row in rows}
    return [sides[submission] for submission in submissions]


def shared_sentences(database: Database, treebank: str, other: str) -> tuple[list[int], list[int]]:
    """Return the numbers of the sentences with the same reference text, in both treebanks.

    They come in pairs, by the first treebank's order. Texts are the same in Unicode's composed
    form with single blanks; where a text repeats, the first goes with the first, the second with
    the second. Sentences whose text is hidden are in no pair.
    """
    rows = database.connection.execute(
        statement("compared_shared_sentences"), {"treebank": treebank, "other": other}
    ).fetchall()
    return [number for number, _ in rows], [number for _, number in rows]
