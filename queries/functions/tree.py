"""Dependency trees, for whole columns: their complexity, the edges realised, lemmas in order."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from ...schema.short_cuts import compiled
from .ngrams import list_starts
from .statistics import Booleans, Floats, Integers
from .text import Column, Rows, in_one
from .tree_kernels import count_trees, reattach
from .words import BLANK, Bytes, Offsets, check_same_length, encode_words, strings, text_buffers

Lists: TypeAlias = "pa.ListArray[Any]"

CONVENTIONS = ("standard", "tacl2021")

COMPLEXITY_TYPE = pa.struct(
    [
        pa.field("depth", pa.int32()),
        pa.field("length", pa.int32()),
        pa.field("mdd", pa.float64()),
        pa.field("mfs", pa.float64()),
        pa.field("mfw", pa.float64()),
        pa.field("arity", pa.float64()),
        pa.field("projective", pa.bool_()),
        pa.field("undefined_reason", pa.string()),
    ]
)


class Trees(NamedTuple):
    """Trees as flat arrays; one that is missing or malformed has no words here."""

    missing: Booleans  # per tree: heads or punctuation are NULL
    unequal: Booleans  # per tree: heads and punctuation differ in length
    heads: Integers
    punctuation: Booleans
    offsets: Integers


def sentence_complexity(heads: Column, punctuation: Column, convention: Column) -> pa.StructArray:
    """Complexity of each sentence without its punctuation (Shimorina et al. 2021, Table 1).

    `heads` are lists of 1-based token numbers (0 = root), `punctuation` says for the same tokens
    whether their universal relation is punct (NULL counts as no), `convention` is one of:

    - `standard`: what hangs on removed punctuation moves to its nearest kept ancestor; a tree is
      projective if every word strictly between a head and its dependent is dominated by the head.
    - `tacl2021`, which reproduces the published Table 2: removed punctuation takes its whole
      subtree along; a tree is non-projective if some edge passes over an ancestor of its head;
      distance and flux that have nothing to average are 0; every value is rounded to two
      decimals, as a double, exact ties to the even digit.

    Returns structs of COMPLEXITY_TYPE: depth (edges from a root to the deepest word), length
    (words), mdd (mean dependency distance, over the edges), mfs and mfw (mean flux size and
    weight, over the length - 1 gaps), arity (edges / words), projective. What is undefined is
    NULL and `undefined_reason` says why; it is NULL where all is defined. A NULL argument gives a
    NULL struct. Several roots are allowed: a root has no edge, so a sentence of k trees has
    length - k edges, distances are averaged over these, flux still over all gaps, and an edge
    that passes over another root is not projective.

    Raises InputError for any other convention.
    """
    trees = _flatten(heads, punctuation)
    published, convention_missing = _published(convention)
    counts = count_trees(trees.heads, trees.punctuation, trees.offsets, published)
    length, edges = counts.length, counts.edges
    empty = length == 0
    reason = _first_reason(
        [
            (trees.unequal, "heads and punctuation differ in length"),
            (~counts.valid, "not a tree"),
            (empty, "no word but punctuation"),
            ((length == 1) & ~published, "one word: no distance, no flux"),
            ((edges == 0) & ~published, "no edge: no distance"),
        ]
    )
    columns: list[pa.Array[Any]] = [
        pa.array(counts.depth, pa.int32(), mask=empty),
        pa.array(length, pa.int32(), mask=empty),
        _mean(counts.distance, edges, empty, published),
        _mean(counts.distance, length - 1, empty, published),
        _mean(counts.weight, length - 1, empty, published),
        _mean(edges, length, empty, published),
        pa.array(counts.projective, mask=empty),
        reason,
    ]
    return pa.StructArray.from_arrays(
        columns, fields=list(COMPLEXITY_TYPE), mask=pa.array(trees.missing | convention_missing)
    )


def strip_punctuation(heads: Column, punctuation: Column) -> Lists:
    """For each token of a sentence the token number of its nearest ancestor that is a word.

    The arguments are those of `sentence_complexity`, the convention is `standard`; numbers are
    those of the original sentence (1-based). Returns lists of int32 as long as the sentences: 0
    where no ancestor is left (below a root that was punctuation: a root of its own), NULL for a
    removed token. The list is NULL where an argument is NULL, or where the heads are no tree or
    not as many as the punctuation flags.
    """
    trees = _flatten(heads, punctuation)
    valid, stays, new_heads = reattach(trees.heads, trees.punctuation, trees.offsets)
    return pa.ListArray.from_arrays(
        pa.array(trees.offsets, pa.int32()),
        pa.array(new_heads, pa.int32(), mask=~stays),
        mask=pa.array(trees.missing | trees.unequal | ~valid),
    )


def _flatten(heads: Column, punctuation: Column) -> Trees:
    head_lists, punctuation_lists = in_one(heads), in_one(punctuation)
    head_counts = pc.list_value_length(head_lists)
    punctuation_counts = pc.list_value_length(punctuation_lists)
    agreeing = pc.equal(head_counts, punctuation_counts)
    usable = pc.fill_null(agreeing, False)
    head_values = head_lists.filter(usable).flatten().cast(pa.int64())
    punctuation_values = punctuation_lists.filter(usable).flatten()
    lengths = pc.if_else(usable, head_counts, 0).to_numpy(zero_copy_only=False)
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return Trees(
        missing=agreeing.is_null().to_numpy(zero_copy_only=False),
        unequal=pc.fill_null(pc.invert(agreeing), False).to_numpy(zero_copy_only=False),
        heads=np.array(pc.fill_null(head_values, -1)),  # no token number: not a tree
        punctuation=np.array(pc.fill_null(punctuation_values, False)),
        offsets=offsets,
    )


def _published(convention: Column) -> tuple[Booleans, Booleans]:
    """Per sentence whether its convention is the published one, and whether it is NULL."""
    names = in_one(convention).cast(pa.string())
    of_convention = pc.is_in(names, value_set=pa.array(CONVENTIONS))
    unknown = names.filter(pc.and_(names.is_valid(), pc.invert(of_convention)))
    if len(unknown):
        raise InputError(
            f"unknown convention {unknown[0].as_py()!r}",
            hint=f"use one of: {', '.join(CONVENTIONS)}",
        )
    published = pc.fill_null(pc.equal(names, pa.scalar("tacl2021")), False)
    return np.array(published), np.array(names.is_null())


def _mean(total: Integers, count: Integers, empty: Booleans, published: Booleans) -> Any:
    """Total by count; without anything to average 0 where published, else NULL."""
    undefined = count <= 0
    means = np.divide(total, np.where(undefined, 1, count))
    values = np.where(published, _round_to_hundredths(means), means)
    return pa.array(values, mask=empty | (undefined & ~published))


def _round_to_hundredths(values: Floats) -> Floats:
    """Non-negative values rounded as Python's `round(value, 2)` does.

    numpy's and Arrow's rounding multiply by 100 as doubles and so see ties where there are none
    (0.475 is stored as less than that). Here the doubles are taken apart into exact integers.
    """
    mantissas, exponents = np.frexp(values)
    hundredfold = (mantissas * 2.0**53).astype(np.int64) * 100  # times 2 ** (exponent - 53)
    shifts = np.minimum(53 - exponents.astype(np.int64), 62)
    whole = hundredfold >> shifts
    rest = hundredfold - (whole << shifts)
    half = np.int64(1) << (shifts - 1)
    up = (rest > half) | ((rest == half) & (whole % 2 == 1))
    rounded: Floats = (whole + up) / 100.0
    return rounded


def _first_reason(reasons: list[tuple[Booleans, str]]) -> Any:
    conditions = pa.StructArray.from_arrays(
        [pa.array(where) for where, _ in reasons], names=[str(i) for i in range(len(reasons))]
    )
    return pc.case_when(conditions, *(pa.scalar(text) for _, text in reasons))


LINE_BREAK = 10


def joined_lemmas(forms: Column, lemmas: Column, punctuation: Column) -> Rows:
    """Return the lemmas of each row, single blanks between them; NULL where it has no forms.

    Rows are lists, of words and of the places, from 1, of those that are punctuation and left out.
    The form stands where a lemma is NULL or empty. A blank within a word becomes a line break,
    which no word has.
    Raises InputError where a row has not as many lemmas as forms, or a place that it lacks.
    """
    starts = list_starts(forms)
    words, own_lemmas = _values(forms), _values(lemmas)
    rows = np.asarray(pc.list_parent_indices(in_one(punctuation)), dtype=np.int64)
    places = _integers(punctuation)
    lengths = np.diff(starts)
    if not np.array_equal(starts, list_starts(lemmas)) or np.any(
        (places < 1) | (places > lengths[rows])
    ):
        raise InputError("Words need as many lemmas as forms, and places among them.")
    stays = np.ones(len(words), dtype=np.bool_)
    stays[starts[rows] + places - 1] = False
    data, ends = _join_words(*text_buffers(words), *text_buffers(own_lemmas), starts, stays)
    return strings(data, ends, in_one(forms))


@compiled()
def _join_words(
    forms: Bytes,
    form_ends: Offsets,
    lemmas: Bytes,
    lemma_ends: Offsets,
    starts: Integers,
    stays: npt.NDArray[np.bool_],
) -> tuple[Bytes, Offsets]:
    """Return the bytes of all rows end to end, and where each row starts and the last one ends."""
    most = len(stays) + form_ends[-1] - form_ends[0] + lemma_ends[-1] - lemma_ends[0]
    data = np.empty(most, dtype=np.uint8)
    ends = np.zeros(len(starts), dtype=np.int32)
    size = 0
    for row in range(len(starts) - 1):
        for word in range(starts[row], starts[row + 1]):
            if not stays[word]:
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
