"""Syntactic complexity of dependency trees, for whole columns of sentences."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...schema.errors import InputError
from .statistics import Booleans, Floats, Integers
from .text import Column, in_one
from .tree_kernels import count_trees, reattach

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
    valid, length, depth, edges, distance, weight, projective = count_trees(
        trees.heads, trees.punctuation, trees.offsets, published
    )
    empty = length == 0
    reason = _first_reason(
        [
            (trees.unequal, "heads and punctuation differ in length"),
            (~valid, "not a tree"),
            (empty, "no word but punctuation"),
            ((length == 1) & ~published, "one word: no distance, no flux"),
            ((edges == 0) & ~published, "no edge: no distance"),
        ]
    )
    columns: list[pa.Array[Any]] = [
        pa.array(depth, pa.int32(), mask=empty),
        pa.array(length, pa.int32(), mask=empty),
        _mean(distance, edges, empty, published),
        _mean(distance, length - 1, empty, published),
        _mean(weight, length - 1, empty, published),
        _mean(edges, length, empty, published),
        pa.array(projective, mask=empty),
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
    valid, kept, kept_heads = reattach(trees.heads, trees.punctuation, trees.offsets)
    return pa.ListArray.from_arrays(
        pa.array(trees.offsets, pa.int32()),
        pa.array(kept_heads, pa.int32(), mask=~kept),
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
