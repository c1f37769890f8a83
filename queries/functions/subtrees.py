"""The subtree patterns of many dependency trees and the sentences that contain them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from sr_tracker.queries.functions.patterns import node_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]
    Booleans: TypeAlias = NDArray[np.bool_]

EXTENSIONS_AT_ONCE = 2_000_000  # bounds the memory of one step of the growth


class Occurrences(NamedTuple):
    """Patterns of one size by the node they are rooted at; each pair once, sorted by node."""

    node: Integers
    pattern: Integers
    last: Integers
    """The first node such that some occurrence has no child of its root after it."""


def subtree_patterns(
    sentence: Integers,
    parent: Integers,
    label: Integers,
    label_texts: Sequence[str],
    *,
    max_nodes: int,
    minimum_support: int,
) -> pa.Table:
    """Return the distinct patterns of all connected node sets, and where they are.

    A row per node: ``sentence`` is its sentence, ``parent`` the row of its head (-1 for a root),
    ``label`` the place of its escaped label in ``label_texts``. Patterns are unordered trees of
    1 to ``max_nodes`` nodes that at least ``minimum_support`` sentences contain (Shimorina et al.
    2021, section 3.4).

    Returns pattern (canonical text), nodes and sentence_nos (sorted, each once), sorted by nodes
    and pattern. Neither the order of the rows nor that of the labels makes a difference.

    Grows patterns child by child: a pattern of a root and some children, the last of which is a
    certain node, is extended by the patterns of the children after that node. A pattern below the
    minimum support is dropped at once, since what contains it is as rare.
    """
    lexicon = Lexicon(label_texts)
    nodes = np.arange(len(sentence), dtype=np.int64)
    sizes = [_frequent(Occurrences(nodes, label, nodes), sentence, minimum_support)]
    sizes[0] = sizes[0]._replace(last=np.full(len(sizes[0].node), -1, np.int64))
    for size in range(2, max_nodes + 1):
        parts = [
            part
            for below in range(1, size)
            for part in _extended(sizes[size - below - 1], sizes[below - 1], parent, lexicon)
        ]
        sizes.append(_frequent(_distinct(parts), sentence, minimum_support))
    return _table(sizes, sentence, lexicon)


class Lexicon:
    """Numbers for patterns; those of the labels come first."""

    def __init__(self, label_texts: Sequence[str]) -> None:
        self.labels = list(label_texts)
        self._trees: list[tuple[int, ...]] = [(number,) for number in range(len(label_texts))]
        self._numbers: dict[tuple[int, ...], int] = {tree: n for n, tree in enumerate(self._trees)}
        self._texts: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._trees)

    def extended(self, pattern: int, child: int) -> int:
        """Return the number of ``pattern`` with ``child`` as one more child of its root."""
        root, *children = self._trees[pattern]
        tree = (root, *sorted([*children, child]))
        number = self._numbers.setdefault(tree, len(self._trees))
        if number == len(self._trees):
            self._trees.append(tree)
        return number

    def text(self, pattern: int) -> str:
        """Return the text of ``pattern`` without the outer parentheses."""
        if pattern not in self._texts:
            root, *children = self._trees[pattern]
            self._texts[pattern] = node_text(self.labels[root], map(self.text, children))
        return self._texts[pattern]


def _extended(
    bases: Occurrences, children: Occurrences, parent: Integers, lexicon: Lexicon
) -> Iterator[Occurrences]:
    """Add one of the children's patterns to each base that ends before that child."""
    count = len(parent)
    places = parent[children.node] * count + children.node
    order = np.argsort(places, kind="stable")
    places = places[order]
    starts = np.searchsorted(places, bases.node * count + bases.last, side="right")
    ends = np.searchsorted(places, (bases.node + 1) * count, side="left")
    reach = np.cumsum(ends - starts)
    total = int(reach[-1]) if len(reach) else 0
    for first, past in _slices(reach, total):
        counts = (ends - starts)[first:past]
        base = np.repeat(np.arange(first, past), counts)
        within = np.arange(len(base)) - np.repeat(np.cumsum(counts) - counts, counts)
        child = order[starts[base] + within]
        pairs, inverse = np.unique(
            bases.pattern[base] * len(lexicon) + children.pattern[child], return_inverse=True
        )
        known = len(lexicon)
        numbers = np.array(
            [lexicon.extended(*divmod(pair, known)) for pair in pairs.tolist()], np.int64
        )
        yield _distinct([Occurrences(bases.node[base], numbers[inverse], children.node[child])])


def _slices(reach: Integers, total: int) -> Iterator[tuple[int, int]]:
    """Cut the bases into slices of about as many extensions as may be at once."""
    cuts = np.searchsorted(reach, np.arange(EXTENSIONS_AT_ONCE, total, EXTENSIONS_AT_ONCE))
    bounds = np.unique([0, *cuts.tolist(), len(reach)]).tolist()
    yield from pairwise(bounds)


def _distinct(parts: Sequence[Occurrences]) -> Occurrences:
    """Keep each pair of node and pattern once, with its first last child."""
    if not parts:
        empty = np.zeros(0, np.int64)
        return Occurrences(empty, empty, empty)
    node, pattern, last = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((last, pattern, node))
    node, pattern, last = node[order], pattern[order], last[order]
    first = np.ones(len(node), np.bool_)
    first[1:] = (np.diff(node) != 0) | (np.diff(pattern) != 0)
    return Occurrences(node[first], pattern[first], last[first])


def _frequent(found: Occurrences, sentence: Integers, minimum_support: int) -> Occurrences:
    """Keep the patterns that are in enough sentences."""
    pairs = _sentences(found, sentence)
    patterns, support = np.unique(pairs[:, 0], return_counts=True)
    kept = np.isin(found.pattern, patterns[support >= minimum_support])
    return Occurrences(*(column[kept] for column in found))


def _sentences(found: Occurrences, sentence: Integers) -> Any:
    """Return the distinct pairs of pattern and sentence, sorted."""
    if not len(found.node):
        return np.zeros((0, 2), np.int64)
    bound = int(sentence.max()) + 1
    pattern, number = np.divmod(np.unique(found.pattern * bound + sentence[found.node]), bound)
    return np.column_stack([pattern, number])


def _table(sizes: Sequence[Occurrences], sentence: Integers, lexicon: Lexicon) -> pa.Table:
    tables = []
    for size, found in enumerate(sizes, start=1):
        pairs = _sentences(found, sentence)
        patterns, starts = np.unique(pairs[:, 0], return_index=True)
        offsets = pa.array([*starts.tolist(), len(pairs)], pa.int32())
        lists = pa.ListArray.from_arrays(offsets, pa.array(pairs[:, 1], pa.int32()))
        texts = pa.array([f"({lexicon.text(each)})" for each in patterns.tolist()], pa.string())
        columns = {
            "pattern": texts,
            "nodes": pa.array(np.full(len(patterns), size), pa.int32()),
            "sentence_nos": lists,
        }
        tables.append(pa.table(columns).sort_by("pattern"))
    return pa.concat_tables(tables).combine_chunks()
