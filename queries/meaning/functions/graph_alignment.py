"""Aligning two meaning graphs so that they share as many triples as possible, with proof.

What bounds leave open is an integer programme, solved by HiGHS.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...functions.statistics import Integers
from .graph_bounds import prove
from .graph_candidates import (
    PRECISION,
    Alignment,
    Candidates,
    Similarity,
    count_bound,
    count_matched,
    describe,
    find_candidates,
    rough_mapping,
)
from .graph_kernels import climb_often, greedy_start, total_worth
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
    order = candidates.by_worth()
    if candidates.size[1] <= LARGEST_ASSIGNMENT:
        start = greedy_start(candidates, order)
        by_column = candidates.by_column()
        chosen, matched, bound, alive = prove(candidates, by_column, lookup, ROUNDS, bound, start)
    else:
        chosen = climb_often(candidates, lookup, order.reshape(1, -1))
        matched = float(total_worth(candidates, chosen))
        alive = np.ones(len(candidates.rows), np.bool_)
    if bound <= matched + TOLERANCE:
        return chosen, bound, "optimal"
    entries = alive[candidates.neighbours] & np.repeat(alive, np.diff(candidates.starts))
    if entries.sum() > 2 * LARGEST_PROGRAMME:
        return chosen, bound, "too large"
    pairs, proved = solve_programme(candidates, alive, deadline - time.perf_counter())
    solved = np.full(candidates.size[0], -1)
    solved[candidates.rows[pairs]] = pairs
    worth = float(total_worth(candidates, solved))
    if worth > matched + TOLERANCE:
        chosen, matched = solved, worth
    proved = max(proved, matched)
    if candidates.whole:
        proved = np.floor(proved + TOLERANCE)
    return chosen, min(bound, float(proved)), "time limit"


class Programme(NamedTuple):
    """Pairs that may be chosen, and what two of them match together."""

    pairs: Integers  # numbers among the candidates
    sources: Integers  # per entry: a pair, as its place in `pairs`; all in order
    neighbours: Integers  # another one
    weights: NDArray[np.float64]
    edges: Integers  # per entry: the number of the two, in either order


def solve_programme(
    candidates: Candidates, alive: NDArray[np.bool_], time_limit: float
) -> tuple[Integers, float]:
    """The best pairs among those alive, and an upper bound of what they match.

    Parts that have no variable and no relation in common are solved one by one. Within
    `time_limit` seconds the bound is what the pairs match; later it is what HiGHS has proved, or
    infinite, and the pairs are the best it has.
    """
    deadline = time.perf_counter() + time_limit
    chosen: list[Integers] = []
    total = 0.0
    for programme in _parts(candidates, alive):
        if len(programme.edges) == 0:
            pairs, bound = _assign(candidates, programme)
        else:
            pairs, bound = _optimise(candidates, programme, deadline - time.perf_counter())
        chosen.append(pairs)
        total += bound
    return np.concatenate(chosen), total


def _parts(candidates: Candidates, alive: NDArray[np.bool_]) -> list[Programme]:
    """Return programmes that share no row, no column and no edge: each is solved by itself.

    They are the connected components of a graph of living pairs, the rows and the columns.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.flatnonzero(alive)
    place = np.cumsum(alive) - 1
    sources = np.repeat(np.arange(len(alive)), np.diff(candidates.starts))
    living = alive[sources] & alive[candidates.neighbours]
    sources, neighbours = place[sources[living]], place[candidates.neighbours[living]]
    weights = candidates.weights[living]
    count = len(pairs)
    rows = count + candidates.rows[pairs]
    columns = count + candidates.size[0] + candidates.columns[pairs]
    ends = np.concatenate([neighbours, rows, columns])
    begins = np.concatenate([sources, np.arange(count), np.arange(count)])
    size = count + sum(candidates.size)
    links = coo_array((np.ones(len(ends)), (begins, ends)), shape=(size, size))
    labels = connected_components(links, directed=False)[1][:count]
    parts = []
    for label in np.unique(labels):
        inside = labels == label
        number = np.cumsum(inside) - 1
        entries = inside[sources]
        first, second = number[sources[entries]], number[neighbours[entries]]
        unordered = np.minimum(first, second) * count + np.maximum(first, second)
        edges = np.unique(unordered, return_inverse=True)[1]
        parts.append(Programme(pairs[inside], first, second, weights[entries], edges))
    return parts


def _assign(candidates: Candidates, programme: Programme) -> tuple[Integers, float]:
    from scipy.optimize import linear_sum_assignment

    pairs = programme.pairs
    rows, row = np.unique(candidates.rows[pairs], return_inverse=True)
    columns, column = np.unique(candidates.columns[pairs], return_inverse=True)
    worth = np.zeros((len(rows), len(columns)))
    worth[row, column] = candidates.worth[pairs]
    number = np.full(worth.shape, -1)
    number[row, column] = pairs
    best = linear_sum_assignment(worth, maximize=True)
    assigned = number[best]
    return assigned[assigned >= 0], float(worth[best].sum())


def _optimise(
    candidates: Candidates, programme: Programme, time_limit: float
) -> tuple[Integers, float]:
    """One part: a variable for each pair and for each two pairs that match a relation.

    A pair has a bounded company: of its neighbours with one output variable in common, or one
    gold variable, at most one can be chosen, and only if the pair itself is. This is as strong
    as a linear relaxation of this size gets, so that HiGHS seldom has to branch.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array, vstack

    pairs = programme.pairs
    count, edge_count = len(pairs), int(programme.edges.max()) + 1
    gains = np.zeros(count + edge_count)
    gains[:count] = candidates.worth[pairs]
    gains[count + programme.edges] = programme.weights
    width = count + edge_count

    blocks = []
    for variables in (candidates.rows[pairs], candidates.columns[pairs]):
        names, constraint = np.unique(variables, return_inverse=True)
        blocks.append(
            coo_array((np.ones(count), (constraint, np.arange(count))), shape=(len(names), width))
        )
    at_most_one = blocks[0].shape[0] + blocks[1].shape[0]
    for variables in (candidates.rows[pairs], candidates.columns[pairs]):
        span = int(variables.max()) + 1
        keys = programme.sources * span + variables[programme.neighbours]
        groups, constraint = np.unique(keys, return_inverse=True)
        values = np.concatenate([np.ones(len(keys)), -np.ones(len(groups))])
        lines = np.concatenate([constraint, np.arange(len(groups))])
        places = np.concatenate([count + programme.edges, groups // span])
        blocks.append(coo_array((values, (lines, places)), shape=(len(groups), width)))
    matrix = vstack(blocks, format="csc")
    limits = np.zeros(matrix.shape[0])
    limits[:at_most_one] = 1.0

    result = milp(
        -gains,
        integrality=(np.arange(width) < count).astype(np.int64),
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(matrix, ub=limits),
        options={"time_limit": max(time_limit, 0.01), "mip_rel_gap": 0.0},
    )
    bound = np.inf if result.mip_dual_bound is None else -float(result.mip_dual_bound)
    if result.x is None:
        return pairs[:0], bound
    return pairs[result.x[:count] > 0.5], bound
