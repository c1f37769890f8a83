"""The heads of a CoNLL-U file: numbers, and trees."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.ingest.treebanks.conllu import ConlluFile
from sr_tracker.schema.brief import plural
from sr_tracker.schema.errors import InputError

UNSPECIFIED = -1
_NOT_A_NUMBER = -2


def read_heads(file: ConlluFile) -> np.ndarray:
    """Return each word's HEAD, -1 where it is unspecified (``_``).

    Raises InputError with the line where a HEAD is not a number of another word of its sentence.
    """
    given = file.words["head"]
    length = pc.binary_length(given)
    padded = pc.and_(pc.starts_with(given, "0"), pc.greater(length, 1))
    numeric = pc.and_not(pc.and_(pc.ascii_is_decimal(given), pc.less(length, 10)), padded)
    numbers = pc.if_else(numeric, given, str(_NOT_A_NUMBER)).cast(pa.int64())
    heads = pc.if_else(pc.equal(given, "_"), UNSPECIFIED, numbers).to_numpy(zero_copy_only=False)
    lengths = np.repeat(file.lengths, file.lengths)
    own = np.arange(len(heads)) - _starts(file.lengths) + 1
    wrong = np.flatnonzero((heads < UNSPECIFIED) | (heads > lengths) | (heads == own))
    if len(wrong):
        first = int(wrong[0])
        raise file.word_error(
            first,
            f"HEAD '{given[first].as_py()}' is not another word of the sentence, which has "
            f"{plural(lengths[first], 'word')}",
            "HEAD is the ID of another word, or 0 for the root",
        )
    return np.asarray(heads)


def check_trees(file: ConlluFile, heads: np.ndarray) -> None:
    """Check that every sentence's heads form one tree.

    Raises InputError with the line of a word without a head, of a sentence with no root or with
    several, or of a word that does not lead to the root.
    """
    unset = np.flatnonzero(heads == UNSPECIFIED)
    if len(unset):
        hint = "a treebank needs a tree for every sentence"
        raise file.word_error(int(unset[0]), "the word has no HEAD", hint)
    sentence = np.repeat(np.arange(len(file.lengths)), file.lengths)
    roots = np.bincount(sentence[heads == 0], minlength=len(file.lengths))
    odd = np.flatnonzero(roots != 1)
    if len(odd):
        first = int(odd[0])
        raise InputError(
            f"the sentence has {roots[first] or 'no'} root{'s' * bool(roots[first])}",
            where=f"{file.source}:{file.lines[first]}",
            hint="exactly one word has HEAD 0",
        )
    cyclic = np.flatnonzero(~reaches_root(file.lengths, heads))
    if len(cyclic):
        hint = "correct HEAD so that every word leads to the root"
        raise file.word_error(int(cyclic[0]), "the word's heads run in a cycle", hint)


def reaches_root(lengths: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return for each word whether following its heads ends at a root (pointer doubling)."""
    top = len(heads)
    parent = np.append(np.where(heads > 0, _starts(lengths) + heads - 1, top), top)
    for _ in range(int(lengths.max(initial=1)).bit_length()):
        parent = parent[parent]
    return np.asarray(parent[:-1] == top)


def _starts(lengths: np.ndarray) -> np.ndarray:
    """Return for each word the index of its sentence's first word."""
    return np.repeat(np.cumsum(lengths) - lengths, lengths)
