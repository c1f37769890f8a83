"""Which sentences belong together: what resampling draws and swaps whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..schema.database import Database
from ..schema.statements import read_table
from .functions.statistics import Floats, Integers
from .resampling import DOCUMENT, SENTENCE, TEXT, check_unit

FEWEST_CLUSTERS = 10
"""Fewer documents or texts tell too little to be what is resampled where nobody asks for them: of
five no difference is significant at .05, whatever it is."""


@dataclass(frozen=True)
class Clusters:
    """The clusters of some sentences."""

    unit: str
    """What a cluster is: document, text, or sentence where all in the treebank have one alone."""
    sentence_nos: Integers
    """Shape (sentences), ascending."""
    keys: Integers
    """Shape (sentences): equal where two sentences belong together."""
    note: str = ""
    """Why sentences that belong together are taken one by one, where they are."""

    @property
    def number(self) -> int:
        """How many clusters these sentences are of."""
        return len(np.unique(self.keys))

    def of(self, sentence_nos: Integers) -> Integers:
        """Return the keys of some of these sentences, in their order."""
        return self.keys[np.searchsorted(self.sentence_nos, sentence_nos)]


def cluster_sums(statistics: Floats, keys: Integers) -> Floats:
    """Return statistics summed by cluster, in the order of the keys.

    ``statistics`` has the shape (submissions, sentences, k), ``keys`` (sentences), the sums
    (submissions, clusters, k). Where every cluster has one sentence they are the statistics.
    """
    if len(np.unique(keys)) == len(keys):
        return statistics
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sums: Floats = np.add.reduceat(statistics[:, order], starts, axis=1)
    return sums


def clusters(
    database: Database,
    treebank_id: str,
    sentence_nos: Sequence[int] | Integers | None = None,
    unit: str | None = None,
) -> Clusters:
    """Return which sentences of a treebank belong together, all of them or those of some numbers.

    Scores of one document or of equal texts go up and down together; resampling sentences one by
    one takes them for independent, and finds too much (Field and Welsh 2007; Cameron, Gelbach and
    Miller 2008). ``unit`` is what a cluster is. Without one it is the document, where they are
    known and some has several sentences; else the text (of the source where it is known, else of
    the reference, of several the first), where some repeats; else the sentence. Fewer than
    ``FEWEST_CLUSTERS`` in the treebank are passed over for the next smaller unit. A sentence
    without a known document, or without any text, is a cluster of its own. A key is the number of
    the cluster's first sentence in the treebank, so that it is the same whichever sentences are
    asked for.

    Raises InputError for a unit that there is not.
    """
    check_unit(unit)
    rows = read_table(database, "sentence_clusters", treebank_id=treebank_id)
    numbers = rows["sentence_no"].to_numpy()
    keys = {DOCUMENT: rows["document"], TEXT: rows["text"], SENTENCE: rows["sentence_no"]}
    note = ""
    if unit is None:
        unit = next((name for name in (DOCUMENT, TEXT) if _suits(keys[name].to_numpy())), SENTENCE)
        documents = len(np.unique(keys[DOCUMENT]))
        if unit != DOCUMENT and 1 < documents < min(FEWEST_CLUSTERS, len(numbers)):
            note = (
                f"{documents} documents are too few to resample: each {unit} counts as if it were"
                " a document of its own, so that p-values and intervals may be too small"
            )
    keys_of_rows = keys[unit].to_numpy().astype(np.int64)
    if len(np.unique(keys_of_rows)) == len(keys_of_rows):
        unit = SENTENCE
    whole = Clusters(unit, numbers, keys_of_rows, note)
    if sentence_nos is None:
        return whole
    some = np.asarray(sentence_nos, np.int64)
    return Clusters(unit, some, whole.of(some), note)


def _suits(keys: Integers) -> bool:
    """Return whether some sentences share a cluster, and there are enough clusters."""
    return FEWEST_CLUSTERS <= len(np.unique(keys)) < len(keys)
