"""The sentences that two treebanks share."""

from __future__ import annotations

from sr_tracker.schema.database import Database
from sr_tracker.schema.statements import statement


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
