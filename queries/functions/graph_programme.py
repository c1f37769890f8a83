"""The alignment of two graphs as an integer programme, solved by HiGHS."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .graph_candidates import Candidates

    Integers = NDArray[np.int64]


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
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.flatnonzero(alive)
    place = np.cumsum(alive) - 1
    sources = np.repeat(np.arange(len(alive)), np.diff(candidates.starts))
    kept = alive[sources] & alive[candidates.neighbours]
    sources, neighbours = place[sources[kept]], place[candidates.neighbours[kept]]
    weights = candidates.weights[kept]
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
    found = number[best]
    return found[found >= 0], float(worth[best].sum())


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
