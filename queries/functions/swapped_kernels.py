"""Compiled loops over the scores that coins swap between two metrics; arrays in, arrays filled.

Outputs lie in groups of members: the systems of an item, or the other way round. ``coins`` have the
shape (groups, members, times), ``scores`` (metrics, groups, members), NaN where there is none;
a row of ``couples`` names the two metrics whose scores change places.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...schema.short_cuts import compiled
from .statistics import Floats, Integers

Singles: TypeAlias = NDArray[np.float32]
Shorts: TypeAlias = NDArray[np.int16]

AT_ONCE = 8
"""Groups whose coins stay in the processor's cache while all couples are gone through."""


@compiled()
def add_accuracies(
    scores: Floats,
    epsilons: Floats,
    wanted: Floats,
    pairs: Integers,
    weights: Floats,
    couples: Integers,
    linear: Floats,
    constant: Floats,
) -> None:
    """Add what swapping an output adds to the difference of accuracies, and that difference.

    ``scores`` are flat, ``pairs`` have the places of their outputs in two rows, ``wanted`` the sign
    of people's difference. Let c_xy say whether a pair is right when its first score is of metric x
    and its second of metric y. With coins m and n for the two outputs, the accuracy of one metric
    less that of the other is c_00 - c_11 + m (c_10 + c_11 - c_00 - c_01) + n (c_01 + c_11 - c_00 -
    c_10): terms in m n cancel, so that swaps are a product of matrices.
    """
    for c in range(len(couples)):
        one, other = scores[couples[c, 0]], scores[couples[c, 1]]
        for p in range(pairs.shape[1]):
            i, j = pairs[0, p], pairs[1, p]
            ends = (one[i], one[j], other[i], other[j])
            weight = 0.0 if np.isnan(ends[0] + ends[1] + ends[2] + ends[3]) else weights[p]
            right_00 = _right(ends[0] - ends[1], epsilons[c, 0], wanted[p], weight)
            right_01 = _right(ends[0] - ends[3], epsilons[c, 1], wanted[p], weight)
            right_10 = _right(ends[2] - ends[1], epsilons[c, 1], wanted[p], weight)
            right_11 = _right(ends[2] - ends[3], epsilons[c, 2], wanted[p], weight)
            linear[c, i] += right_10 + right_11 - right_00 - right_01
            linear[c, j] += right_01 + right_11 - right_00 - right_10
            constant[c] += right_00 - right_11


@compiled(inline=True)
def _right(apart: float, epsilon: float, wanted: float, weight: float) -> float:
    """Return a pair's weight where the metric orders it as people do, ties by epsilon; else 0."""
    sign = (1 if apart > epsilon else 0) - (1 if apart < -epsilon else 0)
    return weight if sign == wanted else 0.0


@compiled()
def add_taus(
    scores: Floats,
    people: Floats,
    coins: Shorts,
    couples: Integers,
    totals: Floats,
    defined: Floats,
) -> None:
    """Add each group's tau-b of both metrics, (couples, 2, times), and whether there is one.

    Whether a pair of outputs is concordant depends on two coins, m and n: c_00 + m (c_10 - c_00) +
    n (c_01 - c_00) + m n (c_00 + c_11 - c_10 - c_01); so does whether the metric ties it. Over the
    pairs of a group these are a linear and a quadratic form of its coins, which are 0 or -1 here.
    """
    groups, members, times = coins.shape
    linear = np.zeros((2, 2, members), np.int16)
    quadratic = np.zeros((2, members, members), np.int16)
    whole = np.zeros((2, 2), np.int16)
    sums = np.zeros((2, 2, times), np.int16)
    inner = np.zeros(times, np.int16)
    for start in range(0, groups, AT_ONCE):
        for c in range(len(couples)):
            one, other = scores[couples[c, 0]], scores[couples[c, 1]]
            for g in range(start, min(start + AT_ONCE, groups)):
                forms = (whole, linear, quadratic)
                of_people, varies = _forms_of_group((one[g], other[g]), people[g], forms)
                if not of_people:
                    continue
                for kind in range(2 if varies else 1):
                    _add_up(sums[kind], inner, coins[g], forms, kind)
                for x in range(2):
                    if varies:
                        _add_taus(totals[c, x], defined[c, x], sums[0, x], sums[1, x], of_people)
                    elif whole[1, x]:
                        spread = np.sqrt(np.float64(of_people * whole[1, x]))
                        _add_quotients(totals[c, x], sums[0, x], spread)
                        defined[c, x] += 1


@compiled()
def _forms_of_group(
    scores: tuple[Floats, Floats], people: Floats, forms: tuple[Shorts, Shorts, Shorts]
) -> tuple[int, bool]:
    """Fill in the forms of concordance and of being untied, by metric.

    Returned are the pairs that people do not tie, and whether the metrics' ties depend on coins.
    """
    whole, linear, quadratic = forms
    whole[:], linear[:], quadratic[:] = 0, 0, 0
    of_people, varies = 0, False
    one, other = scores
    for a in range(len(people)):
        for b in range(a + 1, len(people)):
            apart = people[a] - people[b]
            if np.isnan(apart + one[a] + one[b] + other[a] + other[b]):
                continue
            of_people += 1 if apart != 0 else 0
            way = (1 if apart > 0 else 0) - (1 if apart < 0 else 0)
            first, second = _sign(one[a], one[b]), _sign(other[a], other[b])
            mixed, turned = _sign(one[a], other[b]), _sign(other[a], one[b])
            _add_forms(forms, 0, (a, b), (way * first, way * second, way * mixed, way * turned))
            untied = (abs(first), abs(second), abs(mixed), abs(turned))
            _add_forms(forms, 1, (a, b), untied)
            varies |= min(untied) != max(untied)
    return of_people, varies


@compiled()
def _add_up(
    sums: Shorts, inner: Shorts, coins: Shorts, forms: tuple[Shorts, Shorts, Shorts], kind: int
) -> None:
    """Fill in the forms' values for all coins at once, (metrics, times).

    A swapped member a adds linear_a and, of every swapped b > a, quadratic_ab: ``inner`` is the sum
    of these, the same for both metrics, of which the quadratic form is symmetric. With coins of 0
    or -1 (no bit or all bits set) each product with a coin is a bitwise and.
    """
    whole, linear, quadratic = forms
    for x in range(2):
        sums[x] = whole[kind, x]
    for a in range(len(coins)):
        inner[:] = 0
        for b in range(a + 1, len(coins)):
            if quadratic[kind, a, b]:
                _add_where(inner, coins[b], quadratic[kind, a, b])
        for x in range(2):
            _add_both(sums[x], coins[a], inner, linear[kind, x, a])


@compiled(inline=True)
def _sign(one: float, other: float) -> int:
    """Return 1, 0 or -1 as the first is above, equal to or below the other."""
    return (1 if one > other else 0) - (1 if one < other else 0)


@compiled()
def _add_forms(
    forms: tuple[Shorts, Shorts, Shorts],
    kind: int,
    pair: tuple[int, int],
    of: tuple[int, int, int, int],
) -> None:
    """Add a pair to the forms of a kind: 0 for concordance, 1 for being untied.

    ``of`` is what the pair counts when both scores are of the first metric, both of the second, the
    first output's of the first metric and the other's of the second, and the other way round.
    """
    whole, linear, quadratic = forms
    a, b = pair
    first, second, mixed, turned = of
    whole[kind, 0] += first
    whole[kind, 1] += second
    linear[kind, 0, a] += turned - first
    linear[kind, 0, b] += mixed - first
    linear[kind, 1, a] += mixed - second
    linear[kind, 1, b] += turned - second
    quadratic[kind, a, b] = first + second - turned - mixed


@compiled()
def _add_where(values: Shorts, coins: Shorts, factor: int) -> None:
    """Add the factor where the coin is -1 (all bits set), 0 where it is 0: an and, no product."""
    for t in range(len(values)):
        values[t] += coins[t] & factor


@compiled()
def _add_both(values: Shorts, coins: Shorts, inner: Shorts, factor: int) -> None:
    """Add, where the coin is -1, the linear factor and what the other members' coins make of it."""
    for t in range(len(values)):
        values[t] += coins[t] & (inner[t] + factor)


@compiled()
def _add_quotients(totals: Floats, values: Shorts, spread: float) -> None:
    """Add each group's tau-b where ties do not depend on coins: one spread for all times."""
    for t in range(len(totals)):
        totals[t] += np.divide(np.float64(values[t]), spread)


@compiled()
def _add_taus(
    totals: Floats, defined: Floats, concordant: Shorts, untied: Shorts, of_people: int
) -> None:
    """Add tau-b: concordant less discordant pairs by the root of ``of_people`` times ``untied``."""
    for t in range(len(totals)):
        there = untied[t] > 0
        spread = np.sqrt(np.float64(of_people) * np.float64(untied[t]))
        totals[t] += np.divide(np.float64(concordant[t]), spread if there else 1.0)
        defined[t] += 1.0 if there else 0.0


@compiled()
def add_pearsons(
    scores: Floats,
    people: Floats,
    coins: Singles,
    couples: Integers,
    limits: tuple[int, float],
    totals: Floats,
    defined: Floats,
) -> None:
    """Add each group's Pearson's r of both metrics, (couples, 2, times), and whether there is one.

    Sums of swapped scores, of their squares and of their products with people's are linear in the
    coins, 0 or 1. ``limits``: fewest outputs of a group, and the share of a sum that is rounding.
    """
    fewest, rounding = limits
    groups, members, times = coins.shape
    moved = np.zeros((3, times))
    of_both = np.zeros(members)
    for start in range(0, groups, AT_ONCE):
        for c in range(len(couples)):
            one, other = couples[c, 0], couples[c, 1]
            for g in range(start, min(start + AT_ONCE, groups)):
                count, mean, size = 0, 0.0, 0.0
                for a in range(members):
                    both = people[g, a] + scores[one, g, a] + scores[other, g, a]
                    of_both[a] = people[g, a] if np.isfinite(both) else np.nan
                    if np.isfinite(both):
                        count += 1
                        mean += people[g, a]
                        size += people[g, a] ** 2
                if count < fewest:
                    continue
                mean /= count
                of_people = 0.0
                sums = np.zeros((2, 3))
                moved[:] = 0
                for a in range(members):
                    if np.isnan(of_both[a]):
                        continue
                    apart = of_both[a] - mean
                    of_people += apart**2
                    x, y = scores[one, g, a], scores[other, g, a]
                    for at, value in ((0, x), (1, y)):
                        sums[at, 0] += apart * value
                        sums[at, 1] += value**2
                        sums[at, 2] += value
                    _add_moved(moved, coins[g, a], apart * (y - x), y**2 - x**2, y - x)
                if of_people <= rounding * size:
                    continue
                for at, way in ((0, 1.0), (1, -1.0)):
                    place = (totals[c, at], defined[c, at])
                    _add_rs(place, moved, sums[at], way, (of_people, count, rounding))


@compiled()
def _add_moved(moved: Floats, coins: Singles, product: float, square: float, plain: float) -> None:
    """Add what a swapped output moves: the sums of products, of squares and of scores, by time."""
    for t in range(len(coins)):
        coin = np.float64(coins[t])
        moved[0, t] += product * coin
        moved[1, t] += square * coin
        moved[2, t] += plain * coin


@compiled()
def _add_rs(
    place: tuple[Floats, Floats],
    moved: Floats,
    sums: Floats,
    way: float,
    group: tuple[float, int, float],
) -> None:
    """Add Pearson's r of one metric where its variance is more than rounding.

    ``way`` is 1 for the metric to which swaps bring the other's scores, -1 for the other: what one
    gains the other loses. ``group`` has people's sum of squares, the outputs and the rounding.
    """
    totals, defined = place
    of_people, count, rounding = group
    share = 1.0 / count
    first, second, third = sums[0], sums[1], sums[2]
    for t in range(len(totals)):
        squares = second + way * moved[1, t]
        plain = third + way * moved[2, t]
        variance = squares - plain * plain * share
        there = variance > rounding * squares
        spread = np.sqrt(of_people * (variance if there else 1.0))
        totals[t] += np.divide(first + way * moved[0, t], spread) if there else 0.0
        defined[t] += 1.0 if there else 0.0


@compiled()
def add_soft(
    forms: tuple[Singles, Singles, Singles],
    constants: tuple[Floats, Floats, Floats],
    normal: Floats,
    apart: Floats,
) -> None:
    """Add to ``apart`` how much farther the first metric's p-value is from people's, negated.

    ``forms`` are the even and the odd part of half the variance and the odd part of the total of
    two systems' differences, (times, couples); ``constants`` their parts without coins and people's
    p-value, of each couple. ``normal`` is the normal distribution's share below -8 to 8.
    """
    even, odd, moved = forms
    total, variance, wanted = constants
    for t in range(even.shape[0]):
        for c in range(even.shape[1]):
            for way in (1.0, -1.0):
                spread = variance[c] + even[t, c] + way * odd[t, c]
                z = 0.0
                if spread > 0:
                    z = -(total[c] + way * moved[t, c]) / np.sqrt(spread)
                place = (min(max(z, -7.999), 7.999) + 8.0) * ((len(normal) - 1) / 16.0)
                at = int(place)
                p = normal[at] + (place - at) * (normal[at + 1] - normal[at])
                apart[t, c] -= way * abs(wanted[c] - p)


@compiled()
def order_agreements(signs: Singles, means: Floats, agreed: Floats) -> None:
    """Fill in the share of pairs of systems in people's order, for rows of systems' scores."""
    rows, systems = means.shape
    pairs = systems * (systems - 1) // 2
    for row in range(rows):
        right, at = 0, 0
        for one in range(systems):
            for other in range(one + 1, systems):
                apart = means[row, one] - means[row, other]
                sign = (1 if apart > 0 else 0) - (1 if apart < 0 else 0)
                right += sign == signs[at]
                at += 1
        agreed[row] = right / pairs
