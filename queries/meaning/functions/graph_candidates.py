"""What two graphs could share: what each pair of variables is worth, and a quick way to align."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .graph_kernels import climb_often, relation_pairs
from .graph_triples import GraphTriples

Similarity: TypeAlias = Callable[[str, str], float]

LARGEST_PROBLEM = 2_000_000  # pairs of variables, or pairs of relations
PRECISION = 9  # decimals: similarities are added in an order that must not show


class Alignment(NamedTuple):
    """The best mapping that was found, and how far it is proved to be the best.

    `status` is optimal, time limit, too large (only a rough mapping was tried) or hill climbing;
    `gap` is how many triples more a better mapping might match at most.
    """

    matched: float
    status: str
    gap: float
    mapping: dict[str, str]  # output variable to gold variable, where that matches something


class Candidates(NamedTuple):
    """Pairs of an output and a gold variable, ordered by the former, then the latter.

    `starts`, `neighbours`, `weights` say what is matched besides where two pairs are both in the
    mapping: pair p has the entries starts[p] to starts[p + 1]. Entry e of p about q has the
    entry reverse[e] of q about p.
    """

    rows: NDArray[np.int64]  # output variables
    columns: NDArray[np.int64]  # gold variables
    worth: NDArray[np.float64]  # triples matched by the pair alone
    starts: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    weights: NDArray[np.float64]
    reverse: NDArray[np.int64]
    size: tuple[int, int]  # variables of the output, of the gold graph
    whole: bool  # all numbers are whole

    def lookup(self) -> NDArray[np.int64]:
        """The number of each pair by output and gold variable, or -1."""
        lookup = np.full(self.size, -1)
        lookup[self.rows, self.columns] = np.arange(len(self.rows))
        return lookup

    def by_worth(self) -> NDArray[np.int64]:
        """The pairs in the order of what they match alone, most first."""
        return np.argsort(-self.worth, kind="stable")

    def by_column(self) -> NDArray[np.int64]:
        """The entries, those of each pair sorted by the column of the neighbour."""
        sources = np.repeat(np.arange(len(self.rows)), np.diff(self.starts))
        return np.lexsort((self.columns[self.neighbours], sources))


def find_candidates(
    output: GraphTriples, gold: GraphTriples, similarity: Similarity | None
) -> Candidates | None:
    """The pairs that can match something; None where there are too many to compare."""
    size = len(output.variables), len(gold.variables)
    roles_output = Counter(role for _, role, _ in output.relations)
    roles_gold = Counter(role for _, role, _ in gold.relations)
    pairs = sum(count * roles_gold[role] for role, count in roles_output.items())
    if max(pairs, size[0] * size[1]) > LARGEST_PROBLEM:
        return None
    worth = _worth(output, gold, similarity)
    roles = {role: number for number, role in enumerate(roles_gold)}
    first, second = relation_pairs(_numbered(output, roles), _numbered(gold, roles), pairs, size[1])
    flat = worth.ravel()
    loops = first == second
    np.add.at(flat, first[loops], 1.0)
    first, second = first[~loops], second[~loops]
    possible = flat > 0
    possible[first] = True
    possible[second] = True
    keys = np.flatnonzero(possible)
    number = np.cumsum(possible) - 1
    total = len(keys)
    edges, counts = np.unique(
        np.concatenate(
            [number[first] * total + number[second], number[second] * total + number[first]]
        ),
        return_counts=True,
    )
    sources, neighbours = np.divmod(edges, max(total, 1))
    return Candidates(
        rows=keys // max(size[1], 1),
        columns=keys % max(size[1], 1),
        worth=np.round(flat[keys], PRECISION),
        starts=np.searchsorted(sources, np.arange(total + 1)),
        neighbours=neighbours,
        weights=counts.astype(np.float64),
        reverse=np.searchsorted(edges, neighbours * total + sources),
        size=size,
        whole=similarity is None,
    )


def describe(
    output: GraphTriples,
    gold: GraphTriples,
    candidates: Candidates,
    chosen: Iterable[int],
) -> dict[str, str]:
    """The mapping by names; pairs that match nothing in this company are left out."""
    pairs = sorted(int(pair) for pair in chosen)
    company = set(pairs)
    mapping = {}
    for pair in pairs:
        start, end = candidates.starts[pair], candidates.starts[pair + 1]
        if candidates.worth[pair] > 0 or not company.isdisjoint(
            candidates.neighbours[start:end].tolist()
        ):
            row, column = candidates.rows[pair], candidates.columns[pair]
            mapping[output.variables[row]] = gold.variables[column]
    return mapping


def rough_mapping(output: GraphTriples, gold: GraphTriples) -> dict[str, str]:
    """Variables of equal concepts in the order of the texts: for graphs too large to compare."""
    waiting: dict[str, list[str]] = defaultdict(list)
    for variable, concept in reversed(gold.instances):
        waiting[concept].append(variable)
    return {
        variable: waiting[concept].pop()
        for variable, concept in output.instances
        if waiting[concept]
    }


def count_bound(output: GraphTriples, gold: GraphTriples, similarity: Similarity | None) -> float:
    """Triples that two graphs share at most, by their concepts, attributes and roles alone."""
    shared = _common(
        ((role, value) for _, role, value in graph.attributes) for graph in (output, gold)
    )
    shared += _common((role for _, role, _ in graph.relations) for graph in (output, gold))
    if similarity is not None:
        shared_concepts = min(len(output.instances), len(gold.instances))
        return shared + shared_concepts + _likeness_of_tops(output, gold, similarity)
    return float(
        shared + _common((concept for _, concept in graph.instances) for graph in (output, gold))
    )


def count_matched(
    output: GraphTriples,
    gold: GraphTriples,
    mapping: Mapping[str, str],
    similarity: Similarity | None = None,
) -> float:
    """Triples that a mapping of output variables to gold variables matches."""
    concepts = dict(gold.instances)
    matched = 0.0
    for variable, concept in output.instances:
        other = concepts.get(mapping.get(variable, ""))
        if other is not None:
            matched += _likeness(concept, other, similarity)
    attributes, relations = set(gold.attributes), set(gold.relations)
    matched += sum(
        (mapping.get(variable), role, value) in attributes
        for variable, role, value in output.attributes
    )
    matched += sum(
        (mapping.get(source), role, mapping.get(target)) in relations
        for source, role, target in output.relations
    )
    if output.top is not None and mapping.get(output.top) == gold.top:
        matched += _likeness_of_tops(output, gold, similarity)
    return round(matched, PRECISION)


def _likeness(concept: str, other: str, similarity: Similarity | None) -> float:
    if concept == other:
        return 1.0
    return 0.0 if similarity is None else similarity(concept, other)


def _likeness_of_tops(
    output: GraphTriples, gold: GraphTriples, similarity: Similarity | None
) -> float:
    """What different tops count where they are graded; equal ones are equal attributes."""
    if similarity is None or not (output.graded_top and gold.graded_top):
        return 0.0
    one, other = (dict(graph.instances)[str(graph.top)] for graph in (output, gold))
    return 0.0 if one == other else similarity(one, other)


def _worth(
    output: GraphTriples, gold: GraphTriples, similarity: Similarity | None
) -> NDArray[np.float64]:
    rows = {variable: row for row, variable in enumerate(output.variables)}
    columns = {variable: column for column, variable in enumerate(gold.variables)}
    worth = np.zeros((len(rows), len(columns)))
    by_concept: dict[str, list[int]] = defaultdict(list)
    for variable, concept in gold.instances:
        by_concept[concept].append(columns[variable])
    likeness: dict[tuple[str, str], float] = {}
    for variable, concept in output.instances:
        if similarity is None:
            worth[rows[variable], by_concept.get(concept, [])] += 1.0
            continue
        for other, places in by_concept.items():
            if (concept, other) not in likeness:
                likeness[concept, other] = _likeness(concept, other, similarity)
            worth[rows[variable], places] += likeness[concept, other]
    by_attribute: dict[tuple[str, str], list[int]] = defaultdict(list)
    for variable, role, value in gold.attributes:
        by_attribute[role, value].append(columns[variable])
    for variable, role, value in output.attributes:
        worth[rows[variable], by_attribute.get((role, value), [])] += 1.0
    if tops := _likeness_of_tops(output, gold, similarity):
        worth[rows[str(output.top)], columns[str(gold.top)]] += tops
    return worth


def _numbered(graph: GraphTriples, roles: Mapping[str, int]) -> NDArray[np.int64]:
    """The relations with one of the roles, sorted: role, source, target."""
    places = {variable: place for place, variable in enumerate(graph.variables)}
    relations = sorted(
        (roles[role], places[source], places[target])
        for source, role, target in graph.relations
        if role in roles
    )
    return np.array(relations, np.int64).reshape(-1, 3)


def _common(items: Iterable[Iterable[object]]) -> int:
    first, second = (Counter(side) for side in items)
    return (first & second).total()


SEED = 12345
RESTARTS = 10


def climb_graphs(
    output: GraphTriples,
    gold: GraphTriples,
    *,
    similarity: Similarity | None = None,
    time_limit: float | None = None,  # noqa: ARG001 - as align_graphs has it; climbing ends by itself
    seed: int = SEED,
    restarts: int = RESTARTS,
) -> Alignment:
    """A good one-to-one mapping of variables, and triples matched (Cai and Knight 2013).

    The first climb starts from the pairs that match most alone, the others from random orders;
    the same seed gives the same mapping. The status is optimal where everything that the
    concepts, attributes and roles of the two graphs have in common is matched, hill climbing
    otherwise; then the gap is what is left of that. Parameters are those of align_graphs.
    """
    bound = count_bound(output, gold, similarity)
    candidates = find_candidates(output, gold, similarity)
    if candidates is None:
        mapping = rough_mapping(output, gold)
        status = "too large"
    else:
        orders = np.tile(candidates.by_worth(), (restarts + 1, 1))
        np.random.default_rng(seed).permuted(orders[1:], axis=1, out=orders[1:])
        chosen = climb_often(candidates, candidates.lookup(), orders)
        mapping = describe(output, gold, candidates, chosen[chosen >= 0])
        status = "hill climbing"
    matched = count_matched(output, gold, mapping, similarity)
    if matched >= bound:
        return Alignment(matched, "optimal", 0.0, mapping)
    return Alignment(matched, status, round(bound - matched, PRECISION), mapping)
