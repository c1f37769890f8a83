"""Aligning two meaning graphs so that they share as many triples as possible, with proof."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from .graph_bounds import prove
from .graph_candidates import (
    PRECISION,
    Alignment,
    count_bound,
    count_matched,
    describe,
    find_candidates,
    rough_mapping,
)
from .graph_kernels import climb_often, greedy_start, total_worth
from .graph_programme import solve_programme

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph_candidates import Candidates, Similarity
    from .graph_triples import GraphTriples

__all__ = ["TIME_LIMIT", "Alignment", "align_graphs"]

TIME_LIMIT = 60.0
ROUNDS = 150
LARGEST_ASSIGNMENT = 250  # variables: beyond, the bound is left to the solver
LARGEST_PROGRAMME = 20_000  # relation pairs that the solver is given at most
TOLERANCE = 1e-6


def align_graphs(
    output: GraphTriples,
    gold: GraphTriples,
    *,
    similarity: Similarity | None = None,
    time_limit: float = TIME_LIMIT,
) -> Alignment:
    """The one-to-one mapping of variables that matches most triples (Smatch, exactly).

    `similarity` says how much two different concepts count as the same, 0 to 1 (S2match, Opitz
    et al. 2020); a threshold is the caller's. `time_limit` is in seconds.

    A search with its own bound proves most mappings to be the best; what is left is an integer
    programme for HiGHS. Where it takes too long the status is `time limit`, where the graphs are
    too large for the solver `too large`, and the gap says how many triples might be missing.
    """
    if len(output.variables) > len(gold.variables):
        turned = None if similarity is None else lambda one, other: similarity(other, one)
        alignment = align_graphs(gold, output, similarity=turned, time_limit=time_limit)
        back = {other: variable for variable, other in alignment.mapping.items()}
        ordered = {name: back[name] for name in output.variables if name in back}
        return alignment._replace(mapping=ordered)
    bound = count_bound(output, gold, similarity)
    candidates = find_candidates(output, gold, similarity)
    if candidates is None:
        mapping = rough_mapping(output, gold)
        status = "too large"
    else:
        chosen, proved, status = _solve(candidates, bound, time_limit)
        bound = min(bound, proved)
        mapping = describe(output, gold, candidates, chosen[chosen >= 0])
    matched = count_matched(output, gold, mapping, similarity)
    if bound <= matched + TOLERANCE:
        return Alignment(matched, "optimal", 0.0, mapping)
    return Alignment(matched, status, round(bound - matched, PRECISION), mapping)


def _solve(
    candidates: Candidates, bound: float, time_limit: float
) -> tuple[NDArray[np.int64], float, str]:
    """The best mapping found, a bound, and the status where they do not meet."""
    deadline = time.perf_counter() + time_limit
    lookup = candidates.lookup()
    arrays = candidates[:6]
    order = candidates.by_worth()
    if candidates.size[1] <= LARGEST_ASSIGNMENT:
        chosen = greedy_start(candidates.rows, candidates.columns, order, candidates.size)
        chosen, matched, bound, alive = prove(
            *arrays,
            candidates.reverse,
            candidates.by_column(),
            lookup,
            candidates.whole,
            ROUNDS,
            bound,
            chosen,
        )
    else:
        chosen = climb_often(*arrays, lookup, order.reshape(1, -1))
        matched = float(total_worth(*arrays[2:], arrays[0], chosen))
        alive = np.ones(len(candidates.rows), np.bool_)
    if bound <= matched + TOLERANCE:
        return chosen, bound, "optimal"
    entries = alive[candidates.neighbours] & np.repeat(alive, np.diff(candidates.starts))
    if entries.sum() > 2 * LARGEST_PROGRAMME:
        return chosen, bound, "too large"
    pairs, proved = solve_programme(candidates, alive, deadline - time.perf_counter())
    solved = np.full(candidates.size[0], -1)
    solved[candidates.rows[pairs]] = pairs
    found = float(total_worth(*arrays[2:], arrays[0], solved))
    if found > matched + TOLERANCE:
        chosen, matched = solved, found
    proved = max(proved, matched)
    if candidates.whole:
        proved = np.floor(proved + TOLERANCE)
    return chosen, min(bound, float(proved)), "time limit"
