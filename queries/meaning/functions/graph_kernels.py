"""Compiled loops for mapping the variables of one graph to those of another.

Pairs of variables and what they are worth are the arrays of `Candidates` (graph_candidates.py).
A mapping is an array `chosen`: the pair of each output variable, or -1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....schema.short_cuts import compiled
from ...functions.statistics import Floats, Integers

if TYPE_CHECKING:
    from .graph_candidates import Candidates

TOLERANCE = 1e-6


@compiled()
def relation_pairs(
    output: Integers, gold: Integers, count: int, columns: int
) -> tuple[Integers, Integers]:
    """For each two relations of one role: the pair of their sources, the pair of their targets.

    Both tables are sorted by role; a pair is row * columns + column.
    """
    first = np.empty(count, np.int64)
    second = np.empty(count, np.int64)
    filled = 0
    start = 0
    for edge in range(len(output)):
        role = output[edge, 0]
        while start < len(gold) and gold[start, 0] < role:
            start += 1
        other = start
        while other < len(gold) and gold[other, 0] == role:
            first[filled] = output[edge, 1] * columns + gold[other, 1]
            second[filled] = output[edge, 2] * columns + gold[other, 2]
            filled += 1
            other += 1
    return first, second


@compiled()
def cheapest_assignment(costs: Floats) -> tuple[Integers, Floats, Floats]:
    """Column of each row at the least total cost, and prices of the rows and of the columns.

    No fewer columns than rows. Shortest augmenting paths (Kuhn's Hungarian method): prices of a
    row and a column never exceed their cost together, column prices are at most 0, and the
    prices add up to the total cost.
    """
    rows, columns = costs.shape
    row_prices = np.zeros(rows + 1)
    column_prices = np.zeros(columns + 1)
    owner = np.full(columns + 1, rows, np.int64)  # the last column and row stand for none
    previous = np.empty(columns + 1, np.int64)
    distance = np.empty(columns)
    done = np.empty(columns + 1, np.bool_)
    for row in range(rows):
        owner[columns] = row
        column = columns
        distance[:] = np.inf
        done[:] = False
        while owner[column] != rows:
            done[column] = True
            current = owner[column]
            nearest = columns
            step = np.inf
            for other in range(columns):
                if done[other]:
                    continue
                reduced = costs[current, other] - row_prices[current] - column_prices[other]
                if reduced < distance[other]:
                    distance[other] = reduced
                    previous[other] = column
                if distance[other] < step:
                    step = distance[other]
                    nearest = other
            for other in range(columns):
                if done[other]:
                    row_prices[owner[other]] += step
                    column_prices[other] -= step
                else:
                    distance[other] -= step
            row_prices[row] += step
            column = nearest
        while column != columns:
            owner[column] = owner[previous[column]]
            column = previous[column]
        owner[columns] = rows
    assigned = np.full(rows, -1, np.int64)
    for column in range(columns):
        if owner[column] != rows:
            assigned[owner[column]] = column
    return assigned, row_prices[:rows], column_prices[:columns]


@compiled()
def total_worth(candidates: Candidates, chosen: Integers) -> float:
    """Triples that a mapping matches."""
    total = 0.0
    for pair in chosen:
        if pair < 0:
            continue
        total += candidates.worth[pair]
        for entry in range(candidates.starts[pair], candidates.starts[pair + 1]):
            neighbour = candidates.neighbours[entry]
            if neighbour > pair and chosen[candidates.rows[neighbour]] == neighbour:
                total += candidates.weights[entry]
    return total


@compiled()
def climb(candidates: Candidates, lookup: Integers, chosen: Integers) -> float:
    """Improve a mapping in place until no step helps; returns the triples it matches.

    A step puts a pair into the mapping, which takes out the pairs of its two variables; the
    variables that become free are then mapped to each other where they can be. `lookup` has the
    number of each pair by row and column, or -1.
    """
    rows, columns = candidates.rows, candidates.columns
    owners = np.full(lookup.shape[1], -1, np.int64)
    for pair in chosen:
        if pair >= 0:
            owners[columns[pair]] = pair
    improved = True
    while improved:
        improved = False
        for pair in range(len(rows)):
            left = chosen[rows[pair]]
            if left == pair:
                continue
            right = owners[columns[pair]]
            other = -1
            if left >= 0 and right >= 0:
                other = lookup[rows[right], columns[left]]
            gain = _exchange(candidates, chosen, owners, (left, right), (pair, other))
            if gain > TOLERANCE:
                improved = True
            else:
                _exchange(candidates, chosen, owners, (pair, other), (left, right))
    return float(total_worth(candidates, chosen))


@compiled()
def _exchange(
    candidates: Candidates,
    chosen: Integers,
    owners: Integers,
    removed: tuple[int, int],
    added: tuple[int, int],
) -> float:
    """Take pairs out of a mapping and put others in, -1 for none; returns what that gains."""
    rows, columns = candidates.rows, candidates.columns
    gain = 0.0
    for pair in removed:
        if pair >= 0:
            gain -= _company(candidates, chosen, pair)
            owners[columns[pair]] = -1
            chosen[rows[pair]] = -1
    for pair in added:
        if pair >= 0:
            gain += _company(candidates, chosen, pair)
            owners[columns[pair]] = pair
            chosen[rows[pair]] = pair
    return gain


@compiled()
def _company(candidates: Candidates, chosen: Integers, pair: int) -> float:
    """What a pair matches, alone and together with the pairs of the mapping."""
    total = candidates.worth[pair]
    for entry in range(candidates.starts[pair], candidates.starts[pair + 1]):
        neighbour = candidates.neighbours[entry]
        if chosen[candidates.rows[neighbour]] == neighbour:
            total += candidates.weights[entry]
    return float(total)


@compiled()
def greedy_start(candidates: Candidates, order: Integers) -> Integers:
    """The mapping that takes the pairs in an order, each where it still can be."""
    rows, columns = candidates.rows, candidates.columns
    chosen = np.full(candidates.size[0], -1, np.int64)
    taken = np.zeros(candidates.size[1], np.bool_)
    for pair in order:
        if chosen[rows[pair]] < 0 and not taken[columns[pair]]:
            chosen[rows[pair]] = pair
            taken[columns[pair]] = True
    return chosen


@compiled()
def climb_often(candidates: Candidates, lookup: Integers, orders: Integers) -> Integers:
    """The best mapping of several climbs: each starts greedily with the pairs in one order."""
    best = np.full(candidates.size[0], -1, np.int64)
    most = -1.0
    for order in orders:
        chosen = greedy_start(candidates, order)
        climbed = climb(candidates, lookup, chosen)
        if climbed > most + TOLERANCE:
            most = climbed
            best = chosen
    return best
