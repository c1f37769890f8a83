"""Dependency edges that outputs realise, and the lemmas of outputs in their order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.compiled import compiled
from ...schema.errors import InputError
from .ngrams import list_starts
from .statistics import Integers
from .text import Column, Rows, in_one
from .words import BLANK, Bytes, Offsets, check_same_length, encode_words, strings, text_buffers

LINE_BREAK = 10


def joined_lemmas(forms: Column, lemmas: Column, punctuation: Column) -> Rows:
    """Return the lemmas of each row, single blanks between them; NULL where it has no forms.

    Rows are lists, of words and of the places, from 1, of those that are punctuation and left out.
    The form stands where a lemma is NULL or empty. A blank within a word becomes a line break,
    which no word has.
    Raises InputError where a row has not as many lemmas as forms, or a place that it lacks.
    """
    starts = list_starts(forms)
    words, given = _values(forms), _values(lemmas)
    rows = np.asarray(pc.list_parent_indices(in_one(punctuation)), dtype=np.int64)
    places = _integers(punctuation)
    lengths = np.diff(starts)
    if not np.array_equal(starts, list_starts(lemmas)) or np.any(
        (places < 1) | (places > lengths[rows])
    ):
        raise InputError("Words need as many lemmas as forms, and places among them.")
    kept = np.ones(len(words), dtype=np.bool_)
    kept[starts[rows] + places - 1] = False
    data, ends = _join_words(*text_buffers(words), *text_buffers(given), starts, kept)
    return strings(data, ends, in_one(forms))


@compiled()
def _join_words(
    forms: Bytes,
    form_ends: Offsets,
    lemmas: Bytes,
    lemma_ends: Offsets,
    starts: Integers,
    kept: npt.NDArray[np.bool_],
) -> tuple[Bytes, Offsets]:
    """Return the bytes of all rows end to end, and where each row starts and the last one ends."""
    most = len(kept) + form_ends[-1] - form_ends[0] + lemma_ends[-1] - lemma_ends[0]
    data = np.empty(most, dtype=np.uint8)
    ends = np.zeros(len(starts), dtype=np.int32)
    size = 0
    for row in range(len(starts) - 1):
        for word in range(starts[row], starts[row + 1]):
            if not kept[word]:
                continue
            if size > ends[row]:
                data[size] = BLANK
                size += 1
            named = lemma_ends[word + 1] > lemma_ends[word]
            source, limits = (lemmas, lemma_ends) if named else (forms, form_ends)
            for place in range(limits[word], limits[word + 1]):
                byte = source[place]
                data[size] = LINE_BREAK if byte == BLANK else byte
                size += 1
        ends[row + 1] = size
    return data[:size], ends


def _values(lists: Column) -> Rows:
    return pc.list_flatten(in_one(lists))


def _integers(lists: Column) -> Integers:
    """Return the values of all rows; 0, which is no place, where one is NULL."""
    return np.asarray(_values(lists).fill_null(0), dtype=np.int64)


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
    matches = _find_edges(
        outputs.codes,
        outputs.starts,
        references.codes,
        references.starts,
        _integers(positions),
        _integers(distances),
        starts,
    )
    valid = outputs.valid & references.valid & np.asarray(positions.is_valid(), dtype=np.bool_)
    return pa.ListArray.from_arrays(
        pa.array(starts, pa.int32()), pa.array(matches), mask=pa.array(~valid)
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
    matches = np.zeros(len(distances), dtype=np.uint8)
    for row in range(len(starts) - 1):
        words = output[output_starts[row] : output_starts[row + 1]]
        goal = reference[reference_starts[row] : reference_starts[row + 1]]
        away = distances[starts[row] : starts[row + 1]]
        at = positions[starts[row] : starts[row + 1]]  # from 1
        for edge in range(len(away)):
            place, distance = at[edge] - 1, away[edge]
            if not (0 <= place < len(goal) and 0 <= place - distance < len(goal)):
                continue
            head, dependent = goal[place - distance], goal[place]
            free = 0
            for first in range(max(0, -distance), len(words) - max(0, distance)):
                free += words[first] == head and words[first + distance] == dependent
            for other in range(edge if free else 0):
                same = at[other] - 1
                free -= (
                    away[other] == distance
                    and 0 <= same < len(goal)
                    and 0 <= same - distance < len(goal)
                    and goal[same] == dependent
                    and goal[same - distance] == head
                )
            matches[starts[row] + edge] = free > 0
    return matches
