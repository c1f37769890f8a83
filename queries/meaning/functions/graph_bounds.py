"""A proof, without a solver, of how many triples a mapping can match at most.

What two pairs of variables match together is divided between them. Each pair then has a price of
its own: what it matches alone, plus its shares in the best company it could keep. The dearest
one-to-one mapping at these prices, a linear assignment, is an upper bound. It falls by dividing
differently: in two rounds of three, pairs that the assignment leaves slack take over shares from
their neighbours (dual ascent, Hahn and Grant 1998); in the third, the pairs of the assignment
give shares away to neighbours that are not in it (a step along the subgradient). Each assignment
is also a start for hill climbing; the search is over when bound and mapping meet.

Pairs and their company are the arrays of `Candidates` (graph_candidates.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....schema.short_cuts import compiled
from ...functions.statistics import Booleans, Floats, Integers
from .graph_kernels import TOLERANCE, cheapest_assignment, climb, greedy_start

if TYPE_CHECKING:
    from .graph_candidates import Candidates

STRIDE = 7_919  # a prime number: its multiples visit the pairs in a scrambled order


class Division(NamedTuple):
    """How what two pairs match together is divided between them."""

    candidates: Candidates
    by_column: Integers  # the entries, those of each pair sorted by the column of the neighbour
    shares: Floats  # of each entry, what its pair has
    alive: Booleans  # which pairs a better mapping may contain


class Proof(NamedTuple):
    """The best mapping that was found, and what none can exceed."""

    chosen: Integers
    matched: float  # the triples that it matches
    bound: float
    alive: Booleans  # which pairs a better mapping may contain


@compiled()
def company_price(groups: Integers, order: Integers, division: Division) -> tuple[float, int]:
    """The sum of the best share of each group, and the number of groups, of one pair.

    `order` has the entries of the pair sorted by the group of the neighbour: an output or a gold
    variable. Neighbours of one group exclude each other.
    """
    total = 0.0
    best = 0.0
    count = 0
    last = -1
    for entry in order:
        neighbour = division.candidates.neighbours[entry]
        if not division.alive[neighbour]:
            continue
        if groups[neighbour] != last:
            last = groups[neighbour]
            total += best
            best = 0.0
            count += 1
        best = max(best, division.shares[entry])
    return total + best, count


@compiled()
def take_over(groups: Integers, order: Integers, division: Division, allowance: float) -> None:
    """Raise the best share of each group by the allowance, at the neighbours' expense."""
    neighbours, reverse = division.candidates.neighbours, division.candidates.reverse
    shares, alive = division.shares, division.alive
    start = 0
    while start < len(order):
        group = groups[neighbours[order[start]]]
        end = start
        best = 0.0
        while end < len(order) and groups[neighbours[order[end]]] == group:
            if alive[neighbours[order[end]]]:
                best = max(best, shares[order[end]])
            end += 1
        for entry in order[start:end]:
            if alive[neighbours[entry]]:
                taken = min(shares[reverse[entry]], best + allowance - shares[entry])
                shares[entry] += taken
                shares[reverse[entry]] -= taken
        start = end


@compiled()
def give_away(division: Division, assigned: Booleans, excess: float) -> None:
    """Divide the excess of the bound by the shares that no company earns, and take it off them.

    Those are what a pair of the assignment has in a neighbour that is not in the assignment.
    """
    starts, neighbours = division.candidates.starts, division.candidates.neighbours
    shares, alive = division.shares, division.alive
    count = 0
    for pair in np.flatnonzero(assigned):
        for entry in range(starts[pair], starts[pair + 1]):
            neighbour = neighbours[entry]
            count += alive[neighbour] and not assigned[neighbour] and shares[entry] > 0
    if count == 0:
        return
    for pair in np.flatnonzero(assigned):
        for entry in range(starts[pair], starts[pair + 1]):
            neighbour = neighbours[entry]
            if alive[neighbour] and not assigned[neighbour]:
                part = min(shares[entry], excess / count)
                shares[entry] -= part
                shares[division.candidates.reverse[entry]] += part


@compiled()
def take_slack(division: Division, limits: Floats, backwards: bool) -> None:
    """Let each pair that costs less than its limit take over shares of its neighbours."""
    candidates = division.candidates
    rows, columns, starts = candidates.rows, candidates.columns, candidates.starts
    for index in range(len(rows)):
        pair = len(rows) - 1 - index if backwards else index
        if not division.alive[pair]:
            continue
        groups, order = rows, np.arange(starts[pair], starts[pair + 1])
        least, count = company_price(rows, order, division)
        other_order = division.by_column[starts[pair] : starts[pair + 1]]
        other, other_count = company_price(columns, other_order, division)
        if other < least:
            groups, order, least, count = columns, other_order, other, other_count
        slack = limits[pair] - candidates.worth[pair] - least
        if count > 0 and slack > 0:
            take_over(groups, order, division, slack / count)


@compiled()
def set_prices(division: Division, prices: Floats) -> None:
    """What each pair matches alone, plus its shares in the best company it could keep."""
    candidates = division.candidates
    for pair in np.flatnonzero(division.alive):
        start, end = candidates.starts[pair], candidates.starts[pair + 1]
        one, _ = company_price(candidates.rows, np.arange(start, end), division)
        other, _ = company_price(candidates.columns, division.by_column[start:end], division)
        prices[pair] = candidates.worth[pair] + min(one, other)


@compiled()
def prove(
    candidates: Candidates,
    by_column: Integers,
    lookup: Integers,
    rounds: int,
    bound: float,
    best: Integers,
) -> Proof:
    """Search for a mapping and lower a bound until they meet, or for a number of rounds.

    No fewer columns than rows. `by_column` has the entries of each pair sorted by the column of
    the neighbour, `lookup` the number of each pair by row and column, or -1; the search starts
    from the mapping `best`.
    """
    rows, columns, whole = candidates.rows, candidates.columns, candidates.whole
    pairs = len(rows)
    alive = np.ones(pairs, np.bool_)
    division = Division(candidates, by_column, candidates.weights / 2, alive)
    better = 1.0 - TOLERANCE if whole else TOLERANCE
    matched = climb(candidates, lookup, best)
    prices = np.zeros(pairs)
    limits = np.zeros(pairs)
    order = np.empty(pairs, np.int64)
    for turn in range(rounds):
        if bound <= matched + TOLERANCE:
            break
        set_prices(division, prices)
        costs = np.zeros(lookup.shape)
        for place in np.flatnonzero(alive):
            costs[rows[place], columns[place]] = -prices[place]
        column_of, row_prices, column_prices = cheapest_assignment(costs)
        current = -row_prices.sum() - column_prices.sum()
        bound = min(bound, max(current, matched))
        if whole:
            bound = np.floor(bound + TOLERANCE)

        assigned = np.zeros(pairs, np.bool_)
        front, back = 0, pairs  # pairs of the assignment first, the others in a scrambled order
        for index in range(pairs):
            pair = (index * STRIDE + turn) % pairs
            limits[pair] = -row_prices[rows[pair]] - column_prices[columns[pair]]
            if alive[pair] and column_of[rows[pair]] == columns[pair]:
                assigned[pair] = True
                order[front] = pair
                front += 1
            else:
                back -= 1
                order[back] = pair
        for start in (0, front):
            chosen = greedy_start(candidates, order[start:])
            climbed = climb(candidates, lookup, chosen)
            if climbed > matched + TOLERANCE:
                matched = climbed
                best = chosen

        for pair in range(pairs):
            if current - (limits[pair] - prices[pair]) < matched + better:
                alive[pair] = False
        if turn % 3 == 2:
            give_away(division, assigned, current - matched)
        else:
            take_slack(division, limits, turn % 2 == 1)
    return Proof(best, matched, max(bound, matched), alive)
