"""Dependency edges that outputs realise, and the lemmas of outputs in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sr_tracker.queries.functions.compiled import compiled
from sr_tracker.queries.functions.ngrams import list_starts
from sr_tracker.queries.functions.text import Column, Rows
from sr_tracker.queries.functions.words import check_same_length, encode_words
from sr_tracker.schema.errors import InputError

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


def edges_found(output: Column, reference: Column, positions: Column, distances: Column) -> Rows:
    """Return which edges of its reference each output has: 1 or 0 for each; NULL where one is NULL.

    An edge is the lemma of its head, that of its dependent and their signed distance in words
    (Shimorina et al. 2021, section 3.2). ``output`` and ``reference`` have lemmas between single
    blanks; an edge has the position of its dependent in the reference, from 1, and how far that is
    from the position of its head. A row is list<uint8>. Each occurrence in the output realises one
    edge: of equal edges, the first ones are found; one outside its reference is not.
    Raises InputError if the columns differ in length, or the lists of a row.
    """
    outputs, references = encode_words(output, reference)
    check_same_length(reference, positions, distances)
    starts = list_starts(positions)
    if not np.array_equal(starts, list_starts(distances)):
        raise InputError("Edges need as many positions as distances.")
    found = _find_edges(
        outputs.codes,
        outputs.starts,
        references.codes,
        references.starts,
        np.asarray(pc.list_flatten(positions), dtype=np.int64),
        np.asarray(pc.list_flatten(distances), dtype=np.int64),
        starts,
    )
    given = outputs.valid & references.valid & np.asarray(positions.is_valid(), dtype=np.bool_)
    return pa.ListArray.from_arrays(
        pa.array(starts, pa.int32()), pa.array(found), mask=pa.array(~given)
    )


@compiled()
def _find_edges(
    output: Integers,
    output_starts: Integers,
    reference: Integers,
    reference_starts: Integers,
    positions: Integers,
    distances: Integers,
    starts: Integers,
) -> npt.NDArray[np.uint8]:
    found = np.zeros(len(distances), dtype=np.uint8)
    for row in range(len(starts) - 1):
        words = output[output_starts[row] : output_starts[row + 1]]
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        away = distances[starts[row] : starts[row + 1]]
        at = positions[starts[row] : starts[row + 1]] - 1
        for edge in range(len(away)):
            distance = away[edge]
            if not (0 <= at[edge] < len(goal) and 0 <= at[edge] - distance < len(goal)):
                continue
            head, dependent = goal[at[edge] - distance], goal[at[edge]]
            free = 0
            for place in range(max(0, -distance), len(words) - max(0, distance)):
                free += words[place] == head and words[place + distance] == dependent
            for other in range(edge if free else 0):
                free -= (
                    away[other] == distance
                    and 0 <= at[other] < len(goal)
                    and 0 <= at[other] - distance < len(goal)
                    and goal[at[other]] == dependent
                    and goal[at[other] - distance] == head
                )
            found[starts[row] + edge] = free > 0
    return found
