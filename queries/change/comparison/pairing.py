"""Which sentences of two submissions belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sr_tracker.queries.change.comparison.sides import read_side, shared_sentences
from sr_tracker.schema.database import Database
from sr_tracker.schema.temporary import hold

if TYPE_CHECKING:
    from sr_tracker.queries.functions.statistics import Floats, Integers


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
