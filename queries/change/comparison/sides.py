"""The sides of a comparison, and which of their sentences belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sr_tracker.queries.change.comparison.model import Side
from sr_tracker.schema.database import Database
from sr_tracker.schema.iterations import resolve_submission
from sr_tracker.schema.statements import read_rows, statement
from sr_tracker.schema.temporary import hold

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers


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


@dataclass(frozen=True)
class Pairing:
    """Pairs of sentences: the same ones of one treebank, or those with the same reference text."""

    same_treebank: bool
    new_nos: Integers
    """Ascending."""
    base_nos: Integers

    def align(self, found: Sequence[tuple[Integers, Floats]]) -> tuple[Integers, Floats | None]:
        """Return the sentences of new that are compared, and both sides' rows: (2, sentences, k).

        ``found`` has sentences, ascending, and rows of new and of base. The rows are None where
        some are missing: of one treebank both must have the same sentences, of two all pairs.
        """
        (new_nos, new), (base_nos, base) = found
        if self.same_treebank:
            same = np.array_equal(new_nos, base_nos) and len(new_nos) > 0
            return new_nos, np.stack([new, base]) if same else None
        here, there = np.isin(self.new_nos, new_nos), np.isin(self.base_nos, base_nos)
        if not len(self.new_nos) or not (here & there).all():
            return self.new_nos, None
        rows = new[np.searchsorted(new_nos, self.new_nos)]
        others = base[np.searchsorted(base_nos, self.base_nos)]
        return self.new_nos, np.stack([rows, others])

    def hold(self, database: Database) -> None:
        """Make the temporary table compared_sentence: place, new_no and base_no, a row per pair."""
        columns = {
            "place": np.arange(len(self.new_nos)),
            "new_no": self.new_nos,
            "base_no": self.base_nos,
        }
        hold(database, "compared_sentence", pa.table(columns))


def pair_sentences(database: Database, new: str, base: str) -> Pairing:
    """Return the pairs of sentences of two submissions."""
    treebank, other = (read_side(database, name).treebank_id for name in (new, base))
    if treebank != other:
        ours, theirs = shared_sentences(database, treebank, other)
        return Pairing(False, np.array(ours, np.int64), np.array(theirs, np.int64))
    rows = database.connection.execute(
        "SELECT sentence_no FROM sentence WHERE treebank_id = ? ORDER BY sentence_no", [treebank]
    ).fetchnumpy()
    numbers = np.asarray(rows["sentence_no"], np.int64)
    return Pairing(True, numbers, numbers)
