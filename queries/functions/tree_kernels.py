"""Compiled loops over dependency trees; integers in, integers out.

One tree of n words is an array `heads` of n + 1 positions: words are 1 to n, entry 0 stands for
the artificial root and is its own head. Many trees are flat CSR arrays: tree i occupies
`offsets[i]` to `offsets[i + 1]` of the values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...schema.short_cuts import compiled
from .statistics import Booleans, Integers


@compiled()
def with_root(values: Integers) -> Integers:
    """The heads of one tree with the artificial root put before them."""
    heads = np.zeros(len(values) + 1, np.int64)
    for word in range(len(values)):
        heads[word + 1] = values[word]
    return heads


@compiled()
def heads_first(heads: Integers) -> Integers:
    """The words in an order where each follows its head; fewer than all if this is no forest."""
    length = len(heads) - 1
    order = np.empty(length, np.int64)
    for word in range(1, length + 1):
        if heads[word] < 0 or heads[word] > length:
            return order[:0]
    path = np.empty(length, np.int64)
    placed = np.zeros(length + 1, np.bool_)
    placed[0] = True
    count = 0
    for word in range(1, length + 1):
        ancestor = word
        steps = 0
        while not placed[ancestor]:
            if steps == length:  # more steps than words: a cycle
                return order[:count]
            path[steps] = ancestor
            steps += 1
            ancestor = heads[ancestor]
        for step in range(steps - 1, -1, -1):
            order[count] = path[step]
            placed[path[step]] = True
            count += 1
    return order


@compiled()
def remaining_words(
    heads: Integers, order: Integers, punctuation: Booleans, whole_subtrees: bool
) -> tuple[Booleans, Integers]:
    """Which words stay (entry 0, the root, always does), and each word's nearest kept ancestor.

    With `whole_subtrees` a punctuation mark takes everything below it along.
    """
    stays = np.ones(len(heads), np.bool_)
    new_heads = np.zeros(len(heads), np.int64)
    for word in order:
        head = heads[word]
        stays[word] = not punctuation[word - 1] and (stays[head] or not whole_subtrees)
        new_heads[word] = head if stays[head] else new_heads[head]
    return stays, new_heads


@compiled()
def without_dropped(
    stays: Booleans, new_heads: Integers, order: Integers
) -> tuple[Integers, Integers]:
    """Heads and heads-first order of the kept words alone, renumbered from 1."""
    numbers = np.cumsum(stays) - 1
    length = numbers[-1]
    heads = np.zeros(length + 1, np.int64)
    new_order = np.empty(length, np.int64)
    count = 0
    for word in order:
        if stays[word]:
            heads[numbers[word]] = numbers[new_heads[word]]
            new_order[count] = numbers[word]
            count += 1
    return heads, new_order


@compiled()
def tree_depth(heads: Integers, order: Integers) -> int:
    """Edges between a root and the deepest word below it."""
    depths = np.full(len(heads), -1)
    for word in order:
        depths[word] = depths[heads[word]] + 1
    return int(depths.max())


@compiled()
def edges_and_distance(heads: Integers) -> tuple[int, int]:
    """Number of edges between words, and the sum of their lengths."""
    edges = 0
    distance = 0
    for word in range(1, len(heads)):
        if heads[word] != 0:
            edges += 1
            distance += abs(word - heads[word])
    return edges, distance


@compiled()
def total_flux_weight(heads: Integers, order: Integers) -> int:
    """The flux weights of all gaps between neighbouring words, added up.

    The edges over a gap form a forest. There a largest set of disjoint edges is found by taking,
    dependents before heads, every edge whose two ends are still free. The edges over a gap are
    kept sorted by that rank and merged with those that start at the next gap, so that the work
    is proportional to the flux size.
    """
    length = len(heads) - 1
    dependents = order[::-1].copy()
    starts = np.zeros(length + 2, np.int64)
    for word in range(1, length + 1):
        if heads[word] != 0:
            starts[min(word, heads[word]) + 1] += 1
    starts = np.cumsum(starts)
    starting = np.empty(length, np.int64)  # ranks of the edges, grouped by their left end
    free = starts.copy()
    for rank in range(length):
        word = dependents[rank]
        if heads[word] != 0:
            left = min(word, heads[word])
            starting[free[left]] = rank
            free[left] += 1

    before = np.empty(length, np.int64)
    over = np.empty(length, np.int64)
    size = 0
    last_match = np.zeros(length + 1, np.int64)  # the gap where a word was last matched
    weight = 0
    for gap in range(1, length):  # the gap to the right of word `gap`
        before, over = over, before
        old, old_end = 0, size
        new, new_end = starts[gap], starts[gap + 1]
        size = 0
        while old < old_end or new < new_end:
            if new == new_end or (old < old_end and before[old] < starting[new]):
                rank = before[old]
                old += 1
            else:
                rank = starting[new]
                new += 1
            word = dependents[rank]
            head = heads[word]
            if max(word, head) <= gap:
                continue
            over[size] = rank
            size += 1
            if last_match[word] != gap and last_match[head] != gap:
                last_match[word] = gap
                last_match[head] = gap
                weight += 1
    return weight


@compiled()
def is_projective(heads: Integers, order: Integers, only_ancestors: bool) -> bool:
    """Whether no edge passes over a word it must not pass over.

    That is any word its head does not dominate or, with `only_ancestors`, an ancestor of its head.
    """
    sizes = np.ones(len(heads), np.int64)  # words in the subtree
    for word in order[::-1]:
        sizes[heads[word]] += sizes[word]
    first = np.zeros(len(heads), np.int64)  # a subtree is numbered first to first + size - 1
    following = np.ones(len(heads), np.int64)
    for word in order:
        head = heads[word]
        first[word] = following[head]
        following[head] += sizes[word]
        following[word] = first[word] + 1
    for word in order:
        head = heads[word]
        if head == 0:
            continue
        for passed in range(min(word, head) + 1, max(word, head)):
            upper, lower = (passed, head) if only_ancestors else (head, passed)
            dominated = first[upper] <= first[lower] < first[upper] + sizes[upper]
            if dominated == only_ancestors:
                return False
    return True


class TreeCounts(NamedTuple):
    """What the complexity measures are made of, per tree; 0 where there is no word or no tree."""

    valid: Booleans  # whether it is a tree
    length: Integers  # words
    depth: Integers
    edges: Integers
    distance: Integers  # over all edges, which is the total flux size
    weight: Integers  # total flux weight
    projective: Booleans


@compiled()
def count_trees(
    values: Integers, punctuation: Booleans, offsets: Integers, published: Booleans
) -> TreeCounts:
    """Return the counts of each tree without its punctuation.

    `published` chooses, per tree, what the published Table 2 was computed with.
    """
    trees = len(offsets) - 1
    valid = np.zeros(trees, np.bool_)
    lengths = np.zeros(trees, np.int64)
    depths = np.zeros(trees, np.int64)
    edges = np.zeros(trees, np.int64)
    distances = np.zeros(trees, np.int64)
    weights = np.zeros(trees, np.int64)
    projective = np.zeros(trees, np.bool_)
    for tree in range(trees):
        start, end = offsets[tree], offsets[tree + 1]
        original = with_root(values[start:end])
        original_order = heads_first(original)
        valid[tree] = len(original_order) == end - start
        if not valid[tree]:
            continue
        stays, new_heads = remaining_words(
            original, original_order, punctuation[start:end], published[tree]
        )
        heads, order = without_dropped(stays, new_heads, original_order)
        lengths[tree] = len(order)
        if len(order) == 0:
            continue
        depths[tree] = tree_depth(heads, order)
        edges[tree], distances[tree] = edges_and_distance(heads)
        weights[tree] = total_flux_weight(heads, order)
        projective[tree] = is_projective(heads, order, published[tree])
    return TreeCounts(valid, lengths, depths, edges, distances, weights, projective)


@compiled()
def reattach(
    values: Integers, punctuation: Booleans, offsets: Integers
) -> tuple[Booleans, Booleans, Integers]:
    """Per tree whether it is one; per word whether it is kept, and its nearest kept ancestor."""
    valid = np.zeros(len(offsets) - 1, np.bool_)
    stays = np.zeros(len(values), np.bool_)
    new_heads = np.zeros(len(values), np.int64)
    for tree in range(len(offsets) - 1):
        start, end = offsets[tree], offsets[tree + 1]
        heads = with_root(values[start:end])
        order = heads_first(heads)
        valid[tree] = len(order) == end - start
        if valid[tree]:
            tree_stays, tree_heads = remaining_words(heads, order, punctuation[start:end], False)
            for word in range(start, end):
                stays[word] = tree_stays[word - start + 1]
                new_heads[word] = tree_heads[word - start + 1]
    return valid, stays, new_heads
