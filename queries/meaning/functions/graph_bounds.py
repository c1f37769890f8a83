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

import numpy as np

from ....schema.short_cuts import compiled
from ...functions.statistics import Booleans, Floats, Integers
from .graph_kernels import TOLERANCE, cheapest_assignment, climb, greedy_start

STRIDE = 7_919  # a prime number: its multiples visit the pairs in a scrambled order


@compiled()
def company_price(
    groups: Integers,
    order: Integers,
    neighbours: Integers,
    shares: Floats,
    alive: Booleans,
) -> tuple[float, int]:
    """The sum of the best share of each group, and the number of groups, of one pair.

    `order` has the entries of the pair sorted by the group of the neighbour: an output or a gold
    variable. Neighbours of one group exclude each other.
    """
    total = 0.0
    best = 0.0
    count = 0
    last = -1
    for entry in order:
        neighbour = neighbours[entry]
        if not alive[neighbour]:
            continue
        if groups[neighbour] != last:
            last = groups[neighbour]
            total += best
            best = 0.0
            count += 1
        best = max(best, shares[entry])
    return total + best, count


@compiled()
def take_over(
    groups: Integers,
    order: Integers,
    neighbours: Integers,
    reverse: Integers,
    shares: Floats,
    alive: Booleans,
    allowance: float,
) -> None:
    """Raise the best share of each group by the allowance, at the neighbours' expense."""
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
def give_away(
    starts: Integers,
    neighbours: Integers,
    reverse: Integers,
    shares: Floats,
    alive: Booleans,
    assigned: Booleans,
    excess: float,
) -> None:
    """Divide the excess of the bound by the shares that no company earns, and take it off them.

    Those are what a pair of the assignment has in a neighbour that is not in the assignment.
    """
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
                shares[reverse[entry]] += part


@compiled()
def take_slack(
    rows: Integers,
    columns: Integers,
    worth: Floats,
    starts: Integers,
    neighbours: Integers,
    reverse: Integers,
    by_column: Integers,
    shares: Floats,
    alive: Booleans,
    limits: Floats,
    backwards: bool,
) -> None:
    """Let each pair that costs less than its limit take over shares of its neighbours."""
    for index in range(len(rows)):
        pair = len(rows) - 1 - index if backwards else index
        if not alive[pair]:
            continue
        groups, order = rows, np.arange(starts[pair], starts[pair + 1])
        least, count = company_price(rows, order, neighbours, shares, alive)
        other_order = by_column[starts[pair] : starts[pair + 1]]
        other, other_count = company_price(columns, other_order, neighbours, shares, alive)
        if other < least:
            groups, order, least, count = columns, other_order, other, other_count
        slack = limits[pair] - worth[pair] - least
        if count > 0 and slack > 0:
            take_over(groups, order, neighbours, reverse, shares, alive, slack / count)


@compiled()
def set_prices(
    rows: Integers,
    columns: Integers,
    worth: Floats,
    starts: Integers,
    neighbours: Integers,
    by_column: Integers,
    shares: Floats,
    alive: Booleans,
    prices: Floats,
) -> None:
    """What each pair matches alone, plus its shares in the best company it could keep."""
    for pair in np.flatnonzero(alive):
        start, end = starts[pair], starts[pair + 1]
        one, _ = company_price(rows, np.arange(start, end), neighbours, shares, alive)
        other, _ = company_price(columns, by_column[start:end], neighbours, shares, alive)
        prices[pair] = worth[pair] + min(one, other)


@compiled()
def prove(
    rows: Integers,
    columns: Integers,
    worth: Floats,
    starts: Integers,
    neighbours: Integers,
    weights: Floats,
    reverse: Integers,
    by_column: Integers,
    lookup: Integers,
    whole: bool,
    rounds: int,
    bound: float,
    best: Integers,
) -> tuple[Integers, float, float, Booleans]:
    """Search for a mapping and lower a bound until they meet, or for a number of rounds.

    No fewer columns than rows. `by_column` has the entries of each pair sorted by the column of
    the neighbour; the search starts from the mapping `best`. Returns the best mapping found, the
    triples it matches, the bound, and which pairs a better mapping may contain.
    """
    pairs = len(rows)
    alive = np.ones(pairs, np.bool_)
    shares = weights / 2
    better = 1.0 - TOLERANCE if whole else TOLERANCE
    matched = climb(rows, columns, worth, starts, neighbours, weights, lookup, best)
    prices = np.zeros(pairs)
    limits = np.zeros(pairs)
    order = np.empty(pairs, np.int64)
    for turn in range(rounds):
        if bound <= matched + TOLERANCE:
            break
        set_prices(rows, columns, worth, starts, neighbours, by_column, shares, alive, prices)
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
            chosen = greedy_start(rows, columns, order[start:], lookup.shape)
            climbed = climb(rows, columns, worth, starts, neighbours, weights, lookup, chosen)
            if climbed > matched + TOLERANCE:
                matched = climbed
                best = chosen

        for pair in range(pairs):
            if current - (limits[pair] - prices[pair]) < matched + better:
                alive[pair] = False
        if turn % 3 == 2:
            give_away(starts, neighbours, reverse, shares, alive, assigned, current - matched)
        else:
            take_slack(
                rows,
                columns,
                worth,
                starts,
                neighbours,
                reverse,
                by_column,
                shares,
                alive,
                limits,
                turn % 2 == 1,
            )
    return best, matched, max(bound, matched), alive
