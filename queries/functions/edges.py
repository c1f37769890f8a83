"""Dependency edges that outputs realise, and the lemmas of outputs in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.functions.compiled import compiled
from sr_tracker.queries.functions.ngrams import list_starts
from sr_tracker.queries.functions.text import Column, Rows
from sr_tracker.queries.functions.words import encode_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from sr_tracker.queries.functions.words import Integers


def joined_words(words: Column) -> Rows:
    """Return the words of each row in the order of their positions, single blanks between them.

    A row is list<struct<position, word>>: SQL gathers words many times faster in no order than in
    one. NULL for NULL.
    """
    lists = words.combine_chunks() if isinstance(words, pa.ChunkedArray) else words
    flat = pc.list_flatten(lists)
    rows = np.asarray(pc.list_parent_indices(lists))
    positions = np.asarray(flat.field("position"))
    forms = flat.field("word")
    if np.any((np.diff(positions) < 0) & (np.diff(rows) == 0)):
        forms = forms.take(pa.array(np.lexsort((positions, rows))))
    starts = pa.array(list_starts(lists), pa.int32())
    return pc.binary_join(pa.ListArray.from_arrays(starts, forms, mask=lists.is_null()), " ")


def edges_found(output: Column, edges: Column, distances: Column) -> Rows:
    """Return which edges of its reference each output has: 1 or 0 for each; NULL for NULL edges.

    An edge is the lemma of its head, that of its dependent and their signed distance in words
    (Shimorina et al. 2021, section 3.2). ``output`` has lemmas between single blanks, ``edges`` the
    lemmas of all heads, then those of all dependents. A row is list<int32>. Each occurrence in the
    output realises one edge: of equal edges, the first ones are found.
    Raises InputError if the columns differ in length.
    """
    outputs, references = encode_words(output, edges)
    starts = list_starts(distances)
    found = _find_edges(
        outputs.codes,
        outputs.starts,
        references.codes,
        references.starts,
        np.asarray(pc.list_flatten(distances), dtype=np.int64),
        starts,
    )
    mask = pa.array(~references.valid)
    return pa.ListArray.from_arrays(pa.array(starts, pa.int32()), pa.array(found), mask=mask)


@compiled()
def _find_edges(
    output: Integers,
    output_starts: Integers,
    ends: Integers,
    ends_starts: Integers,
    distances: Integers,
    starts: Integers,
) -> npt.NDArray[np.int32]:
    found = np.zeros(len(distances), dtype=np.int32)
    for row in range(len(starts) - 1):
        words = output[output_starts[row] : output_starts[row + 1]]
        away = distances[starts[row] : starts[row + 1]]
        heads = ends[ends_starts[row] : ends_starts[row] + len(away)]
        dependents = ends[ends_starts[row] + len(away) : ends_starts[row + 1]]
        for edge in range(len(away)):
            head, dependent, distance = heads[edge], dependents[edge], away[edge]
            free = 0
            for place in range(max(0, -distance), len(words) - max(0, distance)):
                free += words[place] == head and words[place + distance] == dependent
            for other in range(edge if free else 0):
                free -= (
                    heads[other] == head
                    and dependents[other] == dependent
                    and away[other] == distance
                )
            found[starts[row] + edge] = free > 0
    return found
